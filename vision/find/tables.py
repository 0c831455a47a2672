"""Find every window on a table, and name what looks like one and cannot be read."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import VisionError
from vision.find import refusals
from vision.find.levels import Levels
from vision.find.search import Search, unreadable
from vision.find.sighting import Sighting
from vision.geometry import Grid, apply_homography

Float = NDArray[np.float64]
Thing = TypeVar("Thing")

RIM, ART = 0.5, 8.4  # of a frame around the lattice and above it, in pitches
MIDDLE = np.array([[2.5, 2.0]])  # of a window, in board coordinates
# Set by hand, on the two real photos that show tables from a chair and on rendered tables: of places without
# a lattice only these are named.
MIN_SURE, MIN_MARKS = 0.8, 12
MIN_SHARE = 0.5  # of the smallest window that was seen: a place smaller than this is dice in a row, or a card
HALF_DIAGONAL = 0.75  # of a lattice of 4 x 5, against the root of its area
# The grid printed on an objective card is a fifth as large as a window; in one photo of a table the nearest
# window is rarely more than three times as large as the farthest.
PRINTED = 0.25


@dataclass(frozen=True, eq=False)
class Missed:
    """What looks like a window and is not read: why, its middle (x, y) and its size, in pixels."""

    reason: VisionError
    middle: Float
    square_px: float
    is_window: bool = True  # rather than a heap of dice, or their track

    def covers(self, point: Float) -> bool:
        """Return whether a point may lie in it, whichever way it is turned."""
        return bool(np.linalg.norm(point - self.middle) < HALF_DIAGONAL * self.square_px**0.5)


def find_grids(photo: Levels) -> tuple[tuple[Grid, ...], tuple[Missed, ...]]:
    """Find every window of a table.

    Parameters
    ----------
    photo
        The upright photo in its sizes.

    Returns
    -------
    grids, missed
        In its pixels, each clockwise around its middle from the one nearest the bottom
        edge. None of them is no error.
    """
    search = Search(photo, every=True)
    search.look_around()
    grids: list[Grid] = []
    missed: list[Missed] = []
    for sighting in _windows(search.seen):
        if (reason := _reason(sighting)) is None:
            grids.append(sighting.grid)
        else:
            middle = _in_picture(_middle(sighting.grid), search.photo.size)
            missed.append(Missed(reason, middle, 20 * sighting.grid.pitch_px**2))
    missed += _unexplained(search, missed)
    size = search.photo.size
    return tuple(clockwise(grids, _middle, size)), tuple(clockwise(missed, lambda one: one.middle, size))


def clockwise(
    things: Iterable[Thing], middle: Callable[[Thing], Float], size: tuple[int, int]
) -> list[Thing]:
    """Return things clockwise around the middle of a picture from the one nearest the bottom edge.

    Parameters
    ----------
    things
        Any number of them.
    middle
        Where each of them lies, (x, y) in pixels.
    size
        (width, height) of the picture in pixels.
    """
    ordered = sorted(things, key=lambda one: (-float(middle(one)[1]), float(middle(one)[0])))
    if not ordered:
        return []

    def angle(one: Thing) -> float:
        x, y = middle(one) - np.array(size) / 2
        return float(np.arctan2(y, x))  # y points down, so this grows clockwise

    first = angle(ordered[0])
    return sorted(ordered, key=lambda one: (angle(one) - first) % (2 * np.pi))


def _windows(seen: Iterable[Sighting]) -> list[Sighting]:
    """Return the sightings without those that lie in a better one, and without grids printed on cards."""
    kept: list[Sighting] = []
    for one in sorted(seen, key=lambda sighting: (not sighting.whole, sighting.misfit)):
        if not any(_lie_in_each_other(one.grid, other.grid) for other in kept):
            kept.append(one)
    largest = max((one.grid.pitch_px for one in kept if one.dice), default=0.0)
    return [one for one in kept if one.dice or one.grid.pitch_px**2 > PRINTED * largest**2]


def _lie_in_each_other(a: Grid, b: Grid) -> bool:
    """Return whether the middle of one lattice lies in the other, so that both cannot be windows."""
    inside = [
        apply_homography(np.asarray(np.linalg.inv(one.homography)), _middle(other)[None])[0]
        for one, other in ((a, b), (b, a))
    ]
    return any(0 < x < 5 and 0 < y < 4 for x, y in inside)


def _reason(sighting: Sighting) -> VisionError | None:
    """Return why a window that has been seen is not read, None when it can be."""
    if not sighting.whole:
        return refusals.cut_off(sighting.cut_sides)
    return unreadable(sighting)


def _unexplained(search: Search, missed: Iterable[Missed]) -> list[Missed]:
    """Return what the finder takes for windows where none has been seen, the surest first."""
    found: list[Missed] = []
    taken = [one.middle for one in missed]
    seen = [cv2.contourArea(one.grid.corners_px.astype(np.float32)) for one in search.seen]
    for place in sorted(search.places, key=lambda place: -place.sure):
        named = place.cut_sides or (
            place.sure >= MIN_SURE
            and place.marks >= MIN_MARKS
            and place.square_px >= MIN_SHARE * min(seen, default=0.0)
        )
        near = any(np.linalg.norm(place.middle - other) < place.square_px**0.5 for other in taken)
        on_frame = any(_is_on_frame(one.grid, place.middle) for one in search.seen)
        if named and not near and not on_frame:
            reason = refusals.cut_off(place.cut_sides) if place.cut_sides else refusals.unclear()
            middle = _in_picture(place.middle, search.photo.size)
            found.append(Missed(reason, middle, place.square_px, is_window=bool(place.cut_sides)))
            taken.append(place.middle)
    return found


def _is_on_frame(grid: Grid, point: Float) -> bool:
    """Return whether a point of the photo lies on the lattice of a window, its rim, or the art above."""
    x, y = apply_homography(np.asarray(np.linalg.inv(grid.homography)), point[None])[0]
    return bool(-RIM < x < 5 + RIM and -ART < y < 4 + RIM)


def _middle(grid: Grid) -> Float:
    return np.asarray(apply_homography(grid.homography, MIDDLE)[0])


def _in_picture(point: Float, size: tuple[int, int]) -> Float:
    return np.asarray(np.clip(point, 0, np.array(size) - 1.0))
