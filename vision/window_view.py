"""A whole window as those networks see it that judge what lies over it."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import BOARD_CORNERS, FLOOR_HEIGHT, SQUARE, TOP_HEIGHT, Grid, apply_homography, rectify

Float = NDArray[np.float64]

CELL_PX, MARGIN = 24, 1.0
"""Pixels of a pitch, and pitches that are shown around the lattice."""


def window_view(image_bgr: NDArray[np.uint8], grid: Grid, margin: float = MARGIN) -> NDArray[np.uint8]:
    """Return a window with what is around it, seen straight from above at two heights.

    Fingers, sleeves and cards come from outside and go on over the bars between the cells; so the window
    is looked at as a whole. Beyond the photo's edge it is black.

    Parameters
    ----------
    image_bgr
        Photo, uint8 H x W x 3, BGR.
    grid
        The lattice in it.
    margin
        Pitches shown around the lattice; training asks for more than `MARGIN` and cuts at random.

    Returns
    -------
    uint8 array, 144 x 168 x 6: the plane of the dice's tops in channels 0-2, that of the card in 3-5 (BGR).
    """
    planes = [grid.plane(height) for height in (TOP_HEIGHT, FLOOR_HEIGHT)]
    small, to_small = _reduced(image_bgr, planes, grid.pitch_px, margin)
    flat = [rectify(small, to_small @ plane, CELL_PX, margin, cv2.BORDER_CONSTANT) for plane in planes]
    return np.concatenate(flat, axis=2)


def _reduced(
    image_bgr: NDArray[np.uint8], planes: list[Float], pitch_px: float, margin: float
) -> tuple[NDArray[np.uint8], Float]:
    """Return the part of the photo that shows the planes, made smaller by a whole factor, and the way there.

    To average a large photo once by a whole factor costs a third of what it costs for each plane by any.
    """
    outer = BOARD_CORNERS + 2 * SQUARE * margin
    points = np.concatenate([apply_homography(plane, outer) for plane in planes])
    height, width = image_bgr.shape[:2]
    factor = max(1, int(pitch_px / CELL_PX))
    low = np.clip(points.min(0) - 2 * factor, 0, [width - factor, height - factor]).astype(int)
    high = np.clip(points.max(0) + 2 * factor, low + factor, [width, height]).astype(int)
    wide, tall = ((high - low) // factor).tolist()
    (x, y), f = low.tolist(), factor
    part = image_bgr[y : y + tall * f, x : x + wide * f]
    small = cv2.resize(part, (wide, tall), interpolation=cv2.INTER_AREA) if f > 1 else part
    to_small = np.array([[1 / f, 0, (0.5 - x) / f - 0.5], [0, 1 / f, (0.5 - y) / f - 0.5], [0, 0, 1]])
    return np.asarray(small, dtype=np.uint8), to_small
