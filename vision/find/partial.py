"""The piece of a window that shows where the picture's edge cuts most of it off.

Nobody wants it read; but a person should be told that the window is cut off, and not that there is
none. The claim needs evidence, because a heap of dice or a tablecloth can meet the edge as well: cells
in two directions that lie on one lattice of squares, that fill the window's area as far as the picture
shows it, and that would go on beyond the picture's edge.

Seen from low at the table, dice hide each other and their marks lie on no lattice. Where nothing better
is found it is enough that what looks like a window is full of dice and meets an edge of the picture over
much of its own length: that is worth saying, and to refuse the photo as one without a window is no
better if it is wrong.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.find import growing, lattice
from vision.find.maps import Maps
from vision.find.sighting import sides_beyond
from vision.find.views import PADDING, STRIDE, from_map
from vision.geometry import COLUMNS, ROWS, SQUARE, apply_homography, are_inside, is_plausible

Float = NDArray[np.float64]

# Set by hand, on rendered photos cropped through the window and on photos of loose dice.
MIN_CELLS = 6
MIN_FILLED = 0.85  # share of the places that show as a whole, first to last row and column, with marks
MIN_BEYOND = 2  # places of a lattice of 5 x 4 that must lie beyond the photo's edge, or it is whole
MIN_EXPLAINED = 0.75  # share of the marks in the area that lie on the lattice
MAX_RESIDUAL = 0.1  # root mean square distance of the marks from the lattice, in pitches
MIN_OVERLAP = 0.6  # intersection over union of the lattice's cells and the window's area
LOW_LEVEL = 0.15  # marks of cells that the picture's edge cuts are weak
# Set by hand, on 193 hard scenes (calibration.training), photos of loose dice and one real photo.
MIN_TOPS = 6  # marks of dice that an area needs to be taken for a part of a window without a lattice
TOP_LEVEL = 0.3
MIN_SURE = 0.8  # how sure the finder is of such an area, on average
MIN_MET = 0.45  # share of the area's own length along an edge of the photo over which it meets the edge
MAX_SHARE = 0.3  # of the view; what fills more of it is seen well enough to show a lattice if it has one
REACH = 2  # pixels of the map within which an area meets the edge
SHOWN = 0.7  # side of the square, in pitches, that shows of a cell that shows as a whole


def cut_sides(maps: Maps, area: lattice.Area, size: tuple[int, int]) -> tuple[str, ...]:
    """Return the edges of the photo that cut the window of this area off; none without evidence.

    The marks are those of the cells or, where dice hide the holes as in a very oblique photo, those of
    the dice's tops.

    Parameters
    ----------
    maps
        The finder's maps of a view of the photo.
    area
        One of the window areas in them.
    size
        (width, height) of the photo in pixels.
    """
    for heat in (maps.cells, maps.tops):
        marks = lattice.peaks(heat, LOW_LEVEL)
        marks = marks[lattice.in_area(area, marks)]
        if len(marks) < MIN_CELLS:
            continue
        for seed in growing.seeds(marks):
            numbered = growing.grow(marks, seed)
            if len(numbered) >= max(MIN_CELLS, MIN_EXPLAINED * len(marks)):
                sides = _cut_sides_of(numbered, marks, maps, area, size)
                if sides:
                    return sides
    return ()


def met_sides(maps: Maps, area: lattice.Area, size: tuple[int, int]) -> tuple[str, ...]:
    """Return the edges of the photo that something full of dice, taken for a window, runs into.

    This is weaker evidence than that of `cut_sides`: for photos in which nothing better is found. The edge
    that is met over the largest share of the area comes first.

    Parameters
    ----------
    maps
        The finder's maps of a view of the photo.
    area
        One of the window areas in them.
    size
        (width, height) of the photo in pixels.
    """
    to_photo = maps.view.to_photo
    if to_photo[2, :2].any():
        return ()  # in a tilted view what lies near fills so much that a heap looks as if it ended
    tops = lattice.peaks(maps.tops, TOP_LEVEL)
    shown = (maps.view.image_bgr[::STRIDE, ::STRIDE] != PADDING).any(axis=2)
    if (
        lattice.in_area(area, tops).sum() < MIN_TOPS
        or maps.window[area.mask].mean() < MIN_SURE
        or area.pixels > MAX_SHARE * shown.sum()
    ):
        return ()
    ys, xs = np.nonzero(area.mask)
    spots = from_map(np.column_stack([xs, ys]).astype(np.float64))
    points = apply_homography(to_photo, spots)
    reach = REACH * np.abs(apply_homography(to_photo, spots + STRIDE) - points)
    met: dict[str, float] = {}
    for axis, names in ((0, ("left", "right")), (1, ("top", "bottom"))):
        along = points[:, 1 - axis]
        gaps = (points[:, axis], size[axis] - 1 - points[:, axis])
        for name, gap in zip(names, gaps, strict=True):
            there = along[gap < reach[:, axis]]
            share = np.ptp(there) / max(np.ptp(along), 1.0) if len(there) else 0.0
            if share >= MIN_MET:
                met[name] = float(share)
    if {"left", "right"} <= met.keys() or {"top", "bottom"} <= met.keys():
        return ()
    return tuple(sorted(met, key=lambda name: -met[name]))


def _cut_sides_of(
    numbered: dict[growing.Index, int], marks: Float, maps: Maps, area: lattice.Area, size: tuple[int, int]
) -> tuple[str, ...]:
    places = np.array(list(numbered), dtype=np.float64)
    low, high = places.min(0), places.max(0)
    wide, tall = (int(n) for n in high - low + 1)
    if min(wide, tall) < 2 or min(wide, tall) > ROWS or max(wide, tall) > COLUMNS:
        return ()
    to_view = growing.plane_of(numbered, marks)
    if to_view is None or not is_plausible(maps.view.to_photo @ to_view, size):
        return ()
    to_photo = maps.view.to_photo @ to_view
    span = np.meshgrid(*(np.arange(a, b + 1) for a, b in zip(low, high, strict=True)))
    every = np.stack(span, -1).reshape(-1, 2)
    shown = np.all(
        [are_inside(apply_homography(to_photo, every + corner), size) for corner in SHOWN * SQUARE], axis=0
    )
    if len(numbered) < MIN_FILLED * shown.sum():
        return ()
    off = np.linalg.norm(apply_homography(to_view, places) - marks[list(numbered.values())], axis=1)
    middle = places.mean(0)
    steps = apply_homography(to_view, middle + np.array([[0, 0], [1, 0], [0, 1.0]]))
    pitch = min(np.linalg.norm(steps[1] - steps[0]), np.linalg.norm(steps[2] - steps[0]))
    if (
        np.sqrt((off**2).mean()) > MAX_RESIDUAL * pitch
        or _overlap(to_view, low, high, maps, area, size) < MIN_OVERLAP
    ):
        return ()
    # A corner of the window that lies beyond the edge speaks as plainly as a row or column that is not there.
    spots = apply_homography(to_photo, every)
    beyond = spots[~are_inside(spots, size)]
    corner = sides_beyond(beyond, size) if len(beyond) >= MIN_BEYOND else ()
    return tuple(dict.fromkeys((*_sides(to_photo, low, high, size), *corner)))


def _overlap(
    to_view: Float, low: Float, high: Float, maps: Maps, area: lattice.Area, size: tuple[int, int]
) -> float:
    """Return how well cells in the photo and the window's area agree; one more towards an edge is allowed."""
    best = 0.0
    height, width = area.mask.shape
    spots = np.stack(np.meshgrid(np.arange(width), np.arange(height)), -1).reshape(-1, 2).astype(np.float64)
    shown = are_inside(apply_homography(maps.view.to_photo, from_map(spots)), size).reshape(height, width)
    for grown in ((0, 0, 0, 0), (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)):
        (x0, y0), (x1, y1) = low - 0.5 - grown[:2], high + 0.5 + grown[2:]
        quad = apply_homography(to_view, np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]]))
        cells = lattice.drawn(quad, area.mask.shape) & shown
        best = max(best, float((cells & area.mask).sum() / max((cells | area.mask).sum(), 1)))
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
