"""Writes a checkpoint to keep: weights of two or more dimensions as float16, the optimiser's moments as bfloat16, half as large.

The first moments, which remember about ten steps, are zeros that take no room. A run resumes from it as from any other: copy it to RUN/checkpoint.pt.
Usage: python3 -m common.pack --checkpoint RUN/checkpoint.pt --out speakers/checkpoint.pt
"""

import argparse
import pathlib
from typing import Any

import torch


def forgotten(moments: torch.Tensor) -> torch.Tensor:
    """Return zeros of the shape of moments that are stored as one number."""
    return torch.zeros((), dtype=torch.bfloat16).expand(moments.shape)


def packed(value: Any, kind: torch.dtype) -> Any:
    """Return a state whose larger float32 tensors are of another kind."""
    if isinstance(value, dict):
        kinds = {key: torch.bfloat16 if key == "optimiser" else kind for key in value}
        return {key: forgotten(inner) if key == "exp_avg" else packed(inner, kinds[key]) for key, inner in value.items()}
    if isinstance(value, torch.Tensor) and value.dtype == torch.float32 and value.dim() > 1:
        return value.to(kind)
    return value


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--checkpoint", type=pathlib.Path, required=True)
    options.add_argument("--out", type=pathlib.Path, required=True)
    given = options.parse_args()
    torch.save(packed(torch.load(given.checkpoint, map_location="cpu"), torch.float16), given.out)
    print(given.out.stat().st_size)


if __name__ == "__main__":
    main()
