"""Random pieces of many styles: drums, bass, chords and tunes as MIDI files, and a melody for voices in the same key."""

import dataclasses
import pathlib

import numpy as np

from stems.scores import BARS, BASSES, KITS, OTHERS, SCALES, Note, write_midi
from stems.voices import Melody

PADS = (16, 18, 19, 48, 49, 50, 51, 88, 89, 90, 91, 92, 94, 95)
STRUMMED = (24, 25, 26, 27, 28, 29, 30, 105, 106)
PLUCKED = (0, 1, 2, 4, 5, 6, 7, 10, 11, 12, 24, 26, 45, 46, 80, 81, 84, 104)
TUNES = (11, 22, 40, 41, 42, 56, 57, 59, 60, 64, 65, 66, 68, 71, 73, 75, 80, 81, 82, 87, 104)
STABS = (0, 2, 4, 7, 16, 17, 48, 55, 61, 62, 63)
PROGRESSIONS = ((0, 4, 5, 3), (5, 3, 0, 4), (0, 5, 3, 4), (0, 3, 4, 4), (1, 4, 0, 0), (0, 0, 3, 4), (0, 6, 5, 6))


@dataclasses.dataclass(frozen=True)
class Piece:
    """Tempo in beats a minute, key, scale, the chord of each bar, and how late the off-beats come, in beats."""

    tempo: float
    key: int
    scale: tuple[int, ...]
    degrees: tuple[int, ...]
    swing: float

    def pitch(self, degree: int, octave: int) -> int:
        """Return the MIDI key of a degree of the scale."""
        return self.key + 12 * (octave + degree // 7) + self.scale[degree % 7]

    def at(self, beat: float) -> float:
        """Return when a beat is played: off-beats of eighths later where the piece swings."""
        return beat + self.swing if abs(beat % 1 - 0.5) < 0.01 else beat

    def chord(self, bar: int) -> int:
        """Return the degree of a bar's chord."""
        return self.degrees[bar % len(self.degrees)]

    @property
    def seconds(self) -> float:
        """Return how long the piece is."""
        return BARS * 4 * 60 / self.tempo


def random_piece(chance: np.random.Generator) -> Piece:
    """Return a piece of a known or random progression."""
    known = PROGRESSIONS[chance.integers(len(PROGRESSIONS))]
    degrees = known if chance.random() < 0.6 else tuple(int(degree) for degree in chance.integers(0, 7, 4))
    swing = float(chance.choice([0, 0, 0, 0.1, 1 / 6]))
    return Piece(float(chance.uniform(70, 175)), int(chance.integers(0, 12)), SCALES[chance.integers(2)], degrees, swing)


def drums(chance: np.random.Generator, piece: Piece) -> list[Note]:
    """Return a groove with ghost notes, changes and fills: rock, four on the floor, breaks, or halved."""
    groove = chance.choice(["rock", "floor", "break", "half", "brushed"])
    hat, snare = int(chance.choice([42, 44, 51, 53, 70, 82, 69])), int(chance.choice([38, 40, 39, 37]))
    step = float(chance.choice([0.25, 0.5, 0.5, 1.0]))
    backbeats = {"half": [2.0], "break": [1.0, float(chance.choice([2.75, 3.0])), 3.25][: int(chance.integers(2, 4))]}.get(groove, [1.0, 3.0])
    kicks = [0.0, 1.0, 2.0, 3.0] if groove == "floor" else [0.0, *(at / 4 for at in range(1, 16) if chance.random() < 0.17)]
    loud = lambda low, high: int(chance.integers(low, high))
    notes: list[Note] = []
    for bar in range(BARS):
        beats, fills = bar * 4, bar % 4 == 3 and chance.random() < 0.6
        if bar % 8 == 7 and chance.random() < 0.2:
            continue
        notes += [(beats + piece.at(at), 0.25, int(chance.choice([35, 36, 36])), loud(85, 127)) for at in kicks if chance.random() < 0.94]
        notes += [(beats + at, 0.25, snare, loud(85, 127)) for at in backbeats if not (fills and at >= 2)]
        notes += [(beats + at / 4, 0.2, snare, loud(15, 50)) for at in range(16) if chance.random() < (0.12 if groove in ("break", "brushed") else 0.03)]
        for number, at in enumerate(np.arange(0, 4, step)):
            key = 46 if hat == 42 and chance.random() < 0.08 else hat
            notes.append((beats + piece.at(float(at)), 0.2, key, loud(70, 115) if number % 2 == 0 else loud(35, 90)))
        if fills:
            toms = [int(chance.choice([41, 43, 45, 47, 48, 50, snare])) for _ in range(8)]
            notes += [(beats + 2 + at / 4, 0.25, tom, loud(80, 120)) for at, tom in enumerate(toms)]
        if chance.random() < 0.25:
            notes.append((beats, 2, int(chance.choice([49, 57, 55, 52])), loud(80, 115)))
        if groove == "floor" and chance.random() < 0.7:
            notes += [(beats + at + 0.5, 0.2, 46, loud(60, 100)) for at in range(4)]
    return notes


def bass(chance: np.random.Generator, piece: Piece) -> list[Note]:
    """Return a line that follows the chords: held, eighths, walking, syncopated, or off the beat."""
    kind, octave = chance.choice(["held", "eighths", "walking", "syncopated", "offbeat"]), int(chance.integers(2, 4))
    rhythm = {
        "held": [0.0], "eighths": list(np.arange(0, 4, 0.5)), "walking": [0.0, 1.0, 2.0, 3.0],
        "offbeat": [0.5, 1.5, 2.5, 3.5], "syncopated": [0.0, *(at / 4 for at in range(1, 16) if chance.random() < 0.25)],
    }[str(kind)]
    notes: list[Note] = []
    for bar in range(BARS):
        degree = piece.chord(bar)
        for number, (at, until) in enumerate(zip(rhythm, [*rhythm[1:], 4.0])):
            step = degree + (int(chance.choice([0, 2, 4, 5, 7])) if kind == "walking" and number else int(chance.choice([0, 0, 0, 0, 4, 7])))
            length = (until - at) * float(chance.uniform(0.45, 1))
            notes.append((bar * 4 + piece.at(float(at)), length, piece.pitch(step, octave), int(chance.integers(75, 120))))
    return notes


def chords(chance: np.random.Generator, piece: Piece, kind: str) -> list[Note]:
    """Return an accompaniment: held pads, strums, broken chords, or stabs."""
    octave, size, rate = int(chance.integers(4, 6)), int(chance.integers(3, 5)), float(chance.choice([0.25, 0.5]))
    pattern = chance.permutation(8)
    strums = [0.0, *(at / 2 for at in range(1, 8) if chance.random() < 0.6)]
    hits = sorted(float(at) / 4 for at in chance.choice(16, int(chance.integers(2, 5)), replace=False))
    notes: list[Note] = []
    for bar in range(BARS):
        tones = [piece.pitch(piece.chord(bar) + 2 * number, octave) for number in range(size)]
        beats, loud = bar * 4, lambda: int(chance.integers(60, 105))
        if kind == "pad":
            notes += [(beats, 4.0, tone, loud()) for tone in tones]
        elif kind == "strum":
            for number, at in enumerate(strums):
                order = tones + [tone + 12 for tone in tones[:2]]
                order = order[::-1] if number % 2 else order
                notes += [(beats + piece.at(at) + 0.02 * place, 0.6, tone, loud()) for place, tone in enumerate(order)]
        elif kind == "broken":
            wide = tones + [tone + 12 for tone in tones]
            for number, at in enumerate(np.arange(0, 4, rate)):
                notes.append((beats + float(at), rate * chance.uniform(0.6, 2), wide[pattern[number % 8] % len(wide)], loud()))
        else:
            notes += [(beats + at, float(chance.uniform(0.1, 0.5)), tone, loud()) for at in hits for tone in tones]
    return notes


def tune(chance: np.random.Generator, piece: Piece, octave: int) -> list[Note]:
    """Return a melody that mostly goes by steps, in phrases with rests."""
    degree, notes, beat = int(chance.integers(0, 7)), [], float(chance.choice([0, 0.5, 4, 8]))
    lengths = [0.25, 0.5, 0.5, 1.0, 1.0, 1.5, 2.0, 3.0]
    slow = float(chance.choice([0.5, 1, 1, 2]))
    while beat < BARS * 4 - 2:
        if chance.random() < 0.12:
            beat += float(chance.choice([1, 2, 4]))
            continue
        length = float(chance.choice(lengths)) * slow
        degree = int(np.clip(degree + chance.choice([-2, -1, -1, 0, 1, 1, 2, 4, -4]), -3, 10))
        notes.append((beat, length * float(chance.uniform(0.8, 1)), piece.pitch(degree, octave), int(chance.integers(65, 115))))
        beat += length
    return notes


def melody(chance: np.random.Generator, piece: Piece) -> Melody:
    """Return a tune for a voice, in seconds."""
    seconds = 60 / piece.tempo
    return [(start * seconds, length * seconds, float(key)) for start, length, key, _ in tune(chance, piece, int(chance.choice([3, 4, 4, 5])))]


def write_piece(chance: np.random.Generator, folder: pathlib.Path, piece: Piece) -> dict[str, pathlib.Path]:
    """Write a piece as one MIDI file for each of drums, bass and other, and return them."""
    programs = {"pad": PADS, "strum": STRUMMED, "broken": PLUCKED, "stab": STABS}
    kinds = [str(kind) for kind in chance.choice(list(programs), int(chance.integers(1, 4)), replace=False)]
    draw = lambda found: int(found[chance.integers(len(found))])
    pan = lambda: int(np.clip(chance.normal(64, 28), 0, 127))
    others = [(at, draw(programs[kind] if chance.random() < 0.8 else OTHERS), pan(), chords(chance, piece, kind)) for at, kind in enumerate(kinds)]
    if chance.random() < 0.5:
        others.append((len(kinds), draw(TUNES), pan(), tune(chance, piece, int(chance.integers(4, 6)))))
    parts = {
        "drums": [(9, draw(KITS), 64, drums(chance, piece))],
        "bass": [(0, draw(BASSES), 64, bass(chance, piece))],
        "other": others,
    }
    for stem, part in parts.items():
        write_midi(folder / f"{stem}.mid", piece.tempo, part)
    return {stem: folder / f"{stem}.mid" for stem in parts}
