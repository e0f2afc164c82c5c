"""Caches what the teachers see in each photo without an exact mask, as grayscale PNG, and goes on where it stopped.

Teachers: U-2-Net-p, the general one, and the product's own network.

Usage: python3 -m matte.teach --shared SHARED --weights ../models/weights/matte.onnx --out TAUGHT [--more coco3]
"""

import argparse
import json
import pathlib

import cv2
import numpy as np
import torch

from matte.sources import HERE, read_rgb, shrink
from matte.teachers import own, u2netp

KINDS = ("clothes_unlabelled", "coco", "coco2")


def photo_paths(shared: pathlib.Path, more: pathlib.Path | None = None) -> list[pathlib.Path]:
    """Return the photos with a subject whose mask is missing, coarse or made by label.py."""
    train = shared / "data/train"
    scenes = json.loads((HERE / "subjects.json").read_text())["scenes"]
    masked = sorted(more.glob("*.jpg")) if more else []
    masked += [path for kind in KINDS for path in sorted((train / "matting" / kind).glob("*.jpg"))]
    return [*(path for path in sorted((train / "photos").glob("*.jpg")) if path.name not in scenes), *masked]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--shared", type=pathlib.Path, required=True)
    options.add_argument("--weights", type=pathlib.Path, required=True)
    options.add_argument("--out", type=pathlib.Path, required=True)
    options.add_argument("--more", type=pathlib.Path, help="output of coco_photos.py, in a folder coco3")
    given = options.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    teachers = {"u2netp": u2netp(given.shared), "own": own(given.weights)}
    for path in photo_paths(given.shared, given.more):
        targets = {name: given.out / name / path.parent.name / f"{path.stem}.png" for name in teachers}
        if all(target.exists() for target in targets.values()):
            continue
        rgb = shrink(read_rgb(path))
        for name, target in targets.items():
            target.parent.mkdir(parents=True, exist_ok=True)
            cv2.imwrite(str(target), np.round(255 * teachers[name].foreground(rgb)).astype(np.uint8))


if __name__ == "__main__":
    main()
