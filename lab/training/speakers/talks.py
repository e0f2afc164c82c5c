"""What all made conversations share: the voices of the speakers held out, and how a conversation is written."""

import pathlib
import wave

import numpy as np

from speakers.data import HELD_OUT, read, speech_files
from speakers.fbank import SAMPLE_RATE

Segment = tuple[str, float, float]
"""Speaker, start and end in seconds."""
LOUDNESS = 0.05


def levelled(samples: np.ndarray) -> np.ndarray:
    """Return samples of one loudness."""
    return samples / (np.sqrt((samples**2).mean()) + 1e-9) * LOUDNESS


def utterances(shared: pathlib.Path) -> dict[str, list[np.ndarray]]:
    """Return the samples of each held-out speaker's files."""
    voices: dict[str, list[np.ndarray]] = {}
    for _, speaker, path in speech_files(shared):
        if speaker in HELD_OUT:
            voices.setdefault(speaker, []).append(levelled(read(path)))
    return voices


def joined(pieces: list[tuple[int, np.ndarray]], seconds: float) -> np.ndarray:
    """Return samples in which each piece begins at its place; what two say at once adds up."""
    samples = np.zeros(int(seconds * SAMPLE_RATE), np.float32)
    for start, piece in pieces:
        samples[start : start + len(piece)] += piece[: len(samples) - start]
    return samples


def write_talk(out: pathlib.Path, stem: str, samples: np.ndarray, segments: list[Segment]) -> None:
    """Write a conversation as a WAV file, with its RTTM file."""
    with wave.open(str(out / f"{stem}.wav"), "wb") as file:
        file.setparams((1, 2, SAMPLE_RATE, 0, "NONE", ""))
        file.writeframes((np.clip(samples, -1, 1) * 32767).astype("<i2").tobytes())
    lines = [f"SPEAKER {stem} 1 {start:.3f} {end - start:.3f} <NA> <NA> {name} <NA> <NA>" for name, start, end in segments]
    (out / f"{stem}.rttm").write_text("\n".join(lines) + "\n")
