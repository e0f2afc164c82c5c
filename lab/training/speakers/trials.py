"""Makes the windows of 1.5 s that speaker networks are measured on: speakers held out, in channels that tell nothing of them.

Read speech has one microphone for each speaker, and an average spectrum alone tells those apart. So the windows are of
three kinds:
- shared: conversations of five voices, each brought to the same average spectrum, then heard in one room, over one
  codec, in one noise; only windows of one conversation are compared.
- random: the same voices, each window in its own room, codec and noise.
- sessions: wuw2's telephone calls as they are; a speaker's windows are compared across calls only.
Usage: python3 -m speakers.trials --shared SHARED --out WORK   writes WORK/trials.npz
"""

import argparse
import io
import json
import pathlib

import numpy as np
import soundfile

from speakers.data import HELD_OUT, read, speech_files, speech_in
from speakers.fbank import FFT, FRAME, HOP, SAMPLE_RATE, fbank
from speakers.rooms import impulse_response, in_room
from speakers.teacher import loud_enough, mel_energies

Chance = np.random.Generator
SEED = 20261125
WINDOW = 150
"""Frames of a window: 1.5 s."""
WINDOWS_EACH = 6
TOGETHER = 5
SECONDS = 16
QUIET = 1e-5


def voices(shared: pathlib.Path) -> dict[str, np.ndarray]:
    """Return up to SECONDS of samples of each held-out speaker of the wide-band corpora, at one level."""
    pieces: dict[str, list[np.ndarray]] = {}
    for corpus, speaker, path in speech_files(shared):
        if speaker in HELD_OUT and corpus in ("librispeech", "speechocean"):
            pieces.setdefault(speaker, []).append(read(path))
    joined = {speaker: np.concatenate(found)[: SECONDS * SAMPLE_RATE] for speaker, found in sorted(pieces.items())}
    return {speaker: samples / (samples.std() + QUIET) * 0.05 for speaker, samples in joined.items()}


def spectrum(samples: np.ndarray) -> np.ndarray:
    """Return the average power spectrum of the louder half of the frames."""
    frames = np.lib.stride_tricks.sliding_window_view(samples, FRAME)[:: HOP] * np.hanning(FRAME)
    power = np.abs(np.fft.rfft(frames, FFT)) ** 2
    loud = power.sum(axis=1)
    return power[loud >= np.median(loud)].mean(axis=0)


def with_spectrum(samples: np.ndarray, target: np.ndarray) -> np.ndarray:
    """Return samples filtered so that their average spectrum is the target."""
    gain = np.sqrt((target + QUIET * target.max()) / (spectrum(samples) + QUIET * target.max())).clip(0.02, 50)
    whole = np.fft.rfft(samples)
    response = np.interp(np.linspace(0, 1, len(whole)), np.linspace(0, 1, len(gain)), gain)
    return np.fft.irfft(whole * response, len(samples)).astype(np.float32)


def over_codec(samples: np.ndarray, kind: str) -> np.ndarray:
    """Return samples as a telephone (8 kHz, mu-law) or Opus brings them over."""
    if kind == "telephone":
        spectrum_of_all = np.fft.rfft(samples)
        hertz = np.linspace(0, SAMPLE_RATE / 2, len(spectrum_of_all))
        spectrum_of_all[(hertz < 280) | (hertz > 3500)] = 0
        samples = np.fft.irfft(spectrum_of_all, len(samples))
    if kind == "plain":
        return samples.astype(np.float32)
    buffer = io.BytesIO()
    given = ("WAV", "ULAW") if kind == "telephone" else ("OGG", "OPUS")
    peak = max(1.0, np.abs(samples).max() / 0.99)
    soundfile.write(buffer, samples / peak, SAMPLE_RATE, format=given[0], subtype=given[1])
    buffer.seek(0)
    return soundfile.read(buffer, dtype="float32")[0][: len(samples)] * peak


class Channel:
    """One room with one place to speak in, one noise at one level, one equaliser and one codec."""

    def __init__(self, chance: Chance, noises: list[np.ndarray]):
        size = chance.uniform((2.5, 2.5, 2.3), (9, 7, 3.5))
        source, microphone = (chance.uniform(0.15, 0.85, 3) * size for _ in range(2))
        self.response = impulse_response(size, source, microphone, chance.uniform(0.15, 0.7), SAMPLE_RATE)
        self.noise, self.decibels = noises[chance.integers(len(noises))], chance.uniform(8, 30)
        self.equaliser = np.exp(np.interp(np.linspace(0, 5, 256), np.arange(6), chance.normal(0, 0.5, 6)))
        self.codec = str(chance.choice(["plain", "telephone", "opus"]))

    def hear(self, chance: Chance, samples: np.ndarray) -> np.ndarray:
        """Return samples as heard at the end of the channel."""
        heard = in_room(samples, self.response)
        noise = np.roll(np.resize(self.noise, len(heard)), int(chance.integers(len(heard))))
        heard = heard + noise * (heard.std() / (noise.std() + QUIET) * 10 ** (-self.decibels / 20))
        whole = np.fft.rfft(heard)
        response = np.interp(np.linspace(0, 1, len(whole)), np.linspace(0, 1, 256), self.equaliser)
        return over_codec(np.fft.irfft(whole * response, len(heard)), self.codec)


