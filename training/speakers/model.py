"""The speaker network: a small residual network over band energies with attentive statistics pooling.

Its margin softmax after AAM-softmax (ArcFace, CVPR 2019), with one class for each voice and speed.
"""

import math

import torch
import torch.nn.functional as functional
from torch import nn

BANDS = 80
EMBEDDING = 128
RANGE = 12.0
"""Energies further below the loudest of a crop, in nepers of power, are raised to that: recorders' floors tell nothing."""
WIDTHS = (24, 32, 64, 96)


class Block(nn.Module):
    """Two convolutions beside a shortcut."""

    def __init__(self, inputs: int, outputs: int, stride: int):
        super().__init__()
        self.first = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.first_norm = nn.BatchNorm2d(outputs)
        self.second = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.second_norm = nn.BatchNorm2d(outputs)
        same = inputs == outputs and stride == 1
        self.shortcut = nn.Identity() if same else nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))

    def forward(self, maps: torch.Tensor) -> torch.Tensor:
        inner = functional.relu(self.first_norm(self.first(maps)))
        return functional.relu(self.second_norm(self.second(inner)) + self.shortcut(maps))


class SpeakerNet(nn.Module):
    """Band energies N x T x BANDS -> embeddings N x EMBEDDING of length 1."""

    def __init__(self):
        super().__init__()
        first, second, third, last = WIDTHS
        self.stem = nn.Conv2d(1, first, 5, 2, 2, bias=False)
        self.stem_norm = nn.BatchNorm2d(first)
        self.blocks = nn.Sequential(Block(first, second, 2), Block(second, second, 1), Block(second, third, 2), Block(third, last, (2, 1)))
        features = last * (BANDS // 16)
        self.attention = nn.Sequential(nn.Conv1d(features, 64, 1), nn.Tanh(), nn.Conv1d(64, features, 1))
        self.pooled_norm = nn.BatchNorm1d(2 * features)
        self.embed = nn.Linear(2 * features, EMBEDDING)

    def maps(self, bands: torch.Tensor) -> torch.Tensor:
        """Return the last feature maps, N x features x T / 8."""
        floor = bands.amax(dim=(1, 2), keepdim=True) - RANGE
        bands = torch.maximum(bands, floor)
        bands = bands - bands.mean(dim=1, keepdim=True)
        image = (bands / 3).transpose(1, 2).unsqueeze(1)
        maps = self.blocks(functional.relu(self.stem_norm(self.stem(image))))
        return maps.flatten(1, 2)

    def forward(self, bands: torch.Tensor) -> torch.Tensor:
        maps = self.maps(bands).float()
        weights = torch.softmax(self.attention(maps), dim=2)
        mean = (maps * weights).sum(dim=2)
        spread = ((maps * maps * weights).sum(dim=2) - mean * mean).clamp(min=1e-5).sqrt()
        embedding = self.embed(self.pooled_norm(torch.cat([mean, spread], dim=1)))
        return embedding / embedding.norm(dim=1, keepdim=True).clamp(min=1e-6)


class MarginSoftmax(nn.Module):
    """Cross entropy over classes, the angle to one's own class widened by a margin."""

    def __init__(self, classes: int, scale: float = 24.0):
        super().__init__()
        self.centres = nn.Parameter(torch.randn(classes, EMBEDDING) / math.sqrt(EMBEDDING))
        self.scale = scale

    def forward(self, embeddings: torch.Tensor, labels: torch.Tensor, margin: float) -> torch.Tensor:
        cosines = embeddings @ functional.normalize(self.centres).t()
        own = cosines.gather(1, labels[:, None]).clamp(-0.999, 0.999)
        sine = (1 - own * own).sqrt()
        widened = own * math.cos(margin) - sine * math.sin(margin)
        logits = cosines.scatter(1, labels[:, None], widened) * self.scale
        return functional.cross_entropy(logits, labels)


def pair_loss(first: torch.Tensor, second: torch.Tensor, scale: float = 12.0) -> torch.Tensor:
    """Return the cross entropy of finding, among all files of the batch, the other crop of one's own."""
    logits = first @ second.t() * scale
    own = torch.arange(len(first))
    return (functional.cross_entropy(logits, own) + functional.cross_entropy(logits.t(), own)) / 2
