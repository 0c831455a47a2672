"""The placement rules: what is wrong with a window, and where a die may go.

The rules, with the code that a broken one is reported under:

- ``color_restriction``: a space printed with a color takes only dice of that color.
- ``value_restriction``: a space printed with a value takes only dice of that value.
- ``same_color_neighbors``: dice that share a side differ in color.
- ``same_value_neighbors``: dice that share a side differ in value.
- ``first_die_edge``: the first die goes on the edge, so a window with dice has one there.
- ``not_connected``: each later die touches an earlier one by a side or a corner, so all dice hang together.

Nobody sees in a finished window in which order its dice came. Without tools these six rules are all that
can be told from it: when they hold, there is an order of legal moves that leads to the window.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum

from scoring.board import Board
from scoring.cells import Cell, cell_name, is_on_edge, side_neighbors, touching
from scoring.dice import Color, Die
from scoring.patterns import WindowPattern
from scoring.tools import Tool


class ProblemCode(Enum):
    """The rules that a window can break; the value is the code in JSON."""

    COLOR_RESTRICTION = "color_restriction"
    VALUE_RESTRICTION = "value_restriction"
    SAME_COLOR_NEIGHBORS = "same_color_neighbors"
    SAME_VALUE_NEIGHBORS = "same_value_neighbors"
    FIRST_DIE_EDGE = "first_die_edge"
    NOT_CONNECTED = "not_connected"


_MOVING_TOOLS = tuple(tool for tool in Tool if tool.moves_dice)

_EXCUSES: dict[ProblemCode, tuple[Tool, ...]] = {
    ProblemCode.COLOR_RESTRICTION: (Tool.EGLOMISE_BRUSH,),
    ProblemCode.VALUE_RESTRICTION: (Tool.COPPER_FOIL_BURNISHER,),
    ProblemCode.SAME_COLOR_NEIGHBORS: (),
    ProblemCode.SAME_VALUE_NEIGHBORS: (),
    ProblemCode.FIRST_DIE_EDGE: _MOVING_TOOLS,
    ProblemCode.NOT_CONNECTED: (*_MOVING_TOOLS, Tool.CORK_BACKED_STRAIGHTEDGE),
}


@dataclass(frozen=True)
class Problem:
    """One way in which a window breaks the rules.

    Parameters
    ----------
    code
        The rule that is broken, one of the values of `ProblemCode`.
    cells
        Where, as (row, column) from 0, in reading order.
    message
        One sentence that says what is wrong.
    excused_by
        The names of the tool cards that could make this legal, whether they are in the game or not.
    """

    code: str
    cells: tuple[Cell, ...]
    message: str
    excused_by: tuple[str, ...] = ()

    def to_json(self) -> dict[str, object]:
        """Return the problem as in ``sagrada check --json``; cells have names such as ``"C5"``."""
        return {
            "code": self.code,
            "cells": [cell_name(cell) for cell in self.cells],
            "message": self.message,
            "excused_by": list(self.excused_by),
        }


def placement_problems(
    board: Board, pattern: WindowPattern | None = None, tools: Iterable[Tool | str] = ()
) -> tuple[Problem, ...]:
    """Return every way in which the window breaks the placement rules; none means it is legal.

    Parameters
    ----------
    board
        The dice.
    pattern
        The card under them; None when it is not known, and then nothing is said about printed
        colors and values.
    tools
        The tool cards the player may have used, as `Tool` or by name. A problem that one of them
        could excuse is left out. How often a tool was used is not looked at.

    Raises
    ------
    UnknownNameError
        A tool is not one of the twelve cards.

    Examples
    --------
    >>> from scoring.patterns import WINDOW_PATTERNS
    >>> board = Board.parse("-- G4 R2 Y5 P6 / R3 B1 -- G1 Y2 / P5 G6 -- P6 R3 / B4 Y3 G4 B2 G4")
    >>> for problem in placement_problems(board, WINDOW_PATTERNS["Fractal Drops"]):
    ...     print(problem.code, problem.message)
    value_restriction C5: red 3 on a space that needs a 1.
    >>> placement_problems(board, WINDOW_PATTERNS["Fractal Drops"], tools=["Copper Foil Burnisher"])
    ()
    """
    used = {_tool(tool).value for tool in tools}
    found = (
        *_restriction_problems(board, pattern),
        *_neighbor_problems(board),
        *_edge_problems(board),
        *_connection_problems(board),
    )
    return tuple(problem for problem in found if used.isdisjoint(problem.excused_by))


def legal_cells(
    board: Board, die: Die, pattern: WindowPattern | None = None, tools: Iterable[Tool | str] = ()
) -> frozenset[Cell]:
    """Return the cells, as (row, column) from 0, where the rules let ``die`` be placed next.

    Parameters
    ----------
    board
        The dice that are in the window already.
    die
        The die to place.
    pattern
        The card under the dice; None when it is not known, and then every space takes every die.
    tools
        The tool cards that may be used for this very die: Eglomise Brush lifts the printed color,
        Copper Foil Burnisher the printed value, and Cork-backed Straightedge adds the spaces that
        touch no die.

    Raises
    ------
    UnknownNameError
        A tool is not one of the twelve cards.

    Examples
    --------
    >>> from scoring.patterns import WINDOW_PATTERNS
    >>> board = Board.parse("-- -- -- -- -- / -- -- -- G1 -- / -- -- -- P6 R3 / -- -- -- B2 --")
    >>> cells = legal_cells(board, Die.parse("R2"), WINDOW_PATTERNS["Fractal Drops"])
    >>> [cell_name(cell) for cell in sorted(cells)]
    ['A3', 'B3', 'C3']
    """
    used = {_tool(tool) for tool in tools}
    return frozenset(
        cell
        for cell in board.empty_cells()
        if _fits_print(cell, die, pattern, used)
        and _fits_neighbors(board, cell, die)
        and _fits_position(board, cell, used)
    )


def _fits_print(cell: Cell, die: Die, pattern: WindowPattern | None, used: set[Tool]) -> bool:
    """Return whether the print on the space, as far as no tool lifts it, takes the die."""
    space = None if pattern is None else pattern[cell]
    if isinstance(space, Color):
        return space is die.color or Tool.EGLOMISE_BRUSH in used
    return space in (None, die.value) or Tool.COPPER_FOIL_BURNISHER in used


def _fits_neighbors(board: Board, cell: Cell, die: Die) -> bool:
    """Return whether no die beside the cell has the color or the value of the die."""
    beside = (board[neighbor] for neighbor in side_neighbors(cell))
    return not any(other.color is die.color or other.value == die.value for other in beside if other)


def _fits_position(board: Board, cell: Cell, used: set[Tool]) -> bool:
    """Return whether the first die goes on the edge, and a later one touches a die."""
    if board == Board.empty():
        return is_on_edge(cell)
    touches_a_die = any(board[neighbor] for neighbor in touching(cell))
    return touches_a_die or Tool.CORK_BACKED_STRAIGHTEDGE in used


def _restriction_problems(board: Board, pattern: WindowPattern | None) -> Iterator[Problem]:
    """Yield each die on a space that is printed with another color or value."""
    if pattern is None:
        return
    for cell, die in board.dice():
        space = pattern[cell]
        if pattern.accepts(cell, die):
            continue
        here = f"{cell_name(cell)}: {die.words} on a space that needs"
        if isinstance(space, Color):
            yield _problem(ProblemCode.COLOR_RESTRICTION, (cell,), f"{here} {space.word}.")
        else:
            yield _problem(ProblemCode.VALUE_RESTRICTION, (cell,), f"{here} a {space}.")


def _neighbor_problems(board: Board) -> Iterator[Problem]:
    """Yield each pair of dice that share a side and a color, or a side and a value."""
    for cell, die in board.dice():
        for other_cell in side_neighbors(cell):
            other = board[other_cell]
            # Each pair is met from both sides; the second time it is old news.
            if other is None or other_cell < cell:
                continue
            pair = (cell, other_cell)
            names = f"{cell_name(cell)} and {cell_name(other_cell)}"
            if other.color is die.color:
                yield _problem(
                    ProblemCode.SAME_COLOR_NEIGHBORS,
                    pair,
                    f"{names}: two {die.color.word} dice side by side.",
                )
            if other.value == die.value:
                yield _problem(
                    ProblemCode.SAME_VALUE_NEIGHBORS,
                    pair,
                    f"{names}: two dice that show {die.value} side by side.",
                )


def _edge_problems(board: Board) -> Iterator[Problem]:
    """Yield one problem when there are dice, but none on the edge where the first die has to go."""
    cells = tuple(cell for cell, _ in board.dice())
    if cells and not any(is_on_edge(cell) for cell in cells):
        yield _problem(
            ProblemCode.FIRST_DIE_EDGE,
            cells,
            "No die lies on the edge of the window, where the first die has to go.",
        )


def _connection_problems(board: Board) -> Iterator[Problem]:
    """Yield one problem for the dice that do not hang together with the largest group of dice."""
    groups = _connected_groups(board)
    if len(groups) < 2:
        return
    # Of groups of the same size the one that comes first in reading order counts as the largest.
    largest = max(groups, key=len)
    apart = tuple(sorted(cell for group in groups if group is not largest for cell in group))
    names = ", ".join(cell_name(cell) for cell in apart)
    verb = "does" if len(apart) == 1 else "do"
    yield _problem(
        ProblemCode.NOT_CONNECTED,
        apart,
        f"{names}: {verb} not touch the other dice, not even by a corner.",
    )


def _connected_groups(board: Board) -> list[set[Cell]]:
    """Return the groups of dice that hang together by sides or corners, in reading order."""
    groups: list[set[Cell]] = []
    for start, _ in board.dice():
        if any(start in group for group in groups):
            continue
        group = {start}
        to_visit = [start]
        while to_visit:
            for cell in touching(to_visit.pop()):
                if board[cell] is not None and cell not in group:
                    group.add(cell)
                    to_visit.append(cell)
        groups.append(group)
    return groups


def _problem(code: ProblemCode, cells: tuple[Cell, ...], message: str) -> Problem:
    """Build a problem with the tools that could excuse it."""
    return Problem(code.value, cells, message, tuple(tool.value for tool in _EXCUSES[code]))


def _tool(tool: Tool | str) -> Tool:
    """Return the tool, which may be given by name."""
    return tool if isinstance(tool, Tool) else Tool.from_name(tool)
