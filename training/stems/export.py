"""Writes the averaged weights as ONNX (opset 13), its batch norms folded and its weights stored as float16.

The graph computes in float32: a Cast follows each stored weight, and runtimes fold it when they load the file.
Usage: export.py --checkpoint WORK/run/checkpoint.pt --out ../../models/weights/stems.onnx
"""

import argparse
import hashlib
import json
import pathlib

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper

from model import SEGMENT, StemsNet
from spectra import ROWS

OPSET = 13
SMALL = 64


def store_as_float16(model: onnx.ModelProto) -> None:
    """Store every weight tensor of more than SMALL numbers as float16, and cast it back where it is used."""
    casts = []
    for tensor in model.graph.initializer:
        values = numpy_helper.to_array(tensor)
        if values.dtype != np.float32 or values.size <= SMALL:
            continue
        name = tensor.name
        tensor.CopyFrom(numpy_helper.from_array(values.astype(np.float16), f"{name}.half"))
        casts.append(helper.make_node("Cast", [f"{name}.half"], [name], to=TensorProto.FLOAT))
    nodes = [*casts, *model.graph.node]
    del model.graph.node[:]
    model.graph.node.extend(nodes)


def export(net: StemsNet, path: pathlib.Path) -> dict[str, object]:
    """Write the net to `path` and return its facts."""
    torch.onnx.export(
        net.eval(),
        torch.ones(1, 2, SEGMENT, ROWS),
        str(path),
        opset_version=OPSET,
        input_names=["powers"],
        output_names=["masks"],
    )
    model = onnx.load(str(path))
    store_as_float16(model)
    model.producer_name, model.producer_version = "darkroom", ""
    onnx.checker.check_model(model)
    onnx.save(model, str(path))
    written = path.read_bytes()
    return {
        "bytes": len(written),
        "sha256": hashlib.sha256(written).hexdigest(),
        "parameters": sum(weights.numel() for weights in net.parameters()),
    }


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--checkpoint", type=pathlib.Path, required=True)
    options.add_argument("--out", type=pathlib.Path, required=True)
    given = options.parse_args()
    net = StemsNet()
    net.load_state_dict(torch.load(given.checkpoint, map_location="cpu")["average"])
    print(json.dumps(export(net, given.out)))


if __name__ == "__main__":
    main()
