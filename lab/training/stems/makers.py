"""Collects the songs of `makers.json` with their stems: parts of songs, LMMS's projects and MIDI files.

Usage: python3 -m stems.makers --sources SOURCES --out WORK/makers   writes WORK/makers/train and WORK/makers/held, <song>/<stem>.flac
SOURCES has parts/ (src of everythingisremixed), projects/ (data/projects of LMMS 1.2) and scores/ (musics of Freedoom). Prints what
tells whether a stem is what it is called: its loudness, and the frequencies that its power lies at.
"""

import argparse
import json
import os
import pathlib
import subprocess
import tempfile
import xml.etree.ElementTree as ET
from typing import Callable

import mido
import numpy as np
import soundfile

from stems.data import SOUND_FONTS, SOUNDS
from stems.sounds import played, read
from stems.spectra import SAMPLE_RATE

LISTED = json.loads((pathlib.Path(__file__).parent / "makers.json").read_text())
DRUMS = ("drums/", "drumsynth/")
NOT_DRUMS = ("drumsynth/instrument", "drumsynth/misc_fx", "drumsynth/effects")
"""Folders of LMMS's samples."""
BASS_PROGRAMS = range(32, 40)
DRUM_CHANNEL = 9
LIMIT_SECONDS = 240
"""A rendering that takes longer is given up."""
LONGEST = 150
"""Seconds of a song that are kept."""

Stems = dict[str, np.ndarray]


def parts(folder: pathlib.Path, groups: dict[str, list[str]]) -> Stems:
    """Return the stems of a song from its parts; what is missing in full quality comes from its small version."""
    found = {}
    for stem, names in groups.items():
        sounds = []
        for name in names:
            path = next(path for suffix in ("", "_mobile") for path in folder.glob(f"*_Stem_{name}{suffix}.m4a"))
            command = ["ffmpeg", "-v", "error", "-i", str(path), "-ac", "2", "-ar", str(SAMPLE_RATE), "-f", "f32le", "-"]
            raw = subprocess.run(command, check=True, capture_output=True).stdout
            sounds.append(np.frombuffer(raw, np.float32).reshape(-1, 2))
        found[stem] = sum(np.pad(sound, ((0, max(map(len, sounds)) - len(sound)), (0, 0))) for sound in sounds)
    return found


def stem_of(track: ET.Element, place: int, song: dict) -> str | None:
    """Return the stem that an instrument of an LMMS song belongs to, by the list, else by its sample; None if to none."""
    for stem in ("bass", "drums", "other"):
        if place in song.get(stem, []):
            return stem
    if place in song.get("left_out", []):
        return None
    instrument = track.find(".//instrument")
    sample = next((part.get("src") or "" for part in instrument), "") if instrument is not None else ""
    return "drums" if sample.startswith(DRUMS) and not sample.startswith(NOT_DRUMS) else "other"


def rendered(project: pathlib.Path, song: dict) -> Stems:
    """Return the stems of an LMMS song: it plays once for each, all other instruments mute."""
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    settings = {"env": environment, "capture_output": True, "timeout": LIMIT_SECONDS}
    lmms = lambda *words: subprocess.run(["lmms", "--allowroot", *words], **settings).stdout
    text = project.read_bytes() if project.suffix == ".mmp" else lmms("dump", str(project))
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for stem in song.get("stems", ("drums", "bass", "other")):
            root = ET.fromstring(text[text.index(b"<?xml") :])
            for track in root.iter("track"):
                track.set("solo", "0")
            for place, track in enumerate(track for track in root.iter("track") if track.get("type") in ("0", "2")):
                if stem_of(track, place, song) != stem and place not in song.get("controls", []):
                    track.set("muted", "1")
            score, wav = pathlib.Path(folder) / f"{stem}.mmp", pathlib.Path(folder) / f"{stem}.wav"
            ET.ElementTree(root).write(score, encoding="utf-8", xml_declaration=True)
            lmms("render", str(score), "-f", "wav", "-x", "1", "-i", "linear", "-o", str(wav))
            found[stem] = read(wav)
    return found


