"""Reads, resamples and levels sounds, plays scores, and stores spectra."""

import pathlib
import subprocess

import numpy as np
import soundfile
import torch

from stems.spectra import HOP, SAMPLE_RATE, stft

LOUDNESS = 0.1


def fast_size(count: int) -> int:
    """Return the next multiple of 4096."""
    return -(-count // 4096) * 4096


def resample(samples: np.ndarray, factor: float) -> np.ndarray:
    """Return samples, N x C, stretched by a factor, through their spectrum."""
    samples = np.pad(samples, ((0, fast_size(len(samples)) - len(samples)), (0, 0)))
    count = int(round(len(samples) * factor / 4096)) * 4096 or 4096
    spectrum = torch.fft.rfft(torch.from_numpy(samples), dim=0)
    resized = torch.zeros(count // 2 + 1, samples.shape[1], dtype=spectrum.dtype)
    kept = min(len(spectrum), len(resized))
    resized[:kept] = spectrum[:kept]
    return (torch.fft.irfft(resized, count, dim=0) * (count / len(samples))).numpy()


def read(path: pathlib.Path, speed: float = 1.0) -> np.ndarray:
    """Return stereo samples of a file at 44.1 kHz, played at a speed."""
    samples, rate = soundfile.read(path, dtype="float32", always_2d=True)
    samples = np.repeat(samples, 2, axis=1) if samples.shape[1] == 1 else samples[:, :2]
    factor = SAMPLE_RATE / (rate * speed)
    return samples if abs(factor - 1) < 1e-6 else resample(samples, factor)


def levelled(samples: np.ndarray) -> np.ndarray:
    """Return samples whose audible part has the same loudness as that of every other track."""
    power = (samples**2).mean(axis=1)
    power = power[: len(power) // HOP * HOP].reshape(-1, HOP).mean(axis=1)
    audible = power[power > power.max(initial=0) * 1e-3]
    return samples * (LOUDNESS / max(1e-6, float(np.sqrt(audible.mean() if len(audible) else 0))))


def played(score: pathlib.Path, sound_font: pathlib.Path) -> np.ndarray:
    """Return a MIDI file played by FluidSynth."""
    wav = score.with_suffix(".wav")
    flags = ["-n", "-i", "-q", "-o", "synth.dynamic-sample-loading=1", "-r", str(SAMPLE_RATE), "-F", str(wav)]
    subprocess.run(["fluidsynth", *flags, str(sound_font), str(score)], check=True, capture_output=True)
    return read(wav)


def store(path: pathlib.Path, samples: np.ndarray) -> None:
    """Store a track's spectrum as float16, frames x 2 x bins x (real, imaginary)."""
    path.parent.mkdir(parents=True, exist_ok=True)
    spectrum = stft(samples)
    np.save(path, np.stack([spectrum.real, spectrum.imag], axis=-1).astype(np.float16))
