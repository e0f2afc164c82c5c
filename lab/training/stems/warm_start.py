"""Puts the weights of an exported U-Net into a net, so that a training goes on from them. New blocks change nothing yet."""

import pathlib

import torch

from common.warm_start import Place
from common.warm_start import warm_start as start_warm
from stems.model import StemsNet


def warm_start(net: StemsNet, path: pathlib.Path, powers: torch.Tensor) -> None:
    """Load an export of the first U-Net, without the blocks that were added since, and fit all norms to powers.

    Raises ValueError when the file has another number of convolutions.
    """
    places: list[Place] = []
    for stage in [*net.down, *net.up]:
        places += [(stage.first, stage.first_norm)] + ([(stage.second, stage.second_norm)] if stage.second is not None else [])
    start_warm(net, [*places, (net.masks, None)], path, powers)
