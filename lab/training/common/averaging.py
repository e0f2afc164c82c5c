"""Averages of weights: along a run (exponential moving average) and over checkpoints (model soups).

Wortsman et al., "Model soups", ICML 2022.
"""

import pathlib

import torch
from torch import nn


@torch.no_grad()
def update_average(average: nn.Module, net: nn.Module, step: int, decay_max: float) -> None:
    """Update the moving average of the weights. The first steps count more, so that it forgets the random start."""
    decay = min(decay_max, (step + 1) / (step + 10))
    for slow, fast in zip(average.state_dict().values(), net.state_dict().values()):
        if slow.is_floating_point():
            slow.lerp_(fast, 1 - decay)
        else:
            slow.copy_(fast)


def mean_weights(checkpoints: list[pathlib.Path]) -> dict[str, torch.Tensor]:
    """Return the mean of the averaged weights in checkpoints of a training, or in files with only such weights."""
    saved = [torch.load(checkpoint, map_location="cpu") for checkpoint in checkpoints]
    states = [one.get("average", one) for one in saved]
    mean = dict(states[-1])
    for name, values in mean.items():
        if values.is_floating_point():
            mean[name] = sum(state[name] for state in states) / len(states)
    return mean
