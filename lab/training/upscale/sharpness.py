"""Sharpness, halos and false texture of a result against its truth, from the gradients of luma."""

from typing import NamedTuple

import cv2
import numpy as np

from upscale.metrics import luma

EDGE_SHARE = 0.1
FLAT_SHARE = 0.5
HALO_SIDE = 5
GMSD_CONSTANT = 170.0


class Sharpness(NamedTuple):
    """Measures of one image. Grey levels are of luma, 16 to 235."""

    gradient_error: float
    """Mean distance of the gradients, in grey levels a pixel; less is better."""
    gmsd: float
    """Gradient magnitude similarity deviation (Xue et al., TIP 2014); less is better."""
    edges: float
    """Steepness of the truth's steepest tenth that the result has: 1 as steep, less is blurred, more sharpened."""
    flat_texture: float
    """Mean gradient in the flattest half of the truth, less the truth's own: grain, ringing and blocks if above 0."""
    halo: float
    """Mean excess over what the truth's luma spans in 5 x 5 pixels, in grey levels."""


def _gradient(plane: np.ndarray) -> np.ndarray:
    """Return 2 x H x W derivatives (Prewitt) of a plane."""
    across = np.array([[1.0, 0, -1]] * 3) / 3
    return np.stack([cv2.filter2D(plane, -1, kernel) for kernel in (across, across.T)])


def _gmsd(truth: np.ndarray, result: np.ndarray) -> float:
    """Return the deviation of the gradients' similarity at half the size, as its authors compute it."""
    a, b = (np.hypot(*_gradient(cv2.blur(plane, (2, 2))[::2, ::2])) for plane in (truth, result))
    return float(np.std((2 * a * b + GMSD_CONSTANT) / (a**2 + b**2 + GMSD_CONSTANT)))


def sharpness(truth: np.ndarray, result: np.ndarray, scale: int) -> Sharpness:
    """Return the measures of two uint8 images of the same size, without a border of `scale` pixels."""
    inner = np.s_[scale:-scale, scale:-scale]
    wanted, found = luma(truth)[inner], luma(result)[inner]
    a, b = _gradient(wanted), _gradient(found)
    steepness = np.hypot(*a)
    edge = steepness >= np.quantile(steepness, 1 - EDGE_SHARE)
    flat = steepness <= np.quantile(steepness, FLAT_SHARE)
    square = np.ones((HALO_SIDE, HALO_SIDE))
    beyond = np.maximum(found - cv2.dilate(wanted, square), cv2.erode(wanted, square) - found)
    return Sharpness(
        gradient_error=float(np.hypot(*(a - b)).mean()),
        gmsd=_gmsd(wanted, found),
        edges=float((a * b).sum(0)[edge].sum() / (a * a).sum(0)[edge].sum()),
        flat_texture=float(np.hypot(*b)[flat].mean() - steepness[flat].mean()),
        halo=float(np.maximum(beyond, 0).mean()),
    )
