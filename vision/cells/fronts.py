"""Open spaces that show the front of the die behind them, where a window is seen from low down.

A die of known size stands on a known lattice: its front covers the place where the top of a die in the space
before it would be seen. Read as a top, it has the color of the die behind.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.cells.crops import LEANING
from vision.cells.dice import DOUBTFUL_BELOW, CellProbabilities, contents
from vision.geometry import CELL_CENTERS, DIE_EDGE

Float = NDArray[np.float64]

ASIDE = 0.4  # pitches beside the line of sight within which a die stands behind a space
COLORED = 0.9  # how sure a color must be that speaks for a front
MOST = 0.5  # how sure a die may be that may be the front of another
# From here on it is one. Of 83 dice before one of their own color in traced windows three in four are surer,
# of 8 fronts taken for dice in real and traced tables none.
STANDS = 0.9995


def without_fronts(cells: CellProbabilities, lean: Float) -> CellProbabilities:
    """Return the cells with a doubt in every die that may be no more than the front of a sure one behind it.

    Two such dice would break the game's first rule where they stand side by side, so that of a front and an
    open space the rules leave the space.

    Parameters
    ----------
    cells
        What the network says.
    lean
        Where the tops of the dice are seen against the floors of their holes, (x, y) in pitches.
    """
    length = float(np.hypot(*lean))
    if length < LEANING:
        return cells
    away = lean / length
    offsets = CELL_CENTERS[None] - CELL_CENTERS[:, None]  # from each space to each other one
    along, aside = offsets @ away, np.abs(offsets @ [-away[1], away[0]])
    # Along the line of sight, from where the front of a die is seen and where its own top would be.
    half = DIE_EDGE / 2
    front = along - half, along - half + length
    covered = np.minimum(front[1], length + half) - np.maximum(front[0], length - half)
    behind = (along > half) & (aside < ASIDE) & (covered > half)
    standing = cells.filled > MOST
    sure = standing & (contents(cells).max(axis=1) >= DOUBTFUL_BELOW)
    color = np.where(cells.color.max(axis=1) > COLORED, cells.color.argmax(axis=1), -1)
    alike = (color[:, None] == color[None]) & (color[:, None] >= 0)
    suspect = standing & (cells.filled < STANDS) & (behind & sure[None] & alike).any(axis=1)
    return replace(cells, filled=np.where(suspect, np.minimum(cells.filled, MOST), cells.filled))
