"""Trains the matte model, and resumes from a checkpoint in --out.

The learning rate follows a cosine over --steps or --minutes of training, whichever ends first.
Usage: train.py --shared ../shared --labels LABELS --out FOLDER [--steps 12000] [--minutes 80] [--sides 256,320]
"""

import argparse
import copy
import json
import math
import os
import pathlib
import time

import cv2
import numpy as np
import torch
from torch import nn

from compose import Composer
from distil import DistillationHead, Targets, TeacherFeatures
from losses import matte_loss
from metrics import mean_figures
from model import WIDTHS, MatteNet, alpha_of
from sources import background_strips, load_pictures, load_scenes

SEED = 20261121
EMA_DECAY = 0.998
WEIGHT_DECAY = 0.02
WARM_UP_STEPS = 200
STRIP_KINDS = ("photos", "davis")
DISTILLED_SHARE = 0.5
DISTILLATION_WEIGHT = 0.5


class Batches(torch.utils.data.Dataset):
    """Batches that depend only on the seed and their number, so that a stopped run resumes with the next one."""

    def __init__(
        self, composer: Composer, teachers: TeacherFeatures, batch: int, sides: list[int], steps: int, first: int = 0
    ):
        self.composer, self.teachers = composer, teachers
        self.batch, self.sides, self.steps, self.first = batch, sides, steps, first

    def __len__(self):
        return self.steps - self.first

    def __getitem__(self, index):
        step = self.first + index
        side = self.sides[min(len(self.sides) - 1, step * len(self.sides) // self.steps)]
        pairs = [self.composer.sample((SEED, step, i), side) for i in range(self.batch)]
        rgb, alpha = (np.stack(part) for part in zip(*pairs))
        targets = self.teachers.targets(rgb[: round(DISTILLED_SHARE * self.batch)])
        return torch.from_numpy(rgb), torch.from_numpy(alpha), targets


def learning_rate(progress: float, step: int, peak: float) -> float:
    """Return the rate of a cosine from `peak` to a hundredth of it over `progress` 0..1, after a linear warm-up."""
    return peak * min(1, (step + 1) / WARM_UP_STEPS) * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * min(1, progress))))


@torch.no_grad()
def update_average(average: nn.Module, net: nn.Module, step: int) -> None:
    """Update the exponential moving average of the weights."""
    decay = min(EMA_DECAY, (step + 1) / (step + 10))
    for slow, fast in zip(average.state_dict().values(), net.state_dict().values()):
        if slow.is_floating_point():
            slow.lerp_(fast, 1 - decay)
        else:
            slow.copy_(fast)


def train_step(
    net: MatteNet,
    head: DistillationHead,
    optimiser: torch.optim.Optimizer,
    rgb: torch.Tensor,
    alpha: torch.Tensor,
    targets: Targets,
) -> tuple[float, float]:
    """Train on uint8 N x S x S x 3 images, N x S x S alphas and the targets of the first of them. Returns the losses of
    the matte and of the distillation."""
    image = (rgb.permute(0, 3, 1, 2).float() / 255).contiguous(memory_format=torch.channels_last)
    with torch.autocast("cpu", torch.bfloat16):
        features = net.encode(image)
        outputs = net.decode(*features)
        distillation = head(*features[3:], targets)
    loss = matte_loss(outputs, alpha[:, None].float() / 255)
    optimiser.zero_grad(set_to_none=True)
    (loss + DISTILLATION_WEIGHT * distillation).backward()
    nn.utils.clip_grad_norm_(net.parameters(), 2.0)
    optimiser.step()
    return loss.item(), distillation.item()


