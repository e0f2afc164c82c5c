"""Measures a published segmentation (pyannote's segmentation-3.0, MIT) as overlap_train.py measures our network, on the same mixtures.

Needs the package onnxruntime.
Usage: python3 -m speakers.overlap_teacher --data WORK --segmentation pyannote-segmentation-3.0.int8.onnx [--ours overlap.onnx]
"""

import argparse
import json
import pathlib

import numpy as np
import onnxruntime

from speakers.data import HELD_OUT
from speakers.fbank import HOP, SAMPLE_RATE, fbank
from speakers.overlap_mixtures import CROP, STRIDE, Mixtures, shares_of
from speakers.overlap_train import ECHOED, chances, scored

HEARD = 10 * SAMPLE_RATE
STEP, FIRST = 270, 495
"""Samples from one output to the next, and to the middle of the first."""
LOUDNESS = 0.05
TOGETHER = slice(4, 7)
"""Classes in which two speak."""


class Segmentation:
    """Samples of a crop -> logits that two speak, of each label. It hears the crop again and again until its 10 s are full."""

    def __init__(self, path: pathlib.Path):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        self.input = self.session.get_inputs()[0].name

    def __call__(self, samples: np.ndarray) -> np.ndarray:
        levelled = samples / (samples.std() + 1e-9) * LOUDNESS
        given = np.resize(levelled, HEARD).astype(np.float32)
        said = np.exp(self.session.run(None, {self.input: given[None, None]})[0][0])
        together = said[:, TOGETHER].sum(axis=1) / said.sum(axis=1)
        middles = (np.arange(0, CROP, STRIDE) + STRIDE / 2) * HOP
        share = np.interp(middles, FIRST + STEP * np.arange(len(together)), together).clip(1e-6, 1 - 1e-6)
        return np.log(share / (1 - share))


class Bundled:
    """Samples of a crop -> logits that two speak, of each label, by an export of ours."""

    def __init__(self, path: pathlib.Path):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])

    def __call__(self, samples: np.ndarray) -> np.ndarray:
        said = self.session.run(None, {"bands": fbank(samples)[None]})[0][0].astype(np.float64).clip(1e-6, 1 - 1e-6)
        return np.log(said / (1 - said))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--data", type=pathlib.Path, required=True)
    options.add_argument("--segmentation", type=pathlib.Path, required=True)
    options.add_argument("--ours", type=pathlib.Path)
    options.add_argument("--tested", type=int, default=100)
    given = options.parse_args()
    mixtures = Mixtures(given.data, HELD_OUT)
    judges = {"segmentation": Segmentation(given.segmentation), **({"ours": Bundled(given.ours)} if given.ours else {})}
    for name, echoed in ECHOED.items():
        made = [mixtures.sound(chance, mixtures.tested, echoed) for chance in chances(given.tested)]
        truth = np.concatenate([shares_of(speaking)[0] for _, speaking in made])
        for judge, judged in judges.items():
            print(json.dumps({"of": judge, "on": name, **scored(np.concatenate([judged(sound) for sound, _ in made]), truth)}))


if __name__ == "__main__":
    main()
