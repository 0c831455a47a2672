"""Which card was it? The known window patterns, ranked by what lies on them and what is printed on them.

Bayes' rule weighs the cards, in both orientations, against each other and against a card that nobody knows,
by how much the spaces of the board speak for each.

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

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain
from math import exp, fsum, log
from typing import Self

from scoring.board import ALL_CELLS, RARE_GLASS, VALUES, Board, Cell, Color, Die, cell_name, check_cell
from scoring.errors import InvalidValueError
from scoring.patterns.patterns import (
    WINDOW_PATTERNS,
    Restriction,
    WindowPattern,
    WindowSet,
    is_restriction,
)
from scoring.sentences import sentence

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

_PRINT_SHARE: Mapping[Restriction, float] = {
    None: FREE_SHARE,
    **dict.fromkeys(Color, COLOR_SHARE),
    **dict.fromkeys(VALUES, VALUE_SHARE),
}

_CHANCE: Mapping[Restriction, float] = {
    None: 1.0,
    **dict.fromkeys(Color, 1 / len(Color)),
    **dict.fromkeys(VALUES, 1 / len(VALUES)),
}
"""The share of all dice that may lie on a space."""


@dataclass(frozen=True)
class SeenCell:
    """What is known of one cell, for sure or, from a photo, with some doubt.

    ``die`` is the probability that a die lies there, ``colors`` and ``values`` those of its color and value,
    if there is one; what is missing has none. ``prints`` are the probabilities of what is printed there, if
    no die covers it, and ``rim`` the same if a die does, told from what shows around and through it: empty
    when nothing was seen of it, as on a board that somebody typed in.
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

    def speaks(self, without_a_look: float) -> list[float]:
        """Return how many times likelier this cell is for each of `SPACES` on a card than on an unknown one.

        ``without_a_look`` is the share of the dice that the player places without a look at the card.
        """
        looked = 1 - without_a_look
        by_die = [
            self.die * (looked * self._die_fits(space) / _CHANCE[space] + without_a_look) for space in SPACES
        ]
        by_print = [(1 - self.die) * one for one in _by_print(self.prints, MISREAD)]
        by_rim = _by_print(self.rim, RIM_MISREAD) if self.rim else [1.0] * len(SPACES)
        return [die * rim + one for die, rim, one in zip(by_die, by_rim, by_print, strict=True)]

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


def _log_evidence(seen: Mapping[Cell, SeenCell], patterns: Iterable[WindowPattern]) -> Iterator[float]:
    """Yield, as a logarithm, how many times likelier all cells are on each card than on the unknown one."""
    alike: dict[float, list[float]] = {}  # kinds of players by how they look at the card
    for share, without_a_look in players(seen):
        alike.setdefault(without_a_look, []).append(share)
    kinds = [
        ([look + share for share in shares], _logs(cells, without_a_look))
        for look, cells in looks(seen)
        for without_a_look, shares in alike.items()
    ]
    for pattern in patterns:
        told = [
            (shares, fsum(_for_any(logs, places) for places in _printed(pattern))) for shares, logs in kinds
        ]
        yield log_of_sum([share + by_cells for shares, by_cells in told for share in shares])


@lru_cache(maxsize=512)
def _printed(pattern: WindowPattern) -> tuple[tuple[int, ...], ...]:
    """Return what is printed on each space of a card as places in what `_logs` returns, kept for the next."""
    return tuple(
        tuple(len(SPACES) * index + SPACES.index(space) for space in pattern.prints(cell))
        for index, cell in enumerate(ALL_CELLS)
    )


@lru_cache(maxsize=256)
def _turned(pattern: WindowPattern) -> WindowPattern:
    """Return the card upside down, kept for the next board."""
    return pattern.rotated_180()


def _logs(seen: Mapping[Cell, SeenCell], without_a_look: float) -> list[float]:
    """Return the logarithm of what each of the 20 cells says for each of `SPACES`, one after the other."""
    nothing = [1.0] * len(SPACES)
    told = (seen[cell].speaks(without_a_look) if cell in seen else nothing for cell in ALL_CELLS)
    return list(map(log, chain.from_iterable(told)))


def _for_any(logs: list[float], places: tuple[int, ...]) -> float:
    """Return what a cell says for a card of which it is not sure which of these it has there."""
    if len(places) == 1:
        return logs[places[0]]
    return log_of_sum([logs[place] for place in places]) - log(len(places))


