"""Places cutouts on squares, alone or in groups, in other shapes, clothes and light. `rng` makes every choice."""

import dataclasses

import cv2
import numpy as np

from matte.photography import blend, motion
from matte.scenery import background, plain_background
from matte.sources import Picture


def warp(pixels: np.ndarray, matrix: np.ndarray, side: int, border: int = cv2.BORDER_CONSTANT) -> np.ndarray:
    """Return an image moved by a 2 x 3 matrix onto a square; what lies beyond the image follows OpenCV's `border`."""
    return cv2.warpAffine(pixels, matrix, (side, side), flags=cv2.INTER_LINEAR, borderMode=border)


def _cover(picture: Picture, fabric: np.ndarray, share: np.ndarray) -> Picture:
    """Cover a share (H x W, uint8) of a picture with other colours, under its own light."""
    light = cv2.cvtColor(picture.rgb, cv2.COLOR_RGB2GRAY).astype(np.float32) / 255
    lit = (fabric * (0.35 + 0.9 * light[:, :, None])).clip(0, 255).astype(np.uint8)
    return dataclasses.replace(picture, rgb=blend(picture.rgb, lit, share))


def change_clothes(rng: np.random.Generator, picture: Picture, scenes: list[np.ndarray]) -> Picture:
    """Recolour a person below the head with a scene or one colour, under the light of the photo."""
    height, width = picture.alpha.shape
    _, top, _, bottom = picture.bounds()
    side = max(height, width)
    fabric = plain_background(rng, side) if rng.random() < 0.5 else background(rng, scenes, side)
    neck = top + (bottom - top) * rng.uniform(0.18, 0.6)
    rows = ((np.arange(height) - neck) / (0.03 * (bottom - top)) + 0.5).clip(0, 1)
    share = np.broadcast_to((255 * rows * rng.uniform(0.6, 1)).astype(np.uint8)[:, None], (height, width))
    return _cover(picture, fabric[:height, :width], share)


def change_coat(rng: np.random.Generator, picture: Picture, coats: list[np.ndarray]) -> Picture:
    """Give an animal the fur of a pet, mirrored where it is too small, under its own light."""
    height, width = picture.alpha.shape
    coat = coats[rng.integers(len(coats))]
    scale = rng.uniform(0.5, 1.5) * max(height, width) / max(coat.shape)
    coat = cv2.resize(coat, None, fx=scale, fy=scale, interpolation=cv2.INTER_LINEAR)
    below, right = (max(0, size - have) for size, have in zip((height, width), coat.shape))
    fur = cv2.copyMakeBorder(coat, 0, below, 0, right, cv2.BORDER_REFLECT)[:height, :width]
    return _cover(picture, fur, np.full((height, width), int(rng.uniform(150, 255)), np.uint8))


