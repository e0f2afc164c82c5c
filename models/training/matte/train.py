"""Train the matte network; go on from a checkpoint when there is one in --out.

The learning rate falls along a cosine over --steps, or over --minutes of work where those run out first.
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
from distil import Onlookers, Retelling, Views
from losses import matte_loss
from metrics import mean_figures
from model import WIDTHS, MatteNet, alpha_of
from sources import load_pictures, load_scenes, strips

SEED = 20261121
EMA_DECAY = 0.998
WEIGHT_DECAY = 0.02
WARM_UP_STEPS = 200
STRIP_KINDS = ("photos", "davis")
SEEN_SHARE = 0.5
TEACHERS_SHARE = 0.5


class Batches(torch.utils.data.Dataset):
    """Batch number n is made from the seed and n alone, so that a run that was stopped goes on with the next one."""

    def __init__(
        self, composer: Composer, onlookers: Onlookers, batch: int, sides: list[int], steps: int, first: int = 0
    ):
        self.composer, self.onlookers = composer, onlookers
        self.batch, self.sides, self.steps, self.first = batch, sides, steps, first

    def __len__(self):
        return self.steps - self.first

    def __getitem__(self, index):
        step = self.first + index
        side = self.sides[min(len(self.sides) - 1, step * len(self.sides) // self.steps)]
        pairs = [self.composer.sample((SEED, step, i), side) for i in range(self.batch)]
        rgb, alpha = (np.stack(part) for part in zip(*pairs))
        views = self.onlookers.views(rgb[: round(SEEN_SHARE * self.batch)])
        return torch.from_numpy(rgb), torch.from_numpy(alpha), views


def learning_rate(progress: float, step: int, peak: float) -> float:
    """Cosine from `peak` to a hundredth of it as `progress` goes from 0 to 1, after a linear warm-up."""
    return peak * min(1, (step + 1) / WARM_UP_STEPS) * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * min(1, progress))))


@torch.no_grad()
def follow(average: nn.Module, net: nn.Module, step: int) -> None:
    """Move the averaged weights a little toward the net's."""
    keep = min(EMA_DECAY, (step + 1) / (step + 10))
    for slow, fast in zip(average.state_dict().values(), net.state_dict().values()):
        if slow.is_floating_point():
            slow.lerp_(fast, 1 - keep)
        else:
            slow.copy_(fast)


def train_step(
    net: MatteNet,
    retelling: Retelling,
    optimiser: torch.optim.Optimizer,
    rgb: torch.Tensor,
    alpha: torch.Tensor,
    views: Views,
) -> tuple[float, float]:
    """One step on uint8 N x S x S x 3 pictures, N x S x S alphas and the teachers' views of the first of them; returns
    the matte's loss and the retelling's."""
    image = (rgb.permute(0, 3, 1, 2).float() / 255).contiguous(memory_format=torch.channels_last)
    with torch.autocast("cpu", torch.bfloat16):
        features = net.encode(image)
        outputs = net.decode(*features)
        told = retelling(*features[3:], views)
    loss = matte_loss(outputs, alpha[:, None].float() / 255)
    optimiser.zero_grad(set_to_none=True)
    (loss + TEACHERS_SHARE * told).backward()
    nn.utils.clip_grad_norm_(net.parameters(), 2.0)
    optimiser.step()
    return loss.item(), told.item()


class Run:
    """The net, its average and its optimiser, with what is needed to go on."""

    def __init__(self, out: pathlib.Path, peak: float, start: pathlib.Path | None = None):
        torch.manual_seed(SEED)
        self.path = out / "checkpoint.pt"
        self.peak = peak
        self.net = MatteNet().to(memory_format=torch.channels_last).train()
        if start:
            self.net.load_state_dict(torch.load(start))
        self.retelling = Retelling(*WIDTHS[3:]).train()
        learned = [*self.net.parameters(), *self.retelling.parameters()]
        self.optimiser = torch.optim.AdamW(learned, lr=peak, weight_decay=WEIGHT_DECAY)
        self.average = copy.deepcopy(self.net).eval()
        self.step, self.seconds = 0, 0.0
        if self.path.exists():
            saved = torch.load(self.path)
            self.net.load_state_dict(saved["net"])
            self.average.load_state_dict(saved["average"])
            self.retelling.load_state_dict(saved["retelling"])
            self.optimiser.load_state_dict(saved["optimiser"])
            self.step, self.seconds = saved["step"], saved["seconds"]

    def save(self) -> None:
        """Write the checkpoint whole or not at all."""
        state = {
            "net": self.net.state_dict(),
            "average": self.average.state_dict(),
            "retelling": self.retelling.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "step": self.step,
            "seconds": self.seconds,
        }
        torch.save(state, partial := self.path.with_suffix(".partial"))
        os.replace(partial, self.path)


def train(run: Run, batches: torch.utils.data.DataLoader, given: argparse.Namespace, validation: list) -> None:
    """Steps until they, or the minutes, are used up; saves and validates every few minutes."""
    mark = saved_at = time.monotonic()
    recent: list[tuple[float, float]] = []
    for rgb, alpha, views in batches:
        progress = max(run.step / given.steps, run.seconds / 60 / given.minutes)
        if progress >= 1:
            break
        for group in run.optimiser.param_groups:
            group["lr"] = learning_rate(progress, run.step, run.peak)
        recent.append(train_step(run.net, run.retelling, run.optimiser, rgb, alpha, views))
        follow(run.average, run.net, run.step)
        run.step += 1
        now = time.monotonic()
        run.seconds, mark = run.seconds + min(now - mark, 30), now
        if run.step % 50 == 0:
            matte, told = np.mean(recent, 0)
            print(f"step {run.step} loss {matte:.4f} retelling {told:.4f} at {run.seconds / 60:.1f} min", flush=True)
            recent.clear()
        if now - saved_at > 60 * given.every:
            run.save()
            figures = mean_figures(validation, lambda rgb: alpha_of(run.average, rgb))
            print(json.dumps({"step": run.step, "side": rgb.shape[1], **figures}), flush=True)
            saved_at = time.monotonic()
    run.save()
    matte, told = np.mean(recent, 0).round(4).tolist() if recent else (None, None)
    print(json.dumps({"steps": run.step, "loss": matte, "retelling": told}), flush=True)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--shared", type=pathlib.Path, required=True)
    options.add_argument("--labels", type=pathlib.Path, required=True)
    options.add_argument("--out", type=pathlib.Path, required=True)
    options.add_argument("--start", type=pathlib.Path, help="weights to begin with, such as checkpoint.pt here")
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
            scenes += strips(picture)
    run = Run(given.out, given.peak, given.start)
    sides = [int(side) for side in given.sides.split(",")]
    batches = torch.utils.data.DataLoader(
        Batches(Composer(pictures, scenes), Onlookers(given.shared), given.batch, sides, given.steps, run.step),
        batch_size=None,
        num_workers=given.workers,
        prefetch_factor=4 if given.workers else 2,
    )
    validation = load_pictures(given.shared, given.labels, held_out=True)
    print(json.dumps({"from_step": run.step, "pictures": len(pictures), "scenes": len(scenes)}), flush=True)
    train(run, batches, given, validation)


if __name__ == "__main__":
    main()
