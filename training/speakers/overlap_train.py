"""Trains the overlap network, and resumes from the checkpoint in --out.

The learning rate follows a cosine over --minutes of processor time. Each batch follows from the seed and its number.
Usage: python3 -m speakers.overlap_train --data WORK --out WORK/run [--minutes 20] [--steps 100000]
"""

import argparse
import copy
import json
import pathlib

import numpy as np
import torch
import torch.nn.functional as functional
from torch import nn

from common.averaging import update_average
from common.run import Limits, Run, train
from common.schedule import learning_rate, set_rate
from speakers.overlap_mixtures import Mixtures
from speakers.overlap_model import OverlapNet
from speakers.data import HELD_OUT

SEED = 20261124
EMA_DECAY = 0.99
WARM_UP_STEPS = 40
PRINT_EVERY = 25
PRECISIONS = (0.8, 0.9, 0.95)


def recalls(scores: np.ndarray, truth: np.ndarray) -> dict[str, float]:
    """Return the mean precision over all recalls, and the recall at some precisions, in percent."""
    order = np.argsort(-scores)
    found = np.cumsum(truth[order])
    precision = found / np.arange(1, len(order) + 1)
    best = np.maximum.accumulate(precision[::-1])[::-1]
    recall = found / max(1, truth.sum())
    reached = {f"at_{int(100 * p)}": round(100 * float(recall[best >= p].max(initial=0)), 1) for p in PRECISIONS}
    return {"mean_precision": round(100 * float((best * truth[order]).sum() / max(1, truth.sum())), 1), **reached}


@torch.no_grad()
def evaluate(net: nn.Module, mixtures: Mixtures, count: int) -> dict[str, float]:
    """Return the recalls on mixtures of the speakers held out."""
    net.eval()
    chance = np.random.default_rng(SEED)
    made = [mixtures.mixture(chance, mixtures.tested) for _ in range(count)]
    scores = np.concatenate([net(torch.from_numpy(bands)[None])[0].numpy() for bands, _ in made])
    labels = np.concatenate([labels for _, labels in made])
    certain = (labels == 0) | (labels == 1)
    return recalls(scores[certain], labels[certain] == 1)


class OverlapRun(Run):
    """State of a training run of the overlap network."""

    def __init__(self, out: pathlib.Path, peak: float):
        torch.manual_seed(SEED)
        self.net = OverlapNet()
        self.optimiser = torch.optim.AdamW(self.net.parameters(), lr=peak, weight_decay=0.02)
        self.peak = peak
        self.average = copy.deepcopy(self.net)
        super().__init__(out, {"net": self.net, "optimiser": self.optimiser, "average": self.average})
        self.resume()

    def advance(self, bands: np.ndarray, labels: np.ndarray, progress: float) -> dict[str, float]:
        """Take one step and return its loss."""
        self.net.train()
        set_rate(self.optimiser, learning_rate(progress, self.step, self.peak, WARM_UP_STEPS))
        loss = functional.binary_cross_entropy_with_logits(self.net(torch.from_numpy(bands)), torch.from_numpy(labels))
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 3.0)
        self.optimiser.step()
        update_average(self.average, self.net, self.step, EMA_DECAY)
        return {"loss": loss.item()}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--data", type=pathlib.Path, required=True)
    options.add_argument("--out", type=pathlib.Path, required=True)
    options.add_argument("--minutes", type=float, default=20)
    options.add_argument("--steps", type=int, default=100000)
    options.add_argument("--every", type=float, default=5, help="minutes between checkpoints")
    options.add_argument("--batch", type=int, default=24)
    options.add_argument("--tested", type=int, default=200, help="mixtures of each evaluation")
    options.add_argument("--peak", type=float, default=2e-3)
    given = options.parse_args()
    torch.set_num_threads(1)
    mixtures = Mixtures(given.data, HELD_OUT)
    run = OverlapRun(given.out, given.peak)
    counts = {kind: len(rows) for kind, rows in mixtures.trained.items()}
    print(json.dumps({**counts, "from_step": run.step, "parameters": sum(p.numel() for p in run.net.parameters())}), flush=True)
    limits = Limits(given.steps, given.minutes, given.every, PRINT_EVERY)
    train(
        run,
        limits,
        lambda progress: run.advance(*mixtures.batch(SEED, run.step, given.batch), progress),
        lambda: evaluate(run.average, mixtures, given.tested),
    )


if __name__ == "__main__":
    main()
