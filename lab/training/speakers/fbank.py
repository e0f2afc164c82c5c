"""Kaldi's filter bank as the kernel `models/operations/diarize/kernels/fbank.ts` computes it: 80 mel bands of frames of 25 ms, every 10 ms."""

from typing import Callable

import numpy as np

Change = Callable[[np.ndarray], np.ndarray]
"""What is done to the powers of frames, frames x bins that lie evenly from 0 Hz up, before they become bands."""

SAMPLE_RATE = 16000
FRAME, HOP, FFT = 400, 160, 512
BANDS = 80
LOWEST_HZ = 20.0
PRE_EMPHASIS = 0.97
FULL_SCALE = 32768.0
CHUNK_FRAMES = 6000


def mel(hertz: np.ndarray) -> np.ndarray:
    """Return mel of a frequency in Hz."""
    return 1127.0 * np.log(1.0 + hertz / 700.0)


def filters() -> np.ndarray:
    """Return the triangles, FFT / 2 bins x BANDS: straight on the mel scale; the bin of half the rate has no weight."""
    edges = np.linspace(mel(LOWEST_HZ), mel(SAMPLE_RATE / 2), BANDS + 2)
    bins = mel(np.arange(FFT // 2) * SAMPLE_RATE / FFT)[:, None]
    rising = (bins - edges[:-2]) / (edges[1:-1] - edges[:-2])
    falling = (edges[2:] - bins) / (edges[2:] - edges[1:-1])
    return np.maximum(0, np.minimum(rising, falling)).astype(np.float32)


FILTERS = filters()
WINDOW = (0.54 - 0.46 * np.cos(2 * np.pi * np.arange(FRAME) / (FRAME - 1))).astype(np.float32)


def powers(samples: np.ndarray) -> np.ndarray:
    """Return the powers of whole frames, frames x FFT / 2 bins, of float samples in -1..1 at 16 kHz."""
    frames = np.lib.stride_tricks.sliding_window_view(samples.astype(np.float32) * FULL_SCALE, FRAME)[::HOP].copy()
    frames -= frames.mean(axis=1, keepdims=True)
    frames[:, 1:] -= PRE_EMPHASIS * frames[:, :-1].copy()
    frames[:, 0] *= 1 - PRE_EMPHASIS
    spectrum = np.fft.rfft(frames * WINDOW, FFT)[:, : FFT // 2]
    return (spectrum.real**2 + spectrum.imag**2).astype(np.float32)


def bands_of(power: np.ndarray) -> np.ndarray:
    """Return log mel energies, frames x BANDS, of powers of frames."""
    return np.log(np.maximum(power @ FILTERS, np.finfo(np.float32).eps))


def fbank(samples: np.ndarray) -> np.ndarray:
    """Return log mel energies, frames x BANDS, of float samples in -1..1 at 16 kHz. Whole frames only."""
    count = max(0, 1 + (len(samples) - FRAME) // HOP)
    result = np.empty((count, BANDS), np.float32)
    for start in range(0, count, CHUNK_FRAMES):
        stop = min(count, start + CHUNK_FRAMES)
        result[start:stop] = bands_of(powers(samples[start * HOP : (stop - 1) * HOP + FRAME]))
    return result
