"""Loose dice in a photo in the order in which people read, so that nobody has to say where each lies."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

from calibration.profiles.samples import CELLS
from vision.detection.views import Levels
from vision.loose import find_dice
from vision.photo import load_photo
from vision.read import TABLE_SIDE_PX, in_good_light
from vision.reading import Point

ROW = 0.8  # edges; a die that lies lower than this below the first of a row begins another one


@dataclass(frozen=True)
class Beside:
    """A die: its middle and its edge, in pixels of the upright full-size photo."""

    center: Point
    edge: float


def dice_beside(source: bytes | str | os.PathLike[str], most: int = CELLS) -> tuple[Beside, ...]:
    """Return the clearest dice in a photo, rows from the top, each from the left.

    Parameters
    ----------
    source
        The photo, as for `vision.read_photo`.
    most
        So many at most.

    Raises
    ------
    VisionError
        The photo cannot be read.
    """
    photo = in_good_light(load_photo(source, max_side=TABLE_SIDE_PX))
    found = []
    for spot in find_dice(Levels(photo.image_bgr), ())[:most]:
        x, y = (spot.top / photo.scale).round(1).tolist()
        found.append(Beside((x, y), round(spot.edge / photo.scale, 1)))
    return in_rows(found)


def in_rows(dice: Sequence[Beside]) -> tuple[Beside, ...]:
    """Return dice in the order in which people read.

    >>> [one.center for one in in_rows([Beside((90, 12), 20), Beside((10, 20), 20), Beside((30, 60), 20)])]
    [(10, 20), (90, 12), (30, 60)]
    """
    rows: list[list[Beside]] = []
    for one in sorted(dice, key=lambda die: die.center[1]):
        if rows and one.center[1] - rows[-1][0].center[1] < ROW * one.edge:
            rows[-1].append(one)
        else:
            rows.append([one])
    return tuple(one for row in rows for one in sorted(row, key=lambda die: die.center[0]))
