"""The networks that the matte model hears. They learned from far more pictures than its own training has.

The product takes both from npm packages, and joins them with the matte model when it is built. Training reads the selfie
segmentation as published, and the other one from what `npm run build` writes.
"""

import pathlib

import torch
import torch.nn.functional as functional

from common.arithmetic import fast_arithmetic
from common.onnx_in_torch import OnnxInTorch

SELFIE = "models/files/selfie_segmentation.onnx"
BUILT = pathlib.Path(__file__).resolve().parents[3] / "models/weights/nsfw-mobilenet.onnx"
SIDE = 256
SHAPES = {
    "people": (1, 256, 256),
    "people_features": (128, 16, 16),
    "things": (96, 16, 16),
    "kinds": (160, 8, 8),
}
"""Inputs of the exported model next to the image: channels, rows, columns."""
Heard = tuple[torch.Tensor, ...]
"""For N images the values of SHAPES, in its order: people's opacity, 0..1, and features of three layers."""


class HeardNets:
    """MediaPipe's selfie segmentation, and the deeper layers of the MobileNetV2 of nsfwjs, which knows ImageNet's things."""

    def __init__(self, shared: pathlib.Path, mobilenet: pathlib.Path = BUILT):
        self.selfie = OnnxInTorch(str(shared / SELFIE), ("activation_10_raw_output___4:0", "multiply_6:0"))
        self.mobilenet = OnnxInTorch(str(mobilenet), ("block_12_add", "block_15_add"))

    @torch.no_grad()
    def __call__(self, image: torch.Tensor) -> Heard:
        """Return what the networks say of N x 3 x H x W, 0..1, which are stretched to their size as the product does."""
        small = functional.interpolate(image, (SIDE, SIDE), mode="bilinear", align_corners=False)
        pixels = small.permute(0, 2, 3, 1).numpy()
        with fast_arithmetic():
            said = self.selfie.values(pixels) + self.mobilenet.values(pixels)
        return tuple(value.float().reshape(-1, *shape) for value, shape in zip(said, SHAPES.values()))
