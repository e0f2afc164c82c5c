"""Trains one upscaler, and resumes from the checkpoint in --out.

The learning rate follows a cosine over --steps or --minutes of training, whichever ends first. More of either with a
finished checkpoint and --restart begins a new cosine from the averaged weights.
Usage: python3 -m upscale.train --net fast-x2 --data WORK/data --shared SHARED --out WORK/fast-x2 [--steps 60000] [--minutes 25]
"""

import argparse
import copy
import json
import pathlib

import cv2
import numpy as np
import torch
import torch.nn.functional as functional
from torch import nn

from common.arithmetic import fast_arithmetic
from common.averaging import update_average
from common.run import Limits, Run, train
from common.schedule import learning_rate, set_rate
from common.stored_weights import stored_weights
from upscale.data import Crops, training_images
from upscale.degrade import DegradedCrops, degrade
from upscale.metrics import figures, pair
from upscale.model import NETS, RESTORING, enlarge, to_luma
from upscale.rules import WithDrawings, WithGrey
from upscale.sharpness import sharpness

SEED = 20261122
EMA_DECAY = 0.999
WARM_UP_STEPS = 200
COLOUR_WEIGHT = 0.3
GRADIENT_WEIGHT = 0.5
CONTRAST_WEIGHT = 0.5
CONTRAST_SIDE = 5
PRINT_EVERY = 250


def to_tensor(pixels: np.ndarray) -> torch.Tensor:
    """Return uint8 N x H x W x 3 as float N x 3 x H x W of 0..1, its channels last in memory."""
    return torch.from_numpy(pixels).permute(0, 3, 1, 2).float() / 255


def gradients(plane: torch.Tensor) -> torch.Tensor:
    """Return N x 2 x H-1 x W-1 differences to the next column and row of N x 1 x H x W."""
    here = plane[:, :, :-1, :-1]
    return torch.cat([plane[:, :, :-1, 1:] - here, plane[:, :, 1:, :-1] - here], 1)


def sharpness_loss(result: torch.Tensor, truth: torch.Tensor) -> torch.Tensor:
    """Return the errors of the gradients of luma and of their mean strength around each pixel.

    Where a detail is uncertain, the first two kinds of mean absolute error settle for a blurred one; the strength of
    gradients doesn't, and it rewards no detail at a wrong place, because the other errors grow.
    """
    found, wanted = gradients(result), gradients(truth)
    strength = [functional.avg_pool2d(g.abs(), CONTRAST_SIDE, 1) for g in (found, wanted)]
    return GRADIENT_WEIGHT * functional.l1_loss(found, wanted) + CONTRAST_WEIGHT * functional.l1_loss(*strength)


def loss_of(net: nn.Module, small: torch.Tensor, truth: torch.Tensor, sharpness_weight: float) -> torch.Tensor:
    """Return the mean absolute error of luma, plus for a net that makes colours that of RGB and a share of the loss of
    sharpness."""
    with torch.no_grad():
        luma = to_luma(truth)
        if net.planes == 1:
            small = to_luma(small)
        enlarged = net.bicubic(small)
    with fast_arithmetic():
        correction = net.correction(small)
    result = enlarged + correction.float()
    if net.planes == 1:
        return functional.l1_loss(result, luma)
    made = to_luma(result)
    error = functional.l1_loss(made, luma) + COLOUR_WEIGHT * functional.l1_loss(result, truth)
    return error + sharpness_weight * sharpness_loss(made, luma) if sharpness_weight else error


