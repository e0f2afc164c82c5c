"""Trains the speaker network, and resumes from the checkpoint in --out.

The network is to tell a voice from all others, and to say in 1 to 1.5 s what its teacher says of 5 s of that voice (targets.py).
The learning rate follows a cosine over --minutes of processor time. Each batch follows from the seed and its number.
Usage: python3 -m speakers.train --data WORK --trials WORK/trials.npz --out RUN [--minutes 720] [--start average.pt]
"""

import json
import pathlib

import numpy as np
import torch
from torch import nn

from common.descent import Descent, DescentRun, limits_of, options_of_run
from common.run import train
from speakers.data import CROP, HELD_OUT, Voices
from speakers.measure import in_batches, measure
from speakers.model import EMBEDDING, MarginSoftmax, SpeakerNet
from speakers.targets import Aims, turned
from speakers.teacher import EMBEDDING as SAID

SEED = 20261129
DESCENT = Descent(warm_up_steps=60, weight_decay=0.02, gradient_max=5.0, average_decay=0.995)
PRINT_EVERY = 10
MARGIN = 0.2
MARGIN_STEPS = 1000
"""Steps over which the margin grows from nothing."""
TEACHING = 10.0
"""Weight of the distance from what the teacher says, next to that of telling voices apart."""


class Guide(nn.Module):
    """The directions of the teacher's embeddings that ours are to have; they stay as they were at the first step."""

    def __init__(self):
        super().__init__()
        self.register_buffer("projection", torch.zeros(SAID, EMBEDDING))


class SpeakerRun(DescentRun):
    """State of a training run of the speaker network."""

    def __init__(self, out: pathlib.Path, voices: Voices, aims: Aims, peak: float, start: pathlib.Path | None):
        torch.manual_seed(SEED)
        net, self.softmax, self.guide = SpeakerNet().to(memory_format=torch.channels_last), MarginSoftmax(len(voices.voices)), Guide()
        super().__init__(out, net, peak, DESCENT, softmax=self.softmax, guide=self.guide)
        if self.step == 0:
            self.begin(voices, aims, start)
        self.aims = torch.from_numpy(aims.projected(self.guide.projection.numpy()))

    def begin(self, voices: Voices, aims: Aims, start: pathlib.Path | None) -> None:
        """Take the weights of a network to go on from, and turn the aims to where its embeddings lie already."""
        projection = aims.projection()
        if start:
            saved = torch.load(start, map_location="cpu")
            for net in (self.net, self.average):
                net.load_state_dict(saved["average"])
            rows = np.array([some[0] for some in voices.voices])
            chance = np.random.default_rng(SEED)
            said = in_batches(self.average.eval(), np.stack([voices.crop(chance, row, CROP) for row in rows]))
            projection = projection @ turned(aims.projected(projection)[rows], said)
        self.guide.projection.copy_(torch.from_numpy(projection))
        found = aims.projected(projection)
        centres = np.stack([found[some].mean(axis=0) for some in voices.voices])
        self.softmax.centres.data.copy_(torch.from_numpy(centres))

    def advance(self, crops: np.ndarray, labels: np.ndarray, rows: np.ndarray, progress: float) -> dict[str, float]:
        """Take one step and return its loss, and the mean cosine of embeddings and aims."""
        margin = MARGIN * min(1, self.step / MARGIN_STEPS)
        agreed = torch.zeros(())

        def loss_of() -> torch.Tensor:
            nonlocal agreed
            embeddings = self.net(torch.from_numpy(crops))
            agreed = (embeddings * self.aims[torch.from_numpy(rows)]).sum(dim=1).mean()
            return self.softmax(embeddings, torch.from_numpy(labels), margin) + TEACHING * (1 - agreed)

        return {**self.descend(progress, loss_of), "agreed": agreed.item()}


def main() -> None:
    options = options_of_run(__doc__, minutes=720, every=4, peak=1e-3)
    options.add_argument("--trials", type=pathlib.Path, required=True)
    options.add_argument("--evaluate", type=float, default=10, help="minutes of processor time between evaluations")
    options.add_argument("--batch", type=int, default=96)
    options.add_argument("--start", type=pathlib.Path, help="weights to go on from where there is no checkpoint yet")
    given = options.parse_args()
    torch.set_num_threads(1)
    aims = Aims(given.data)
    voices = Voices(given.data, HELD_OUT)
    run = SpeakerRun(given.out, voices, aims, given.peak, given.start)
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
