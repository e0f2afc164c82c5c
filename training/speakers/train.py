"""Trains the speaker network, and resumes from the checkpoint in --out.

The learning rate follows a cosine over --minutes of processor time. Each batch follows from the seed and its number.
Usage: python3 -m speakers.train --data WORK --trials WORK/trials.npz --out RUN [--minutes 720] [--steps 100000]
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
from speakers.data import CROP, HELD_OUT, Voices
from speakers.measure import in_batches, measure
from speakers.model import MarginSoftmax, SpeakerNet

SEED = 20261125
EMA_DECAY = 0.998
WARM_UP_STEPS = 200
PRINT_EVERY = 50
MARGIN = 0.2
MARGIN_STEPS = 1500
"""Steps over which the margin grows from nothing."""


class SpeakerRun(Run):
    """State of a training run of the speaker network."""

    def __init__(self, out: pathlib.Path, classes: int, peak: float):
        torch.manual_seed(SEED)
        self.net, self.softmax = SpeakerNet().to(memory_format=torch.channels_last), MarginSoftmax(classes)
        self.optimiser = torch.optim.AdamW([*self.net.parameters(), *self.softmax.parameters()], lr=peak, weight_decay=0.02)
        self.peak = peak
        self.average = copy.deepcopy(self.net)
        parts = {"net": self.net, "softmax": self.softmax, "optimiser": self.optimiser, "average": self.average}
        super().__init__(out, parts)
        self.resume()

    def advance(self, crops: np.ndarray, labels: np.ndarray, progress: float) -> dict[str, float]:
        """Take one step and return its losses."""
        self.net.train()
        set_rate(self.optimiser, learning_rate(progress, self.step, self.peak, WARM_UP_STEPS))
        embeddings = self.net(torch.from_numpy(crops))
        loss = self.softmax(embeddings, torch.from_numpy(labels), MARGIN * min(1, self.step / MARGIN_STEPS))
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
    options.add_argument("--trials", type=pathlib.Path, required=True)
    options.add_argument("--minutes", type=float, default=720)
    options.add_argument("--steps", type=int, default=100000)
    options.add_argument("--every", type=float, default=4, help="minutes between checkpoints")
    options.add_argument("--evaluate", type=float, default=10, help="minutes of processor time between evaluations")
    options.add_argument("--batch", type=int, default=96)
    options.add_argument("--peak", type=float, default=2e-3)
    given = options.parse_args()
    torch.set_num_threads(1)
    voices = Voices(given.data, HELD_OUT)
    run = SpeakerRun(given.out, len(voices.voices), given.peak)
    trials = dict(np.load(given.trials))
    facts = {"voices": len(voices.voices), "from_step": run.step}
    print(json.dumps({**facts, "crop": CROP, "parameters": sum(p.numel() for p in run.net.parameters())}), flush=True)
    limits = Limits(given.steps, given.minutes, given.every, PRINT_EVERY, given.evaluate)
    train(
        run,
        limits,
        lambda progress: run.advance(*voices.batch(SEED, run.step, given.batch), progress),
        lambda: {"equal_error": measure(trials, lambda bands: in_batches(run.average.eval(), bands))},
    )


if __name__ == "__main__":
    main()