def windows_of(samples: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return up to WINDOWS_EACH windows of frames with speech, spread over all of them, none of them overlapping.

    Each is the bands of our network and the mel energies of its teacher.
    """
    bands = fbank(samples)
    is_speech = speech_in(bands)
    speech, mels = bands[is_speech], mel_energies(loud_enough(samples))[is_speech]
    starts = np.arange(0, len(speech) - WINDOW + 1, WINDOW)
    chosen = starts[np.linspace(0, len(starts) - 1, min(len(starts), WINDOWS_EACH)).astype(int)] if len(starts) else []
    return [(speech[start : start + WINDOW], mels[start : start + WINDOW]) for start in chosen]


class Trials:
    """Windows with the numbers of their speakers, and of the groups within which, or across which, they are compared."""

    def __init__(self):
        self.windows: dict[str, list[tuple[tuple[np.ndarray, np.ndarray], str, str]]] = {}

    def add(self, kind: str, windows: list[tuple[np.ndarray, np.ndarray]], speaker: str, group: str) -> None:
        """Add windows of one speaker and group."""
        self.windows.setdefault(kind, []).extend((window, speaker, group) for window in windows)

    def save(self, path: pathlib.Path) -> dict[str, int]:
        """Write all windows, and return how many there are of each kind."""
        arrays: dict[str, np.ndarray] = {}
        for kind, rows in self.windows.items():
            arrays[f"{kind}_bands"] = np.stack([bands for (bands, _), _, _ in rows]).astype(np.float16)
            arrays[f"{kind}_mels"] = np.stack([mels for (_, mels), _, _ in rows])
            arrays[f"{kind}_speakers"] = np.array([speaker for _, speaker, _ in rows])
            arrays[f"{kind}_groups"] = np.array([group for _, _, group in rows])
        np.savez(path, **arrays)
        return {kind: len(rows) for kind, rows in self.windows.items()}


def add_conversations(trials: Trials, chance: Chance, found: dict[str, np.ndarray], noises: list[np.ndarray]) -> None:
    """Add conversations in one channel each, of one corpus each, twice over all speakers."""
    for corpus in ("libri_", "ocean_"):
        names = [speaker for speaker in found if speaker.startswith(corpus)]
        for turn in range(2):
            order = [names[at] for at in chance.permutation(len(names))]
            for start in range(0, len(order) - TOGETHER + 1, TOGETHER):
                members = order[start : start + TOGETHER]
                target = np.mean([spectrum(found[speaker]) for speaker in members], axis=0)
                channel = Channel(chance, noises)
                for speaker in members:
                    heard = channel.hear(chance, with_spectrum(found[speaker], target))
                    trials.add("shared", windows_of(heard), speaker, f"{corpus}{turn}.{start}")


def add_random_channels(trials: Trials, chance: Chance, found: dict[str, np.ndarray], noises: list[np.ndarray]) -> None:
    """Add windows of each speaker, each in its own channel."""
    length = int(2.4 * SAMPLE_RATE)
    for number, (speaker, samples) in enumerate(found.items()):
        for start in range(0, len(samples) - length, length):
            heard = Channel(chance, noises).hear(chance, samples[start : start + length])
            trials.add("random", windows_of(heard)[:1], speaker, "all")


def add_sessions(trials: Trials, shared: pathlib.Path) -> None:
    """Add windows of wuw2's held-out speakers as they are, each call a group."""
    for corpus, speaker, path in speech_files(shared):
        if corpus == "wuw2" and speaker in HELD_OUT:
            trials.add("sessions", windows_of(read(path)), speaker, path.stem)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--shared", type=pathlib.Path, required=True)
    options.add_argument("--out", type=pathlib.Path, required=True)
    given = options.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    chance, trials = np.random.default_rng(SEED), Trials()
    noises = [read(path) for path in sorted((given.shared / "data/train/noise").glob("*.ogg"))]
    noises = [noise for noise in noises if len(noise) > SAMPLE_RATE and noise.std() > QUIET]
    found = voices(given.shared)
    add_conversations(trials, chance, found, noises)
    add_random_channels(trials, chance, found, noises)
    add_sessions(trials, given.shared)
    print(json.dumps(trials.save(given.out / "trials.npz")))


if __name__ == "__main__":
    main()
