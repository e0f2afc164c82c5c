"""Writes conversations of speakers held out in training, with their RTTM files: to tune the clustering on.

`--kind meetings`: far from one microphone in an echoing room, their own recorders' colour taken away, short turns and
interjections, one background, very low level. `--kind rounds`: 2 to 6 speakers who each speak a single time, for a few seconds.
Usage: python3 -m speakers.meetings --shared SHARED --out WORK/meetings [--count 60] [--kind meetings|rounds]
"""

import argparse
import pathlib

import numpy as np

from speakers.data import read
from speakers.fbank import BANDS, FILTERS, SAMPLE_RATE, fbank
from speakers.rooms import impulse_response, in_room
from speakers.talks import levelled, utterances, write_talk

SEEDS = {"meetings": 11, "rounds": 13}
COLOUR_KNOTS = 8
"""Points of the curve over the bands by which a recorder's colour is taken away: voices keep their formants."""


def uncoloured(samples: np.ndarray) -> np.ndarray:
    """Return speech below 3.4 kHz without the colour of its recorder: its smoothed spectrum falls as that of speech does."""
    bands = fbank(samples)
    energy = np.logaddexp.reduce(bands, axis=1)
    mean = bands[energy > np.percentile(energy, 60)].mean(axis=0)
    knots = np.linspace(0, BANDS - 1, COLOUR_KNOTS)
    smooth = np.interp(np.arange(BANDS), knots, [mean[max(0, int(k) - 5) : int(k) + 6].mean() for k in knots])
    centres = (FILTERS * np.arange(len(FILTERS))[:, None]).sum(axis=0) / FILTERS.sum(axis=0) * SAMPLE_RATE / 512
    spectrum = np.fft.rfft(samples)
    hertz = np.fft.rfftfreq(len(samples), 1 / SAMPLE_RATE)
    gain = np.clip(smooth.max() - np.interp(hertz, centres, smooth), 0, 6)
    fall = -np.log2(np.maximum(hertz, 500) / 500) * np.log(4)
    is_kept = (hertz > 200) & (hertz < 3400)
    return levelled(np.fft.irfft(spectrum * np.exp((gain + fall) / 2) * is_kept, len(samples)).astype(np.float32))


def next_turn(chance: np.random.Generator, kind: str) -> tuple[float, float]:
    """Return the seconds of a turn, and of the pause before it; negative where it overlaps the turn before."""
    if kind == "rounds":
        return float(chance.uniform(2.5, 6)), float(chance.uniform(-0.1, 0.8))
    middle = -0.3 if chance.random() < 0.35 else 0.9
    seconds = float(np.clip(chance.lognormal(middle, 0.6), 0.5, 9))
    pause = float(chance.choice([chance.uniform(0.1, 1.2), -chance.uniform(0, 0.4)], p=[0.85, 0.15]))
    return seconds, pause


def conversation(chance: np.random.Generator, voices: dict[str, list[np.ndarray]], names: list[str], kind: str):
    """Return samples and segments (speaker, start, end) of a conversation: of about a minute, or one round."""
    levels = {name: 10 ** (chance.uniform(-4, 4) / 20) for name in names}
    files = {name: voices[name][chance.integers(len(voices[name]))] for name in names}
    if kind == "meetings":
        size, decay = chance.uniform([3.5, 3, 2.5], [8, 6, 3.5]), chance.uniform(0.2, 0.7)
        microphone = size * chance.uniform(0.3, 0.7, 3)
        for name in names:
            seat = np.clip(microphone + chance.normal(0, 1, 3) * [1.2, 1.2, 0.2], 0.3, size - 0.3)
            files[name] = levelled(in_room(uncoloured(files[name]), impulse_response(size, seat, microphone, decay, SAMPLE_RATE)))
    pieces, segments, at = [], [], 0.0
    name, said = names[0], 0
    limit = chance.choice([30, 60, 90]) if kind == "meetings" else 60
    while at < limit and not (kind == "rounds" and said == len(names)):
        seconds, pause = next_turn(chance, kind)
        count = int(seconds * SAMPLE_RATE)
        source = files[name]
        start = int(chance.integers(0, max(1, len(source) - count)))
        piece = source[start : start + count] * levels[name]
        begin = max(0.0, at + pause)
        pieces.append((int(begin * SAMPLE_RATE), piece))
        segments.append((name, begin, begin + len(piece) / SAMPLE_RATE))
        at, said = segments[-1][2], said + 1
        others = [each for each in names if each != name]
        if kind == "rounds":
            name = names[min(said, len(names) - 1)]
        elif others and chance.random() < 0.75:
            name = others[chance.integers(len(others))]
    samples = np.zeros(int((at + 1) * SAMPLE_RATE), np.float32)
    for begin, piece in pieces:
        samples[begin : begin + len(piece)] += piece[: len(samples) - begin]
    return samples, segments


def with_noise(chance: np.random.Generator, samples: np.ndarray, noise: np.ndarray, kind: str) -> np.ndarray:
    """Return a conversation before its background, and as quiet as far microphones are for meetings."""
    least, most = (8, 25) if kind == "meetings" else (12, 35)
    noise = levelled(np.resize(noise, len(samples))) * 10 ** (-chance.uniform(least, most) / 20)
    gain = 10 ** (chance.uniform(-35, 0) / 20) if kind == "meetings" else 1
    return (samples + noise) * gain


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--shared", type=pathlib.Path, required=True)
    options.add_argument("--out", type=pathlib.Path, required=True)
    options.add_argument("--count", type=int, default=60)
    options.add_argument("--kind", choices=sorted(SEEDS), default="meetings")
    given = options.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    chance = np.random.default_rng(SEEDS[given.kind])
    voices = utterances(given.shared)
    corpora = [sorted(name for name in voices if name.startswith(kind)) for kind in ("wuw", "asc")]
    noises = sorted((given.shared / "data/train/noise").glob("*.ogg"))
    for number in range(given.count):
        corpus = corpora[0] if number % 4 else corpora[1]
        speakers = 2 + number % 5 if given.kind == "rounds" else 1 + number % 5
        names = [str(name) for name in chance.choice(corpus, min(len(corpus), speakers), replace=False)]
        noise = read(noises[chance.integers(len(noises))])
        samples, segments = conversation(chance, voices, names, given.kind)
        samples = with_noise(chance, samples, noise, given.kind)
        write_talk(given.out, f"talk{number:02d}", samples, segments)


if __name__ == "__main__":
    main()
