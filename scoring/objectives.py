"""The ten public objectives and the five private ones: what each card counts, and which dice it counts.

Only the dice matter here. What is printed under them, and whether they were placed by the rules, does not.

Source of every rule: the card and the rulebook of the base game (Floodgate Games, 2017), in our own words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum

from scoring.board import Board
from scoring.cells import ALL_COLUMNS, ALL_ROWS, Cell, corner_neighbors
from scoring.dice import VALUES, Color, Die
from scoring.names import find_name

Group = tuple[Cell, ...]
"""Cells, as (row, column) from 0, whose dice earn points together."""


@dataclass(frozen=True)
class Score:
    """What one card gives for one board.

    ``formula`` says in figures how ``points`` came about, such as ``"2 x 5"`` or ``"min(4, 3) x 2"``.
    ``groups`` are the dice that earned them: one group for each row, column, set or diagonal chain. The
    same board always gives the same groups, and no die is in two groups of one card.
    """

    points: int
    formula: str
    groups: tuple[Group, ...]


class PublicObjective(Enum):
    """The ten public objective cards. The value is the name printed on the card.

    Every card counts for itself: a die that earned points on one card may earn points on the next.

    Examples
    --------
    >>> board = Board.parse("Y5 -- R4 Y5 B1 / P2 B4 Y6 G2 R3 / R6 G3 R4 B5 P2 / G1 Y4 P2 R3 Y5")
    >>> PublicObjective("Row Color Variety").score(board)
    Score(points=6, formula='1 x 6', groups=(((1, 0), (1, 1), (1, 2), (1, 3), (1, 4)),))
    >>> PublicObjective.MEDIUM_SHADES.score(board).formula
    'min(3, 4) x 2'
    """

    ROW_COLOR_VARIETY = "Row Color Variety"
    """6 points for each row of five dice in which no color comes twice: all five colors, once each."""

    COLUMN_COLOR_VARIETY = "Column Color Variety"
    """5 points for each column of four dice in which no color comes twice, wherever in the column."""

    ROW_SHADE_VARIETY = "Row Shade Variety"
    """5 points for each row of five dice in which no value comes twice: any five of the six values."""

    COLUMN_SHADE_VARIETY = "Column Shade Variety"
    """4 points for each column of four dice in which no value comes twice."""

    LIGHT_SHADES = "Light Shades"
    """2 points for each pair of a 1 and a 2, anywhere in the window."""

    MEDIUM_SHADES = "Medium Shades"
    """2 points for each pair of a 3 and a 4, anywhere in the window."""

    DEEP_SHADES = "Deep Shades"
    """2 points for each pair of a 5 and a 6, anywhere in the window."""

    SHADE_VARIETY = "Shade Variety"
    """5 points for each set of six dice, one of each value, anywhere in the window."""

    COLOR_DIAGONALS = "Color Diagonals"
    """1 point for each die that has a die of its own color at one or more of its corners."""

    COLOR_VARIETY = "Color Variety"
    """4 points for each set of five dice, one of each color, anywhere in the window."""

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
        counted = _RULES[self](board)
        return Score(
            counted.number * self.points_each, f"{counted.working} x {self.points_each}", counted.groups
        )


def score_private(board: Board, color: Color) -> Score:
    """Count a private objective, such as Shades of Purple: the values of all dice of that color, added up.

    The values count, not the dice: two purple dice that show 2 and 6 give 8 points. The dice are one group.

    Examples
    --------
    >>> score_private(Board.parse("P2 -- -- -- -- / -- -- -- -- -- / -- P6 -- -- -- / G1 -- -- -- --"),
    ...     Color.PURPLE)
    Score(points=8, formula='2 + 6', groups=(((0, 0), (2, 1)),))
    """
    own = [(cell, die.value) for cell, die in board.dice() if die.color is color]
    if not own:
        return Score(0, "0", ())
    cells, values = zip(*own, strict=True)
    return Score(sum(values), " + ".join(str(value) for value in values), (cells,))


@dataclass(frozen=True)
class _Counted:
    """How often a card's points are earned, how that number came about in figures, and by which dice."""

    number: int
    working: str
    groups: tuple[Group, ...]


