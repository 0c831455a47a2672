"""The piece of a window that shows where the picture's edge cuts most of it off.

Nobody wants it read; but a person should be told that the window is cut off, and not that there is
none. The claim needs evidence, because a heap of dice or a tablecloth can meet the edge as well: cells
in two directions that lie on one lattice of squares, that fill the window's area, and that would go
on beyond the picture's edge.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import growing, lattice
from vision.finder_view import STRIDE
from vision.geometry import COLUMNS, ROWS, apply_homography, is_plausible
from vision.maps import Maps

Float = NDArray[np.float64]

# Set by hand, on rendered photos cropped through the window and on photos of loose dice.
MIN_CELLS = 6
MIN_FILLED = 0.85  # share of the lattice's places, from its first to its last row and column, with a mark
MIN_EXPLAINED = 0.75  # share of the marks in the area that lie on the lattice
MAX_RESIDUAL = 0.1  # root mean square distance of the marks from the lattice, in pitches
MIN_OVERLAP = 0.6  # intersection over union of the lattice's cells and the window's area
LOW_LEVEL = 0.15  # marks of cells that the picture's edge cuts are weak


def cut_sides(maps: Maps, area: lattice.Area, size: tuple[int, int]) -> tuple[str, ...]:
    """Return the edges of the photo that cut the window of this area off; none without evidence.

    Parameters
    ----------
    maps
        The finder's maps of a view of the photo.
    area
        One of the window areas in them.
    size
        (width, height) of the photo in pixels.
    """
    marks = lattice.peaks(maps.cells, LOW_LEVEL)
    marks = marks[lattice.in_area(area, marks)]
    if len(marks) < MIN_CELLS:
        return ()
    for seed in growing.seeds(marks):
        numbered = growing.grow(marks, seed)
        if len(numbered) >= max(MIN_CELLS, MIN_EXPLAINED * len(marks)):
            sides = _cut_sides_of(numbered, marks, maps, area, size)
            if sides:
                return sides
    return ()


def _cut_sides_of(
    numbered: dict[growing.Index, int], marks: Float, maps: Maps, area: lattice.Area, size: tuple[int, int]
) -> tuple[str, ...]:
    places = np.array(list(numbered), dtype=np.float64)
    low, high = places.min(0), places.max(0)
    wide, tall = (int(n) for n in high - low + 1)
    if min(wide, tall) < 2 or min(wide, tall) > ROWS or max(wide, tall) > COLUMNS:
        return ()
    if len(numbered) < MIN_FILLED * wide * tall:
        return ()
    to_view = growing.plane_of(numbered, marks)
    if to_view is None or not is_plausible(maps.view.to_photo @ to_view, size):
        return ()
    off = np.linalg.norm(apply_homography(to_view, places) - marks[list(numbered.values())], axis=1)
    middle = places.mean(0)
    steps = apply_homography(to_view, middle + np.array([[0, 0], [1, 0], [0, 1.0]]))
    pitch = min(np.linalg.norm(steps[1] - steps[0]), np.linalg.norm(steps[2] - steps[0]))
    if np.sqrt((off**2).mean()) > MAX_RESIDUAL * pitch or _overlap(to_view, low, high, area) < MIN_OVERLAP:
        return ()
    return _sides(maps.view.to_photo @ to_view, low, high, size)


def _overlap(to_view: Float, low: Float, high: Float, area: lattice.Area) -> float:
    """Return how well the cells and the window's area agree; a cell more towards an edge is allowed."""
    best = 0.0
    height, width = area.mask.shape
    for grown in ((0, 0, 0, 0), (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)):
        (x0, y0), (x1, y1) = low - 0.5 - grown[:2], high + 0.5 + grown[2:]
        quad = apply_homography(to_view, np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]]))
        quad = (quad - (STRIDE - 1) / 2) / STRIDE
        drawn = np.zeros((height, width), np.uint8)
        cv2.fillConvexPoly(drawn, np.round(np.clip(quad, -900, 900) * 16).astype(np.int32), 1, cv2.LINE_8, 4)
        either = ((drawn > 0) | area.mask).sum()
        best = max(best, float(((drawn > 0) & area.mask).sum() / max(either, 1)))
    return best


def _sides(to_photo: Float, low: Float, high: Float, size: tuple[int, int]) -> tuple[str, ...]:
    """Return the photo's edges beyond which the next row or column of cells lies."""
    beyond: list[str] = []
    columns, rows = np.arange(low[0], high[0] + 1), np.arange(low[1], high[1] + 1)
    for axis, others in ((0, rows), (1, columns)):
        across = int(high[axis] - low[axis] + 1)
        if across == COLUMNS or (across == ROWS and len(others) == COLUMNS):
            continue  # all of it is there in this direction
        for next_place in (low[axis] - 1, high[axis] + 1):
            row = np.full((len(others), 2), next_place)
            row[:, 1 - axis] = others
            points = apply_homography(to_photo, row)
            outside = {
                "left": points[:, 0] < 0,
                "right": points[:, 0] > size[0] - 1,
                "top": points[:, 1] < 0,
                "bottom": points[:, 1] > size[1] - 1,
            }
            side = max(outside, key=lambda name: int(outside[name].sum()))
            if outside[side].mean() > 0.5 and side not in beyond:
                beyond.append(side)
    return tuple(beyond)
