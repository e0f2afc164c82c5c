"""Runs small ONNX graphs with torch, since Debian has no package of onnxruntime.

Supports only the operators of the teachers and of the product's own networks; others raise NotImplementedError.
"""

import numpy as np
import onnx
import torch
import torch.nn.functional as functional
from onnx import helper, numpy_helper


def _interpolation(size_in: int, size_out: int, mode: str) -> torch.Tensor:
    """Return the size_out x size_in matrix of linear interpolation, by ONNX `coordinate_transformation_mode`."""
    position = torch.arange(size_out, dtype=torch.float64)
    scale = size_in / size_out
    position = position * scale if mode == "asymmetric" else (position + 0.5) * scale - 0.5
    position = position.clamp(0, size_in - 1)
    low = position.floor().long()
    high = (low + 1).clamp(max=size_in - 1)
    weight = position - low
    matrix = torch.zeros(size_out, size_in, dtype=torch.float64)
    rows = torch.arange(size_out)
    matrix[rows, low] += 1 - weight
    matrix[rows, high] += weight
    return matrix.float()


def resize(x: torch.Tensor, height: int, width: int, mode: str) -> torch.Tensor:
    """Resize NCHW `x` bilinearly; `mode` is ONNX's "asymmetric" or "half_pixel"."""
    rows = _interpolation(x.shape[2], height, mode).to(x.dtype)
    columns = _interpolation(x.shape[3], width, mode).to(x.dtype)
    return rows @ x @ columns.T


def _convolve(x, weight, bias, attributes):
    if weight.dim() == 3:
        return functional.conv1d(functional.pad(x, attributes.get("pads", [0, 0])), weight, bias, dilation=attributes.get("dilations", [1]))
    top, left, bottom, right = attributes.get("pads", [0, 0, 0, 0])
    x = functional.pad(x, (left, right, top, bottom))
    # Dilation changes nothing for a single pixel, but spares it the slow routine that one thread gets for small
    # batches.
    single = tuple(weight.shape[2:]) == (1, 1)
    return functional.conv2d(
        x,
        weight,
        bias,
        stride=attributes.get("strides", [1, 1]),
        dilation=2 if single else attributes.get("dilations", [1, 1]),
        groups=attributes.get("group", 1),
    )


def _transpose_convolve(x, weight, bias, attributes):
    top, left, bottom, right = attributes.get("pads", [0, 0, 0, 0])
    whole = functional.conv_transpose2d(x, weight, bias, stride=attributes["strides"])
    return whole[:, :, top : whole.shape[2] - bottom, left : whole.shape[3] - right]


def _resize_node(x, sizes_or_scales, mode, nearest=False):
    # ONNX gives sizes as whole numbers, and scales as others.
    height, width = (float(v) for v in sizes_or_scales[2:])
    if sizes_or_scales.is_floating_point():
        height, width = height * x.shape[2], width * x.shape[3]
    if mode == "align_corners":
        return functional.interpolate(x, (round(height), round(width)), mode="bilinear", align_corners=True)
    if nearest:
        return functional.interpolate(x, (round(height), round(width)), mode="nearest")
    return resize(x, round(height), round(width), mode)


def _slice(x, starts, ends, axes=torch.tensor([0]), steps=torch.tensor([1])):
    for start, end, axis, step in zip(*(part.reshape(-1).tolist() for part in (starts, ends, axes, steps.expand(axes.shape)))):
        x = x[(slice(None),) * axis + (slice(start, end, step),)]
    return x


def _text(value, default):
    return value.decode() if isinstance(value, bytes) else default


