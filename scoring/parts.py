"""Parts of a window: some of its dice, and quick answers about them.

Whoever wants to know which dice to take off has to look at thousands of parts of one window. Here a part is
a whole number with one bit for each cell, and what has to be known about the dice is looked up once, before
the first part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache

from scoring.board import Board
from scoring.cells import ALL_CELLS, COLUMNS, ROWS, Cell
from scoring.dice import VALUES, Color
from scoring.objectives import PublicObjective

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


def points_counter(
    board: Board,
    objectives: Iterable[PublicObjective],
    private: Sequence[Color],
    points_per_empty_cell: int,
) -> Callable[[Part], int]:
    """Return a function that counts the points of any part of the board's dice.

    It gives what `score_player` gives for a board with these dice alone, many times faster.

    Parameters
    ----------
    board
        The window.
    objectives
        The public objectives in play.
    private
        The colors of the player's private objectives, of which the better one counts.
    points_per_empty_cell
        What a cell without a die gives.
    """
    counters = [_public_counter(board, objective) for objective in objectives]
    pips = [_pips_counter(board, color) for color in private]

    def points(part: Part) -> int:
        total = points_per_empty_cell * (ROWS * COLUMNS - part.bit_count())
        for counter in counters:
            total += counter(part)
        return total + max((counter(part) for counter in pips), default=0)

    return cache(points)  # the same part is asked for more than once


# The kinds of dice that make a set.
_SETS: dict[PublicObjective, tuple[Color | int, ...]] = {
    PublicObjective.LIGHT_SHADES: (1, 2),
    PublicObjective.MEDIUM_SHADES: (3, 4),
    PublicObjective.DEEP_SHADES: (5, 6),
    PublicObjective.SHADE_VARIETY: VALUES,
    PublicObjective.COLOR_VARIETY: tuple(Color),
}


def _public_counter(board: Board, objective: PublicObjective) -> Callable[[Part], int]:
    """Return a function that counts one public objective."""
    each = objective.points_each
    if objective in _SETS:
        kinds = [_dice_with(board, kind) for kind in _SETS[objective]]
        return lambda part: each * min([(part & kind).bit_count() for kind in kinds])
    if objective is PublicObjective.COLOR_DIAGONALS:
        colors = [_dice_with(board, color) for color in Color]
        return lambda part: each * sum([_with_a_corner(part & color).bit_count() for color in colors])
    # A row or column that does not count with all its dice never does, and one that does needs all of them.
    lines = [part_of(line) for line in objective.score(board).groups]
    return lambda part: each * sum([part & line == line for line in lines])


def _pips_counter(board: Board, color: Color) -> Callable[[Part], int]:
    """Return a function that adds up the values of the dice of a color."""
    own = _dice_with(board, color)
    kinds = [(value, kind) for value in VALUES if (kind := own & _dice_with(board, value))]
    return lambda part: sum([value * (part & kind).bit_count() for value, kind in kinds])


def _dice_with(board: Board, kind: Color | int) -> Part:
    """Return the dice of a color, or those that show a value."""
    return part_of(cell for cell, die in board.dice() if kind in (die.color, die.value))


def _with_a_corner(part: Part) -> Part:
    """Return the cells of a part that touch another one of it by a corner."""
    beside = part << 1 | part >> 1
    return part & (beside << _STRIDE | beside >> _STRIDE)


def _with_all_around(part: Part) -> Part:
    """Return a part with all cells that touch it, and perhaps bits that are no cells."""
    wide = part | part << 1 | part >> 1
    return wide | wide << _STRIDE | wide >> _STRIDE
