"""How cards count dice: full rows or columns, sets, and dice on diagonals of one color.

Every way to count is there twice: slowly, with the dice that earned the points and a word about how, and
quickly, for the thousands of parts of one window that `scoring.placement.removals` looks at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from scoring.board import (
    ALL_ROWS,
    Board,
    Cell,
    Color,
    Die,
    Part,
    cells_of,
    dice_with,
    groups_of,
    part_of,
    with_a_corner,
)
from scoring.sentences import Sentence, counted

Group = tuple[Cell, ...]
"""Cells, as (row, column) from 0, whose dice earn points together."""


@dataclass(frozen=True)
class Counted:
    """How often a card's points are earned, how that number came about in figures, and by which dice."""

    number: int
    working: str
    groups: tuple[Group, ...]


@dataclass(frozen=True)
class Lines:
    """Count the rows or columns that are full and in which ``look`` sees nothing twice."""

    lines: tuple[Group, ...]
    look: Callable[[Die], object]

    def count(self, board: Board) -> Counted:
        """Count the lines of a board."""
        groups = tuple(
            line
            for line in self.lines
            if len({self.look(die) for cell in line if (die := board[cell])}) == len(line)
        )
        return Counted(len(groups), str(len(groups)), groups)

    def quick(self, board: Board) -> Callable[[Part], int]:
        """Return a function that counts the lines that are in a part.

        A line that does not count with all its dice never does, and one that does needs all of them.
        """
        lines = [part_of(line) for line in self.count(board).groups]
        return lambda part: sum([part & line == line for line in lines])

    def how_often(self, groups: tuple[Group, ...]) -> Sentence:
        """Say how many rows or columns there are."""
        if self.lines == ALL_ROWS:
            return counted("{count} row", "{count} rows", len(groups))
        return counted("{count} column", "{count} columns", len(groups))


@dataclass(frozen=True)
class GroupsOf:
    """Count the groups of dice that a function finds on a board, such as one of a user's own code."""

    found: Callable[[Board], Iterable[Group]]

    def count(self, board: Board) -> Counted:
        """Count the groups of a board."""
        groups = tuple(tuple(group) for group in self.found(board))
        return Counted(len(groups), str(len(groups)), groups)

    def quick(self, board: Board) -> Callable[[Part], int]:
        """Return a function that counts the groups of a part: not quick, but right whatever is counted."""
        return lambda part: self.count(board.only(cells_of(part))).number

    def how_often(self, groups: tuple[Group, ...]) -> Sentence:
        """Say how many groups there are."""
        return counted("{count} group", "{count} groups", len(groups))


@dataclass(frozen=True)
class Sets:
    """Count the sets of one die of each kind (a color or a value), anywhere in the window."""

    kinds: tuple[Color | int, ...]

    def count(self, board: Board) -> Counted:
        """Count the sets; dice that are left over give nothing.

        There are as many sets as there are dice of the rarest kind. The first set takes the first die of each
        kind in reading order, the second set the second, and so on.
        """
        cells = [cells_of(dice_with(board, kind)) for kind in self.kinds]
        how_many_of_each = ", ".join(str(len(those)) for those in cells)
        groups = tuple(zip(*cells, strict=False))
        return Counted(len(groups), f"min({how_many_of_each})", groups)

    def quick(self, board: Board) -> Callable[[Part], int]:
        """Return a function that counts the dice of the rarest kind in a part."""
        kinds = [dice_with(board, kind) for kind in self.kinds]
        return lambda part: min([(part & kind).bit_count() for kind in kinds])

    def how_often(self, groups: tuple[Group, ...]) -> Sentence:
        """Say how many pairs or sets there are."""
        if len(self.kinds) == 2:
            return counted("{count} pair", "{count} pairs", len(groups))
        return counted("{count} set", "{count} sets", len(groups))


@dataclass(frozen=True)
class ColorDiagonals:
    """Count the dice with a die of their own color at a corner. Each counts once, however many there are."""

    def count(self, board: Board) -> Counted:
        """Count the dice; those that hang together, from partner to partner, are one group."""
        chains = (
            cells_of(chain)
            for color in {die.color for _, die in board.dice()}
            for chain in groups_of(with_a_corner(dice_with(board, color)), by_sides=False)
        )
        groups = tuple(sorted(chains))
        number = sum(map(len, groups))
        return Counted(number, str(number), groups)

    def quick(self, board: Board) -> Callable[[Part], int]:
        """Return a function that counts the dice in a part."""
        colors = [dice_with(board, color) for color in {die.color for _, die in board.dice()}]
        return lambda part: sum([with_a_corner(part & color).bit_count() for color in colors])

    def how_often(self, groups: tuple[Group, ...]) -> Sentence:
        """Say how many dice there are."""
        return counted("{count} die", "{count} dice", sum(map(len, groups)))


Counting = Lines | GroupsOf | Sets | ColorDiagonals
"""A way to count: slowly (`count`), for any part of a board's dice (`quick`), and in words (`how_often`)."""
