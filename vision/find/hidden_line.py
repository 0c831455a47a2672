"""On which side of the cells that show an outer row or column lies that something hides.

A sleeve or a card over a whole outer line leaves a block of 4 x 4 or 3 x 5 cells, and lattices that fit its
marks as well with the line on the other side, or, as 4 x 4 cells look alike from all four sides, across. What
tells them apart is what lies there: on one side something over the window, on the others its frame.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.find.levels import Levels
from vision.find.maps import Maps, art_at, art_beside
from vision.geometry import (
    CELL_CENTERS,
    COLUMNS,
    ROWS,
    SQUARE,
    Grid,
    apply_homography,
    are_inside,
    estimate_rise,
)
from vision.network import line_judge, softmax, to_blob
from vision.window_view import window_view

Float = NDArray[np.float64]
Mask = NDArray[np.bool_]

MIN_BLOCK_LINE = 0.6  # share of marked cells in each other line
# More art beside a short side of the lattice than beside the long ones, as a share of the band, and art on a
# line: more, and it is no window that lies like this.
ART_LEAD, ART_ON_LINE = 0.4, 0.4
MIRRORS = ((), (3,), (2,), (2, 3))  # axes of (1, C, H, W) along which it is turned over for a look each
SURE = 0.98  # how sure the likeliest board must be: of 803 held-back windows 688 have one, 4 a wrong one

_CELLS = np.arange(ROWS * COLUMNS).reshape(ROWS, COLUMNS)
LINES: Mapping[str, NDArray[np.intp]] = {
    "left": _CELLS[:, 0],
    "right": _CELLS[:, -1],
    "top": _CELLS[0],
    "bottom": _CELLS[-1],
}
"""The cells of the four outer lines."""


def _moved(x: float, y: float) -> Float:
    return np.array([[1, 0, x], [0, 1, y], [0, 0, 1.0]])


def _across(x: float, y: float) -> Float:
    """Return the board that lies a quarter turn to this one: its x along y from ``y`` on, its y against x."""
    return np.array([[0, -1, x], [1, 0, y], [0, 0, 1.0]])


WAYS: Mapping[str, Float] = {
    "left": np.stack([np.eye(3), _moved(1, 0), _across(5, -1), _across(5, 0)]),
    "right": np.stack([np.eye(3), _moved(-1, 0), _across(4, -1), _across(4, 0)]),
    "top": np.stack([np.eye(3), _moved(0, 1)]),
    "bottom": np.stack([np.eye(3), _moved(0, -1)]),
}
"""For a hidden line, the boards that have the same block: from their coordinates to those of the first."""


def side_of(paired: Mask) -> str | None:
    """Return the outer line of which no cell has a mark, where enough of all other lines have (20,)."""
    for side, cells in LINES.items():
        if not paired[cells].any():
            block = np.delete(paired, cells).reshape(
                (ROWS - 1, COLUMNS) if len(cells) == COLUMNS else (ROWS, -1)
            )
            weakest = min(block.mean(axis=0).min(), block.mean(axis=1).min())
            return side if weakest >= MIN_BLOCK_LINE else None
    return None


def way_of(photo: Levels, maps: Maps, straight: Float, side: str) -> Float | None:
    """Return the board, as one of `WAYS`, on which the hidden line lies; None where nobody can tell.

    Parameters
    ----------
    photo
        The photo.
    maps
        What the finder says of a straight view.
    straight
        3 x 3, board coordinates to pixels of the view, of a lattice with the block that shows.
    side
        Which of its lines has no marks.
    """
    boards = [straight @ way for way in WAYS[side]]
    grids = [Grid(maps.view.to_photo @ board, np.zeros(3)) for board in boards]
    lines = np.concatenate([apply_homography(one.homography, CELL_CENTERS[LINES[side]]) for one in grids])
    if not are_inside(lines, photo.size).all():
        return None  # it may as well lie beyond the picture's edge
    blobs = [to_blob(window_view(photo.image_bgr, _with_dice(grid, photo.size))[None]) for grid in grids]
    judged = [[line_judge().run(np.flip(blob, axes).copy()) for axes in MIRRORS] for blob in blobs]
    scores = np.mean(judged, axis=1).ravel()
    art = np.array([_meets_art(maps, board, side, photo.size) for board in boards])
    chances = softmax(np.where(art, -np.inf, scores)) if not art.all() else np.zeros(len(boards))
    best = int(chances.argmax())
    # Cloth may look like art: that alone does not leave one side for the line.
    told = best == scores.argmax() or (~art).sum() > 1
    return WAYS[side][best] if told and chances[best] >= SURE else None


def _with_dice(grid: Grid, size: tuple[int, int]) -> Grid:
    return replace(grid, rise=estimate_rise(grid.homography, size))


def _meets_art(maps: Maps, board: Float, side: str, size: tuple[int, int]) -> bool:
    """Return whether the hidden line would lie on the art, or the art beside a short side of the window."""
    line = (CELL_CENTERS[LINES[side]][:, None] + SQUARE / 2).reshape(-1, 2)
    above, right, below, left = art_beside(maps, board, size)
    return art_at(maps, board, line, size) > ART_ON_LINE or max(left, right) > above + below + ART_LEAD
