"""Spectra of the stems network: which bins of a short-time Fourier transform it sees, and how they make up rows.

A row is one bin up to FINE, above it a band that widens by a constant factor, of which at most three bins are looked at.
"""

import numpy as np
import torch

SAMPLE_RATE = 44100
WINDOW = 4096
HOP = 1024
BINS = WINDOW // 2 + 1
ROWS = 384
FINE = 200
GROWTH = 0.019727
"""Relative growth of the rows' width above FINE: the last row ends at the last bin."""
HANN = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(WINDOW) / WINDOW)


def row_edges() -> np.ndarray:
    """Return the ROWS + 1 borders of the rows, in bins."""
    beyond = np.maximum(0, np.arange(ROWS + 1) - FINE)
    return np.minimum(np.arange(ROWS + 1), FINE) + np.expm1(beyond * GROWTH) / GROWTH


def seen_bins() -> np.ndarray:
    """Return the bins of each row, ROWS x 3; narrow rows repeat theirs."""
    edges = row_edges()
    places = np.array([1, 3, 5]) / 6
    bins = edges[:-1, None] + places * (edges[1:] - edges[:-1])[:, None]
    return np.minimum(np.floor(bins), BINS - 1).astype(int)


SEEN, ROW_OF = np.unique(seen_bins(), return_inverse=True)
SEEN_OF_ROW = ROW_OF.reshape(ROWS, 3)


def stft(samples: np.ndarray) -> np.ndarray:
    """Return the seen bins of stereo samples, N x 2, as frames x 2 x len(SEEN)."""
    samples = np.pad(samples, ((0, max(0, WINDOW - len(samples))), (0, 0)))
    frames = torch.from_numpy(np.ascontiguousarray(samples.T, np.float32)).unfold(1, WINDOW, HOP)
    spectra = torch.fft.rfft(frames * torch.from_numpy(HANN.astype(np.float32)))[:, :, torch.from_numpy(SEEN)]
    return spectra.transpose(0, 1).contiguous().numpy()


def to_rows(products: np.ndarray) -> np.ndarray:
    """Return the mean over each row's bins of ... x len(SEEN): ... x ROWS."""
    return products[..., SEEN_OF_ROW].mean(axis=-1)
