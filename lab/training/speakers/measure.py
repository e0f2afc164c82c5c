"""Measures how well windows of 1.5 s tell speakers apart: the equal error of a network, and next to it that of a mere
average spectrum, the floor. trials.py makes the windows and says how they are compared.

Usage: python3 -m speakers.measure --trials WORK/trials.npz [--checkpoint RUN/checkpoint.pt] [--onnx speakers.onnx] [--teacher]
"""

import argparse
import json
import pathlib
from typing import Callable

import numpy as np
import torch

from common.averaging import mean_weights
from common.onnx_in_torch import OnnxInTorch
from speakers.model import SpeakerNet
from speakers.teacher import Teacher

KINDS = ("shared", "random", "sessions")
BATCH = 64
Embed = Callable[[np.ndarray], np.ndarray]


def average_spectrum(bands: np.ndarray) -> np.ndarray:
    """Return the mean and deviation of each band, N x 2 BANDS, in units of their spread over all windows, of length 1."""
    values = np.concatenate([bands.mean(axis=1), bands.std(axis=1)], axis=1)
    values = (values - values.mean(axis=0)) / (values.std(axis=0) + 1e-6)
    return values / np.linalg.norm(values, axis=1, keepdims=True)


@torch.no_grad()
def in_batches(net: Callable[[torch.Tensor], torch.Tensor], bands: np.ndarray) -> np.ndarray:
    """Return the embeddings of windows."""
    parts = [net(torch.from_numpy(bands[at : at + BATCH])) for at in range(0, len(bands), BATCH)]
    return torch.cat(parts).numpy()


def equal_error(scores: np.ndarray, own: np.ndarray) -> float:
    """Return the error rate at which false matches and false rejections are equally frequent, in percent."""
    order = np.argsort(-scores, kind="stable")
    matched = np.cumsum(own[order]) / own.sum()
    false = np.cumsum(~own[order]) / (~own).sum()
    at = int(np.argmin(np.abs((1 - matched) - false)))
    return float(100 * (1 - matched[at] + false[at]) / 2)


def compared(kind: str, speakers: np.ndarray, groups: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return which pairs of windows are compared, and which of all are of one speaker."""
    own = speakers[:, None] == speakers[None]
    together = groups[:, None] == groups[None]
    pairs = np.triu(np.ones_like(own), 1)
    return pairs & (together if kind == "shared" else ~(own & together) if kind == "sessions" else pairs), own


def centred(values: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """Return embeddings without the mean of their group, of length 1: so the clustering compares those of a recording."""
    result = values.copy()
    for group in np.unique(groups):
        result[groups == group] -= values[groups == group].mean(axis=0)
    return result / np.linalg.norm(result, axis=1, keepdims=True)


def measure(trials: dict[str, np.ndarray], embed: Embed, within_groups: bool = False, heard: str = "bands") -> dict[str, float]:
    """Return the equal error of each kind of trials, and that of conversations without their means.

    With `within_groups`, windows are embedded conversation by conversation.
    """
    found = {}
    for kind in KINDS:
        if f"{kind}_{heard}" not in trials:
            continue
        bands, speakers, groups = (trials[f"{kind}_{part}"] for part in (heard, "speakers", "groups"))
        bands = bands.astype(np.float32)
        pairs, own = compared(kind, speakers, groups)
        parts = [groups == group for group in np.unique(groups)] if within_groups and kind == "shared" else [np.ones(len(bands), bool)]
        places = np.argsort(np.concatenate([np.flatnonzero(part) for part in parts]))
        values = np.concatenate([embed(bands[part]) for part in parts])[places]
        scores = values @ values.T
        found[kind] = round(equal_error(scores[pairs], own[pairs]), 2)
        if kind == "shared":
            values = centred(values, groups)
            found["centred"] = round(equal_error((values @ values.T)[pairs], own[pairs]), 2)
    return found


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--trials", type=pathlib.Path, required=True)
    options.add_argument("--checkpoint", type=pathlib.Path, nargs="*", default=[])
    options.add_argument("--onnx", type=pathlib.Path)
    options.add_argument("--teacher", action="store_true", help="measure the teacher, too")
    given = options.parse_args()
    torch.set_num_threads(1)
    trials = dict(np.load(given.trials))
    print(json.dumps({"floor": measure(trials, average_spectrum, within_groups=True)}))
    if given.onnx:
        graph = OnnxInTorch(str(given.onnx))
        print(json.dumps({given.onnx.name: measure(trials, lambda bands: in_batches(lambda x: graph(x.numpy()), bands))}))
    if given.teacher:
        print(json.dumps({"teacher": measure(trials, lambda mels: in_batches(Teacher(), mels), heard="mels")}))
    if given.checkpoint:
        net = SpeakerNet()
        net.load_state_dict(mean_weights(given.checkpoint))
        print(json.dumps({"checkpoint": measure(trials, lambda bands: in_batches(net.eval(), bands))}))


if __name__ == "__main__":
    main()
