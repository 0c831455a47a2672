"""Dice without a color among dice with one: gray dice of an expansion, which the reader does not know.

It would call them what their gray reminds it of, mostly blue. How much color a die has is compared with the
other dice of its window, as light and camera change it for all of them alike. Dice that a household taught
may be gray: nobody asks this of them.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Grid, tops

CELL_PX, RIM_PX = 32, 2  # of a cell, and of a die's top what is left out: its edges
MOST_COLORED = 80
"""The percentile of a die's pixels that counts, by their color: pips and glare have none on any die."""

COLORLESS_BELOW = 0.2
"""A die with less than this share of the color that the window's dice have has none. Of the dice in 118
labelled photos, rendered and real, the palest has 0.27 of it."""

FEWEST_DICE = 4
"""With fewer dice nobody can say what color the window's dice have."""


def colorless(image_bgr: NDArray[np.uint8], grid: Grid, filled: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which dice, (20,), have no color, where others have.

    Parameters
    ----------
    image_bgr
        Photo, uint8 H x W x 3, BGR.
    grid
        The lattice in it.
    filled
        (20,), whether a die lies in the cell.
    """
    if filled.sum() < FEWEST_DICE:
        return np.zeros(len(filled), dtype=bool)
    faces = tops(image_bgr, grid, CELL_PX)[:, RIM_PX:-RIM_PX, RIM_PX:-RIM_PX]
    bgr = faces.reshape(len(faces), -1, 3).astype(np.float32) / 255
    _, a, b = np.moveaxis(cv2.cvtColor(bgr, cv2.COLOR_BGR2LAB), 2, 0)
    color = np.percentile(np.hypot(a, b), MOST_COLORED, axis=1)
    return np.asarray(filled & (color < COLORLESS_BELOW * np.median(color[filled])))
