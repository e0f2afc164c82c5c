"""Random music: MIDI files for drums, bass and the rest, and tracks of one-shots on a grid."""

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


def drum_notes(chance: np.random.Generator) -> list[Note]:
    """Return a pattern of two bars, repeated with changes."""
    hat, snare = int(chance.choice([42, 44, 46, 51, 70])), int(chance.choice([38, 40, 39, 37]))
    step = float(chance.choice([0.25, 0.5, 1.0]))
    kicks = [0.0, *(at / 4 for at in range(1, 32) if chance.random() < 0.16)]
    notes = []
    for bar in range(0, BARS, 2):
        beats = bar * 4
        notes += [(beats + at, 0.25, 36, int(chance.integers(80, 127))) for at in kicks if chance.random() < 0.93]
        notes += [(beats + at, 0.25, snare, int(chance.integers(80, 127))) for at in (1, 3, 5, 7)]
        notes += [(beats + at, 0.2, hat, int(chance.integers(45, 110))) for at in np.arange(0, 8, step)]
        if chance.random() < 0.5:
            notes += [(beats + 7 + at / 4, 0.25, int(chance.choice([41, 45, 47, 50])), 105) for at in range(4)]
        if chance.random() < 0.4:
            notes.append((beats, 2, 49, 100))
    return notes


def write_scores(chance: np.random.Generator, folder: pathlib.Path) -> dict[str, pathlib.Path]:
    """Write a piece of random chords as one MIDI file for each stem, and return them."""
    tempo, key, scale = float(chance.uniform(75, 160)), int(chance.integers(0, 12)), SCALES[chance.integers(2)]
    degrees = [int(chance.integers(0, 7)) for _ in range(4)]
    pitch = lambda degree, octave: key + 12 * (octave + degree // 7) + scale[degree % 7]
    bass, chords, tune = [], [], []
    octave = int(chance.integers(2, 4))
    rhythm = [0.0, *(at / 2 for at in range(1, 8) if chance.random() < 0.5)]
    arpeggio = chance.random() < 0.5
    for bar in range(BARS):
        degree, beat = degrees[bar % 4], bar * 4
        for at, until in zip(rhythm, [*rhythm[1:], 4.0]):
            step = degree + int(chance.choice([0, 0, 0, 4, 7]))
            bass.append((beat + at, (until - at) * float(chance.uniform(0.5, 1)), pitch(step, octave), int(chance.integers(75, 120))))
        for number, third in enumerate((0, 2, 4, 6)[: int(chance.integers(3, 5))]):
            begins = [number * 0.5, number * 0.5 + 2] if arpeggio else [0, 2]
            chords += [(beat + at, 1.9, pitch(degree + third, 5), int(chance.integers(60, 100))) for at in begins]
        for at in np.arange(0, 4, 0.5):
            if chance.random() < 0.45:
                tune.append((beat + at, float(chance.uniform(0.3, 1)), pitch(degree + int(chance.integers(0, 8)), 6), int(chance.integers(60, 110))))
    programs = [int(program) for program in chance.choice(OTHERS, 3, replace=False)]
    pans = [int(pan) for pan in chance.integers(20, 108, 3)]
    others = [(0, programs[0], pans[0], chords), (1, programs[1], pans[1], tune)]
    if chance.random() < 0.5:
        others.append((2, programs[2], pans[2], [(at, length, key - 12, loud) for at, length, key, loud in chords]))
    parts = {"drums": [(9, int(chance.choice(KITS)), 64, drum_notes(chance))], "bass": [(0, int(chance.choice(BASSES)), 64, bass)], "other": others}
    for stem, part in parts.items():
        write_midi(folder / f"{stem}.mid", tempo, part)
    return {stem: folder / f"{stem}.mid" for stem in parts}


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
