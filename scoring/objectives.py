"""The ten public objectives and the private one: what each card counts, and which dice it counts.

Only the dice matter here. What is printed under them, and whether they were placed by the rules, does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum

from scoring.board import Board
from scoring.cells import ALL_CELLS, COLUMNS, ROWS, Cell, corner_neighbors
from scoring.dice import VALUES, Color, Die
from scoring.names import find_name

Group = tuple[Cell, ...]
"""Cells, as (row, column) from 0, whose dice earn points together."""


@dataclass(frozen=True)
class Score:
    """What one card gives for one board.

    ``formula`` says in figures how ``points`` came about, such as ``"2 x 5"`` or ``"min(4, 3) x 2"``.
    ``groups`` are the dice that earned them: one group for each row, column, set or diagonal chain. The
    same board always gives the same groups.
    """

    points: int
    formula: str
    groups: tuple[Group, ...]


class PublicObjective(Enum):
    """The ten public objective cards. The value is the name printed on the card.

    Examples
    --------
    >>> board = Board.parse("Y5 -- R4 Y5 B1 / P2 B4 Y6 G2 R3 / R6 G3 R4 B5 P2 / G1 Y4 P2 R3 Y5")
    >>> PublicObjective("Row Color Variety").score(board)
    Score(points=6, formula='1 x 6', groups=(((1, 0), (1, 1), (1, 2), (1, 3), (1, 4)),))
    >>> PublicObjective.MEDIUM_SHADES.score(board).formula
    'min(3, 4) x 2'
    """

    ROW_COLOR_VARIETY = "Row Color Variety"
    COLUMN_COLOR_VARIETY = "Column Color Variety"
    ROW_SHADE_VARIETY = "Row Shade Variety"
    COLUMN_SHADE_VARIETY = "Column Shade Variety"
    LIGHT_SHADES = "Light Shades"
    MEDIUM_SHADES = "Medium Shades"
    DEEP_SHADES = "Deep Shades"
    SHADE_VARIETY = "Shade Variety"
    COLOR_DIAGONALS = "Color Diagonals"
    COLOR_VARIETY = "Color Variety"

    @classmethod
    def from_name(cls, name: str) -> PublicObjective:
        """Return the objective called ``name``, in any case, with blanks or underscores.

        Raises
        ------
        UnknownNameError
            No card is called that; the error suggests the nearest.

        Examples
        --------
        >>> PublicObjective.from_name("light_shades")
        <PublicObjective.LIGHT_SHADES: 'Light Shades'>
        """
        return cls(find_name(name, [card.value for card in cls], "objective"))

    @property
    def points_each(self) -> int:
        """The points printed on the card: for each row, column, set or (Color Diagonals) die."""
        return _POINTS_EACH[self]

    def score(self, board: Board) -> Score:
        """Count this card on ``board``."""
        return _RULES[self](board, self.points_each)


_POINTS_EACH = {
    PublicObjective.ROW_COLOR_VARIETY: 6,
    PublicObjective.COLUMN_COLOR_VARIETY: 5,
    PublicObjective.ROW_SHADE_VARIETY: 5,
    PublicObjective.COLUMN_SHADE_VARIETY: 4,
    PublicObjective.LIGHT_SHADES: 2,
    PublicObjective.MEDIUM_SHADES: 2,
    PublicObjective.DEEP_SHADES: 2,
    PublicObjective.SHADE_VARIETY: 5,
    PublicObjective.COLOR_DIAGONALS: 1,
    PublicObjective.COLOR_VARIETY: 4,
}


def score_private(board: Board, color: Color) -> Score:
    """Count a private objective: add up the values (not the number) of all dice of the player's color.

    Examples
    --------
    >>> score_private(Board.parse("P2 -- -- -- -- / -- -- -- -- -- / -- P6 -- -- -- / G1 -- -- -- --"),
    ...     Color.PURPLE)
    Score(points=8, formula='2 + 6', groups=(((0, 0), (2, 1)),))
    """
    own = [(cell, die.value) for cell, die in board.dice() if die.color is color]
    formula = " + ".join(str(value) for _, value in own) or "0"
    return Score(sum(value for _, value in own), formula, (tuple(cell for cell, _ in own),) if own else ())


def _full_rows(board: Board) -> Iterator[Group]:
    """Yield the rows without an empty cell, each from left to right."""
    for row in range(ROWS):
        if None not in board.rows[row]:
            yield tuple((row, column) for column in range(COLUMNS))


def _full_columns(board: Board) -> Iterator[Group]:
    """Yield the columns without an empty cell, each from top to bottom."""
    for column in range(COLUMNS):
        if None not in board.columns[column]:
            yield tuple((row, column) for row in range(ROWS))


def _lines(board: Board, full_lines: Iterable[Group], feature: str, points_each: int) -> Score:
    """Count the full rows or columns in which no color (or no value) comes twice."""
    groups = tuple(
        line for line in full_lines if len({getattr(board[cell], feature) for cell in line}) == len(line)
    )
    return Score(len(groups) * points_each, f"{len(groups)} x {points_each}", groups)


def _sets_of_values(board: Board, values: tuple[int, ...], points_each: int) -> Score:
    """Count sets of one die of each of ``values``, anywhere in the window."""
    return _sets(
        [[cell for cell, die in board.dice() if die.value == value] for value in values], points_each
    )


def _sets_of_colors(board: Board, points_each: int) -> Score:
    """Count sets of one die of each color, anywhere in the window."""
    return _sets([[cell for cell, die in board.dice() if die.color is color] for color in Color], points_each)


def _sets(members: list[list[Cell]], points_each: int) -> Score:
    """Count sets of one cell from each list; what is left over gives nothing.

    There are as many sets as the shortest list is long. The first set takes the first die of each
    kind in reading order, the second set the second, and so on.
    """
    counts = ", ".join(str(len(cells)) for cells in members)
    groups = tuple(zip(*members, strict=False))
    return Score(len(groups) * points_each, f"min({counts}) x {points_each}", groups)


def _color_diagonals(board: Board, points_each: int) -> Score:
    """Count the dice that touch a die of their own color by a corner, each die once.

    A group is a chain: dice of one color that hang together by their corners.
    """
    chains = []
    seen: set[Cell] = set()
    for start in ALL_CELLS:
        if start in seen:
            continue
        chain = _diagonal_chain(board, start)
        seen |= chain
        if len(chain) > 1:
            chains.append(tuple(sorted(chain)))
    dice = sum(len(chain) for chain in chains)
    return Score(dice * points_each, f"{dice} x {points_each}", tuple(chains))


def _diagonal_chain(board: Board, start: Cell) -> set[Cell]:
    """Return the cells that hang together with ``start`` by corners, through dice of its color."""
    die = board[start]
    if die is None:
        return set()
    chain = {start}
    to_visit = [start]
    while to_visit:
        for cell in corner_neighbors(to_visit.pop()):
            if cell not in chain and _same_color(board[cell], die):
                chain.add(cell)
                to_visit.append(cell)
    return chain


def _same_color(one: Die | None, other: Die) -> bool:
    """Return whether there is a die and it has the color of the other."""
    return one is not None and one.color is other.color


# What each card counts. The functions above take the board and the points printed on the card.
_RULES: dict[PublicObjective, Callable[[Board, int], Score]] = {
    # A row or column scores when it is full and no color (or no value) is in it twice.
    PublicObjective.ROW_COLOR_VARIETY: lambda board, each: _lines(board, _full_rows(board), "color", each),
    PublicObjective.COLUMN_COLOR_VARIETY: lambda board, each: _lines(
        board, _full_columns(board), "color", each
    ),
    PublicObjective.ROW_SHADE_VARIETY: lambda board, each: _lines(board, _full_rows(board), "value", each),
    PublicObjective.COLUMN_SHADE_VARIETY: lambda board, each: _lines(
        board, _full_columns(board), "value", each
    ),
    # A set scores wherever its dice lie.
    PublicObjective.LIGHT_SHADES: lambda board, each: _sets_of_values(board, (1, 2), each),
    PublicObjective.MEDIUM_SHADES: lambda board, each: _sets_of_values(board, (3, 4), each),
    PublicObjective.DEEP_SHADES: lambda board, each: _sets_of_values(board, (5, 6), each),
    PublicObjective.SHADE_VARIETY: lambda board, each: _sets_of_values(board, VALUES, each),
    PublicObjective.COLOR_VARIETY: _sets_of_colors,
    # A die scores when it has a partner of its color at a corner.
    PublicObjective.COLOR_DIAGONALS: _color_diagonals,
}
