"""Trains the stems network, and resumes from the checkpoint in --out.

The learning rate follows a cosine over --minutes of processor time. Each batch follows from the seed and its number.
Usage: python3 -m stems.train --data WORK --held WORK/held --out WORK/run [--start stems.onnx] [--minutes 35] [--steps 100000]
"""

import json
import pathlib

import numpy as np
import torch
from torch import nn

from common.arithmetic import fast_arithmetic
from common.descent import Descent, DescentRun, limits_of, options_of_run
from common.run import train
from stems.data import SEED
from stems.model import StemsNet, loss_of, residuals
from stems.spectra import row_edges
from stems.tracks import STEMS, Batch, Tracks, held_out
from stems.warm_start import warm_start

DESCENT = Descent(warm_up_steps=50, weight_decay=1e-2, gradient_max=1.0, average_decay=0.998)
PRINT_EVERY = 25
SILENCE = 1e-3
"""A stem with less of its mixture's energy is not scored."""


@torch.no_grad()
def evaluate(net: nn.Module, held: Batch) -> dict[str, list[float]]:
    """Return each stem's signal-to-distortion ratio in dB, and next to it that of the mixture as its estimate."""
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


class StemsRun(DescentRun):
    """State of a training run of the stems network."""

    def __init__(self, out: pathlib.Path, peak: float, start: pathlib.Path | None, first: Batch):
        torch.manual_seed(SEED)
        net = StemsNet()
        if start is not None:
            warm_start(net, start, torch.from_numpy(first[0]))
        super().__init__(out, net.to(memory_format=torch.channels_last), peak, DESCENT)

    def advance(self, batch: Batch, progress: float) -> dict[str, float]:
        """Take one step on a batch and return its loss."""
        powers, energies, products = (torch.from_numpy(part) for part in batch)
        powers = powers.contiguous(memory_format=torch.channels_last)

        def loss() -> torch.Tensor:
            with fast_arithmetic():
                masks = self.net(powers)
            return loss_of(masks, energies, products)

        return self.descend(progress, loss)


def main() -> None:
    options = options_of_run(__doc__, minutes=35, every=4, peak=3e-3)
    options.add_argument("--size", type=int, default=6)
    options.add_argument("--frames", type=int, default=128)
    options.add_argument("--start", type=pathlib.Path, help="export of the first U-Net to go on from")
    options.add_argument("--held", type=pathlib.Path, required=True, help="folder that stems.held wrote")
    given = options.parse_args()
    torch.set_num_threads(1)
    tracks = Tracks(given.data)
    run = StemsRun(given.out, given.peak, given.start, tracks.batch(SEED, 0, 24, given.frames))
    print(json.dumps({"tracks": tracks.counts(), **run.facts()}), flush=True)
    held = held_out(given.held, given.frames)
    if run.step == 0:
        print(json.dumps({"step": 0, "sdr_and_mixture": evaluate(run.average, held)}), flush=True)
    train(
        run,
        limits_of(given, PRINT_EVERY),
        lambda progress: run.advance(tracks.batch(SEED, run.step, given.size, given.frames), progress),
        lambda: {"sdr_and_mixture": evaluate(run.average, held)},
    )


if __name__ == "__main__":
    main()
