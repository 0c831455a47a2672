"""The grid from four corners that a person has set."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision import lattice
from vision.errors import BoardUnreadableError
from vision.finder_view import straight_view
from vision.geometry import CELL_CENTERS, MIN_PITCH_PX, Grid, apply_homography
from vision.maps import look, upright_probability, with_rise
from vision.photo import Photo
from vision.reading import Corners

Float = NDArray[np.float64]

MAX_OUTSIDE = 5  # cells whose middle may lie beyond the picture's edge


def grid_from_corners(photo: Photo, corners_px: Corners) -> Grid:
    """Return the grid for four corners set by hand, in pixels of ``photo.image_bgr``.

    The corners may start at any of the four and go round either way; which of the four rotations is
    the board's comes from what the picture shows inside.

    Raises
    ------
    BoardUnreadableError
        The corners do not span a convex quadrilateral, or one that is tiny or beside the photo.
    """
    points = _clockwise(np.array(corners_px, dtype=np.float64))
    size = (photo.image_bgr.shape[1], photo.image_bgr.shape[0])
    _check_size_and_place(Grid.from_corners(_as_corners(points), size), size)
    found: list[tuple[float, Grid]] = []
    for turn in range(4):
        turned = np.roll(points, turn, axis=0)
        grid = Grid.from_corners(_as_corners(turned), size)
        maps = look(straight_view(photo.image_bgr, grid.homography))
        straight = np.linalg.inv(maps.view.to_photo) @ grid.homography
        fitted = lattice.fit(straight, lattice.peaks(maps.cells), maps.cells, None)
        support = 0.0 if fitted is None else fitted.support * fitted.pairs / 20
        grid = replace(with_rise(maps, grid, size), upright_probability=upright_probability(maps, straight))
        found.append((support + 0.2 * grid.upright_probability, grid))
    return max(found, key=lambda pair: pair[0])[1]


def _check_size_and_place(grid: Grid, size: tuple[int, int]) -> None:
    """Refuse corners between which there are no dice to see."""
    if grid.pitch_px < MIN_PITCH_PX:
        raise BoardUnreadableError(
            "too_small",
            "Between these corners the window is too small to read its dice.",
            "Put one point on each corner of the 4 x 5 grid, or take the photo from closer.",
        )
    middles = apply_homography(grid.homography, CELL_CENTERS)
    outside = ((middles < 0) | (middles > np.array(size))).any(axis=1)
    if outside.sum() > MAX_OUTSIDE:
        raise BoardUnreadableError(
            "bad_corners",
            "Most of the window between these corners lies outside the photo.",
            "Put one point on each corner of the 4 x 5 grid.",
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
            "These four points do not make the outline of a window.",
            "Put one point on each corner of the 4 x 5 grid.",
        )
    start = int(sides.sum(1).argmin())
    return np.roll(sides, -start, axis=0)


def _as_corners(points: Float) -> Corners:
    a, b, c, d = ((float(x), float(y)) for x, y in points)
    return a, b, c, d
