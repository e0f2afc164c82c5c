"""Writes the averaged weights, of several checkpoints their mean, as ONNX, its batch norms folded and its weights stored as float16.

Usage: python3 -m speakers.export --checkpoint WORK/run/checkpoint.pt --out ../models/weights/speakers.onnx
"""

import argparse
import json
import pathlib

import torch
from torch import nn

from common.averaging import mean_weights
from common.export import export
from speakers.data import CROP
from speakers.model import BANDS, SpeakerNet


def export_bands(net: nn.Module, path: pathlib.Path, output: str, dynamic: dict[int, str]) -> dict[str, object]:
    """Write a net over band energies to `path`, with the name and the dynamic axes of its output, and return its facts."""
    axes = {"bands": {0: "batch", 1: "frames"}, output: dynamic}
    return export(net, torch.zeros(1, CROP, BANDS), path, ("bands", output), axes)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--checkpoint", type=pathlib.Path, nargs="+", required=True)
    options.add_argument("--out", type=pathlib.Path, required=True)
    given = options.parse_args()
    net = SpeakerNet()
    net.load_state_dict(mean_weights(given.checkpoint))
    print(json.dumps(export_bands(net, given.out, "embedding", {0: "batch"})))


if __name__ == "__main__":
    main()
