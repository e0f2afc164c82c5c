"""Speech of further speakers, in folders of public repositories that lie next to each other in one folder: SOURCES.

Their commits and licences are listed in speakers/README.md. A speaker of speech_commands is a contribution: one device in one room.
"""

import pathlib
import re
from typing import NamedTuple


class Source(NamedTuple):
    """A folder with recordings, whose paths tell the speaker."""

    corpus: str
    folder: str
    path: re.Pattern[str]
    prefix: str


class Found(NamedTuple):
    """A recording and its speaker."""

    corpus: str
    speaker: str
    path: pathlib.Path


COMMAND = re.compile(r"(?!_silence_)\w+/(?P<speaker>[\da-f]{8})_nohash_\d+\.wav")
SOURCES = (
    Source("commands", "PICO-tinyML-benchmark/MLTK_keyworkSpotting/dataset", COMMAND, "command_"),
    Source("commands", "speech-commands-recognition/speech_commands_v0.01", COMMAND, "command_"),
    Source("speechocean", "speechocean762/WAVE", re.compile(r"SPEAKER(?P<speaker>\d{4})/\d+\.WAV"), "ocean_"),
)


def recordings_in(folder: pathlib.Path) -> list[Found]:
    """Return the recordings of all sources, in order of their paths."""
    found = []
    for source in SOURCES:
        root = folder / source.folder
        for path in sorted(root.rglob("*.[wW][aA][vV]")):
            if match := source.path.fullmatch(path.relative_to(root).as_posix()):
                found.append(Found(source.corpus, source.prefix + match["speaker"], path))
    return found
