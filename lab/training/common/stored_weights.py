"""Reads the weights of a net back from the ONNX file that export.py wrote, so that a training can go on from what ships."""

import pathlib

import onnx
import torch
from onnx import numpy_helper

HALF = ".half"


def stored_weights(path: pathlib.Path) -> dict[str, torch.Tensor]:
    """Return the weights by their names in the net, as float32. Those stored as float16 keep its 11 bits.

    Raises FileNotFoundError when there is no such file.
    """
    graph = onnx.load(str(path)).graph
    return {
        tensor.name.removesuffix(HALF): torch.from_numpy(numpy_helper.to_array(tensor).copy()).float()
        for tensor in graph.initializer
    }
