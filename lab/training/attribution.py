"""Writes the attribution that the licences of the training data require: a SOURCES.md.

With --in-training it is of what the trainings read now. models/weights/SOURCES.md is of the files that ship, so a section
there changes together with its weights.
Usage: python3 attribution.py --shared SHARED --in-training > SOURCES.md
"""

import argparse
import csv
import json
import pathlib
import re
from typing import Callable

PETS = (
    "Oxford-IIIT Pet, by O. M. Parkhi, A. Vedaldi, A. Zisserman, C. V. Jawahar; the copyright of the photos remains with "
    "their owners"
)
IN_TRAINING = """The networks in training read the images and recordings below. `models/weights/SOURCES.md` is of the weights that ship; a
training that goes on from those owes its first weights to the sources listed there.
"""
AUTHORS = {
    "MathLee/EOR-VOS": "DAVIS 2016, by F. Perazzi, J. Pont-Tuset, B. McWilliams, L. Van Gool, M. Gross, A. Sorkine-Hornung",
    "google/dreambooth": "DreamBooth's images, by N. Ruiz, Y. Li, V. Jampani, Y. Pritch, M. Rubinstein, K. Aberman",
    "Alobster49/KuihCaloriesEstimation": "kuih-dataset v9, by the Roboflow Universe user kuih-ketayap",
    "Naveen-Dodda/Sample_Pets_dataset": PETS,
    "alexeygrigorev/clothing-dataset-small": "Clothing dataset, by A. Grigorev and contributors",
    "ehne/fluentui-twemoji-3d": "Fluent Emoji, by Microsoft",
    "esgario/lara2018": "Coffee leaves of lara2018, by J. G. M. Esgario",
    "jimbozhang/speechocean762": "speechocean762, by J. Zhang, Z. Zhang, Y. Wang, Z. Yan, Q. Song, Y. Huang, K. Li, D. Povey, Y. Wang",
    "resemble-ai/Resemblyzer": "LibriSpeech, by V. Panayotov, G. Chen, D. Povey, S. Khudanpur",
    "simonhansen1999/PetClassification": PETS,
    "congduytran12/Trash-Classification-": "TrashNet, by G. Thung and M. Yang",
    "BuddiesOfBudgie/budgie-backgrounds": "Budgie's backgrounds",
    "elementary/wallpapers": "elementary's wallpapers",
    "pop-os/wallpapers": "Pop!_OS's wallpapers",
    "libjxl/testdata": "libjxl's test data",
}
PHOTO = re.compile(r"image (CC BY(?:-SA)? [\d.]+|no known copyright restrictions \(Flickr Commons\)) \((\S+?)\)")
KNOWN = re.compile(r"CC BY(?:-SA)? [\d.]+|CC0-1\.0|MIT|Apache-2\.0|Unsplash(?:/Pexels licence or CC0)?")
HEADS = {
    "matte": """# Sources of `matte.onnx`

The build joins MediaPipe's selfie segmentation, by Google (Apache-2.0, from the package `@mediapipe/selfie_segmentation`), layers of the
MobileNetV2 of the package `nsfwjs` (MIT), and our own `own-matte.onnx`. What follows is of our own part.

Written by `lab/training/attribution.py`. The model was trained on these images and contains none of them.
Subjects were cut out, recoloured, scaled and composited over other images.
""",
    "upscale": """
# Sources of the upscaling networks

`upscale-*.onnx` were trained on crops of these images, reduced in size, and contain none of them.
""",
    "speakers": """
# Sources of `speakers.onnx`

The network was trained on the band energies of these recordings, disturbed by noise and echo, and contains none of them. Its teacher is the
encoder of Resemblyzer, by Resemble AI (Apache-2.0, from the package `resemblyzer`); the network has none of its weights.

| files | by | licence | source |
| ----- | -- | ------- | ------ |""",
    "overlap": """
# Sources of `overlap.onnx`

The network was trained on mixtures of these recordings, with noise and echo, and contains none of them.

| files | by | licence | source |
| ----- | -- | ------- | ------ |""",
    "stems": """
# Sources of `stems.onnx`

The network was trained on the spectra of random mixtures of these recordings, and of music played by FluidSynth from the
sound fonts FluidR3 (by Frank Wen, MIT licence) and MuseScore_General (by S. Christian Collins, Michael Cowgill, Frank Wen
and others, MIT licence, parts CC0 or public domain). It contains none of them. LMMS and FluidSynth played the songs of LMMS and Freedoom.

| files | by | licence | source |
| ----- | -- | ------- | ------ |""",
}
TABLE = """| images | by | licence | source |
| ------ | -- | ------- | ------ |"""
FOUND = """| 4074 | Speech Commands v0.02, by P. Warden | CC BY 4.0 | github.com/thegtagamer/PICO-tinyML-benchmark |
| 300 | Speech Commands v0.01, by P. Warden | CC BY 4.0 | github.com/vinsis/speech-commands-recognition |
| 3733 | the rest of speechocean762 | free for commercial and non-commercial purposes (README) | github.com/jimbozhang/speechocean762 |"""
"""What speakers/found.py reads."""
UPSCALE_CUTOUTS_EVERY = 4
SPEECH_FOLDERS = ("speech/wuw2/", "speech/asc/", "speech/librispeech/", "speech/speechocean/", "noise/")
SONG_SOURCES = {"parts": "ichbinsoftware/everythingisremixed", "projects": "LMMS/lmms", "scores": "freedoom/freedoom"}
OVERLAP_MUSIC = ("stems/evr_", "stems/samples_cc0/drums", "stems/samples_cc0/bass", "stems/samples_cc0/other")


