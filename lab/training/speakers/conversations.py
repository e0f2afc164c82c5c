"""Writes conversations of speakers held out in training, with their RTTM files: to tune the clustering on.

Turns of 0.6 to 6 s, pauses, some overlap, one background for all of a conversation. With --overlap, so large a share of the
changes begins 0.3 to 2.5 s before the other has ended, and every second conversation has the echo of a room.
Usage: python3 -m speakers.conversations --shared SHARED --out WORK/conversations [--count 16] [--overlap 0.4] [--seed 7]
"""

import argparse
import pathlib

import numpy as np

from speakers.data import read
from speakers.fbank import SAMPLE_RATE
from speakers.overlap_mixtures import with_room
from speakers.talks import utterances, write_talk

SEED = 7


def conversation(
    chance: np.random.Generator, voices: dict[str, list[np.ndarray]], names: list[str], noise: np.ndarray, overlap: float = 0, room: float = 0
):
    """Return samples and segments (speaker, start, end) of a conversation of about a minute.

    `overlap` is the share of changes of speaker that overlap for long, `room` the seconds in which an echo decays by 60 dB.
    """
    levels = {name: 10 ** (chance.uniform(-4, 4) / 20) for name in names}
    files = {name: voices[name][chance.integers(len(voices[name]))] for name in names}
    pieces, segments, at = [], [], 0.0
    name = names[0]
    while at < 60:
        seconds = float(np.clip(chance.lognormal(0.7, 0.6), 0.6, 6))
        count = int(seconds * SAMPLE_RATE)
        source = files[name]
        start = int(chance.integers(0, max(1, len(source) - count)))
        piece = source[start : start + count] * levels[name]
        begin = max(0.0, at + float(chance.choice([chance.uniform(0.1, 1.2), -chance.uniform(0, 0.4)], p=[0.85, 0.15])))
        if overlap and segments and segments[-1][0] != name and chance.random() < overlap:
            begin = max(segments[-1][1] + 0.1, at - float(chance.uniform(0.3, 2.5)))
        pieces.append((int(begin * SAMPLE_RATE), piece))
        segments.append((name, begin, begin + len(piece) / SAMPLE_RATE))
        at = max(at, segments[-1][2])
        others = [each for each in names if each != name]
        if others and chance.random() < 0.75:
            name = others[chance.integers(len(others))]
    samples = np.zeros(int((at + 1) * SAMPLE_RATE), np.float32)
    for begin, piece in pieces:
        piece = with_room(chance, np.pad(piece, (0, int(room * SAMPLE_RATE))), room) if room else piece
        samples[begin : begin + len(piece)] += piece[: len(samples) - begin]
    noise = np.resize(noise, len(samples))
    noise = noise / (np.sqrt((noise**2).mean()) + 1e-9) * 0.05 * 10 ** (-chance.uniform(12, 35) / 20)
    return samples + noise, segments


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--shared", type=pathlib.Path, required=True)
    options.add_argument("--out", type=pathlib.Path, required=True)
    options.add_argument("--count", type=int, default=16)
    options.add_argument("--overlap", type=float, default=0)
    options.add_argument("--seed", type=int, default=SEED)
    given = options.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    chance = np.random.default_rng(given.seed)
    voices = utterances(given.shared)
    corpora = [sorted(name for name in voices if name.startswith(kind)) for kind in ("wuw", "asc")]
    noises = sorted((given.shared / "data/train/noise").glob("*.ogg"))
    for number in range(given.count):
        corpus = corpora[0] if number % 4 else corpora[1]
        names = [str(name) for name in chance.choice(corpus, min(len(corpus), 1 + number % 5), replace=False)]
        room = chance.uniform(0.2, 0.7) if given.overlap and number % 2 else 0
        noise = read(noises[chance.integers(len(noises))])
        samples, segments = conversation(chance, voices, names, noise, given.overlap, room)
        write_talk(given.out, f"talk{number:02d}", samples, segments)


if __name__ == "__main__":
    main()
