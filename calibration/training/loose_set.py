"""Loose dice as arrays: each as the finder of dice marks it, and marks that are no die's top."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from calibration.training.shards import Arrays, stacked
from calibration.training.synthetic.scene import COLORS
from calibration.training.synthetic.tables import Mark, Table
from vision.detection.views import Levels
from vision.loose import Spot, find_dice, whole_dice

ROOM_PX = 156  # side of a crop that is turned and moved each time it is learned from
SMALLEST_PX = 13.0
ON_A_DIE, BESIDE = 0.3, 0.5  # edges from a top: nearer a mark is right, farther it is wrong
MOST_MARKS, MOST_DICE, MOST_WRONG = 60, 24, 12  # of a photo
FRONTS = 0.35  # share of the dice from low down whose front is shown as a finder might mark it
NO_TOP, HIDDEN = -1, -2  # instead of a content, 0 to 29


def arrays_of_dice(seed: int, photos: Sequence[Table]) -> Arrays:
    """Return the dice of one scene's photos.

    ``crops`` (N, 156, 156, 3) uint8 BGR as of `whole_dice`, ``contents`` (N,), ``leans`` (N,) in edges, and
    ``crop_seeds`` (N,).
    """
    rng, rows = np.random.default_rng([seed, 2]), []
    for table in photos:
        levels = Levels(table.image_bgr)
        for spot, content in _marked(rng, table, levels):
            lean = float(np.linalg.norm(spot.up)) / spot.edge
            crop = whole_dice(levels, [spot], ROOM_PX)[0]
            rows.append({"crops": crop, "contents": content, "leans": lean})
    return stacked(rows, crop_seeds=seed)


def _marked(rng: np.random.Generator, table: Table, levels: Levels) -> Iterator[tuple[Spot, int]]:
    """Yield what the finder marks, the loose dice it misses, and fronts, each with its content."""
    usual = [mark.edge for mark in table.dice if mark.edge >= SMALLEST_PX]
    missed = [mark for mark in table.dice[table.standing :] if mark.edge >= SMALLEST_PX]
    wrong = 0
    for spot in find_dice(levels, [float(np.median(usual))] if usual else [])[:MOST_MARKS]:
        off = [float(np.linalg.norm(spot.top - mark.top)) / mark.edge for mark in table.dice]
        nearest = int(np.argmin(off)) if off else 0
        if off and off[nearest] < ON_A_DIE:
            mark = table.dice[nearest]
            missed = [one for one in missed if one is not mark]
            yield replace(spot, up=mark.top - mark.foot), _content(mark)
        elif min(off, default=np.inf) > BESIDE and wrong < MOST_WRONG:
            wrong += 1
            yield spot, NO_TOP
    for mark in missed[:MOST_DICE]:
        spot = Spot(mark.top, mark.top - mark.foot, mark.edge, 1.0)
        yield spot, _content(mark)
        if np.linalg.norm(spot.up) > spot.edge / 2 and rng.random() < FRONTS:
            beside = spot.top - spot.up * rng.uniform(0.55, 0.9) + rng.normal(0, 0.1, 2) * spot.edge
            yield replace(spot, top=beside, edge=spot.edge * rng.uniform(0.8, 1.15)), NO_TOP


def _content(mark: Mark) -> int:
    return HIDDEN if mark.hidden else 6 * COLORS.index(mark.color) + mark.value - 1
