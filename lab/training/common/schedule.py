"""The learning rate of all trainings: a linear warm-up, then a cosine down to a hundredth of the peak."""

import math

import torch


def learning_rate(progress: float, step: int, peak: float, warm_up_steps: int) -> float:
    """Return the rate of a cosine from `peak` to a hundredth of it over `progress` 0..1, after a linear warm-up."""
    warm_up = min(1, (step + 1) / warm_up_steps)
    return peak * warm_up * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * min(1, progress))))


def set_rate(optimiser: torch.optim.Optimizer, rate: float) -> None:
    """Give all parameters of an optimiser one learning rate."""
    for group in optimiser.param_groups:
        group["lr"] = rate
