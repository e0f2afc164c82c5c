"""Makes training samples from masked images, cutouts and scenes: crops of real photos, composites and empty scenes.

All images are uint8 RGB with uint8 alpha. `rng` makes every choice, so a sample depends on its seed alone.
"""

import dataclasses

import cv2
import numpy as np

from matte.sources import Picture

KIND_WEIGHTS_REAL = {
    "photos": 0.2, "davis": 0.13, "coco": 0.06, "coco2": 0.11, "people": 0.13, "kuih": 0.06, "pets": 0.18, "clothes": 0.11,
    "leaves": 0.02,
}
REAL_SHARE = 0.5
EMPTY_SHARE = 0.05
GROUP_SHARE = 0.14
LAYERED_SHARE = 0.2
REMOVED_SUBJECT_SHARE = 0.2
KIND_WEIGHTS_CUTOUT = {
    "fluent3d": 0.2, "photos": 0.2, "people": 0.2, "davis": 0.06, "coco": 0.03, "coco2": 0.06, "kuih": 0.04, "pets": 0.1,
    "clothes": 0.09, "leaves": 0.02,
}


def _warp(pixels, matrix, side, border=cv2.BORDER_CONSTANT):
    return cv2.warpAffine(pixels, matrix, (side, side), flags=cv2.INTER_LINEAR, borderMode=border)


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


