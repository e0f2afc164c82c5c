"""MATLAB's antialiased bicubic `imresize`: the reduction that super-resolution figures assume."""

import functools
import math

import numpy as np


def _cubic(x: np.ndarray) -> np.ndarray:
    """Return Keys' cubic kernel with a = -0.5."""
    x = np.abs(x)
    near = 1.5 * x**3 - 2.5 * x**2 + 1
    far = -0.5 * x**3 + 2.5 * x**2 - 4 * x + 2
    return np.where(x <= 1, near, np.where(x <= 2, far, 0.0))


def _lanczos(x: np.ndarray) -> np.ndarray:
    """Return Lanczos' kernel with three lobes."""
    return np.where(np.abs(x) < 3, np.sinc(x) * np.sinc(x / 3), 0.0)


KERNELS = {"bicubic": (_cubic, 4.0), "lanczos": (_lanczos, 6.0)}


@functools.lru_cache(maxsize=256)
def _weights(size: int, out_size: int, scale: float, kernel: str) -> tuple[np.ndarray, np.ndarray]:
    """Return out_size x taps indices and weights for one dimension. Indices beyond an edge are mirrored."""
    function, width = KERNELS[kernel]
    stretch = min(scale, 1.0)
    width /= stretch
    centre = (np.arange(out_size) + 0.5) / scale - 0.5
    taps = math.ceil(width) + 2
    indices = (np.floor(centre - width / 2)[:, None] + np.arange(taps)).astype(int)
    weights = stretch * function(stretch * (centre[:, None] - indices))
    weights /= weights.sum(1, keepdims=True)
    mirror = np.concatenate([np.arange(size), np.arange(size - 1, -1, -1)])
    return mirror[indices % (2 * size)], weights.astype(np.float32)


def _resize_rows(pixels: np.ndarray, indices: np.ndarray, weights: np.ndarray) -> np.ndarray:
    out = np.zeros((len(indices), *pixels.shape[1:]), np.float32)
    for tap in range(indices.shape[1]):
        if weights[:, tap].any():
            out += weights[:, tap, None, None] * pixels[indices[:, tap]]
    return out


def imresize(pixels: np.ndarray, scale: float, kernel: str = "bicubic") -> np.ndarray:
    """Resize uint8 or float H x W x C to ceil(scale x size). Returns float32, unrounded, with overshoot."""
    height, width = (math.ceil(scale * side) for side in pixels.shape[:2])
    pixels = _resize_rows(pixels.astype(np.float32), *_weights(pixels.shape[0], height, scale, kernel))
    pixels = _resize_rows(pixels.swapaxes(0, 1), *_weights(pixels.shape[1], width, scale, kernel))
    return np.ascontiguousarray(pixels.swapaxes(0, 1))


def to_bytes(pixels: np.ndarray) -> np.ndarray:
    """Round to uint8, as MATLAB does: halves away from zero."""
    return np.clip(np.floor(pixels + 0.5), 0, 255).astype(np.uint8)
