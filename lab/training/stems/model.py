"""The stems network: a U-Net over the powers of mid and side in rows of frequency.

Its shape after A. Jansson et al., "Singing voice separation with deep U-Net convolutional networks" (ISMIR 2017). The
masks of the four stems add up to 1.
"""

import torch
import torch.nn.functional as functional
from torch import nn

from stems.spectra import ROWS

WIDTHS = (12, 24, 48, 96, 128, 160)
SEGMENT = 256
"""Frames of a segment in use; a multiple of 32."""
RANGE = 16.0
"""Powers further below the loudest of a segment, in nepers of power, are raised to that."""


SQUEEZE = 8
"""Rows to each number of a bottleneck over rows."""
REFINED = 48
"""Width from which a stage upwards has a further block."""


class Stage(nn.Module):
    """Two convolutions, of which the first may shrink the maps."""

    def __init__(self, inputs: int, outputs: int, stride: int, second: bool = True):
        super().__init__()
        self.first = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.first_norm = nn.BatchNorm2d(outputs)
        self.second = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False) if second else None
        self.second_norm = nn.BatchNorm2d(outputs) if second else None

    def forward(self, maps: torch.Tensor) -> torch.Tensor:
        maps = functional.leaky_relu(self.first_norm(self.first(maps)), 0.1)
        if self.second is None:
            return maps
        return functional.leaky_relu(self.second_norm(self.second(maps)) + maps, 0.1)


class Refine(nn.Module):
    """Two convolutions next to an identity. At its start it changes nothing, so that it can join a trained net."""

    def __init__(self, width: int):
        super().__init__()
        self.first = nn.Conv2d(width, width, 3, 1, 1, bias=False)
        self.norm = nn.BatchNorm2d(width)
        self.second = nn.Conv2d(width, width, 3, 1, 1)
        nn.init.zeros_(self.second.weight)
        nn.init.zeros_(self.second.bias)

    def forward(self, maps: torch.Tensor) -> torch.Tensor:
        return maps + self.second(functional.leaky_relu(self.norm(self.first(maps)), 0.1))


class Across(nn.Module):
    """A bottleneck over all rows of each frame and map, next to an identity: overtones lie far apart. After W. Choi et al.,
    "Investigating U-Nets with various intermediate blocks for spectrogram-based singing voice separation" (ISMIR 2020).
    At its start it changes nothing."""

    def __init__(self, width: int, rows: int):
        super().__init__()
        self.down = nn.Linear(rows, max(8, rows // SQUEEZE), bias=False)
        self.norm = nn.BatchNorm2d(width)
        self.up = nn.Linear(max(8, rows // SQUEEZE), rows)
        nn.init.zeros_(self.up.weight)
        nn.init.zeros_(self.up.bias)

    def forward(self, maps: torch.Tensor) -> torch.Tensor:
        return maps + self.up(functional.leaky_relu(self.norm(self.down(maps)), 0.1))


class StemsNet(nn.Module):
    """Powers of mid and side N x 2 x T x ROWS -> masks N x 4 x T x ROWS (vocals, drums, bass, other)."""

    def __init__(self):
        super().__init__()
        rows = [ROWS >> level for level in range(len(WIDTHS))]
        self.down = nn.ModuleList([Stage(3, WIDTHS[0], 1, False)])
        self.down += [Stage(a, b, 2) for a, b in zip(WIDTHS, WIDTHS[1:])]
        self.down_across = nn.ModuleList([nn.Identity(), *(Across(a, b) for a, b in zip(WIDTHS[1:], rows[1:]))])
        self.bottom = nn.Sequential(*(Refine(WIDTHS[-1]) for _ in range(2)))
        ends = list(zip(WIDTHS[:0:-1], WIDTHS[-2::-1]))
        self.up = nn.ModuleList([Stage(deep + shallow, shallow, 1, False) for deep, shallow in ends])
        self.up_across = nn.ModuleList([Across(a, b) for a, b in zip(WIDTHS[-2::-1], rows[-2::-1])])
        self.refine = nn.ModuleList([Refine(a) if a >= REFINED else nn.Identity() for a in WIDTHS[-2::-1]])
        self.masks = nn.Conv2d(WIDTHS[0], 4, 1)
        self.register_buffer("place", torch.linspace(-1, 1, ROWS).view(1, 1, 1, ROWS), persistent=False)

    def forward(self, powers: torch.Tensor) -> torch.Tensor:
        levels = torch.log(powers + 1e-10)
        levels = levels - levels.amax(dim=(1, 2, 3), keepdim=True)
        levels = levels.clamp(min=-RANGE) / 4 + 2
        place = self.place + torch.zeros_like(levels[:, :1])
        maps, kept = torch.cat([levels, place], dim=1), []
        for stage, across in zip(self.down, self.down_across):
            maps = across(stage(maps))
            kept.append(maps)
        kept.pop()
        maps = self.bottom(maps)
        for stage, across, refine in zip(self.up, self.up_across, self.refine):
            maps = functional.interpolate(maps, scale_factor=2.0, mode="nearest")
            maps = refine(across(stage(torch.cat([maps, kept.pop()], dim=1))))
        return torch.softmax(self.masks(maps).float(), dim=1)


def residuals(masks: torch.Tensor, energies: torch.Tensor, products: torch.Tensor) -> torch.Tensor:
    """Return the energy of each stem's error, N x 4 x T x ROWS: |s - m x|^2 = |s|^2 - 2 m Re(s x*) + m^2 |x|^2."""
    mixture = products.sum(dim=1, keepdim=True)
    return (energies - 2 * masks * products + masks * masks * mixture).clamp(min=0)


def loss_of(masks: torch.Tensor, energies: torch.Tensor, products: torch.Tensor) -> torch.Tensor:
    """Return the mean amplitude of the errors over that of the mixture."""
    errors = (residuals(masks, energies, products) + 1e-9).sqrt().sum(dim=(1, 2, 3))
    mixture = products.sum(dim=1).clamp(min=1e-9).sqrt().sum(dim=(1, 2))
    return (errors / (mixture + 1)).mean()
