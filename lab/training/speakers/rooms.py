"""Impulse responses of shoebox rooms by the image method (Allen and Berkley, JASA 1979)."""

import numpy as np

SPEED_OF_SOUND = 343.0
ORDER = 12
"""Reflections that are traced at most, along each axis."""


def reflection(size: np.ndarray, decay_seconds: float) -> float:
    """Return the walls' pressure reflection at which a room loses 60 dB in so many seconds, by Sabine's formula."""
    volume, surface = size.prod(), 2 * (size[0] * size[1] + size[1] * size[2] + size[0] * size[2])
    absorbed = min(0.95, 0.161 * volume / (surface * decay_seconds))
    return float(np.sqrt(1 - absorbed))


def impulse_response(size: np.ndarray, source: np.ndarray, microphone: np.ndarray, decay_seconds: float, rate: int) -> np.ndarray:
    """Return the response from a source to a microphone, both points in a room of a size, in metres.

    Its power is 1; the direct sound comes first.
    """
    wall = reflection(size, decay_seconds)
    numbers = np.arange(-ORDER, ORDER + 1)
    along = []
    for axis in range(3):
        even = 2 * numbers * size[axis] + source[axis] - microphone[axis]
        odd = 2 * numbers * size[axis] - source[axis] - microphone[axis]
        along.append((np.concatenate([even, odd]), np.concatenate([np.abs(2 * numbers), np.abs(2 * numbers - 1)])))
    distance = np.sqrt(
        along[0][0][:, None, None] ** 2 + along[1][0][None, :, None] ** 2 + along[2][0][None, None, :] ** 2
    ).ravel()
    count = (along[0][1][:, None, None] + along[1][1][None, :, None] + along[2][1][None, None, :]).ravel()
    delay = (distance - distance.min()) / SPEED_OF_SOUND * rate
    length = int(decay_seconds * rate)
    is_kept = delay < length - 1
    delay, strength = delay[is_kept], wall ** count[is_kept] / np.maximum(distance[is_kept], 0.1)
    whole = delay.astype(int)
    share = delay - whole
    response = np.bincount(whole, strength * (1 - share), length) + np.bincount(whole + 1, strength * share, length)
    return (response / np.sqrt((response**2).sum())).astype(np.float32)


def in_room(samples: np.ndarray, response: np.ndarray) -> np.ndarray:
    """Return the samples as heard through a response, as long as before."""
    size = len(samples) + len(response)
    return np.fft.irfft(np.fft.rfft(samples, size) * np.fft.rfft(response, size), size)[: len(samples)].astype(np.float32)
