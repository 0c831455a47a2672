"""Which of the 20 cells nobody can see, as something lies over them or the light blinds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.geometry import COLUMNS, ROWS, Grid, tops
from vision.network import cover_judge, sigmoid, to_blob
from vision.window_view import CELL_PX, window_view

Float = NDArray[np.float64]

HIDDEN_FROM, SURE_HIDDEN_FROM, TOUCHED_FROM = 0.5, 0.8, 0.6
"""Probabilities from which a cell counts as hidden, one that is read as a die without doubt as
hidden too, and a die as one of which a part may be hidden."""
BLIND, BLINDED_FROM = 232, 0.5
"""Of 255, a pixel brighter than this in all channels shows nothing, and such a share of a die's top hides its
pips: half of the dice, as white pips are no more than a third of one."""
BESIDE_FROM = 0.15
"""The same for an empty space beside a hidden cell. Of 208 open spaces in view in 125 rendered windows with
something painted over them it takes two, of nine that are hidden and were not called so five."""


@dataclass(frozen=True, eq=False)
class Covers:
    """What the network says of the 20 cells, row by row.

    ``hidden`` (20,) is the probability that most of the die or of the space is hidden, ``touched`` (20,) that
    a part of it is, which may be a pip.
    """

    hidden: Float
    touched: Float

    def are_hidden(self, filled: NDArray[np.bool_], sure: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return which cells, (20,), nobody can see.

        ``filled`` (20,) are those that look like dice, ``sure`` (20,) those of them without doubt. What hides
        a cell goes on over its neighbors.
        """
        hidden = self.hidden >= np.where(sure, SURE_HIDDEN_FROM, HIDDEN_FROM)
        return np.asarray(hidden | ~filled & beside(hidden) & (self.hidden >= BESIDE_FROM))

    @property
    def are_touched(self) -> NDArray[np.bool_]:
        """Of which cells, (20,), something may be hidden."""
        return np.asarray(self.touched >= TOUCHED_FROM)

    def rotated_180(self) -> Covers:
        """Return the same cells counted from the opposite corner."""
        return Covers(self.hidden[::-1], self.touched[::-1])


def beside(cells: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which cells, (20,), lie above, below, left or right of one of these."""
    around = np.pad(cells.reshape(ROWS, COLUMNS), 1)
    return np.asarray(around[:-2, 1:-1] | around[2:, 1:-1] | around[1:-1, :-2] | around[1:-1, 2:]).ravel()


def blinded(image_bgr: NDArray[np.uint8], grid: Grid) -> NDArray[np.bool_]:
    """Return of which dice, (20,), a lamp or a flash hides the top.

    Parameters
    ----------
    image_bgr
        Photo, uint8 H x W x 3, BGR.
    grid
        The lattice in it.
    """
    blind = tops(image_bgr, grid, CELL_PX).min(axis=3) >= BLIND
    return np.asarray(blind.mean(axis=(1, 2)) >= BLINDED_FROM)


def covers_of(image_bgr: NDArray[np.uint8], grid: Grid) -> Covers:
    """Return how likely each of the 20 cells is hidden.

    Parameters
    ----------
    image_bgr
        Photo, uint8 H x W x 3, BGR.
    grid
        The lattice in it.
    """
    logits = cover_judge().run(to_blob(window_view(image_bgr, grid)[None]))
    hidden, touched = sigmoid(logits[0]).reshape(2, 20).astype(np.float64)
    return Covers(hidden, touched)
