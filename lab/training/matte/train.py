"""Trains the matte model, and resumes from a checkpoint in --out.

The learning rate follows a cosine over --steps or --minutes of training, whichever ends first.
Usage: python3 -m matte.train --shared SHARED --labels LABELS --agreed AGREED --out FOLDER [--minutes 720] [--sides 256,320]
"""

import argparse
import copy
import json
import pathlib
from typing import NamedTuple

import cv2
import numpy as np
import torch
from torch import nn

from common.arithmetic import fast_arithmetic
from common.averaging import update_average
from common.run import Limits, Run, train
from common.schedule import learning_rate, set_rate
from matte.compose import Composer
from matte.distil import DistillationHead, GeneralTeacher, Targets, TeacherFeatures
from matte.heard import BUILT, HeardNets
from matte.losses import matte_loss
from matte.metrics import mean_figures
from matte.model import WIDTHS, MatteNet, alpha_of
from matte.sources import background_strips, load_pictures, load_scenes

SEED = 20261130
EMA_DECAY = 0.998
WEIGHT_DECAY = 0.02
WARM_UP_STEPS = 200
PRINT_EVERY = 50
STRIP_KINDS = ("photos", "davis")
DISTILLATION_WEIGHT = 0.5
LOOKS_BACK = (0, 7, 23, 61)
"""How many numbers ago the pictures were drawn that the general teacher has seen. There is a new one every second step: each
serves eight batches."""
TAUGHT_SIDE = 320


class Batch(NamedTuple):
    """Images N x S x S x 3, alphas and where they are known, N x S x S, all uint8, and the teachers' targets of the first."""

    rgb: torch.Tensor
    alpha: torch.Tensor
    known: torch.Tensor
    targets: Targets


class TaughtPictures:
    """Pictures that the general teacher has seen, by their number; each is seen once, and degraded in another way wherever
    it serves."""

    def __init__(self, composer: Composer, teacher: GeneralTeacher):
        self.composer, self.teacher = composer, teacher
        self.seen: dict[int, tuple[tuple[np.ndarray, ...], Targets]] = {}

    def _look(self, number: int) -> tuple[tuple[np.ndarray, ...], Targets]:
        if number not in self.seen:
            picture = self.composer.picture(np.random.default_rng((SEED, 1, number)), TAUGHT_SIDE)
            self.seen = {n: value for n, value in self.seen.items() if n >= number - 2 * LOOKS_BACK[-1]}
            self.seen[number] = picture, self.teacher.targets(picture[0][None])
        return self.seen[number]

    def sample(self, number: int, step: int, side: int) -> tuple[tuple[np.ndarray, ...], Targets]:
        """Return RGB, alpha and where alpha is known, `side` x `side`, as seen in this step, and the teacher's targets."""
        rng = np.random.default_rng((SEED, 2, number, step))
        picture, targets = self._look(number)
        rgb, alpha, known = (cv2.resize(part, (side, side), interpolation=cv2.INTER_AREA) for part in picture)
        if rng.random() < 0.5:
            rgb, alpha, known = (np.ascontiguousarray(part[:, ::-1]) for part in (rgb, alpha, known))
            targets = tuple(target.flip(-1) for target in targets)
        return (self.composer.photograph(rng, rgb), alpha, known), targets


