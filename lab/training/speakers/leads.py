"""Writes conversations that one speaker leads, and long monologues, with their RTTM files: to tune the clustering on.

`--kind leads`: one of 2 to 5 speakers held out in training has 70 to 95 % of the speech, the others interject, often over the lead.
`--kind monologues`: the lead is alone. As in a real room the lead's voice changes from phrase to phrase: nearer or farther, the head
turned, louder with a brighter voice, a little faster or higher; and the background changes. Speakers are divided into the folds of
`tables.py`, brought to one average spectrum, and heard over one codec. Nothing is heard twice.
Usage: python3 -m speakers.leads --shared SHARED --out WORK/leads [--count 96] [--kind leads|monologues]
"""

import argparse
import pathlib

import numpy as np

from speakers.data import read
from speakers.fbank import SAMPLE_RATE
from speakers.rooms import impulse_response, in_room
from speakers.tables import CORPORA, Supply
from speakers.talks import Segment, joined, levelled, utterances, write_talk
from speakers.trials import over_codec, spectrum, with_spectrum

Chance = np.random.Generator
SEEDS = {"leads": 23, "monologues": 29}
SECONDS = {"leads": (25, 100), "monologues": (25, 120)}
LEAD_SECONDS_MIN = 24
"""Speech that a lead must have."""
PLACES = 4
"""Positions of a speaker's head, each with its own way of sound."""
KINDS = ("libri", "ocean", "both", "wuw")


class MovingVoice:
    """A voice in a room that changes from phrase to phrase, as much as `change` says (0 to 1)."""

    def __init__(self, chance: Chance, size: np.ndarray, microphone: np.ndarray, decay: float, change: float):
        self.chance, self.change = chance, change
        angle, distance = chance.uniform(0, 2 * np.pi), chance.uniform(0.4, 3)
        seat = microphone + distance * np.array([np.cos(angle), np.sin(angle), 0])
        places = [np.clip(seat + chance.normal(0, 0.35 * change, 3) * [1, 1, 0.4], 0.3, size - 0.3) for _ in range(PLACES)]
        self.responses = [impulse_response(size, place, microphone, decay, SAMPLE_RATE) for place in places]
        self.gain = 10 ** (chance.normal(0, 2.5) / 20) / max(0.7, distance) ** 0.7

    def say(self, samples: np.ndarray) -> np.ndarray:
        """Return a phrase as it arrives at the microphone."""
        chance, change = self.chance, self.change
        rate = np.exp(chance.normal(0, 0.03 * change))
        samples = np.interp(np.arange(0, len(samples) - 1, rate), np.arange(len(samples)), samples)
        effort = chance.normal(0, 4 * change)
        tilt, turned = 0.6 * effort + chance.normal(0, 2 * change), chance.uniform(0, 8 * change)
        hertz = np.fft.rfftfreq(len(samples), 1 / SAMPLE_RATE)
        octaves = np.log2(np.maximum(hertz, 100) / 700)
        decibels = np.clip(tilt * octaves / 2, -9, 9) - turned * np.clip(octaves / 3.5, 0, 1)
        samples = np.fft.irfft(np.fft.rfft(samples) * 10 ** (decibels / 20), len(samples)).astype(np.float32)
        heard = levelled(in_room(samples, self.responses[chance.integers(PLACES)]))
        slow = np.interp(np.arange(len(heard)), np.linspace(0, len(heard), 4), chance.normal(effort, 2 * change, 4))
        return heard * self.gain * 10 ** (slow / 20)


def members_of(chance: Chance, voices: dict[str, list[np.ndarray]], prefixes: tuple[str, ...], fold: int, folds: int, count: int, seconds: float):
    """Return what a lead of a fold and up to `count` others have to say, the lead first, all of one average spectrum."""
    of_fold = [name for at, name in enumerate(sorted(voices)) if at % folds == fold and name.startswith(prefixes)]
    long = [name for name in of_fold if sum(map(len, voices[name])) > LEAD_SECONDS_MIN * SAMPLE_RATE]
    lead = str(chance.choice(long))
    rest = [name for name in of_fold if name != lead]
    names = [lead, *(str(name) for name in chance.choice(rest, min(len(rest), count), replace=False))]
    said = {}
    for name in names:
        files = [voices[name][at] for at in chance.permutation(len(voices[name]))]
        said[name] = np.concatenate(files)[: int(seconds * SAMPLE_RATE)]
    target = np.mean([spectrum(samples) for samples in said.values()], axis=0)
    return {name: levelled(with_spectrum(samples, target)) for name, samples in said.items()}


