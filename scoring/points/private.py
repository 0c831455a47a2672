"""The private objectives: five that count the dice of a color, and six that count the dice on marked spaces.

The five are in the base game. The six come with the expansion for five and six players, and may be dealt with
any number of players. Both add up values. That there are six such cards say three fan projects and four
published reviews that they count the dice on certain spaces; which spaces those are says one of the projects
alone.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Self

from scoring.board import ALL_CELLS, VALUES, Board, Cell, Color, Part, dice_with, part_of
from scoring.names import Card, demand_text, find_name
from scoring.points.objectives import Score


class MarkedSpaces(Card, kind="objective"):
    """The private objectives of the expansion. The value is the name printed on the card.

    Examples
    --------
    >>> MarkedSpaces.FENCE.diagram[1]
    '#.#.#'
    >>> len(MarkedSpaces.FENCE.cells)
    6
    """

    FENCE = "Fence", "..... / #.#.# / #.#.# / ....."
    TUNNEL = "Tunnel", ".###. / ..... / ..... / .###."
    BRACE = "Brace", ".#.#. / ..#.. / ..#.. / .#.#."
    PORT = "Port", "..#.. / .#.#. / .#.#. / ..#.."
    BRACKETS = "Brackets", "##.## / #...# / ..... / ....."
    WALL = "Wall", "..... / .###. / .###. / ....."

    _value_: str
    diagram: tuple[str, ...]
    """Four rows of five signs: ``#`` for a marked space, ``.`` for any other."""

    def __new__(cls, name: str, diagram: str = "") -> Self:
        """Return the card of a row. A name alone makes none: ``MarkedSpaces(name)`` only finds one."""
        card = object.__new__(cls)
        card._value_, card.diagram = name, tuple(diagram.split(" / "))
        return card

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """The marked spaces, as (row, column) from 0, in reading order."""
        return tuple((row, column) for row, column in ALL_CELLS if self.diagram[row][column] == "#")


PrivateObjective = Color | MarkedSpaces
"""What a player counts in secret: the dice of a color, or those on the marked spaces of a card."""

PRIVATE_OBJECTIVES: tuple[PrivateObjective, ...] = (*Color, *MarkedSpaces)
"""All eleven: those of the base game first."""


def private_of(given: PrivateObjective | str) -> PrivateObjective:
    """Return the private objective itself, or the one of that color or name.

    Raises
    ------
    UnknownNameError
        There is none; the error suggests the nearest.

    Examples
    --------
    >>> private_of("fence"), private_of("Shades of Red"), private_of("B")
    (<MarkedSpaces.FENCE: 'Fence'>, <Color.RED: 'R'>, <Color.BLUE: 'B'>)
    """
    if isinstance(given, PrivateObjective):
        return given
    name = demand_text(given, "Color, MarkedSpaces or the name of a private objective")
    if len(name.strip()) == 1 or "shades" in name.lower():
        return Color.from_name(name)
    known: dict[str, PrivateObjective] = {color.word: color for color in Color}
    known |= {card.value: card for card in MarkedSpaces}
    return known[find_name(name, known, "objective")]


def score_private(board: Board | str, objective: PrivateObjective | str) -> Score:
    """Count a private objective: the values of all dice of a color, or on marked spaces, added up.

    The values count, not the dice: two purple dice that show 2 and 6 give 8 points. The dice are one group.

    Examples
    --------
    >>> board = Board.parse("P2 -- -- -- -- / -- -- -- -- -- / -- P6 -- -- -- / G1 -- -- -- --")
    >>> score_private(board, Color.PURPLE)
    Score(points=8, formula='2 + 6', groups=(((0, 0), (2, 1)),))
    >>> score_private(board, "Brackets").points
    2
    """
    wanted = private_of(objective)
    own = [
        (cell, die.value)
        for cell, die in Board.of(board).dice()
        if (die.color is wanted if isinstance(wanted, Color) else cell in wanted.cells)
    ]
    cells, values = tuple(cell for cell, _ in own), [value for _, value in own]
    return Score(sum(values), " + ".join(map(str, values)) or "0", (cells,) if cells else ())


def private_counter(board: Board, objective: PrivateObjective) -> Callable[[Part], int]:
    """Return a function that gives the points of any part of the board's dice, as `score_private` would."""
    own = dice_with(board, objective) if isinstance(objective, Color) else part_of(objective.cells)
    kinds = [(value, kind) for value in VALUES if (kind := own & dice_with(board, value))]
    return lambda part: sum([value * (part & kind).bit_count() for value, kind in kinds])
