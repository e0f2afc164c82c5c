"""Writes the averaged weights as ONNX, its batch norms folded and its weights stored as float16.

Usage: python3 -m stems.export --checkpoint WORK/run/checkpoint.pt --out ../models/weights/stems.onnx
"""

import argparse
import json
import pathlib

import torch

from common.export import export
from stems.model import SEGMENT, StemsNet
from stems.spectra import ROWS


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--checkpoint", type=pathlib.Path, required=True)
    options.add_argument("--out", type=pathlib.Path, required=True)
    given = options.parse_args()
    net = StemsNet()
    net.load_state_dict(torch.load(given.checkpoint, map_location="cpu")["average"])
    example = torch.ones(1, 2, SEGMENT, ROWS)
    print(json.dumps(export(net, example, given.out, ("powers", "masks"))))


if __name__ == "__main__":
    main()
