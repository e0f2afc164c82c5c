"""Puts the weights of an exported net into a new one, so that a training goes on from them.

An export folds each batch norm into its convolution. The norms are rebuilt such that, on the first batch, they undo what
they normalise.
"""

import pathlib

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import nn

Place = tuple[nn.Module, nn.Module | None]
"""Convolution and the norm that follows it, if any."""


def weights_of(path: pathlib.Path, operator: str) -> list[list[torch.Tensor]]:
    """Return the weights of each node of a kind that has any, in a graph's order."""
    graph = onnx.load(str(path)).graph
    values = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    for node in graph.node:
        if node.op_type == "Cast" and node.input[0] in values:
            values[node.output[0]] = values[node.input[0]]
    get = lambda name: torch.from_numpy(np.array(values[name], np.float32))
    return [[get(name) for name in node.input[1:] if name in values] for node in graph.node if node.op_type == operator]


@torch.no_grad()
def warm_start(net: nn.Module, places: list[Place], path: pathlib.Path, example: torch.Tensor) -> None:
    """Load an export into the convolutions at some places, in its order, and fit all norms of the net to an example.

    A convolution without a norm may have more outputs than the file's: the others stay as they are.
    Raises ValueError when the file has another number of convolutions.
    """
    found = weights_of(path, "Conv")
    if len(found) != len(places):
        raise ValueError(f"{path} has {len(found)} convolutions, not {len(places)}")
    folded = {}
    for (convolution, norm), (weight, bias) in zip(places, found):
        convolution.weight[: len(weight)].copy_(weight)
        if norm is None:
            convolution.bias[: len(bias)].copy_(bias)
        else:
            folded[norm] = bias

    def fit(norm: nn.Module, given: tuple[torch.Tensor]) -> None:
        rest = [axis for axis in range(given[0].dim()) if axis != 1]
        mean, variance = given[0].mean(dim=rest), given[0].var(dim=rest)
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(variance)
        if norm in folded:
            norm.weight.copy_((variance + norm.eps).sqrt())
            norm.bias.copy_(folded[norm] + mean)

    norms = [part for part in net.modules() if isinstance(part, (nn.BatchNorm1d, nn.BatchNorm2d))]
    hooks = [norm.register_forward_pre_hook(fit) for norm in norms]
    net.eval()(example)
    for hook in hooks:
        hook.remove()
