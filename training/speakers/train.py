"""Trains the speaker network, and resumes from the checkpoint in --out.

The learning rate follows a cosine over --minutes of processor time. Each batch follows from the seed and its number.
Usage: train.py --data WORK --out WORK/run [--minutes 12] [--steps 100000]
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
from speakers.data import CROP, Voices
from speakers.model import MarginSoftmax, SpeakerNet, pair_loss

SEED = 20261123
EMA_DECAY = 0.99
WARM_UP_STEPS = 60
PRINT_EVERY = 50
PAIR_WEIGHT = 0.7
MARGIN = 0.2
HELD_OUT = frozenset([*(f"wuw_{number:03d}" for number in range(5, 194, 9)), *(f"asc_{number:08d}" for number in range(3, 31, 6))])


def held_out_pairs(voices: Voices, chance: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return crops of speakers that are not trained on, played at their own speed, and their speakers' numbers."""
    rows = [row for row in voices.held_out if row["speed"] == 1.0]
    names = sorted({row["speaker"] for row in rows})
    crops, labels = [], []
    for row in rows:
        for _ in range(6):
            crops.append(voices.crop(chance, row))
            labels.append(names.index(row["speaker"]))
    return np.stack(crops), np.array(labels)


def equal_error(embeddings: np.ndarray, labels: np.ndarray) -> float:
    """Return the error rate at which false matches and false rejections are equally frequent, in percent."""
    scores = embeddings @ embeddings.T
    upper = np.triu(np.ones(scores.shape, bool), 1)
    own = (labels[:, None] == labels[None, :])[upper]
    order = np.argsort(-scores[upper])
    matched = np.cumsum(own[order]) / own.sum()
    false = np.cumsum(~own[order]) / (~own).sum()
    at = int(np.argmin(np.abs((1 - matched) - false)))
    return float(100 * (1 - matched[at] + false[at]) / 2)


@torch.no_grad()
def evaluate(net: nn.Module, voices: Voices) -> float:
    """Return the equal error rate over the speakers held out."""
    net.eval()
    crops, labels = held_out_pairs(voices, np.random.default_rng(SEED))
    embeddings = torch.cat([net(torch.from_numpy(crops[at : at + 64])) for at in range(0, len(crops), 64)]).numpy()
    return round(equal_error(embeddings, labels), 2)


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
        with torch.autocast("cpu", torch.bfloat16):
            embeddings = self.net(torch.from_numpy(crops))
        embeddings = embeddings.float()
        count = len(labels)
        pairs = (len(crops) - count) // 2
        named = self.softmax(embeddings[:count], torch.from_numpy(labels), MARGIN * min(1, progress * 4))
        paired = pair_loss(embeddings[count : count + pairs], embeddings[count + pairs :])
        self.optimiser.zero_grad(set_to_none=True)
        (named + PAIR_WEIGHT * paired).backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 3.0)
        self.optimiser.step()
        update_average(self.average, self.net, self.step, EMA_DECAY)
        return {"named": named.item(), "paired": paired.item()}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--data", type=pathlib.Path, required=True)
    options.add_argument("--out", type=pathlib.Path, required=True)
    options.add_argument("--minutes", type=float, default=12)
    options.add_argument("--steps", type=int, default=100000)
    options.add_argument("--every", type=float, default=5, help="minutes between checkpoints")
    options.add_argument("--labelled", type=int, default=64)
    options.add_argument("--pairs", type=int, default=20)
    options.add_argument("--peak", type=float, default=2e-3)
    given = options.parse_args()
    torch.set_num_threads(1)
    voices = Voices(given.data, HELD_OUT)
    run = SpeakerRun(given.out, len(voices.voices), given.peak)
    facts = {"voices": len(voices.voices), "unlabelled": len(voices.unlabelled), "held_out": len(voices.held_out), "from_step": run.step}
    print(json.dumps({**facts, "crop": CROP, "parameters": sum(p.numel() for p in run.net.parameters())}), flush=True)
    limits = Limits(given.steps, given.minutes, given.every, PRINT_EVERY)
    train(
        run,
        limits,
        lambda progress: run.advance(*voices.batch(SEED, run.step, given.labelled, given.pairs), progress),
        lambda: {"equal_error": evaluate(run.average, voices)},
    )


if __name__ == "__main__":
    main()
