"""The teacher models, with their files and inputs."""

import pathlib

import cv2
import numpy as np
import torch

from common.arithmetic import fast_arithmetic
from common.onnx_in_torch import OnnxInTorch
from matte.heard import SELFIE


IMAGENET_MEAN, IMAGENET_DEVIATION = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)


class Teacher:
    """Model with square inputs of `side` and samples from `low` to 1; `cut` names intermediate values to return."""

    def __init__(self, path: pathlib.Path, side: int, low: float = 0, cut: tuple[str, ...] = ()):
        self.graph = OnnxInTorch(str(path), cut)
        self.side, self.low = side, low

    def squares(self, rgb: np.ndarray) -> np.ndarray:
        """Return N x S x S x 3 samples 0..1 of N x H x W x 3 uint8, stretched to squares."""
        return np.stack([cv2.resize(one, (self.side, self.side), interpolation=cv2.INTER_AREA) for one in rgb]) / 255

    def run(self, rgb: np.ndarray) -> list[torch.Tensor]:
        """Run on N x H x W x 3 uint8, stretched to squares."""
        return self.graph.values(self.squares(rgb) * (1 - self.low) + self.low)


class PlanarTeacher(Teacher):
    """Model that takes N x 3 x S x S and gives the foreground, N x 1 x S x S, 0..1."""

    def __init__(
        self,
        path: pathlib.Path,
        side: int,
        mean: tuple[float, ...] = (0, 0, 0),
        deviation: tuple[float, ...] = (1, 1, 1),
        cut: tuple[str, ...] = (),
    ):
        super().__init__(path, side, cut=cut)
        self.mean, self.deviation = mean, deviation

    def run(self, rgb: np.ndarray) -> list[torch.Tensor]:
        """Run on N x H x W x 3 uint8, stretched to squares."""
        return self.graph.values(((self.squares(rgb) - self.mean) / self.deviation).transpose(0, 3, 1, 2))

    def foreground(self, rgb: np.ndarray) -> np.ndarray:
        """Predict the foreground of one image, H x W x 3 uint8: 0..1, H x W."""
        with fast_arithmetic():
            [seen, *_] = self.run(rgb[None])
        return cv2.resize(seen[0, 0].float().numpy(), rgb.shape[1::-1]).clip(0, 1)


def deeplab(shared: pathlib.Path, cut: tuple[str, ...] = ()) -> Teacher:
    """Load DeepLab v3 with MobileNet v2, which gives N x 257 x 257 x 21 logits; class 0 is background."""
    return Teacher(shared / "models/teachers/deeplab_v3_1_default_1.onnx", 257, -1, cut)


def selfie(shared: pathlib.Path, cut: tuple[str, ...] = ()) -> Teacher:
    """Load MediaPipe's selfie segmentation, which gives N x 256 x 256 x 1: people, 0..1."""
    return Teacher(shared / SELFIE, 256, 0, cut)


def u2netp(shared: pathlib.Path, cut: tuple[str, ...] = ()) -> PlanarTeacher:
    """Load U-2-Net-p, the general teacher: subjects of any kind."""
    path = shared / "models/standins/u2netp.converted.onnx"
    return PlanarTeacher(path, 320, IMAGENET_MEAN, IMAGENET_DEVIATION, cut)


def prisma(shared: pathlib.Path) -> PlanarTeacher:
    """Load Portrait-Segmentation's Prisma network: people, bodies well filled."""
    return PlanarTeacher(shared / "models/teachers/prisma-people.onnx", 256)


def own(weights: pathlib.Path) -> PlanarTeacher:
    """Load an exported matte model, which judges with the teachers where there is no mask."""
    return PlanarTeacher(weights, 320)
