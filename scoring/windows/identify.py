"""Which card was it? The known window patterns, ranked by what lies on them and what is printed on them.

`scoring.windows.evidence` says how much the board speaks for each card. Here Bayes' rule weighs the cards, in
both orientations, against each other and against a card that nobody knows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import exp, fsum, log

from scoring.board import Board
from scoring.cells import Cell, cell_name, check_cell
from scoring.errors import InvalidValueError
from scoring.sentences import sentence
from scoring.windows.evidence import SPACES, SeenCell, log_evidence, log_of_sum
from scoring.windows.patterns import WINDOW_PATTERNS, WindowPattern, WindowSet
from scoring.windows.prints import Restriction, is_restriction, parse_spaces

UNKNOWN_CARD = 0.2
"""How likely the card is none of the known ones, before anything is seen. Set by hand."""

UNKNOWN_SIGN = "?"

COMMON = {WindowSet.BASE: 1.0, WindowSet.FIVE_AND_SIX: 0.2, WindowSet.PROMOS: 0.05}
"""How common the cards of a box or pack are on tables, beside one of the base game. Set by hand: with few
dice in a window, a household that has all of them should not lose the cards that it mostly plays with."""


@dataclass(frozen=True)
class WindowMatch:
    """A known card, and how likely it is that it lies under the board.

    Parameters
    ----------
    pattern
        The card as it lies under this board: turned by 180 degrees when ``turned``.
    turned
        Whether the card lies upside down, seen as the board is written. A card that looks the same both ways
        is never called turned.
    probability
        0 to 1.
    misfits
        The cells that speak against this card, in reading order: the card forbids the die, or has another
        print there.
    """

    pattern: WindowPattern
    turned: bool
    probability: float
    misfits: tuple[Cell, ...]


@dataclass(frozen=True)
class WindowRanking:
    """The known cards in both orientations, likeliest first.

    Parameters
    ----------
    matches
        Each card once for each orientation in which it looks different.
    unknown_probability
        How likely the card is none of them. All probabilities add up to 1.
    turned_probability
        How likely the card lies upside down, whichever it is.
    """

    matches: tuple[WindowMatch, ...]
    unknown_probability: float
    turned_probability: float

    @property
    def best(self) -> WindowMatch | None:
        """The card that is likelier than all else together, or None when no card stands out like that."""
        if self.matches and self.matches[0].probability > 0.5:
            return self.matches[0]
        return None


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
    >>> open_cells = parse_open_cells("4???? / ????? / ????? / 5????")
    >>> identify_window(Board.empty(), open_cells).matches[0].pattern.name
    'Virtus'
    """
    seen = {cell: SeenCell.of_die(die) for cell, die in Board.of(board).dice()}
    for cell, space in (open_cells or {}).items():
        seen[check_cell(cell)] = SeenCell.of_print(_check_space(cell, space))
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
            sentence("Give a number from 0 to 1."),
        )
    cards = tuple(known.values() if isinstance(known, Mapping) else known)
    ways = tuple(_ways_to_lie(cards, upright_probability))
    logs = [
        log(share) + evidence
        for (_, _, share), evidence in zip(ways, log_evidence(seen, [way[0] for way in ways]), strict=True)
    ]
    whole = log_of_sum([*logs, log(UNKNOWN_CARD)])
    against = {cell: {space for space in SPACES if one.agrees(space) < 0.5} for cell, one in seen.items()}
    matches = tuple(
        WindowMatch(
            pattern,
            turned,
            exp(one - whole),
            tuple(
                sorted(cell for cell, spaces in against.items() if spaces.issuperset(pattern.prints(cell)))
            ),
        )
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


def parse_open_cells(text: str) -> dict[Cell, Restriction]:
    """Read what is printed on the cells that lie open: pattern notation with ``?`` where it was not seen.

    Raises
    ------
    NotationError
        The text is no pattern; the error names the row or the space that is wrong.

    Examples
    --------
    >>> parse_open_cells("?R??? / ????? / ????. / 6????")
    {(0, 1): <Color.RED: 'R'>, (2, 4): None, (3, 0): 6}
    """
    return parse_spaces(
        text,
        sentence("Write one character a space, with ? where the print was not seen."),
        sentence("Write a color (R, Y, G, B or P), a value from 1 to 6, . for none, or ? for not seen."),
        unseen=UNKNOWN_SIGN,
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
            yield pattern.rotated_180(), True, share * (1 - upright_probability)


def _same_turned(pattern: WindowPattern) -> bool:
    """Return whether the card looks the same upside down."""
    return pattern.cells == pattern.rotated_180().cells


def _check_space(cell: Cell, space: Restriction) -> Restriction:
    """Return what is printed there, or raise an `InvalidValueError` when nothing like it is ever printed."""
    if is_restriction(space):
        return space
    raise InvalidValueError(
        "bad_pattern",
        sentence("{cell} shows {found}, which no card does.", cell=cell_name(cell), found=repr(space)),
        sentence("Give a Color, a value from 1 to 6, or None for a free space."),
    )
