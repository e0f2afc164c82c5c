"""Makes masks where several teachers agree, of photos that have none: clothes, and photos that are neither boxed by eye nor
without a subject.

Opinions: U-2-Net-p, the product's own network, and, on clothes, GrabCut that takes the border of the photo for background. A
photo is kept where U-2-Net-p and another opinion have an IoU of at least AGREED; its alpha is the mean of those that agree,
with edges by GrabCut.
Usage: python3 -m matte.agree --shared SHARED --taught TAUGHT --out AGREED
"""

import argparse
import json
import pathlib

import cv2
import numpy as np

from matte.label import clean_mask
from matte.metrics import iou
from matte.sources import Picture, read_alpha, read_rgb, refine_edges, shrink

AGREED = 0.9
SIDE = 160
BORDER = 0.04
SHARE_MIN, SHARE_MAX = 0.04, 0.85
CLOTHES = "clothes_unlabelled"
HERE = pathlib.Path(__file__).parent


def unlabelled(shared: pathlib.Path) -> list[pathlib.Path]:
    """Return the photos for which no one drew a mask or a box, and which are not known to show no subject."""
    train = shared / "data/train"
    subjects = json.loads((HERE / "subjects.json").read_text())
    seen = {*subjects["boxes"], *subjects["scenes"]}
    photos = [path for path in sorted((train / "photos").glob("*.jpg")) if path.name not in seen]
    return [*photos, *sorted((train / "matting" / CLOTHES).glob("*.jpg"))]


def from_border(rgb: np.ndarray) -> np.ndarray:
    """Return what differs in colour from the border of a photo, 0 or 1: GrabCut with a mask of the border alone, on a small
    copy."""
    shape = rgb.shape[1::-1]
    rgb = shrink(rgb, SIDE)
    height, width = rgb.shape[:2]
    rows, columns = max(2, round(BORDER * height)), max(2, round(BORDER * width))
    state = np.full((height, width), cv2.GC_BGD, np.uint8)
    state[rows:-rows, columns:-columns] = cv2.GC_PR_FGD
    models = np.zeros((1, 65)), np.zeros((1, 65))
    cv2.setRNGSeed(1)
    cv2.grabCut(cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR), state, None, *models, 4, cv2.GC_INIT_WITH_MASK)
    return cv2.resize(clean_mask((state == cv2.GC_PR_FGD).astype(np.uint8)).astype(np.float32), shape)


def agreement(general: np.ndarray, others: list[np.ndarray]) -> np.ndarray | None:
    """Return the mean of the general teacher and of the opinions that agree with it, 0..1, or nothing."""
    agreeing = [other for other in others if iou(general, other) >= AGREED]
    mean = np.mean([general, *agreeing], axis=0)
    return mean if agreeing and SHARE_MIN < (mean > 0.5).mean() < SHARE_MAX else None


def opinion(taught: pathlib.Path, teacher: str, folder: str, path: pathlib.Path, rgb: np.ndarray) -> np.ndarray:
    """Return what a teacher sees in a photo, 0..1."""
    return read_alpha(taught / teacher / folder / f"{path.stem}.png", rgb.shape[:2]) / 255


def write(out: pathlib.Path, name: str, rgb: np.ndarray, mean: np.ndarray) -> None:
    """Write a photo and its alpha, the mean inside and outside, and edges by colour."""
    mask = clean_mask((mean > 0.5).astype(np.uint8))
    refined = refine_edges(Picture("agreed", name, rgb, mask * 255))
    cv2.imwrite(str(out / f"{name}.jpg"), cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, 95])
    cv2.imwrite(str(out / f"{name}.png"), refined.alpha)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--shared", type=pathlib.Path, required=True)
    options.add_argument("--taught", type=pathlib.Path, required=True)
    options.add_argument("--out", type=pathlib.Path, required=True)
    given = options.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    counts = {"seen": 0, "agreed": 0}
    for path in unlabelled(given.shared):
        if not (given.taught / "own" / path.parent.name / f"{path.stem}.png").exists():
            continue
        counts["seen"] += 1
        if (given.out / f"{path.stem}.png").exists():
            counts["agreed"] += 1
            continue
        rgb = shrink(read_rgb(path))
        general, own = (opinion(given.taught, teacher, path.parent.name, path, rgb) for teacher in ("u2netp", "own"))
        mean = agreement(general, [own])
        if mean is None and path.parent.name == CLOTHES:
            mean = agreement(general, [from_border(rgb)])
        if mean is not None:
            counts["agreed"] += 1
            write(given.out, path.stem, rgb, mean)
    print(json.dumps(counts))


if __name__ == "__main__":
    main()
