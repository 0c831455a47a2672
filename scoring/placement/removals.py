"""After a mistake: which dice to take off.

When a window breaks a placement rule, the rulebook lets its player take dice of their choice off until all
rules hold; the cells then count as empty. `best_removals` tells the best choice of all that there are; how it
is found stands in `scoring.placement.removal_search`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache

from scoring.board import Board
from scoring.cells import COLUMNS, ROWS, Cell
from scoring.errors import InvalidValueError
from scoring.other_dice import colored
from scoring.placement.removal_search import Mistakes
from scoring.points.objectives import PublicObjective
from scoring.points.parts import Part, cells_of
from scoring.points.private import PrivateObjective, private_counter, private_of
from scoring.points.totals import POINTS_PER_EMPTY_CELL, check_public
from scoring.sentences import Sentence, counted, sentence
from scoring.tools import Tool, Toolbox
from scoring.windows.patterns import WindowPattern, pattern_of


@dataclass(frozen=True)
class Removal:
    """Dice to take off a window so that all placement rules hold.

    Parameters
    ----------
    cells
        Where the dice lie, as (row, column) from 0, in reading order; none when the window is legal as it is.
    board
        The window afterwards.
    points_before
        What the window with the mistakes would give, without favor tokens.
    points_after
        What the window gives afterwards, without favor tokens.
    """

    cells: tuple[Cell, ...]
    board: Board
    points_before: int
    points_after: int

    @property
    def points_lost(self) -> int:
        """The points that the dice taken off would have given; never less than 0."""
        return self.points_before - self.points_after

    @property
    def sentence(self) -> Sentence:
        """What the player has to do."""
        if not self.cells:
            return sentence("Take nothing off: no rule is broken.")
        # What it costs, not what remains: the favor tokens are not counted here.
        return counted(
            "Take off {cells}: that costs {count} point.",
            "Take off {cells}: that costs {count} points.",
            self.points_lost,
            cells=self.cells,
        )

    @property
    def without_price(self) -> Sentence:
        """What the player has to do, as long as nobody knows what that costs."""
        return sentence("Take off {cells}, then no rule is broken.", cells=self.cells)


@dataclass(frozen=True)
class Removals:
    """The two answers to "what should I take off?". Often they are the same.

    Parameters
    ----------
    most_points
        The removal after which most points stay; of several the one with the fewest dice, then the one whose
        dice come first in reading order.
    fewest_dice
        The removal of the fewest dice; of several the one after which most points stay, then the one whose
        dice come first in reading order.
    """

    most_points: Removal
    fewest_dice: Removal


def best_removals(
    board: Board | str,
    pattern: WindowPattern | str | None = None,
    objectives: Iterable[PublicObjective | str] = (),
    private: PrivateObjective | str | Iterable[PrivateObjective | str] | None = None,
    tools: Toolbox | Iterable[Tool | str] = (),
    points_per_empty_cell: int = POINTS_PER_EMPTY_CELL,
) -> Removals:
    """Return which dice to take off so that all placement rules hold, and what that costs.

    Parameters
    ----------
    board
        The window with its mistakes.
    pattern
        The card under the dice; None when it is not known, and then every space takes every die.
    objectives
        The public objectives in play.
    private
        The private objective, or several (solo), of which the better one counts.
    tools
        The tools in the game, as for `placement_problems`.
    points_per_empty_cell
        What an empty cell gives: -1, or -3 in a solo game.

    Raises
    ------
    InvalidValueError
        A public objective is given twice, or an empty cell would earn points.
    UnknownNameError
        A card or color is given by a name that none has.

    Examples
    --------
    >>> from scoring.windows.patterns import WINDOW_PATTERNS
    >>> board = Board.parse("-- G4 R2 Y5 P6 / R3 B1 -- G1 Y2 / P5 G6 -- P6 R3 / B4 Y3 G4 B2 G4")
    >>> objectives = [PublicObjective.COLUMN_COLOR_VARIETY, PublicObjective.LIGHT_SHADES]
    >>> from scoring.dice import Color
    >>> removals = best_removals(board, WINDOW_PATTERNS["Fractal Drops"], objectives, Color.PURPLE)
    >>> print(removals.most_points.sentence)
    Take off C5: that costs 6 points.
    >>> print(removals.most_points.without_price)
    Take off C5, then no rule is broken.
    """
    board, pattern = Board.of(board), pattern_of(pattern)
    public = tuple(PublicObjective.of(one) for one in objectives)
    check_public(public)
    if points_per_empty_cell > 0:
        raise InvalidValueError(
            "bad_points_per_empty_cell",
            sentence("An empty cell cannot earn {number} points.", number=str(points_per_empty_cell)),
            sentence("Give a number that is not above 0: -1, or -3 in a solo game."),
        )
    given = (private,) if isinstance(private, PrivateObjective | str) else tuple(private or ())
    privates = tuple(private_of(one) for one in given)
    toolbox = Toolbox.of(tools)
    found = [
        _removals(
            one,
            pattern,
            points_counter(one, public, privates, points_per_empty_cell),
            toolbox,
            points_per_empty_cell,
        )
        for one in colored(board)
    ]
    if len(found) == 1:
        return found[0]
    most = max((one.most_points for one in found), key=lambda one: one.points_after)
    fewest = min((one.fewest_dice for one in found), key=lambda one: (len(one.cells), -one.points_after))
    before = max(one.most_points.points_before for one in found)
    return Removals(*(_without(board, one, before) for one in (most, fewest)))


def _without(board: Board, removal: Removal, points_before: int) -> Removal:
    """Return the removal from a window with rare glass, which was looked at in one of its colors."""
    kept = board.only(cell for cell, _ in board.dice() if cell not in removal.cells)
    return replace(removal, board=kept, points_before=points_before)


def _removals(
    board: Board,
    pattern: WindowPattern | None,
    points: Callable[[Part], int],
    toolbox: Toolbox,
    points_per_empty_cell: int,
) -> Removals:
    """Return the removals from a window without rare glass."""
    mistakes = Mistakes(board, pattern, toolbox)

    def points_at_most(lie: Part, must_go: int) -> int:
        return points(lie) + must_go * points_per_empty_cell

    def dice_at_most(lie: Part, must_go: int) -> int:
        return lie.bit_count() - must_go

    def removal(stay: Part) -> Removal:
        off = cells_of(mistakes.dice ^ stay)
        return Removal(off, mistakes.board_with(stay), points(mistakes.dice), points(stay))

    most_points = mistakes.best_to_stay(
        lambda lie, must_go: (-points_at_most(lie, must_go), -dice_at_most(lie, must_go))
    )
    fewest_dice = mistakes.best_to_stay(
        lambda lie, must_go: (-dice_at_most(lie, must_go), -points_at_most(lie, must_go))
    )
    return Removals(removal(most_points), removal(fewest_dice))


def points_counter(
    board: Board,
    objectives: Iterable[PublicObjective],
    private: Sequence[PrivateObjective],
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
        The player's private objectives, of which the better one counts.
    points_per_empty_cell
        What a cell without a die gives.
    """
    counters = [objective.points_counter(board) for objective in objectives]
    pips = [private_counter(board, one) for one in private]

    def points(part: Part) -> int:
        total = points_per_empty_cell * (ROWS * COLUMNS - part.bit_count())
        for counter in counters:
            total += counter(part)
        return total + max((counter(part) for counter in pips), default=0)

    return cache(points)  # the same part is asked for more than once
