"""Degrades images as the web does: blur, resampling, noise and JPEG compression in random order, then JPEG once more.

After Wang et al., "Real-ESRGAN" (ICCVW 2021), with moderate strengths: what a network can undo without inventing.
"""

import cv2
import numpy as np

from upscale.rules import Batches

# Context around a crop, so that its edges are degraded like its middle.
MARGIN = 8
JPEG_GRID = 8
EACH = 0.5
LAST_JPEG = 0.9
INTERPOLATIONS = (cv2.INTER_AREA, cv2.INTER_LINEAR, cv2.INTER_CUBIC)


def _blur(image: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Blur by a Gaussian, sometimes more along one axis."""
    across = random.uniform(0.2, 1.2)
    along = across if random.random() < 0.7 else random.uniform(0.2, 1.2)
    return cv2.GaussianBlur(image, (7, 7), across, sigmaY=along, borderType=cv2.BORDER_REFLECT_101)


def _resample(image: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Resize by a random factor and back."""
    height, width = image.shape[:2]
    factor = random.uniform(0.6, 1) if random.random() < 0.7 else random.uniform(1, 1.5)
    there, back = random.choice(INTERPOLATIONS, 2)
    size = max(1, round(width * factor)), max(1, round(height * factor))
    return cv2.resize(cv2.resize(image, size, interpolation=int(there)), (width, height), interpolation=int(back))


def _noise(image: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Add noise of a sensor, coloured or grey: its variance grows with the light."""
    deviation = random.uniform(1, 8)
    planes = 1 if random.random() < 0.4 else 3
    normal = random.standard_normal((*image.shape[:2], planes), np.float32)
    light = np.sqrt(0.4 + 0.6 * image / 128.0)
    return np.clip(image + deviation * light * normal + 0.5, 0, 255).astype(np.uint8)


def jpeg(image: np.ndarray, quality: int) -> np.ndarray:
    """Return a uint8 RGB image after compression with chroma at half the size."""
    _, file = cv2.imencode(".jpg", image[:, :, ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality])
    return cv2.imdecode(file, cv2.IMREAD_COLOR)[:, :, ::-1]


def _compress(image: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Compress with a random quality, in blocks that begin anywhere."""
    top, left = random.integers(0, JPEG_GRID, 2)
    result = image.copy()
    result[top:, left:] = jpeg(image[top:, left:], int(random.integers(30, 93)))
    return result


def degrade(image: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Return a degraded uint8 H x W x 3 image of the same size. It depends on the generator's state alone."""
    for number in random.permutation(4):
        if random.random() < EACH:
            image = (_blur, _resample, _noise, _compress)[number](image, random)
    return _compress(image, random) if random.random() < LAST_JPEG else image


class DegradedCrops:
    """Crops as `Crops` serves them, the small ones degraded."""

    def __init__(self, crops: Batches):
        self.crops, self.scale = crops, crops.scale

    def batch(self, seed: int, number: int, count: int, side: int) -> tuple[np.ndarray, np.ndarray]:
        """Return uint8 degraded small images, count x side x side x 3, and their clean truth, `scale` times as large."""
        small, large = self.crops.batch(seed, number, count, side + 2 * MARGIN)
        random = np.random.default_rng((seed, number, 1))
        degraded = np.stack([degrade(np.ascontiguousarray(image), random) for image in small])
        inner, whole = (slice(size, -size) for size in (MARGIN, MARGIN * self.crops.scale))
        return degraded[:, inner, inner], large[:, whole, whole]
