"""Dice that are not in the base game: rare glass, which is of any color, and two kinds with their own color.

Rare glass (one for each player of *Passion*) counts as the color that is best for its player: a window is
legal when some colors of its rare glass make it so, and points are those of the best colors, the same for all
cards. Gray dice (*Glory*) and orange dice (*Life*) have a color that no card prints and no set asks for;
beside each other, and in rows and columns of different colors, they count as any color does. How many dice of
which kind there are is told by one source, and no exact rule was found: this is the plainest reading.

Nothing of this touches a window with dice of the base game alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from scoring.board import Board
from scoring.dice import RARE_GLASS, Color, Die
from scoring.errors import InvalidValueError
from scoring.sentences import sentence

MOST_RARE_GLASS = 4
"""More of them are in no window; each makes five times as many windows to look at."""


def has_rare_glass(board: Board) -> bool:
    """Return whether a die of any color lies in the window."""
    return any(die.color is RARE_GLASS for _, die in board.dice())


def colored(board: Board) -> Iterator[Board]:
    """Yield the window with each choice of colors for its rare glass: itself, where there is none.

    Raises
    ------
    InvalidValueError
        There is more rare glass than any window has.

    Examples
    --------
    >>> board = Board.empty().replace(0, 0, Die(RARE_GLASS, 4))
    >>> [str(one[0, 0]) for one in colored(board)]
    ['R4', 'Y4', 'G4', 'B4', 'P4']
    """
    glass = [(cell, die.value) for cell, die in board.dice() if die.color is RARE_GLASS]
    if len(glass) > MOST_RARE_GLASS:
        raise InvalidValueError(
            "too_many_dice",
            sentence("A window has at most {most} dice of rare glass.", most=MOST_RARE_GLASS),
            sentence("Look at the dice again."),
        )
    for colors in product(Color, repeat=len(glass)):
        one = board
        for (cell, value), color in zip(glass, colors, strict=True):
            one = one.replace(*cell, Die(color, value))
        yield one


def colors_of(die: Die) -> tuple[Die, ...]:
    """Return what a die may count as: itself, or rare glass in each color."""
    return tuple(Die(color, die.value) for color in Color) if die.color is RARE_GLASS else (die,)