def read_manifest(shared: pathlib.Path) -> list[dict[str, str]]:
    """Return the rows of the MANIFEST."""
    with open(shared / "data/train/MANIFEST.tsv", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def read_images(shared: pathlib.Path) -> list[dict[str, str]]:
    """Return the rows of the MANIFEST for images."""
    return [r for r in read_manifest(shared) if r["path"].endswith((".jpg", ".webp"))]


def is_matte_source(row: dict[str, str]) -> bool:
    """Return whether the matte model's training reads an image: what has no mask gets one where the teachers agree."""
    return row["path"].startswith(("matting/", "photos/"))


def upscale_rows(images: list[dict[str, str]]) -> list[dict[str, str]]:
    """Return the rows that the upscalers' training reads: all photos, and every fourth cutout."""
    kinds = ("photos/", "matting/davis/", "matting/coco/", "matting/coco2/", "matting/kuih/")
    cutouts = sorted((r for r in images if r["path"].startswith("matting/fluent3d/")), key=lambda row: row["path"])
    return [*(r for r in images if r["path"].startswith(kinds)), *cutouts[::UPSCALE_CUTOUTS_EVERY]]


def is_speaker_source(path: str) -> bool:
    """Return whether the speaker network's training reads a recording."""
    return path.startswith(SPEECH_FOLDERS) and path.endswith((".opus", ".ogg"))


def is_overlap_source(path: str) -> bool:
    """Return whether the overlap network's training reads a recording."""
    music = path.startswith(OVERLAP_MUSIC) and "vocals" not in path and path.endswith(".ogg")
    return (path.startswith(SPEECH_FOLDERS) and path.endswith((".opus", ".ogg"))) or music


def is_stems_source(path: str) -> bool:
    """Return whether the stems network's training reads a recording."""
    kinds = r"stems/(evr_|salamander_piano/|(berklee_olpc|samples_cc0)/(vocals|drums|bass|other)/)|speech/(librispeech|speechocean)/"
    return path.endswith((".opus", ".ogg")) and re.match(kinds, path) is not None


def print_recordings(shared: pathlib.Path, head: str, reads: Callable[[str], bool]) -> None:
    """Print a row for each source and licence of the recordings that a network's training reads."""
    groups: dict[tuple[str, str], int] = {}
    for row in read_manifest(shared):
        if reads(row["path"]):
            licence = KNOWN.search(row["license_as_stated"])
            group = row["source_repo"], licence[0] if licence else row["license_as_stated"]
            groups[group] = groups.get(group, 0) + 1
    print(HEADS[head])
    for (repository, licence), count in sorted(groups.items()):
        print(f"| {count} | {AUTHORS.get(repository, repository)} | {licence} | github.com/{repository} |")


def print_songs() -> None:
    """Print a row for each maker of the songs of `stems/makers.json` that the stems network's training reads."""
    listed = json.loads((pathlib.Path(__file__).parent / "stems/makers.json").read_text())
    groups: dict[tuple[str, str, str], list[str]] = {}
    for kind, songs in listed.items():
        for song in songs:
            if not song.get("held"):
                groups.setdefault((song["by"], song["licence"], SONG_SOURCES[kind]), []).append(song["title"])
    for (by, licence, repository), titles in groups.items():
        print(f"| {len(titles)} | {', '.join(titles)}, by {by} | {licence} | github.com/{repository} |")


def read_more_photos() -> dict[str, str]:
    """Return the licences of the photos of `matte/coco-photos.json` by address."""
    listed = json.loads((pathlib.Path(__file__).parent / "matte/coco-photos.json").read_text())
    return {photo["source"]: photo["licence"] for part in listed.values() for photo in part["photos"].values()}


def print_table(rows: list[dict[str, str]], more: dict[str, str] | None = None) -> dict[str, str]:
    """Print a row for each source and licence, `more` photos of COCO among them. Returns the licences of COCO's photos by
    address."""
    coco = {m[2]: m[1] for r in rows if (m := PHOTO.match(r["license_as_stated"]))} | (more or {})
    groups: dict[tuple[str, str], int] = {}
    for row in rows:
        licence = row["license_as_stated"]
        if not PHOTO.match(licence):
            group = row["source_repo"], (KNOWN.search(licence) or [licence])[0]
            groups[group] = groups.get(group, 0) + 1
    print(TABLE)
    for (repository, licence), count in sorted(groups.items()):
        print(f"| {count} | {AUTHORS.get(repository, repository)} | {licence} | github.com/{repository} |")
    print(f"| {len(coco)} | photos of COCO 2017, below; outlines by the COCO Consortium (CC BY 4.0) | as listed | |")
    return coco


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--shared", type=pathlib.Path, required=True)
    options.add_argument("--in-training", action="store_true", help="of what the trainings read now")
    given = options.parse_args()
    shared = given.shared
    images = read_images(shared)
    if given.in_training:
        print(IN_TRAINING)
    print(HEADS["matte"])
    coco = print_table([row for row in images if is_matte_source(row)], read_more_photos())
    print(HEADS["upscale"])
    coco |= print_table(upscale_rows(images))
    print("\n## Photos of COCO\n\nBy the Flickr users at these addresses:\n")
    for address, licence in sorted(coco.items(), key=lambda item: (item[1], item[0])):
        print(f"- {licence}: <{address}>")
    print_recordings(shared, "speakers", is_speaker_source)
    if given.in_training:
        print(FOUND)
    print_recordings(shared, "overlap", is_overlap_source)
    print_recordings(shared, "stems", is_stems_source)
    print_songs()


if __name__ == "__main__":
    main()
