"""Writes the averaged weights as ONNX (opset 13), with folded batch norms and weights stored as float16.

The graph computes in float32: a Cast follows each stored weight, and runtimes fold it when they load the file. So the
file is half as large, no device needs float16 arithmetic, and alpha differs from float32 by less than 1/255.
Several checkpoints of one run are averaged (Wortsman et al., "Model soups", ICML 2022).
Usage: export.py --checkpoint CHECKPOINT [CHECKPOINT ...] --out FOLDER
"""

import argparse
import hashlib
import json
import pathlib

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper

from model import SIDE, Matte, MatteNet
from onnx_in_torch import OnnxInTorch

OPSET = 13
BYTES_MAX = 4_000_000
SMALL = 64


def averaged(checkpoints: list[pathlib.Path]) -> MatteNet:
    """Return the mean of the averaged weights in checkpoints of train.py, or in files with only such weights."""
    saved = [torch.load(checkpoint) for checkpoint in checkpoints]
    states = [one.get("average", one) for one in saved]
    mean = dict(states[-1])
    for name, values in mean.items():
        if values.is_floating_point():
            mean[name] = sum(state[name] for state in states) / len(states)
    net = MatteNet()
    net.load_state_dict(mean)
    return net.eval()


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


def export(net: MatteNet, path: pathlib.Path) -> dict[str, object]:
    """Write the net to `path` and return the facts for its card. Raises ValueError when the file is too large."""
    whole = Matte(net).eval()
    dynamic = {2: "height", 3: "width"}
    torch.onnx.export(
        whole,
        torch.zeros(1, 3, SIDE, SIDE),
        str(path),
        opset_version=OPSET,
        input_names=["image"],
        output_names=["alpha"],
        dynamic_axes={"image": dynamic, "alpha": dynamic},
    )
    model = onnx.load(str(path))
    store_as_float16(model)
    model.producer_name, model.producer_version = "darkroom", ""
    onnx.checker.check_model(model)
    onnx.save(model, str(path))
    written = path.read_bytes()
    if len(written) > BYTES_MAX:
        raise ValueError(f"{path} has {len(written)} bytes, of at most {BYTES_MAX}. Reduce WIDTHS")
    image = np.random.default_rng(1).random((1, 3, SIDE, SIDE), np.float32)
    with torch.no_grad():
        wrong = (OnnxInTorch(str(path))(image) - whole(torch.from_numpy(image))).abs().max().item()
    return {
        "bytes": len(written),
        "sha256": hashlib.sha256(written).hexdigest(),
        "parameters": sum(p.numel() for n, p in net.named_parameters() if not n.startswith("sides")),
        "difference_from_float32": round(wrong, 6),
    }


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--checkpoint", type=pathlib.Path, required=True, nargs="+")
    options.add_argument("--out", type=pathlib.Path, required=True, help="folder for matte.onnx and checkpoint.pt")
    given = options.parse_args()
    net = averaged(given.checkpoint)
    given.out.mkdir(parents=True, exist_ok=True)
    torch.save(net.state_dict(), given.out / "checkpoint.pt")
    print(json.dumps(export(net, given.out / "matte.onnx")))


if __name__ == "__main__":
    main()
