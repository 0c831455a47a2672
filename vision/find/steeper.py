"""Looks at a photo as if the camera had looked down more steeply, for tables seen from a chair."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

import numpy as np

from vision.find.levels import Levels
from vision.find.places import Place
from vision.find.views import FinderView, nearer_view, tilted_view
from vision.geometry import USUAL_FOCAL

FAR_DEG = (0, 180, 90, 270)  # where in the photo the far side of the table may be: top, bottom, right, left
STEEPER_DEG = 45.0  # how much further down the second camera looks where nothing was found
NEARER_STEEPER_DEG = (30.0, 45.0)
NEARER = 3  # places that are looked at once more so; of 216 photos the last place that helped was the third
NEARER_OF_MANY = 6  # the same where every window is wanted
NEARER_MARKS = 10  # middles of cells that must be seen in one for that
NEARER_FROM_PX = 48  # pixels of the photo that it must be wide
NEARER_HALF = 1.2  # how much around a place is looked at, in roots of its area
SAME = 0.3  # roots of its area within which another place is the same


def views(photo: Levels) -> Iterator[FinderView]:
    """Yield the whole photo from more steeply, towards each side in turn."""
    for far_deg in FAR_DEG:
        yield tilted_view(photo, far_deg, STEEPER_DEG, USUAL_FOCAL * max(photo.size))


def worth_a_look(places: Iterable[Place], *, every: bool) -> list[Place]:
    """Return the places that seem most to be windows, each once; more where every window is wanted."""
    kept: list[Place] = []
    for place in sorted(places, key=lambda one: -one.sure * one.marks):
        wide = place.square_px >= NEARER_FROM_PX**2
        known = any(np.linalg.norm(place.middle - one.middle) < SAME * one.square_px**0.5 for one in kept)
        if wide and place.marks >= NEARER_MARKS and not known:
            kept.append(place)
    return kept[: NEARER_OF_MANY if every else NEARER]


def nearer_views(photo: Levels, place: Place) -> Iterator[FinderView]:
    """Yield a place from nearer and more steeply.

    From a chair windows are small in the picture and seen from low down, both at once.
    """
    focal = USUAL_FOCAL * max(photo.size)
    for steeper_deg, far_deg in product(NEARER_STEEPER_DEG, FAR_DEG):
        steep = tilted_view(photo, far_deg, steeper_deg, focal)
        yield nearer_view(photo, steep, place.middle, NEARER_HALF * place.square_px**0.5)
