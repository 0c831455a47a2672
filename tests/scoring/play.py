"""Playing a window die by die, with and without tools, to see which windows can come out.

Like the other oracles this knows nothing of the project's own rules. A window here is a dict of dice as text
by (row, column), a pattern is four rows of five signs, ``.`` for no restriction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations, permutations, product
from random import Random

from tests.scoring.oracles import COLORS, SPOTS, VALUES, Spot

Window = dict[Spot, str]

BRUSH, BURNISHER, CORK = "Eglomise Brush", "Copper Foil Burnisher", "Cork-backed Straightedge"
LATHEKIN, TAP_WHEEL = "Lathekin", "Tap Wheel"
TOOLS = (BRUSH, BURNISHER, LATHEKIN, TAP_WHEEL, CORK)
"""The tools that can leave a trace in a window."""


def goes_there(
    window: Window,
    spot: Spot,
    die: str,
    pattern: list[str],
    *,
    by: str | None = None,
    beside_alike: Sequence[str] = (),
) -> bool:
    """Return whether a die may be put on ``spot``, by a tool or without one.

    ``beside_alike`` are the tools that, by agreement, also let a die lie beside one of its color (the brush)
    or value (the burnisher).
    """
    (row, column), printed = spot, pattern[spot[0]][spot[1]]
    if spot in window:
        return False
    lifted = {BRUSH: COLORS, BURNISHER: VALUES}.get(by or "", "")
    if printed not in ("." + die + lifted):
        return False
    touches = False
    for (other_row, other_column), other in window.items():
        down, across = abs(other_row - row), abs(other_column - column)
        touches |= max(down, across) == 1
        if down + across == 1:
            if other[0] == die[0] and not (by == BRUSH and BRUSH in beside_alike):
                return False
            if other[1] == die[1] and not (by == BURNISHER and BURNISHER in beside_alike):
                return False
    if not window:
        return row in (0, 3) or column in (0, 4)
    return touches != (by == CORK)


def can_be_played(dice: Window, pattern: list[str], corks: int = 0) -> bool:
    """Return whether some order of legal placements leads from the empty window to these dice.

    ``corks`` is how many dice may be placed with Cork-backed Straightedge. Orders are tried out, but no set
    of dice on the table (a number with one bit for each die) is gone on from twice with as many uses left.
    Whichever comes second of two neighbors alike is refused, and so is a die that its space does not take:
    such windows are not tried at all.
    """
    spots = list(dice)
    alike = any(
        abs(one[0] - other[0]) + abs(one[1] - other[1]) == 1
        and (dice[one][0] == dice[other][0] or dice[one][1] == dice[other][1])
        for one, other in combinations(spots, 2)
    )
    if alike or any(pattern[row][column] not in ("." + dice[row, column]) for row, column in spots):
        return False
    edge = [row in (0, 3) or column in (0, 4) for row, column in spots]
    around = [
        sum(
            1 << place
            for place, other in enumerate(spots)
            if max(abs(one[0] - other[0]), abs(one[1] - other[1])) == 1
        )
        for one in spots
    ]
    everything = (1 << len(spots)) - 1
    to_visit, seen = [(0, corks)], set()
    while to_visit:
        placed, left = to_visit.pop()
        if placed == everything:
            return True
        for die in range(len(spots)):
            if placed >> die & 1:
                continue
            uses = 0 if (around[die] & placed or not placed) else 1
            after = placed | 1 << die, left - uses
            if uses <= left and (placed or edge[die]) and after not in seen:
                seen.add(after)
                to_visit.append(after)
    return False


@dataclass
class Game:
    """One player's window while it is played at random, always by the rules.

    Parameters
    ----------
    random
        What decides.
    pattern
        The card.
    tokens
        The favor tokens the player has.
    tools
        The tools in the game.
    solo
        In a solo game a tool costs no tokens and works once.
    beside_alike
        As in `goes_there`.
    """

    random: Random
    pattern: list[str]
    tokens: int
    tools: Sequence[str]
    solo: bool = False
    beside_alike: Sequence[str] = ()
    window: Window = field(default_factory=dict)
    used: list[str] = field(default_factory=list)
    spent: int = 0
    on_cards: set[str] = field(default_factory=set)
    """The tools that have tokens on them, whoever put them there."""

    def play(self, turns: int) -> None:
        """Take turns: in each perhaps a tool, and a die where one fits."""
        for _ in range(turns):
            if self.tools and self.random.random() < 0.1:
                self.on_cards.add(self.random.choice(self.tools))  # another player used it
            tool = self.random.choice(self.tools) if self.tools and self.random.random() < 0.5 else None
            if tool == CORK:
                self._place(by=CORK)
                continue
            if tool is not None:
                self._move(tool)
            if self.random.random() < 0.9:
                self._place()

    def _pay(self, tool: str) -> bool:
        """Pay for a tool and return whether that was possible."""
        cost = 2 if tool in self.on_cards else 1
        if self.solo:
            cost = 0
            if tool in self.used:
                return False
        if cost > self.tokens - self.spent:
            return False
        self.spent += cost
        self.on_cards.add(tool)
        self.used.append(tool)
        return True

    def _fits(self, window: Window, die: str, by: str | None) -> list[Spot]:
        """Return where the die may go."""
        return [
            spot
            for spot in SPOTS
            if goes_there(window, spot, die, self.pattern, by=by, beside_alike=self.beside_alike)
        ]

    def _choose(self, spots: list[Spot], die: str) -> Spot:
        """Choose a spot, and like best one that makes the window look wrong."""
        odd = [
            (row, column)
            for row, column in spots
            if self.pattern[row][column] not in ("." + die) or (row in (1, 2) and column in (1, 2, 3))
        ]
        return self.random.choice(odd if odd and self.random.random() < 0.6 else spots)

    def _place(self, by: str | None = None) -> None:
        """Draft one of a few dice that fits somewhere, and place it."""
        for _ in range(5):
            die = self.random.choice(COLORS) + self.random.choice(VALUES)
            if (spots := self._fits(self.window, die, by)) and (by is None or self._pay(by)):
                self.window[self._choose(spots, die)] = die
                return

    def _move(self, tool: str) -> None:
        """Move the dice that the tool moves, when there is a way to, and pay for it."""
        number = {LATHEKIN: 2, TAP_WHEEL: self.random.choice((1, 2))}.get(tool, 1)
        movable = list(self.window)
        if tool == TAP_WHEEL:  # the color must be on the round track; any may be there
            color = self.random.choice(COLORS)
            movable = [spot for spot in movable if self.window[spot][0] == color]
        if len(movable) < number:
            return
        chosen = self.random.sample(movable, number)
        moved = self._moved(chosen, tool, at_once=self.random.random() < 0.5)
        if moved is not None and self._pay(tool):
            self.window = moved

    def _moved(self, chosen: list[Spot], tool: str, *, at_once: bool) -> Window | None:
        """Return the window with the chosen dice put elsewhere, or None when one of them fits nowhere.

        The cards that move two dice leave open whether both are taken before the first is put down.
        """
        window = {spot: die for spot, die in self.window.items() if not (at_once and spot in chosen)}
        for spot in chosen:
            if not at_once:
                del window[spot]
            die = self.window[spot]
            spots = [other for other in self._fits(window, die, tool) if other != spot]
            if not spots:
                return None
            window[self._choose(spots, die)] = die
        return window


Places = tuple[Spot | None, ...]
"""Where each of a few dice lies, None for one that is not in the window yet."""

Uses = tuple[int, ...]
"""How often each of some tools was used."""


def tokens_for(uses: Uses) -> int:
    """Return the fewest favor tokens that the uses cost: one for the first of a tool, two for each other."""
    return sum(1 + 2 * (number - 1) for number in uses if number)


def all_windows(
    dice: Sequence[str],
    pattern: list[str],
    tools: Sequence[str],
    can_pay: Callable[[Uses], bool],
    beside_alike: Sequence[str] = (),
) -> dict[Places, set[Uses]]:
    """Return every window that can be played with these dice and tools, and with which uses of the tools.

    Whatever can be done is done: each die placed anywhere, each die moved anywhere, as long as ``can_pay``.
    ``beside_alike`` is as in `goes_there`.
    """

    @cache
    def fits(others: Places, die: int, by: str | None) -> list[Spot]:
        window = {spot: dice[place] for place, spot in enumerate(others) if spot is not None}
        return [
            spot
            for spot in SPOTS
            if goes_there(window, spot, dice[die], pattern, by=by, beside_alike=beside_alike)
        ]

    def with_die(places: Places, die: int, spot: Spot | None) -> Places:
        return (*places[:die], spot, *places[die + 1 :])

    def put(places: Places, die: int, by: str | None, but: Spot | None = None) -> Iterator[Places]:
        return (with_die(places, die, spot) for spot in fits(places, die, by) if spot != but)

    def place(places: Places, by: str | None) -> Iterator[Places]:
        for die in range(len(dice)):
            if places[die] is None:
                yield from put(places, die, by)

    def move_one(places: Places, by: str) -> Iterator[Places]:
        for die in range(len(dice)):
            if places[die] is not None:
                yield from put(with_die(places, die, None), die, by, places[die])

    def move_two(places: Places, by: str) -> Iterator[Places]:
        for one, other in permutations(range(len(dice)), 2):
            if None in (places[one], places[other]) or (by == TAP_WHEEL and dice[one][0] != dice[other][0]):
                continue
            for first in put(with_die(places, one, None), one, by, places[one]):
                yield from put(with_die(first, other, None), other, by, places[other])
            both_taken = with_die(with_die(places, one, None), other, None)
            for first in put(both_taken, one, by, places[one]):
                yield from put(first, other, by, places[other])

    def use(places: Places, tool: str) -> Iterator[Places]:
        if tool == CORK:
            yield from place(places, CORK)
        if tool in (BRUSH, BURNISHER, TAP_WHEEL):
            yield from move_one(places, tool)
        if tool in (LATHEKIN, TAP_WHEEL):
            yield from move_two(places, tool)

    def after(places: Places, uses: Uses) -> Iterator[tuple[Places, Uses]]:
        for others in place(places, None):
            yield others, uses
        for number, tool in enumerate(tools):
            more = (*uses[:number], uses[number] + 1, *uses[number + 1 :])
            if can_pay(more):
                for others in use(places, tool):
                    yield others, more

    start: tuple[Places, Uses] = ((None,) * len(dice), (0,) * len(tools))
    found, to_visit = {start}, [start]
    for state in to_visit:
        new = set(after(*state)) - found
        found |= new
        to_visit += new
    windows: dict[Places, set[Uses]] = {}
    for places, uses in found:
        windows.setdefault(places, set()).add(uses)
    return windows


def windows_with(dice: Sequence[str]) -> Iterator[tuple[Places, Window]]:
    """Yield all ways to have none, some or all of the dice in a window, legal or not."""
    for places in product([None, *SPOTS], repeat=len(dice)):
        taken = [spot for spot in places if spot is not None]
        if len(set(taken)) == len(taken):
            yield places, {spot: dice[die] for die, spot in enumerate(places) if spot is not None}
