"""MIDI files, and tracks of one-shots on a random grid."""

import pathlib
import struct
from typing import Callable

import numpy as np

SAMPLE_RATE = 44100
TICKS = 480
BARS = 16
SECONDS = 30
SCALES = ((0, 2, 4, 5, 7, 9, 11), (0, 2, 3, 5, 7, 8, 10))
BASSES = tuple(range(32, 40))
OTHERS = (0, 1, 4, 5, 6, 11, 16, 18, 19, 22, 24, 25, 26, 27, 28, 29, 30, 46, 48, 50, 56, 61, 62, 63, 65, 73, 80, 81, 88, 89, 90, 94)
KITS = (0, 8, 16, 24, 25, 26, 32, 40)

Note = tuple[float, float, int, int]
"""Start and length in beats, key, velocity."""


def variable_length(value: int) -> bytes:
    """Return MIDI's variable-length number."""
    parts = [value & 127]
    while value := value >> 7:
        parts.append(value & 127 | 128)
    return bytes(reversed(parts))


def write_midi(path: pathlib.Path, tempo: float, parts: list[tuple[int, int, int, list[Note]]]) -> None:
    """Write parts (channel, program, pan, notes) as a MIDI file of one track."""
    events: list[tuple[int, int, bytes]] = [(0, 0, b"\xff\x51\x03" + int(6e7 / tempo).to_bytes(3, "big"))]
    for channel, program, pan, notes in parts:
        events.append((0, 1, bytes([0xC0 | channel, program])))
        events.append((0, 1, bytes([0xB0 | channel, 10, pan])))
        for start, length, key, velocity in notes:
            key = min(120, max(12, key))
            events.append((int(start * TICKS), 3, bytes([0x90 | channel, key, velocity])))
            events.append((int((start + length) * TICKS), 2, bytes([0x80 | channel, key, 0])))
    body, at = b"", 0
    for tick, _, message in sorted(events):
        body += variable_length(tick - at) + message
        at = tick
    body += b"\x00\xff\x2f\x00"
    path.write_bytes(b"MThd" + struct.pack(">IHHH", 6, 0, 1, TICKS) + b"MTrk" + struct.pack(">I", len(body)) + body)


def one_shot_track(
    chance: np.random.Generator, stem: str, sounds: list[tuple[str, np.ndarray]], resample: Callable[[np.ndarray, float], np.ndarray]
) -> np.ndarray:
    """Return 30 s of one-shots: drums as patterns of some sounds, all else as notes of one or two sounds."""
    out = np.zeros((SECONDS * SAMPLE_RATE, 2), np.float32)
    step = SAMPLE_RATE * 15 / float(chance.uniform(75, 160))
    count = int(SECONDS * SAMPLE_RATE / step)
    chosen = [sounds[at][1] for at in chance.permutation(len(sounds))[: 7 if stem == "drums" else 2]]
    scale = np.array(SCALES[chance.integers(2)])
    for sound in chosen:
        pattern = chance.random(16) < (0.2 if stem == "drums" else 0.3)
        pattern[0] = True
        transposed = {0: sound} if stem == "drums" else {n: resample(sound[: 4 * SAMPLE_RATE], 2 ** (-n / 12)) for n in (int(x) for x in chance.choice([*scale, *(scale - 12)], 4))}
        keys, gain = list(transposed), float(chance.uniform(0.4, 1))
        for at in range(count):
            if not pattern[at % 16] or chance.random() < 0.1:
                continue
            start = int(at * step)
            played = transposed[keys[chance.integers(len(keys))]][: len(out) - start]
            if stem != "drums":
                played = faded(played[: int(step * chance.integers(2, 9))])
            out[start : start + len(played)] += played * gain * chance.uniform(0.7, 1)
    return out


def faded(sound: np.ndarray) -> np.ndarray:
    """Return a sound that ends without a click."""
    fade = min(len(sound), 2000)
    sound = sound.copy()
    sound[len(sound) - fade :] *= np.linspace(1, 0, fade)[:, None]
    return sound
