"""Trains the speaker network, and resumes from the checkpoint in --out.

The learning rate follows a cosine over --minutes of processor time. Each batch follows from the seed and its number.
Usage: python3 -m speakers.train --data WORK --trials WORK/trials.npz --out RUN [--minutes 720] [--steps 100000]
"""

import json
import pathlib

import numpy as np
import torch

from common.descent import Descent, DescentRun, limits_of, options_of_run
from common.run import train
from speakers.data import CROP, HELD_OUT, Voices
from speakers.measure import in_batches, measure
from speakers.model import MarginSoftmax, SpeakerNet

SEED = 20261125
DESCENT = Descent(warm_up_steps=200, weight_decay=0.02, gradient_max=3.0, average_decay=0.998)
PRINT_EVERY = 50
MARGIN = 0.2
MARGIN_STEPS = 1500
"""Steps over which the margin grows from nothing."""


class SpeakerRun(DescentRun):
    """State of a training run of the speaker network."""

    def __init__(self, out: pathlib.Path, classes: int, peak: float):
        torch.manual_seed(SEED)
        net, self.softmax = SpeakerNet().to(memory_format=torch.channels_last), MarginSoftmax(classes)
        super().__init__(out, net, peak, DESCENT, softmax=self.softmax)

    def advance(self, crops: np.ndarray, labels: np.ndarray, progress: float) -> dict[str, float]:
        """Take one step and return its loss."""
        margin = MARGIN * min(1, self.step / MARGIN_STEPS)

        def loss_of() -> torch.Tensor:
            with torch.autocast("cpu", torch.bfloat16):
                embeddings = self.net(torch.from_numpy(crops))
            return self.softmax(embeddings.float(), torch.from_numpy(labels), margin)

        return self.descend(progress, loss_of)


def main() -> None:
    options = options_of_run(__doc__, minutes=720, every=4, peak=2e-3)
    options.add_argument("--trials", type=pathlib.Path, required=True)
    options.add_argument("--evaluate", type=float, default=10, help="minutes of processor time between evaluations")
    options.add_argument("--batch", type=int, default=96)
    given = options.parse_args()
    torch.set_num_threads(1)
    voices = Voices(given.data, HELD_OUT)
    run = SpeakerRun(given.out, len(voices.voices), given.peak)
    trials = dict(np.load(given.trials))
    print(json.dumps({"voices": len(voices.voices), "crop": CROP, **run.facts()}), flush=True)
    train(
        run,
        limits_of(given, PRINT_EVERY, given.evaluate),
        lambda progress: run.advance(*voices.batch(SEED, run.step, given.batch), progress),
        lambda: {"equal_error": measure(trials, lambda bands: in_batches(run.average.eval(), bands))},
    )


if __name__ == "__main__":
    main()
