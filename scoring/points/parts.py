"""Parts of a window: some of its dice, and quick answers about them.

Whoever wants to know which dice to take off has to look at thousands of parts of one window. Here a part is
a whole number with one bit for each cell, and what has to be known about the dice is looked up once, before
the first part.
"""

from __future__ import annotations

from collections.abc import Iterable

from scoring.board import Board
from scoring.cells import ALL_CELLS, COLUMNS, ROWS, Cell
from scoring.dice import Color

Part = int
"""Some cells of the window, as a number with one bit for each of them."""

# Between two rows one bit stays free, so that the end of a row does not touch the start of the next. Cells
# that come first in reading order have the higher bits.
_STRIDE = COLUMNS + 1
_BITS: dict[Cell, Part] = {
    (row, column): 1 << (_STRIDE * (ROWS - 1 - row) + COLUMNS - 1 - column) for row, column in ALL_CELLS
}


def part_of(cells: Iterable[Cell]) -> Part:
    """Return the part that consists of these cells.

    Examples
    --------
    >>> cells_of(part_of([(1, 2), (0, 4)]))
    ((0, 4), (1, 2))
    """
    return sum(_BITS[cell] for cell in set(cells))


def cells_of(part: Part) -> tuple[Cell, ...]:
    """Return the cells, as (row, column) from 0, of a part, in reading order."""
    return tuple(cell for cell in ALL_CELLS if part & _BITS[cell])


def cells_one_by_one(part: Part) -> tuple[Part, ...]:
    """Return each cell of a part as a part of its own, in reading order."""
    return tuple(bit for bit in _BITS.values() if part & bit)


def groups_of(part: Part) -> tuple[Part, ...]:
    """Return the groups that hang together by sides or corners.

    Examples
    --------
    >>> groups = groups_of(part_of([(0, 0), (1, 1), (3, 3)]))
    >>> sorted(cells_of(group) for group in groups)
    [((0, 0), (1, 1)), ((3, 3),)]
    """
    groups = []
    while part:
        group = part & -part
        while (grown := _with_all_around(group) & part) != group:
            group = grown
        groups.append(group)
        part ^= group
    return tuple(groups)


def dice_with(board: Board, kind: Color | int) -> Part:
    """Return the dice of a color, or those that show a value."""
    return part_of(cell for cell, die in board.dice() if kind in (die.color, die.value))


def with_a_corner(part: Part) -> Part:
    """Return the cells of a part that touch another one of it by a corner."""
    beside = part << 1 | part >> 1
    return part & (beside << _STRIDE | beside >> _STRIDE)


def _with_all_around(part: Part) -> Part:
    """Return a part with all cells that touch it, and perhaps bits that are no cells."""
    wide = part | part << 1 | part >> 1
    return wide | wide << _STRIDE | wide >> _STRIDE
