"""Reads the speech and the noise of ../shared/data/train as filter banks, and draws crops of it, heard through channels.

A voice at another speed is another speaker: its pitch and its formants move together.
Usage: python3 -m speakers.data --shared SHARED --out WORK [--sources SOURCES]   writes WORK/speech.npy, noise.npy and table.json
"""

import argparse
import csv
import json
import pathlib
from typing import TypedDict

import numpy as np
import soundfile

from speakers.channels import heard
from speakers.fbank import SAMPLE_RATE, fbank
from speakers.found import recordings_in

SPEEDS = {
    "wuw2": (0.9, 1.0, 1.1),
    "asc": (0.82, 0.91, 1.0, 1.1, 1.2),
    "librispeech": (0.86, 1.0, 1.16),
    "speechocean": (0.9, 1.0, 1.1),
    "commands": (0.9, 1.0, 1.1),
}
PREFIXES = {"librispeech": "libri_", "speechocean": "ocean_"}
"""Numbers of speakers mean others in another corpus."""
SENTENCES = ("speechocean",)
FURTHER = "further"
"""Name of the sentences and words of a speaker in a folder of found.py, which are one recording."""
SPEECH_RANGE = 7.0
"""Frames whose energy lies further below the loudest ones, in nepers of power, are no speech."""
HELD_OUT = frozenset(json.loads((pathlib.Path(__file__).parent / "held-out.json").read_text()))
"""Speakers that no training hears."""
CROP_MIN, CROP = 96, 200
"""Frames of a crop: up to 2 s."""
SHORTEST = 150
"""Frames of speech from which a recording is heard; where a crop is longer, it is heard again."""
OTHERS = 0.2
"""Share of the crops whose noise, where they have one, is the voice of another."""
PIECES_MAX = 3
"""Places of a recording that a crop comes from: most speakers have read but one text, and a network would learn that."""


class Row(TypedDict):
    """What of speech.npy is one recording of a voice: a speaker at a speed, whose pitch and formants are moved by factors (moved.py)."""

    corpus: str
    speaker: str
    name: str
    speed: float
    pitch: float
    formants: float
    at: int
    frames: int


def is_moved(row: Row) -> bool:
    """Tell whether a voice's pitch and formants are moved apart."""
    return row["pitch"] != row["formants"]


def decode(path: pathlib.Path, seconds: float | None = None) -> tuple[np.ndarray, int]:
    """Return the mono samples of a file, or of its first seconds, and their rate."""
    with soundfile.SoundFile(path) as file:
        samples = file.read(-1 if seconds is None else int(seconds * file.samplerate), dtype="float32", always_2d=True)
        return samples.mean(axis=1), file.samplerate


def read(path: pathlib.Path, speed: float = 1.0) -> np.ndarray:
    """Return mono samples at 16 kHz of a file that is played at a speed."""
    return played(*decode(path), speed)


def played(mono: np.ndarray, rate: int, speed: float) -> np.ndarray:
    """Return samples of a rate as played at a speed, at 16 kHz."""
    mono = np.pad(mono, (0, -len(mono) % 4800))
    count = int(round(len(mono) * SAMPLE_RATE / (rate * speed) / 160)) * 160
    spectrum = np.fft.rfft(mono)
    resized = np.zeros(count // 2 + 1, spectrum.dtype)
    kept = min(len(spectrum), len(resized))
    resized[:kept] = spectrum[:kept]
    return (np.fft.irfft(resized, count) * (count / len(mono))).astype(np.float32)


def speech_in(bands: np.ndarray) -> np.ndarray:
    """Return which frames have speech, by their energy."""
    energy = np.logaddexp.reduce(bands, axis=1)
    return energy > np.percentile(energy, 95) - SPEECH_RANGE


def spoken(bands: np.ndarray) -> np.ndarray:
    """Return the frames with speech, by their energy."""
    return bands[speech_in(bands)]


def speech_files(shared: pathlib.Path) -> list[tuple[str, str, pathlib.Path]]:
    """Return corpus, speaker and path of each file whose speaker is certain."""
    root = shared / "data/train"
    with open(root / "MANIFEST.tsv", newline="") as file:
        rows = [r for r in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)]
    rows = [r for r in rows if r["path"].startswith("speech/") and r["path"].endswith(".opus")]
    found = []
    for row in rows:
        corpus = row["path"].split("/")[1]
        speaker = PREFIXES.get(corpus, "") + row["speaker_or_class_id"]
        if corpus in SPEEDS and not speaker.endswith("?"):
            found.append((corpus, speaker, root / row["path"]))
    return found


def by_recording(shared: pathlib.Path, sources: pathlib.Path | None) -> dict[tuple[str, str, str], list[pathlib.Path]]:
    """Return the files of each corpus, speaker and recording; the short sentences of a speaker are one recording.

    Those of the folder `sources` come last, without the files that `shared` has.
    """
    recordings: dict[tuple[str, str, str], list[pathlib.Path]] = {}
    known = set()
    for corpus, speaker, path in speech_files(shared):
        name = "" if corpus in SENTENCES else path.name
        recordings.setdefault((corpus, speaker, name), []).append(path)
        known.add(path.stem.split("_")[-1])
    for corpus, speaker, path in recordings_in(sources) if sources else []:
        if path.stem not in known:
            recordings.setdefault((corpus, speaker, FURTHER), []).append(path)
    return recordings


