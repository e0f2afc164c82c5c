"""Makes the mixtures that no training sees, as sound for the product and as spectra for the training.

The ends of the songs; random pieces from other seeds, played by other sound fonts and sung by speakers who are held out;
and the voices of each over the music of the other.
Usage: python3 -m stems.held --shared SHARED --fonts FONTS --out WORK/held [--makers MAKERS/held]
With --makers, songs of makers that no training hears, with these voices, go to WORK/held-makers; MAKERS is what stems.makers wrote.
FONTS has TimGM6mb.sf2, OPL-3_FM_128M.sf2 and Black_Pearl_4_LV2.sf2 (Debian's timgm6mb-soundfont, opl3-soundfont and
avldrums.lv2-soundfont), whose licences do not fit training.
"""

import argparse
import pathlib
import tempfile

import numpy as np
import soundfile
import torch

from stems.data import HELD_OUT_SECONDS, SEED, singing, speech_of, voices_of
from stems.effects import affected
from stems.pieces import melody, random_piece, write_piece
from stems.sounds import levelled, played, read, store
from stems.spectra import SAMPLE_RATE
from stems.tracks import STEMS

FONTS = ("TimGM6mb.sf2", "OPL-3_FM_128M.sf2")
DRUM_FONTS = ("Black_Pearl_4_LV2.sf2", "TimGM6mb.sf2")
PIECES = 10
SECONDS = 14
SPREAD = 3.0
"""Standard deviation of a stem's loudness, in dB."""

Stems = dict[str, np.ndarray]


def song_ends(shared: pathlib.Path) -> dict[str, Stems]:
    """Return two cuts of the held-out end of each song."""
    found: dict[str, Stems] = {}
    for folder in sorted((shared / "data/train/stems").glob("evr_*")):
        stems = {path.stem: read(path)[-HELD_OUT_SECONDS * SAMPLE_RATE :] for path in sorted(folder.glob("*.ogg")) if path.stem in STEMS}
        for number in range(2):
            cut = slice(number * SECONDS * SAMPLE_RATE, (number + 1) * SECONDS * SAMPLE_RATE)
            found[f"end-{folder.name}-{number}"] = {stem: sound[cut] for stem, sound in stems.items()}
    return found


def made_piece(chance: np.random.Generator, number: int, fonts: pathlib.Path, voices: list[list[pathlib.Path]]) -> Stems:
    """Return the stems of a piece by held-out sounds and speakers, one in five of them spoken."""
    piece = random_piece(chance)
    with tempfile.TemporaryDirectory() as folder:
        scores = write_piece(chance, pathlib.Path(folder), piece)
        found = {}
        for stem, score in scores.items():
            font = fonts / (DRUM_FONTS if stem == "drums" else FONTS)[number % 2]
            found[stem] = played(score, font)
    voice = speech_of(chance, voices) if number % 5 == 4 else singing(chance, voices, melody(chance, piece), 2 * SECONDS + 2)
    found["vocals"] = voice
    begin = SECONDS * SAMPLE_RATE // 2
    cut = {stem: np.pad(sound, ((0, 2 * SECONDS * SAMPLE_RATE), (0, 0)))[begin : begin + SECONDS * SAMPLE_RATE] for stem, sound in found.items()}
    gain = lambda: 10 ** (chance.normal(0, SPREAD) / 20)
    return {stem: levelled(affected(chance, levelled(sound), stem)) * gain() for stem, sound in cut.items()}


def makers_songs(makers: pathlib.Path, voices: list[np.ndarray]) -> dict[str, Stems]:
    """Return two cuts of each song, where all of its stems sound, with a voice in turn."""
    found: dict[str, Stems] = {}
    length = SECONDS * SAMPLE_RATE
    for folder in sorted(makers.iterdir()):
        sounds = {path.stem: read(path) for path in sorted(folder.glob("*.flac"))}
        starts = range(0, len(sounds["drums"]) - length, length)
        quietest = [min(float((sound[start : start + length] ** 2).mean() / (sound**2).mean()) for sound in sounds.values()) for start in starts]
        for number, place in enumerate(sorted(np.argsort(quietest)[-2:])):
            music = {stem: sound[starts[place] : starts[place] + length] for stem, sound in sounds.items()}
            loudness = float(np.sqrt((sum(music.values()) ** 2).mean()))
            voice = voices[len(found) % len(voices)]
            voice = voice * (0.6 * loudness / float(np.sqrt((voice**2).mean())))
            found[f"maker-{folder.name}-{number}"] = {**music, "vocals": voice[:length]}
    return found


def save(folder: pathlib.Path, stems: Stems) -> None:
    """Store the stems as FLAC and spectra, and their sum, below full scale."""
    folder.mkdir(parents=True, exist_ok=True)
    length = min(map(len, stems.values()))
    whole = sum(sound[:length] for sound in stems.values())
    scale = 0.9 / max(0.9, float(np.abs(whole).max()), *(float(np.abs(sound).max()) for sound in stems.values()))
    for name, sound in {**stems, "mixture": whole}.items():
        soundfile.write(folder / f"{name}.flac", sound[:length] * scale, SAMPLE_RATE)
        if name != "mixture":
            store(folder / f"{name}.npy", sound[:length] * scale)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--shared", type=pathlib.Path, required=True)
    options.add_argument("--fonts", type=pathlib.Path, required=True)
    options.add_argument("--out", type=pathlib.Path, required=True)
    options.add_argument("--makers", type=pathlib.Path)
    given = options.parse_args()
    torch.set_num_threads(1)
    voices, ends = voices_of(given.shared, True), song_ends(given.shared)
    made = {f"made-{n:02d}": made_piece(np.random.default_rng((SEED, 10_000 + n)), n, given.fonts, voices) for n in range(PIECES)}
    sung = [stems["vocals"] for stems in ends.values() if np.abs(stems.get("vocals", np.zeros(1))).max() > 0.05]
    mixed = {}
    for number, (name, stems) in enumerate(ends.items()):
        music = {stem: sound for stem, sound in stems.items() if stem != "vocals"}
        mixed[f"voice-{name}"] = {**music, "vocals": made[f"made-{number:02d}"]["vocals"]}
    for number, vocals in enumerate(sung):
        music = made[f"made-{PIECES - 1 - number:02d}"]
        mixed[f"song-{number}"] = {**{stem: sound for stem, sound in music.items() if stem != "vocals"}, "vocals": levelled(vocals)}
    if given.makers:
        spoken = [stems["vocals"] for stems in made.values()]
        in_turn = [voice for pair in zip(spoken, sung) for voice in pair] + spoken[len(sung) :]
        for name, stems in makers_songs(given.makers, in_turn).items():
            save(given.out.with_name(f"{given.out.name}-makers") / name, stems)
    for name, stems in {**ends, **made, **mixed}.items():
        save(given.out / name, stems)


if __name__ == "__main__":
    main()
