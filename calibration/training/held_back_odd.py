"""Dice that are not the game's: ``python -m calibration.training.held_back_odd``.

Windows of each named set, under each light, are read twice: as they come, and with the profile that another
photo of the set makes, in another light and with all dice named. Dice whose value a photo does not show are
not among the cells, but have to be flagged as well.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray
from skimage.color import rgb2lab

from calibration.errors import ProfileError
from calibration.evaluation import Report
from calibration.evaluation.comparison import PhotoResult, evaluate
from calibration.evaluation.labels import parse_label
from calibration.profiles import learn, window_sample
from calibration.training.held_back import entry_of, file_of, window_entry
from calibration.training.synthetic import odd
from calibration.training.synthetic.dice import DieLook
from calibration.training.synthetic.scene import Scene, Window
from vision import VisionError, read_photo
from vision.geometry import BOARD_CORNERS, CELL_CENTERS, COLUMNS, DIE_EDGE, apply_homography, as_corners
from vision.profile import How, Profile

FIRST_SEED = 74_000_000
SETS, PHOTOS = 2, 4  # sets alike of each name, and photos of each under each light
WAYS = ("as they come", "with one photo learned")
SEEN_FROM = 8.0
"""How far colors lie apart that are seen as two in a photo, in CIE 1976. Between large even patches an eye
tells 2.3 apart (Mahy, Van Eycken and Oosterlinck 1994); what JPEG makes of one color differs by up to 5."""
LEAST_SHOWN = 0.4  # share of the pips of a face: a blur takes some of each
FLAT = 0.75  # of a top face, inside its rounded edges


def burnt_out(scene: Scene, look: DieLook, drawn: Callable[[DieLook], Scene]) -> NDArray[np.bool_]:
    """Return which of the 20 cells have a die whose value a photo does not show to whoever looks.

    A lamp may burn a face out, pips and all; figures always show. ``drawn`` draws the same photo with dice of
    another look: with pips of the opposite color it differs where pips are, without pips where they are seen.
    """
    if look.digits:
        return np.zeros(len(CELL_CENTERS), dtype=bool)
    opposite = np.where(look.pip_color.mean() < 0.5, 0.95, 0.05).astype(np.float32) * np.ones(3, np.float32)
    other, bare = drawn(replace(look, pip_color=opposite)), drawn(replace(look, pip_radius=0.0))
    own, other_lab, bare_lab = (rgb2lab(one.image_bgr[..., ::-1]) for one in (scene, other, bare))
    pips = np.linalg.norm(own - other_lab, axis=2) >= SEEN_FROM
    seen = pips & (np.linalg.norm(own - bare_lab, axis=2) >= SEEN_FROM)
    return np.array([_is_burnt(scene.windows[0], k, look, pips, seen) for k in range(len(CELL_CENTERS))])


def _is_burnt(
    window: Window, index: int, look: DieLook, pips: NDArray[np.bool_], seen: NDArray[np.bool_]
) -> bool:
    if window.dice[index] == "--":
        return False
    square = CELL_CENTERS[index] + FLAT * DIE_EDGE / 2 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    face = np.zeros(pips.shape, np.uint8)
    cv2.fillConvexPoly(face, apply_homography(window.top, square).round().astype(np.int32), 1)
    inside = face > 0
    # Of a half-edge of 1 the face has 4 FLAT², and each pip pi times its radius squared.
    share = int(window.dice[index][1]) * np.pi * look.pip_radius**2 / (4 * FLAT**2)
    return bool((seen & inside).sum() < LEAST_SHOWN * share * inside.sum())


def drawn(seed: int, look: DieLook, light: str) -> Scene:
    """Draw a photo of a window with dice of a look."""
    return odd.photo_of(np.random.default_rng(seed), look, light, tilt_deg=30)


def profile_of(seed: int, look: DieLook, light: str) -> Profile | None:
    """Return the profile that one photo with all dice named makes, None where it is refused."""
    scene = drawn(seed, look, light)
    window = scene.windows[0]
    corners = as_corners(apply_homography(window.base, BOARD_CORNERS))
    try:
        sample = window_sample(file_of(scene.image_bgr), list(window.dice), corners, How.WINDOW)
        learned = learn("held back", [sample])
    except (ProfileError, VisionError):
        return None
    return learned.profile if learned.adopted else None


def read_one(
    seed: int, look: DieLook, light: str, profile: Profile | None, name: str
) -> tuple[PhotoResult, PhotoResult]:
    """Draw a photo, read it without and with a profile, and hold both readings against the truth."""
    scene = drawn(seed, look, light)
    burnt = burnt_out(scene, look, lambda other: drawn(seed, other, light))
    entry = entry_of(seed, scene.image_bgr, **window_entry(scene.windows[0]), set=name)
    entry["covered"] = [[*divmod(int(k), COLUMNS), scene.windows[0].dice[k]] for k in np.flatnonzero(burnt)]
    label, photo = parse_label(f"scene_{seed}", entry), file_of(scene.image_bgr)
    as_it_comes = evaluate(label, partial(read_photo, photo))
    return as_it_comes, evaluate(label, partial(read_photo, photo, profile=profile))


def read_sets(name: str) -> Iterator[tuple[PhotoResult, PhotoResult]]:
    """Read photos of the sets of a name, with profiles learned under another light."""
    for light in odd.LIGHTS:
        for number in range(1, SETS + 1):
            look, at = odd.named_set(name, number), odd.LIGHTS.index(light)
            first = FIRST_SEED + 1000 * list(odd.NAMED).index(name) + 100 * at + 10 * number
            profile = profile_of(first + 9, look, odd.LIGHTS[(at + number) % len(odd.LIGHTS)])
            for seed in range(first, first + PHOTOS):
                yield read_one(seed, look, light, profile, name)


def main() -> None:
    """Print the figures by set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", nargs="*", choices=list(odd.NAMED), default=list(odd.NAMED))
    results = [result for name in parser.parse_args().sets for result in read_sets(name)]
    for way, some in zip(WAYS, zip(*results, strict=True), strict=True):
        print(Report.of([(way, some)], "set").text(with_misses=False), end="\n\n")


if __name__ == "__main__":
    main()
