"""Writes the averaged weights as ONNX (opset 13), its merged convolutions folded and its weights stored as float16.

The graph computes in float32: a Cast follows each stored weight, and runtimes fold it when they load the file.
The bicubic kernels stay float32, so flat areas keep their exact colour.
Usage: export.py --net x2 --checkpoint CHECKPOINT [CHECKPOINT ...] --out upscale-x2.onnx [--luma]
"""

import argparse
import hashlib
import json
import pathlib

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn

from model import BICUBIC_SIDE, NETS, ColourFromLuma, Merged

OPSET = 13
SMALL = 64
SIDE = 64


def averaged(name: str, checkpoints: list[pathlib.Path]) -> nn.Module:
    """Return the net with the mean of the averaged weights in checkpoints of train.py, rounded to float16."""
    states = [torch.load(checkpoint)["average"] for checkpoint in checkpoints]
    net = NETS[name]()
    net.load_state_dict({key: sum(state[key] for state in states) / len(states) for key in states[0]})
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


def store_as_float16(model: onnx.ModelProto) -> None:
    """Store every weight tensor of more than SMALL numbers as float16, and cast it back where it is used."""
    casts = []
    for tensor in model.graph.initializer:
        values = numpy_helper.to_array(tensor)
        if values.dtype != np.float32 or values.size <= SMALL or values.shape[-1] == BICUBIC_SIDE:
            continue
        name = tensor.name
        tensor.CopyFrom(numpy_helper.from_array(values.astype(np.float16), f"{name}.half"))
        casts.append(helper.make_node("Cast", [f"{name}.half"], [name], to=TensorProto.FLOAT))
    nodes = [*casts, *model.graph.node]
    del model.graph.node[:]
    model.graph.node.extend(nodes)


def export(net: nn.Module, path: pathlib.Path) -> dict[str, object]:
    """Write the net to `path` and return its facts."""
    dynamic = {0: "batch", 2: "height", 3: "width"}
    torch.onnx.export(
        net,
        torch.zeros(1, net.planes, SIDE, SIDE),
        str(path),
        opset_version=OPSET,
        input_names=["image"],
        output_names=["enlarged"],
        dynamic_axes={"image": dynamic, "enlarged": dynamic},
    )
    model = onnx.load(str(path))
    store_as_float16(model)
    model.producer_name, model.producer_version = "darkroom", ""
    onnx.checker.check_model(model)
    onnx.save(model, str(path))
    written = path.read_bytes()
    return {
        "bytes": len(written),
        "sha256": hashlib.sha256(written).hexdigest(),
        "parameters": sum(weights.numel() for weights in net.parameters()),
        "operators": sorted({node.op_type for node in model.graph.node}),
    }


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
    print(json.dumps(export(net, given.out)))


if __name__ == "__main__":
    main()
