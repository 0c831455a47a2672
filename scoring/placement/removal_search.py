"""The search behind `best_removals`: which dice of a window with mistakes can stay.

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
from collections.abc import Callable, Iterator
from heapq import heappop, heappush
from itertools import product
from typing import NamedTuple

from scoring.board import Board
from scoring.placement.excuses import tools_named_by
from scoring.placement.finished import placement_problems
from scoring.points.parts import Part, cells_of, cells_one_by_one, groups_of, part_of
from scoring.problems import ProblemCode
from scoring.tools import Tool, Toolbox
from scoring.windows.patterns import WindowPattern

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