def write_features(shared: pathlib.Path, sources: pathlib.Path | None, out: pathlib.Path) -> None:
    """Write the band energies of all voices, of all speeds, one after another, with the table of their places."""
    pieces, table, at = [], [], 0
    for (corpus, speaker, name), paths in by_recording(shared, sources).items():
        decoded = [decode(path) for path in paths]
        for speed in SPEEDS[corpus]:
            bands = np.concatenate([spoken(fbank(played(*one, speed))) for one in decoded]).astype(np.float16)
            if len(bands) < SHORTEST:
                continue
            row = {"corpus": corpus, "speaker": speaker, "name": name, "speed": speed, "pitch": 1.0, "formants": 1.0}
            table.append({**row, "at": at, "frames": len(bands)})
            pieces.append(bands)
            at += len(bands)
    noises = [fbank(read(path)).astype(np.float16) for path in sorted((shared / "data/train/noise").glob("*.ogg"))]
    noises = [noise for noise in noises if len(noise) >= SHORTEST]
    bounds = np.cumsum([0, *(len(noise) for noise in noises)])
    np.save(out / "speech.npy", np.concatenate(pieces))
    np.save(out / "noise.npy", np.concatenate(noises))
    (out / "table.json").write_text(json.dumps({"speech": table, "noise": bounds.tolist()}))
    print(json.dumps({"pieces": len(table), "hours": round(at / 360000, 2), "noises": len(noises)}))


class Voices:
    """Voices of the speakers that are not held out, one of each speaker and speed, and after them those that are moved."""

    def __init__(self, data: pathlib.Path, held_out: frozenset[str]):
        self.speech = np.load(data / "speech.npy", mmap_mode="r")
        self.noise = np.load(data / "noise.npy")
        saved = json.loads((data / "table.json").read_text())
        self.noises = list(zip(saved["noise"], saved["noise"][1:]))
        self.rows: list[Row] = saved["speech"]
        by_voice: dict[tuple[bool, str, float, float, float], list[int]] = {}
        for number, row in enumerate(self.rows):
            if row["speaker"] not in held_out:
                key = is_moved(row), row["speaker"], row["speed"], row["pitch"], row["formants"]
                by_voice.setdefault(key, []).append(number)
        self.voices = [by_voice[key] for key in sorted(by_voice)]

    def batch(self, seed: int, number: int, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return crops of one length, count x frames x BANDS, each through its own channel, their voices' numbers, and their rows."""
        chance = np.random.default_rng((seed, number))
        frames = int(chance.integers(CROP_MIN, CROP + 1))
        labels = chance.integers(0, len(self.voices), count)
        rows = np.array([self.voices[label][chance.integers(len(self.voices[label]))] for label in labels])
        crops = np.stack([self.crop(chance, row, frames) for row in rows])
        noises = [self.background(chance, frames) for _ in range(count)]
        return heard(chance, crops, np.stack(noises)), labels, rows

    def crop(self, chance: np.random.Generator, number: int, frames: int) -> np.ndarray:
        """Return frames of a row."""
        row = self.rows[number]
        return joined(chance, self.speech, row["at"], row["at"] + row["frames"], frames)

    def background(self, chance: np.random.Generator, frames: int) -> np.ndarray:
        """Return what is heard with a crop: a noise, or fainter voices of others."""
        if chance.random() < OTHERS:
            label = chance.integers(len(self.voices))
            return self.crop(chance, self.voices[label][chance.integers(len(self.voices[label]))], frames)
        return cut(chance, self.noise, *self.noises[chance.integers(len(self.noises))], frames)


def joined(chance: np.random.Generator, bands: np.ndarray, low: int, high: int, frames: int) -> np.ndarray:
    """Return frames of one to PIECES_MAX places, joined: a voice is the same whatever it says before and after."""
    lengths = np.diff(np.linspace(0, frames, int(chance.integers(1, PIECES_MAX + 1)) + 1).astype(int))
    return np.concatenate([cut(chance, bands, low, high, length) for length in lengths])


def cut(chance: np.random.Generator, bands: np.ndarray, low: int, high: int, frames: int) -> np.ndarray:
    """Return consecutive frames from between two places, again from the first where there are too few."""
    if high - low < frames:
        return np.resize(np.asarray(bands[low:high], np.float32), (frames, bands.shape[1]))
    start = int(chance.integers(low, high - frames + 1))
    return np.asarray(bands[start : start + frames], np.float32)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--shared", type=pathlib.Path, required=True)
    options.add_argument("--sources", type=pathlib.Path, help="folder with the repositories of found.py")
    options.add_argument("--out", type=pathlib.Path, required=True)
    given = options.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    write_features(given.shared, given.sources, given.out)


if __name__ == "__main__":
    main()
