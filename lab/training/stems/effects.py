"""Effects of a recording: equaliser, compressor, distortion, chorus, delay and reverberation, all at random and of the same length.

They change how a track sounds, not when its notes come, so that tracks of one piece still fit each other.
"""

import numpy as np
import torch

from stems.sounds import fast_size

SAMPLE_RATE = 44100
BLOCK = 512
"""Samples of one value of a compressor's gain."""
CHANCES = {
    # Equaliser, compressor, distortion, chorus, delay, reverberation, mono.
    "vocals": (0.7, 0.6, 0.1, 0.2, 0.3, 0.7, 0.3),
    "drums": (0.7, 0.5, 0.15, 0.03, 0.05, 0.45, 0.25),
    "bass": (0.7, 0.5, 0.35, 0.15, 0.02, 0.1, 0.7),
    "other": (0.7, 0.3, 0.2, 0.25, 0.25, 0.5, 0.2),
}

Sound = np.ndarray
"""Stereo samples, N x 2."""


def affected(chance: np.random.Generator, samples: Sound, stem: str) -> Sound:
    """Return a track of a stem with some of the effects that such a track tends to have."""
    effects = (equalised, compressed, distorted, chorused, delayed, reverberated, narrowed)
    level = float(np.sqrt((samples**2).mean())) or 1.0
    out = samples / level
    for effect, likely in zip(effects, CHANCES[stem]):
        if chance.random() < likely:
            out = effect(chance, out)
    return (out * level).astype(np.float32)


def equalised(chance: np.random.Generator, samples: Sound) -> Sound:
    """Return samples through a smooth random curve, or without their lows or highs."""
    count = fast_size(len(samples))
    frequency = np.fft.rfftfreq(count, 1 / SAMPLE_RATE)
    octaves = np.log2(np.maximum(frequency, 20) / 20)
    decibels = np.interp(octaves, np.linspace(0, 10, 7), chance.normal(0, 4, 7))
    if chance.random() < 0.2:
        decibels -= 12 * np.maximum(0, octaves - chance.uniform(6.5, 9.5))
    if chance.random() < 0.15:
        decibels -= 12 * np.maximum(0, chance.uniform(1.5, 3.5) - octaves)
    return filtered(samples, (10 ** (decibels / 20))[:, None], count)


def filtered(samples: Sound, gains: np.ndarray | torch.Tensor, count: int) -> Sound:
    """Return samples whose spectrum, of `count` samples, is multiplied by gains."""
    spectrum = torch.fft.rfft(torch.from_numpy(samples.astype(np.float32)), count, dim=0)
    gains = torch.from_numpy(gains.astype(np.float32)) if isinstance(gains, np.ndarray) else gains
    return torch.fft.irfft(spectrum * gains, count, dim=0).numpy()[: len(samples)]


def compressed(chance: np.random.Generator, samples: Sound) -> Sound:
    """Return samples whose loud parts are lowered, with an attack and release of some blocks."""
    power = np.pad((samples**2).mean(axis=1), (0, -len(samples) % BLOCK)).reshape(-1, BLOCK).mean(axis=1)
    threshold, ratio = 10 ** (chance.uniform(-1.5, 0.3)), chance.uniform(0.3, 0.8)
    attack, release = chance.uniform(0.3, 1), chance.uniform(0.02, 0.2)
    followed, state = np.empty_like(power), 0.0
    for at, value in enumerate(power):
        state += (value - state) * (attack if value > state else release)
        followed[at] = state
    gains = np.maximum(1, followed / threshold) ** (-ratio / 2)
    return samples * np.interp(np.arange(len(samples)), np.arange(len(gains)) * BLOCK, gains)[:, None]


def distorted(chance: np.random.Generator, samples: Sound) -> Sound:
    """Return samples that are bent at their loudest, or hard."""
    drive, bias = 10 ** chance.uniform(-0.5, 1.2), chance.uniform(0, 0.3)
    bent = np.tanh(drive * samples + bias) - np.tanh(bias)
    return bent / np.sqrt((bent**2).mean() + 1e-9) * chance.uniform(0.7, 1) + samples * chance.uniform(0, 0.5)


def chorused(chance: np.random.Generator, samples: Sound) -> Sound:
    """Return samples with a copy whose delay swings, differently in both channels."""
    time = np.arange(len(samples))
    depth, rate, base = chance.uniform(20, 150), chance.uniform(0.2, 3), chance.uniform(200, 1200)
    out = samples.copy()
    for channel in range(2):
        swing = np.sin(2 * np.pi * rate * time / SAMPLE_RATE + channel * chance.uniform(0, np.pi))
        place = time - base - depth * swing
        out[:, channel] += chance.uniform(0.4, 0.9) * np.interp(place, time, samples[:, channel], left=0)
    return out * 0.75


def delayed(chance: np.random.Generator, samples: Sound) -> Sound:
    """Return samples with echoes that become weaker, maybe from side to side."""
    step, kept, crossed = int(SAMPLE_RATE * chance.uniform(0.08, 0.6)), chance.uniform(0.15, 0.5), chance.random() < 0.4
    out, echo = samples.copy(), samples
    for number in range(1, 5):
        echo = echo[:, ::-1] * kept if crossed else echo * kept
        if (start := number * step) < len(out):
            out[start:] += echo[: len(out) - start]
    return out


def reverberated(chance: np.random.Generator, samples: Sound) -> Sound:
    """Return samples in a room: noise that dies away, its highs sooner, with some early reflections."""
    seconds = float(np.exp(chance.uniform(np.log(0.15), np.log(3.0))))
    time = np.arange(int(min(seconds, 2.5) * SAMPLE_RATE)) / SAMPLE_RATE
    tail = chance.normal(0, 1, (len(time), 2)) * np.exp(-6.9 * time / seconds)[:, None]
    dull = np.cumsum(tail, axis=0)
    dull = (dull[40:] - dull[:-40]) / 6.3
    share = np.minimum(1, time[40:] / seconds * chance.uniform(0.5, 3))[:, None]
    tail = tail[40:] * (1 - share) + dull * share
    for _ in range(int(chance.integers(0, 7))):
        tail[int(chance.integers(0, 2000))] += chance.normal(0, 6, 2)
    tail = np.concatenate([np.zeros((int(SAMPLE_RATE * chance.uniform(0, 0.06)), 2)), tail])
    count = fast_size(len(samples) + len(tail))
    wet = filtered(samples, torch.fft.rfft(torch.from_numpy(tail.astype(np.float32)), count, dim=0), count)
    wet *= np.sqrt((samples**2).mean() / ((wet**2).mean() + 1e-9))
    return samples + wet * 10 ** (chance.uniform(-24, -4) / 20)


def narrowed(chance: np.random.Generator, samples: Sound) -> Sound:
    """Return samples with less difference between the channels, or none."""
    width = 0.0 if chance.random() < 0.6 else chance.uniform(0, 0.6)
    mid = samples.mean(axis=1, keepdims=True)
    return mid + (samples - mid) * width