class Batches(torch.utils.data.Dataset):
    """Batches that depend only on the seed and their number, so that a stopped run resumes with the next one."""

    def __init__(
        self,
        composer: Composer,
        teachers: tuple[TeacherFeatures, GeneralTeacher],
        batch: int,
        sides: list[int],
        steps: int,
        first: int = 0,
    ):
        self.composer, self.teachers = composer, teachers[0]
        self.taught = TaughtPictures(composer, teachers[1])
        self.batch, self.sides, self.steps, self.first = batch, sides, steps, first

    def __len__(self):
        return self.steps - self.first

    def __getitem__(self, index):
        step = self.first + index
        side = self.sides[min(len(self.sides) - 1, step * len(self.sides) // self.steps)]
        taught = [self.taught.sample(abs(step // 2 - ago), step, side) for ago in LOOKS_BACK]
        others = [self.composer.sample((SEED, step, i), side) for i in range(self.batch - len(taught))]
        rgb, alpha, known = (np.stack(part) for part in zip(*(sample for sample, _ in taught), *others))
        general = tuple(torch.cat(parts) for parts in zip(*(targets for _, targets in taught)))
        return Batch(*map(torch.from_numpy, (rgb, alpha, known)), (*self.teachers.targets(rgb[: len(taught)]), *general))


class MatteRun(Run):
    """State of a training run: net, averaged weights, distillation head, optimiser and progress."""

    def __init__(self, out: pathlib.Path, peak: float, nets: HeardNets, start: pathlib.Path | None = None):
        torch.manual_seed(SEED)
        self.nets = nets
        self.peak = peak
        self.net = MatteNet().to(memory_format=torch.channels_last).train()
        if start:
            self.net.grow_from(torch.load(start))
        self.head = DistillationHead(*WIDTHS[3:]).train()
        learned = [*self.net.parameters(), *self.head.parameters()]
        self.optimiser = torch.optim.AdamW(learned, lr=peak, weight_decay=WEIGHT_DECAY)
        self.average = copy.deepcopy(self.net).eval()
        parts = {"net": self.net, "average": self.average, "distillation": self.head, "optimiser": self.optimiser}
        super().__init__(out, parts)
        self.resume()

    def advance(self, batch: Batch, progress: float) -> dict[str, float]:
        """Train on one batch, at the rate of the progress. Returns the losses of the matte and of the distillation."""
        set_rate(self.optimiser, learning_rate(progress, self.step, self.peak, WARM_UP_STEPS))
        image = (batch.rgb.permute(0, 3, 1, 2).float() / 255).contiguous(memory_format=torch.channels_last)
        with fast_arithmetic():
            features = self.net.encode(image, self.nets(image))
            outputs = self.net.decode(*features)
        distillation = self.head(*(deep.float() for deep in features[3:]), batch.targets)
        loss = matte_loss(outputs, batch.alpha[:, None].float() / 255, batch.known[:, None].float() / 255)
        self.optimiser.zero_grad(set_to_none=True)
        (loss + DISTILLATION_WEIGHT * distillation).backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 2.0)
        self.optimiser.step()
        update_average(self.average, self.net, self.step, EMA_DECAY)
        return {"loss": loss.item(), "distillation": distillation.item()}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--shared", type=pathlib.Path, required=True)
    options.add_argument("--labels", type=pathlib.Path, required=True)
    options.add_argument("--agreed", type=pathlib.Path, required=True, help="output of agree.py")
    options.add_argument("--taught", type=pathlib.Path, help="output of teach.py: the general teacher's view is heard, too")
    options.add_argument("--more", type=pathlib.Path, help="output of coco_photos.py: further photos")
    options.add_argument("--out", type=pathlib.Path, required=True)
    options.add_argument("--start", type=pathlib.Path, help="initial weights, such as checkpoint.pt in this folder")
    options.add_argument("--mobilenet", type=pathlib.Path, default=BUILT, help="nsfw-mobilenet.onnx, which npm run build writes")
    options.add_argument("--steps", type=int, default=200000)
    options.add_argument("--minutes", type=float, default=720)
    options.add_argument("--every", type=float, default=4, help="minutes between checkpoints")
    options.add_argument("--evaluate", type=float, default=10, help="minutes of processor time between evaluations")
    options.add_argument("--batch", type=int, default=16)
    options.add_argument("--peak", type=float, default=1e-3)
    options.add_argument("--sides", default="256,256,320")
    options.add_argument("--threads", type=int, default=1)
    options.add_argument("--workers", type=int, default=0)
    given = options.parse_args()
    torch.set_num_threads(given.threads)
    cv2.setNumThreads(1)
    pictures = load_pictures(given.shared, given.labels, given.agreed, held_out=False, taught=given.taught, more=given.more)
    scenes = load_scenes(given.shared)
    for picture in pictures:
        if picture.kind in STRIP_KINDS and not picture.name.startswith("breakdance"):
            scenes += background_strips(picture)
    nets = HeardNets(given.shared, given.mobilenet)
    run = MatteRun(given.out, given.peak, nets, given.start)
    sides = [int(side) for side in given.sides.split(",")]
    teachers = TeacherFeatures(given.shared), GeneralTeacher(given.shared)
    batches = torch.utils.data.DataLoader(
        Batches(Composer(pictures, scenes), teachers, given.batch, sides, given.steps, run.step),
        batch_size=None,
        num_workers=given.workers,
        prefetch_factor=4 if given.workers else 2,
    )
    validation = load_pictures(given.shared, given.labels, given.agreed, held_out=True, more=given.more)
    print(json.dumps({"from_step": run.step, "pictures": len(pictures), "scenes": len(scenes)}), flush=True)
    drawn = iter(batches)
    train(
        run,
        Limits(given.steps, given.minutes, given.every, PRINT_EVERY, given.evaluate),
        lambda progress: run.advance(next(drawn), progress),
        lambda: mean_figures(validation, lambda rgb: alpha_of(run.average, nets, rgb)),
    )


if __name__ == "__main__":
    main()
