"""Puts the weights of an exported U-Net into a net, so that a training goes on from them."""

import pathlib

import torch

from common.stored_weights import stored_weights
from common.warm_start import Place, weights_of
from common.warm_start import warm_start as start_warm
from stems.model import Across, Refine, Stage, StemsNet


def warm_start(net: StemsNet, path: pathlib.Path, powers: torch.Tensor) -> None:
    """Load an export, and fit the norms that it folds to powers: one of the first U-Net, after which the blocks that were
    added since change nothing yet, or one of the whole net, which then gives the export's masks.

    Raises ValueError when the file has another number of convolutions.
    """
    whole = [place for part in in_order(net) for place in places_of(part)]
    matrices = weights_of(path, "MatMul")
    if not matrices:
        start_warm(net, [place for part in in_order(net) if not isinstance(part, Refine) for place in places_of(part)], path, powers)
        return
    stored = stored_weights(path)
    linear = [layer for part in in_order(net) if isinstance(part, Across) for layer in (part.down, part.up)]
    for layer, (weight,) in zip(linear, matrices, strict=True):
        layer.weight.data.copy_(weight.T)
    named = {name: values for name, values in stored.items() if "_across." in name}
    net.load_state_dict(named, strict=False)
    start_warm(net, whole, path, powers)
    net.load_state_dict(named, strict=False)


def in_order(net: StemsNet) -> list[torch.nn.Module]:
    """Return the parts of a net in the order in which it applies them."""
    down = [part for pair in zip(net.down, net.down_across) for part in pair]
    up = [part for triple in zip(net.up, net.up_across, net.refine) for part in triple]
    return [*down, *net.bottom, *up, net.masks]


def places_of(part: torch.nn.Module) -> list[Place]:
    """Return the convolutions of a part, each with its norm."""
    if isinstance(part, Stage):
        return [(part.first, part.first_norm)] + ([(part.second, part.second_norm)] if part.second is not None else [])
    if isinstance(part, Refine):
        return [(part.first, part.norm), (part.second, None)]
    return [(part, None)] if isinstance(part, torch.nn.Conv2d) else []
