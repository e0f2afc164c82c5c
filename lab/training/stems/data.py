"""Makes tracks of vocals, drums, bass and the rest.

Songs with stems at several speeds, loops of one-shots and of electronic sounds, random pieces played by FluidSynth whose
melody is sung by speech, and speech. Most tracks go through random effects.
Usage: python3 -m stems.data --shared SHARED --out WORK [--pieces 90] [--makers MAKERS/train]   writes WORK/<kind>/<stem>/*.npy
MAKERS is what stems.makers wrote.
"""

import argparse
import pathlib
import tempfile

import numpy as np
import torch

from stems.effects import affected
from stems.pieces import melody, random_piece, write_piece
from stems.scores import one_shot_track
from stems.sounds import levelled, played, read, resample, store
from stems.spectra import SAMPLE_RATE
from stems.synthetic import bass, kick, lead
from stems.tracks import STEMS
from stems.voices import choir

SPEEDS = (1.0, 0.85, 0.92, 1.0, 1.08, 1.19)
"""Of the songs' versions; the first one has no effects."""
SOUND_FONTS = ("sf2/FluidR3_GM.sf2", "sf3/MuseScore_General_Full.sf3")
SOUNDS = pathlib.Path("/usr/share/sounds")
MAKERS_SPEEDS = ((1.0, 1.0), (0.88, 1.12))
"""Least and largest speed of the versions of the songs of other makers; the first one has no effects."""
MAKERS_SECONDS = 90
"""Of a song of another maker that are heard."""
HELD_OUT_SECONDS = 30
"""End of each song, at its own speed, that is not trained on."""
PART_SECONDS = 30
PIECE_SECONDS = 26
HELD_OUT_READERS = 2
"""Files from which a reader of LibriSpeech is held out."""
HELD_OUT_LEARNERS = 30
"""Last speakers of speechocean762, who are held out."""
SEED = 20261127
AUDIBLE = 1e-3


def voices_of(shared: pathlib.Path, is_held_out: bool) -> list[list[pathlib.Path]]:
    """Return the speech of each speaker who is held out, or of each who is not."""
    speech = shared / "data/train/speech"
    by_speaker: dict[str, list[pathlib.Path]] = {}
    for path in sorted([*(speech / "librispeech").glob("*.opus"), *(speech / "speechocean").glob("*.opus")]):
        by_speaker.setdefault(path.parent.name + path.stem.replace("_", "-").split("-")[0], []).append(path)
    learners = sorted(name for name in by_speaker if name.startswith("speechocean"))[-HELD_OUT_LEARNERS:]
    held = lambda name: name in learners or (name.startswith("librispeech") and len(by_speaker[name]) >= HELD_OUT_READERS)
    return [paths for name, paths in sorted(by_speaker.items()) if held(name) == is_held_out]


def speech_of(chance: np.random.Generator, voices: list[list[pathlib.Path]]) -> np.ndarray:
    """Return levelled stereo speech of one of the speakers."""
    paths = voices[chance.integers(len(voices))]
    chosen = [paths[at] for at in chance.permutation(len(paths))[:4]]
    return np.concatenate([levelled(read(path)) for path in chosen])


def singing(chance: np.random.Generator, voices: list[list[pathlib.Path]], tune: list, seconds: float) -> np.ndarray:
    """Return a tune that a speaker sings, maybe with others behind."""
    return levelled(choir(chance, [speech_of(chance, voices)[:, 0] for _ in range(3)], tune, seconds))


def save(out: pathlib.Path, kind: str, stem: str, name: str, samples: np.ndarray, chance: np.random.Generator | None) -> None:
    """Store a track of equal loudness, with effects unless no chance is given, where it is not silent."""
    if np.abs(samples).max(initial=0) < AUDIBLE:
        return
    samples = levelled(samples)
    store(out / kind / stem / f"{name}.npy", samples if chance is None else levelled(affected(chance, samples, stem)))


