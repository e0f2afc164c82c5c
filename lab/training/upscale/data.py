"""Prepares training images once and serves random crops of them, each with its bicubic reduction.

Usage: python3 -m upscale.data --shared SHARED --out WORK/data
"""

import argparse
import json
import pathlib

import cv2
import numpy as np

from upscale.imresize import imresize, to_bytes

SCALES = (1, 2, 4)
GRID = 32
FLAT_SHARE = 0.25
HELD_OUT_EVERY = 20
# Reductions of each source: they hide JPEG traces and give each image several levels of sharpness.
SOURCES = {
    "photos": (0.6, 0.4),
    "matting/davis": (0.75,),
    "matting/coco": (0.6,),
    "matting/coco2": (0.75,),
    "matting/kuih": (0.75,),
    "matting/fluent3d": (1.0,),
}
CUTOUTS_EVERY = 4


def source_paths(shared: pathlib.Path, source: str) -> list[pathlib.Path]:
    """Return the images of a source in a fixed order. Of the cutouts, every fourth."""
    paths = sorted(p for p in (shared / "data/train" / source).iterdir() if p.suffix in (".jpg", ".webp"))
    return paths[::CUTOUTS_EVERY] if source == "matting/fluent3d" else paths


def read_rgb(path: pathlib.Path, colour: np.ndarray | None = None) -> np.ndarray:
    """Read an image as uint8 H x W x 3, over a plain colour where it is transparent. Raises FileNotFoundError."""
    pixels = cv2.imread(str(path), cv2.IMREAD_COLOR if colour is None else cv2.IMREAD_UNCHANGED)
    if pixels is None:
        raise FileNotFoundError(path)
    rgb = pixels[:, :, 2::-1]
    if pixels.shape[2] == 3:
        return rgb
    alpha = pixels[:, :, 3:] / 255
    return to_bytes(rgb * alpha + colour * (1 - alpha))


def training_images(shared: pathlib.Path, held_out: bool):
    """Yield uint8 images for training, or the held-out photos, with sides that are multiples of 4."""
    random = np.random.default_rng(1)
    for source, reductions in SOURCES.items():
        for index, path in enumerate(source_paths(shared, source)):
            is_held_out = source == "photos" and index % HELD_OUT_EVERY == 0
            if is_held_out != held_out:
                continue
            colour = random.integers(0, 256, 3) if path.suffix == ".webp" else None
            whole = read_rgb(path, colour)
            for reduction in reductions[:1] if held_out else reductions:
                image = whole if reduction == 1 else to_bytes(imresize(whole, reduction))
                yield image[: image.shape[0] // 4 * 4, : image.shape[1] // 4 * 4]


def detail(image: np.ndarray, half: np.ndarray) -> np.ndarray:
    """Return for each cell of GRID pixels how much of its luma bicubic enlargement of `half` cannot restore."""
    height, width = (side // GRID for side in image.shape[:2])
    lost = np.abs(image - imresize(half, 2)).mean(2)[: height * GRID, : width * GRID]
    return lost.reshape(height, GRID, width, GRID).mean((1, 3))


def prepare(shared: pathlib.Path, out: pathlib.Path) -> None:
    """Write all images and their reductions to flat files of uint8, and the table of detailed cells."""
    out.mkdir(parents=True, exist_ok=True)
    files = {scale: open(out / f"pixels-{scale}.u8", "wb") for scale in SCALES}
    shapes, cells = [], []
    for number, image in enumerate(training_images(shared, held_out=False)):
        reduced = {scale: image if scale == 1 else to_bytes(imresize(image, 1 / scale)) for scale in SCALES}
        for scale, pixels in reduced.items():
            files[scale].write(np.ascontiguousarray(pixels).tobytes())
        shapes.append(image.shape[:2])
        scores = detail(image, reduced[2])
        rows, columns = np.indices(scores.shape)
        cells.append(np.stack([np.full(scores.size, number), rows.ravel(), columns.ravel(), scores.ravel()], 1))
    for file in files.values():
        file.close()
    table = np.concatenate(cells)
    table = table[table[:, 3] > np.quantile(table[:, 3], FLAT_SHARE)]
    np.save(out / "cells.npy", table[:, :3].astype(np.int32))
    np.save(out / "shapes.npy", np.array(shapes))
    print(json.dumps({"images": len(shapes), "cells": len(table), "megapixels": sum(h * w for h, w in shapes) / 1e6}))


class Crops:
    """Random crops of the prepared images. A batch depends only on the seed and its number."""

    def __init__(self, folder: pathlib.Path, scale: int):
        self.scale = scale
        self.cells = np.load(folder / "cells.npy")
        self.shapes = np.load(folder / "shapes.npy")
        self.starts = np.concatenate([[0], np.cumsum(self.shapes.prod(1))])
        self.pixels = {s: np.memmap(folder / f"pixels-{s}.u8", np.uint8, "r").reshape(-1, 3) for s in (1, scale)}

    def _image(self, number: int, scale: int) -> np.ndarray:
        height, width = self.shapes[number] // scale
        start = self.starts[number] // scale**2
        return self.pixels[scale][start : start + height * width].reshape(height, width, 3)

    def batch(self, seed: int, number: int, count: int, side: int) -> tuple[np.ndarray, np.ndarray]:
        """Return uint8 small images, count x side x side x 3, and their truth, `scale` times as large.
        Crops are turned and mirrored at random; images smaller than a crop are passed over."""
        random = np.random.default_rng((seed, number))
        small, large = [], []
        whole = side * self.scale
        while len(small) < count:
            image, row, column = self.cells[random.integers(len(self.cells))]
            height, width = self.shapes[image]
            jitter = random.integers(-whole // 2 - GRID // 2, GRID // 2 - whole // 2 + 1, 2)
            turns, mirrored = random.integers(4), random.integers(2)
            if height < whole or width < whole:
                continue
            top = int(np.clip(row * GRID + GRID // 2 + jitter[0], 0, height - whole)) // self.scale
            left = int(np.clip(column * GRID + GRID // 2 + jitter[1], 0, width - whole)) // self.scale
            for scale, crops, size in ((self.scale, small, side), (1, large, whole)):
                y, x = top * self.scale // scale, left * self.scale // scale
                crop = np.rot90(self._image(image, scale)[y : y + size, x : x + size], turns)
                crops.append(crop[::-1] if mirrored else crop)
        return np.stack(small), np.stack(large)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--shared", type=pathlib.Path, required=True)
    options.add_argument("--out", type=pathlib.Path, required=True)
    given = options.parse_args()
    prepare(given.shared, given.out)


if __name__ == "__main__":
    main()
