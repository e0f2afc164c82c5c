"""More voices: pitch and formants of each wide-band speaker moved apart, as no other speed moves them.

The logarithm of a frame's spectrum is divided by its cepstrum into an envelope, which has the formants, and what is left, which has the
harmonics. Each is stretched by its own factor and both are added again: all of that is one matrix. Networks hear powers of bands, so no phase
is needed, and no pitch has to be found. The teacher takes voices so moved for the same as those of a vocoder (WORLD; cosine .83 to .93).
Usage: python3 -m speakers.moved --shared SHARED --data WORK   adds its voices to WORK/speech.npy and table.json, after speakers.data
"""

import argparse
import functools
import json
import pathlib
import zlib

import numpy as np

from speakers.data import HELD_OUT, SHORTEST, Row, by_recording, read, speech_in
from speakers.fbank import Change, bands_of, powers

CORPORA = ("librispeech", "speechocean")
"""Telephone voices stay: the edge of their band would move with the formants, and tell the copies apart."""
LOW, MIDDLE, HIGH = (0.74, 0.84), (0.98, 1.02), (1.2, 1.36)
SMALL, LARGE = (1.08, 1.18), (0.85, 0.93)
"""Formants of a smaller head, and of a larger one."""
MOVES = ((LOW, MIDDLE), (HIGH, MIDDLE), (LOW, SMALL), (HIGH, LARGE))
"""Ranges of the factors of pitch and of formants. The teacher takes moved formants alone for nearly the same voice."""
ENVELOPE = (22, 40)
"""Quefrencies, in samples, between which the envelope ends: formants lie below them, and pitches up to 400 Hz above."""
TURN = 0.8
"""Share of the band in which formants move by their factor; from there on they approach the upper edge, which stays."""
RANGE = 1e-8
"""Least power of a bin next to the largest of its frame."""


def stretched(values: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Return values, frames x bins, read at fractional bins; beyond the last one they are mirrored."""
    last = values.shape[1] - 1
    at = last - np.abs(last - at)
    low = np.minimum(at.astype(int), last - 1)
    share = at - low
    return values[:, low] * (1 - share) + values[:, low + 1] * share


@functools.lru_cache(maxsize=8)
def mover(bins: int, pitch: float, formants: float) -> np.ndarray:
    """Return the matrix, bins x bins, that logarithms of power spectra are multiplied by to move pitch and formants."""
    cepstrum = np.fft.irfft(np.eye(bins))
    quefrency = np.minimum(np.arange(cepstrum.shape[1]), cepstrum.shape[1] - np.arange(cepstrum.shape[1]))
    cepstrum *= np.clip((ENVELOPE[1] - quefrency) / (ENVELOPE[1] - ENVELOPE[0]), 0, 1)
    envelope = np.fft.rfft(cepstrum).real
    at, last = np.arange(bins, dtype=np.float64), bins - 1.0
    turn = TURN * last * min(1.0, formants)
    source = np.where(at < turn, at / formants, turn / formants + (at - turn) * (last - turn / formants) / (last - turn))
    return (stretched(envelope, source) + stretched(np.eye(bins) - envelope, at / pitch)).astype(np.float32)


def moving(pitch: float, formants: float) -> Change:
    """Return the change of frames of powers that moves their pitch and their formants by factors."""

    def change(power: np.ndarray) -> np.ndarray:
        log = np.log(power + power.max(axis=1, keepdims=True) * RANGE + 1e-12)
        return np.exp(log @ mover(power.shape[1], pitch, formants))

    return change


def moves_of(speaker: str) -> list[tuple[float, float]]:
    """Return the factors of pitch and formants of a speaker's further voices, always the same."""
    chance = np.random.default_rng(zlib.crc32(speaker.encode()))
    return [(round(chance.uniform(*pitch), 3), round(chance.uniform(*formants), 3)) for pitch, formants in MOVES]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--shared", type=pathlib.Path, required=True)
    options.add_argument("--data", type=pathlib.Path, required=True)
    given = options.parse_args()
    table = json.loads((given.data / "table.json").read_text())
    speech = np.load(given.data / "speech.npy", mmap_mode="r")
    rows: list[Row] = table["speech"]
    if any(row["pitch"] != 1 for row in rows):
        raise SystemExit("The moved voices are there already.")
    pieces, at = [speech], len(speech)
    for (corpus, speaker, name), paths in by_recording(given.shared, None).items():
        if corpus not in CORPORA or speaker in HELD_OUT:
            continue
        power = np.concatenate([one[speech_in(bands_of(one))] for one in (powers(read(path)) for path in paths)])
        for pitch, formants in moves_of(speaker):
            bands = bands_of(moving(pitch, formants)(power)).astype(np.float16)
            if len(bands) >= SHORTEST:
                row = {"corpus": corpus, "speaker": speaker, "name": name, "speed": 1.0, "pitch": pitch, "formants": formants}
                rows.append({**row, "at": at, "frames": len(bands)})
                pieces.append(bands)
                at += len(bands)
    np.save(given.data / "moved.npy", np.concatenate(pieces))
    (given.data / "moved.npy").replace(given.data / "speech.npy")
    (given.data / "table.json").write_text(json.dumps(table))
    print(json.dumps({"pieces": len(pieces) - 1, "hours": round((at - len(speech)) / 360000, 2)}))


if __name__ == "__main__":
    main()
