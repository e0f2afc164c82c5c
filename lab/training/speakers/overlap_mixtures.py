"""Reads the speech, the noise and the music of ../shared/data/train as samples, and mixes crops in which people speak alone or at once.

Each voice comes and goes by itself, so a change of speaker is no overlap. Voices of one mixture are heard in one room, over one
line, and against one background. Many are heard a second time, as a microphone hears a loudspeaker: that is no further speaker.
Usage: python3 -m speakers.overlap_mixtures --shared SHARED --out WORK   writes WORK/samples.npy, active.npy and mixtures.json
"""

import argparse
import csv
import json
import pathlib

import numpy as np

from speakers.channels import smooth_curves
from speakers.data import read, speech_files
from speakers.fbank import FRAME, HOP, SAMPLE_RATE, fbank

Chance = np.random.Generator
CROP = 400
"""Frames of a crop: 4 s."""
SAMPLES = (CROP - 1) * HOP + FRAME
STRIDE = 4
"""Frames of one label: the network judges every 40 ms."""
ACTIVE_RANGE = 5.0
"""Frames whose energy lies further below the loudest ones of their file, in nepers of power, are pauses."""
PAUSE_MAX = 15
"""Frames of a pause within speech."""
ECHO_SAMPLES = 9600
MUSIC = ("stems/evr_", "stems/samples_cc0/drums", "stems/samples_cc0/bass", "stems/samples_cc0/other")
MUSIC_SECONDS = 40
LINE_HZ = 4000
KINDS = ("librispeech", "speechocean", "wuw2", "asc")
WEIGHTS = (0.35, 0.2, 0.3, 0.15)
"""How often a voice is of each corpus."""
ECHOED = 0.35
"""Share of the mixtures that are heard again."""
ECHO_SECONDS, ECHO_GAIN = (0.08, 0.45), (0.1, 0.55)
LEVELS, FAINTEST, LOUDEST = 5.0, -16.0, 9.0
"""Decibels of a voice relative to the others: their deviation, and the limits."""


def is_music(path: str) -> bool:
    """Return whether a recording of the training data is music in which no one sings."""
    return path.startswith(MUSIC) and "vocals" not in path and path.endswith(".ogg")


def active_frames(samples: np.ndarray) -> np.ndarray:
    """Return the frames with speech, by their energy, with the short pauses within."""
    energy = np.logaddexp.reduce(fbank(samples), axis=1)
    active = energy > np.percentile(energy, 95) - ACTIVE_RANGE
    edges = np.flatnonzero(np.diff(active.astype(np.int8)))
    for before, after in zip(edges, edges[1:]):
        if active[before] and after - before <= PAUSE_MAX:
            active[before : after + 1] = True
    return active


