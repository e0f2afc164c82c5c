"""Writes conversations at one table, with their RTTM files: to tune the clustering on. Their channel tells nothing of who speaks.

2 to 8 speakers held out in training, all brought to one average spectrum, each at its own seat in one room, near or far,
behind one noise and over one codec. Some talk much, others little; turns overlap, and interjections fall into them. Nothing that
a speaker says is heard twice. Speakers are divided into folds, and a conversation has those of one fold only.
Usage: python3 -m speakers.tables --shared SHARED --out WORK/tables [--count 96] [--folds 4] [--seed 17] [--speakers 1]
"""

import argparse
import pathlib

import numpy as np

from speakers.data import read
from speakers.fbank import SAMPLE_RATE
from speakers.rooms import impulse_response, in_room
from speakers.talks import Segment, joined, levelled, utterances, write_talk
from speakers.trials import over_codec, spectrum, with_spectrum

Chance = np.random.Generator
SEED = 17
CORPORA = {"libri": ("libri_",), "ocean": ("ocean_",), "both": ("libri_", "ocean_"), "wuw": ("wuw_",)}
"""Corpora that the speakers of a conversation come from, by prefix."""
SECONDS_EACH = 40
SPEAKERS_MAX = 8
KINDS = tuple(CORPORA)


class Seat:
    """Place of a speaker at a table: the way of sound from there to the microphone, and the loudness."""

    def __init__(self, chance: Chance, size: np.ndarray, microphone: np.ndarray, decay: float):
        angle, distance = chance.uniform(0, 2 * np.pi), chance.uniform(0.4, 3.5)
        seat = microphone + distance * np.array([np.cos(angle), np.sin(angle), 0]) + [0, 0, chance.normal(0, 0.15)]
        seat = np.clip(seat, 0.3, size - 0.3)
        self.response = impulse_response(size, seat, microphone, decay, SAMPLE_RATE)
        reach = float(np.linalg.norm(seat - microphone))
        self.gain = 10 ** (chance.normal(0, 2.5) / 20) / max(0.7, reach) ** 0.7

    def hear(self, samples: np.ndarray) -> np.ndarray:
        """Return samples that are said there, as they arrive."""
        return levelled(in_room(samples, self.response)) * self.gain


class Supply:
    """What a speaker has to say, in order, each sample once."""

    def __init__(self, samples: np.ndarray):
        self.samples, self.at = samples, 0

    def left(self) -> float:
        """Return the seconds that are left."""
        return (len(self.samples) - self.at) / SAMPLE_RATE

    def take(self, seconds: float) -> np.ndarray:
        """Return the next seconds, fewer at the end."""
        piece = self.samples[self.at : self.at + int(seconds * SAMPLE_RATE)]
        self.at += len(piece)
        return piece


def members_of(chance: Chance, voices: dict[str, list[np.ndarray]], prefixes: tuple[str, ...], fold: int, folds: int, count: int):
    """Return up to `count` speakers of a fold, and what each has to say, all of one average spectrum."""
    of_fold = [name for at, name in enumerate(sorted(voices)) if at % folds == fold and name.startswith(prefixes)]
    names = [str(name) for name in chance.choice(of_fold, min(len(of_fold), count), replace=False)]
    said = {}
    for name in names:
        files = [voices[name][at] for at in chance.permutation(len(voices[name]))]
        files = files[:1] if name.startswith("wuw_") else files
        said[name] = np.concatenate(files)[: SECONDS_EACH * SAMPLE_RATE]
    target = np.mean([spectrum(samples) for samples in said.values()], axis=0)
    return {name: levelled(with_spectrum(samples, target)) for name, samples in said.items()}


def conversation(chance: Chance, said: dict[str, np.ndarray]) -> tuple[np.ndarray, list[Segment]]:
    """Return samples and segments of a conversation in one room."""
    size = chance.uniform((2.8, 2.8, 2.3), (8, 7, 3.5))
    microphone, decay = size * chance.uniform(0.3, 0.7, 3), chance.uniform(0.15, 0.7)
    seats = {name: Seat(chance, size, microphone, decay) for name in said}
    supplies = {name: Supply(samples) for name, samples in said.items()}
    shares = dict(zip(said, chance.dirichlet(np.full(len(said), 1.5)) + 0.05))
    overlap, keeps = chance.choice([0.0, 0.1, 0.3]), chance.uniform(0.1, 0.4)
    pieces: list[tuple[int, np.ndarray]] = []
    segments: list[Segment] = []
    at, name = float(chance.uniform(0.1, 1)), str(chance.choice(list(said)))
    while True:
        seconds = float(np.clip(chance.lognormal(-0.3 if chance.random() < 0.3 else 1.0, 0.6), 0.5, 9))
        piece = seats[name].hear(supplies[name].take(seconds))
        pause = -chance.uniform(0.2, 2) if segments and chance.random() < overlap else chance.uniform(0, 0.9)
        own = [end for who, _, end in segments if who == name]
        begin = max(at + float(pause), 0, *own)
        pieces.append((int(begin * SAMPLE_RATE), piece))
        segments.append((name, begin, begin + len(piece) / SAMPLE_RATE))
        at = max(at, segments[-1][2])
        left = [each for each in said if supplies[each].left() > 1]
        if len(left) < min(2, len(said)):
            break
        others = [each for each in left if each != name]
        if others and (name not in left or chance.random() > keeps):
            weights = np.array([shares[each] for each in others])
            name = str(chance.choice(others, p=weights / weights.sum()))
    return joined(pieces, at + 1), segments


def behind(chance: Chance, samples: np.ndarray, noise: np.ndarray) -> np.ndarray:
    """Return a conversation behind a noise, through one microphone, over one codec, as quiet as far microphones are."""
    noise = levelled(np.resize(noise, len(samples))) * 10 ** (-chance.uniform(8, 35) / 20)
    knots = np.exp(chance.normal(0, 0.4, 6))
    whole = np.fft.rfft(levelled(samples) + noise)
    heard = np.fft.irfft(whole * np.interp(np.linspace(0, 5, len(whole)), np.arange(6), knots), len(samples))
    heard = over_codec(heard, str(chance.choice(["plain", "plain", "telephone", "opus"])))
    return heard * 10 ** (chance.uniform(-25, 0) / 20)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--shared", type=pathlib.Path, required=True)
    options.add_argument("--out", type=pathlib.Path, required=True)
    options.add_argument("--count", type=int, default=96)
    options.add_argument("--folds", type=int, default=4)
    options.add_argument("--seed", type=int, default=SEED)
    options.add_argument("--speakers", type=int, help="of each conversation, instead of 2 to 8")
    given = options.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    chance = np.random.default_rng(given.seed)
    voices = utterances(given.shared)
    noises = sorted((given.shared / "data/train/noise").glob("*.ogg"))
    for number in range(given.count):
        fold, kind = number % given.folds, KINDS[number // given.folds % len(KINDS)]
        speakers = given.speakers or 2 + int(chance.choice(SPEAKERS_MAX - 1, p=np.array([5, 4, 3, 2, 1, 1, 1]) / 17))
        said = members_of(chance, voices, CORPORA[kind], fold, given.folds, speakers)
        samples, segments = conversation(chance, said)
        samples = behind(chance, samples, read(noises[chance.integers(len(noises))]))
        write_talk(given.out, f"fold{fold}.{kind}{number:03d}", samples, segments)


if __name__ == "__main__":
    main()