def conversation(chance: Chance, said: dict[str, np.ndarray], share: float) -> tuple[np.ndarray, list[Segment]]:
    """Return samples and segments: the first speaker leads, all others together have `share` of the speech."""
    size = chance.uniform((2.8, 2.8, 2.3), (8, 7, 3.5))
    microphone, decay = size * chance.uniform(0.3, 0.7, 3), chance.uniform(0.15, 0.7)
    change = chance.uniform(0.2, 1)
    voices = {name: MovingVoice(chance, size, microphone, decay, change) for name in said}
    supplies = {name: Supply(samples) for name, samples in said.items()}
    lead, *others = said
    over = chance.choice([0.0, 0.3, 0.7])
    pieces: list[tuple[int, np.ndarray]] = []
    segments: list[Segment] = []
    spoken = {name: 0.0 for name in said}

    def say(name: str, begin: float, seconds: float) -> float:
        taken = supplies[name].take(seconds)
        begin = max([begin, 0, *(end for who, _, end in segments if who == name)])
        if len(taken) < SAMPLE_RATE // 4:
            return begin
        piece = voices[name].say(taken)
        pieces.append((int(begin * SAMPLE_RATE), piece))
        segments.append((name, begin, begin + len(piece) / SAMPLE_RATE))
        spoken[name] += len(piece) / SAMPLE_RATE
        return segments[-1][2]

    at, waiting = float(chance.uniform(0.1, 1)), list(others)
    while supplies[lead].left() > 1:
        at = say(lead, at, float(np.clip(chance.lognormal(1.1, 0.6), 0.8, 9))) + float(chance.choice([0.05, 0.3, 0.8]))
        while others and sum(spoken[each] for each in others) < share / (1 - share) * spoken[lead]:
            talkers = waiting or [each for each in others if supplies[each].left() > 0.5]
            if not talkers:
                break
            name = str(chance.choice(talkers))
            waiting = [each for each in waiting if each != name]
            seconds = float(np.clip(chance.lognormal(0, 0.6), 0.4, 5))
            if chance.random() < over:
                say(name, at - float(chance.uniform(0.5, 3)), min(seconds, 1.5))
            else:
                at = say(name, at, seconds) + float(chance.uniform(0.05, 0.6))
    samples = joined(pieces, max(end for _, _, end in segments) + 1)
    return samples, sorted(segments, key=lambda each: each[1])


def behind(chance: Chance, samples: np.ndarray, noises: list[np.ndarray]) -> np.ndarray:
    """Return a conversation behind noises that come and go, over one codec, as quiet as far microphones are."""
    whole = levelled(samples).astype(np.float64)
    level = chance.uniform(10, 32)
    for noise in noises:
        knots = chance.normal(-level, 5, 8)
        gains = 10 ** (np.interp(np.arange(len(whole)), np.linspace(0, len(whole), 8), knots) / 20)
        whole += levelled(np.resize(noise, len(whole))) * gains
    heard = over_codec(whole.astype(np.float32), str(chance.choice(["plain", "plain", "telephone", "opus"])))
    return heard * 10 ** (chance.uniform(-25, 0) / 20)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--shared", type=pathlib.Path, required=True)
    options.add_argument("--out", type=pathlib.Path, required=True)
    options.add_argument("--count", type=int, default=96)
    options.add_argument("--folds", type=int, default=4)
    options.add_argument("--kind", choices=sorted(SEEDS), default="leads")
    given = options.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    chance = np.random.default_rng(SEEDS[given.kind])
    voices = utterances(given.shared)
    noises = sorted((given.shared / "data/train/noise").glob("*.ogg"))
    for number in range(given.count):
        fold, kind = number % given.folds, KINDS[number // given.folds % len(KINDS)]
        others = 0 if given.kind == "monologues" else 1 + int(chance.choice(4, p=[0.3, 0.3, 0.25, 0.15]))
        said = members_of(chance, voices, CORPORA[kind], fold, given.folds, others, chance.uniform(*SECONDS[given.kind]))
        samples, segments = conversation(chance, said, chance.uniform(0.05, 0.3))
        samples = behind(chance, samples, [read(noises[at]) for at in chance.integers(len(noises), size=2)])
        write_talk(given.out, f"fold{fold}.{kind}{number:03d}", samples, segments)


if __name__ == "__main__":
    main()
