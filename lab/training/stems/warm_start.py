"""Puts the weights of an exported U-Net into a net, so that a training goes on from them. New blocks change nothing yet.

An export folds each batch norm into its convolution. The norms are rebuilt such that, on the first batch, they undo what
they normalise.
"""

import pathlib

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import nn

from stems.model import StemsNet


def convolutions(path: pathlib.Path) -> list[tuple[torch.Tensor, torch.Tensor]]:
    """Return weight and bias of each convolution of a graph, in its order."""
    graph = onnx.load(str(path)).graph
    values = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    for node in graph.node:
        if node.op_type == "Cast" and node.input[0] in values:
            values[node.output[0]] = values[node.input[0]]
    get = lambda name: torch.from_numpy(np.array(values[name], np.float32))
    return [(get(node.input[1]), get(node.input[2])) for node in graph.node if node.op_type == "Conv"]


@torch.no_grad()
def warm_start(net: StemsNet, path: pathlib.Path, powers: torch.Tensor) -> None:
    """Load an export of the first U-Net, without the blocks that were added since, and fit all norms to powers.

    Raises ValueError when the file has another number of convolutions.
    """
    found = convolutions(path)
    places: list[tuple[nn.Conv2d, nn.BatchNorm2d | None]] = []
    for stage in [*net.down, *net.up]:
        places += [(stage.first, stage.first_norm)] + ([(stage.second, stage.second_norm)] if stage.second is not None else [])
    places.append((net.masks, None))
    if len(found) != len(places):
        raise ValueError(f"{path} has {len(found)} convolutions, not {len(places)}")
    folded = {}
    for (conv, norm), (weight, bias) in zip(places, found):
        conv.weight.copy_(weight)
        if norm is None:
            conv.bias.copy_(bias)
        else:
            folded[norm] = bias

    def fit(norm: nn.BatchNorm2d, given: tuple[torch.Tensor]) -> None:
        mean, variance = given[0].mean(dim=(0, 2, 3)), given[0].var(dim=(0, 2, 3))
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(variance)
        if norm in folded:
            norm.weight.copy_((variance + norm.eps).sqrt())
            norm.bias.copy_(folded[norm] + mean)

    hooks = [part.register_forward_pre_hook(fit) for part in net.modules() if isinstance(part, nn.BatchNorm2d)]
    net.eval()(powers)
    for hook in hooks:
        hook.remove()