def warp_elastic(rng: np.random.Generator, rgb: np.ndarray, alpha: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Deform subject and alpha by a smooth displacement field, which gives other body and object shapes."""
    side = alpha.shape[0]
    reach = side * rng.uniform(0.01, 0.05)
    cells = int(rng.integers(3, 6))
    steps = rng.normal(0, reach, (cells, cells, 2)).astype(np.float32)
    field = cv2.resize(steps, (side, side), interpolation=cv2.INTER_CUBIC)
    rows, columns = np.mgrid[:side, :side].astype(np.float32)
    x, y = columns + field[:, :, 0], rows + field[:, :, 1]
    moved = cv2.remap(rgb, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return moved, cv2.remap(alpha, x, y, cv2.INTER_LINEAR)


@dataclasses.dataclass
class Spot:
    """Position of a person in a group: middle, foot and height as shares of the square."""

    middle: float
    foot: float
    height: float


def group_spots(rng: np.random.Generator) -> list[Spot]:
    """Place three to six people side by side, about equally tall, as in a group photo; the nearest are drawn last."""
    count = int(rng.integers(3, 7))
    height = rng.uniform(0.3, 0.95)
    foot = rng.uniform(max(0.6, height), 1.0) if rng.random() < 0.6 else height + rng.uniform(0.1, 0.4)
    gap = min(0.9 / count, height * rng.uniform(0.2, 0.45))
    first = 0.5 - gap * (count - 1) / 2 + rng.normal(0, 0.06)
    spots = [
        Spot(first + gap * (i + rng.normal(0, 0.12)), foot + rng.normal(0, 0.02), height * np.exp(rng.normal(0, 0.07)))
        for i in range(count)
    ]
    return sorted(spots, key=lambda spot: spot.foot)


def _centre(rng: np.random.Generator, kind: str, reach: float, several: bool) -> np.ndarray:
    """Return the position of the centre of a subject, as shares of the square; `reach` is half its height."""
    if kind == "people" and not several and reach > 0.35:
        return np.array([rng.normal(0.5, 0.15), rng.uniform(0.0, 0.3) + reach])
    return rng.uniform(0.15, 0.85, 2) if several else rng.normal(0.5, 0.14, 2).clip(0.1, 0.9)


def place(
    rng: np.random.Generator, picture: Picture, side: int, several: bool, spot: Spot | None = None, far: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """Scale, rotate and move the subject of `picture` onto an empty square, to `spot` if given, small if `far`."""
    left, top, right, bottom = picture.bounds()
    size = max(right - left, bottom - top, 8)
    largest = 2.2 if picture.kind == "people" else 1.15
    reach_of = (0.08, 0.28) if far else (0.22, 0.6) if several else (0.28, largest)
    scale = side * rng.uniform(*reach_of) / size
    if spot:
        scale = side * spot.height / max(bottom - top, 8)
    height, width = picture.alpha.shape
    angle = rng.normal(0, 0.05 if spot else 0.22)
    stretch = np.exp(rng.normal(0, 0.12))
    flip = -1 if rng.random() < 0.5 else 1
    matrix = np.empty((2, 3))
    matrix[:, :2] = scale * np.array(
        [[np.cos(angle) * flip * stretch, -np.sin(angle)], [np.sin(angle) * flip * stretch, np.cos(angle)]]
    )
    reach = 0.5 * scale * (bottom - top) / side
    several = several or far
    centre = np.array([spot.middle, spot.foot - reach]) if spot else _centre(rng, picture.kind, reach, several)
    touches_bottom = bottom > height - 4 and picture.whole
    if touches_bottom and not spot:
        centre[1] = max(centre[1], 1 - reach + 0.02) if reach > 0.5 else 1 - reach + 0.02
    matrix[:, 2] = centre * side - matrix[:, :2] @ ((left + right) / 2, (top + bottom) / 2)
    alpha = warp(picture.alpha, matrix, side)
    if picture.whole:
        alpha = cv2.addWeighted(alpha, 1.4, alpha, 0, -0.4 * 255)
    if rng.random() < 0.25:
        alpha = cv2.GaussianBlur(alpha, (0, 0), rng.uniform(0.5, 2.0))
    return warp(picture.rgb, matrix, side, cv2.BORDER_REPLICATE), alpha


def ground_spot(rng: np.random.Generator, horizon: float) -> Spot:
    """Place a subject on the ground, the smaller the nearer its feet are to the horizon, a share of the square from above."""
    foot = horizon + (1 - horizon) * rng.uniform(0.1, 1.0)
    near = (foot - horizon) / (1 - horizon)
    return Spot(rng.uniform(0.15, 0.85), foot - 0.02, (0.1 + 0.55 * near) * np.exp(rng.normal(0, 0.25)))


def darken_ground(rng: np.random.Generator, scene: np.ndarray, alpha: np.ndarray) -> np.ndarray:
    """Darken the ground where a subject touches it and what lies under it."""
    _, top, _, height = cv2.boundingRect((alpha > 25).astype(np.uint8))
    feet = alpha.copy()
    feet[: top + round(height * rng.uniform(0.8, 0.95))] = 0
    width = 2 * int(rng.integers(1, max(2, scene.shape[0] // 12))) + 1
    spread = cv2.dilate(feet, np.ones((3, width), np.uint8))
    matrix = np.array([[1, 0, rng.normal(0, 0.01) * scene.shape[0]], [0, 1, rng.uniform(-0.02, 0.03) * scene.shape[0]]])
    soft = cv2.GaussianBlur(warp(spread, matrix, scene.shape[0]), (0, 0), rng.uniform(1, 5))
    return blend(scene, np.zeros_like(scene), (soft * rng.uniform(0.3, 0.85)).astype(np.uint8))


def move(rng: np.random.Generator, rgb: np.ndarray, alpha: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Blur a subject and its alpha as its motion does."""
    kernel = motion(rng, alpha.shape[0] // 25, level=False)
    share = alpha[:, :, None].astype(np.float32) / 255
    blurred = cv2.filter2D(share, -1, kernel)
    colours = cv2.filter2D(rgb * share, -1, kernel) / np.maximum(blurred, 1e-3)[:, :, None]
    seen = np.where(blurred[:, :, None] > 0.02, colours, rgb).clip(0, 255).astype(np.uint8)
    return seen, np.round(255 * blurred).clip(0, 255).astype(np.uint8)


def cast_shadow(rng: np.random.Generator, scene: np.ndarray, alpha: np.ndarray) -> np.ndarray:
    """Darken a scene softly in the shape of a subject that stands in it."""
    side = scene.shape[0]
    matrix = np.array([[1, rng.normal(0, 0.3), 0], [0, rng.uniform(0.5, 1), 0]], float)
    matrix[:, 2] = rng.normal(0, 0.06, 2) * side + (0, side * (1 - matrix[1, 1]))
    soft = cv2.GaussianBlur(warp(alpha, matrix, side), (0, 0), rng.uniform(2, 10))
    soft = (soft * rng.uniform(0.2, 0.7)).astype(np.uint8)
    return blend(scene, np.zeros_like(scene), soft)


def match_light(rng: np.random.Generator, rgb: np.ndarray, alpha: np.ndarray, scene: np.ndarray) -> np.ndarray:
    """Shift the mean colour of the subject part of the way to that of the scene, as common light does."""
    inside = cv2.mean(rgb, (alpha > 128).astype(np.uint8))[:3]
    change = (np.array(cv2.mean(scene)[:3]) - inside) * rng.uniform(0, 0.5)
    return cv2.add(rgb, np.broadcast_to(change, rgb.shape).astype(np.float32), dtype=cv2.CV_8U)
