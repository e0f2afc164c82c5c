"""Measures how well windows of 1.5 s tell speakers apart: the equal error of a network, and next to it that of a mere
average spectrum, the floor. trials.py makes the windows and says how they are compared.

Usage: python3 -m speakers.measure --trials WORK/trials.npz [--checkpoint RUN/checkpoint.pt] [--onnx speakers.onnx]
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


def measure(trials: dict[str, np.ndarray], embed: Embed, within_groups: bool = False) -> dict[str, float]:
    """Return the equal error of each kind of trials. With `within_groups`, windows are embedded group by group."""
    found = {}
    for kind in KINDS:
        if f"{kind}_bands" not in trials:
            continue
        bands, speakers, groups = (trials[f"{kind}_{part}"] for part in ("bands", "speakers", "groups"))
        bands = bands.astype(np.float32)
        pairs, own = compared(kind, speakers, groups)
        if within_groups and kind == "shared":
            parts = {group: np.flatnonzero(groups == group) for group in np.unique(groups)}
            scores = np.zeros(own.shape, np.float32)
            for places in parts.values():
                values = embed(bands[places])
                scores[np.ix_(places, places)] = values @ values.T
        else:
            values = embed(bands)
            scores = values @ values.T
        found[kind] = round(equal_error(scores[pairs], own[pairs]), 2)
    return found


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--trials", type=pathlib.Path, required=True)
    options.add_argument("--checkpoint", type=pathlib.Path, nargs="*", default=[])
    options.add_argument("--onnx", type=pathlib.Path)
    given = options.parse_args()
    torch.set_num_threads(1)
    trials = dict(np.load(given.trials))
    print(json.dumps({"floor": measure(trials, average_spectrum, within_groups=True)}))
    if given.onnx:
        graph = OnnxInTorch(str(given.onnx))
        print(json.dumps({given.onnx.name: measure(trials, lambda bands: in_batches(lambda x: graph(x.numpy()), bands))}))
    if given.checkpoint:
        net = SpeakerNet()
        net.load_state_dict(mean_weights(given.checkpoint))
        print(json.dumps({"checkpoint": measure(trials, lambda bands: in_batches(net.eval(), bands))}))


if __name__ == "__main__":
    main()
