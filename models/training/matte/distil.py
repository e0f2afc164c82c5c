"""What the teachers see in a sample, and how well the network's deep features tell it.

Features of a teacher as targets: Romero et al., "FitNets", ICLR 2015; soft classes: Hinton et al., 2015.
"""

import pathlib

import numpy as np
import torch
import torch.nn.functional as functional
from torch import nn

from teachers import deeplab, selfie

DEEPLAB_WIDTH, DEEPLAB_CLASSES, SELFIE_WIDTH = 160, 21, 128
CLASS_SHARE = 0.5
Views = tuple[torch.Tensor, ...]


class Onlookers:
    """The teachers, cut open before their own outputs are brought up to the picture's size."""

    def __init__(self, shared: pathlib.Path):
        last_block = "MobilenetV2/expanded_conv_16/project/BatchNorm/FusedBatchNorm"
        self.deeplab = deeplab(shared, (last_block, "logits/semantic/BiasAdd"))
        self.selfie = selfie(shared, ("multiply_6:0", "activation_10_raw_output___4:0"))

    def views(self, rgb: np.ndarray) -> Views:
        """Of N x S x S x 3 uint8: DeepLab's features (N x 160 x 33 x 33) and classes (N x 21 x 33 x 33, shares), the
        selfie network's features (N x 128 x 16 x 16) and people (N x 1 x 32 x 32, 0..1)."""
        with torch.autocast("cpu", torch.bfloat16):
            features, logits = self.deeplab.see(rgb)
            human_features, human = self.selfie.see(rgb)
        side = self.selfie.side
        people = functional.avg_pool2d(human.float().reshape(-1, 1, side, side), 8)
        return features.float(), logits.float().softmax(1), human_features.float(), people


class Retelling(nn.Module):
    """Tells the teachers' views from the two deepest stages, by one matrix: what it can't tell, they must learn."""

    def __init__(self, fourth: int, fifth: int):
        super().__init__()
        self.parts = (DEEPLAB_WIDTH, DEEPLAB_CLASSES, SELFIE_WIDTH, 1)
        self.tell = nn.Conv2d(fourth + fifth, sum(self.parts), 1)
        self.deeplab_scale = nn.BatchNorm2d(DEEPLAB_WIDTH, affine=False, momentum=0.02)
        self.selfie_scale = nn.BatchNorm2d(SELFIE_WIDTH, affine=False, momentum=0.02)

    def forward(self, fourth: torch.Tensor, fifth: torch.Tensor, views: Views) -> torch.Tensor:
        """The loss of the first N samples, those the teachers saw."""
        count, size = len(views[0]), fourth.shape[-2:]
        deep = torch.cat([fourth, functional.interpolate(fifth, size=size, mode="nearest")], 1)[:count]
        features, classes, human_features, people = self.tell(deep).float().split(self.parts, 1)
        targets = [functional.interpolate(view, size=size, mode="area") for view in views]
        return (
            functional.mse_loss(features, self.deeplab_scale(targets[0]))
            - CLASS_SHARE * (targets[1] * classes.log_softmax(1)).sum(1).mean()
            + functional.mse_loss(human_features, self.selfie_scale(targets[2]))
            + CLASS_SHARE * functional.binary_cross_entropy_with_logits(people, targets[3].clamp(0, 1))
        )