def log_of_sum(logs: list[float]) -> float:
    """Return the logarithm of a sum of numbers given as logarithms, without losing the small ones."""
    highest = max(logs)
    return highest + log(fsum(exp(one - highest) for one in logs))


def _as_common(rim: Mapping[Restriction, float], common: Mapping[Restriction, float]) -> float:
    """Return how many times likelier a rim is on a board where prints are as common as said than on any."""
    return fsum(probability * common[space] / _PRINT_SHARE[space] for space, probability in rim.items())


def _by_print(seen: Mapping[Restriction, float], misread: float) -> list[float]:
    """Return how many times likelier a print looks as it does where a card has each of `SPACES`."""
    return [(1 - misread) * seen.get(space, 0.0) / share + misread for space, share in _PRINT_SHARE.items()]


UNKNOWN_CARD = 0.2
"""How likely the card is none of the known ones, before anything is seen. Set by hand."""


COMMON = {WindowSet.BASE: 1.0, WindowSet.FIVE_AND_SIX: 0.2, WindowSet.PROMOS: 0.05}
"""How common the cards of a box or pack are on tables, beside one of the base game. Set by hand: with few
dice in a window, a table that has all of them should not lose the cards that it mostly plays with."""


@dataclass(frozen=True)
class WindowMatch:
    """A known card, and how likely it is that it lies under the board.

    ``pattern`` is the card as it lies under this board: turned by 180 degrees when ``turned``. A card that
    looks the same both ways is never called turned. ``misfits`` are the cells that speak against this card,
    in reading order: the card forbids the die, or has another print there.
    """

    pattern: WindowPattern
    turned: bool
    probability: float
    misfits: tuple[Cell, ...]


@dataclass(frozen=True)
class WindowRanking:
    """The known cards in both orientations, likeliest first: each once for each in which it looks different.

    ``unknown_probability`` is how likely the card is none of them; all probabilities add up to 1.
    ``turned_probability`` is how likely the card lies upside down, whichever it is.
    """

    matches: tuple[WindowMatch, ...]
    unknown_probability: float
    turned_probability: float

    @property
    def best(self) -> WindowMatch | None:
        """The card that is likelier than all else together, or None when no card stands out like that."""
        return next((match for match in self.matches[:1] if match.probability > 0.5), None)

    def settled(self, *, turned: bool, upright_probability: float) -> WindowRanking:
        """Return the ranking for the board as its player sees it, once it is known which way the card lies.

        ``upright_probability``, neither 0 nor 1, is the one that this ranking was made with. What
        `rank_windows` would say of the board, turned where ``turned`` says so and upright for sure.
        """
        beforehand = 1 - upright_probability if turned else upright_probability
        kept = [
            (match, match.probability / (1 if _same_turned(match.pattern) else beforehand))
            for match in self.matches
            if match.turned == turned or _same_turned(match.pattern)
        ]
        whole = self.unknown_probability + fsum(share for _, share in kept)
        matches = [
            WindowMatch(
                _turned(match.pattern) if turned else match.pattern,
                turned=False,
                probability=share / whole,
                misfits=tuple(sorted((3 - row, 4 - column) for row, column in match.misfits))
                if turned
                else match.misfits,
            )
            for match, share in kept
        ]
        best_first = sorted(matches, key=lambda match: -match.probability)
        return WindowRanking(tuple(best_first), self.unknown_probability / whole, 0.0)


