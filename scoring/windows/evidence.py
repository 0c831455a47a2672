"""How much the spaces of a board speak for a card: the model behind `scoring.windows.identify`.

A die speaks for every card on which it may lie, and most where the card is strict: on a free space every die
may lie, so it says nothing; of all dice one in five fits a color and one in six a value. The print of a space
that lies open speaks plainly. For each space there is a number that says how many times likelier what lies
there, or is printed there, is on one card than on a card that nobody knows, where every die is as likely as
any other:

- A die: ``(1 - c) * fits / chance + c``. ``fits`` is 1 when the die may lie there and else 0, ``chance`` is
  the share of all dice that may (1, 1/5 or 1/6), and ``c`` the share of dice that a player places without a
  look at the card.
- A print that was seen: ``(1 - m) * same / share + m``. ``same`` is 1 when the card has that print there and
  else 0, ``share`` says how common that print is on all cards, and ``m`` how many prints are seen wrong.
- What shows of the print under a die, at its rim and through it: as a print, with a larger share ``m`` of its
  own, times what the die says. Once the space is known, the die says nothing about how its rim looks. In some
  photos all rims look alike whatever is printed; then the rims together count for nothing (`looks`).
- A cell seen with some doubt: the average over all that it may hold, each weighted with its probability.
- A space of which nothing is known: 1.

The numbers of all spaces are multiplied for each kind of player (`PLAYERS`), and then averaged over them.
Dice side by side differ on all cards alike, but they tell the kind of player: who puts like beside like does
not look at the card either (`players`).

What is left out: which cells are filled. Where strict spaces are filled later than free ones, a board with
few dice speaks less clearly than said here: of the cards given 90 % or more on made-up boards of five dice,
each put on any legal space, 93 % were right (99 % when the five spaces were drawn first); with ten dice
it was 99 %. One card in five was an invented one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from math import exp, fsum, log
from typing import Self

from scoring.cells import Cell
from scoring.dice import RARE_GLASS, VALUES, Color, Die
from scoring.windows.patterns import WindowPattern
from scoring.windows.prints import Restriction

PLAYERS = ((0.94, 0.02, 0.2), (0.03, 1.0, 0.2), (0.03, 1.0, 1.0))
"""Kinds of players: the share of the boards that are theirs, the share ``c`` of their dice that they place
without a look at the card, and the share of neighbors that they put side by side without a look at each other
(one die in the wrong place may clash with several). Most are careful; a few ignore the card altogether, half
of them the neighbors too, and then only prints tell which card it is. Set by hand. A kind that ignores the
card now and then was tried on 72 rendered photos and left out: it gave boards that ignore their card wrong
names."""

NO_CLASH = 2 / 3
"""The chance that two dice differ in both color and value: 4/5 times 5/6."""

MISREAD = 0.01
"""The share ``m`` of prints that are seen or written down wrong. Set by hand."""

RIM_MISREAD = 0.5
"""The share ``m`` of prints that are seen wrong under dice, however sure the look was. Chosen among 0.05, 0.3
and 0.5 (with `BLIND` among 0.05, 0.15 and 0.3) on 72 rendered photos, as they are and made coarser: nearly
the same cards are named right with all of them, and with this one none wrong."""

BLIND = 0.05
"""The share of the boards on which the rims tell nothing of the card: in the shade all of them look grey, in
glaring light white. Each is then as likely as the same print is at all the board's rims. Chosen as above."""

FREE_SHARE, COLOR_SHARE, VALUE_SHARE = 180 / 520, 140 / 520 / 5, 200 / 520 / 6
"""How common a free space, a space of one color and a space of one value are: counted on the 26 known cards
(180 free, 140 colors and 200 values on 520 spaces), all colors and all values taken as equally common."""

SPACES: tuple[Restriction, ...] = (None, *Color, *VALUES)
"""All that can be printed on a space."""


@dataclass(frozen=True)
class SeenCell:
    """What is known of one cell, for sure or, from a photo, with some doubt.

    Parameters
    ----------
    die
        Probability that a die lies there.
    colors, values
        Probabilities of the die's color and of its value, if there is one; what is missing has none.
    prints
        Probabilities of what is printed there, if no die covers it.
    rim
        Probabilities of what is printed there, if a die covers it, told from what shows around and through
        it. Empty when nothing was seen of it, as on a board that somebody typed in.
    """

    die: float
    colors: Mapping[Color, float] = field(default_factory=dict)
    values: Mapping[int, float] = field(default_factory=dict)
    prints: Mapping[Restriction, float] = field(default_factory=dict)
    rim: Mapping[Restriction, float] = field(default_factory=dict)

    @classmethod
    def of_die(cls, die: Die) -> Self:
        """Return a cell in which this die lies."""
        colors = dict.fromkeys(Color, 1 / len(Color)) if die.color is RARE_GLASS else {die.color: 1.0}
        return cls(die=1.0, colors=colors, values={die.value: 1.0})

    @classmethod
    def of_print(cls, space: Restriction) -> Self:
        """Return a cell in which this print was seen; None is a space seen to be free."""
        return cls(die=0.0, prints={space: 1.0})

    def faceless(self) -> Self:
        """Return the cell as if nothing were known of the color and the value of its die."""
        colors, values = dict.fromkeys(Color, 1 / len(Color)), dict.fromkeys(VALUES, 1 / len(VALUES))
        return replace(self, colors=colors, values=values)

    def agrees(self, space: Restriction) -> float:
        """Return how likely the cell's die may lie on ``space``, or its print is the same."""
        return self.die * self._die_fits(space) + (1 - self.die) * self.prints.get(space, 0.0)

    def speaks_for(self, space: Restriction, without_a_look: float) -> float:
        """Return how many times likelier this cell is where a card has ``space`` than on the unknown card.

        ``without_a_look`` is the share of the dice that the player places without a look at the card.
        """
        by_die = (1 - without_a_look) * self._die_fits(space) / _chance(space) + without_a_look
        by_rim = _by_print(self.rim, space, RIM_MISREAD) if self.rim else 1.0
        return self.die * by_die * by_rim + (1 - self.die) * _by_print(self.prints, space, MISREAD)

    def clashes(self, other: SeenCell) -> float:
        """Return how likely the dice in two cells have the same color or the same value."""
        color = fsum(share * other.colors.get(color, 0.0) for color, share in self.colors.items())
        value = fsum(share * other.values.get(value, 0.0) for value, share in self.values.items())
        return color + value - color * value

    def _die_fits(self, space: Restriction) -> float:
        if space is None:
            return 1.0
        return self.colors.get(space, 0.0) if isinstance(space, Color) else self.values.get(space, 0.0)


