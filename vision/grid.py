"""Find the 4 x 5 lattice of a window in a photo, at any rotation and under tilt.

Two looks with one small network: first at the whole photo (where are windows, where the middles
of their cells?), then at the best one set straight (exact middles, tops of the dice, art). A
lattice is fitted to the marks each time; the network proposes, the lattice decides.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision import lattice, partial, refusals
from vision.finder_view import View, tilted_view, whole_view
from vision.geometry import (
    CELL_CENTERS,
    MIN_PITCH_PX,
    USUAL_FOCAL,
    Grid,
    apply_homography,
    estimate_rise,
)
from vision.levels import Levels
from vision.maps import Maps, look
from vision.photo import Photo
from vision.sighting import Sighting, sight

Float = NDArray[np.float64]

FIRST_SCORE = 0.75  # support - beyond + overlap for a first look to be worth a second
STEEPER_DEG = 45.0  # how much further down the second camera looks where nothing was found
TRIES = 3  # fits of one area that get a second look
MAX_AREAS = 5  # areas of one view that are asked, the largest first
BUDGET = 24  # suggestions of one photo that get a second look
ALIKE = 0.3  # pitches within which two suggestions are the same
TIE = 0.92  # a window that stands out by less than this is one of several


@dataclass(frozen=True, eq=False)
class Found:
    """The window that was chosen and how many others lie whole in view."""

    grid: Grid
    other_windows: int


def find_grid(photo: Photo) -> Found:
    """Find the window that a photo shows.

    Parameters
    ----------
    photo
        The upright photo.

    Returns
    -------
    Found
        The largest, most central window, in pixels of ``photo.image_bgr``, row A on the art's
        side as far as the picture tells.

    Raises
    ------
    BoardNotFoundError
        There is no window, or none that stands out.
    BoardUnreadableError
        The window is cut off by the picture's edge or too small.
    """
    search = _Search(Levels(photo.image_bgr))
    for view in _views(search.photo):
        search.look_at(view)
        if search.seen:  # a closer look at the quarters is for windows that are small
            break
    if not search.seen:
        _look_obliquely(search)
    return _choose(search)


class _Search:
    """What has been seen of one photo, and which suggestions have been tried."""

    def __init__(self, photo: Levels) -> None:
        self.photo = photo
        self.seen: list[Sighting] = []
        self.cut_sides: tuple[str, ...] = ()
        self._tried: list[Float] = []

    def look_at(self, view: View) -> None:
        """Look for windows in a view."""
        maps = look(view)
        for area in lattice.areas(maps.window)[:MAX_AREAS]:
            for start in _starts(area, maps, self.photo.size):
                if self._is_new(start):
                    sighting = sight(self.photo, start)
                    if sighting is not None:
                        if not any(_same(sighting.grid, other.grid) for other in self.seen):
                            self.seen.append(sighting)
                        break
            else:
                self.cut_sides = self.cut_sides or partial.cut_sides(maps, area, self.photo.size)

    def _is_new(self, start: Float) -> bool:
        """Return whether a suggestion differs from all before it, and count it."""
        middles = apply_homography(start, CELL_CENTERS)
        pitch = float(np.linalg.norm(middles[4] - middles[0])) / 4
        for tried in self._tried:
            apart = min(
                np.linalg.norm(tried - middles, axis=1).max(),
                np.linalg.norm(tried[::-1] - middles, axis=1).max(),
            )
            if apart < ALIKE * pitch:
                return False
        if len(self._tried) >= BUDGET:
            return False
        self._tried.append(middles)
        return True


def _look_obliquely(search: _Search) -> None:
    """Look at the photo as if the camera had looked down more steeply, towards each side in turn."""
    focal = USUAL_FOCAL * max(search.photo.size)
    for far_deg in (0, 180, 90, 270):
        search.look_at(tilted_view(search.photo, far_deg, STEEPER_DEG, focal))
        if search.seen:
            return


def _choose(search: _Search) -> Found:
    """Return the window that stands out, or raise what speaks against it."""
    size = search.photo.size
    whole = sorted(
        (sighting.grid for sighting in search.seen if sighting.whole),
        key=lambda grid: -_prominence(grid, size),
    )
    if not whole:
        sides = search.seen[0].cut_sides if search.seen else search.cut_sides
        raise refusals.cut_off(sides) if sides else refusals.nothing(search.photo.image_bgr)
    if whole[0].pitch_px < MIN_PITCH_PX:
        raise refusals.too_small()
    if len(whole) > 1 and _prominence(whole[1], size) > TIE * _prominence(whole[0], size):
        raise refusals.several(len(whole))
    return Found(whole[0], len(whole) - 1)


def _starts(area: lattice.Area, maps: Maps, size: tuple[int, int]) -> Iterator[Float]:
    """Yield homographies of the surface, in photo pixels, that are worth a second look; best first.

    They rest on the middles of the cells or, where dice hide the holes as in a very oblique photo,
    on the tops of the dice, from which the surface lies below.
    """
    for heat in (maps.cells, maps.tops):
        marks = lattice.peaks(heat)
        for fits in (lattice.fits_to_area, lattice.fits_to_marks):
            for first in fits(area, marks, heat)[:TRIES]:
                if first.score < FIRST_SCORE:
                    continue
                start = maps.view.to_photo @ first.homography
                if heat is maps.tops:
                    start[:, 2] -= estimate_rise(start, size)
                yield start


def _prominence(grid: Grid, size: tuple[int, int]) -> float:
    """Return how much a window stands out: large and near the middle."""
    center = apply_homography(grid.homography, np.array([[2.5, 2.0]]))[0]
    away = float(np.linalg.norm(center / np.array(size) - 0.5))
    return grid.pitch_px * (1 - 0.5 * away)


def _views(photo: Levels) -> Iterator[View]:
    """Yield the whole photo and, for a window that is small in it, overlapping quarters."""
    yield whole_view(photo)
    width, height = photo.size
    w, h = round(width * 0.6), round(height * 0.6)
    for y in (0, (height - h) // 2, height - h):
        for x in (0, (width - w) // 2, width - w):
            yield whole_view(photo, (x, y, x + w, y + h))


def _same(a: Grid, b: Grid) -> bool:
    middles = [apply_homography(g.homography, np.array([[2.5, 2.0]]))[0] for g in (a, b)]
    return bool(np.linalg.norm(middles[0] - middles[1]) < 1.5 * max(a.pitch_px, b.pitch_px))
