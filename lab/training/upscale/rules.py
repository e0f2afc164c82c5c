"""Crops that teach the rules of the product inside the training: grey stays grey, and what is flat stays flat."""

from typing import Protocol

import cv2
import numpy as np

from upscale.imresize import imresize, to_bytes

GREY_SHARE = 1 / 12
DRAWN_SHARE = 1 / 16
LUMA = np.array([0.299, 0.587, 0.114], np.float32)
SHAPES_MAX = 6
LETTERS = "ABCDEFGHKMNRSTabdefghkmnprst0123456789&?%"
FONTS = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_TRIPLEX)


class Batches(Protocol):
    """Pairs of small crops and their truth, `scale` times as large, as uint8 count x side x side x 3."""

    scale: int

    def batch(self, seed: int, number: int, count: int, side: int) -> tuple[np.ndarray, np.ndarray]: ...


def grey(pixels: np.ndarray) -> np.ndarray:
    """Return uint8 H x W x 3 with luma in all three channels."""
    return np.repeat(to_bytes(pixels.astype(np.float32) @ LUMA)[:, :, None], 3, 2)


def drawing(random: np.random.Generator, side: int) -> np.ndarray:
    """Return a uint8 side x side x 3 drawing: a plain ground with up to six plain shapes, lines and words on it."""
    plain = lambda: tuple(int(value) for value in random.integers(0, 256, 3))
    image = np.full((side, side, 3), plain(), np.uint8)
    for _ in range(random.integers(0, SHAPES_MAX + 1)):
        corners = random.integers(-side // 4, side + side // 4, (int(random.integers(3, 6)), 2)).astype(np.int32)
        edge = cv2.LINE_AA if random.random() < 0.8 else cv2.LINE_8
        kind = random.integers(4)
        if kind == 0:
            cv2.fillPoly(image, [corners], plain(), edge)
        elif kind == 1:
            cv2.polylines(image, [corners], True, plain(), int(random.integers(1, 5)), edge)
        elif kind == 2:
            cv2.circle(image, tuple(map(int, corners[0])), int(random.integers(2, side // 2)), plain(), -1, edge)
        else:
            text = "".join(random.choice(list(LETTERS), random.integers(3, 10)))
            font, size = FONTS[random.integers(len(FONTS))], random.uniform(0.4, 1.6)
            start = (int(random.integers(-10, side // 2)), int(random.integers(10, side)))
            cv2.putText(image, text, start, font, size, plain(), int(random.integers(1, 3)), edge)
    return image


class WithDrawings:
    """Crops of which one in sixteen is replaced by a drawing."""

    def __init__(self, crops: Batches):
        self.crops, self.scale = crops, crops.scale

    def batch(self, seed: int, number: int, count: int, side: int) -> tuple[np.ndarray, np.ndarray]:
        """Return a batch as `Batches` does."""
        small, large = self.crops.batch(seed, number, count, side)
        random = np.random.default_rng((seed, number, 2))
        for index in np.flatnonzero(random.random(count) < DRAWN_SHARE):
            large[index] = drawing(random, side * self.scale)
            small[index] = to_bytes(imresize(large[index], 1 / self.scale))
        return small, large


class WithGrey:
    """Crops of which one in twelve is grey, input and truth."""

    def __init__(self, crops: Batches):
        self.crops, self.scale = crops, crops.scale

    def batch(self, seed: int, number: int, count: int, side: int) -> tuple[np.ndarray, np.ndarray]:
        """Return a batch as `Batches` does."""
        small, large = self.crops.batch(seed, number, count, side)
        random = np.random.default_rng((seed, number, 3))
        for index in np.flatnonzero(random.random(count) < GREY_SHARE):
            small[index], large[index] = grey(small[index]), grey(large[index])
        return small, large
