"""The search behind `best_removals`: which dice of a window with mistakes can stay.

Taking a die off never earns points. So a window with mistakes shows how good a window can get at best that is
made from it by taking further dice off. The search begins with all dice and always goes on with the window
that promises most. When it is legal, no other can be better. When it is not, something about it is open, and
two windows take its place: one where the dice in question go, and one where they stay. What is open, in this
order:

1. Dice in several groups, where no tool in the game can have left them so: one group stays, the others go.
2. A die beside dice that can never lie there: it goes, or they do.
3. A die with a mistake that a tool may account for, when the tokens do not reach for all such dice.
4. A group of dice that lies apart, when the tokens do not reach for all groups.

Nothing is left out, so the answer is exact; what a window promises only decides what is looked at first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from heapq import heappop, heappush
from itertools import product
from typing import NamedTuple

from scoring.board import Board
from scoring.cells import ALL_CELLS, is_on_edge
from scoring.excuses import tools_named_by
from scoring.parts import Part, cells_of, cells_one_by_one, groups_of, part_of
from scoring.patterns import WindowPattern
from scoring.placement import placement_problems
from scoring.problems import ProblemCode
from scoring.tools import Tool, Toolbox

_ABOUT_ALL_DICE = (ProblemCode.FIRST_DIE_EDGE, ProblemCode.NOT_CONNECTED)
_EDGE = part_of(cell for cell in ALL_CELLS if is_on_edge(cell))

Cost = tuple[int, ...]
"""How bad it is when some dice go: compared figure by figure, less is better."""


class _Waiting(NamedTuple):
    """A window that the search has still to look at. The one that promises most is the smallest."""

    cost: Cost  # what it costs at least
    first_off: Part  # what lies when those that have to go are the first in reading order
    must_go: int  # how many of its dice have to go at least
    lie: Part  # the dice that lie there
    stay: Part  # those of them of which it is decided that they stay


class Mistakes:
    """What is wrong in a window, looked up once, so that thousands of parts of it can be judged quickly.

    A mistake is a hard one when no tool in the game can account for it. A soft one may stay, if the tools can
    have been used often enough.

    Parameters
    ----------
    board, pattern, tools
        As for `placement_problems`.
    """

    def __init__(self, board: Board, pattern: WindowPattern | None, tools: Toolbox) -> None:
        self._board = board
        self._pattern = pattern
        self._toolbox = tools
        self.dice = part_of(cell for cell, _ in board.dice())
        groups_tools = tools_named_by(ProblemCode.NOT_CONNECTED, tools)
        self._may_lie_apart = any(tool in tools for tool in groups_tools)
        # The tools that have to account for each mistake; None stands where there is none.
        needs: dict[Part, list[Tool | None]] = {}
        for problem in placement_problems(board, pattern):
            code = ProblemCode(problem.code)
            if code not in _ABOUT_ALL_DICE:
                # No card but one speaks of each of these rules.
                tool = next((tool for tool in tools_named_by(code, tools) if tool in tools), None)
                needs.setdefault(part_of(problem.cells), []).append(tool)
        self._cannot_stay = 0
        self._hard_pairs = []
        self._rivals: dict[Part, Part] = {}
        self._kinds: list[tuple[Tool, ...]] = []
        self._soft_dice: list[Part] = []
        self._soft_pairs: list[tuple[Part, int]] = []
        for where, tools_needed in needs.items():
            is_pair = where.bit_count() > 1
            if None not in tools_needed:
                kind = self._kind(tuple(tool for tool in tools_needed if tool))
                if is_pair:
                    self._soft_pairs.append((where, kind))
                else:
                    self._soft_dice[kind] |= where
            elif is_pair:
                self._hard_pairs.append(where)
                for die in cells_one_by_one(where):
                    self._rivals[die] = self._rivals.get(die, 0) | where ^ die
            else:
                self._cannot_stay |= where
        # Pairs that need two tools first: they say most about how far the tokens reach.
        self._soft_pairs.sort(key=lambda pair: -len(self._kinds[pair[1]]))
        self._all_soft_dice = sum(self._soft_dice)
        self._known_surplus: dict[tuple[int, ...], int] = {}
        self._known_to_be_legal: dict[Part, bool] = {}

    def _kind(self, tools: tuple[Tool, ...]) -> int:
        """Return the number of the kind of soft mistake that needs these tools."""
        if tools not in self._kinds:
            self._kinds.append(tools)
            self._soft_dice.append(0)
        return self._kinds.index(tools)

    def board_with(self, stay: Part) -> Board:
        """Return the window when only these dice stay."""
        cells = set(cells_of(stay))
        return Board(
            tuple(
                tuple(die if (row, column) in cells else None for column, die in enumerate(dice))
                for row, dice in enumerate(self._board.rows)
            )
        )

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
        self._put(waiting, cost, self.dice & ~self._cannot_stay, 0)
        self._put(waiting, cost, 0, 0)  # the empty window is always legal
        while True:
            best = heappop(waiting)
            if not best.must_go and self._is_legal(best.lie):
                return best.lie
            for lie, stay in self._both_ways(best.lie, best.stay):
                self._put(waiting, cost, lie, stay)

    def _put(self, waiting: list[_Waiting], cost: Callable[[Part, int], Cost], lie: Part, stay: Part) -> None:
        """Put a window in its place among those that wait."""
        must_go = self._must_go(lie)
        first_off = lie
        for _ in range(must_go):
            first_off ^= 1 << (first_off.bit_length() - 1)
        heappush(waiting, _Waiting(cost(lie, must_go), first_off, must_go, lie, stay))

    def _both_ways(self, lie: Part, stay: Part) -> Iterator[tuple[Part, Part]]:
        """Yield the windows that take the place of one: what lies, and what of it is decided to stay."""
        groups = groups_of(lie)
        if not self._may_lie_apart:
            fit = [group for group in groups if group & _EDGE and stay & group == stay]
            if fit != [lie]:
                yield from ((group, stay) for group in fit)
                return
        undecided = self._rival(lie) or self._soft_die(lie & ~stay, lie)
        undecided = undecided or next((group for group in groups if not group & stay), 0)
        if not undecided:
            return
        yield lie & ~undecided, stay
        stay |= undecided
        soft_that_stay = self._soft_mistakes(stay)
        if not self._surplus(soft_that_stay):
            lie &= ~self._rivals.get(undecided, 0)
            yield lie & ~(self._beyond_the_tokens(soft_that_stay) & ~stay), stay

    def _rival(self, lie: Part) -> Part:
        """Return the die beside most dice that it can never lie beside, or 0 when there is none."""
        most, die = 0, 0
        for one, rivals in self._rivals.items():
            if lie & one and (number := (lie & rivals).bit_count()) > most:
                most, die = number, one
        return die

    def _soft_die(self, undecided: Part, lie: Part) -> Part:
        """Return one of the undecided dice with a soft mistake, or 0 when there is none."""
        dice = undecided & self._all_soft_dice
        if not dice:
            pairs = (undecided & pair for pair, _ in self._soft_pairs if lie & pair == pair)
            dice = next((some for some in pairs if some), 0)
        return dice & -dice

    def _must_go(self, lie: Part) -> int:
        """Return how many dice have to go at least: one for each mistake, of mistakes that share no die."""
        hard = seen = 0
        for pair in self._hard_pairs:
            if lie & pair == pair and not seen & pair:
                seen |= pair
                hard += 1
        if not self._kinds:
            return hard
        return max(
            hard + self._surplus(self._soft_mistakes(lie & ~seen)), self._surplus(self._soft_mistakes(lie))
        )

    def _soft_mistakes(self, part: Part) -> tuple[int, ...]:
        """Return the number of soft mistakes of each kind that share no die."""
        numbers = [(part & dice).bit_count() for dice in self._soft_dice]
        seen = part & self._all_soft_dice
        for pair, kind in self._soft_pairs:
            if part & pair == pair and not seen & pair:
                seen |= pair
                numbers[kind] += 1
        return tuple(numbers)

    def _surplus(self, numbers: tuple[int, ...]) -> int:
        """Return how many of so many soft mistakes are too many for the tokens."""
        if numbers not in self._known_surplus:
            most_tokens = None if self._pattern is None else self._pattern.difficulty
            self._known_surplus[numbers] = sum(numbers) - max(
                sum(some)
                for some in product(*(range(number + 1) for number in numbers))
                if self._toolbox.can_pay(self._uses(some), most_tokens)
            )
        return self._known_surplus[numbers]

    def _uses(self, numbers: tuple[int, ...]) -> Counter[Tool]:
        """Return how often each tool is used for so many mistakes of each kind."""
        return Counter(
            tool
            for tools, number in zip(self._kinds, numbers, strict=True)
            for tool in tools
            for _ in range(number)
        )

    def _beyond_the_tokens(self, numbers: tuple[int, ...]) -> Part:
        """Return the soft dice for which the tokens do not reach after so many soft mistakes."""
        beyond = 0
        for kind, dice in enumerate(self._soft_dice):
            one_more = (*numbers[:kind], numbers[kind] + 1, *numbers[kind + 1 :])
            if self._surplus(one_more):
                beyond |= dice
        return beyond

    def _is_legal(self, lie: Part) -> bool:
        """Return whether the window with these dice alone is legal."""
        if lie not in self._known_to_be_legal:
            problems = placement_problems(self.board_with(lie), self._pattern, self._toolbox)
            self._known_to_be_legal[lie] = not problems
        return self._known_to_be_legal[lie]
