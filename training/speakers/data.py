"""Reads the speech and the noise of ../shared/data/train as filter banks, and draws crops with noise, echo and other microphones.

A voice at another speed is another speaker: its pitch and its formants move together. Noise and echo are added to the
band energies rather than to samples, which costs next to nothing: powers of independent sounds add up, and an echo is a
decaying tail of power.
Usage: python3 -m speakers.data --shared SHARED --out WORK   writes WORK/speech.npy, noise.npy and table.json
"""

import argparse
import csv
import json
import pathlib

import numpy as np
import soundfile

from speakers.fbank import BANDS, SAMPLE_RATE, fbank

SPEEDS = {
    "wuw2": (0.9, 1.0, 1.1),
    "asc": (0.82, 0.91, 1.0, 1.1, 1.2),
    "librispeech": (0.86, 1.0, 1.16),
    "speechocean": (0.9, 1.0, 1.1),
}
PREFIXES = {"librispeech": "libri_", "speechocean": "ocean_"}
"""Numbers of speakers mean others in another corpus."""
SENTENCES = ("speechocean",)
SPEECH_RANGE = 7.0
"""Frames whose energy lies further below the loudest ones, in nepers of power, are no speech."""
HELD_OUT = frozenset(json.loads((pathlib.Path(__file__).parent / "held-out.json").read_text()))
"""Speakers that no training hears."""
CROP = 150
"""Frames of a crop: 1.5 s."""
FLOOR = -16.0


def decode(path: pathlib.Path) -> tuple[np.ndarray, int]:
    """Return the mono samples of a file and their rate."""
    samples, rate = soundfile.read(path, dtype="float32", always_2d=True)
    return samples.mean(axis=1), rate


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


def spoken(bands: np.ndarray) -> np.ndarray:
    """Return the frames with speech, by their energy."""
    energy = np.logaddexp.reduce(bands, axis=1)
    return bands[energy > np.percentile(energy, 95) - SPEECH_RANGE]


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


def by_recording(shared: pathlib.Path) -> dict[tuple[str, str, str], list[pathlib.Path]]:
    """Return the files of each corpus, speaker and recording; the short sentences of a speaker are one recording."""
    recordings: dict[tuple[str, str, str], list[pathlib.Path]] = {}
    for corpus, speaker, path in speech_files(shared):
        name = "" if corpus in SENTENCES else path.name
        recordings.setdefault((corpus, speaker, name), []).append(path)
    return recordings


def write_features(shared: pathlib.Path, out: pathlib.Path) -> None:
    """Write the band energies of all voices, of all speeds, one after another, with the table of their places."""
    pieces, table, at = [], [], 0
    for (corpus, speaker, _), paths in by_recording(shared).items():
        decoded = [decode(path) for path in paths]
        for speed in SPEEDS[corpus]:
            bands = np.concatenate([spoken(fbank(played(*one, speed))) for one in decoded]).astype(np.float16)
            if len(bands) < CROP:
                continue
            table.append({"corpus": corpus, "speaker": speaker, "speed": speed, "at": at, "frames": len(bands)})
            pieces.append(bands)
            at += len(bands)
    noises = [fbank(read(path)).astype(np.float16) for path in sorted((shared / "data/train/noise").glob("*.ogg"))]
    noises = [noise for noise in noises if len(noise) >= CROP]
    bounds = np.cumsum([0, *(len(noise) for noise in noises)])
    np.save(out / "speech.npy", np.concatenate(pieces))
    np.save(out / "noise.npy", np.concatenate(noises))
    (out / "table.json").write_text(json.dumps({"speech": table, "noise": bounds.tolist()}))
    print(json.dumps({"pieces": len(table), "hours": round(at / 360000, 2), "noises": len(noises)}))


