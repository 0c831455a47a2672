"""The walls of the 20 holes: what every cell shows, with a die in it or not, unless something hides it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import COLUMNS, ROWS, Grid, rectify

Float = NDArray[np.float64]

CELL_PX = 24  # pixels of a cell in the small picture in which edges are compared
# Sum of likeness and strength. Of 491 open spaces of rendered, real and sample photos and of photos from low
# angles the least is 0.88; 36 below a drawn finger have 0.8 at most, of eight behind traced ones five.
# Beside a cell that is hidden more is asked: of 37 open spaces in view there only two have less than 1.
HIDDEN_BELOW, HIDDEN_BESIDE_BELOW = 0.84, 0.95


@dataclass(frozen=True, eq=False)
class Walls:
    """What edges the cells show, row by row.

    ``likeness`` (20,) is how much those of a cell look like those of the others, -1 to 1; ``strength`` (20,)
    how strong they are against those of the cell in the middle of the 20.
    """

    likeness: Float
    strength: Float

    def are_hidden(self, beside: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return which cells, (20,), show none of the walls that all have.

        ``beside`` (20,) are those that lie by a hidden one.
        """
        return np.asarray(self.likeness + self.strength < np.where(beside, HIDDEN_BESIDE_BELOW, HIDDEN_BELOW))

    def rotated_180(self) -> Walls:
        """Return the same cells counted from the opposite corner."""
        return Walls(self.likeness[::-1], self.strength[::-1])


def walls_of(image_bgr: NDArray[np.uint8], grid: Grid) -> Walls:
    """Compare the edges of the 20 cells, seen straight from above.

    Parameters
    ----------
    image_bgr
        Photo, uint8 H x W x 3, BGR.
    grid
        The lattice in it.
    """
    flat = cv2.GaussianBlur(rectify(image_bgr, grid.homography, CELL_PX, 0), (0, 0), 0.8).astype(np.float32)
    steps = [np.abs(cv2.Sobel(flat, cv2.CV_32F, *axis)).max(axis=2) for axis in ((1, 0), (0, 1))]
    drawn = np.sqrt(cv2.GaussianBlur(np.stack(steps, axis=-1), (0, 0), 1.2)).astype(np.float64)
    cells = drawn.reshape(ROWS, CELL_PX, COLUMNS, CELL_PX, 2).swapaxes(1, 2).reshape(20, -1, 2)
    strength = cells.mean(axis=(1, 2))
    shape = (cells - cells.mean(axis=1, keepdims=True)).reshape(20, -1)
    shape /= np.linalg.norm(shape, axis=1, keepdims=True) + 1e-6
    others = shape.sum(axis=0) - shape
    likeness = (shape * others).sum(axis=1) / (np.linalg.norm(others, axis=1) + 1e-6)
    return Walls(likeness, strength / max(float(np.median(strength)), 1e-6))
