"""Compares the exported model with the teachers and with trivial mattes; prints a table and draws sheets of cutouts.

Usage: python3 -m matte.evaluate --shared SHARED --labels LABELS --agreed AGREED --net ../models/weights/matte.onnx [--sheets FOLDER]
"""

import argparse
import pathlib
import typing

import cv2
import numpy as np

from matte.label import Teachers
from matte.metrics import mean_figures
from common.onnx_in_torch import OnnxInTorch
from matte.sources import Picture, load_ordinary, load_pictures, read_alpha, read_rgb

COLUMNS = ("iou", "s", "boundary", "mae", "mse", "sad")
MAGENTA = (255, 0, 255)
CELL = 200
Method = typing.Callable[[np.ndarray], np.ndarray]


def all_foreground(rgb: np.ndarray) -> np.ndarray:
    """Return the trivial matte that is all foreground."""
    return np.ones(rgb.shape[:2])


def centre_ellipse(rgb: np.ndarray) -> np.ndarray:
    """Return the trivial matte of a centred ellipse, 70 % of each side."""
    rows, columns = np.ogrid[-1 : 1 : rgb.shape[0] * 1j, -1 : 1 : rgb.shape[1] * 1j]
    return (rows**2 + columns**2 < 0.7**2).astype(float)


def exported_model(path: pathlib.Path, side: int) -> Method:
    """Load the exported model, which gets images stretched to `side` x `side`."""
    graph = OnnxInTorch(str(path))

    def run(rgb: np.ndarray) -> np.ndarray:
        image = cv2.resize(rgb, (side, side), interpolation=cv2.INTER_AREA).transpose(2, 0, 1)[None] / 255
        return cv2.resize(graph(image)[0, 0].numpy(), rgb.shape[1::-1], interpolation=cv2.INTER_LINEAR)

    return run


def load_test_sets(shared: pathlib.Path) -> dict[str, list[Picture]]:
    """Load the images of shared/data/background with ground truth, which no training or tuning uses."""
    root = shared / "data/background"
    pairs = {
        "davis2016": [(p, root / "davis2016/gt" / f"{p.stem}.png") for p in sorted(root.glob("davis2016/img/*.jpg"))],
        "exact alpha": [
            (p, p.with_suffix(".alpha.png")) for p in sorted(root.glob("composites_exact_alpha/comp??.png"))
        ],
        "canvas human": [(root / "canvas_human/example_image.png", root / "canvas_human/example_ground_truth.png")],
        "lemur (weak)": [(root / "pymatting_lemur/lemur.png", root / "pymatting_lemur/lemur_alpha.png")],
    }
    sets = {}
    for name, found in pairs.items():
        read = [(image, read_rgb(image), truth) for image, truth in found]
        sets[name] = [Picture(name, i.stem, rgb, read_alpha(truth, rgb.shape[:2])) for i, rgb, truth in read]
    return sets


def cutout(picture: Picture, alpha: np.ndarray) -> np.ndarray:
    """Draw the cutout over magenta, in a square cell."""
    a = alpha[:, :, None]
    return cv2.resize((picture.rgb * a + (1 - a) * np.array(MAGENTA)).astype(np.uint8), (CELL, CELL))


def sheet(pictures: list[Picture], methods: list[Method], path: pathlib.Path) -> None:
    """Draw one column per image: the photo, the true cutout, then that of each method."""
    columns = []
    for picture in pictures:
        cells = [cv2.resize(picture.rgb, (CELL, CELL)), cutout(picture, picture.alpha / 255)]
        columns.append(np.concatenate([*cells, *(cutout(picture, method(picture.rgb)) for method in methods)]))
    cv2.imwrite(str(path), cv2.cvtColor(np.concatenate(columns, 1), cv2.COLOR_RGB2BGR))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--shared", type=pathlib.Path, required=True)
    options.add_argument("--labels", type=pathlib.Path, required=True)
    options.add_argument("--agreed", type=pathlib.Path, required=True)
    options.add_argument("--net", type=pathlib.Path, required=True)
    options.add_argument("--side", type=int, default=320)
    options.add_argument("--held-out-only", action="store_true", help="skip shared/data/background")
    options.add_argument("--sheets", type=pathlib.Path)
    given = options.parse_args()
    teachers = Teachers(given.shared)
    methods: dict[str, Method] = {
        "all foreground": all_foreground,
        "centre ellipse": centre_ellipse,
        "DeepLab teacher": lambda rgb: teachers.each(rgb)[0],
        "selfie network": lambda rgb: teachers.each(rgb)[1],
        "matte.onnx": exported_model(given.net, given.side),
    }
    held_out = load_pictures(given.shared, given.labels, given.agreed, held_out=True)
    sets = {"held out": held_out, "ordinary": load_ordinary(held_out)}
    if not given.held_out_only:
        sets |= load_test_sets(given.shared)
    print(f"| set | pictures | method | {' | '.join(COLUMNS)} |\n|{'---|' * (3 + len(COLUMNS))}")
    for name, pictures in sets.items():
        for title, method in methods.items():
            figures = mean_figures(pictures, method)
            row = " | ".join(f"{figures[column]:.3f}" for column in COLUMNS)
            print(f"| {name} | {len(pictures)} | {title} | {row} |", flush=True)
        if given.sheets:
            given.sheets.mkdir(parents=True, exist_ok=True)
            shown = [methods["DeepLab teacher"], methods["matte.onnx"]]
            sheet(pictures[:20], shown, given.sheets / f"{name}.png")


if __name__ == "__main__":
    main()
