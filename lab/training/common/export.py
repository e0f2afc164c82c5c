"""Writes a net as ONNX (opset 13) whose weights are stored as float16.

The graph computes in float32: a Cast follows each stored weight, and runtimes fold it when they load the file. So the
file is half as large, and no device needs float16 arithmetic.
"""

import hashlib
import pathlib
from typing import Any, Callable

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn

OPSET = 13
SMALL = 64


def store_as_float16(model: onnx.ModelProto, is_exact: Callable[[np.ndarray], bool]) -> None:
    """Store every weight tensor of more than SMALL numbers as float16, and cast it back where it is used; those that
    must stay exact remain float32."""
    casts = []
    for tensor in model.graph.initializer:
        values = numpy_helper.to_array(tensor)
        if values.dtype != np.float32 or values.size <= SMALL or is_exact(values):
            continue
        name = tensor.name
        tensor.CopyFrom(numpy_helper.from_array(values.astype(np.float16), f"{name}.half"))
        casts.append(helper.make_node("Cast", [f"{name}.half"], [name], to=TensorProto.FLOAT))
    nodes = [*casts, *model.graph.node]
    del model.graph.node[:]
    model.graph.node.extend(nodes)


def export(
    net: nn.Module,
    example: torch.Tensor | tuple[torch.Tensor, ...],
    path: pathlib.Path,
    names: tuple[str, ...],
    axes: dict[str, dict[int, str]] | None = None,
    is_exact: Callable[[np.ndarray], bool] = lambda values: False,
) -> dict[str, Any]:
    """Write a net of one output to `path`, and return the facts for its card. `names` are those of its inputs, then of the output.

    `axes` names the dynamic axes of input and output.
    """
    torch.onnx.export(
        net.eval(),
        example,
        str(path),
        opset_version=OPSET,
        input_names=[*names[:-1]],
        output_names=[names[-1]],
        dynamic_axes=axes,
    )
    model = onnx.load(str(path))
    store_as_float16(model, is_exact)
    model.producer_name, model.producer_version = "darkroom", ""
    onnx.checker.check_model(model)
    onnx.save(model, str(path))
    written = path.read_bytes()
    return {
        "bytes": len(written),
        "sha256": hashlib.sha256(written).hexdigest(),
        "parameters": sum(weights.numel() for weights in net.parameters()),
    }
