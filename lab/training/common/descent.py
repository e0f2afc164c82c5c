"""A training run of one net by AdamW, next to a moving average of its weights, and the options that such runs share."""

import argparse
import copy
import dataclasses
import pathlib
from typing import Callable

import torch
from torch import nn

from common.averaging import update_average
from common.run import Limits, Run
from common.schedule import learning_rate, set_rate


@dataclasses.dataclass(frozen=True)
class Descent:
    """How a net descends: the steps to the highest learning rate, the decay of the weights, the largest norm of the
    gradients, and the share of the average that a step keeps."""

    warm_up_steps: int
    weight_decay: float
    gradient_max: float
    average_decay: float


class DescentRun(Run):
    """State of a training run: a net, its moving average, an optimiser, and further modules that are trained with it."""

    def __init__(self, out: pathlib.Path, net: nn.Module, peak: float, descent: Descent, **others: nn.Module):
        self.net, self.average = net, copy.deepcopy(net)
        self.peak, self.descent = peak, descent
        trained = [weights for part in (net, *others.values()) for weights in part.parameters()]
        self.optimiser = torch.optim.AdamW(trained, lr=peak, weight_decay=descent.weight_decay)
        super().__init__(out, {"net": net, **others, "optimiser": self.optimiser, "average": self.average})
        self.resume()

    def descend(self, progress: float, loss_of: Callable[[], torch.Tensor]) -> dict[str, float]:
        """Take one step against the gradient of a loss, and return the loss."""
        self.net.train()
        set_rate(self.optimiser, learning_rate(progress, self.step, self.peak, self.descent.warm_up_steps))
        loss = loss_of()
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), self.descent.gradient_max)
        self.optimiser.step()
        update_average(self.average, self.net, self.step, self.descent.average_decay)
        return {"loss": loss.item()}

    def facts(self) -> dict[str, int]:
        """Return the step that the run goes on from, and how many parameters the net has."""
        return {"from_step": self.step, "parameters": sum(weights.numel() for weights in self.net.parameters())}


def options_of_run(description: str | None, minutes: float, every: float, peak: float) -> argparse.ArgumentParser:
    """Return the options of a run: its folders, its lengths, and its highest learning rate."""
    options = argparse.ArgumentParser(description=description, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--data", type=pathlib.Path, required=True)
    options.add_argument("--out", type=pathlib.Path, required=True)
    options.add_argument("--minutes", type=float, default=minutes, help="minutes of processor time")
    options.add_argument("--steps", type=int, default=100000)
    options.add_argument("--every", type=float, default=every, help="minutes between checkpoints")
    options.add_argument("--peak", type=float, default=peak)
    return options


def limits_of(given: argparse.Namespace, print_every: int, evaluate_every: float | None = None) -> Limits:
    """Return the limits that the options of a run set."""
    return Limits(given.steps, given.minutes, given.every, print_every, evaluate_every)