def write_samples(shared: pathlib.Path, out: pathlib.Path) -> None:
    """Write the samples of all recordings, one after another, the speech in each frame, and the table of their places."""
    root = shared / "data/train"
    with open(root / "MANIFEST.tsv", newline="") as file:
        music = [row["path"] for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE) if is_music(row["path"])]
    found = [(kind, speaker, path) for kind, speaker, path in speech_files(shared) if kind in KINDS]
    found += [("noise", path.name, path) for path in sorted((root / "noise").glob("*.ogg"))]
    found += [("music", path, root / path) for path in sorted(music)]
    pieces, active, table, at = [], [], [], 0
    for kind, speaker, path in found:
        samples = read(path)[: MUSIC_SECONDS * SAMPLE_RATE if kind == "music" else None]
        samples = samples[: len(samples) // HOP * HOP]
        if len(samples) < SAMPLE_RATE or not samples.any():
            continue
        if kind in KINDS:
            speech = active_frames(np.pad(samples, (0, FRAME - HOP)))
            level = np.sqrt((samples.reshape(-1, HOP)[speech] ** 2).mean())
        else:
            speech, level = np.zeros(len(samples) // HOP, bool), np.sqrt((samples**2).mean())
        pieces.append((np.clip(samples / level * 0.05, -1, 1) * 32767).astype(np.int16))
        active.append(speech)
        table.append({"kind": kind, "speaker": speaker, "at": at, "samples": len(samples)})
        at += len(samples)
    np.save(out / "samples.npy", np.concatenate(pieces))
    np.save(out / "active.npy", np.concatenate(active))
    (out / "mixtures.json").write_text(json.dumps(table))
    print(json.dumps({"files": len(table), "hours": round(at / SAMPLE_RATE / 3600, 2)}))


class Mixtures:
    """Recordings to mix, those of the speakers held out apart from the others."""

    def __init__(self, data: pathlib.Path, held_out: frozenset[str]):
        self.samples = np.load(data / "samples.npy", mmap_mode="r")
        self.active = np.load(data / "active.npy")
        table = json.loads((data / "mixtures.json").read_text())
        self.trained = {kind: [r for r in table if r["kind"] == kind and r["speaker"] not in held_out] for kind in (*KINDS, "noise", "music")}
        self.tested = {**self.trained, **{kind: [r for r in table if r["kind"] == kind and r["speaker"] in held_out] for kind in KINDS}}

    def piece(self, chance: Chance, row: dict, speed: float) -> tuple[np.ndarray, np.ndarray]:
        """Return the samples of a crop out of a recording, from its start again where it ends, and its frames with speech."""
        start = int(chance.integers(0, row["samples"] // HOP)) * HOP
        length = int(SAMPLES * speed) + 2
        places = row["at"] + (start + np.arange(length)) % row["samples"]
        samples = self.samples[places].astype(np.float32) / 32767
        if speed != 1:
            samples = np.interp(np.arange(SAMPLES) * speed, np.arange(length), samples)
        frames = ((np.arange(CROP) * HOP * speed) // HOP).astype(int)
        return samples[:SAMPLES].astype(np.float32), self.active[(row["at"] + (start + frames * HOP) % row["samples"]) // HOP]

    def voices(self, chance: Chance, table: dict[str, list[dict]], count: int) -> list[dict]:
        """Return recordings of different speakers, fewer where there are too few, most often of one corpus."""
        count = min(count, len({row["speaker"] for kind in KINDS for row in table[kind]}))
        kinds = [kind for kind in KINDS if table[kind]]
        weights = np.array([WEIGHTS[KINDS.index(kind)] for kind in kinds])
        one = chance.choice(kinds, p=weights / weights.sum())
        rows: list[dict] = []
        while len(rows) < count:
            kind = one if chance.random() < 0.7 else chance.choice(kinds, p=weights / weights.sum())
            row = table[kind][chance.integers(len(table[kind]))]
            if all(row["speaker"] != other["speaker"] for other in rows):
                rows.append(row)
        return rows

    def sound(self, chance: Chance, table: dict[str, list[dict]], echoed: float) -> tuple[np.ndarray, np.ndarray]:
        """Return the samples of a crop, SAMPLES of them, and how many speak in each of its CROP frames."""
        count = int(chance.choice([1, 2, 3], p=[0.3, 0.6, 0.1]))
        rows = self.voices(chance, table, count)
        room = chance.uniform(0.12, 0.9) if chance.random() < 0.65 else 0.0
        total, speaking = np.zeros(SAMPLES, np.float32), np.zeros(CROP, int)
        for row in rows:
            samples, active = self.piece(chance, row, float(chance.choice([1.0, chance.uniform(0.88, 1.12)])))
            turns = turns_of(chance, 3.0 if count == 1 else 1.6)
            samples = samples * np.interp(np.arange(SAMPLES), np.arange(CROP) * HOP + HOP // 2, turns).astype(np.float32)
            if room:
                samples = with_room(chance, samples, room)
            total += samples * 10 ** (np.clip(chance.normal(0, LEVELS), FAINTEST, LOUDEST) / 20)
            speaking += active & (turns > 0.5)
        if chance.random() < echoed:
            total = with_return(chance, total)
        total = total + self.background(chance, table)
        if any(row["kind"] == "wuw2" for row in rows):
            total = limited(total, chance.uniform(0.85, 1.0) * LINE_HZ)
        elif chance.random() < 0.3:
            total = limited(total, chance.uniform(3000, 7800))
        return total, speaking

    def mixture(self, chance: Chance, table: dict[str, list[dict]], echoed: float = ECHOED) -> tuple[np.ndarray, np.ndarray]:
        """Return the band energies of a crop, CROP x BANDS, and 2 x CROP / STRIDE shares of frames: two or more speak, anyone does.

        `echoed` is the probability that all is heard again.
        """
        samples, speaking = self.sound(chance, table, echoed)
        bands = fbank(samples * 10 ** (chance.uniform(-30, 10) / 20)) + smooth_curves(chance, 1, 0.7)
        return bands.astype(np.float32), shares_of(speaking)

    def background(self, chance: Chance, table: dict[str, list[dict]]) -> np.ndarray:
        """Return a steady hiss, and often noise, music or the babble of a crowd."""
        hiss = chance.normal(0, 1, SAMPLES).astype(np.float32)
        hiss = hiss + chance.uniform(0, 8) * np.convolve(hiss, np.full(16, 1 / 16, np.float32), "same")
        total = at_level(hiss, -chance.uniform(22, 50))
        kind = chance.choice(["noise", "music", "babble", "none"], p=[0.4, 0.15, 0.12, 0.33])
        if kind in ("noise", "music"):
            samples, _ = self.piece(chance, table[kind][chance.integers(len(table[kind]))], 1.0)
            total = total + at_level(samples, -chance.uniform(4, 26))
        elif kind == "babble":
            crowd = sum(self.piece(chance, row, 1.0)[0] for row in self.voices(chance, table, 5))
            total = total + at_level(with_room(chance, crowd, 0.6), -chance.uniform(12, 28))
        return total

    def batch(self, seed: int, number: int, count: int) -> tuple[np.ndarray, np.ndarray]:
        """Return mixtures of the speakers trained on, and their labels."""
        chance = np.random.default_rng((seed, number))
        made = [self.mixture(chance, self.trained) for _ in range(count)]
        return np.stack([bands for bands, _ in made]), np.stack([labels for _, labels in made])


def shares_of(speaking: np.ndarray) -> np.ndarray:
    """Return the shares of each label's frames, 2 x CROP / STRIDE, in which two or more speak, and in which anyone does."""
    return np.stack([(speaking > fewer).reshape(-1, STRIDE).mean(axis=1) for fewer in (1, 0)]).astype(np.float32)


def turns_of(chance: Chance, mean_seconds: float) -> np.ndarray:
    """Return frames in which a voice comes and goes, 0 to 1, at random times."""
    turns, at, on = np.zeros(CROP, np.float32), 0, chance.random() < 0.65
    while at < CROP:
        length = int(100 * (0.25 + chance.exponential(mean_seconds if on else 0.9)))
        turns[at : at + length] = on
        at, on = at + length, not on
    return turns


def with_return(chance: Chance, samples: np.ndarray) -> np.ndarray:
    """Return samples that are heard a second time, later and fainter: as they were, or from a small loudspeaker in a room."""
    again = samples
    if chance.random() < 0.5:
        again = limited(with_room(chance, again, chance.uniform(0.12, 0.5)), chance.uniform(2500, 7800))
    late = int(chance.uniform(*ECHO_SECONDS) * SAMPLE_RATE)
    result = samples.copy()
    result[late:] += chance.uniform(*ECHO_GAIN) * again[:-late]
    return result


def with_room(chance: Chance, samples: np.ndarray, seconds: float) -> np.ndarray:
    """Return samples with early reflections and a tail of noise that decays by 60 dB in some seconds."""
    count = min(ECHO_SAMPLES, int(seconds * SAMPLE_RATE))
    response = chance.normal(0, 1, count) * np.exp(-6.9 * np.arange(count) / (seconds * SAMPLE_RATE))
    response *= np.interp(np.arange(count), [0, 40, 400], [0, 0.3, 1])
    response *= np.sqrt(10 ** (-chance.uniform(-2, 14) / 10) / (response**2).sum())
    response[0] = 1
    size = 1 << int(np.ceil(np.log2(len(samples) + count)))
    return np.fft.irfft(np.fft.rfft(samples, size) * np.fft.rfft(response, size), size)[: len(samples)].astype(np.float32)


def limited(samples: np.ndarray, highest: float) -> np.ndarray:
    """Return samples without the frequencies above some Hz."""
    spectrum = np.fft.rfft(samples, 65536)
    spectrum[int(highest * 65536 / SAMPLE_RATE) :] = 0
    return np.fft.irfft(spectrum, 65536)[: len(samples)].astype(np.float32)


def at_level(samples: np.ndarray, decibels: float) -> np.ndarray:
    """Return samples whose power is so many decibels above that of speech."""
    return samples / (np.sqrt((samples**2).mean()) + 1e-9) * 0.05 * 10 ** (decibels / 20)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--shared", type=pathlib.Path, required=True)
    options.add_argument("--out", type=pathlib.Path, required=True)
    given = options.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    write_samples(given.shared, given.out)


if __name__ == "__main__":
    main()
