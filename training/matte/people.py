"""The network that knows people, and that the matte model hears: MediaPipe's selfie segmentation.

The product takes it from its npm package, and joins it with the matte model when it is built. Training reads the same
network as ONNX from the shared files.
"""

import pathlib

import torch
import torch.nn.functional as functional

from common.onnx_in_torch import OnnxInTorch

PEOPLE_SIDE, PEOPLE_WIDTH, FEATURES_SIDE = 256, 128, 16
Heard = tuple[torch.Tensor, torch.Tensor]
"""People's opacity, N x 1 x 256 x 256, 0..1, and deep features, N x 128 x 16 x 16."""


class PeopleNet:
    """Tells where people are in images."""

    def __init__(self, shared: pathlib.Path):
        path = shared / "models/files/selfie_segmentation.onnx"
        self.graph = OnnxInTorch(str(path), ("activation_10_raw_output___4:0", "multiply_6:0"))

    @torch.no_grad()
    def __call__(self, image: torch.Tensor) -> Heard:
        """Return what the network says of N x 3 x H x W, 0..1, which are stretched to its size as the product does."""
        small = functional.interpolate(image, (PEOPLE_SIDE, PEOPLE_SIDE), mode="bilinear", align_corners=False)
        opacity, features = self.graph.values(small.permute(0, 2, 3, 1).numpy())
        return opacity.float().reshape(-1, 1, PEOPLE_SIDE, PEOPLE_SIDE), features.float()