def scored(path: pathlib.Path, font: pathlib.Path) -> Stems:
    """Return the stems of a MIDI file by its channels: the drums, what plays a bass, and the rest."""
    song = mido.MidiFile(path)
    program, stems = {}, {}
    for message in (message for track in song.tracks for message in track):
        if message.type == "program_change":
            program.setdefault(message.channel, message.program)
    tuned = lambda channel: "bass" if program.get(channel, 0) in BASS_PROGRAMS else "other"
    kind = lambda channel: "drums" if channel == DRUM_CHANNEL else tuned(channel)
    with tempfile.TemporaryDirectory() as folder:
        for stem in {kind(channel) for channel in range(16)}:
            score = mido.MidiFile(type=song.type, ticks_per_beat=song.ticks_per_beat)
            for track in song.tracks:
                score.tracks.append(mido.MidiTrack(quiet(message, kind, stem) for message in track))
            score.save(target := pathlib.Path(folder) / f"{stem}.mid")
            stems[stem] = played(target, font)
    return stems


def quiet(message: mido.Message, kind: Callable[[int], str], stem: str) -> mido.Message:
    """Return a message, its note struck without force where it belongs to another stem."""
    if message.type == "note_on" and kind(message.channel) != stem:
        return message.copy(velocity=0)
    return message


def save(folder: pathlib.Path, stems: Stems) -> None:
    """Store stems as FLAC, of one length, as loud as the loudest allows."""
    folder.mkdir(parents=True, exist_ok=True)
    length = min(LONGEST * SAMPLE_RATE, max(map(len, stems.values())))
    peak = max(float(np.abs(sound).max(initial=0)) for sound in stems.values())
    for stem, sound in stems.items():
        sound = np.pad(sound, ((0, max(0, length - len(sound))), (0, 0)))[:length]
        soundfile.write(folder / f"{stem}.flac", sound * (0.9 / max(peak, 1e-6)), SAMPLE_RATE)
        print(json.dumps({"song": folder.name, "stem": stem, **described(sound)}), flush=True)


def described(sound: np.ndarray) -> dict[str, float]:
    """Return a sound's loudness in dB, the frequency in Hz below which half its power lies, and how much lies below 150 Hz."""
    frames = sound.mean(axis=1)[: len(sound) // 8192 * 8192].reshape(-1, 8192)
    power = (np.abs(np.fft.rfft(frames * np.hanning(8192))) ** 2).sum(axis=0)
    shares = np.cumsum(power) / max(power.sum(), 1e-9)
    bin_width = SAMPLE_RATE / 8192
    loudness = 10 * np.log10((sound**2).mean() + 1e-12)
    median, low = np.searchsorted(shares, 0.5) * bin_width, shares[int(150 / bin_width)]
    return {"dB": round(float(loudness), 1), "median": round(float(median)), "low": round(float(low), 2)}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--sources", type=pathlib.Path, required=True)
    options.add_argument("--out", type=pathlib.Path, required=True)
    options.add_argument("--kinds", nargs="*", default=list(LISTED), choices=list(LISTED))
    given = options.parse_args()
    for kind in given.kinds:
        for number, song in enumerate(LISTED[kind]):
            folder = given.out / ("held" if song.get("held") else "train") / song["name"]
            if (folder / "drums.flac").exists():
                continue
            if kind == "parts":
                save(folder, parts(given.sources / kind / song["folder"], song["stems"]))
            elif kind == "projects":
                save(folder, rendered(next((given.sources / kind).rglob(song["file"])), song))
            else:
                save(folder, scored(given.sources / kind / song["file"], SOUNDS / SOUND_FONTS[number % 2]))


if __name__ == "__main__":
    main()
