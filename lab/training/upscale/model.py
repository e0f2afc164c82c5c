"""The upscalers: plain 3 x 3 convolutions at the size of the input, added to a bicubic enlargement.

Widths are multiples of 16: oneDNN and onnxruntime compute 16 channels at a time.
"""

import numpy as np
import torch
import torch.nn.functional as functional
from torch import nn

from upscale.imresize import imresize

LUMA = (0.299, 0.587, 0.114)
SLOPE = 0.1
BICUBIC_SIDE = 5


def _activate(x):
    return functional.leaky_relu(x, SLOPE, inplace=True)


def bicubic_kernels(scale: int) -> torch.Tensor:
    """Return scale² x 1 x 5 x 5 weights that give each pixel's scale x scale bicubically enlarged pixels."""
    kernels = np.empty((scale * scale, 1, 5, 5), np.float32)
    for y in range(5):
        for x in range(5):
            impulse = np.zeros((9, 9, 1), np.float32)
            impulse[y + 2, x + 2] = 1
            large = imresize(impulse, scale)[4 * scale : 5 * scale, 4 * scale : 5 * scale]
            kernels[:, 0, y, x] = large.ravel()
    return torch.from_numpy(kernels)


class Bicubic(nn.Module):
    """Bicubic enlargement as a convolution: runtimes resize by a cubic more slowly than they convolve."""

    def __init__(self, scale: int, planes: int):
        super().__init__()
        self.scale, self.planes = scale, planes
        self.register_buffer("kernels", bicubic_kernels(scale).repeat(planes, 1, 1, 1), persistent=False)

    def forward(self, image):
        padded = functional.pad(image, (2, 2, 2, 2), mode="replicate")
        return functional.pixel_shuffle(functional.conv2d(padded, self.kernels, groups=self.planes), self.scale)


