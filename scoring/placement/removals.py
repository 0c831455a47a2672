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

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from heapq import heappop, heappush
from itertools import product
from typing import NamedTuple

from scoring.board import (
    ALL_CELLS,
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
from scoring.placement.finished import (
    ABOUT_THE_WHOLE_WINDOW,
    ProblemCode,
    placement_problems,
    tools_named_by,
)
from scoring.points.objectives import PublicObjective
from scoring.points.private import PrivateObjective, private_counter, private_of
from scoring.points.totals import POINTS_PER_EMPTY_CELL, check_public
from scoring.sentences import Sentence, counted, sentence
from scoring.tools import Tool, Toolbox

Cost = tuple[int, ...]
"""How bad it is when some dice go: compared figure by figure, less is better."""

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
        self._loose: Part = 0
        mistakes = self._mistakes()
        # Soft mistakes are of different kinds: which tool has to account for them.
        self._kinds = list(dict.fromkeys(named[0] for named in mistakes.values() if len(named) == 1))
        self._soft_dice: list[Part] = [0] * len(self._kinds)
        self._soft_pairs: list[tuple[Part, int]] = []
        for where, named in mistakes.items():
            is_pair = where.bit_count() > 1
            if len(named) > 1:
                self._loose |= where
            elif named and is_pair:
                self._soft_pairs.append((where, self._kinds.index(named[0])))
            elif named:
                self._soft_dice[self._kinds.index(named[0])] |= where
            elif is_pair:
                self._hard_pairs.append(where)
                for die in cells_one_by_one(where):
                    self._rivals[die] = self._rivals.get(die, 0) | where ^ die
            else:
                self._cannot_stay |= where
        # The same parts are asked about again and again.
        self._surplus = cache(self._count_surplus)
        self._soft_mistakes = cache(self._count_soft_mistakes)
        self._tokens_reach = cache(self._can_all_be_paid)
        self._is_legal = cache(lambda lie: not placement_problems(self.board_with(lie), pattern, tools))

    def _mistakes(self) -> dict[Part, list[Tool]]:
        """Return the cells of each mistake, with the tools in the game that speak of all rules it breaks.

        What is wrong with all dice together is left out: that changes with every die that goes.
        """
        mistakes: dict[Part, list[Tool]] = {}
        for problem in placement_problems(self._board, self._pattern):
            if problem.code not in ABOUT_THE_WHOLE_WINDOW:
                where, named = part_of(problem.cells), tools_named_by(problem.code, self._tools)
                before = mistakes.get(where, self._tools.cards)
                mistakes[where] = [tool for tool in before if tool in named]
        return mistakes

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

        ``cost`` says what it costs at least when these dice lie and so many of them have to go; it grows with
        each that goes. At equal costs the window counts whose missing dice come first in reading order.
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
        loose = lie & ~stay & self._loose
        undecided = (
            self._soft_die(lie, stay)
            or self._rival(lie)
            or loose & -loose
            # When all soft dice are decided, the best window has all of a group or none of it.
            or next((group for group in groups_of(lie) if not group & stay), 0)
        )
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

    def _rival(self, lie: Part) -> Part:
        """Return the die beside most dice that it can never lie beside, or 0 when there is none."""
        most, die = 0, 0
        for one, rivals in self._rivals.items():
            if lie & one and (number := (lie & rivals).bit_count()) > most:
                most, die = number, one
        return die

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

    def _count_soft_mistakes(self, part: Part) -> tuple[int, ...]:
        """Return the number of soft mistakes of each kind, of mistakes that share no die."""
        numbers = [(part & dice).bit_count() for dice in self._soft_dice]
        free = part & ~sum(self._soft_dice)
        for pair, kind in self._soft_pairs:
            if free & pair == pair:
                free ^= pair
                numbers[kind] += 1
        return tuple(numbers)

    def _count_surplus(self, numbers: tuple[int, ...]) -> int:
        """Return how many of so many soft mistakes of each kind are too many for the tokens."""
        affordable = (
            sum(some)
            for some in product(*(range(number + 1) for number in numbers))
            if self._tools.can_pay(dict(zip(self._kinds, some, strict=True)), self._most_tokens)
        )
        return sum(numbers) - max(affordable)

    def _can_all_be_paid(self, part: Part) -> bool:
        """Return whether the tools can have been used often enough for all soft mistakes of a part."""
        moved = tuple(part & dice for dice in self._soft_dice)
        pairs = [(pair, kind) for pair, kind in self._soft_pairs if part & pair == pair]
        return self._can_be_moved(pairs, moved)

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
        return sum(
            dice
            for kind, dice in enumerate(self._soft_dice)
            if self._surplus((*spent_on[:kind], spent_on[kind] + 1, *spent_on[kind + 1 :]))
        )


@dataclass(frozen=True)
class Removal:
    """Dice to take off a window so that all placement rules hold: none when it is legal as it is.

    ``board`` is the window afterwards. The points are those without favor tokens; ``points_before`` is what
    the window with its mistakes would give.
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

    Of removals after which as many points stay ``most_points`` is the one of the fewest dice, and of removals
    of as few dice ``fewest_dice`` the one after which most points stay; then the one whose dice come first in
    reading order.
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
    >>> board = Board.parse("-- G4 R2 Y5 P6 / R3 B1 -- G1 Y2 / P5 G6 -- P6 R3 / B4 Y3 G4 B2 G4")
    >>> objectives = ["Column Color Variety", "Light Shades"]
    >>> removals = best_removals(board, "Fractal Drops", objectives, "purple")
    >>> print(removals.most_points.sentence)
    Take off C5: that costs 6 points.
    >>> print(removals.most_points.without_price)
    Take off C5, then no rule is broken.
    """
    board, pattern = Board.of(board), pattern_of(pattern)
    public = [PublicObjective.of(one) for one in objectives]
    check_public(public)
    if points_per_empty_cell > 0:
        raise InvalidValueError(
            "bad_points_per_empty_cell",
            sentence("An empty cell cannot earn {number} points.", number=str(points_per_empty_cell)),
            sentence("Give a number that is not above 0: -1, or -3 in a solo game."),
        )
    given = (private,) if isinstance(private, PrivateObjective | str) else tuple(private or ())
    privates = [private_of(one) for one in given]
    toolbox = Toolbox.of(tools)
    found = [
        _removals(
            Mistakes(one, pattern, toolbox),
            points_counter(one, public, privates, points_per_empty_cell),
            points_per_empty_cell,
        )
        for one in colored(board)
    ]
    most = max((one.most_points for one in found), key=lambda one: one.points_after)
    fewest = min((one.fewest_dice for one in found), key=lambda one: (len(one.cells), -one.points_after))
    before = max(one.most_points.points_before for one in found)
    # Rare glass was looked at in each of its colors; in the windows afterwards it is glass again.
    most, fewest = (
        replace(one, board=board.only(set(ALL_CELLS).difference(one.cells)), points_before=before)
        for one in (most, fewest)
    )
    return Removals(most, fewest)


def _removals(mistakes: Mistakes, points: Callable[[Part], int], points_per_empty_cell: int) -> Removals:
    """Return the removals from a window without rare glass."""

    def cost(lie: Part, must_go: int) -> Cost:
        return -points(lie) - must_go * points_per_empty_cell, must_go - lie.bit_count()

    def removal(stay: Part) -> Removal:
        off = cells_of(mistakes.dice ^ stay)
        return Removal(off, mistakes.board_with(stay), points(mistakes.dice), points(stay))

    most_points = mistakes.best_to_stay(cost)
    fewest_dice = mistakes.best_to_stay(lambda lie, must_go: cost(lie, must_go)[::-1])
    return Removals(removal(most_points), removal(fewest_dice))


def points_counter(
    board: Board,
    objectives: Iterable[PublicObjective],
    private: Sequence[PrivateObjective],
    points_per_empty_cell: int,
) -> Callable[[Part], int]:
    """Return a function that counts the points of any part of the board's dice, as `score_player` would.

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
        empty = points_per_empty_cell * (ROWS * COLUMNS - part.bit_count())
        public = sum([counter(part) for counter in counters])
        return empty + public + max((counter(part) for counter in pips), default=0)

    return cache(points)  # the same part is asked for more than once
