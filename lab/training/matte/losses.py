"""Losses: cross entropy and IoU (weighted near edges), structure, gradients, absolute error and Laplacian pyramid.

Edge-weighted cross entropy and intersection over union: Wei, Wang, Huang, "F3Net", AAAI 2020.
Structure: Wang et al., SSIM, 2004, used for saliency by Qin et al., "BASNet", CVPR 2019.
"""

import torch
import torch.nn.functional as functional

SIDE_SHARE = 0.4
LEVELS = 3


def _mean(x: torch.Tensor, side: int) -> torch.Tensor:
    """Return means over `side` x `side` windows clipped by the border, by columns and then rows, which is cheaper."""
    reach = side // 2
    columns = functional.avg_pool2d(x, (side, 1), 1, (reach, 0), count_include_pad=False)
    return functional.avg_pool2d(columns, (1, side), 1, (0, reach), count_include_pad=False)


def _structure(alpha: torch.Tensor, truth: torch.Tensor, known: torch.Tensor) -> torch.Tensor:
    """Return 1 - mean SSIM over 7 x 7 windows around known pixels."""
    a, t = _mean(alpha, 7), _mean(truth, 7)
    a_variance, t_variance = _mean(alpha**2, 7) - a**2, _mean(truth**2, 7) - t**2
    both = _mean(alpha * truth, 7) - a * t
    small, smaller = 0.01**2, 0.03**2
    ssim = (2 * a * t + small) * (2 * both + smaller)
    ssim = ssim / ((a**2 + t**2 + small) * (a_variance + t_variance + smaller))
    return _mean_of_known(1 - ssim, known)


def _edges(alpha: torch.Tensor, truth: torch.Tensor, known: torch.Tensor) -> torch.Tensor:
    """Return the mean absolute difference of the horizontal and vertical gradients between known pixels."""
    wrong = alpha - truth
    along = (wrong[..., 1:] - wrong[..., :-1]).abs()
    down = (wrong[..., 1:, :] - wrong[..., :-1, :]).abs()
    return _mean_of_known(along, known[..., 1:] * known[..., :-1]) + _mean_of_known(down, known[..., 1:, :] * known[..., :-1, :])


def _pyramid(alpha: torch.Tensor, truth: torch.Tensor, known: torch.Tensor) -> torch.Tensor:
    """Return the mean absolute error of known pixels plus that of the bands of a Laplacian pyramid of three levels."""
    wrong = (alpha - truth) * known
    total = _mean_of_known(wrong.abs(), known)
    for _ in range(LEVELS):
        smaller, known_below = functional.avg_pool2d(wrong, 2), functional.avg_pool2d(known, 2)
        band = wrong - functional.interpolate(smaller, scale_factor=2, mode="bilinear", align_corners=False)
        total = total + _mean_of_known(band.abs(), known)
        wrong, known = smaller, known_below
    return total


def _mean_of_known(values: torch.Tensor, known: torch.Tensor) -> torch.Tensor:
    return (values * known).sum() / known.sum().clamp(min=1)


def region_loss(logits: torch.Tensor, truth: torch.Tensor, known: torch.Tensor) -> torch.Tensor:
    """Return cross entropy plus soft IoU loss of known pixels, weighted up to six-fold where a pixel differs from its
    surroundings."""
    window = max(3, truth.shape[-1] // 10 | 1)
    weight = (1 + 5 * (_mean(truth, window) - truth).abs()) * known
    entropy = functional.binary_cross_entropy_with_logits(logits, truth, reduction="none")
    entropy = (weight * entropy).sum((2, 3)) / weight.sum((2, 3)).clamp(min=1)
    alpha = logits.sigmoid()
    both = (weight * torch.minimum(alpha, truth)).sum((2, 3))
    either = (weight * torch.maximum(alpha, truth)).sum((2, 3))
    least = 0.01 * truth.shape[-1] * truth.shape[-2]
    return (entropy + 1 - (both + least) / (either + least)).mean()


def matte_loss(outputs: list[torch.Tensor], truth: torch.Tensor, known: torch.Tensor) -> torch.Tensor:
    """Return the loss of the main output (at 1/2) and the side outputs against `truth`, N x 1 x H x W, 0..1, where it is
    `known`, 0..1."""
    total = torch.zeros(())
    for index, logits in enumerate(outputs):
        logits = logits.float()
        size = truth.shape[-1] // logits.shape[-1]
        target, trusted = functional.avg_pool2d(truth, size), functional.avg_pool2d(known, size)
        part = region_loss(logits, target, trusted)
        if index == 0:
            alpha = logits.sigmoid()
            total = total + part + 0.5 * _structure(alpha, target, trusted) + _edges(alpha, target, trusted)
            total = total + _pyramid(alpha, target, trusted)
        else:
            total = total + SIDE_SHARE * part
    return total
