"""Prints PSNR and SSIM of luma on Set5, Set14 and Kodak compared with bicubic and Lanczos, as a Markdown table.

Weights are rounded to float16, as they ship.
Usage: python3 -m upscale.evaluate --shared SHARED --net x2 --checkpoint CHECKPOINT [CHECKPOINT ...] [--sheets FOLDER]
"""

import argparse
import pathlib

import cv2
import numpy as np
import torch

from upscale.data import read_rgb
from upscale.export import averaged
from upscale.imresize import KERNELS, imresize, to_bytes
from upscale.metrics import figures, pair
from upscale.model import NETS, enlarge

SETS = ("Set5", "Set14", "kodak")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--shared", type=pathlib.Path, required=True)
    options.add_argument("--net", choices=NETS, required=True)
    options.add_argument("--checkpoint", type=pathlib.Path, required=True, nargs="+")
    options.add_argument("--sheets", type=pathlib.Path, help="folder for the enlarged images")
    given = options.parse_args()
    torch.set_num_threads(1)
    net = averaged(given.net, given.checkpoint)
    scale = net.scale
    methods = {kernel: lambda small, k=kernel: to_bytes(imresize(small, scale, k)) for kernel in KERNELS}
    methods[given.net] = lambda small: enlarge(net, small)
    if given.sheets:
        given.sheets.mkdir(parents=True, exist_ok=True)
    print("| set | images | method | PSNR | SSIM |\n| --- | --- | --- | --- | --- |")
    for name in SETS:
        paths = sorted((given.shared / "data/superres" / name).glob("*.png"))
        found = {method: [] for method in methods}
        for path in paths:
            truth, small = pair(read_rgb(path), scale)
            for method, enlarged in methods.items():
                large = enlarged(small)
                found[method].append(figures(truth, large, scale))
                if given.sheets:
                    cv2.imwrite(str(given.sheets / f"{name}-{path.stem}-{method}-x{scale}.png"), large[:, :, ::-1])
        for method, values in found.items():
            psnr, ssim = np.mean(values, 0)
            print(f"| {name} | {len(paths)} | {method} | {psnr:.2f} | {ssim:.4f} |", flush=True)


if __name__ == "__main__":
    main()
