"""Writes the averaged weights as ONNX, its merged convolutions folded and its weights stored as float16.

The bicubic kernels stay float32, so flat areas keep their exact colour.
Usage: python3 -m upscale.export --net x2 --checkpoint CHECKPOINT [CHECKPOINT ...] --out upscale-x2.onnx [--luma]
"""

import argparse
import json
import pathlib

import onnx
import torch
from torch import nn

from common.averaging import mean_weights
from common.export import export
from upscale.model import BICUBIC_SIDE, NETS, ColourFromLuma, Merged

SIDE = 64


def averaged(name: str, checkpoints: list[pathlib.Path]) -> nn.Module:
    """Return the net with the mean of the averaged weights in checkpoints of train.py, rounded to float16."""
    net = NETS[name]()
    net.load_state_dict(mean_weights(checkpoints))
    fold(net)
    with torch.no_grad():
        for weights in net.parameters():
            weights.copy_(weights.half().float())
    return net.eval()


def fold(net: nn.Module) -> None:
    """Replace each merged convolution with a plain one."""
    for parent in list(net.modules()):
        for name, child in list(parent.named_children()):
            if isinstance(child, Merged):
                weights, bias = child.merged()
                plain = nn.Conv2d(weights.shape[1], weights.shape[0], 3, 1, 1)
                plain.weight, plain.bias = nn.Parameter(weights.detach()), nn.Parameter(bias.detach())
                setattr(parent, name, plain)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--net", choices=NETS, required=True)
    options.add_argument("--checkpoint", type=pathlib.Path, required=True, nargs="+")
    options.add_argument("--out", type=pathlib.Path, required=True)
    options.add_argument("--luma", action="store_true", help="the fast net for luma planes instead of RGB")
    given = options.parse_args()
    net = averaged(given.net, given.checkpoint)
    if net.planes == 1 and not given.luma:
        net = ColourFromLuma(net)
    dynamic = {0: "batch", 2: "height", 3: "width"}
    facts = export(
        net,
        torch.zeros(1, net.planes, SIDE, SIDE),
        given.out,
        ("image", "enlarged"),
        {"image": dynamic, "enlarged": dynamic},
        is_exact=lambda values: values.shape[-1] == BICUBIC_SIDE,
    )
    operators = sorted({node.op_type for node in onnx.load(str(given.out)).graph.node})
    print(json.dumps({**facts, "operators": operators}))


if __name__ == "__main__":
    main()