class Merged(nn.Module):
    """A 3 x 3 convolution whose weights are the sum of several linear branches (Zhang et al., "ECBSR", ACM MM 2021).

    The branches are merged before each use, which costs nothing next to the convolution and leaves one to export.
    """

    def __init__(self, width: int):
        super().__init__()
        self.plain = nn.Conv2d(width, width, 3, 1, 1)
        self.expand = nn.Parameter(torch.randn(2 * width, width) / width**0.5)
        self.squeeze = nn.Parameter(torch.randn(width, 2 * width, 3, 3) * 0.1 / (18 * width) ** 0.5)
        self.edges = nn.Parameter(torch.randn(3, width, width) * 0.1 / width**0.5)
        sobel = torch.tensor([[1.0, 0, -1], [2, 0, -2], [1, 0, -1]]) / 8
        laplace = torch.tensor([[0.0, 1, 0], [1, -4, 1], [0, 1, 0]]) / 8
        self.register_buffer("masks", torch.stack([sobel, sobel.T, laplace]), persistent=False)
        self.register_buffer("identity", torch.eye(width)[:, :, None, None], persistent=False)

    def merged(self) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the weights and the bias of the one convolution."""
        weights = self.plain.weight + torch.einsum("omyx,mi->oiyx", self.squeeze, self.expand)
        weights = weights + torch.einsum("koi,kyx->oiyx", self.edges, self.masks)
        return weights + functional.pad(self.identity, (1, 1, 1, 1)), self.plain.bias

    def forward(self, x):
        return functional.conv2d(x, *self.merged(), padding=1)


class Residual(nn.Module):
    """Residual block of two convolutions, without batch norm (Lim et al., "EDSR", CVPRW 2017)."""

    def __init__(self, width: int):
        super().__init__()
        self.first = nn.Conv2d(width, width, 3, 1, 1)
        self.second = nn.Conv2d(width, width, 3, 1, 1)
        with torch.no_grad():
            self.second.weight.mul_(0.2)
            self.second.bias.zero_()

    def forward(self, x):
        return x + self.second(_activate(self.first(x)))


def _last(width: int, outputs: int) -> nn.Conv2d:
    """Return a last convolution that starts at zero: the first output is the bicubic enlargement."""
    last = nn.Conv2d(width, outputs, 3, 1, 1)
    nn.init.zeros_(last.weight)
    nn.init.zeros_(last.bias)
    return last


class FineUpscaler(nn.Module):
    """Maps RGB 0..1, N x 3 x H x W, to N x 3 x scale H x scale W, not clipped."""

    planes = 3

    def __init__(self, scale: int, width: int = 48, blocks: int = 6):
        super().__init__()
        self.scale = scale
        self.bicubic = Bicubic(scale, 3)
        self.first = nn.Conv2d(3, width, 3, 1, 1)
        self.blocks = nn.Sequential(*(Residual(width) for _ in range(blocks)))
        self.last = _last(width, 3 * scale * scale)

    def correction(self, image):
        """Return what is added to the bicubic enlargement."""
        features = self.first(image - 0.5)
        return functional.pixel_shuffle(self.last(_activate(self.blocks(features) + features)), self.scale)

    def forward(self, image):
        return self.bicubic(image) + self.correction(image)


class FastUpscaler(nn.Module):
    """Doubles luma 0..1, N x 1 x H x W with even H and W, to N x 1 x 2H x 2W, not clipped.

    It computes at half the input's size: four times fewer positions with twice the channels take the same
    multiplications and half the memory traffic.
    """

    planes, scale = 1, 2

    def __init__(self, width: int = 32, layers: int = 4):
        super().__init__()
        self.bicubic = Bicubic(2, 1)
        self.first = nn.Conv2d(1, width, 6, 2, 2)
        self.layers = nn.ModuleList(Merged(width) for _ in range(layers))
        self.last = _last(width, 16)

    def correction(self, luma):
        """Return what is added to the bicubic enlargement."""
        features = _activate(self.first(luma - 0.5))
        for layer in self.layers:
            features = _activate(layer(features))
        return functional.pixel_shuffle(self.last(features), 4)

    def forward(self, luma):
        return self.bicubic(luma) + self.correction(luma)


class ColourFromLuma(nn.Module):
    """Applies a luma upscaler to RGB: all channels get luma's correction, so chroma is enlarged bicubically."""

    planes, scale = 3, 2

    def __init__(self, net: FastUpscaler):
        super().__init__()
        self.net = net
        self.bicubic = Bicubic(2, 3)
        self.register_buffer("luma", torch.tensor(LUMA).view(1, 3, 1, 1), persistent=False)

    def forward(self, image):
        return self.bicubic(image) + self.net.correction(functional.conv2d(image, self.luma))


NETS = {
    "fast-x2": FastUpscaler,
    "x2": lambda: FineUpscaler(2),
    "x4": lambda: FineUpscaler(4),
    "restore-x2": lambda: FineUpscaler(2),
}

# Nets that are trained to restore degraded images.
RESTORING = {"restore-x2"}


def to_luma(rgb: torch.Tensor) -> torch.Tensor:
    """Return N x 1 x H x W luma of N x 3 x H x W."""
    red, green, blue = LUMA
    return red * rgb[:, :1] + green * rgb[:, 1:2] + blue * rgb[:, 2:]


@torch.no_grad()
def enlarge(net: nn.Module, rgb: np.ndarray) -> np.ndarray:
    """Return a uint8 H x W x 3 image enlarged by the net. Odd sides are repeated at the edge for the fast one."""
    height, width = rgb.shape[:2]
    if net.planes == 1:
        net = ColourFromLuma(net)
    image = torch.from_numpy(np.ascontiguousarray(rgb)).permute(2, 0, 1)[None].float() / 255
    image = functional.pad(image, (0, width % 2, 0, height % 2), mode="replicate")
    large = net(image)[0, :, : height * net.scale, : width * net.scale]
    return (large.clamp(0, 1) * 255).round().byte().permute(1, 2, 0).numpy()
