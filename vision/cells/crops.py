"""The pictures that the cell reader looks at: each cell twice, at the die's top and at the hole's floor."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import (
    CELL_CENTERS,
    COLUMNS,
    FLOOR_HEIGHT,
    ROWS,
    TOP_HEIGHT,
    Grid,
    apply_homography,
    rectify,
)

CROP_PX = 48
"""Side of a crop in pixels."""

CROP_PITCH_PX = 44
"""Pixels per pitch in a crop, so that a crop shows 1.09 pitches."""


SURE_FROM_PX = 18
"""Pixels a cell; in a smaller one the pips of a die may run into each other, and every die is in doubt. What
such dice look like together says little: on the drawn tables of the record all four windows that passed for
unknown dice were smaller, and more of their cells are right when they are read as the game's."""

LEANING = 0.45
"""Pitches by which dice must lean before `turned_alike` turns their crops."""


def lean_of(grid: Grid) -> NDArray[np.float64]:
    """Return where the tops of the dice are seen against the floors of their holes, (x, y) in pitches."""
    to_floor = np.asarray(np.linalg.inv(grid.plane(FLOOR_HEIGHT)), dtype=np.float64)
    seen = apply_homography(to_floor, apply_homography(grid.plane(TOP_HEIGHT), CELL_CENTERS))
    return np.asarray((seen - CELL_CENTERS).mean(axis=0))


def turned_alike(crops: NDArray[np.uint8], lean: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Return crops (N, S, S, 6) mirrored so that dice that lean do so upwards, and more so than sideways.

    Below its top a crop then shows the die's own front, and above it the front of the die behind. Without
    that a die whose top a lamp blinds would as soon get its neighbor's color. Dice seen from above stay.
    """
    x, y = lean
    if np.hypot(x, y) < LEANING:
        return crops
    if abs(x) > abs(y):
        crops, y = crops.transpose(0, 2, 1, 3), x
    return crops[:, ::-1] if y > 0 else crops


def cell_crops(
    image_bgr: NDArray[np.uint8], grid: Grid, crop_px: int = CROP_PX, beyond: int = cv2.BORDER_REFLECT
) -> NDArray[np.uint8]:
    """Return the 20 cells as the reader sees them.

    A die stands proud of the frame and a hole goes below it, so each cell is cut out twice:
    channels 0-2 show the plane of the top faces, channels 3-5 that of the card (BGR each).

    Parameters
    ----------
    image_bgr
        Photo, uint8 H x W x 3, BGR.
    grid
        Where the lattice lies in it.
    crop_px
        Side of the crops; training asks for more than ``CROP_PX`` and cuts at random.
    beyond
        What is shown beyond the photo's edge, one of OpenCV's border types. Faces of dice are nearly
        symmetric, so the mirror image of the half that shows is a better guess than streaks.

    Returns
    -------
    uint8 array, 20 x crop_px x crop_px x 6, row by row.
    """
    p = CROP_PITCH_PX
    margin = crop_px / p / 2
    planes = [
        rectify(image_bgr, grid.plane(height), p, margin, beyond) for height in (TOP_HEIGHT, FLOOR_HEIGHT)
    ]
    out = np.empty((ROWS * COLUMNS, crop_px, crop_px, 6), np.uint8)
    for index in range(ROWS * COLUMNS):
        row, column = divmod(index, COLUMNS)
        y = round((row + 0.5 + margin) * p - crop_px / 2)
        x = round((column + 0.5 + margin) * p - crop_px / 2)
        for k, plane in enumerate(planes):
            out[index, ..., 3 * k : 3 * k + 3] = plane[y : y + crop_px, x : x + crop_px]
    return out


def with_light_pips(crops: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return crops (N, S, S, 6) with light and dark exchanged, so that dark pips look like the game's.

    The luma (ITU-R BT.601) is turned over and hues are kept: what looks darker is lighter then, as is blue
    beside yellow.
    """
    pixels = np.ascontiguousarray(crops).reshape(1, -1, 3)
    luma = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY).astype(np.int16)[..., None]
    return np.asarray(np.clip(pixels + (255 - 2 * luma), 0, 255), dtype=np.uint8).reshape(crops.shape)
