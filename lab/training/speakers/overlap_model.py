"""The overlap network: convolutions over band energies, then dilated ones over time, that tell whether two people speak at once.

It also learns to tell whether anyone speaks, which no export has yet.
"""

import torch
import torch.nn.functional as functional
from torch import nn

from common.warm_start import Place
from speakers.model import BANDS, RANGE

WIDTH = 112
DILATIONS = (1, 2, 4, 8, 16)


class Dilated(nn.Module):
    """A dilated convolution over time next to a shortcut."""

    def __init__(self, dilation: int):
        super().__init__()
        self.convolution = nn.Conv1d(WIDTH, WIDTH, 3, padding=dilation, dilation=dilation, bias=False)
        self.norm = nn.BatchNorm1d(WIDTH)

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        return features + functional.relu(self.norm(self.convolution(features)))


def halving(inputs: int, outputs: int, kernel: int, time_stride: int) -> nn.Sequential:
    """Return a convolution that halves the bands, and the frames where `time_stride` is 2."""
    convolution = nn.Conv2d(inputs, outputs, kernel, (2, time_stride), kernel // 2, bias=False)
    return nn.Sequential(convolution, nn.BatchNorm2d(outputs), nn.ReLU())


class OverlapNet(nn.Module):
    """Band energies N x T x BANDS -> logits N x 2 x T / 4 that two or more people speak, and that anyone does."""

    def __init__(self):
        super().__init__()
        self.image = nn.Sequential(halving(1, 24, 5, 2), halving(24, 32, 3, 1), halving(32, 48, 3, 2))
        self.narrow = nn.Conv1d(48 * BANDS // 8, WIDTH, 1, bias=False)
        self.narrow_norm = nn.BatchNorm1d(WIDTH)
        self.blocks = nn.Sequential(*(Dilated(dilation) for dilation in DILATIONS))
        self.judge = nn.Conv1d(WIDTH, 2, 1)

    def places(self) -> list[Place]:
        """Return the convolutions and their norms, in the order of an export."""
        image = [(stage[0], stage[1]) for stage in self.image]
        over_time = [(block.convolution, block.norm) for block in self.blocks]
        return [*image, (self.narrow, self.narrow_norm), *over_time, (self.judge, None)]

    def forward(self, bands: torch.Tensor) -> torch.Tensor:
        floor = bands.amax(dim=(1, 2), keepdim=True) - RANGE
        bands = torch.maximum(bands, floor)
        bands = bands - bands.mean(dim=1, keepdim=True)
        maps = self.image((bands / 3).transpose(1, 2).unsqueeze(1))
        features = functional.relu(self.narrow_norm(self.narrow(maps.flatten(1, 2))))
        return self.judge(self.blocks(features))
