"""Loads the masked images, cutouts and scenes for training, decoded once and reduced in size."""

import dataclasses
import json
import pathlib

import cv2
import numpy as np

SIDE_MAX = 480
HERE = pathlib.Path(__file__).parent
MASKED_KINDS = ("davis", "coco", "coco2", "kuih", "leaves", "pets")
COARSE_KINDS = ("coco", "coco2", "coco3")
CLOSE_UP_MARGIN = 0.12
CLOSE_UP_KINDS = ("people", "vehicles")
CUTOUT_KINDS = ("animals", "models")
TAUGHT_KINDS = ("photos", "coco", "coco2", "coco3")
COAT_MIN = 40
SAME_SUBJECT = 0.75
CONTRADICTION = 0.6
BAND = (64, 192)
"""Values of a trimap between these are undecided."""


@dataclasses.dataclass
class Picture:
    """Photo and alpha of its subject, or a cutout when `whole` is false, whose colours are valid only under alpha.

    `known` is 0 where no one decided on alpha, 255 elsewhere; without it, alpha is known everywhere.
    """

    kind: str
    name: str
    rgb: np.ndarray
    alpha: np.ndarray
    whole: bool = True
    known: np.ndarray | None = None

    def bounds(self) -> tuple[int, int, int, int]:
        """Return left, top, right and bottom of the subject in pixels."""
        left, top, width, height = cv2.boundingRect((self.alpha > 25).astype(np.uint8))
        return left, top, left + width, top + height


def shrink(pixels: np.ndarray, side_max: int = SIDE_MAX) -> np.ndarray:
    """Reduce `pixels` to at most `side_max` on the longer side."""
    scale = side_max / max(pixels.shape[:2])
    return pixels if scale >= 1 else cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)


def read_rgb(path: pathlib.Path) -> np.ndarray:
    """Read an image as uint8 H x W x 3. Raises FileNotFoundError."""
    pixels = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if pixels is None:
        raise FileNotFoundError(path)
    return cv2.cvtColor(pixels, cv2.COLOR_BGR2RGB)


def read_alpha(path: pathlib.Path, shape: tuple[int, int]) -> np.ndarray:
    """Read alpha as uint8 H x W, resized to `shape` (height, width). Raises FileNotFoundError."""
    alpha = cv2.imread(str(path), cv2.IMREAD_GRAYSCALE)
    if alpha is None:
        raise FileNotFoundError(path)
    return cv2.resize(alpha, shape[::-1], interpolation=cv2.INTER_AREA)


def _pair(kind: str, path: pathlib.Path) -> Picture:
    rgb = shrink(read_rgb(path))
    picture = Picture(kind, path.stem, rgb, read_alpha(path.with_suffix(".png"), rgb.shape[:2]))
    return decide_band(picture) if kind == "pets" else picture


def decide_band(picture: Picture) -> Picture:
    """Decide the undecided band of a trimap by colour, with GrabCut, and mark it as not known."""
    undecided = (picture.alpha > BAND[0]) & (picture.alpha < BAND[1])
    state = np.where(picture.alpha >= BAND[1], cv2.GC_FGD, cv2.GC_BGD).astype(np.uint8)
    state[undecided] = cv2.GC_PR_BGD
    alpha = _grab_cut(picture.rgb, state)
    return dataclasses.replace(picture, alpha=alpha, known=np.where(undecided, 0, 255).astype(np.uint8))


def _grab_cut(rgb: np.ndarray, state: np.ndarray) -> np.ndarray:
    """Return alpha with slightly soft edges, from what `state` says for certain and what it supposes."""
    models = np.zeros((1, 65)), np.zeros((1, 65))
    cv2.setRNGSeed(1)
    cv2.grabCut(cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR), state, None, *models, 3, cv2.GC_INIT_WITH_MASK)
    alpha = np.where((state == cv2.GC_FGD) | (state == cv2.GC_PR_FGD), 255, 0).astype(np.uint8)
    return cv2.GaussianBlur(alpha, (0, 0), 0.8)


def refine_edges(picture: Picture) -> Picture:
    """Refine the outline of a coarse polygon with GrabCut, within a band of 2.5 % of the subject's size."""
    mask = (picture.alpha > 127).astype(np.uint8)
    reach = max(2, round(0.025 * float(np.sqrt(mask.sum()))))
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
    state = np.where(mask, cv2.GC_PR_FGD, cv2.GC_PR_BGD).astype(np.uint8)
    state[cv2.erode(mask, disc, borderValue=1) == 1] = cv2.GC_FGD
    state[cv2.dilate(mask, disc) == 0] = cv2.GC_BGD
    return dataclasses.replace(picture, alpha=_grab_cut(picture.rgb, state))


def hear_teacher(picture: Picture, taught: pathlib.Path) -> Picture:
    """Mark as not known where the general teacher contradicts a mask that was drawn coarsely or by machines, if both found the
    same subject."""
    truth = picture.alpha / 255
    teacher = read_alpha(taught / "u2netp" / picture.kind / f"{picture.name}.png", truth.shape) / 255
    both, either = np.minimum(truth, teacher).sum(), np.maximum(truth, teacher).sum()
    if both < SAME_SUBJECT * either:
        return picture
    known = np.where(np.abs(truth - teacher) > CONTRADICTION, 0, 255).astype(np.uint8)
    return dataclasses.replace(picture, known=known)


