"""Trains the stems network, and resumes from the checkpoint in --out.

The learning rate follows a cosine over --minutes of processor time. Each batch follows from the seed and its number.
Usage: train.py --data WORK --out WORK/run [--minutes 35] [--steps 100000]
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
from torch import nn

from data import SEED, STEMS, Tracks
from model import StemsNet, loss_of, residuals

EMA_DECAY = 0.99
PRINT_EVERY = 25
SILENCE = 1e-3
"""A stem with less of its mixture's energy is not scored."""


@torch.no_grad()
def evaluate(net: nn.Module, held: tuple[np.ndarray, np.ndarray, np.ndarray]) -> dict[str, list[float]]:
    """Return each stem's signal-to-distortion ratio in dB, and beside it that of the mixture as its estimate."""
    net.eval()
    found: dict[str, list[tuple[float, float]]] = {stem: [] for stem in STEMS}
    for number in range(len(held[0])):
        powers, energies, products = (torch.from_numpy(part[number : number + 1]) for part in held)
        errors = residuals(net(powers), energies, products)
        mixed = residuals(torch.ones_like(energies), energies, products)
        widths = torch.from_numpy(weights_of_rows())
        total = (products.sum(dim=1) * widths).sum()
        for at, stem in enumerate(STEMS):
            own = (energies[:, at] * widths).sum()
            if own > SILENCE * total:
                ratio = lambda error: float(10 * torch.log10(own / (error[:, at] * widths).sum().clamp(min=1e-9)))
                found[stem].append((ratio(errors), ratio(mixed)))
    return {stem: [round(float(value), 2) for value in np.mean(scores, axis=0)] for stem, scores in found.items() if scores}


def weights_of_rows() -> np.ndarray:
    """Return how many bins each row stands for."""
    from spectra import row_edges

    return np.diff(row_edges()).astype(np.float32)


class Run:
    """State of a training run."""

    def __init__(self, out: pathlib.Path, peak: float):
        torch.manual_seed(SEED)
        self.path = out / "checkpoint.pt"
        self.net = StemsNet()
        self.average = copy.deepcopy(self.net)
        self.peak, self.step, self.seconds = peak, 0, 0.0
        self.optimiser = torch.optim.AdamW(self.net.parameters(), lr=peak, weight_decay=1e-2)
        if self.path.exists():
            saved = torch.load(self.path)
            self.net.load_state_dict(saved["net"])
            self.average.load_state_dict(saved["average"])
            self.optimiser.load_state_dict(saved["optimiser"])
            self.step, self.seconds = saved["step"], saved["seconds"]

    def save(self) -> None:
        """Replace the checkpoint."""
        state = {"net": self.net.state_dict(), "average": self.average.state_dict(), "optimiser": self.optimiser.state_dict()}
        torch.save({**state, "step": self.step, "seconds": self.seconds}, self.path.with_suffix(".part"))
        os.replace(self.path.with_suffix(".part"), self.path)

    def advance(self, batch: tuple[np.ndarray, np.ndarray, np.ndarray], progress: float) -> float:
        """Take one step on a batch and return its loss."""
        self.net.train()
        warm = min(1, (self.step + 1) / 50)
        rate = self.peak * warm * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * min(1, progress))))
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        powers, energies, products = (torch.from_numpy(part) for part in batch)
        with torch.autocast("cpu", torch.bfloat16):
            masks = self.net(powers)
        loss = loss_of(masks, energies, products)
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
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


def train(run: Run, tracks: Tracks, given: argparse.Namespace) -> None:
    """Train until the steps or the minutes are used up. Saves and evaluates every few minutes."""
    held = tracks.held_out(given.frames)
    measured_at, saved_at = time.process_time(), time.monotonic()
    losses: list[float] = []
    report = lambda: print(json.dumps({"step": run.step, "sdr_and_mixture": evaluate(run.average, held)}), flush=True)
    while (progress := max(run.step / given.steps, run.seconds / 60 / given.minutes)) < 1:
        losses.append(run.advance(tracks.batch(SEED, run.step, given.size, given.frames), progress))
        now = time.process_time()
        run.seconds, measured_at = run.seconds + now - measured_at, now
        if run.step % PRINT_EVERY == 0:
            print(f"step {run.step} loss {np.mean(losses):.4f} at {run.seconds / 60:.1f} min", flush=True)
            losses.clear()
        if time.monotonic() - saved_at > 60 * given.every:
            run.save()
            report()
            saved_at = time.monotonic()
    run.save()
    report()


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--data", type=pathlib.Path, required=True)
    options.add_argument("--out", type=pathlib.Path, required=True)
    options.add_argument("--minutes", type=float, default=35)
    options.add_argument("--steps", type=int, default=100000)
    options.add_argument("--every", type=float, default=4, help="minutes between checkpoints")
    options.add_argument("--size", type=int, default=6)
    options.add_argument("--frames", type=int, default=128)
    options.add_argument("--peak", type=float, default=3e-3)
    given = options.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    tracks = Tracks(given.data)
    run = Run(given.out, given.peak)
    counts = {stem: sum(map(len, kinds.values())) for stem, kinds in tracks.tracks.items()}
    parameters = sum(p.numel() for p in run.net.parameters())
    print(json.dumps({"tracks": counts, "from_step": run.step, "parameters": parameters}), flush=True)
    train(run, tracks, given)


if __name__ == "__main__":
    main()