class Voices:
    """Voices of the speakers that are not held out: one of each speaker and speed."""

    def __init__(self, data: pathlib.Path, held_out: frozenset[str]):
        self.speech = np.load(data / "speech.npy", mmap_mode="r")
        self.noise = np.load(data / "noise.npy")
        saved = json.loads((data / "table.json").read_text())
        self.noises = list(zip(saved["noise"], saved["noise"][1:]))
        by_voice: dict[tuple[str, float], list[dict]] = {}
        for row in saved["speech"]:
            if row["speaker"] not in held_out:
                by_voice.setdefault((row["speaker"], row["speed"]), []).append(row)
        self.voices = [by_voice[key] for key in sorted(by_voice)]

    def crop(self, chance: np.random.Generator, row: dict, frames: int = CROP) -> np.ndarray:
        """Return consecutive frames of a file."""
        start = row["at"] + int(chance.integers(0, row["frames"] - frames + 1))
        return np.asarray(self.speech[start : start + frames], np.float32)

    def disturb(self, chance: np.random.Generator, bands: np.ndarray) -> np.ndarray:
        """Return a crop as another microphone in another room, over another line, would have recorded it."""
        if chance.random() < 0.5:
            bands = with_echo(chance, bands)
        bands = bands + smooth_curve(chance, 0.7)
        if chance.random() < 0.7:
            low, high = self.noises[chance.integers(len(self.noises))]
            at = int(chance.integers(low, high - len(bands) + 1))
            noise = self.noise[at : at + len(bands)].astype(np.float32) + smooth_curve(chance, 0.5)
            loudness = np.logaddexp.reduce(bands, axis=1).mean() - np.logaddexp.reduce(noise, axis=1).mean()
            bands = np.logaddexp(bands, noise + loudness - chance.uniform(1, 6))
        if chance.random() < 0.4:
            bands = coded(chance, bands)
        if chance.random() < 0.35:
            bands = limited(chance, bands)
        return masked(chance, bands) if chance.random() < 0.5 else bands

    def batch(self, seed: int, number: int, count: int) -> tuple[np.ndarray, np.ndarray]:
        """Return crops, count x CROP x BANDS, each through a channel of its own, and the numbers of their voices."""
        chance = np.random.default_rng((seed, number))
        labels = chance.integers(0, len(self.voices), count)
        crops = []
        for label in labels:
            rows = self.voices[label]
            crops.append(self.disturb(chance, self.crop(chance, rows[chance.integers(len(rows))])))
        return np.stack(crops).astype(np.float32), labels


def smooth_curve(chance: np.random.Generator, size: float) -> np.ndarray:
    """Return a random response over the bands, smooth, as a microphone has one."""
    knots = chance.normal(0, size, 6)
    return np.interp(np.linspace(0, 5, BANDS), np.arange(6), knots).astype(np.float32)


def with_echo(chance: np.random.Generator, bands: np.ndarray) -> np.ndarray:
    """Return bands with a tail of power that decays by 60 dB in 0.2 to 0.9 s."""
    decay = np.exp(-13.8 * 0.01 / chance.uniform(0.2, 0.9))
    level = chance.uniform(0.02, 0.25)
    power = np.exp(np.minimum(bands, 60))
    tail = np.empty_like(power)
    state = np.zeros(BANDS, np.float32)
    for at in range(len(power)):
        tail[at] = state
        state = decay * (state + level * power[at])
    return np.log(power + tail + 1e-7)


def limited(chance: np.random.Generator, bands: np.ndarray) -> np.ndarray:
    """Return bands of a narrow recording: from some band on there is nothing, and over a telephone below some, too."""
    first = int(chance.integers(52, BANDS))
    result = bands.copy()
    result[:, first:] = bands.max() + FLOOR
    if first < 64 and chance.random() < 0.5:
        result[:, : int(chance.integers(3, 9))] = bands.max() + FLOOR
    return result


def coded(chance: np.random.Generator, bands: np.ndarray) -> np.ndarray:
    """Return bands with the noise that a codec leaves below the neighbouring bands of the same moment."""
    around = np.max([bands, np.roll(bands, 2, axis=1), np.roll(bands, -2, axis=1)], axis=0)
    return np.logaddexp(bands, around - chance.uniform(1.5, 5) + chance.normal(0, 0.5, bands.shape))


def masked(chance: np.random.Generator, bands: np.ndarray) -> np.ndarray:
    """Return bands of which some neighbouring ones, and some moments, say nothing (SpecAugment, Interspeech 2019)."""
    result, means = bands.copy(), bands.mean(axis=0)
    low, wide = chance.integers(0, BANDS - 10), chance.integers(2, 11)
    result[:, low : low + wide] = means[low : low + wide]
    start, long = chance.integers(0, len(bands) - 20), chance.integers(4, 21)
    result[start : start + long] = means
    return result


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--shared", type=pathlib.Path, required=True)
    options.add_argument("--out", type=pathlib.Path, required=True)
    given = options.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    write_features(given.shared, given.out)


if __name__ == "__main__":
    main()