def _lines(board: Board, lines: Iterable[Group], look: Callable[[Die], object]) -> _Counted:
    """Count the rows or columns that are full and in which ``look`` sees nothing twice."""
    groups = tuple(line for line in lines if _is_full_without_repeats(board, line, look))
    return _Counted(len(groups), str(len(groups)), groups)


def _is_full_without_repeats(board: Board, line: Group, look: Callable[[Die], object]) -> bool:
    """Return whether the line shows as many different colors (or values) as it has spaces."""
    return len({look(die) for cell in line if (die := board[cell])}) == len(line)


def _sets_of_values(board: Board, *values: int) -> _Counted:
    """Count the sets of one die of each of ``values``, anywhere in the window."""
    return _sets([[cell for cell, die in board.dice() if die.value == value] for value in values])


def _sets_of_colors(board: Board) -> _Counted:
    """Count the sets of one die of each color, anywhere in the window."""
    return _sets([[cell for cell, die in board.dice() if die.color is color] for color in Color])


def _sets(kinds: list[list[Cell]]) -> _Counted:
    """Count the sets of one die of each kind; dice that are left over give nothing.

    There are as many sets as there are dice of the rarest kind. The first set takes the first die of each
    kind in reading order, the second set the second, and so on.
    """
    how_many_of_each = ", ".join(str(len(cells)) for cells in kinds)
    groups = tuple(zip(*kinds, strict=False))
    return _Counted(len(groups), f"min({how_many_of_each})", groups)


def _dice_on_color_diagonals(board: Board) -> _Counted:
    """Count the dice with a die of their own color at a corner. Each counts once, however many there are."""
    partners = {
        cell: [corner for corner in corner_neighbors(cell) if _has_color(board[corner], die.color)]
        for cell, die in board.dice()
    }
    counted = [cell for cell in partners if partners[cell]]
    return _Counted(len(counted), str(len(counted)), _chains(counted, partners))


def _has_color(die: Die | None, color: Color) -> bool:
    """Return whether there is a die and it has that color."""
    return die is not None and die.color is color


def _chains(counted: list[Cell], partners: dict[Cell, list[Cell]]) -> tuple[Group, ...]:
    """Return the dice that hang together, from partner to partner, as one group each."""
    chains: list[list[Cell]] = []
    for start in counted:
        if any(start in chain for chain in chains):
            continue
        chain = [start]
        for cell in chain:  # the chain grows while we walk along it
            chain += [partner for partner in partners[cell] if partner not in chain]
        chains.append(chain)
    return tuple(tuple(sorted(chain)) for chain in chains)


def _color(die: Die) -> Color:
    return die.color


def _value(die: Die) -> int:
    return die.value


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

_RULES: dict[PublicObjective, Callable[[Board], _Counted]] = {
    PublicObjective.ROW_COLOR_VARIETY: lambda board: _lines(board, ALL_ROWS, _color),
    PublicObjective.COLUMN_COLOR_VARIETY: lambda board: _lines(board, ALL_COLUMNS, _color),
    PublicObjective.ROW_SHADE_VARIETY: lambda board: _lines(board, ALL_ROWS, _value),
    PublicObjective.COLUMN_SHADE_VARIETY: lambda board: _lines(board, ALL_COLUMNS, _value),
    PublicObjective.LIGHT_SHADES: lambda board: _sets_of_values(board, 1, 2),
    PublicObjective.MEDIUM_SHADES: lambda board: _sets_of_values(board, 3, 4),
    PublicObjective.DEEP_SHADES: lambda board: _sets_of_values(board, 5, 6),
    PublicObjective.SHADE_VARIETY: lambda board: _sets_of_values(board, *VALUES),
    PublicObjective.COLOR_DIAGONALS: _dice_on_color_diagonals,
    PublicObjective.COLOR_VARIETY: _sets_of_colors,
}