def looks(seen: Mapping[Cell, SeenCell]) -> list[tuple[float, Mapping[Cell, SeenCell]]]:
    """Return the cells with their rims and without, each with how likely that is the way to take them.

    The likelihoods are logarithms and those on the unknown card; on any other what the cells say is added.
    """
    if not any(one.rim for one in seen.values()):
        return [(0.0, seen)]
    dice = fsum(one.die for one in seen.values() if one.rim) or 1.0
    common = {
        space: fsum(one.die * one.rim.get(space, 0.0) for one in seen.values()) / dice for space in SPACES
    }
    alike = fsum(log(1 + one.die * (_as_common(one.rim, common) - 1)) for one in seen.values() if one.rim)
    logs = [log(1 - BLIND), log(BLIND) + alike]
    whole = log_of_sum(logs)
    without = {cell: replace(one, rim={}) for cell, one in seen.items()}
    return [(logs[0] - whole, seen), (logs[1] - whole, without)]


def players(seen: Mapping[Cell, SeenCell]) -> list[tuple[float, float]]:
    """Return each kind of player's likelihood, a logarithm, and share ``c``, by how dice lie side by side.

    That holds on all cards alike; the likelihoods of all kinds add up to 1.
    """
    clashes = [
        (one.die * other.die, one.clashes(other))
        for (row, column), one in seen.items()
        for near in ((row, column + 1), (row + 1, column))
        if (other := seen.get(near)) is not None
    ]
    logs = [
        log(share)
        + fsum(log(1 + both * (1 - careless) * ((1 - clash) / NO_CLASH - 1)) for both, clash in clashes)
        for share, _, careless in PLAYERS
    ]
    whole = log_of_sum(logs)
    return [(one - whole, careless) for one, (_, careless, _) in zip(logs, PLAYERS, strict=True)]


def log_evidence(seen: Mapping[Cell, SeenCell], patterns: Iterable[WindowPattern]) -> Iterator[float]:
    """Yield, as a logarithm, how many times likelier all cells are on each pattern than on the unknown card.

    Parameters
    ----------
    seen
        What is known of the cells; cells of which nothing is known are missing.
    patterns
        The cards as they lie under the cells.
    """
    kinds = [
        (look + share, {cell: _logs(one, without_a_look) for cell, one in cells.items()})
        for look, cells in looks(seen)
        for share, without_a_look in players(seen)
    ]
    for pattern in patterns:
        spaces = [(cell, pattern.prints(cell)) for cell in seen]
        yield log_of_sum(
            [share + fsum(_for_any(logs[cell], prints) for cell, prints in spaces) for share, logs in kinds]
        )


def _for_any(logs: Mapping[Restriction, float], prints: tuple[Restriction, ...]) -> float:
    """Return what a cell says for a card of which it is not sure which of these it has there."""
    if len(prints) == 1:
        return logs[prints[0]]
    return log_of_sum([logs[space] for space in prints]) - log(len(prints))


def _logs(one: SeenCell, without_a_look: float) -> dict[Restriction, float]:
    """Return the logarithm of what the cell says for each thing that may be printed there."""
    return {space: log(one.speaks_for(space, without_a_look)) for space in SPACES}


def log_of_sum(logs: list[float]) -> float:
    """Return the logarithm of a sum of numbers given as logarithms, without losing the small ones."""
    highest = max(logs)
    return highest + log(fsum(exp(one - highest) for one in logs))


def _as_common(rim: Mapping[Restriction, float], common: Mapping[Restriction, float]) -> float:
    """Return how many times likelier a rim is on a board where prints are as common as said than on any."""
    return fsum(probability * common[space] / _print_share(space) for space, probability in rim.items())


def _by_print(seen: Mapping[Restriction, float], space: Restriction, misread: float) -> float:
    """Return how many times likelier a print looks as it does where a card has ``space``."""
    return (1 - misread) * seen.get(space, 0.0) / _print_share(space) + misread


def _chance(space: Restriction) -> float:
    """Return the share of all dice that may lie on a space."""
    if space is None:
        return 1.0
    return 1 / len(Color) if isinstance(space, Color) else 1 / len(VALUES)


def _print_share(space: Restriction) -> float:
    """Return how common a print is on all cards."""
    if space is None:
        return FREE_SHARE
    return COLOR_SHARE if isinstance(space, Color) else VALUE_SHARE
