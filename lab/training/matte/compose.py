"""Makes training samples from masked images, cutouts and scenes: crops of real photos, composites and empty scenes.

All images are uint8 RGB with uint8 alpha. `rng` makes every choice, so a sample depends on its seed alone.
"""

import cv2
import numpy as np

from matte.photography import blend, degrade, recolour
from matte.scenery import background, ground, paste_patch, remove_subject
from matte.sources import Picture, coat_of
from matte.cutouts import (
    cast_shadow, change_clothes, change_coat, darken_ground, ground_spot, group_spots, match_light, move, place, warp, warp_elastic,
)

KIND_WEIGHTS_REAL = {
    "photos": 0.19, "davis": 0.13, "coco": 0.07, "coco2": 0.09, "coco3": 0.09, "people": 0.15, "vehicles": 0.07, "kuih": 0.04, "pets": 0.14,
    "clothes": 0.04, "leaves": 0.01,
}
REAL_SHARE = 0.5
EMPTY_SHARE = 0.05
GROUP_SHARE = 0.15
GROUND_SHARE = 0.22
FAR_SHARE = 0.12
REMOVED_SUBJECT_SHARE = 0.2
KIND_WEIGHTS_CUTOUT = {
    "fluent3d": 0.14, "photos": 0.17, "people": 0.2, "vehicles": 0.08, "davis": 0.06, "coco": 0.03, "coco2": 0.05, "coco3": 0.03, "kuih": 0.03,
    "pets": 0.12, "clothes": 0.04, "leaves": 0.01, "animals": 0.06,
}
KIND_WEIGHTS_GROUND = {"animals": 0.35, "vehicles": 0.2, "people": 0.15, "pets": 0.1, "davis": 0.1, "models": 0.05, "coco2": 0.04, "coco3": 0.02}


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
    known = np.full((side, side), 255, np.uint8) if picture.known is None else warp(picture.known, matrix, side, border)
    return warp(picture.rgb, matrix, side, border), warp(picture.alpha, matrix, side, border), known


class Composer:
    """Makes samples from loaded images and scenes."""

    def __init__(self, pictures: list[Picture], scenes: list[np.ndarray]):
        self.scenes = scenes
        self.by_kind: dict[str, list[Picture]] = {}
        for picture in pictures:
            self.by_kind.setdefault(picture.kind, []).append(picture)
        found = [coat_of(picture) for picture in self.by_kind.get("pets", [])]
        self.coats = [coat for coat in found if coat is not None]

    def _draw(self, rng: np.random.Generator, weights: dict[str, float]) -> Picture:
        kinds = [k for k in weights if k in self.by_kind]
        shares = np.array([weights[k] for k in kinds])
        kind = self.by_kind[kinds[rng.choice(len(kinds), p=shares / shares.sum())]]
        return kind[rng.integers(len(kind))]

    def composite(self, rng: np.random.Generator, side: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Composite one to three subjects or a group of people over a scene or on the ground, or one subject over a real photo."""
        known = np.full((side, side), 255, np.uint8)
        spots = group_spots(rng) if rng.random() < GROUP_SHARE and "people" in self.by_kind else []
        on_photo = not spots and rng.random() < 0.12
        on_ground = not spots and not on_photo and rng.random() < GROUND_SHARE
        total = np.zeros((side, side), np.uint8)
        if on_photo:
            scene, total, known = crop_real(rng, self._draw(rng, KIND_WEIGHTS_REAL), side)
        elif on_ground:
            scene, horizon = ground(rng, self.scenes, side)
            spots = [ground_spot(rng, horizon) for _ in range(1 + rng.choice(2, p=[0.8, 0.2]))]
        elif rng.random() < REMOVED_SUBJECT_SHARE:
            scene = remove_subject(*crop_real(rng, self._draw(rng, KIND_WEIGHTS_REAL), side)[:2])
        else:
            scene = background(rng, self.scenes, side)
            for _ in range(rng.choice(3, p=[0.72, 0.22, 0.06])):
                scene = paste_patch(rng, self.scenes, scene)
        count = len(spots) or (1 if on_photo else 1 + rng.choice(3, p=[0.72, 0.2, 0.08]))
        group = {"people": 1} if spots else KIND_WEIGHTS_CUTOUT
        kinds = KIND_WEIGHTS_GROUND if on_ground else group
        for index in range(count):
            spot = spots[index] if spots else None
            subject = self._dress(rng, self._draw(rng, kinds))
            rgb, alpha = place(rng, subject, side, on_photo or count > 1, spot, far=count == 1 and rng.random() < FAR_SHARE)
            if rng.random() < 0.35:
                rgb, alpha = warp_elastic(rng, rgb, alpha)
            if rng.random() < 0.08:
                rgb, alpha = move(rng, rgb, alpha)
            if rng.random() < 0.03:
                rgb = background(rng, self.scenes, side)
            rgb = recolour(rng, rgb, 0.6)
            if rng.random() < 0.4:
                rgb = match_light(rng, rgb, alpha, scene)
            if rng.random() < 0.35:
                scene = cast_shadow(rng, scene, alpha)
            if on_ground and rng.random() < 0.8:
                scene = darken_ground(rng, scene, alpha)
            scene = blend(scene, rgb, alpha)
            total = 255 - ((255 - total).astype(np.uint16) * (255 - alpha) // 255).astype(np.uint8)
        return scene, total, known

    def _dress(self, rng: np.random.Generator, subject: Picture) -> Picture:
        """Give some people other clothes and most animals a coat of fur."""
        if subject.kind == "people" and rng.random() < 0.4:
            return change_clothes(rng, subject, self.scenes)
        if subject.kind == "animals" and self.coats and rng.random() < 0.85:
            return change_coat(rng, subject, self.coats)
        return subject

    def picture(self, rng: np.random.Generator, side: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return RGB, alpha, and where alpha is known, of one clean picture of `side` x `side`."""
        draw = rng.random()
        known = np.full((side, side), 255, np.uint8)
        if draw < REAL_SHARE:
            rgb, alpha, known = crop_real(rng, self._draw(rng, KIND_WEIGHTS_REAL), side)
        elif draw < 1 - EMPTY_SHARE:
            rgb, alpha, known = self.composite(rng, side)
        else:
            rgb, alpha = background(rng, self.scenes, side), np.zeros((side, side), np.uint8)
        return rgb, alpha, known

    def photograph(self, rng: np.random.Generator, rgb: np.ndarray) -> np.ndarray:
        """Return a clean picture as some camera and some file would give it."""
        return degrade(rng, recolour(rng, rgb, 0.8))

    def sample(self, seed: tuple[int, ...], side: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return RGB, alpha, and where alpha is known, of one training sample of `side` x `side`."""
        rng = np.random.default_rng(seed)
        rgb, alpha, known = self.picture(rng, side)
        return self.photograph(rng, rgb), alpha, known
