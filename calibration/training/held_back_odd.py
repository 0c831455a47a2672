"""Dice that are not the game's: ``python -m calibration.training.held_back_odd``.

For each set of `calibration.training.synthetic.odd` under each light it prints, as a Markdown table, how many
cells are right, how many are wrong without a flag, and in how many windows the dice are said to be unknown;
and the same of ordinary dice of any look under any light. Photos and sets come from seeds that nothing was
learned from, and go the whole road, from the bytes of a picture.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from calibration.accuracy.comparison import PhotoResult, evaluate
from calibration.training.held_back import file_of, label_of, window_entry
from calibration.training.synthetic import odd
from calibration.training.synthetic.dice import DieLook, random_look
from vision import Reading, read_photo

FIRST_SEED = 74_000_000
SETS, PHOTOS = 2, 4  # sets alike of each name, and photos of each under each light


@dataclass(frozen=True)
class OddResult:
    """What became of one photo of an odd set, and whether its dice were said to be unknown."""

    photo: PhotoResult
    told: bool


def read_one(seed: int, look: DieLook, light: str | None, tilt_deg: float = 30) -> OddResult:
    """Draw a photo of a window with dice of a look, read it, and hold the reading against the truth."""
    rng = np.random.default_rng(seed)
    scene = odd.photo_of(rng, look, light, tilt_deg=tilt_deg)
    readings: list[Reading] = []

    def read() -> Reading:
        readings.append(read_photo(file_of(scene.image_bgr)))
        return readings[-1]

    photo = evaluate(label_of(seed, scene.image_bgr, **window_entry(scene.windows[0])), read)
    return OddResult(photo, any(one.unlike_dice for one in readings))


def read_set(name: str, light: str) -> Iterator[OddResult]:
    """Read photos of the sets of a name under one light."""
    for number in range(1, SETS + 1):
        look = odd.named_set(name, number)
        first = FIRST_SEED + 1000 * list(odd.NAMED).index(name) + 100 * odd.LIGHTS.index(light) + 10 * number
        yield from (read_one(first + k, look, light) for k in range(PHOTOS))


def read_ordinary(count: int) -> Iterator[OddResult]:
    """Read ordinary windows, each with dice of its own look, under any light and from any side."""
    for seed in range(FIRST_SEED + 100_000, FIRST_SEED + 100_000 + count):
        yield read_one(seed, random_look(np.random.default_rng([seed, 1])), None, tilt_deg=45)


def line_of(name: str, light: str, results: Iterable[OddResult]) -> str:
    """Return the line of the table for some photos."""
    found = list(results)
    cells = [cell for one in found for cell in one.photo.cells]
    unnoticed = sum(len(one.photo.unnoticed) for one in found)
    right = sum(len(one.photo.cells) - len(one.photo.wrong_cells) for one in found)
    told = sum(one.told for one in found)
    read = sum(one.photo.error is None for one in found)
    each = unnoticed / max(read, 1)
    return f"| {name} | {light} | {read} | {right} of {len(cells)} | {unnoticed} ({each:.2f}) | {told} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ordinary", type=int, default=400, help="how many ordinary windows to read")
    options = parser.parse_args()
    out = partial(print, file=sys.stdout, flush=True)
    out("| set | light | windows | cells right | wrong, not flagged (a window) | said to be unknown |")
    out("|---|---|---:|---:|---:|---:|")
    for name in odd.NAMED:
        for light in odd.LIGHTS:
            out(line_of(name, light, read_set(name, light)))
    out(line_of("any ordinary", "any", read_ordinary(options.ordinary)))


if __name__ == "__main__":
    main()
