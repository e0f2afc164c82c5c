"""Lets a batch of crops be heard through channels: rooms, microphones, noises, codecs, narrow lines.

All of it is done to powers of bands rather than to samples, which costs next to nothing: powers of independent sounds add
up, and an echo is a decaying tail of power. Each crop has its own channel.
"""

import numpy as np

from speakers.fbank import BANDS

Chance = np.random.Generator
FLOOR = -16.0
"""Power of what a narrow recording lacks, in nepers below the loudest."""
LEAST = 1e-7
ECHOES = (0.03, 1.5)
"""Power of the first moment of a tail next to the sound's own: from a near voice's to a far one's."""
SHARES = {"echo": 0.6, "noise": 0.7, "codec": 0.4, "narrow": 0.35, "masks": 0.35}
"""Shares of the crops that have each kind of disturbance."""


def smooth_curves(chance: Chance, count: int, size: float) -> np.ndarray:
    """Return random responses over the bands, count x BANDS, smooth, as microphones have them, in nepers of power."""
    knots = chance.normal(0, size, (count, 6))
    at = np.linspace(0, 5, BANDS)
    low = np.minimum(at.astype(int), 4)
    share = at - low
    return (knots[:, low] * (1 - share) + knots[:, low + 1] * share).astype(np.float32)


def with_echo(chance: Chance, powers: np.ndarray) -> np.ndarray:
    """Return powers with tails that decay by 60 dB in 0.2 to 0.9 s, from those of near voices to those of far ones."""
    count, frames, _ = powers.shape
    decay = np.exp(-13.8 * 0.01 / chance.uniform(0.2, 0.9, (count, 1))).astype(np.float32)
    level = np.exp(chance.uniform(*np.log(ECHOES), (count, 1))).astype(np.float32)
    result = powers.copy()
    tail = np.zeros((count, BANDS), np.float32)
    for at in range(1, frames):
        tail = decay * (tail + level * powers[:, at - 1])
        result[:, at] += tail
    return result


def with_noise(chance: Chance, powers: np.ndarray, noise: np.ndarray) -> np.ndarray:
    """Return powers with those of a noise of another microphone, 1 to 6 nepers below."""
    noise = noise * np.exp(smooth_curves(chance, len(noise), 0.5))[:, None]
    loudness = [np.log(of.sum(axis=2) + LEAST).mean(axis=1) for of in (powers, noise)]
    gain = np.exp(loudness[0] - loudness[1] - chance.uniform(1, 6, len(noise))).astype(np.float32)
    return powers + noise * gain[:, None, None]


def coded(chance: Chance, powers: np.ndarray) -> np.ndarray:
    """Return powers with the noise that a codec leaves below the neighbouring bands of the same moment."""
    around = np.maximum(powers, np.maximum(np.roll(powers, 2, axis=2), np.roll(powers, -2, axis=2)))
    depth = chance.uniform(1.5, 5, (len(powers), 1, 1)).astype(np.float32)
    return powers + around * np.exp(0.5 * chance.standard_normal(powers.shape, np.float32) - depth)


def make_narrow(chance: Chance, bands: np.ndarray) -> None:
    """Take the upper bands from a recording, and from a telephone's the lowest, too."""
    first, floor = int(chance.integers(52, BANDS)), bands.max() + FLOOR
    bands[:, first:] = floor
    if first < 64 and chance.random() < 0.5:
        bands[:, : int(chance.integers(3, 9))] = floor


def mask(chance: Chance, bands: np.ndarray) -> None:
    """Let some neighbouring bands, and some moments, say nothing (SpecAugment, Interspeech 2019)."""
    means = bands.mean(axis=0)
    low, wide = chance.integers(0, BANDS - 10), chance.integers(2, 11)
    bands[:, low : low + wide] = means[low : low + wide]
    start, long = chance.integers(0, len(bands) - 20), chance.integers(4, 21)
    bands[start : start + long] = means


def heard(chance: Chance, bands: np.ndarray, noises: np.ndarray) -> np.ndarray:
    """Return crops, count x frames x BANDS, as other microphones in other rooms, over other lines, would have recorded them.

    `noises` are as many and as long.
    """
    chosen = {kind: np.flatnonzero(chance.random(len(bands)) < share) for kind, share in SHARES.items()}
    powers = np.exp(np.minimum(bands, 60))
    powers[chosen["echo"]] = with_echo(chance, powers[chosen["echo"]])
    powers *= np.exp(smooth_curves(chance, len(bands), 0.7))[:, None]
    noisy = chosen["noise"]
    powers[noisy] = with_noise(chance, powers[noisy], np.exp(noises[noisy]))
    powers[chosen["codec"]] = coded(chance, powers[chosen["codec"]])
    result = np.log(powers + LEAST)
    for at in chosen["narrow"]:
        make_narrow(chance, result[at])
    for at in chosen["masks"]:
        mask(chance, result[at])
    return result
