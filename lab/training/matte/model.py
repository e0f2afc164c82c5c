"""The matte model: a U-shaped network of plain 3 x 3 convolutions, with side outputs for training.

Plain (not depthwise) convolutions: they run close to the arithmetic peak of every processor and provider.
"""

import cv2
import numpy as np
import torch
import torch.nn.functional as functional
from torch import nn

from matte.heard import SHAPES, Heard, HeardNets

WIDTHS = (16, 32, 64, 128, 128)
MEAN, DEVIATION = 0.45, 0.25
THINGS_DEVIATION = 3
SIDE = 320


class Convolution(nn.Module):
    """3 x 3 convolution, batch norm, ReLU."""

    def __init__(self, inputs: int, outputs: int, stride: int = 1):
        super().__init__()
        self.weight = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.norm = nn.BatchNorm2d(outputs)

    def forward(self, x):
        return functional.relu(self.norm(self.weight(x)), inplace=True)


class Residual(nn.Module):
    """Residual block of two convolutions, the second one dilated."""

    def __init__(self, width: int, dilation: int = 1):
        super().__init__()
        self.first = Convolution(width, width)
        self.second = nn.Conv2d(width, width, 3, 1, dilation, dilation, bias=False)
        self.norm = nn.BatchNorm2d(width)

    def forward(self, x):
        return functional.relu(x + self.norm(self.second(self.first(x))), inplace=True)


class GlobalContext(nn.Module):
    """Adds features of the global mean to every position."""

    def __init__(self, width: int):
        super().__init__()
        self.mix = nn.Conv2d(width, width, 1)

    def forward(self, x):
        return x + functional.relu(self.mix(x.mean((2, 3), keepdim=True)))


def _double(x):
    return functional.interpolate(x, scale_factor=2, mode="nearest")


def _stretch(x, like):
    return functional.interpolate(x, size=like.shape[-2:], mode="bilinear", align_corners=False)


class MatteNet(nn.Module):
    """Maps RGB 0..1, N x 3 x H x W with sides that are multiples of 32, to logits at half the resolution.

    `forward` returns the logits at 1/2, then the side outputs at 1/4, 1/8, 1/16 (training only).
    """

    def __init__(self):
        super().__init__()
        a, b, c, d, e = WIDTHS
        self.stage1 = Convolution(3 + 1, a, 2)
        self.stage2 = nn.Sequential(Convolution(a, b, 2), Residual(b))
        self.stage3 = nn.Sequential(Convolution(b, c, 2), Residual(c), Residual(c))
        self.stage4 = nn.Sequential(Convolution(c, d, 2), Residual(d), Residual(d, 2))
        people, things, kinds = (SHAPES[name][0] for name in ("people_features", "things", "kinds"))
        # See common/onnx_in_torch.py for the dilation.
        self.known_people = nn.Conv2d(people, e, 1, bias=False, dilation=2)
        self.known_things = nn.Conv2d(things + kinds, d, 1, bias=False, dilation=2)
        self.stage5 = nn.Sequential(Convolution(d, e, 2), Residual(e, 2), Residual(e, 4), GlobalContext(e))
        self.lateral5, self.lateral4 = nn.Conv2d(e, 96, 1), nn.Conv2d(d, 96, 1)
        self.lateral3, self.lateral2 = nn.Conv2d(c, 64, 1), nn.Conv2d(b, 32, 1)
        self.lateral1 = nn.Conv2d(a, 16, 1)
        self.up4, self.up3 = Convolution(96, 64), Convolution(64, 32)
        self.up2, self.up1 = Convolution(32, 16), Convolution(16, 16)
        self.out = nn.Conv2d(16, 1, 3, 1, 1)
        self.sides = nn.ModuleList([nn.Conv2d(n, 1, 3, 1, 1) for n in (16, 32, 64)])

    def grow_from(self, state: dict[str, torch.Tensor]) -> None:
        """Take over the weights of a net that hears less. What it lacks changes nothing at first."""
        first = "stage1.weight.weight"
        more = self.stage1.weight.in_channels - state[first].shape[1]
        grown = functional.pad(state[first], (0, 0, 0, 0, 0, more))
        lacking = self.load_state_dict({**state, first: grown}, strict=False).missing_keys
        for name in lacking:
            nn.init.zeros_(self.get_parameter(name))

    def encode(self, image, heard: Heard):
        """Return the features of the five stages, at 1/2 to 1/32. `heard` is what `HeardNets` says of the image."""
        opacity, people, things, kinds = heard
        first = self.stage1(torch.cat([(image - MEAN) / DEVIATION, _stretch(opacity, image) - 0.5], 1))
        second = self.stage2(first)
        third = self.stage3(second)
        fourth = self.stage4[0](third)
        known = torch.cat([_stretch(things, fourth), _stretch(kinds, fourth)], 1) / THINGS_DEVIATION
        fourth = self.stage4[1:](fourth + self.known_things(known))
        fifth = self.stage5[0](fourth)
        return first, second, third, fourth, self.stage5[1:](fifth + self.known_people(_stretch(people, fifth)))

    def decode(self, first, second, third, fourth, fifth):
        """Map the features of `encode` to logits at 1/2 and, in training, the side outputs."""
        at16 = self.up4(_double(self.lateral5(fifth)) + self.lateral4(fourth))
        at8 = self.up3(_double(at16) + self.lateral3(third))
        at4 = self.up2(_double(at8) + self.lateral2(second))
        at2 = self.up1(_double(at4) + self.lateral1(first))
        if not self.training:
            return [self.out(at2)]
        return [self.out(at2), *(side(x) for side, x in zip(self.sides, (at4, at8, at16)))]

    def forward(self, image, heard: Heard):
        return self.decode(*self.encode(image, heard))


class Matte(nn.Module):
    """Exported model: maps an image, 0..1, and what `HeardNets` says of it to alpha of the same size, 0..1."""

    def __init__(self, net: MatteNet):
        super().__init__()
        self.net = net

    def forward(self, image, *heard):
        logits = self.net(image, heard)[0]
        return torch.sigmoid(functional.interpolate(logits, scale_factor=2, mode="bilinear", align_corners=False))


@torch.no_grad()
def alpha_of(net: MatteNet, nets: HeardNets, rgb: np.ndarray, side: int = SIDE) -> np.ndarray:
    """Predict alpha 0..1 at the size of a uint8 image, which is stretched to `side` x `side` for the net."""
    small = cv2.resize(rgb, (side, side), interpolation=cv2.INTER_AREA)
    image = torch.from_numpy(small).permute(2, 0, 1)[None].float() / 255
    alpha = Matte(net)(image, *nets(image))[0, 0].numpy()
    return cv2.resize(alpha, rgb.shape[1::-1], interpolation=cv2.INTER_LINEAR)