def crop_real(rng: np.random.Generator, picture: Picture, side: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Crop a random window of a real photo, stretched to `side`, that contains at least part of the subject. Returns its
    colours, alpha, and where alpha is known."""
    height, width = picture.alpha.shape
    left, top, right, bottom = picture.bounds()
    share = 1.0 if rng.random() < 0.35 else rng.uniform(0.45, 1.0)
    w = width * share
    h = min(height, max(0.3 * height, w * height / width * np.exp(rng.normal(0, 0.15)))) if share < 1 else height
    x = np.clip(rng.uniform(left, right) - w * rng.uniform(0.2, 0.8), 0, width - w)
    y = np.clip(rng.uniform(top, bottom) - h * rng.uniform(0.2, 0.8), 0, height - h)
    angle = rng.normal(0, 0.1) if rng.random() < 0.4 else 0.0
    flip = -1 if rng.random() < 0.5 else 1
    turn = np.array([[np.cos(angle) * flip, -np.sin(angle)], [np.sin(angle) * flip, np.cos(angle)]])
    matrix = np.empty((2, 3))
    matrix[:, :2] = turn * (side / w, side / h)
    matrix[:, 2] = side / 2 - matrix[:, :2] @ (x + w / 2, y + h / 2)
    border = cv2.BORDER_REFLECT_101
    known = np.full((side, side), 255, np.uint8) if picture.known is None else _warp(picture.known, matrix, side, border)
    return _warp(picture.rgb, matrix, side, border), _warp(picture.alpha, matrix, side, border), known


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


def change_clothes(rng: np.random.Generator, picture: Picture, scenes: list[np.ndarray]) -> Picture:
    """Recolour a person below the head with a scene or one colour, under the light of the photo."""
    height, width = picture.alpha.shape
    _, top, _, bottom = picture.bounds()
    side = max(height, width)
    fabric = plain_background(rng, side) if rng.random() < 0.5 else background(rng, scenes, side)
    light = cv2.cvtColor(picture.rgb, cv2.COLOR_RGB2GRAY).astype(np.float32) / 255
    clothes = (fabric[:height, :width] * (0.35 + 0.9 * light[:, :, None])).clip(0, 255).astype(np.uint8)
    neck = top + (bottom - top) * rng.uniform(0.18, 0.6)
    rows = ((np.arange(height) - neck) / (0.03 * (bottom - top)) + 0.5).clip(0, 1)
    share = np.broadcast_to((255 * rows * rng.uniform(0.6, 1)).astype(np.uint8)[:, None], (height, width))
    return dataclasses.replace(picture, rgb=blend(picture.rgb, clothes, share))


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
    rng: np.random.Generator, picture: Picture, side: int, several: bool, spot: Spot | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Scale, rotate and move the subject of `picture` onto an empty square, to `spot` if given."""
    left, top, right, bottom = picture.bounds()
    size = max(right - left, bottom - top, 8)
    largest = 2.2 if picture.kind == "people" else 1.15
    scale = side * (rng.uniform(0.22, 0.6) if several else rng.uniform(0.28, largest)) / size
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
    centre = np.array([spot.middle, spot.foot - reach]) if spot else _centre(rng, picture.kind, reach, several)
    touches_bottom = bottom > height - 4 and picture.whole
    if touches_bottom and not spot:
        centre[1] = max(centre[1], 1 - reach + 0.02) if reach > 0.5 else 1 - reach + 0.02
    matrix[:, 2] = centre * side - matrix[:, :2] @ ((left + right) / 2, (top + bottom) / 2)
    alpha = _warp(picture.alpha, matrix, side)
    if picture.whole:
        alpha = cv2.addWeighted(alpha, 1.4, alpha, 0, -0.4 * 255)
    if rng.random() < 0.25:
        alpha = cv2.GaussianBlur(alpha, (0, 0), rng.uniform(0.5, 2.0))
    return _warp(picture.rgb, matrix, side, cv2.BORDER_REPLICATE), alpha


def blend(below: np.ndarray, above: np.ndarray, alpha: np.ndarray) -> np.ndarray:
    """Composite `above` over `below` by uint8 alpha, in integer arithmetic."""
    a = alpha[:, :, None].astype(np.uint16)
    return ((above * a + below * (255 - a) + 127) // 255).astype(np.uint8)


def _shadow(rng, scene, alpha):
    side = scene.shape[0]
    matrix = np.array([[1, rng.normal(0, 0.3), 0], [0, rng.uniform(0.5, 1), 0]], float)
    matrix[:, 2] = rng.normal(0, 0.06, 2) * side + (0, side * (1 - matrix[1, 1]))
    soft = cv2.GaussianBlur(_warp(alpha, matrix, side), (0, 0), rng.uniform(2, 10))
    soft = (soft * rng.uniform(0.2, 0.7)).astype(np.uint8)
    return blend(scene, np.zeros_like(scene), soft)


def _patch(rng, scenes, scene):
    """Paste a soft-edged piece of another scene as background, so that a pasted edge alone marks no subject."""
    side = scene.shape[0]
    noise = rng.uniform(0, 255, (int(rng.integers(3, 7)),) * 2).astype(np.float32)
    field = cv2.resize(noise, (side, side), interpolation=cv2.INTER_CUBIC)
    alpha = ((field - rng.uniform(150, 210)) * rng.uniform(4, 40)).clip(0, 255).astype(np.uint8)
    return blend(scene, background(rng, scenes, side), alpha)


def _match_light(rng, rgb, alpha, scene):
    """Shift the mean colour of the subject part of the way to that of the scene, as common light does."""
    inside = cv2.mean(rgb, (alpha > 128).astype(np.uint8))[:3]
    change = (np.array(cv2.mean(scene)[:3]) - inside) * rng.uniform(0, 0.5)
    return cv2.add(rgb, np.broadcast_to(change, rgb.shape).astype(np.float32), dtype=cv2.CV_8U)


class Composer:
    """Makes samples from loaded images and scenes."""

    def __init__(self, pictures: list[Picture], scenes: list[np.ndarray]):
        self.scenes = scenes
        self.by_kind: dict[str, list[Picture]] = {}
        for picture in pictures:
            self.by_kind.setdefault(picture.kind, []).append(picture)

    def _draw(self, rng: np.random.Generator, weights: dict[str, float]) -> Picture:
        kinds = [k for k in weights if k in self.by_kind]
        shares = np.array([weights[k] for k in kinds])
        kind = self.by_kind[kinds[rng.choice(len(kinds), p=shares / shares.sum())]]
        return kind[rng.integers(len(kind))]

    def composite(self, rng: np.random.Generator, side: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Composite one to three subjects or a group of people over a scene, or one subject over a real photo."""
        known = np.full((side, side), 255, np.uint8)
        spots = group_spots(rng) if rng.random() < GROUP_SHARE and "people" in self.by_kind else []
        on_photo = not spots and rng.random() < 0.15
        if on_photo:
            scene, total, known = crop_real(rng, self._draw(rng, KIND_WEIGHTS_REAL), side)
        elif rng.random() < REMOVED_SUBJECT_SHARE:
            scene = remove_subject(*crop_real(rng, self._draw(rng, KIND_WEIGHTS_REAL), side)[:2])
            total = np.zeros((side, side), np.uint8)
        else:
            scene, total = background(rng, self.scenes, side), np.zeros((side, side), np.uint8)
            for _ in range(rng.choice(3, p=[0.72, 0.22, 0.06])):
                scene = _patch(rng, self.scenes, scene)
        count = len(spots) or (1 if on_photo else 1 + rng.choice(3, p=[0.72, 0.2, 0.08]))
        for index in range(count):
            spot = spots[index] if spots else None
            subject = self._draw(rng, {"people": 1} if spot else KIND_WEIGHTS_CUTOUT)
            if subject.kind == "people" and rng.random() < 0.4:
                subject = change_clothes(rng, subject, self.scenes)
            rgb, alpha = place(rng, subject, side, on_photo or count > 1, spot)
            if rng.random() < 0.35:
                rgb, alpha = warp_elastic(rng, rgb, alpha)
            if rng.random() < 0.03:
                rgb = background(rng, self.scenes, side)
            rgb = recolour(rng, rgb, 0.6)
            if rng.random() < 0.4:
                rgb = _match_light(rng, rgb, alpha, scene)
            if rng.random() < 0.35:
                scene = _shadow(rng, scene, alpha)
            scene = blend(scene, rgb, alpha)
            total = 255 - ((255 - total).astype(np.uint16) * (255 - alpha) // 255).astype(np.uint8)
        return scene, total, known

    def sample(self, seed: tuple[int, ...], side: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return RGB, alpha, and where alpha is known, of one training sample of `side` x `side`."""
        rng = np.random.default_rng(seed)
        draw = rng.random()
        known = np.full((side, side), 255, np.uint8)
        if draw < REAL_SHARE:
            rgb, alpha, known = crop_real(rng, self._draw(rng, KIND_WEIGHTS_REAL), side)
        elif draw < 1 - EMPTY_SHARE:
            rgb, alpha, known = self.composite(rng, side)
        else:
            rgb, alpha = background(rng, self.scenes, side), np.zeros((side, side), np.uint8)
        return degrade(rng, recolour(rng, rgb, 0.8)), alpha, known
