"""The grid from four corners that a person has set."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from scoring.sentences import sentence
from vision.errors import BoardUnreadableError
from vision.find import lattice
from vision.find.levels import Levels
from vision.find.maps import look, upright_probability, with_rise
from vision.find.sighting import sight
from vision.find.views import straight_view
from vision.geometry import CELL_CENTERS, MIN_PITCH_PX, Grid, apply_homography, as_corners
from vision.photo import Photo
from vision.reading import Corners

Float = NDArray[np.float64]

MAX_OUTSIDE = 5  # cells whose middle may lie beyond the picture's edge
SNAP = 0.6  # pitches: a window whose corners all lie within this of those set by hand is the one meant


def grid_from_corners(photo: Photo, corners_px: Corners) -> Grid:
    """Return the grid for four corners set by hand, in pixels of ``photo.image_bgr``.

    The corners may come in any order; which of them is the board's top left comes from what the
    picture shows inside. A finger is not exact: where a window is seen that nearly has these
    corners, its own are taken, else those set by hand as they are.

    Raises
    ------
    BoardUnreadableError
        The corners do not span a convex quadrilateral, or one that is tiny or beside the photo.
    """
    points = _clockwise(np.array(corners_px, dtype=np.float64))
    levels = Levels(photo.image_bgr)
    # Five cells along the first side, or along the second; half a turn is the art's to tell.
    set_by_hand = [
        Grid.from_corners(as_corners(np.roll(points, turn, axis=0)), levels.size) for turn in (0, 1)
    ]
    _check_size_and_place(set_by_hand[0], levels.size)
    seen = [
        (_apart(grid, sighting.grid), sighting.grid)
        for grid in set_by_hand
        if (sighting := sight(levels, grid.homography)) is not None and sighting.is_window
    ]
    apart, nearest = min(seen, key=lambda pair: pair[0], default=(np.inf, set_by_hand[0]))
    return nearest if apart < SNAP else _as_they_are(levels, set_by_hand)


def _as_they_are(photo: Levels, grids: list[Grid]) -> Grid:
    """Return which of the two ways to lay the five columns shows more cells, the art's side up."""
    found: list[tuple[float, Grid]] = []
    for grid in grids:
        maps = look(straight_view(photo, grid.homography))
        straight = np.linalg.inv(maps.view.to_photo) @ grid.homography
        fitted = lattice.fit(straight, lattice.peaks(maps.cells), maps.cells, None)
        support = 0.0 if fitted is None else fitted.support * fitted.pairs / 20
        upright = upright_probability(maps, straight, photo.size)
        lifted = replace(with_rise(maps, grid, photo.size), upright_probability=upright)
        found.append((support + 0.2 * abs(upright - 0.5), lifted if upright >= 0.5 else lifted.rotated_180()))
    return max(found, key=lambda pair: pair[0])[1]


def _apart(a: Grid, b: Grid) -> float:
    """Return how far the corners of two grids are apart at most, either way up, in pitches."""
    ours, theirs = a.corners_px, b.corners_px
    return min(
        float(np.linalg.norm(ours - np.roll(theirs, half, axis=0), axis=1).max()) / a.pitch_px
        for half in (0, 2)
    )


def _check_size_and_place(grid: Grid, size: tuple[int, int]) -> None:
    """Refuse corners between which there are no dice to see."""
    if grid.pitch_px < MIN_PITCH_PX:
        raise BoardUnreadableError(
            "too_small",
            sentence("Between these corners the window is too small to read its dice."),
            sentence("Put one point on each corner of the 4 x 5 grid, or take the photo from closer."),
        )
    middles = apply_homography(grid.homography, CELL_CENTERS)
    outside = ((middles < 0) | (middles > np.array(size))).any(axis=1)
    if outside.sum() > MAX_OUTSIDE:
        raise BoardUnreadableError(
            "bad_corners",
            sentence("Most of the window between these corners lies outside the photo."),
            sentence("Put one point on each corner of the 4 x 5 grid."),
        )


def _clockwise(points: Float) -> Float:
    """Return four points in clockwise order as seen, starting nearest the top left."""
    center = points.mean(0)
    order = np.argsort(np.arctan2(points[:, 1] - center[1], points[:, 0] - center[0]))
    sides = points[order]
    edges = np.roll(sides, -1, axis=0) - sides
    following = np.roll(edges, -1, axis=0)
    turns = edges[:, 0] * following[:, 1] - edges[:, 1] * following[:, 0]
    if (turns <= 0).any() or abs(turns).min() < 16:
        raise BoardUnreadableError(
            "bad_corners",
            sentence("These four points do not make the outline of a window."),
            sentence("Put one point on each corner of the 4 x 5 grid."),
        )
    start = int(sides.sum(1).argmin())
    return np.roll(sides, -start, axis=0)
