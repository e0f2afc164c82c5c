"""The two teacher models, with their files and inputs."""

import pathlib

import cv2
import numpy as np
import torch

from onnx_in_torch import OnnxInTorch


class Teacher:
    """Model with square inputs of `side` and samples from `low` to 1; `cut` names intermediate values to return."""

    def __init__(self, path: pathlib.Path, side: int, low: float, cut: tuple[str, ...]):
        self.graph = OnnxInTorch(str(path), cut)
        self.side, self.low = side, low

    def run(self, rgb: np.ndarray) -> list[torch.Tensor]:
        """Run on N x H x W x 3 uint8, stretched to squares."""
        squares = [cv2.resize(one, (self.side, self.side), interpolation=cv2.INTER_AREA) for one in rgb]
        return self.graph.values(np.stack(squares) / 255 * (1 - self.low) + self.low)


def deeplab(shared: pathlib.Path, cut: tuple[str, ...] = ()) -> Teacher:
    """Load DeepLab v3 with MobileNet v2, which gives N x 257 x 257 x 21 logits; class 0 is background."""
    return Teacher(shared / "models/teachers/deeplab_v3_1_default_1.onnx", 257, -1, cut)


def selfie(shared: pathlib.Path, cut: tuple[str, ...] = ()) -> Teacher:
    """Load MediaPipe's selfie segmentation, which gives N x 256 x 256 x 1: people, 0..1."""
    return Teacher(shared / "models/files/selfie_segmentation.onnx", 256, 0, cut)
