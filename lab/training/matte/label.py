"""Makes masks for photos/ from boxes drawn by eye, the predictions of both teachers, and GrabCut.

GrabCut: Rother, Kolmogorov, Blake, "GrabCut", SIGGRAPH 2004 (OpenCV's implementation).
Usage: python3 -m matte.label --shared SHARED --out LABELS
"""

import argparse
import json
import pathlib

import cv2
import numpy as np

from matte.teachers import deeplab, selfie

SIDE = 512
HERE = pathlib.Path(__file__).parent


class Teachers:
    """Foreground probability: the mean of DeepLab v3 (21 classes) and MediaPipe's selfie model."""

    def __init__(self, shared: pathlib.Path):
        self.deeplab, self.selfie = deeplab(shared), selfie(shared)

    def each(self, rgb: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Predict the foreground of `rgb` (uint8, H x W x 3) by each teacher: 0..1, H x W."""
        height, width = rgb.shape[:2]
        [logits], [people] = self.deeplab.run(rgb[None]), self.selfie.run(rgb[None])
        one = 1 - logits.softmax(-1)[0, :, :, 0].numpy()
        two = people[0, :, :, 0].numpy()
        return cv2.resize(one, (width, height)), cv2.resize(two, (width, height))

    def mean(self, rgb: np.ndarray) -> np.ndarray:
        """Return the mean of both teachers over the image and its mirror image."""
        plain = self.each(rgb)
        mirrored = self.each(np.ascontiguousarray(rgb[:, ::-1]))
        return (sum(plain) + sum(m[:, ::-1] for m in mirrored)) / 4


def grab_cut(rgb: np.ndarray, box: list[float], prior: np.ndarray) -> np.ndarray:
    """Return a binary mask (0 or 1) of the subject inside `box` (shares of the sides)."""
    height, width = rgb.shape[:2]
    left, top, right, bottom = (round(v * s) for v, s in zip(box, (width, height, width, height)))
    state = np.full((height, width), cv2.GC_BGD, np.uint8)
    inside = state[top:bottom, left:right]
    inside[:] = cv2.GC_PR_FGD
    known = prior[top:bottom, left:right]
    if known.mean() > 0.3:
        inside[known < 0.25] = cv2.GC_PR_BGD
        inside[known < 0.03] = cv2.GC_BGD
        inside[known > 0.97] = cv2.GC_FGD
    else:
        rows, columns = np.ogrid[-1 : 1 : inside.shape[0] * 1j, -1 : 1 : inside.shape[1] * 1j]
        inside[rows**2 + columns**2 > 1.45] = cv2.GC_PR_BGD
        inside[rows**2 + columns**2 < 0.04] = cv2.GC_FGD
    models = np.zeros((1, 65)), np.zeros((1, 65))
    cv2.setRNGSeed(1)
    cv2.grabCut(cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR), state, None, *models, 6, cv2.GC_INIT_WITH_MASK)
    mask = ((state == cv2.GC_FGD) | (state == cv2.GC_PR_FGD)).astype(np.uint8)
    return clean_mask(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)))


def clean_mask(mask: np.ndarray) -> np.ndarray:
    """Remove parts smaller than 5 % of the mask, and fill holes smaller than 2 % of it."""
    for value, share in ((1, 0.05), (0, 0.02)):
        count, parts, stats, _ = cv2.connectedComponentsWithStats((mask == value).astype(np.uint8))
        area_min = share * mask.sum()
        for part in range(1, count):
            if stats[part, cv2.CC_STAT_AREA] < area_min:
                mask[parts == part] = 1 - value
    return mask


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--shared", type=pathlib.Path, default=HERE / "../../../../shared")
    options.add_argument("--out", type=pathlib.Path, required=True)
    given = options.parse_args()
    teachers = Teachers(given.shared)
    given.out.mkdir(parents=True, exist_ok=True)
    for name, box in json.loads((HERE / "subjects.json").read_text())["boxes"].items():
        pixels = cv2.imread(str(given.shared / "data/train/photos" / name))
        if pixels is None:
            print(f"{name} is not among the photos", flush=True)
            continue
        rgb = cv2.cvtColor(pixels, cv2.COLOR_BGR2RGB)
        scale = SIDE / max(rgb.shape[:2])
        rgb = cv2.resize(rgb, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        mask = grab_cut(rgb, box, teachers.mean(rgb))
        stem = given.out / pathlib.Path(name).stem
        cv2.imwrite(f"{stem}.jpg", cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, 95])
        cv2.imwrite(f"{stem}.png", cv2.GaussianBlur(mask * 255, (0, 0), 0.8))


if __name__ == "__main__":
    main()
