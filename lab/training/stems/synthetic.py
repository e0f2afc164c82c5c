"""Electronic kicks, basses and leads. Kicks and basses both fill the lowest octaves; only how they sound over time tells
them apart."""

import numpy as np

SAMPLE_RATE = 44100
BASS_SECONDS = 4

Sound = np.ndarray
"""Stereo samples, N x 2."""


def kick(chance: np.random.Generator) -> Sound:
    """Return a sine that falls in pitch and dies away, with a click at its start.

    A third of the kicks ring as a bass does.
    """
    fall, attack = chance.uniform(0.008, 0.06), chance.uniform(0.0005, 0.02)
    decay = chance.uniform(0.3, 0.7) if chance.random() < 1 / 3 else chance.uniform(0.04, 0.3)
    low = chance.uniform(35, 75)
    high = low + chance.uniform(20, 300)
    time = np.arange(int(6 * decay * SAMPLE_RATE)) / SAMPLE_RATE
    phase = 2 * np.pi * np.cumsum(low + (high - low) * np.exp(-time / fall)) / SAMPLE_RATE
    body = np.sin(phase) * np.exp(-time / decay) * np.minimum(1, time / attack)
    drive = chance.uniform(0.5, 4)
    click = chance.normal(0, 1, len(time)) * np.exp(-time / 0.003) * chance.uniform(0, 0.3)
    return as_stereo(np.tanh(drive * body) / np.tanh(drive) + click, chance.uniform(0.7, 2))


def bass(chance: np.random.Generator) -> Sound:
    """Return a held note of a sum of harmonics, some of them swelling or dying slowly."""
    time = np.arange(BASS_SECONDS * SAMPLE_RATE) / SAMPLE_RATE
    pitch, slope = chance.uniform(36, 90), chance.uniform(0.6, 3)
    out = np.zeros_like(time)
    for harmonic in range(1, int(chance.integers(2, 24))):
        brightness = np.exp(-time * harmonic / chance.uniform(0.5, 20))
        out += np.sin(2 * np.pi * pitch * harmonic * time + chance.uniform(0, 6)) * harmonic**-slope * brightness
    envelope = np.minimum(1, time / chance.uniform(0.002, 0.05)) * np.exp(-time / chance.uniform(0.4, 8))
    return as_stereo(out * envelope, 1)


def lead(chance: np.random.Generator) -> Sound:
    """Return a held note of several saws, a little apart in pitch and place, through a filter that opens and closes."""
    time = np.arange(BASS_SECONDS * SAMPLE_RATE) / SAMPLE_RATE
    pitch, voices = chance.uniform(110, 520), int(chance.integers(1, 6))
    spread, cut, sweep = chance.uniform(0, 0.012), chance.uniform(0.3, 6), chance.uniform(0.1, 3)
    out = np.zeros((len(time), 2))
    for voice in range(voices):
        own, side = pitch * (1 + spread * chance.normal()), chance.uniform(-1, 1) * (voices > 1)
        for harmonic in range(1, min(28, int(16000 / own)) + 1):
            bright = harmonic ** -chance.uniform(0.9, 1.1) / (1 + (harmonic / (1 + cut * 6 * np.exp(-time / sweep))) ** 4)
            out += (np.sin(2 * np.pi * own * harmonic * time + chance.uniform(0, 6)) * bright)[:, None] * [1 - side, 1 + side]
    envelope = np.minimum(1, time / chance.uniform(0.003, 0.4)) * np.exp(-time / chance.uniform(0.3, 12))
    out *= envelope[:, None]
    return (out / np.abs(out).max()).astype(np.float32)


def as_stereo(samples: np.ndarray, gain: float) -> Sound:
    """Return samples on both channels, with a peak of the gain."""
    return np.repeat((samples * gain / np.abs(samples).max())[:, None], 2, axis=1).astype(np.float32)
