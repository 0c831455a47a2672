"""During play: the spaces that can never be filled any more."""

from __future__ import annotations

from scoring.board import Board
from scoring.cells import Cell, is_on_edge, side_neighbors, touching
from scoring.dice import VALUES, Color, Die
from scoring.other_dice import colored
from scoring.windows.patterns import WindowPattern, pattern_of

ALL_DICE = tuple(Die(color, value) for color in Color for value in VALUES)


def dead_cells(board: Board | str, pattern: WindowPattern | str | None = None) -> frozenset[Cell]:
    """Return the empty cells that no die can legally fill any more, whatever is placed before.

    A cell is dead when its print and its neighbors leave no die for it: neighbors never go away, so this does
    not get better. It is also dead when no chain of dice can reach it, because the cells on every way to it
    are dead or would take the last die that fits it. Tool cards and the number of dice in the bag are not
    thought of.

    Parameters
    ----------
    board
        The dice that are in the window.
    pattern
        The card under them; None when it is not known, and then only the dice themselves forbid anything.

    Examples
    --------
    >>> from scoring.cells import cell_name
    >>> from scoring.windows.patterns import WindowPattern, pattern_of
    >>> board = Board.parse("-- R1 -- -- -- / G2 -- -- -- -- / -- -- -- -- -- / -- -- -- -- --")
    >>> pattern = WindowPattern.parse("R.... / ..... / ..... / .....")
    >>> [cell_name(cell) for cell in dead_cells(board, pattern)]
    ['A1']
    """
    board, pattern = Board.of(board), pattern_of(pattern)
    return frozenset.intersection(*(_dead(one, pattern) for one in colored(board)))


def _dead(board: Board, pattern: WindowPattern | None) -> frozenset[Cell]:
    fitting = {cell: _fitting_dice(board, cell, pattern) for cell in board.empty_cells()}
    return frozenset(cell for cell in fitting if not _can_be_filled(board, (cell,), fitting[cell], fitting))


def _fitting_dice(board: Board, cell: Cell, pattern: WindowPattern | None) -> frozenset[Die]:
    """Return the dice that the print and the neighbors of an empty cell allow."""
    beside = [die for neighbor in side_neighbors(cell) if (die := board[neighbor])]
    return frozenset(
        die
        for die in ALL_DICE
        if (pattern is None or pattern.accepts(cell, die)) and all(_differ(die, other) for other in beside)
    )


def _differ(die: Die, other: Die) -> bool:
    """Return whether two dice may lie side by side."""
    return die.color is not other.color and die.value != other.value


def _is_in_reach(board: Board, cell: Cell) -> bool:
    """Return whether the next die may go there as far as the edge and touching are concerned."""
    if board == Board.empty():
        return is_on_edge(cell)
    return any(board[neighbor] for neighbor in touching(cell))


def _can_be_filled(
    board: Board, chain: tuple[Cell, ...], dice: frozenset[Die], fitting: dict[Cell, frozenset[Die]]
) -> bool:
    """Return whether some dice, placed one after the other, lead to a die on the first cell of a chain.

    Of such dice only a chain is needed in which each touches the next: the others may as well be left out, as
    that forbids nothing. And in the shortest such chain no die touches another but the one before and the one
    after it, as what lies between two that touch could be left out too. So a chain has to be looked at die by
    die only. It is followed backwards to a cell in reach of the dice in the window. ``dice`` are those that
    are possible on its last cell.
    """
    *before, last = chain
    if not dice:
        return False
    if _is_in_reach(board, last):
        return True
    for cell in touching(last):
        if cell not in fitting or any(cell == earlier or cell in touching(earlier) for earlier in before):
            continue
        possible = fitting[cell]
        if cell in side_neighbors(last):
            possible = frozenset(die for die in possible if any(_differ(die, other) for other in dice))
        if _can_be_filled(board, (*chain, cell), possible, fitting):
            return True
    return False
