"""Writes conversations as a microphone hears them that hears a loudspeaker again: to see that an echo is no second voice.

Usage: python3 -m speakers.echoes --of WORK/tables --out WORK/tables-heard-again [--seed 31]
"""

import argparse
import pathlib
import shutil

import numpy as np
import soundfile

SEED = 31
SECONDS, GAIN = (0.1, 0.4), (0.15, 0.5)
LOUDEST = 0.8


def heard_again(samples: np.ndarray, rate: int, seconds: float, gain: float) -> np.ndarray:
    """Return samples to which a copy is added, later and fainter."""
    late = int(seconds * rate)
    result = samples.copy()
    result[late:] += gain * samples[:-late]
    return result / np.abs(result).max() * LOUDEST


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--of", type=pathlib.Path, required=True)
    options.add_argument("--out", type=pathlib.Path, required=True)
    options.add_argument("--seed", type=int, default=SEED)
    given = options.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    chance = np.random.default_rng(given.seed)
    for path in sorted(given.of.glob("*.wav")):
        samples, rate = soundfile.read(path)
        again = heard_again(samples, rate, chance.uniform(*SECONDS), chance.uniform(*GAIN))
        soundfile.write(given.out / path.name, again, rate, subtype="PCM_16")
        shutil.copy(path.with_suffix(".rttm"), given.out)


if __name__ == "__main__":
    main()