def identify_window(
    board: Board | str,
    open_cells: Mapping[Cell, Restriction] | None = None,
    known: Iterable[WindowPattern] | Mapping[str, WindowPattern] = WINDOW_PATTERNS,
    upright_probability: float = 0.5,
) -> WindowRanking:
    """Rank the known cards by how well they go with the dice, and with the print of the spaces that lie open.

    Parameters
    ----------
    board
        The dice. An empty cell may just as well hold a die that nobody can read: it says nothing by itself.
    open_cells
        What is printed on the cells where it was seen; None for a space seen to be free. `parse_open_cells`
        reads it from a text. Where a print was seen and a die lies, the print alone counts: once the space is
        known, the die tells something of its player and nothing of the card.
    known
        The cards to choose from. Two that look the same share what speaks for them.
    upright_probability
        How likely the card lies upright, from other sources, such as the art on the frame.

    Raises
    ------
    InvalidValueError
        An open cell is not in the window or shows no print that there is (``no_such_cell``, ``bad_pattern``),
        or ``upright_probability`` is not between 0 and 1 (``bad_probability``).

    Examples
    --------
    >>> board = Board.parse("-- G4 R2 Y5 P6 / R3 B1 -- G1 Y2 / P5 G6 -- P6 R3 / B4 Y3 G4 B2 G4")
    >>> match = identify_window(board).best
    >>> match.pattern.name, match.turned, [cell_name(cell) for cell in match.misfits]
    ('Fractal Drops', False, ['C5'])
    >>> from scoring import parse_open_cells
    >>> open_cells = parse_open_cells("4???? / ????? / ????? / 5????")
    >>> identify_window(Board.empty(), open_cells).matches[0].pattern.name
    'Virtus'
    """
    seen = {cell: SeenCell.of_die(die) for cell, die in Board.of(board).dice()}
    for cell, space in (open_cells or {}).items():
        if not is_restriction(space):
            raise InvalidValueError(
                "bad_pattern",
                sentence(
                    "{cell} shows {found}, which no card does.", cell=cell_name(cell), found=repr(space)
                ),
                sentence("Give a Color, a value from 1 to 6, or None for no restriction."),
            )
        seen[check_cell(cell)] = SeenCell.of_print(space)
    return rank_windows(seen, known, upright_probability)


def rank_windows(
    seen: Mapping[Cell, SeenCell],
    known: Iterable[WindowPattern] | Mapping[str, WindowPattern] = WINDOW_PATTERNS,
    upright_probability: float = 0.5,
) -> WindowRanking:
    """Rank the known cards as `identify_window` does, for cells that may have been seen with some doubt.

    Parameters
    ----------
    seen
        What is known of the cells; cells of which nothing is known are missing.
    known, upright_probability
        As in `identify_window`.
    """
    if not 0 <= upright_probability <= 1:
        raise InvalidValueError(
            "bad_probability",
            sentence(
                "The card cannot be upright with the probability {found}.", found=repr(upright_probability)
            ),
            sentence("Give a number from 0 to {most}.", most=1),
        )
    cards = tuple(known.values() if isinstance(known, Mapping) else known)
    ways = tuple(_ways_to_lie(cards, upright_probability))
    logs = [
        log(share) + evidence
        for (_, _, share), evidence in zip(ways, _log_evidence(seen, [way[0] for way in ways]), strict=True)
    ]
    whole = log_of_sum([*logs, log(UNKNOWN_CARD)])
    fits = [cell not in seen or seen[cell].agrees(space) >= 0.5 for cell in ALL_CELLS for space in SPACES]
    matches = tuple(
        WindowMatch(pattern, turned, exp(one - whole), _misfits(pattern, fits))
        for (pattern, turned, _), one in zip(ways, logs, strict=True)
    )
    # A card that looks the same both ways leaves open which way it lies, and so does the unknown one.
    turned = fsum(match.probability for match in matches if match.turned)
    upright = fsum(
        match.probability for match in matches if not match.turned and not _same_turned(match.pattern)
    )
    return WindowRanking(
        tuple(sorted(matches, key=lambda match: -match.probability)),
        exp(log(UNKNOWN_CARD) - whole),
        turned + (1 - turned - upright) * (1 - upright_probability),
    )


def _misfits(pattern: WindowPattern, fits: Sequence[bool]) -> tuple[Cell, ...]:
    """Return the cells that speak against a card, by whether each place of `_printed` fits."""
    # Nearly all have one print, and all fit: this is asked of each card for each photo.
    if all(fits[places[0]] for places in _printed(pattern)):
        return ()
    return tuple(
        cell
        for cell, places in zip(ALL_CELLS, _printed(pattern), strict=True)
        if not any(fits[place] for place in places)
    )


def _ways_to_lie(
    cards: tuple[WindowPattern, ...], upright_probability: float
) -> Iterator[tuple[WindowPattern, bool, float]]:
    """Yield each card as it may lie there, whether it is turned then, and how likely that is beforehand."""
    whole = fsum(COMMON[pattern.comes_in] for pattern in cards)
    for pattern in cards:
        share = (1 - UNKNOWN_CARD) * COMMON[pattern.comes_in] / whole
        if _same_turned(pattern):
            yield pattern, False, share
            continue
        if upright_probability > 0:
            yield pattern, False, share * upright_probability
        if upright_probability < 1:
            yield _turned(pattern), True, share * (1 - upright_probability)


def _same_turned(pattern: WindowPattern) -> bool:
    """Return whether the card looks the same upside down."""
    return pattern.cells == _turned(pattern).cells
