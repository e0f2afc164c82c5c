"""Writes the photos of `coco-photos.json` with masks of their subjects: further images of COCO under free licences, from public
repositories that hold small parts of it.

Usage: python3 -m matte.coco_photos --repositories FOLDER --out MORE

FOLDER has a checkout of each repository at its commit, named OWNER+NAME.
"""

import argparse
import json
import pathlib
import shutil

import cv2
import numpy as np

HERE = pathlib.Path(__file__).parent


def mask_of(shape: tuple[int, int], polygons: list[list[float]]) -> np.ndarray:
    """Fill polygons of x and y in pixels, 0 or 255 in an array of `shape` (height, width)."""
    mask = np.zeros(shape, np.uint8)
    for polygon in polygons:
        cv2.fillPoly(mask, [np.round(np.reshape(polygon, (-1, 2))).astype(np.int32)], 255)
    return mask


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--repositories", type=pathlib.Path, required=True)
    options.add_argument("--out", type=pathlib.Path, required=True)
    given = options.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    for repository, listed in json.loads((HERE / "coco-photos.json").read_text()).items():
        checkout = given.repositories / repository.replace("/", "+")
        tables = [json.loads((checkout / path).read_text()) for path in listed["annotations"]]
        objects = {entry["id"]: entry["segmentation"] for table in tables for entry in table["annotations"]}
        for name, photo in listed["photos"].items():
            source = next(checkout.rglob(f"{name}.jpg"))
            shutil.copyfile(source, given.out / f"{name}.jpg")
            polygons = [polygon for entry in photo["objects"] for polygon in objects[entry]]
            cv2.imwrite(str(given.out / f"{name}.png"), mask_of(cv2.imread(str(source)).shape[:2], polygons))


if __name__ == "__main__":
    main()
