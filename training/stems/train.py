"""Trains the stems network, and resumes from the checkpoint in --out.

The learning rate follows a cosine over --minutes of processor time. Each batch follows from the seed and its number.
Usage: python3 -m stems.train --data WORK --out WORK/run [--minutes 35] [--steps 100000]
"""

import argparse
import copy
import json
import pathlib

import numpy as np
import torch
from torch import nn

from common.averaging import update_average
from common.run import Limits, Run, train
from common.schedule import learning_rate, set_rate
from stems.data import SEED, STEMS, Tracks
from stems.model import StemsNet, loss_of, residuals
from stems.spectra import row_edges

EMA_DECAY = 0.99
WARM_UP_STEPS = 50
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
    return np.diff(row_edges()).astype(np.float32)


class StemsRun(Run):
    """State of a training run of the stems network."""

    def __init__(self, out: pathlib.Path, peak: float):
        torch.manual_seed(SEED)
        self.net = StemsNet()
        self.average = copy.deepcopy(self.net)
        self.peak = peak
        self.optimiser = torch.optim.AdamW(self.net.parameters(), lr=peak, weight_decay=1e-2)
        super().__init__(out, {"net": self.net, "average": self.average, "optimiser": self.optimiser})
        self.resume()

    def advance(self, batch: tuple[np.ndarray, np.ndarray, np.ndarray], progress: float) -> dict[str, float]:
        """Take one step on a batch and return its loss."""
        self.net.train()
        set_rate(self.optimiser, learning_rate(progress, self.step, self.peak, WARM_UP_STEPS))
        powers, energies, products = (torch.from_numpy(part) for part in batch)
        with torch.autocast("cpu", torch.bfloat16):
            masks = self.net(powers)
        loss = loss_of(masks, energies, products)
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.optimiser.step()
        update_average(self.average, self.net, self.step, EMA_DECAY)
        return {"loss": loss.item()}


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
    torch.set_num_threads(1)
    tracks = Tracks(given.data)
    run = StemsRun(given.out, given.peak)
    counts = {stem: sum(map(len, kinds.values())) for stem, kinds in tracks.tracks.items()}
    parameters = sum(p.numel() for p in run.net.parameters())
    print(json.dumps({"tracks": counts, "from_step": run.step, "parameters": parameters}), flush=True)
    held = tracks.held_out(given.frames)
    train(
        run,
        Limits(given.steps, given.minutes, given.every, PRINT_EVERY),
        lambda progress: run.advance(tracks.batch(SEED, run.step, given.size, given.frames), progress),
        lambda: {"sdr_and_mixture": evaluate(run.average, held)},
    )


if __name__ == "__main__":
    main()
