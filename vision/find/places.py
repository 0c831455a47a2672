"""What the finder takes for windows in one view, before anything is fitted to it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.find import lattice
from vision.find.maps import Maps
from vision.find.views import STRIDE, from_map
from vision.geometry import SQUARE, apply_homography

Float = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Place:
    """Something that the finder takes for a window, in one view.

    ``middle`` (x, y) and ``square_px`` are where it is and how large, in pixels of the photo; ``sure`` how
    sure the finder is, on average, and ``marks`` how many middles of cells it sees there. ``cut_sides`` are
    the edges of the photo that cut it off, as far as that was asked.
    """

    middle: Float
    square_px: float
    sure: float
    marks: int
    cut_sides: tuple[str, ...] = ()


def place_of(area: lattice.Area, maps: Maps, marks: Float) -> Place:
    """Return what an area is in the photo; ``marks`` are the middles of cells in the view."""
    view = maps.view
    ys, xs = np.nonzero(area.mask)
    spots = from_map(np.column_stack([xs, ys]).astype(np.float64))
    middle = spots.mean(axis=0)
    square = middle + SQUARE * STRIDE
    pixel = cv2.contourArea(apply_homography(view.to_photo, square).astype(np.float32))
    return Place(
        apply_homography(view.to_photo, middle[None])[0],
        area.pixels * pixel,
        float(maps.window[area.mask].mean()),
        int(lattice.in_area(area, marks).sum()),
    )
