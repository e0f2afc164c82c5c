"""Writes the averaged weights as ONNX, with folded batch norms and weights stored as float16.

Alpha differs from that of float32 weights by less than 1/255. Several checkpoints of one run are averaged.
Usage: python3 -m matte.export --checkpoint CHECKPOINT [CHECKPOINT ...] --out FOLDER
"""

import argparse
import json
import pathlib

import numpy as np
import torch

from common.averaging import mean_weights
from common.export import export
from matte.heard import SHAPES
from matte.model import SIDE, Matte, MatteNet
from common.onnx_in_torch import OnnxInTorch

BYTES_MAX = 8_000_000


def averaged(checkpoints: list[pathlib.Path]) -> MatteNet:
    """Return the net with the mean of the averaged weights in checkpoints."""
    net = MatteNet()
    net.load_state_dict(mean_weights(checkpoints))
    return net.eval()


def export_matte(net: MatteNet, path: pathlib.Path) -> dict[str, object]:
    """Write the net to `path`, without the networks that it hears, and return its facts. Raises ValueError when it is too large."""
    whole = Matte(net).eval()
    dynamic = {2: "height", 3: "width"}
    rng = np.random.default_rng(1)
    given = [rng.random((1, *shape), np.float32) for shape in ((3, SIDE, SIDE), *SHAPES.values())]
    names = ("image", *SHAPES, "alpha")
    facts = export(whole, tuple(map(torch.from_numpy, given)), path, names, {"image": dynamic, "alpha": dynamic})
    if facts["bytes"] > BYTES_MAX:
        raise ValueError(f"{path} has {facts['bytes']} bytes, of at most {BYTES_MAX}. Reduce WIDTHS")
    with torch.no_grad():
        wrong = (OnnxInTorch(str(path))(*given) - whole(*map(torch.from_numpy, given))).abs().max().item()
    parameters = sum(p.numel() for n, p in net.named_parameters() if not n.startswith("sides"))
    return {**facts, "parameters": parameters, "difference_from_float32": round(wrong, 6)}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--checkpoint", type=pathlib.Path, required=True, nargs="+")
    options.add_argument("--out", type=pathlib.Path, required=True, help="folder for own-matte.onnx and checkpoint.pt")
    given = options.parse_args()
    net = averaged(given.checkpoint)
    given.out.mkdir(parents=True, exist_ok=True)
    torch.save(net.state_dict(), given.out / "checkpoint.pt")
    print(json.dumps(export_matte(net, given.out / "own-matte.onnx")))


if __name__ == "__main__":
    main()
