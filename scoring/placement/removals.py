"""After a mistake: which dice to take off.

When a window breaks a placement rule, the rulebook lets its player take dice of their choice off until all
rules hold; the cells then count as empty. `best_removals` tells the best choice of all that there are.

Taking a die off never earns points. So a window with mistakes shows how good a window can get at best that is
made from it by taking further dice off. The search begins with all dice and always goes on with the window
that promises most. When it is legal, no other can be better. When it is not, something about it is open, and
two windows take its place: one where the dice in question go, and one where they stay. What is open, in this
order:

1. A die with a mistake that a tool may account for; when it stays, tokens are spent.
2. A die beside dice that can never lie there; when it stays, they go.
3. A die with a mistake that any of several tools may account for.
4. A group of dice that lies apart from others.

Nothing is left out, so the answer is exact; what a window promises only decides what is looked at first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from heapq import heappop, heappush
from itertools import product
from typing import NamedTuple

from scoring.board import (
    COLUMNS,
    ROWS,
    Board,
    Cell,
    Part,
    cells_of,
    cells_one_by_one,
    colored,
    groups_of,
    part_of,
)
from scoring.errors import InvalidValueError
from scoring.patterns.patterns import WindowPattern, pattern_of
from scoring.placement.finished import ProblemCode, placement_problems, tools_named_by
from scoring.points.objectives import PublicObjective
from scoring.points.private import PrivateObjective, private_counter, private_of
from scoring.points.totals import POINTS_PER_EMPTY_CELL, check_public
from scoring.sentences import Sentence, counted, sentence
from scoring.tools import Tool, Toolbox

Cost = tuple[int, ...]
"""How bad it is when some dice go: compared figure by figure, less is better."""

_ABOUT_ALL_DICE = (ProblemCode.FIRST_DIE_EDGE, ProblemCode.NOT_CONNECTED)

_MOST_GROUPS = 6
"""No window has room for more groups of dice that do not touch."""


class _Waiting(NamedTuple):
    """A window that the search has still to look at. The one that promises most comes first."""

    cost: Cost  # what it costs at least
    left_at_best: Part  # what is left when the dice that must go are the first ones in reading order
    must_go: int  # how many of its dice have to go at least
    lie: Part  # the dice that lie there
    stay: Part  # those of them of which it is decided that they stay


class Mistakes:
    """What is wrong in a window, looked up once, so that thousands of parts of it can be judged quickly.

    A mistake is a hard one when no tool in the game can account for it. A soft one may stay, if the tools can
    have been used often enough. A loose one is accounted for by any of several tools, as can be with tools
    that do not come with the game: nothing is counted beforehand there, and each window is looked at.

    Parameters
    ----------
    board, pattern, tools
        As for `placement_problems`.
    """

    def __init__(self, board: Board, pattern: WindowPattern | None, tools: Toolbox) -> None:
        self._board = board
        self._pattern = pattern
        self._tools = tools
        self._most_tokens = None if pattern is None else pattern.difficulty
        self._groups_allowed = self._most_groups_that_tools_leave()
        self.dice = part_of(cell for cell, _ in board.dice())
        self._cannot_stay: Part = 0
        self._hard_pairs: list[Part] = []
        self._rivals: dict[Part, Part] = {}
        # Soft mistakes are of different kinds: which tool has to account for them.
        self._loose: Part = 0
        self._kinds: list[Tool] = []
        self._soft_dice: list[Part] = []
        self._soft_pairs: list[tuple[Part, int]] = []
        for where, named in self._mistakes().items():
            is_pair = where.bit_count() > 1
            if not named:
                self._add_hard(where, is_pair=is_pair)
            elif len(named) > 1:
                self._loose |= where
            else:
                self._add_soft(where, named[0], is_pair=is_pair)
        self._known_surplus: dict[tuple[int, ...], int] = {}
        self._known_soft_mistakes: dict[Part, tuple[int, ...]] = {}
        self._known_to_be_paid: dict[Part, bool] = {}
        self._known_to_be_legal: dict[Part, bool] = {}

    def _mistakes(self) -> dict[Part, list[Tool]]:
        """Return the cells of each mistake, with the tools in the game that speak of all rules it breaks.

        What is wrong with all dice together is left out: that changes with every die that goes.
        """
        mistakes: dict[Part, list[Tool]] = {}
        for problem in placement_problems(self._board, self._pattern):
            if problem.code not in _ABOUT_ALL_DICE:
                where, named = part_of(problem.cells), tools_named_by(problem.code, self._tools)
                before = mistakes.get(where, self._tools.cards)
                mistakes[where] = [tool for tool in before if tool in named]
        return mistakes

    def _add_hard(self, where: Part, *, is_pair: bool) -> None:
        """Take down a mistake that no tool accounts for."""
        if not is_pair:
            self._cannot_stay |= where
            return
        self._hard_pairs.append(where)
        for die in cells_one_by_one(where):
            self._rivals[die] = self._rivals.get(die, 0) | where ^ die

    def _add_soft(self, where: Part, tool: Tool, *, is_pair: bool) -> None:
        """Take down a mistake that needs this tool."""
        if tool not in self._kinds:
            self._kinds.append(tool)
            self._soft_dice.append(0)
        kind = self._kinds.index(tool)
        if is_pair:
            self._soft_pairs.append((where, kind))
        else:
            self._soft_dice[kind] |= where

    def _most_groups_that_tools_leave(self) -> int:
        """Return in how many groups the dice of a legal window can lie at most."""
        most = 1
        named = tools_named_by(ProblemCode.NOT_CONNECTED, self._tools)
        tools = [tool for tool in named if tool in self._tools]
        if sum(not tool.moves_dice for tool in tools) > 1:
            return _MOST_GROUPS  # uses of several cards come together: each legal window tells
        for tool in tools:
            if tool.moves_dice and self._tools.can_pay({tool: 1}, self._most_tokens):
                return _MOST_GROUPS
            while most < _MOST_GROUPS and self._tools.can_pay({tool: most}, self._most_tokens):
                most += 1
        return most

    def board_with(self, stay: Part) -> Board:
        """Return the window when only these dice stay."""
        return self._board.only(cells_of(stay))

    def best_to_stay(self, cost: Callable[[Part, int], Cost]) -> Part:
        """Return the dice that stay when the best legal window is made of this one.

        Parameters
        ----------
        cost
            A function of the dice that lie and of the number of dice that have to go in addition: what that
            costs at least. Whenever a die goes the cost grows. Where costs are equal, the window counts whose
            missing dice come first in reading order.
        """
        waiting: list[_Waiting] = []

        def wait(lie: Part, stay: Part) -> None:
            must_go = max(self._mistakes_apart(lie), self._dice_apart(lie))
            if not must_go and not self._tokens_reach(lie):
                must_go = 1
            left = lie
            for _ in range(must_go):
                left ^= 1 << (left.bit_length() - 1)
            heappush(waiting, _Waiting(cost(lie, must_go), left, must_go, lie, stay))

        wait(self.dice & ~self._cannot_stay, 0)
        while True:  # in the end all dice go, and the empty window is legal
            best = heappop(waiting)
            if not best.must_go and self._is_legal(best.lie):
                return best.lie
            for lie, stay in self._both_ways(best.lie, best.stay):
                wait(lie, stay)

    def _both_ways(self, lie: Part, stay: Part) -> Iterator[tuple[Part, Part]]:
        """Yield the windows that take the place of one: what lies, and what of it is decided to stay."""
        undecided = self._soft_die(lie, stay) or self._rival(lie)
        undecided = undecided or self._loose_die(lie, stay) or self._group(lie, stay)
        if not undecided:
            return
        yield lie & ~undecided, stay
        stay |= undecided
        spent_on = self._soft_mistakes(stay)
        if self._tokens_reach(stay):
            lie &= ~self._rivals.get(undecided, 0)
            yield lie & (stay | ~self._beyond_the_tokens(spent_on)), stay

    def _soft_die(self, lie: Part, stay: Part) -> Part:
        """Return a die with a soft mistake of which nothing is decided, or 0 when there is none."""
        dice = lie & ~stay & sum(self._soft_dice)
        if not dice:
            pairs = (pair & ~stay for pair, _ in self._soft_pairs if lie & pair == pair)
            dice = next((some for some in pairs if some), 0)
        return dice & -dice

    def _loose_die(self, lie: Part, stay: Part) -> Part:
        """Return a die with a loose mistake of which nothing is decided, or 0 when there is none."""
        dice = lie & ~stay & self._loose
        return dice & -dice

    def _rival(self, lie: Part) -> Part:
        """Return the die beside most dice that it can never lie beside, or 0 when there is none."""
        most, die = 0, 0
        for one, rivals in self._rivals.items():
            if lie & one and (number := (lie & rivals).bit_count()) > most:
                most, die = number, one
        return die

    def _group(self, lie: Part, stay: Part) -> Part:
        """Return a group of dice of which nothing is decided, or 0 when there is none.

        Asked only when all soft dice are decided; then the best window has all of a group or none of it.
        """
        return next((group for group in groups_of(lie) if not group & stay), 0)

    def _mistakes_apart(self, lie: Part) -> int:
        """Return how many dice have to go at least: one for each mistake, of mistakes that share no die."""
        hard = seen = 0
        for pair in self._hard_pairs:
            if lie & pair == pair and not seen & pair:
                seen |= pair
                hard += 1
        if not self._kinds:
            return hard
        apart_from_hard = self._surplus(self._soft_mistakes(lie & ~seen))
        return max(hard + apart_from_hard, self._surplus(self._soft_mistakes(lie)))

    def _dice_apart(self, lie: Part) -> int:
        """Return how many dice have to go at least: all but the largest groups, as many as are allowed."""
        if self._groups_allowed == _MOST_GROUPS:
            return 0
        sizes = sorted((group.bit_count() for group in groups_of(lie)), reverse=True)
        return sum(sizes[self._groups_allowed :])

    def _soft_mistakes(self, part: Part) -> tuple[int, ...]:
        """Return the number of soft mistakes of each kind, of mistakes that share no die."""
        if part not in self._known_soft_mistakes:
            numbers = [(part & dice).bit_count() for dice in self._soft_dice]
            free = part & ~sum(self._soft_dice)
            for pair, kind in self._soft_pairs:
                if free & pair == pair:
                    free ^= pair
                    numbers[kind] += 1
            self._known_soft_mistakes[part] = tuple(numbers)
        return self._known_soft_mistakes[part]

    def _surplus(self, numbers: tuple[int, ...]) -> int:
        """Return how many of so many soft mistakes of each kind are too many for the tokens."""
        if numbers not in self._known_surplus:
            affordable = (
                sum(some)
                for some in product(*(range(number + 1) for number in numbers))
                if self._tools.can_pay(self._uses(some), self._most_tokens)
            )
            self._known_surplus[numbers] = sum(numbers) - max(affordable)
        return self._known_surplus[numbers]

    def _uses(self, numbers: tuple[int, ...]) -> Counter[Tool]:
        """Return how often each tool is used for so many soft mistakes of each kind."""
        return Counter(dict(zip(self._kinds, numbers, strict=True)))

    def _tokens_reach(self, part: Part) -> bool:
        """Return whether the tools can have been used often enough for all soft mistakes of a part."""
        if part not in self._known_to_be_paid:
            moved = tuple(part & dice for dice in self._soft_dice)
            pairs = [(pair, kind) for pair, kind in self._soft_pairs if part & pair == pair]
            self._known_to_be_paid[part] = self._can_be_moved(pairs, moved)
        return self._known_to_be_paid[part]

    def _can_be_moved(self, pairs: list[tuple[Part, int]], moved: tuple[Part, ...]) -> bool:
        """Return whether the tokens pay for moving these dice, by kind, and one of each soft pair."""
        if self._surplus(tuple(dice.bit_count() for dice in moved)):
            return False
        left = [(pair, kind) for pair, kind in pairs if not pair & moved[kind]]
        if not left:
            return True
        pair, kind = left[0]
        by_another = sum(dice for other, dice in enumerate(moved) if other != kind)
        return any(
            self._can_be_moved(left, (*moved[:kind], moved[kind] | die, *moved[kind + 1 :]))
            for die in cells_one_by_one(pair & ~by_another)
        )

    def _beyond_the_tokens(self, spent_on: tuple[int, ...]) -> Part:
        """Return the soft dice for which no tokens are left after so many soft mistakes."""
        beyond = 0
        for kind, dice in enumerate(self._soft_dice):
            one_more = (*spent_on[:kind], spent_on[kind] + 1, *spent_on[kind + 1 :])
            if self._surplus(one_more):
                beyond |= dice
        return beyond

    def _is_legal(self, lie: Part) -> bool:
        """Return whether the window with these dice alone is legal."""
        if lie not in self._known_to_be_legal:
            problems = placement_problems(self.board_with(lie), self._pattern, self._tools)
            self._known_to_be_legal[lie] = not problems
        return self._known_to_be_legal[lie]


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
    >>> from scoring.patterns.patterns import WINDOW_PATTERNS
    >>> board = Board.parse("-- G4 R2 Y5 P6 / R3 B1 -- G1 Y2 / P5 G6 -- P6 R3 / B4 Y3 G4 B2 G4")
    >>> objectives = [PublicObjective.COLUMN_COLOR_VARIETY, PublicObjective.LIGHT_SHADES]
    >>> from scoring.board import Color
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