def _cutout(path: pathlib.Path) -> Picture:
    bgra = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    rgb = cv2.cvtColor(bgra[:, :, :3], cv2.COLOR_BGR2RGB)
    return Picture("fluent3d", path.stem, rgb, np.ascontiguousarray(bgra[:, :, 3]), whole=False)


def close_up(path: pathlib.Path, kind: str) -> Picture:
    """Crop a person or a vehicle before the photo is reduced: afterwards most would be only a few dozen pixels tall."""
    rgb = read_rgb(path)
    whole = Picture(kind, path.stem, rgb, read_alpha(path.with_suffix(".png"), rgb.shape[:2]))
    left, top, right, bottom = whole.bounds()
    margin = round(CLOSE_UP_MARGIN * max(right - left, bottom - top))
    window = np.s_[max(0, top - margin) : bottom + margin, max(0, left - margin) : right + margin]
    rgb, alpha = shrink(whole.rgb[window]), shrink(whole.alpha[window])
    picture = dataclasses.replace(whole, rgb=np.ascontiguousarray(rgb), alpha=np.ascontiguousarray(alpha))
    return refine_edges(picture) if path.parent.name in COARSE_KINDS else picture


def held_out_kinds() -> dict[str, str]:
    """Return the kind of subject of each image that is reserved for validation, by its folder and name."""
    listed = json.loads((HERE / "held-out.json").read_text())
    return {name: kind for kind, names in listed.items() for name in names}


def load_pictures(
    shared: pathlib.Path,
    labels: pathlib.Path,
    agreed: pathlib.Path,
    held_out: bool,
    taught: pathlib.Path | None = None,
    more: pathlib.Path | None = None,
) -> list[Picture]:
    """Load all masked images for training or validation; `labels` is the output of label.py, `agreed` that of agree.py,
    `taught` that of teach.py, `more` that of coco_photos.py. Training gets refined edges, the teacher's view, and close-ups of people and vehicles in addition; validation
    pictures are of a kind of subject."""
    pictures = []
    folders = {kind: shared / "data/train/matting" / kind for kind in MASKED_KINDS}
    if more:
        folders["coco3"] = more
    reserved = held_out_kinds()
    subjects = json.loads((HERE / "subjects.json").read_text())
    for kind, folder in {**folders, "photos": labels, "clothes": agreed}.items():
        paths = [p for p in sorted(folder.glob("*.jpg")) if (f"{kind}/{p.stem}" in reserved) == held_out]
        chosen = [p for p in (_pair(kind, path) for path in paths) if p.alpha.max() > 128]
        if held_out:
            pictures += [dataclasses.replace(p, kind=reserved[f"{kind}/{p.name}"]) for p in chosen]
            continue
        finer = [refine_edges(p) for p in chosen] if kind in COARSE_KINDS else chosen
        pictures += [hear_teacher(p, taught) for p in finer] if taught and kind in TAUGHT_KINDS else finer
        for near in CLOSE_UP_KINDS:
            pictures += [close_up(folder / f"{p.name}.jpg", near) for p in chosen if p.name in subjects[near]]
    if not held_out:
        cutouts = [_cutout(p) for p in sorted((shared / "data/train/matting/fluent3d").glob("*.webp"))]
        chosen = [dataclasses.replace(p, kind=kind) for kind in CUTOUT_KINDS for p in cutouts if p.name in subjects[kind]]
        pictures += cutouts + chosen
    return pictures


def load_ordinary(held_out: list[Picture]) -> list[Picture]:
    """Return twenty ordinary images with one clear subject, selected by eye from the held-out ones."""
    names = json.loads((HERE / "subjects.json").read_text())["ordinary"]
    by_name = {p.name: p for p in held_out}
    return [by_name[name] for name in names if name in by_name]


def load_scenes(shared: pathlib.Path) -> list[np.ndarray]:
    """Load photos without a subject."""
    names = json.loads((HERE / "subjects.json").read_text())["scenes"]
    return [shrink(read_rgb(shared / "data/train/photos" / name), 720) for name in names]


def coat_of(picture: Picture) -> np.ndarray | None:
    """Return a square of the fur of a pet, from where it is widest, or nothing where that is small."""
    inside = cv2.copyMakeBorder((picture.alpha > 250).astype(np.uint8), 1, 1, 1, 1, cv2.BORDER_CONSTANT)
    depth = cv2.distanceTransform(inside, cv2.DIST_L2, 5)
    row, column = np.unravel_index(int(depth.argmax()), depth.shape)
    reach = int(0.7 * depth[row, column])
    square = picture.rgb[max(0, row - reach) : row + reach, max(0, column - reach) : column + reach]
    return square if min(square.shape[:2]) >= COAT_MIN else None


def background_strips(picture: Picture) -> list[np.ndarray]:
    """Return the parts of a photo next to, above and below its subject that are large enough as backgrounds."""
    height, width = picture.alpha.shape
    left, top, right, bottom = picture.bounds()
    parts = (
        picture.rgb[:, : left - 4],
        picture.rgb[:, right + 4 :],
        picture.rgb[: top - 4] if top > 4 else picture.rgb[:0],
        picture.rgb[bottom + 4 :],
    )
    return [p for p in parts if p.shape[0] > 0.28 * height and p.shape[1] > 0.28 * width and min(p.shape[:2]) > 90]
