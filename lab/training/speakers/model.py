"""The speaker network: a convolutional front over bands and time, squeezed and dilated residual blocks over time, and
attentive statistics (ECAPA-TDNN: Desplanques et al., Interspeech 2020; the front: Thienpondt et al., 2021).

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
FRONT, RESIDUALS = (16, 32), 2
WIDTH, GROUPS = 256, 4
JOINED = 384
ATTENTION, SQUEEZED = 64, 64


def _over_time(inputs: int, outputs: int, size: int = 1, dilation: int = 1) -> nn.Sequential:
    """Return a convolution over time with ReLU and batch norm."""
    padding = dilation * (size // 2)
    return nn.Sequential(
        nn.Conv1d(inputs, outputs, size, padding=padding, dilation=dilation), nn.ReLU(), nn.BatchNorm1d(outputs)
    )


class Front(nn.Module):
    """Residual convolutions over bands and time: a quarter of the bands and of the frames remain."""

    def __init__(self):
        super().__init__()
        first, second = FRONT
        self.stem = nn.Sequential(nn.Conv2d(1, first, 5, 2, 2, bias=False), nn.BatchNorm2d(first), nn.ReLU())
        self.down = nn.Sequential(nn.Conv2d(first, second, 3, 2, 1, bias=False), nn.BatchNorm2d(second), nn.ReLU())
        self.inner = nn.ModuleList(
            nn.Sequential(nn.Conv2d(second, second, 3, 1, 1, bias=False), nn.BatchNorm2d(second)) for _ in range(RESIDUALS)
        )

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        maps = self.down(self.stem(image))
        for inner in self.inner:
            maps = functional.relu(maps + inner(maps))
        return maps.flatten(1, 2)


class Block(nn.Module):
    """Dilated convolutions in groups that follow each other, with a gate for each channel, next to a shortcut."""

    def __init__(self, dilation: int):
        super().__init__()
        part = WIDTH // GROUPS
        self.first, self.last = _over_time(WIDTH, WIDTH), _over_time(WIDTH, WIDTH)
        self.groups = nn.ModuleList([_over_time(part, part, 3, dilation) for _ in range(GROUPS - 1)])
        self.gate = nn.Sequential(nn.Conv1d(WIDTH, SQUEEZED, 1), nn.ReLU(), nn.Conv1d(SQUEEZED, WIDTH, 1), nn.Sigmoid())

    def forward(self, maps: torch.Tensor) -> torch.Tensor:
        parts = self.first(maps).chunk(GROUPS, dim=1)
        made = [parts[0]]
        for group, part in zip(self.groups, parts[1:]):
            made.append(group(part if len(made) == 1 else part + made[-1]))
        inner = self.last(torch.cat(made, dim=1))
        return maps + inner * self.gate(inner.mean(dim=2, keepdim=True))


class SpeakerNet(nn.Module):
    """Band energies N x T x BANDS -> embeddings N x EMBEDDING of length 1."""

    def __init__(self):
        super().__init__()
        self.front = Front()
        self.narrow = _over_time(FRONT[1] * BANDS // 4, WIDTH)
        self.blocks = nn.ModuleList([Block(dilation) for dilation in (1, 2, 3)])
        self.join = nn.Sequential(nn.Conv1d(3 * WIDTH, JOINED, 1), nn.ReLU())
        self.attention = nn.Sequential(
            nn.Conv1d(3 * JOINED, ATTENTION, 1), nn.ReLU(), nn.BatchNorm1d(ATTENTION), nn.Tanh(), nn.Conv1d(ATTENTION, JOINED, 1)
        )
        self.pooled_norm = nn.BatchNorm1d(2 * JOINED)
        self.embed = nn.Linear(2 * JOINED, EMBEDDING)
        self.norm = nn.BatchNorm1d(EMBEDDING)

    def maps(self, bands: torch.Tensor) -> torch.Tensor:
        """Return the last feature maps, N x JOINED x T / 4."""
        floor = bands.amax(dim=(1, 2), keepdim=True) - RANGE
        bands = torch.maximum(bands, floor)
        bands = bands - bands.mean(dim=1, keepdim=True)
        maps = self.narrow(self.front((bands / 3).transpose(1, 2).unsqueeze(1)))
        made = []
        for block in self.blocks:
            maps = block(maps)
            made.append(maps)
        return self.join(torch.cat(made, dim=1))

    def forward(self, bands: torch.Tensor) -> torch.Tensor:
        maps = self.maps(bands)
        mean, spread = statistics(maps, torch.full_like(maps[:, :1], 1.0) / maps.shape[2])
        context = torch.cat([maps, mean.unsqueeze(2).expand_as(maps), spread.unsqueeze(2).expand_as(maps)], dim=1)
        pooled = torch.cat(statistics(maps, torch.softmax(self.attention(context), dim=2)), dim=1)
        embedding = self.norm(self.embed(self.pooled_norm(pooled)))
        return embedding / embedding.norm(dim=1, keepdim=True).clamp(min=1e-6)


def statistics(maps: torch.Tensor, weights: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the weighted mean and deviation over time."""
    mean = (maps * weights).sum(dim=2)
    spread = ((maps * maps * weights).sum(dim=2) - mean * mean).clamp(min=1e-5).sqrt()
    return mean, spread


class MarginSoftmax(nn.Module):
    """Cross entropy over classes, the angle to one's own class widened by a margin."""

    def __init__(self, classes: int, scale: float = 30.0):
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
