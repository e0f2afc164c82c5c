"""Metrics of a matte: mean IoU at 0.5, S-measure, boundary F, MAE; SAD and MSE for exact alpha.

S-measure: Fan et al., "Structure-measure", ICCV 2017. Boundary F: Perazzi et al., DAVIS, CVPR 2016.
"""

import typing

import cv2
import numpy as np

from matte.sources import Picture

Method = typing.Callable[[np.ndarray], np.ndarray]


def iou(alpha: np.ndarray, truth: np.ndarray) -> float:
    """Return the intersection over union above 0.5; 1 where both are empty."""
    a, t = alpha > 0.5, truth > 0.5
    either = (a | t).sum()
    return 1.0 if either == 0 else float((a & t).sum() / either)


def boundary_f(alpha: np.ndarray, truth: np.ndarray) -> float:
    """Return the F-measure of the outlines at 0.5, with a tolerance of 0.8 % of the diagonal."""
    reach = max(1, round(0.008 * float(np.hypot(*truth.shape))))
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
    lines = [cv2.morphologyEx((m > 0.5).astype(np.uint8), cv2.MORPH_GRADIENT, np.ones((2, 2))) for m in (alpha, truth)]
    if not lines[0].any() or not lines[1].any():
        return float(lines[0].any() == lines[1].any())
    found = [(line & cv2.dilate(other, disc)).sum() / line.sum() for line, other in (lines, lines[::-1])]
    return 0.0 if sum(found) == 0 else float(2 * found[0] * found[1] / sum(found))


def _object(alpha: np.ndarray, where: np.ndarray) -> float:
    values = alpha[where]
    mean = values.mean()
    return float(2 * mean / (mean**2 + 1 + values.std() + 1e-8))


def _region(alpha: np.ndarray, truth: np.ndarray) -> float:
    a, t = alpha.mean(), truth.mean()
    count = max(1, truth.size - 1)
    a_variance, t_variance = ((alpha - a) ** 2).sum() / count, ((truth - t) ** 2).sum() / count
    both = ((alpha - a) * (truth - t)).sum() / count
    above, below = 4 * a * t * both, (a**2 + t**2) * (a_variance + t_variance)
    if above != 0:
        return float(above / (below + 1e-8))
    return 1.0 if below == 0 else 0.0


def s_measure(alpha: np.ndarray, truth: np.ndarray) -> float:
    """Return the S-measure: half object similarity, half similarity of the four regions around the centroid."""
    binary = truth > 0.5
    share = binary.mean()
    if share in (0, 1):
        return float(1 - alpha.mean() if share == 0 else alpha.mean())
    objects = share * _object(alpha, binary) + (1 - share) * _object(1 - alpha, ~binary)
    rows, columns = np.nonzero(binary)
    y, x = round(rows.mean()) + 1, round(columns.mean()) + 1
    regions = 0.0
    for part in (np.s_[:y, :x], np.s_[:y, x:], np.s_[y:, :x], np.s_[y:, x:]):
        if truth[part].size > 0:
            regions += truth[part].size / truth.size * _region(alpha[part], binary[part].astype(np.float64))
    return max(0.0, 0.5 * objects + 0.5 * regions)


def figures_of(alpha: np.ndarray, truth: np.ndarray) -> dict[str, float]:
    """Return all metrics of one image; SAD is in thousands of pixels."""
    wrong = np.abs(alpha - truth)
    return {
        "iou": iou(alpha, truth),
        "s": s_measure(alpha, truth),
        "boundary": boundary_f(alpha, truth),
        "mae": float(wrong.mean()),
        "mse": float((wrong**2).mean()),
        "sad": float(wrong.sum() / 1000),
    }


def _where_known(picture: Picture, alpha: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return alpha and the truth, both nothing where the truth is not known."""
    known = 1 if picture.known is None else picture.known > 127
    return alpha * known, picture.alpha / 255 * known


def mean_figures(pictures: list[Picture], method: Method) -> dict[str, float]:
    """Return the mean metrics of `method`, which maps a uint8 image to alpha 0..1, and the mean IoU of every kind."""
    rows = [(p.kind, figures_of(*_where_known(p, method(p.rgb)))) for p in pictures]
    means = {name: round(float(np.mean([f[name] for _, f in rows])), 4) for name in rows[0][1]}
    for kind in sorted({k for k, _ in rows}):
        means[f"iou_{kind}"] = round(float(np.mean([f["iou"] for k, f in rows if k == kind])), 4)
    return means
