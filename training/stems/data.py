"""Makes tracks of vocals, drums, bass and the rest, and draws mixtures of them as spectra.

Songs with stems, at three speeds; loops of one-shots and of electronic kicks and basses; random scores played by FluidSynth from FluidR3; speech and sung
vowels. A transform of a sum is the sum of transforms, so tracks are stored as spectra and mixed by adding them.
Usage: python3 -m stems.data --shared SHARED --out WORK [--pieces 24]   writes WORK/<kind>/<stem>/*.npy
"""

import argparse
import pathlib
import subprocess
import tempfile

import numpy as np
import soundfile

from stems.scores import one_shot_track, write_scores
from stems.spectra import HOP, SAMPLE_RATE, WINDOW, stft, to_rows
from stems.synthetic import bass, kick

STEMS = ("vocals", "drums", "bass", "other")
SPEEDS = (1.0, 0.89, 1.13)
SOUND_FONT = "/usr/share/sounds/sf2/FluidR3_GM.sf2"
HELD_OUT_SECONDS = 30
"""End of each song, at its own speed, that is not trained on."""
SEED = 20261123
LOUDNESS = 0.1


def resample(samples: np.ndarray, factor: float) -> np.ndarray:
    """Return samples, N x C, stretched by a factor, through their spectrum."""
    samples = np.pad(samples, ((0, -len(samples) % 4096), (0, 0)))
    count = int(round(len(samples) * factor / 4096)) * 4096 or 4096
    spectrum = np.fft.rfft(samples, axis=0)
    resized = np.zeros((count // 2 + 1, samples.shape[1]), spectrum.dtype)
    kept = min(len(spectrum), len(resized))
    resized[:kept] = spectrum[:kept]
    return (np.fft.irfft(resized, count, axis=0) * (count / len(samples))).astype(np.float32)


def read(path: pathlib.Path, speed: float = 1.0) -> np.ndarray:
    """Return stereo samples of a file at 44.1 kHz, played at a speed."""
    samples, rate = soundfile.read(path, dtype="float32", always_2d=True)
    samples = np.repeat(samples, 2, axis=1) if samples.shape[1] == 1 else samples[:, :2]
    factor = SAMPLE_RATE / (rate * speed)
    return samples if abs(factor - 1) < 1e-6 else resample(samples, factor)


def levelled(samples: np.ndarray) -> np.ndarray:
    """Return samples whose audible part has the same loudness as that of every other track."""
    power = (samples**2).mean(axis=1)
    power = power[: len(power) // HOP * HOP].reshape(-1, HOP).mean(axis=1)
    audible = power[power > power.max(initial=0) * 1e-3]
    return samples * (LOUDNESS / max(1e-6, float(np.sqrt(audible.mean() if len(audible) else 0))))


def save(out: pathlib.Path, kind: str, stem: str, name: str, samples: np.ndarray) -> None:
    """Store a track's spectrum as float16, frames x 2 x bins x (real, imaginary)."""
    folder = out / kind / stem
    folder.mkdir(parents=True, exist_ok=True)
    spectrum = stft(levelled(samples))
    np.save(folder / f"{name}.npy", np.stack([spectrum.real, spectrum.imag], axis=-1).astype(np.float16))


def save_songs(stems: pathlib.Path, out: pathlib.Path) -> None:
    """Store the songs' stems at each speed, and their ends apart."""
    held = HELD_OUT_SECONDS * SAMPLE_RATE
    for path in sorted(stems.glob("evr_*/*.ogg")):
        stem = "other" if path.stem == "bass_and_pad" else path.stem
        samples = read(path)
        if path.stem != "bass_and_pad":
            save(out, "held", stem, path.parent.name, samples[-held:])
        for speed in SPEEDS:
            played = resample(samples[:-held], 1 / speed) if speed != 1 else samples[:-held]
            save(out, "songs", stem, f"{path.parent.name}-{path.stem}-{speed}", played)


def save_played(out: pathlib.Path, pieces: int) -> None:
    """Store random scores, played by FluidSynth, one file for each stem."""
    with tempfile.TemporaryDirectory() as folder:
        for number in range(pieces):
            for stem, score in write_scores(np.random.default_rng((SEED, number)), pathlib.Path(folder)).items():
                wav = score.with_suffix(".wav")
                flags = ["-n", "-i", "-q", "-r", str(SAMPLE_RATE), "-F", str(wav)]
                subprocess.run(["fluidsynth", *flags, SOUND_FONT, str(score)], check=True, capture_output=True)
                save(out, "played", stem, f"{number:03d}", read(wav))


def save_one_shots(stems: pathlib.Path, out: pathlib.Path, pieces: int) -> None:
    """Store loops and melodies of one-shots."""
    found = {stem: sorted(stems.glob(f"*/{stem}/*.ogg")) for stem in STEMS}
    found["other"] += sorted(stems.glob("salamander_piano/*.ogg"))
    for stem, paths in found.items():
        sounds = [(path.stem, sound) for path in paths if len(sound := read(path)) > 2000 and np.abs(sound).max() > 1e-3]
        for number in range(pieces):
            chance = np.random.default_rng((SEED, number, STEMS.index(stem)))
            save(out, "one-shots", stem, f"{number:03d}", one_shot_track(chance, stem, sounds, resample))


def save_synthetic(stems: pathlib.Path, out: pathlib.Path, pieces: int) -> None:
    """Store electronic kicks among drums of one-shots, and electronic basses."""
    drums = [read(path) for path in sorted(stems.glob("*/drums/*.ogg"))]
    for number in range(pieces):
        chance = np.random.default_rng((SEED, number, len(STEMS)))
        kit = [kick(chance), kick(chance), *(drums[at] for at in chance.permutation(len(drums))[: chance.integers(1, 6)])]
        for stem, sounds in (("drums", kit), ("bass", [bass(chance), bass(chance)])):
            named = [(stem, sound) for sound in sounds if len(sound) > 2000]
            save(out, "synthetic", stem, f"{number:03d}", one_shot_track(chance, stem, named, resample))


def save_speech(shared: pathlib.Path, out: pathlib.Path, pieces: int) -> None:
    """Store speech at several pitches as further voices."""
    paths = sorted((shared / "data/train/speech/picovoice_unlabelled").glob("*.opus"))
    chance = np.random.default_rng(SEED)
    for number in range(pieces):
        chosen = [paths[at] for at in chance.integers(0, len(paths), 8)]
        voice = np.concatenate([levelled(read(path, float(chance.uniform(0.8, 1.3)))) for path in chosen])
        save(out, "speech", "vocals", f"{number:03d}", voice[: 40 * SAMPLE_RATE])


class Tracks:
    """Stored tracks by stem, and mixtures of them."""

    SHARES = {"songs": 0.5, "played": 0.27, "one-shots": 0.2, "synthetic": 0.3, "speech": 0.2}

    def __init__(self, data: pathlib.Path):
        load = lambda kind, stem: [np.load(path, mmap_mode="r") for path in sorted((data / kind / stem).glob("*.npy"))]
        self.tracks = {stem: {kind: load(kind, stem) for kind in self.SHARES} for stem in STEMS}
        self.held = [{path.stem: path for path in sorted((data / "held" / stem).glob("*.npy"))} for stem in STEMS]

    def crop(self, chance: np.random.Generator, stem: str, frames: int) -> np.ndarray:
        """Return consecutive frames of a random track, frames x 2 x bins."""
        kinds = [kind for kind, found in self.tracks[stem].items() if found]
        shares = np.array([self.SHARES[kind] for kind in kinds])
        found = self.tracks[stem][kinds[chance.choice(len(kinds), p=shares / shares.sum())]]
        for _ in range(6):
            track = found[chance.integers(len(found))]
            at = int(chance.integers(0, max(1, len(track) - frames)))
            piece = complex_of(track[at : at + frames])
            if np.abs(piece[:, 0, ::16]).mean() > 0.02:
                break
        return np.pad(piece, ((0, frames - len(piece)), (0, 0), (0, 0)))

    def mixture(self, chance: np.random.Generator, frames: int) -> np.ndarray:
        """Return the spectra of the four stems of a random mixture, 4 x frames x 2 x bins."""
        stems = np.zeros((4, frames, 2, self.bins), np.complex64)
        for at, (stem, silent) in enumerate(zip(STEMS, (0.2, 0.15, 0.25, 0.1))):
            if chance.random() >= silent:
                stems[at] = turned(chance, self.crop(chance, stem, frames), stem)
        return stems * band_limit(chance, self.bins)

    @property
    def bins(self) -> int:
        from stems.spectra import SEEN

        return len(SEEN)

    def batch(self, seed: int, number: int, size: int, frames: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return features, stem energies and stem-mixture products of random mixtures (see `features`)."""
        chance = np.random.default_rng((seed, number))
        return stacked([features(self.mixture(chance, frames)) for _ in range(size)])

    def held_out(self, frames: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the ends of the songs, as `batch` does, with their stems as loud as each other."""
        found = []
        for name in sorted(set().union(*self.held)):
            tracks = [complex_of(np.load(paths[name])) if name in paths else None for paths in self.held]
            length = min(len(track) for track in tracks if track is not None)
            for at in range(0, length - frames + 1, frames):
                silence = np.zeros((frames, 2, self.bins), np.complex64)
                found.append(features(np.stack([silence if t is None else t[at : at + frames] for t in tracks])))
        return stacked(found)


def complex_of(stored: np.ndarray) -> np.ndarray:
    """Return a stored spectrum as complex numbers."""
    return np.ascontiguousarray(stored, np.float32).view(np.complex64)[..., 0]


def turned(chance: np.random.Generator, track: np.ndarray, stem: str) -> np.ndarray:
    """Return a track with another loudness, width, balance and phase."""
    gain = 10 ** (chance.normal(0, 4) / 20)
    width = chance.uniform(0, 1) if stem != "other" else chance.uniform(0.3, 1.3)
    mid, side = track.mean(axis=1), (track[:, 0] - track[:, 1]) / 2 * (width * chance.choice([-1, 1]))
    balance = chance.normal(0, 0.1) if stem != "other" else chance.normal(0, 0.35)
    left, right = 1 - np.clip(balance, 0, 0.9), 1 + np.clip(balance, -0.9, 0)
    return np.stack([(mid + side) * left, (mid - side) * right], axis=1) * np.complex64(gain * np.exp(2j * np.pi * chance.random()))


def band_limit(chance: np.random.Generator, bins: int) -> np.ndarray:
    """Return 1 for bins below a random limit, for a third of the mixtures."""
    limit = int(chance.integers(bins * 2 // 3, bins)) if chance.random() < 0.33 else bins
    return (np.arange(bins) < limit).astype(np.float32)


def features(stems: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the network's input, 2 x frames x rows (powers of mid and side), and for each stem its energy and its
    product with the mixture, 4 x frames x rows, and the mixture's energy before them, 9 x frames x rows in all."""
    mixture = stems.sum(axis=0)
    mid, side = mixture.mean(axis=1), (mixture[:, 0] - mixture[:, 1]) / 2
    powers = np.stack([to_rows(np.abs(mid) ** 2), to_rows(np.abs(side) ** 2)])
    energies = to_rows((np.abs(stems) ** 2).mean(axis=2))
    products = to_rows((stems * mixture.conj()).real.mean(axis=2))
    return powers, energies, products


def stacked(items: list[tuple[np.ndarray, np.ndarray, np.ndarray]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the items' parts, each stacked into one array of float32."""
    powers, energies, products = (np.stack(part).astype(np.float32) for part in zip(*items))
    return powers, energies, products


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--shared", type=pathlib.Path, required=True)
    options.add_argument("--out", type=pathlib.Path, required=True)
    options.add_argument("--pieces", type=int, default=24)
    given = options.parse_args()
    stems = given.shared / "data/train/stems"
    save_songs(stems, given.out)
    save_one_shots(stems, given.out, given.pieces)
    save_synthetic(stems, given.out, given.pieces)
    save_speech(given.shared, given.out, given.pieces)
    save_played(given.out, given.pieces)


if __name__ == "__main__":
    main()
