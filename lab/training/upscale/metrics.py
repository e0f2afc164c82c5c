"""PSNR and SSIM of luma without a border of `scale` pixels, as the super-resolution literature measures them."""

import cv2
import numpy as np

from upscale.imresize import imresize, to_bytes

LUMA = np.array([65.481, 128.553, 24.966]) / 255


def luma(rgb: np.ndarray) -> np.ndarray:
    """Return BT.601 luma, 16 to 235, of uint8 H x W x 3, as float64."""
    return 16 + rgb.astype(np.float64) @ LUMA


def psnr(truth: np.ndarray, result: np.ndarray) -> float:
    """Return the peak signal-to-noise ratio in dB of two planes of 0..255."""
    return float(10 * np.log10(255**2 / np.mean((truth - result) ** 2)))


def ssim(truth: np.ndarray, result: np.ndarray) -> float:
    """Return the structural similarity (Wang et al., 2004) of two planes of 0..255."""

    def mean(plane):
        return cv2.GaussianBlur(plane, (11, 11), 1.5)[5:-5, 5:-5]

    a, b = mean(truth), mean(result)
    variances = mean(truth**2) - a**2 + mean(result**2) - b**2
    covariance = mean(truth * result) - a * b
    c1, c2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    return float(np.mean((2 * a * b + c1) * (2 * covariance + c2) / ((a**2 + b**2 + c1) * (variances + c2))))


def figures(truth: np.ndarray, result: np.ndarray, scale: int) -> tuple[float, float]:
    """Return PSNR and SSIM of luma of two uint8 images of the same size."""
    inner = np.s_[scale:-scale, scale:-scale]
    planes = luma(truth)[inner], luma(result)[inner]
    return psnr(*planes), ssim(*planes)


def pair(image: np.ndarray, scale: int) -> tuple[np.ndarray, np.ndarray]:
    """Return uint8 truth, cropped to multiples of `scale`, and its bicubic reduction."""
    height, width = (side - side % scale for side in image.shape[:2])
    truth = image[:height, :width]
    return truth, to_bytes(imresize(truth, 1 / scale))
