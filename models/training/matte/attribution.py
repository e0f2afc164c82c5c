"""Writes ../../weights/SOURCES.md: the attribution that the licences of the training images require.

Usage: attribution.py --shared ../shared > ../../weights/SOURCES.md
"""

import argparse
import csv
import json
import pathlib
import re

HERE = pathlib.Path(__file__).parent
AUTHORS = {
    "MathLee/EOR-VOS": "DAVIS 2016, by F. Perazzi, J. Pont-Tuset, B. McWilliams, L. Van Gool, M. Gross, A. Sorkine-Hornung",
    "google/dreambooth": "DreamBooth's images, by N. Ruiz, Y. Li, V. Jampani, Y. Pritch, M. Rubinstein, K. Aberman",
    "Alobster49/KuihCaloriesEstimation": "kuih-dataset v9, by the Roboflow Universe user kuih-ketayap",
    "ehne/fluentui-twemoji-3d": "Fluent Emoji, by Microsoft",
    "congduytran12/Trash-Classification-": "TrashNet, by G. Thung and M. Yang",
    "BuddiesOfBudgie/budgie-backgrounds": "Budgie's backgrounds",
    "elementary/wallpapers": "elementary's wallpapers",
    "pop-os/wallpapers": "Pop!_OS's wallpapers",
}
PHOTO = re.compile(r"image (CC BY(?:-SA)? [\d.]+|no known copyright restrictions \(Flickr Commons\)) \((\S+?)\)")
KNOWN = re.compile(r"CC BY(?:-SA)? [\d.]+|CC0-1\.0|MIT|Unsplash(?:/Pexels licence or CC0)?")
HEAD = """# Sources of `matte.onnx`

Written by `models/training/matte/attribution.py`. The model was trained on these images and contains none of them.
Subjects were cut out, recoloured, scaled and composited over other images.

| images | by | licence | source |
| ------ | -- | ------- | ------ |"""


def training_rows(shared: pathlib.Path) -> list[dict[str, str]]:
    """Return the rows of the MANIFEST for the images that training reads."""
    subjects = json.loads((HERE / "subjects.json").read_text())
    photos = {f"photos/{name}" for name in (*subjects["boxes"], *subjects["scenes"])}
    with open(shared / "data/train/MANIFEST.tsv", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    images = [r for r in rows if r["path"].endswith((".jpg", ".webp"))]
    return [r for r in images if r["path"].startswith("matting/") or r["path"] in photos]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--shared", type=pathlib.Path, required=True)
    rows = training_rows(options.parse_args().shared)
    coco = {m[2]: m[1] for r in rows if (m := PHOTO.match(r["license_as_stated"]))}
    groups: dict[tuple[str, str], int] = {}
    for row in rows:
        licence = row["license_as_stated"]
        if not PHOTO.match(licence):
            group = row["source_repo"], (KNOWN.search(licence) or [licence])[0]
            groups[group] = groups.get(group, 0) + 1
    print(HEAD)
    for (repository, licence), count in sorted(groups.items()):
        print(f"| {count} | {AUTHORS.get(repository, repository)} | {licence} | github.com/{repository} |")
    print(f"| {len(coco)} | photos of COCO 2017, below; outlines by the COCO Consortium (CC BY 4.0) | as listed | |")
    print("\n## Photos of COCO\n\nBy the Flickr users at these addresses:\n")
    for address, licence in sorted(coco.items(), key=lambda item: (item[1], item[0])):
        print(f"- {licence}: <{address}>")


if __name__ == "__main__":
    main()
