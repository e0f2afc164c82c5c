"""What light, cameras and files do to pictures: uint8 RGB, some with uint8 alpha. `rng` makes every choice."""

import cv2
import numpy as np


def recolour(rng: np.random.Generator, rgb: np.ndarray, strength: float) -> np.ndarray:
    """Change saturation, gamma and gain per channel at random; `strength` is 0..1."""
    if rng.random() < 0.04:
        rgb = cv2.cvtColor(cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB)
    elif rng.random() < 0.5:
        gray = cv2.cvtColor(cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB)
        saturation = 1 + strength * rng.uniform(-0.7, 0.5)
        rgb = cv2.addWeighted(rgb, saturation, gray, 1 - saturation, 0)
    ramp = np.linspace(0, 1, 256)[:, None] ** np.exp(strength * rng.normal(0, 0.3))
    gain = np.exp(strength * (rng.normal(0, 0.22) + rng.normal(0, 0.1, 3)))
    table = (ramp * gain * 255 + strength * rng.normal(0, 12)).clip(0, 255).astype(np.uint8)
    return cv2.LUT(rgb, table[:, None, :])


def degrade(rng: np.random.Generator, rgb: np.ndarray) -> np.ndarray:
    """Degrade an image as cameras and the web do: blur, fewer pixels, noise, JPEG."""
    if rng.random() < 0.12:
        rgb = cv2.GaussianBlur(rgb, (0, 0), rng.uniform(0.4, 1.6))
    if rng.random() < 0.15:
        side = rgb.shape[0]
        small = cv2.resize(rgb, None, fx=(f := rng.uniform(0.35, 0.9)), fy=f, interpolation=cv2.INTER_AREA)
        rgb = cv2.resize(small, (side, side), interpolation=cv2.INTER_LINEAR)
    if rng.random() < 0.15:
        grain = rng.integers(-128, 128, rgb.shape, np.int8).astype(np.float32) * rng.uniform(0.02, 0.15)
        rgb = cv2.add(rgb, grain, dtype=cv2.CV_8U)
    if rng.random() < 0.3:
        _, coded = cv2.imencode(".jpg", rgb, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(25, 92))])
        rgb = cv2.imdecode(coded, cv2.IMREAD_COLOR)
    return rgb


def motion(rng: np.random.Generator, longest: int, level: bool) -> np.ndarray:
    """Return the kernel of a blur along a line of up to `longest` pixels, which is nearly level or lies in any direction."""
    length = int(rng.integers(3, max(4, longest + 1))) | 1
    kernel = np.zeros((length, length), np.float32)
    kernel[length // 2] = 1
    angle = rng.normal(0, 5) if level else rng.uniform(0, 180)
    turn = cv2.getRotationMatrix2D((length // 2, length // 2), angle, 1)
    kernel = cv2.warpAffine(kernel, turn, (length, length))
    return kernel / kernel.sum()


def blend(below: np.ndarray, above: np.ndarray, alpha: np.ndarray) -> np.ndarray:
    """Composite `above` over `below` by uint8 alpha, in integer arithmetic."""
    a = alpha[:, :, None].astype(np.uint16)
    return ((above * a + below * (255 - a) + 127) // 255).astype(np.uint8)