class UpscaleRun(Run):
    """State of a training run: net, averaged weights, optimiser, progress, and the batches drawn over all cosines."""

    counts = ("step", "seconds", "samples")

    def __init__(self, given: argparse.Namespace):
        torch.manual_seed(SEED)
        self.peak, self.restores, self.samples = given.peak, given.net in RESTORING, 0
        self.sharpness_weight = 1.0 if self.restores else given.sharpness
        self.net = NETS[given.net]().to(memory_format=torch.channels_last)
        path = given.out / "checkpoint.pt"
        if path.exists() and given.restart:
            saved = torch.load(path)
            self.net.load_state_dict(saved["average"])
            self.samples = saved["samples"]
        elif given.start and not path.exists():
            shapes = {name: weights.shape for name, weights in self.net.named_parameters()}
            is_exported = given.start.suffix == ".onnx"
            initial = (stored_weights(given.start) if is_exported else torch.load(given.start)["average"]).items()
            self.net.load_state_dict({k: v for k, v in initial if shapes.get(k) == v.shape}, strict=False)
        self.optimiser = torch.optim.Adam(self.net.parameters(), lr=given.peak, betas=(0.9, 0.99))
        self.average = copy.deepcopy(self.net)
        super().__init__(given.out, {"net": self.net, "average": self.average, "optimiser": self.optimiser})
        if not given.restart:
            self.resume()

    def advance(self, small: torch.Tensor, truth: torch.Tensor, progress: float) -> dict[str, float]:
        """Take one step and return its loss."""
        set_rate(self.optimiser, learning_rate(progress, self.step, self.peak, WARM_UP_STEPS))
        loss = loss_of(self.net, small, truth, self.sharpness_weight)
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.optimiser.step()
        update_average(self.average, self.net, self.step, EMA_DECAY)
        self.samples += 1
        return {"loss": loss.item()}


def held_out_figures(net: nn.Module, images: list[np.ndarray], restores: bool) -> dict[str, float]:
    """Return the mean PSNR and gradient error of luma over uint8 images, degraded in turn for a net that restores."""
    pairs = [pair(image, net.scale) for image in images]
    if restores:
        random = np.random.default_rng(SEED)
        pairs = [(truth, degrade(small, random)) for truth, small in pairs]
    found = []
    for truth, small in pairs:
        large = enlarge(net, small)
        found.append((figures(truth, large, net.scale)[0], sharpness(truth, large, net.scale).gradient_error))
    psnr, gradient_error = np.mean(found, 0)
    return {"psnr": round(float(psnr), 3), "gradient_error": round(float(gradient_error), 3)}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--net", choices=NETS, required=True)
    options.add_argument("--data", type=pathlib.Path, required=True)
    options.add_argument("--shared", type=pathlib.Path, required=True)
    options.add_argument("--out", type=pathlib.Path, required=True)
    options.add_argument("--start", type=pathlib.Path, help="checkpoint or exported file with the first weights, where they fit")
    options.add_argument("--restart", action="store_true", help="begin a new cosine from the averaged weights")
    options.add_argument("--steps", type=int, default=60000)
    options.add_argument("--minutes", type=float, default=25)
    options.add_argument("--every", type=float, default=4, help="minutes between checkpoints")
    options.add_argument("--batch", type=int, default=16)
    options.add_argument("--side", type=int, default=48, help="side of the small crops")
    options.add_argument("--peak", type=float, default=1e-3)
    options.add_argument("--sharpness", type=float, default=0, help="weight of the loss of sharpness; a net that restores has 1")
    given = options.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    run = UpscaleRun(given)
    held_out = list(training_images(given.shared, held_out=True))
    print(json.dumps({"net": given.net, "from_step": run.step, "minutes": run.seconds / 60}), flush=True)
    crops = WithDrawings(Crops(given.data, NETS[given.net]().scale))
    drawn = WithGrey(DegradedCrops(crops) if run.restores else crops)
    batch = lambda: map(to_tensor, drawn.batch(SEED, run.samples, given.batch, given.side))
    train(
        run,
        Limits(given.steps, given.minutes, given.every, PRINT_EVERY),
        lambda progress: run.advance(*batch(), progress),
        lambda: held_out_figures(run.average, held_out, run.restores),
    )


if __name__ == "__main__":
    main()
