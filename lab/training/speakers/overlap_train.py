"""Trains the overlap network, and resumes from the checkpoint in --out.

The learning rate follows a cosine over --minutes of processor time. Each batch follows from the seed and its number.
Usage: python3 -m speakers.overlap_train --data WORK --out WORK/run [--minutes 20] [--steps 100000] [--start overlap.onnx]
"""

import json
import pathlib

import numpy as np
import torch
import torch.nn.functional as functional
from torch import nn

from common.descent import Descent, DescentRun, limits_of, options_of_run
from common.run import train
from common.warm_start import warm_start
from speakers.data import HELD_OUT
from speakers.overlap_mixtures import Mixtures
from speakers.overlap_model import OverlapNet

SEED = 20261124
DESCENT = Descent(warm_up_steps=40, weight_decay=0.02, gradient_max=3.0, average_decay=0.99)
PRINT_EVERY = 10
ECHOED = {"plain": 0.0, "echoed": 1.0}
"""Sets of mixtures to evaluate on, and the share of each that is heard again."""
EXAMPLES = 48
"""Mixtures that the norms of a net to go on from are fitted to."""
PRECISIONS = (0.8, 0.9, 0.95)
SURE = float(np.log(0.8 / 0.2))
"""Logit from which the engine takes it for overlap."""


def recalls(scores: np.ndarray, truth: np.ndarray) -> dict[str, float]:
    """Return the mean precision over all recalls, and the recall at some precisions, in percent."""
    order = np.argsort(-scores)
    found = np.cumsum(truth[order])
    precision = found / np.arange(1, len(order) + 1)
    best = np.maximum.accumulate(precision[::-1])[::-1]
    recall = found / max(1, truth.sum())
    reached = {f"at_{int(100 * p)}": round(100 * float(recall[best >= p].max(initial=0)), 1) for p in PRECISIONS}
    return {"mean_precision": round(100 * float((best * truth[order]).sum() / max(1, truth.sum())), 1), **reached}


def scored(scores: np.ndarray, truth: np.ndarray) -> dict[str, float]:
    """Return the recalls of logits, and how much the engine takes for overlap of what is none and of what is, in percent."""
    certain = (truth == 0) | (truth == 1)
    return {
        **recalls(scores[certain], truth[certain] == 1),
        "false": round(100 * float((scores[truth == 0] > SURE).mean()), 2),
        "found": round(100 * float((scores[truth == 1] > SURE).mean()), 2),
    }


def chances(count: int) -> list[np.random.Generator]:
    """Return the chances of the mixtures that are evaluated on."""
    return [np.random.default_rng((SEED, number)) for number in range(count)]


@torch.no_grad()
def evaluate(net: nn.Module, mixtures: Mixtures, count: int) -> dict[str, dict[str, float]]:
    """Return how well overlap is found in mixtures of the speakers held out, as they are and heard again."""
    net.eval()
    found = {}
    for name, echoed in ECHOED.items():
        made = [mixtures.mixture(chance, mixtures.tested, echoed) for chance in chances(count)]
        scores = np.concatenate([net(torch.from_numpy(bands)[None])[0, 0].numpy() for bands, _ in made])
        found[name] = scored(scores, np.concatenate([labels[0] for _, labels in made]))
    return found


class OverlapRun(DescentRun):
    """State of a training run of the overlap network."""

    def __init__(self, out: pathlib.Path, peak: float, start: pathlib.Path | None, example: np.ndarray):
        torch.manual_seed(SEED)
        super().__init__(out, OverlapNet(), peak, DESCENT)
        if self.step == 0 and start:
            warm_start(self.net, self.net.places(), start, torch.from_numpy(example))
            self.average.load_state_dict(self.net.state_dict())

    def advance(self, bands: np.ndarray, labels: np.ndarray, progress: float) -> dict[str, float]:
        """Take one step and return its loss."""
        inputs, truth = torch.from_numpy(bands), torch.from_numpy(labels)
        return self.descend(progress, lambda: functional.binary_cross_entropy_with_logits(self.net(inputs), truth))


def main() -> None:
    options = options_of_run(__doc__, minutes=20, every=5, peak=2e-3)
    options.add_argument("--batch", type=int, default=24)
    options.add_argument("--start", type=pathlib.Path, help="export to go on from where there is no checkpoint yet")
    options.add_argument("--tested", type=int, default=200, help="mixtures of each evaluation")
    given = options.parse_args()
    torch.set_num_threads(1)
    mixtures = Mixtures(given.data, HELD_OUT)
    run = OverlapRun(given.out, given.peak, given.start, mixtures.batch(SEED, 0, EXAMPLES)[0])
    counts = {kind: len(rows) for kind, rows in mixtures.trained.items()}
    print(json.dumps({**counts, **run.facts()}), flush=True)
    train(
        run,
        limits_of(given, PRINT_EVERY),
        lambda progress: run.advance(*mixtures.batch(SEED, run.step, given.batch), progress),
        lambda: evaluate(run.average, mixtures, given.tested),
    )


if __name__ == "__main__":
    main()