OPERATORS = {
    "Add": lambda a, i: i[0] + i[1],
    "AveragePool": lambda a, i: functional.avg_pool2d(i[0], a["kernel_shape"], a["strides"]),
    "Cast": lambda a, i: i[0].float() if a["to"] == onnx.TensorProto.FLOAT else i[0].long(),
    "BatchNormalization": lambda a, i: functional.batch_norm(i[0], i[3], i[4], i[1], i[2], eps=a["epsilon"]),
    "Clip": lambda a, i: i[0].clamp(
        float(i[1]) if len(i) > 1 else a["min"], float(i[2]) if len(i) > 2 else a.get("max")
    ),
    "Concat": lambda a, i: torch.cat(i, a["axis"]),
    "ConstantOfShape": lambda a, i: torch.full([int(v) for v in i[0]], numpy_helper.to_array(a["value"]).item()),
    "Conv": lambda a, i: _convolve(i[0], i[1], i[2] if len(i) > 2 else None, a),
    "ConvTranspose": lambda a, i: _transpose_convolve(i[0], i[1], i[2] if len(i) > 2 else None, a),
    "Expand": lambda a, i: i[0].expand(torch.broadcast_shapes(i[0].shape, [int(v) for v in i[1]])),
    "Gather": lambda a, i: i[0].select(a.get("axis", 0), int(i[1])),
    "Gemm": lambda a, i: functional.linear(i[0], i[1] if a.get("transB") else i[1].T, i[2]),
    "GlobalAveragePool": lambda a, i: i[0].mean((2, 3), keepdim=True),
    "HardSigmoid": lambda a, i: (i[0] * a["alpha"] + a["beta"]).clamp(0, 1),
    "Identity": lambda a, i: i[0],
    "MaxPool": lambda a, i: functional.max_pool2d(i[0], a["kernel_shape"], a["strides"], a.get("pads", [0, 0])[:2]),
    "Max": lambda a, i: torch.maximum(*i),
    "Mul": lambda a, i: i[0] * i[1],
    "Div": lambda a, i: i[0] / i[1] if i[0].is_floating_point() else i[0] // i[1],
    "ReduceMean": lambda a, i: i[0].mean(a["axes"], keepdim=bool(a["keepdims"])),
    "ReduceMax": lambda a, i: i[0].amax(a["axes"], keepdim=bool(a["keepdims"])),
    "ReduceSum": lambda a, i: i[0].sum([int(v) for v in i[1]], keepdim=bool(a["keepdims"])),
    "Relu": lambda a, i: i[0].relu(),
    "Reshape": lambda a, i: i[0].reshape([int(v) for v in i[1]]),
    "Resize": lambda a, i: _resize_node(
        i[0], i[-1], _text(a.get("coordinate_transformation_mode"), "half_pixel"), a.get("mode") == b"nearest"
    ),
    "Shape": lambda a, i: torch.tensor(i[0].shape),
    "Sigmoid": lambda a, i: i[0].sigmoid(),
    "Slice": lambda a, i: _slice(*i),
    "Softmax": lambda a, i: i[0].softmax(a["axis"]),
    "Sqrt": lambda a, i: i[0].sqrt(),
    "Sub": lambda a, i: i[0] - i[1],
    "Tanh": lambda a, i: i[0].tanh(),
    "Transpose": lambda a, i: i[0].permute(a["perm"]),
    "Unsqueeze": lambda a, i: i[0].unsqueeze(int(i[1])),
    "Upsample": lambda a, i: _resize_node(i[0], i[1], "asymmetric"),
}


class OnnxInTorch:
    """Callable graph: maps input arrays, as the graph declares them, to its first output as a tensor.

    `cut` names intermediate values: `values` then returns these, and only the nodes that they depend on run.
    """

    def __init__(self, path: str, cut: tuple[str, ...] = ()):
        graph = onnx.load(path).graph
        self.nodes = [(n, {x.name: helper.get_attribute_value(x) for x in n.attribute}) for n in graph.node]
        self.constants = {t.name: torch.from_numpy(numpy_helper.to_array(t).copy()) for t in graph.initializer}
        self.inputs = [i.name for i in graph.input if i.name not in self.constants]
        self.outputs = cut or (graph.output[0].name,)
        self._prune_to(set(self.outputs))
        unknown = sorted({n.op_type for n, _ in self.nodes} - OPERATORS.keys() - {"Constant"})
        if unknown:
            raise NotImplementedError(f"{path}: operators {unknown}")
        self._fold()

    def _prune_to(self, wanted: set[str]) -> None:
        kept = []
        for node, attributes in reversed(self.nodes):
            if wanted & set(node.output):
                kept.append((node, attributes))
                wanted |= set(node.input)
        self.nodes = kept[::-1]

    def _fold(self) -> None:
        """Compute once what depends on constants alone, such as weights that are stored as bytes."""
        kept = []
        for node, attributes in self.nodes:
            if node.op_type == "Constant":
                self.constants[node.output[0]] = torch.from_numpy(numpy_helper.to_array(attributes["value"]).copy())
            elif all(name in self.constants for name in node.input if name):
                given = [self.constants[name] for name in node.input if name]
                self.constants[node.output[0]] = OPERATORS[node.op_type](attributes, given)
            else:
                kept.append((node, attributes))
        self.nodes = kept

    def __call__(self, *given: np.ndarray) -> torch.Tensor:
        return self.values(*given)[0]

    @torch.no_grad()
    def values(self, *given: np.ndarray) -> list[torch.Tensor]:
        arrays = zip(self.inputs, given, strict=True)
        values = {**self.constants, **{name: torch.from_numpy(np.ascontiguousarray(x, np.float32)) for name, x in arrays}}
        for node, attributes in self.nodes:
            values[node.output[0]] = OPERATORS[node.op_type](attributes, [values[name] for name in node.input if name])
        return [values[name] for name in self.outputs]
