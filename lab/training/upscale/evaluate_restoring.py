"""Compares a restoring net with the plain one on Set5, Set14 and Kodak, reduced and then compressed, as a Markdown table.

Usage: python3 -m upscale.evaluate_restoring --shared SHARED --plain CHECKPOINT --restoring CHECKPOINT [--sheets FOLDER]
"""

import argparse
import pathlib

import cv2
import numpy as np
import torch

from upscale.data import read_rgb
from upscale.degrade import jpeg
from upscale.evaluate import SETS
from upscale.export import averaged
from upscale.metrics import figures, pair
from upscale.model import enlarge
from upscale.sharpness import sharpness

QUALITIES = (40, 60, 80, None)
HEADS = ("set", "JPEG", "net", "PSNR", "SSIM", "gradient error", "GMSD", "edges", "flat texture", "halo")
DIGITS = (2, 4, 2, 4, 3, 2, 3)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--shared", type=pathlib.Path, required=True)
    options.add_argument("--plain", type=pathlib.Path, required=True)
    options.add_argument("--restoring", type=pathlib.Path, required=True)
    options.add_argument("--sets", nargs="+", default=SETS)
    options.add_argument("--sheets", type=pathlib.Path, help="folder for the images: input, plain, restored, truth")
    given = options.parse_args()
    torch.set_num_threads(1)
    nets = {"x2": averaged("x2", [given.plain]), "restore-x2": averaged("restore-x2", [given.restoring])}
    print(f"| {' | '.join(HEADS)} |\n|{' --- |' * len(HEADS)}")
    for name in given.sets:
        for quality in QUALITIES:
            found = {net: [] for net in nets}
            for path in sorted((given.shared / "data/superres" / name).glob("*.png")):
                truth, small = pair(read_rgb(path), 2)
                small = jpeg(small, quality) if quality else small
                results = {net: enlarge(model, small) for net, model in nets.items()}
                for net, large in results.items():
                    found[net].append((*figures(truth, large, 2), *sharpness(truth, large, 2)))
                if given.sheets:
                    given.sheets.mkdir(parents=True, exist_ok=True)
                    doubled = cv2.resize(small, None, fx=2, fy=2, interpolation=cv2.INTER_NEAREST)
                    sheet = np.hstack([doubled, *results.values(), truth])
                    cv2.imwrite(str(given.sheets / f"{name}-{path.stem}-{quality or 'clean'}.png"), sheet[:, :, ::-1])
            for net, values in found.items():
                means = [f"{mean:.{digits}f}" for mean, digits in zip(np.mean(values, 0), DIGITS)]
                print(f"| {name} | {quality or 'none'} | {net} | {' | '.join(means)} |", flush=True)


if __name__ == "__main__":
    main()
