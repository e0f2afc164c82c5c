"""Trains the overlap network, and resumes from the checkpoint in --out.

The learning rate follows a cosine over --minutes of processor time. Each batch follows from the seed and its number.
Usage: overlap_train.py --data WORK --out WORK/run [--minutes 20] [--steps 100000]
"""

import argparse
import copy
import json
import math
import os
import pathlib
import time

import numpy as np
import torch
import torch.nn.functional as functional
from torch import nn

from overlap_mixtures import Mixtures
from overlap_model import OverlapNet
from train import HELD_OUT

SEED = 20261124
EMA_DECAY = 0.99
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


class Run:
    """State of a training run."""

    def __init__(self, out: pathlib.Path, peak: float):
        torch.manual_seed(SEED)
        self.path = out / "checkpoint.pt"
        self.net = OverlapNet()
        self.optimiser = torch.optim.AdamW(self.net.parameters(), lr=peak, weight_decay=0.02)
        self.peak, self.step, self.seconds = peak, 0, 0.0
        self.average = copy.deepcopy(self.net)
        if self.path.exists():
            saved = torch.load(self.path)
            for name in ("net", "optimiser", "average"):
                getattr(self, name).load_state_dict(saved[name])
            self.step, self.seconds = saved["step"], saved["seconds"]

    def save(self) -> None:
        """Write the checkpoint atomically."""
        state = {name: getattr(self, name).state_dict() for name in ("net", "optimiser", "average")}
        torch.save({**state, "step": self.step, "seconds": self.seconds}, partial := self.path.with_suffix(".partial"))
        os.replace(partial, self.path)

    def advance(self, bands: np.ndarray, labels: np.ndarray, progress: float) -> float:
        """Take one step and return its loss."""
        self.net.train()
        rate = self.peak * min(1, (self.step + 1) / 40) * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * min(1, progress))))
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        loss = functional.binary_cross_entropy_with_logits(self.net(torch.from_numpy(bands)), torch.from_numpy(labels))
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 3.0)
        self.optimiser.step()
        decay = min(EMA_DECAY, (self.step + 1) / (self.step + 10))
        with torch.no_grad():
            for slow, fast in zip(self.average.state_dict().values(), self.net.state_dict().values()):
                if slow.is_floating_point():
                    slow.lerp_(fast, 1 - decay)
                else:
                    slow.copy_(fast)
        self.step += 1
        return loss.item()


def train(run: Run, mixtures: Mixtures, given: argparse.Namespace) -> None:
    """Train until the steps or the minutes are used up. Saves and evaluates every few minutes."""
    measured_at, saved_at = time.process_time(), time.monotonic()
    losses: list[float] = []
    while (progress := max(run.step / given.steps, run.seconds / 60 / given.minutes)) < 1:
        bands, labels = mixtures.batch(SEED, run.step, given.batch)
        losses.append(run.advance(bands, labels, progress))
        now = time.process_time()
        run.seconds, measured_at = run.seconds + now - measured_at, now
        if run.step % PRINT_EVERY == 0:
            print(f"step {run.step} loss {np.mean(losses):.4f} at {run.seconds / 60:.1f} min", flush=True)
            losses.clear()
        if time.monotonic() - saved_at > 60 * given.every:
            run.save()
            print(json.dumps({"step": run.step, **evaluate(run.average, mixtures, given.tested)}), flush=True)
            saved_at = time.monotonic()
    run.save()
    print(json.dumps({"steps": run.step, **evaluate(run.average, mixtures, given.tested)}), flush=True)


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
    given.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    mixtures = Mixtures(given.data, HELD_OUT)
    run = Run(given.out, given.peak)
    counts = {kind: len(rows) for kind, rows in mixtures.trained.items()}
    print(json.dumps({**counts, "from_step": run.step, "parameters": sum(p.numel() for p in run.net.parameters())}), flush=True)
    train(run, mixtures, given)


if __name__ == "__main__":
    main()
