"""Dice that are not the game's: ``python -m calibration.training.held_back_odd``.

For each set of `calibration.training.synthetic.odd` under each light it prints, as a Markdown table, how
many cells are right and how many are wrong without a flag: read as they come, with the profile that one
other photo of the same set makes in which all dice are named, and with the one of a photo in which five
are, at random of those read wrong. Dice whose value a photo does not show are not among the cells, but have
to be flagged as well. Beside that stands how many these are, and in how many windows the dice are said to be
unknown before; and below, the same of ordinary dice of any look under any light, and how well confidence is
calibrated with profiles. Photos and sets come from seeds that nothing was learned from, and go the whole
road, from the bytes of a picture.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from calibration.errors import ProfileError
from calibration.evaluation.comparison import PhotoResult, evaluate
from calibration.evaluation.labels import PhotoLabel
from calibration.evaluation.reliability import Reliability
from calibration.profiles import learn, loose_sample, window_sample
from calibration.training.held_back import file_of, label_of, window_entry
from calibration.training.legible import burnt_out
from calibration.training.synthetic import odd
from calibration.training.synthetic.dice import DieLook, random_look
from calibration.training.synthetic.scene import Scene
from scoring import Die
from vision import Reading, VisionError, read_photo
from vision.geometry import BOARD_CORNERS, COLUMNS, apply_homography, as_corners
from vision.profile import How, Profile
from vision.reading import Corners

FIRST_SEED = 74_000_000
SETS, PHOTOS = 2, 4  # sets alike of each name, and photos of each under each light
LOOSE_SETS, LOOSE_PHOTOS = 3, 10  # sets of each name of which five loose dice are photographed, and how often
FIVE = ("R5", "Y2", "G3", "B1", "P6")
CORRECTED = 5  # dice that are named where not all are


@dataclass(frozen=True)
class OddResult:
    """What became of a photo: as it comes and with the two profiles, and whether its dice were unknown.

    ``known`` says whether they were read as those of the first profile.
    """

    readings: tuple[PhotoResult, ...]
    told: bool
    known: bool = False


def drawn(seed: int, look: DieLook, light: str | None, tilt_deg: float = 30) -> Scene:
    """Draw a photo of a window with dice of a look."""
    return odd.photo_of(np.random.default_rng(seed), look, light, tilt_deg=tilt_deg)


def read_one(
    seed: int, look: DieLook, light: str | None, profiles: Sequence[Profile | None] = (None,)
) -> OddResult:
    """Draw a photo, read it with each of some profiles, and hold the readings against the truth."""
    scene = drawn(seed, look, light)
    burnt = burnt_out(scene, look, lambda other: drawn(seed, other, light))
    entry = window_entry(scene.windows[0])
    entry["covered"] = [[*divmod(int(k), COLUMNS), scene.windows[0].dice[k]] for k in np.flatnonzero(burnt)]
    return held_against(scene, label_of(seed, scene.image_bgr, **entry), profiles)


def held_against(scene: Scene, label: PhotoLabel, profiles: Sequence[Profile | None] = (None,)) -> OddResult:
    """Read a photo with each of some profiles, and hold the readings against its label."""
    readings: list[Reading] = []

    def read(profile: Profile | None) -> Reading:
        readings.append(read_photo(file_of(scene.image_bgr), profile=profile))
        return readings[-1]

    results = tuple(evaluate(label, partial(read, profile)) for profile in profiles)
    known = any(one.profile for one in readings[1:2])
    return OddResult(results, any(one.unlike_dice for one in readings[:1]), known)


def profiles_of(seed: int, look: DieLook, light: str) -> tuple[Profile | None, ...]:
    """Return no profile, that of one photo with all dice named, and that of one with five dice corrected.

    A profile that is refused is none.
    """
    scene = drawn(seed, look, light)
    photo, said = file_of(scene.image_bgr), np.array(scene.windows[0].dice)
    corners = as_corners(apply_homography(scene.windows[0].base, BOARD_CORNERS))
    reading = read_photo(photo, corners=corners)
    if np.abs(np.array(reading.corners) - np.array(corners)).max() > reading_half(reading):
        reading = reading.rotated_180()
    read = np.array([f"{cell.die}" if cell.die else "--" for cell in reading.cells])
    order = np.lexsort((np.random.default_rng(seed).random(20), read == said, said == "--"))
    five = np.where(np.isin(np.arange(20), order[:CORRECTED]), said, "??")
    return None, *(
        _learned(photo, corners, codes, how) for codes, how in ((said, How.WINDOW), (five, How.CORRECTIONS))
    )


def reading_half(reading: Reading) -> float:
    """Return half a column of a reading, in pixels."""
    a, b, *_ = np.array(reading.corners)
    return float(np.linalg.norm(b - a)) / COLUMNS / 2


def _learned(photo: bytes, corners: Corners, codes: NDArray[np.str_], how: How) -> Profile | None:
    try:
        learned = learn("held back", [window_sample(photo, codes.tolist(), corners, how)])
    except (ProfileError, VisionError):
        return None
    return learned.profile if learned.adopted else None


def read_set(name: str, light: str) -> Iterator[OddResult]:
    """Read photos of the sets of a name under one light, with profiles learned under another one."""
    for number in range(1, SETS + 1):
        look = odd.named_set(name, number)
        first = FIRST_SEED + 1000 * list(odd.NAMED).index(name) + 100 * odd.LIGHTS.index(light) + 10 * number
        learned_in = odd.LIGHTS[(odd.LIGHTS.index(light) + number) % len(odd.LIGHTS)]
        profiles = profiles_of(first + 9, look, learned_in)
        for seed in range(first, first + PHOTOS):
            yield read_one(seed, look, light, profiles)


def learned_loose(name: str) -> str:
    """Return of how many photos of five loose dice sets are learned, and of how many with their values."""
    said = []
    for number in range(1, LOOSE_SETS + 1):
        look, adopted, known = odd.named_set(name, number), 0, 0
        for seed in range(FIRST_SEED + 200_000, FIRST_SEED + 200_000 + LOOSE_PHOTOS):
            picture, marks = odd.loose_photo(np.random.default_rng(seed), look, FIVE)
            named = [
                ((float(one.top[0]), float(one.top[1])), Die.parse(code))
                for one, code in zip(marks, FIVE, strict=True)
            ]
            with suppress(ProfileError):
                found = learn("held back", [loose_sample(file_of(picture), named)])
                adopted += found.adopted
                known += found.adopted and found.profile.values_known
        said.append(f"{adopted}, {known}")
    return f"{name}: {', '.join(said)}"


def read_ordinary(count: int) -> Iterator[OddResult]:
    """Read ordinary windows, each with dice of its own look, under any light and from any side."""
    for seed in range(FIRST_SEED + 100_000, FIRST_SEED + 100_000 + count):
        look = random_look(np.random.default_rng([seed, 1]))
        scene = drawn(seed, look, None, tilt_deg=45)
        yield held_against(scene, label_of(seed, scene.image_bgr, **window_entry(scene.windows[0])))


def line_of(name: str, light: str, results: Sequence[OddResult]) -> str:
    """Return the line of the table for some photos."""
    parts = []
    for way in zip(*(one.readings for one in results), strict=True):
        cells = sum(len(one.cells) for one in way)
        right = cells - sum(len(one.wrong_cells) for one in way)
        parts.append(f"{right} of {cells}, {sum(len(one.unnoticed) for one in way)}")
    told, burnt = sum(one.told for one in results), sum(len(one.readings[0].hidden) for one in results)
    return f"| {name} | {light} | {len(results)} | {' | '.join(parts)} | {burnt} | {told} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ordinary", type=int, default=400, help="how many ordinary windows to read")
    parser.add_argument(
        "--sets", nargs="*", choices=list(odd.NAMED), default=list(odd.NAMED), help="which sets"
    )
    options = parser.parse_args()
    out = partial(print, file=sys.stdout, flush=True)
    out("Cells right, and cells wrong and not flagged.")
    out()
    columns = ("set", "light", "windows", "as they come", "one photo learned", "five dice corrected")
    out(f"| {' | '.join((*columns, 'burnt out', 'unknown'))} |")
    out("|---|---|---:|---:|---:|---:|---:|---:|")
    told: list[PhotoResult] = []
    for name in options.sets:
        for light in odd.LIGHTS:
            results = list(read_set(name, light))
            told += [one.readings[1] for one in results if one.known]
            out(line_of(name, light, results))
    if options.ordinary:
        out(line_of("any ordinary", "any", list(read_ordinary(options.ordinary))))
    sure = Reliability.of((cell.confidence, cell.right) for one in told for cell in one.cells)
    out()
    for name in options.sets:
        out(f"Learned from five loose dice, with values, of {LOOSE_PHOTOS}: {learned_loose(name)}")
    out()
    out(f"Where a profile of one photo fits: calibration error {sure.error or 0:.2%} ({sure.cells} cells).")


if __name__ == "__main__":
    main()
