"""Writes the averaged weights of the overlap network as ONNX (opset 13), its output as probabilities.

Usage: python3 -m speakers.overlap_export --checkpoint WORK/run/checkpoint.pt --out ../models/weights/overlap.onnx
"""

import argparse
import json
import pathlib

import torch
from torch import nn

from speakers.export import export_bands
from speakers.overlap_model import OverlapNet


class Overlap(nn.Module):
    """The probability alone that two or more people speak."""

    def __init__(self, net: OverlapNet):
        super().__init__()
        self.net = net

    def forward(self, bands: torch.Tensor) -> torch.Tensor:
        return torch.sigmoid(self.net(bands)[:, 0])


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--checkpoint", type=pathlib.Path, required=True)
    options.add_argument("--out", type=pathlib.Path, required=True)
    given = options.parse_args()
    net = OverlapNet()
    net.load_state_dict(torch.load(given.checkpoint)["average"])
    print(json.dumps(export_bands(Overlap(net), given.out, "overlap", {0: "batch", 1: "steps"})))


if __name__ == "__main__":
    main()
