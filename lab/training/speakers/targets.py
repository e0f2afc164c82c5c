"""What the teacher says of the voices in WORK/table.json: the aim of the speaker network.

The teacher hears 5 s of each voice's own recording; the network, from 1 to 1.5 s in other rooms and over other lines, is to say
the same. What all voices of a corpus have in common is taken from it, as that is their microphones and lines.
Usage: python3 -m speakers.targets --shared SHARED --data WORK [--sources SOURCES]   writes WORK/targets.npz; goes on where it was stopped
"""

import argparse
import json
import os
import pathlib
import time

import numpy as np
import torch

from speakers.data import HELD_OUT, Row, by_recording, decode, is_moved, played, speech_in
from speakers.fbank import SAMPLE_RATE, fbank
from speakers.model import EMBEDDING
from speakers.moved import moving
from speakers.teacher import EMBEDDING as SAID
from speakers.teacher import PARTIAL, Teacher, loud_enough, mel_energies

PARTIALS = 3
SECONDS_READ = 10
"""Seconds that are read of a recording, to find PARTIALS of speech."""
VOICES_TOGETHER = 16
SAVE_EVERY = 60


def spoken_mels(paths: list[pathlib.Path], row: Row) -> np.ndarray:
    """Return mel energies of the first speech of a recording as a voice has it: PARTIALS x PARTIAL x MELS.

    Where there is too little, it is heard again.
    """
    found, speed = [], row["speed"]
    change = moving(row["pitch"], row["formants"]) if is_moved(row) else None
    for path in paths:
        samples = loud_enough(played(*decode(path, SECONDS_READ * speed), speed))
        found.append(mel_energies(samples, change)[speech_in(fbank(samples))])
        if sum(map(len, found)) >= PARTIALS * PARTIAL:
            break
    mels = np.concatenate(found)
    return np.resize(mels, (PARTIALS, PARTIAL, mels.shape[1]))


class Aims:
    """What the teacher has said of the rows of the table; nothing of the speakers held out."""

    def __init__(self, data: pathlib.Path):
        partials = np.load(data / "targets.npz")["partials"].astype(np.float32)
        rows: list[Row] = json.loads((data / "table.json").read_text())["speech"]
        corpora = np.array([f"{row['corpus']} {is_moved(row)}" for row in rows])
        is_heard = np.array([row["speaker"] not in HELD_OUT for row in rows])
        self.said = partials.mean(axis=1)
        for corpus in np.unique(corpora):
            of_corpus = is_heard & (corpora == corpus)
            self.said[of_corpus] -= self.said[of_corpus].mean(axis=0)

    def projection(self) -> np.ndarray:
        """Return the projection into the EMBEDDING dimensions in which voices differ most."""
        _, vectors = np.linalg.eigh(np.cov(self.said.T))
        return np.ascontiguousarray(vectors[:, ::-1][:, :EMBEDDING], np.float32)

    def projected(self, projection: np.ndarray) -> np.ndarray:
        """Return the aim of each row, of length 1."""
        found = self.said @ projection
        return found / (np.linalg.norm(found, axis=1, keepdims=True) + 1e-9)


def turned(aims: np.ndarray, said: np.ndarray) -> np.ndarray:
    """Return the rotation after which aims agree best with what a network says of the same voices already (Procrustes)."""
    left, _, right = np.linalg.svd(aims.T @ said)
    return (left @ right).astype(np.float32)


def write(path: pathlib.Path, partials: list[np.ndarray]) -> None:
    """Write what the teacher has said so far, atomically."""
    partial = path.with_suffix(".partial.npz")
    np.savez(partial, partials=np.concatenate(partials).astype(np.float16))
    os.replace(partial, path)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--shared", type=pathlib.Path, required=True)
    options.add_argument("--sources", type=pathlib.Path, help="folder with the repositories of found.py")
    options.add_argument("--data", type=pathlib.Path, required=True)
    options.add_argument("--weights", type=pathlib.Path, help="of the teacher; by default those in the installed package")
    given = options.parse_args()
    torch.set_num_threads(1)
    teacher, path = Teacher(given.weights), given.data / "targets.npz"
    recordings = by_recording(given.shared, given.sources)
    rows = json.loads((given.data / "table.json").read_text())["speech"]
    made = [np.load(path)["partials"]] if path.exists() else []
    at, saved_at = sum(map(len, made)), time.monotonic()
    for start in range(at, len(rows), VOICES_TOGETHER):
        some = rows[start : start + VOICES_TOGETHER]
        said = np.zeros((len(some), PARTIALS, SAID), np.float32)
        trained = [at for at, row in enumerate(some) if row["speaker"] not in HELD_OUT]
        if trained:
            heard = [some[at] for at in trained]
            mels = [spoken_mels(recordings[row["corpus"], row["speaker"], row["name"]], row) for row in heard]
            said[trained] = teacher(torch.from_numpy(np.concatenate(mels))).numpy().reshape(len(heard), PARTIALS, SAID)
        made.append(said)
        if time.monotonic() - saved_at > SAVE_EVERY:
            write(path, made)
            saved_at = time.monotonic()
    write(path, made)
    print(json.dumps({"voices": len(rows), "seconds_read": SECONDS_READ, "rate": SAMPLE_RATE}))


if __name__ == "__main__":
    main()