def save_songs(shared: pathlib.Path, out: pathlib.Path, _pieces: int) -> None:
    """Store the songs' stems in parts, in each version, all but the first version with effects."""
    part = PART_SECONDS * SAMPLE_RATE
    for path in sorted((shared / "data/train/stems").glob("evr_*/*.ogg")):
        stem = "other" if path.stem == "bass_and_pad" else path.stem
        samples = read(path)[: -HELD_OUT_SECONDS * SAMPLE_RATE]
        suffix = "-pad" if path.stem == "bass_and_pad" else ""
        for number, start in enumerate(range(0, len(samples) - part // 2, part)):
            for version, speed in enumerate(SPEEDS):
                chance = np.random.default_rng((SEED, number, version, STEMS.index(stem), len(path.parent.name)))
                sound = samples[start : start + part]
                sound = resample(sound, 1 / speed) if speed != 1 else sound
                save(out, "songs", stem, f"{path.parent.name}-{number:02d}-{version}{suffix}", sound, chance if version else None)


def save_makers(makers: pathlib.Path | None, out: pathlib.Path) -> None:
    """Store the stems of further songs in parts, in each version, all but the first version with effects. Those that are
    sung are of the artist of the other songs, and count as such: two songs must not be a third of all voices."""
    part = PART_SECONDS * SAMPLE_RATE
    for version, (least, largest) in enumerate(MAKERS_SPEEDS):
        for folder in sorted(makers.iterdir()) if makers else ():
            sounds = {path.stem: read(path)[: MAKERS_SECONDS * SAMPLE_RATE] for path in sorted(folder.glob("*.flac"))}
            for number, start in enumerate(range(0, len(sounds["drums"]) - part // 3, part)):
                chance = np.random.default_rng((SEED, number, version, *folder.name.encode()))
                speed = float(chance.uniform(least, largest))
                for stem, sound in sounds.items():
                    sound = sound[start : start + part]
                    sound = resample(sound, 1 / speed) if version else sound
                    kind = "songs" if "vocals" in sounds else "makers"
                    save(out, kind, stem, f"{folder.name}-{number:02d}-{version}", sound, chance if version else None)


def save_pieces(shared: pathlib.Path, out: pathlib.Path, pieces: int) -> None:
    """Store random pieces, played by FluidSynth and sung, one file for each stem."""
    voices = voices_of(shared, False)
    with tempfile.TemporaryDirectory() as folder:
        for number in range(pieces):
            chance = np.random.default_rng((SEED, number))
            piece = random_piece(chance)
            for stem, score in write_piece(chance, pathlib.Path(folder), piece).items():
                font = SOUND_FONTS[chance.integers(len(SOUND_FONTS))]
                save(out, "pieces", stem, f"{number:03d}", played(score, SOUNDS / font)[: PIECE_SECONDS * SAMPLE_RATE], chance)
            sound = singing(chance, voices, melody(chance, piece), PIECE_SECONDS)
            save(out, "pieces", "vocals", f"{number:03d}", sound, chance)


def save_one_shots(shared: pathlib.Path, out: pathlib.Path, pieces: int) -> None:
    """Store loops and melodies of one-shots."""
    stems = shared / "data/train/stems"
    found = {stem: sorted(stems.glob(f"*/{stem}/*.ogg")) for stem in STEMS}
    found["other"] += sorted(stems.glob("salamander_piano/*.ogg"))
    for stem, paths in found.items():
        sounds = [(path.stem, sound) for path in paths if len(sound := read(path)) > 2000 and np.abs(sound).max() > 1e-3]
        for number in range(pieces):
            chance = np.random.default_rng((SEED, number, STEMS.index(stem)))
            track = one_shot_track(chance, stem, sounds, resample)
            save(out, "one-shots", stem, f"{number:03d}", track, chance if number % 4 else None)


def save_synthetic(shared: pathlib.Path, out: pathlib.Path, pieces: int) -> None:
    """Store electronic kicks among drums of one-shots, and electronic basses and leads."""
    drums = [read(path) for path in sorted((shared / "data/train/stems").glob("*/drums/*.ogg"))]
    for number in range(pieces):
        chance = np.random.default_rng((SEED, number, len(STEMS)))
        kit = [kick(chance), kick(chance), *(drums[at] for at in chance.permutation(len(drums))[: chance.integers(1, 6)])]
        for stem, sounds in (("drums", kit), ("bass", [bass(chance), bass(chance)]), ("other", [lead(chance), lead(chance)])):
            named = [(stem, sound) for sound in sounds if len(sound) > 2000]
            track = one_shot_track(chance, stem, named, resample)
            save(out, "synthetic", stem, f"{number:03d}", track, chance if number % 4 else None)


def save_speech(shared: pathlib.Path, out: pathlib.Path, pieces: int) -> None:
    """Store speech as further voices."""
    voices = voices_of(shared, False)
    for number in range(pieces):
        chance = np.random.default_rng((SEED, number, len(STEMS) + 1))
        voice = resample(speech_of(chance, voices), 1 / float(chance.uniform(0.85, 1.2)))
        save(out, "speech", "vocals", f"{number:03d}", voice[: 20 * SAMPLE_RATE], chance)


KINDS = {
    "songs": save_songs,
    "pieces": save_pieces,
    "synthetic": lambda shared, out, pieces: save_synthetic(shared, out, pieces // 2),
    "one-shots": lambda shared, out, pieces: save_one_shots(shared, out, pieces // 2),
    "speech": lambda shared, out, pieces: save_speech(shared, out, pieces // 2),
}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--shared", type=pathlib.Path, required=True)
    options.add_argument("--out", type=pathlib.Path, required=True)
    options.add_argument("--pieces", type=int, default=90)
    options.add_argument("--makers", type=pathlib.Path)
    options.add_argument("--kinds", nargs="*", default=[*KINDS, "makers"], choices=[*KINDS, "makers"])
    given = options.parse_args()
    torch.set_num_threads(1)
    for kind in given.kinds:
        if kind == "makers":
            save_makers(given.makers, given.out)
        else:
            KINDS[kind](given.shared, given.out, given.pieces)


if __name__ == "__main__":
    main()
