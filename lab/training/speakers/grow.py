"""Writes a checkpoint that goes on with voices that were added to its data since (moved.py): a class for each, its centre its aim.

Usage: python3 -m speakers.grow --data WORK --checkpoint speakers/checkpoint.pt --out WORK/run/checkpoint.pt
"""

import argparse
import pathlib

import numpy as np
import torch

from speakers.data import HELD_OUT, Voices
from speakers.targets import Aims


def grown(saved: torch.Tensor, added: torch.Tensor) -> torch.Tensor:
    """Return a state of the classes with that of further ones."""
    return torch.cat([saved.float(), added])


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--data", type=pathlib.Path, required=True)
    options.add_argument("--checkpoint", type=pathlib.Path, required=True)
    options.add_argument("--out", type=pathlib.Path, required=True)
    given = options.parse_args()
    saved = torch.load(given.checkpoint, map_location="cpu")
    centres = saved["softmax"]["centres"]
    found = Aims(given.data).projected(saved["guide"]["projection"].float().numpy())
    further = Voices(given.data, HELD_OUT).voices[len(centres) :]
    aims = torch.from_numpy(np.stack([found[rows].mean(axis=0) for rows in further]))
    for moments in saved["optimiser"]["state"].values():
        for name, values in moments.items():
            if values.shape == centres.shape:
                moments[name] = grown(values, torch.zeros_like(aims))
    saved["softmax"]["centres"] = grown(centres, aims)
    given.out.parent.mkdir(parents=True, exist_ok=True)
    torch.save(saved, given.out)
    print(len(centres), "->", len(saved["softmax"]["centres"]))


if __name__ == "__main__":
    main()
