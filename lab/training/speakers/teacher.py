"""The speaker encoder of the package resemblyzer (Apache-2.0), as a teacher: its network, and the mel energies that it hears.

A long short-term memory of three layers, trained on thousands of voices by a generalised end-to-end loss (Wan et al., ICASSP
2018). Its weights are read where the package lies, and never become part of ours: what our networks learn is what it says of
the recordings in SOURCES.md.
"""

import pathlib
import sysconfig

import numpy as np
import torch
from torch import nn

from speakers.fbank import FRAME, HOP, SAMPLE_RATE, Change

MELS, HIDDEN, LAYERS, EMBEDDING = 40, 256, 3, 256
PARTIAL, PARTIAL_STEP = 160, 80
"""Frames that it hears at once, and from one hearing to the next."""
LOUDNESS = 10 ** (-30 / 20)
"""Root mean square of the samples that it is used to, at least."""
LINEAR_HZ, LINEAR_STEP, LOG_STEP = 1000.0, 200.0 / 3, np.log(6.4) / 27


def slaney_mel(hertz: np.ndarray) -> np.ndarray:
    """Return mel of frequencies in Hz, straight up to LINEAR_HZ and logarithmic above (Slaney's Auditory Toolbox)."""
    above = LINEAR_HZ / LINEAR_STEP + np.log(np.maximum(hertz, LINEAR_HZ) / LINEAR_HZ) / LOG_STEP
    return np.where(hertz < LINEAR_HZ, hertz / LINEAR_STEP, above)


def slaney_hertz(mel: np.ndarray) -> np.ndarray:
    """Return the frequencies in Hz of mel."""
    knee = LINEAR_HZ / LINEAR_STEP
    return np.where(mel < knee, mel * LINEAR_STEP, LINEAR_HZ * np.exp(LOG_STEP * (np.maximum(mel, knee) - knee)))


def filters() -> np.ndarray:
    """Return the triangles, FRAME / 2 + 1 bins x MELS, each of the area of one."""
    edges = slaney_hertz(np.linspace(0, slaney_mel(np.array(SAMPLE_RATE / 2)), MELS + 2))
    bins = np.linspace(0, SAMPLE_RATE / 2, FRAME // 2 + 1)[:, None]
    rising = (bins - edges[:-2]) / np.diff(edges)[:-1]
    falling = (edges[2:] - bins) / np.diff(edges)[1:]
    return (np.maximum(0, np.minimum(rising, falling)) * 2 / (edges[2:] - edges[:-2])).astype(np.float32)


FILTERS = filters()
WINDOW = (0.5 - 0.5 * np.cos(2 * np.pi * np.arange(FRAME) / FRAME)).astype(np.float32)


def mel_energies(samples: np.ndarray, change: Change | None = None) -> np.ndarray:
    """Return mel energies, not their logarithm, of float samples in -1..1 at 16 kHz: frames x MELS, the same frames as fbank's."""
    frames = np.lib.stride_tricks.sliding_window_view(samples.astype(np.float32), FRAME)[::HOP]
    spectrum = np.fft.rfft(frames * WINDOW)
    power = (spectrum.real**2 + spectrum.imag**2).astype(np.float32)
    return ((change(power) if change else power) @ FILTERS).astype(np.float32)


def loud_enough(samples: np.ndarray) -> np.ndarray:
    """Return samples at LOUDNESS where they are below it."""
    return samples * max(1.0, LOUDNESS / (float(np.sqrt(np.mean(samples**2))) + 1e-9))


class Teacher(nn.Module):
    """Mel energies N x T x MELS -> embeddings N x EMBEDDING of length 1, none of whose values is negative."""

    def __init__(self, weights: pathlib.Path | None = None):
        super().__init__()
        self.lstm = nn.LSTM(MELS, HIDDEN, LAYERS, batch_first=True)
        self.linear = nn.Linear(HIDDEN, EMBEDDING)
        weights = weights or pathlib.Path(sysconfig.get_paths()["purelib"]) / "resemblyzer/pretrained.pt"
        state = torch.load(weights, map_location="cpu")["model_state"]
        self.load_state_dict({name: values for name, values in state.items() if name.startswith(("lstm.", "linear."))})
        self.eval()

    @torch.no_grad()
    def forward(self, mels: torch.Tensor) -> torch.Tensor:
        _, (hidden, _) = self.lstm(mels)
        raw = torch.relu(self.linear(hidden[-1]))
        return raw / raw.norm(dim=1, keepdim=True).clamp(min=1e-9)
