"""Draws backgrounds without a subject, as uint8 RGB squares. `rng` makes every choice."""

import cv2
import numpy as np

from matte.photography import blend, motion, recolour

LAYERED_SHARE = 0.2


def plain_background(rng: np.random.Generator, side: int) -> np.ndarray:
    """Draw one colour, a gradient, or soft clouds of colour, as of studio walls, skies and tables."""
    cells = int(rng.choice([1, 2, 2, 3, 5, 9]))
    base = rng.uniform(0, 255, 3) if rng.random() < 0.6 else np.full(3, rng.uniform(0, 255))
    colours = base + rng.normal(0, rng.uniform(2, 50), (cells, cells, 3))
    colours = colours.clip(0, 255).astype(np.uint8)
    return cv2.resize(colours, (side, side), interpolation=cv2.INTER_CUBIC if cells > 1 else cv2.INTER_NEAREST)


def skyline(rng: np.random.Generator, side: int) -> np.ndarray:
    """Return the heights of a mountain ridge (midpoint displacement) or of roofs, in pixels, one per column."""
    if rng.random() < 0.3:
        steps = rng.normal(0, rng.uniform(0.02, 0.15), int(rng.integers(4, 24)))
        edges = np.sort(rng.uniform(0, side, len(steps)))
        heights = steps[np.searchsorted(edges, np.arange(side)).clip(0, len(steps) - 1)]
    else:
        heights, points, reach = rng.normal(0, 0.1, 3), 3, rng.uniform(0.03, 0.2)
        while points < side:
            points = 2 * points - 1
            heights = np.interp(np.linspace(0, 1, points), np.linspace(0, 1, len(heights)), heights)
            heights[1::2] += rng.normal(0, reach, points // 2)
            reach *= rng.uniform(0.4, 0.65)
        heights = np.interp(np.linspace(0, 1, side), np.linspace(0, 1, points), heights)
    return heights * side


def layered_background(rng: np.random.Generator, scenes: list[np.ndarray], side: int) -> np.ndarray:
    """Draw overlapping ridges or roofs under a sky: a background full of outlines that belong to no subject."""
    below = plain_background(rng, side) if rng.random() < 0.5 else background(rng, scenes, side, layered=False)
    count = int(rng.integers(1, 5))
    line = rng.uniform(0.1, 0.5)
    rows = np.arange(side)[:, None]
    haze = below[: side // 8 + 1].mean((0, 1))
    for index in range(count):
        edge = line * side - skyline(rng, side)
        alpha = ((rows - edge[None]) * rng.uniform(0.3, 2) + 0.5).clip(0, 1) * 255
        layer = plain_background(rng, side) if rng.random() < 0.25 else background(rng, scenes, side, layered=False)
        far = rng.uniform(0, 0.8) * (1 - (index + 1) / count)
        layer = cv2.add(layer * (1 - far), np.broadcast_to(haze * far, layer.shape), dtype=cv2.CV_8U)
        below = blend(below, layer, alpha.astype(np.uint8))
        line += rng.uniform(0.05, 0.3)
    return below


def remove_subject(rgb: np.ndarray, alpha: np.ndarray) -> np.ndarray:
    """Fill in the subject from its surroundings, by normalised convolution from coarse to fine."""
    side = rgb.shape[0]
    mask = cv2.dilate(alpha, np.ones((7, 7), np.uint8))
    free = (255 - mask).astype(np.float32)[:, :, None] / 255
    filled = np.broadcast_to(rgb.mean((0, 1)), rgb.shape).astype(np.float32)
    for size in (4, 8, 16, 32):
        weight = cv2.resize(free, (size, size), interpolation=cv2.INTER_AREA)[:, :, None]
        sums = cv2.resize(rgb * free, (size, size), interpolation=cv2.INTER_AREA)
        coarse = cv2.resize(filled, (size, size), interpolation=cv2.INTER_AREA)
        small = (sums + 0.02 * coarse) / (weight + 0.02)
        filled = cv2.resize(small, (side, side), interpolation=cv2.INTER_CUBIC)
    return blend(rgb, filled.clip(0, 255).astype(np.uint8), mask)


def background(rng: np.random.Generator, scenes: list[np.ndarray], side: int, layered: bool = True) -> np.ndarray:
    """Return a crop of a scene (sometimes out of focus), a plain background, or a layered one."""
    if layered and rng.random() < LAYERED_SHARE:
        return layered_background(rng, scenes, side)
    if rng.random() < 0.13:
        return plain_background(rng, side)
    scene = scenes[rng.integers(len(scenes))]
    height, width = scene.shape[:2]
    size = min(height, width) * rng.uniform(0.4, 1.0)
    w, h = int(size), int(min(height, size * np.exp(rng.normal(0, 0.15))))
    x, y = rng.integers(width - w + 1), rng.integers(height - h + 1)
    crop = cv2.resize(scene[y : y + h, x : x + w], (side, side), interpolation=cv2.INTER_AREA)
    if rng.random() < 0.5:
        crop = np.ascontiguousarray(crop[:, ::-1])
    if rng.random() < 0.25:
        crop = cv2.GaussianBlur(crop, (0, 0), rng.uniform(1, 7))
    return recolour(rng, crop, 0.7)


def _earth(rng: np.random.Generator, scenes: list[np.ndarray], side: int) -> np.ndarray:
    """Draw asphalt, sand, snow or grass seen from above, with or without lines, or take a part of a scene for it."""
    if rng.random() < 0.4:
        return background(rng, scenes, side, layered=False)
    colours = ((105, 105, 108), (70, 70, 74), (190, 170, 130), (90, 120, 60), (130, 110, 85), (225, 228, 235))
    earth = np.array(colours[rng.integers(len(colours))]) * np.exp(rng.normal(0, 0.2)) * np.ones((side, side, 3))
    for cells in (side, side // 3, side // 12, 5):
        grain = rng.normal(0, rng.uniform(1, 14), (cells, cells, 1)).astype(np.float32)
        earth = earth + cv2.resize(grain, (side, side), interpolation=cv2.INTER_LINEAR)[:, :, None]
    earth = earth.clip(0, 255).astype(np.uint8)
    for _ in range(rng.integers(0, 5) if rng.random() < 0.5 else 0):
        ends = rng.uniform(-0.2, 1.2, (2, 2)) * side
        ends[1, rng.integers(2)] = ends[0, rng.integers(2)]
        shade = int(rng.choice([20, 60, 200, 245]))
        cv2.line(earth, *(tuple(map(int, end)) for end in ends), (shade,) * 3, int(rng.integers(1, 9)), cv2.LINE_AA)
    return earth


def ground(rng: np.random.Generator, scenes: list[np.ndarray], side: int) -> tuple[np.ndarray, float]:
    """Draw level ground below a scene, and sometimes as a camera that follows something sees it. Returns it with the height of
    the horizon, as a share from above."""
    horizon = rng.uniform(0.02, 0.6)
    flat = _earth(rng, scenes, side)
    corners = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32)
    far, shift = rng.uniform(0.1, 0.9), rng.normal(0, 0.3) * side
    onto = np.array([[0, horizon * side], [side, horizon * side], [side / far + shift, side], [side - side / far + shift, side]])
    seen = cv2.warpPerspective(
        flat, cv2.getPerspectiveTransform(corners, onto.astype(np.float32)), (side, side), borderMode=cv2.BORDER_REFLECT_101
    )
    rows = np.arange(side)[:, None] - horizon * side - (skyline(rng, side) * 0.15)[None]
    alpha = (255 * (rows * rng.uniform(0.2, 2) + 0.5).clip(0, 1)).astype(np.uint8)
    scene = blend(background(rng, scenes, side), seen, alpha)
    if rng.random() < 0.25:
        scene = cv2.filter2D(scene, -1, motion(rng, side // 8, level=True))
    return recolour(rng, scene, 0.4), horizon


def paste_patch(rng: np.random.Generator, scenes: list[np.ndarray], scene: np.ndarray) -> np.ndarray:
    """Paste a soft-edged piece of another scene as background, so that a pasted edge alone marks no subject."""
    side = scene.shape[0]
    noise = rng.uniform(0, 255, (int(rng.integers(3, 7)),) * 2).astype(np.float32)
    field = cv2.resize(noise, (side, side), interpolation=cv2.INTER_CUBIC)
    alpha = ((field - rng.uniform(150, 210)) * rng.uniform(4, 40)).clip(0, 255).astype(np.uint8)
    return blend(scene, background(rng, scenes, side), alpha)
