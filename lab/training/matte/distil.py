"""Distillation: the deep features of the model learn to predict the features and classes of the teachers.

Features of a teacher as targets: Romero et al., "FitNets", ICLR 2015; soft classes: Hinton et al., 2015.
"""

import pathlib

import numpy as np
import torch
import torch.nn.functional as functional
from torch import nn

from common.arithmetic import fast_arithmetic
from matte.teachers import deeplab, selfie, u2netp

DEEPLAB_WIDTH, DEEPLAB_CLASSES, SELFIE_WIDTH, GENERAL_WIDTH = 160, 21, 128, 64
CLASS_SHARE = 0.5
Targets = tuple[torch.Tensor, ...]


class GeneralTeacher:
    """U-2-Net-p up to its third decoder stage: what is left out costs nearly half of its time and refines outlines only."""

    def __init__(self, shared: pathlib.Path):
        self.net = u2netp(shared, ("t618", "t636", "t730"))

    def targets(self, rgb: np.ndarray) -> Targets:
        """Return for N x S x S x 3 uint8: features at 1/16 and 1/8 of 320 (N x 64 x 20 x 20, N x 64 x 40 x 40) and subjects
        (N x 1 x 40 x 40, 0..1)."""
        with fast_arithmetic():
            deep, middle, subjects = self.net.run(rgb)
        return deep.float(), middle.float(), functional.avg_pool2d(subjects.float().sigmoid(), 8)


class TeacherFeatures:
    """The teachers, up to the features before their outputs are resized to the image."""

    def __init__(self, shared: pathlib.Path):
        last_block = "MobilenetV2/expanded_conv_16/project/BatchNorm/FusedBatchNorm"
        self.deeplab = deeplab(shared, (last_block, "logits/semantic/BiasAdd"))
        self.selfie = selfie(shared, ("multiply_6:0", "activation_10_raw_output___4:0"))

    def targets(self, rgb: np.ndarray) -> Targets:
        """Return for N x S x S x 3 uint8: features (N x 160 x 33 x 33) and class shares (N x 21 x 33 x 33) of DeepLab,
        features (N x 128 x 16 x 16) and people (N x 1 x 32 x 32, 0..1) of the selfie model."""
        features, logits = self.deeplab.run(rgb)
        human_features, human = self.selfie.run(rgb)
        side = self.selfie.side
        people = functional.avg_pool2d(human.float().reshape(-1, 1, side, side), 8)
        return features.float(), logits.float().softmax(1), human_features.float(), people


class DistillationHead(nn.Module):
    """Predicts the targets of the teachers from the two deepest stages by one 1 x 1 convolution, for training only."""

    def __init__(self, fourth: int, fifth: int):
        super().__init__()
        self.parts = (DEEPLAB_WIDTH, DEEPLAB_CLASSES, SELFIE_WIDTH, 1, GENERAL_WIDTH, GENERAL_WIDTH, 1)
        self.predict = nn.Conv2d(fourth + fifth, sum(self.parts), 1, dilation=2)  # See common/onnx_in_torch.py for the dilation.
        self.deeplab_scale = nn.BatchNorm2d(DEEPLAB_WIDTH, affine=False, momentum=0.02)
        self.selfie_scale = nn.BatchNorm2d(SELFIE_WIDTH, affine=False, momentum=0.02)
        self.general_scales = nn.ModuleList([nn.BatchNorm2d(GENERAL_WIDTH, affine=False, momentum=0.02) for _ in range(2)])

    def forward(self, fourth: torch.Tensor, fifth: torch.Tensor, targets: Targets) -> torch.Tensor:
        """Return the loss of the first N samples, for which there are targets."""
        count, size = len(targets[0]), fourth.shape[-2:]
        deep = torch.cat([fourth, functional.interpolate(fifth, size=size, mode="nearest")], 1)[:count]
        features, classes, human_features, people, *general = self.predict(deep).float().split(self.parts, 1)
        resized = [functional.interpolate(target, size=size, mode="area") for target in targets]
        return (
            functional.mse_loss(features, self.deeplab_scale(resized[0]))
            - CLASS_SHARE * (resized[1] * classes.log_softmax(1)).sum(1).mean()
            + functional.mse_loss(human_features, self.selfie_scale(resized[2]))
            + CLASS_SHARE * functional.binary_cross_entropy_with_logits(people, resized[3].clamp(0, 1))
            + functional.mse_loss(general[0], self.general_scales[0](resized[4]))
            + functional.mse_loss(general[1], self.general_scales[1](resized[5]))
            + 2 * CLASS_SHARE * functional.binary_cross_entropy_with_logits(general[2], resized[6].clamp(0, 1))
        )
