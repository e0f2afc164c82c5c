"""Stored tracks, and random mixtures of them as spectra: a transform of a sum is the sum of the transforms."""

import pathlib

import numpy as np

from stems.spectra import SEEN, to_rows

STEMS = ("vocals", "drums", "bass", "other")
SHARES = {"songs": 0.45, "makers": 0.4, "pieces": 0.3, "one-shots": 0.08, "synthetic": 0.1, "speech": 0.1}
"""How often a stem comes from each kind of track, in proportion."""
SILENT = (0.2, 0.15, 0.2, 0.1)
"""How often each stem is silent."""
ALONE = 0.1
"""How often a stem whose tracks are of different places has the mixture for itself."""
ALIGNED = {"makers": 0.25, "songs": 0.25, "pieces": 0.15}
"""How often all stems of a mixture come from the same place of one piece, in tempo and key."""
SUNG = 0.6
"""How often a voice of elsewhere joins such a mixture that has none."""
SECOND = (0.08, 0.05, 0.0, 0.25)
"""How often another track joins a stem."""
AUDIBLE = 0.02
"""Mean amplitude of the bins looked at, from which a place of a track is not silent."""
TRIES = 6
BINS = len(SEEN)

Batch = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Powers of mid and side, N x 2 x frames x rows; energies of the stems and their products with the mixture, N x 4 x frames x rows."""


class Tracks:
    """Stored tracks by stem and kind, and mixtures of them."""

    def __init__(self, data: pathlib.Path):
        load = lambda kind, stem: {path.stem: np.load(path, mmap_mode="r") for path in sorted((data / kind / stem).glob("*.npy"))}
        self.tracks = {stem: {kind: load(kind, stem) for kind in SHARES} for stem in STEMS}
        self.names = {stem: {kind: list(found) for kind, found in kinds.items()} for stem, kinds in self.tracks.items()}
        self.groups = {kind: self.shared_names(kind) for kind in ALIGNED}

    def shared_names(self, kind: str) -> list[str]:
        """Return the names that at least three stems have."""
        names = [name for stem in STEMS for name in self.names[stem][kind]]
        return sorted(name for name in set(names) if names.count(name) >= 3)

    def counts(self) -> dict[str, int]:
        """Return how many tracks each stem has."""
        return {stem: sum(map(len, kinds.values())) for stem, kinds in self.tracks.items()}

    def crop(self, chance: np.random.Generator, stem: str, frames: int) -> np.ndarray:
        """Return consecutive frames of a random track, frames x 2 x bins."""
        kinds = [kind for kind, found in self.names[stem].items() if found]
        shares = np.array([SHARES[kind] for kind in kinds])
        kind = kinds[chance.choice(len(kinds), p=shares / shares.sum())]
        names = self.names[stem][kind]
        for _ in range(TRIES):
            track = self.tracks[stem][kind][names[chance.integers(len(names))]]
            piece = cut(track, int(chance.integers(0, max(1, len(track) - frames))), frames)
            if np.abs(piece[:, 0, ::16]).mean() > AUDIBLE:
                break
        return piece

    def mixture(self, chance: np.random.Generator, frames: int) -> np.ndarray:
        """Return the spectra of the four stems of a random mixture, 4 x frames x 2 x bins."""
        draw = chance.random()
        for kind, share in ALIGNED.items():
            if draw < share and self.groups[kind]:
                return self.aligned(chance, kind, frames)
            draw -= share
        stems = np.zeros((4, frames, 2, BINS), np.complex64)
        alone = int(chance.integers(4)) if chance.random() < ALONE else None
        for at, stem in enumerate(STEMS):
            if at == alone if alone is not None else chance.random() >= SILENT[at]:
                stems[at] = turned(chance, self.crop(chance, stem, frames), stem)
                if chance.random() < SECOND[at]:
                    stems[at] += turned(chance, self.crop(chance, stem, frames), stem)
        return stems * band_limit(chance)

    def aligned(self, chance: np.random.Generator, kind: str, frames: int) -> np.ndarray:
        """Return the stems of one place of one piece, each with its own loudness and place between the channels."""
        name = self.groups[kind][chance.integers(len(self.groups[kind]))]
        found = [self.tracks[stem][kind].get(name) for stem in STEMS]
        length = min(len(track) for track in found if track is not None)
        at = int(chance.integers(0, max(1, length - frames)))
        stems = np.zeros((4, frames, 2, BINS), np.complex64)
        for place, (stem, track) in enumerate(zip(STEMS, found)):
            if track is not None and chance.random() > 0.08:
                stems[place] = turned(chance, cut(track, at, frames), stem)
        if found[0] is None and chance.random() < SUNG:
            stems[0] = turned(chance, self.crop(chance, "vocals", frames), "vocals")
        return stems * band_limit(chance)

    def batch(self, seed: int, number: int, size: int, frames: int) -> Batch:
        """Return random mixtures that follow from the seed and the number."""
        chance = np.random.default_rng((seed, number))
        return stacked([features(self.mixture(chance, frames)) for _ in range(size)])


def held_out(folder: pathlib.Path, frames: int) -> Batch:
    """Return the mixtures that no training sees, as `batch` does, cut into segments."""
    found = []
    for piece in sorted(folder.iterdir()):
        tracks = [complex_of(np.load(path)) if (path := piece / f"{stem}.npy").exists() else None for stem in STEMS]
        length = min(len(track) for track in tracks if track is not None)
        for at in range(0, length - frames + 1, frames):
            silence = np.zeros((frames, 2, BINS), np.complex64)
            found.append(features(np.stack([silence if track is None else track[at : at + frames] for track in tracks])))
    return stacked(found)


def cut(track: np.ndarray, at: int, frames: int) -> np.ndarray:
    """Return frames of a stored track, silent beyond its end."""
    piece = complex_of(track[at : at + frames])
    return np.pad(piece, ((0, frames - len(piece)), (0, 0), (0, 0)))


def complex_of(stored: np.ndarray) -> np.ndarray:
    """Return a stored spectrum as complex numbers."""
    return np.ascontiguousarray(stored, np.float32).view(np.complex64)[..., 0]


def turned(chance: np.random.Generator, track: np.ndarray, stem: str) -> np.ndarray:
    """Return a track with another loudness, width, balance, phase and, half of the time, another tone."""
    gain = 10 ** (chance.normal(0, 4) / 20)
    width = chance.uniform(0, 1) if stem != "other" else chance.uniform(0.3, 1.3)
    if chance.random() < 0.1:
        width = 0.0
    mid, side = track.mean(axis=1), (track[:, 0] - track[:, 1]) / 2 * (width * chance.choice([-1, 1]))
    balance = chance.normal(0, 0.1) if stem != "other" else chance.normal(0, 0.35)
    left, right = 1 - np.clip(balance, 0, 0.9), 1 + np.clip(balance, -0.9, 0)
    both = np.stack([(mid + side) * left, (mid - side) * right], axis=1)
    tone = tone_curve(chance) if chance.random() < 0.5 else np.ones(BINS, np.float32)
    return both * (tone * np.complex64(gain * np.exp(2j * np.pi * chance.random()))).astype(np.complex64)


def tone_curve(chance: np.random.Generator) -> np.ndarray:
    """Return a smooth random gain of each bin looked at."""
    octaves = np.log2(SEEN + 1.0)
    return (10 ** (np.interp(octaves, np.linspace(0, 11, 7), chance.normal(0, 3, 7)) / 20)).astype(np.float32)


def band_limit(chance: np.random.Generator) -> np.ndarray:
    """Return 1 for bins below a random limit, for a third of the mixtures."""
    limit = int(chance.integers(BINS * 2 // 3, BINS)) if chance.random() < 0.33 else BINS
    return (np.arange(BINS) < limit).astype(np.float32)


def features(stems: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the network's input, 2 x frames x rows (powers of mid and side), and for each stem its energy and its
    product with the mixture, 4 x frames x rows."""
    mixture = stems.sum(axis=0)
    mid, side = mixture.mean(axis=1), (mixture[:, 0] - mixture[:, 1]) / 2
    powers = np.stack([to_rows(power_of(mid)), to_rows(power_of(side))])
    energies = to_rows(power_of(stems).mean(axis=2))
    products = to_rows((stems.real * mixture.real + stems.imag * mixture.imag).mean(axis=2))
    return powers, energies, products


def power_of(values: np.ndarray) -> np.ndarray:
    """Return the squared amplitude of complex numbers."""
    return values.real**2 + values.imag**2


def stacked(items: list[tuple[np.ndarray, np.ndarray, np.ndarray]]) -> Batch:
    """Return the items' parts, each stacked into one array of float32."""
    powers, energies, products = (np.stack(part).astype(np.float32) for part in zip(*items))
    return powers, energies, products