class Run:
    """State of a training run: net, averaged weights, optimiser and progress."""

    def __init__(self, out: pathlib.Path, peak: float, start: pathlib.Path | None = None):
        torch.manual_seed(SEED)
        self.path = out / "checkpoint.pt"
        self.peak = peak
        self.net = MatteNet().to(memory_format=torch.channels_last).train()
        if start:
            self.net.load_state_dict(torch.load(start))
        self.head = DistillationHead(*WIDTHS[3:]).train()
        learned = [*self.net.parameters(), *self.head.parameters()]
        self.optimiser = torch.optim.AdamW(learned, lr=peak, weight_decay=WEIGHT_DECAY)
        self.average = copy.deepcopy(self.net).eval()
        self.step, self.seconds = 0, 0.0
        if self.path.exists():
            saved = torch.load(self.path)
            self.net.load_state_dict(saved["net"])
            self.average.load_state_dict(saved["average"])
            self.head.load_state_dict(saved["distillation"])
            self.optimiser.load_state_dict(saved["optimiser"])
            self.step, self.seconds = saved["step"], saved["seconds"]

    def save(self) -> None:
        """Write the checkpoint atomically."""
        state = {
            "net": self.net.state_dict(),
            "average": self.average.state_dict(),
            "distillation": self.head.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "step": self.step,
            "seconds": self.seconds,
        }
        torch.save(state, partial := self.path.with_suffix(".partial"))
        os.replace(partial, self.path)


def train(run: Run, batches: torch.utils.data.DataLoader, given: argparse.Namespace, validation: list) -> None:
    """Train until the steps or the minutes are used up. Saves and validates every few minutes."""
    measured_at = saved_at = time.monotonic()
    recent: list[tuple[float, float]] = []
    for rgb, alpha, targets in batches:
        progress = max(run.step / given.steps, run.seconds / 60 / given.minutes)
        if progress >= 1:
            break
        for group in run.optimiser.param_groups:
            group["lr"] = learning_rate(progress, run.step, run.peak)
        recent.append(train_step(run.net, run.head, run.optimiser, rgb, alpha, targets))
        update_average(run.average, run.net, run.step)
        run.step += 1
        now = time.monotonic()
        run.seconds, measured_at = run.seconds + min(now - measured_at, 30), now
        if run.step % 50 == 0:
            matte, distillation = np.mean(recent, 0)
            losses = f"loss {matte:.4f} distillation {distillation:.4f}"
            print(f"step {run.step} {losses} at {run.seconds / 60:.1f} min", flush=True)
            recent.clear()
        if now - saved_at > 60 * given.every:
            run.save()
            figures = mean_figures(validation, lambda rgb: alpha_of(run.average, rgb))
            print(json.dumps({"step": run.step, "side": rgb.shape[1], **figures}), flush=True)
            saved_at = time.monotonic()
    run.save()
    matte, distillation = np.mean(recent, 0).round(4).tolist() if recent else (None, None)
    print(json.dumps({"steps": run.step, "loss": matte, "distillation": distillation}), flush=True)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--shared", type=pathlib.Path, required=True)
    options.add_argument("--labels", type=pathlib.Path, required=True)
    options.add_argument("--out", type=pathlib.Path, required=True)
    options.add_argument("--start", type=pathlib.Path, help="initial weights, such as checkpoint.pt in this folder")
    options.add_argument("--steps", type=int, default=12000)
    options.add_argument("--minutes", type=float, default=80)
    options.add_argument("--every", type=float, default=5, help="minutes between checkpoints")
    options.add_argument("--batch", type=int, default=24)
    options.add_argument("--peak", type=float, default=2e-3)
    options.add_argument("--sides", default="256,320")
    options.add_argument("--threads", type=int, default=2)
    options.add_argument("--workers", type=int, default=1)
    given = options.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    (given.out / "pid").write_text(f"{os.getpid()}\n")
    torch.set_num_threads(given.threads)
    cv2.setNumThreads(1)
    pictures = load_pictures(given.shared, given.labels, held_out=False)
    scenes = load_scenes(given.shared)
    for picture in pictures:
        if picture.kind in STRIP_KINDS and not picture.name.startswith("breakdance"):
            scenes += background_strips(picture)
    run = Run(given.out, given.peak, given.start)
    sides = [int(side) for side in given.sides.split(",")]
    batches = torch.utils.data.DataLoader(
        Batches(Composer(pictures, scenes), TeacherFeatures(given.shared), given.batch, sides, given.steps, run.step),
        batch_size=None,
        num_workers=given.workers,
        prefetch_factor=4 if given.workers else 2,
    )
    validation = load_pictures(given.shared, given.labels, held_out=True)
    print(json.dumps({"from_step": run.step, "pictures": len(pictures), "scenes": len(scenes)}), flush=True)
    train(run, batches, given, validation)


if __name__ == "__main__":
    main()
