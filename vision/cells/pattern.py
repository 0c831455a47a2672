"""Which window pattern card lies under the dice, and which way up.

How much a die or a print speaks for a card is said by `scoring.windows.evidence`, the same for a photo as for
a board that somebody typed in; here the network's doubt about each cell is handed on to it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring import WINDOW_PATTERNS, WindowPattern
from scoring.cells import ALL_CELLS, Cell
from scoring.dice import VALUES
from scoring.windows.evidence import COLOR_SHARE, FREE_SHARE, SPACES, VALUE_SHARE, SeenCell
from scoring.windows.identify import rank_windows
from vision.cells.dice import COLORS, PRINTS, CellProbabilities
from vision.reading import WindowGuess

ART_CERTAINTY = 0.98  # no more than so sure may the art be of the orientation; set by hand
UNCLEAR_BELOW = 0.9  # a print less sure than this is shown to a person; set by hand
CARD_SHARES = np.array([FREE_SHARE] + 5 * [COLOR_SHARE] + 6 * [VALUE_SHARE])
TRAINED_SHARES = np.array([0.4713] + 5 * [0.0464] + 6 * [0.0495])
"""How common each print is in the scenes that the network learned on, in the order of ``PRINTS``."""
SURE_CARD = 0.95  # how sure the card must be for its print to be missed; set by hand
# Of 399 open spaces of rendered and real photos the print that the card has there was told with 0.76 or more;
# of six white or colored spaces below a traced finger, card or sleeve five with 0.09 or less. Values are told
# apart from colors and white only, as which one it is shows too little; below a finger they often look right.
PRINT_SEEN = 0.2
HELD_UPRIGHT = 0.8
"""How likely row A lies towards the top of a photo, before anybody looks for art. Set by hand; of the 11 real
photos without art in view (nine cards, two close-ups) all were held like that."""


@dataclass(frozen=True)
class PatternMatch:
    """The card the cells point to and whether they are counted from the right corner.

    ``guess`` is None when no card stands out. ``turned_probability`` is how likely the board
    has to be turned by 180 degrees, from the cards and the art together. ``prints`` (20, 12) is how
    likely each print is (see ``PRINTS``) by what all cells say of the card, with the board turned
    where it has to be.
    """

    guess: WindowGuess | None
    turned_probability: float
    prints: NDArray[np.float64]


def match_pattern(
    cells: CellProbabilities, upright_probability: float, known: Iterable[WindowPattern] | None = None
) -> PatternMatch:
    """Weigh all known cards in both orientations.

    Parameters
    ----------
    cells
        The 20 cells as counted now.
    upright_probability
        How sure the picture alone is that they are counted from the right corner.
    known
        The cards it can be; those of the game when nothing is given.
    """
    cards = tuple(WINDOW_PATTERNS.values() if known is None else known)
    upright = min(max(upright_probability, 1 - ART_CERTAINTY), ART_CERTAINTY)
    turned_probability = rank_windows(seen_cells(cells), cards, upright).turned_probability
    # The board is now turned, or not, for good: the card is named given that.
    decided = cells.rotated_180() if turned_probability > 0.5 else cells
    ranking = rank_windows(seen_cells(decided), cards, 1.0)
    best = ranking.best
    guess = WindowGuess(best.pattern.name, best.probability) if best else None
    prints = ranking.unknown_probability * decided.print
    for match in ranking.matches:
        for index, cell in enumerate(ALL_CELLS):
            possible = match.pattern.prints(cell)
            for space in possible:
                prints[index, SPACES.index(space)] += match.probability / len(possible)
    return PatternMatch(guess, turned_probability, prints)


def upright_in_photo(art: float, corners_px: NDArray[np.float64]) -> float:
    """Return how likely the cells are counted from the right corner, by the art and the way a photo is held.

    Parameters
    ----------
    art
        The probability by the art alone.
    corners_px
        (4, 2), the lattice's corners as counted, in pixels of the upright photo.

    Examples
    --------
    >>> upside_down = np.array([[500.0, 400.0], [0.0, 400.0], [0.0, 0.0], [500.0, 0.0]])
    >>> round(upright_in_photo(0.5, upside_down), 3), round(upright_in_photo(0.98, upside_down), 3)
    (0.2, 0.925)
    """
    x, y = corners_px[:2].mean(axis=0) - corners_px[2:].mean(axis=0)
    towards_top = -y / math.hypot(x, y)  # -1 to 1; a window that lies across says nothing
    held = 0.5 + (HELD_UPRIGHT - 0.5) * towards_top
    return float(art * held / (art * held + (1 - art) * (1 - held)))


def seen_cells(cells: CellProbabilities) -> dict[Cell, SeenCell]:
    """Return the 20 cells with all that the network holds possible, as the rules' package takes them."""
    # The network learned on scenes with more free spaces than cards have; where it sees nothing it says so.
    prints = cells.print * (CARD_SHARES / TRAINED_SHARES)
    prints /= prints.sum(axis=1, keepdims=True)
    return {
        cell: SeenCell(
            die=float(cells.filled[index]),
            colors=dict(zip(COLORS, cells.color[index].tolist(), strict=True)),
            values=dict(zip(VALUES, cells.value[index].tolist(), strict=True)),
            prints=dict(zip(SPACES, prints[index].tolist(), strict=True)),  # in the order of PRINTS
            rim=dict(zip(SPACES, prints[index].tolist(), strict=True)),
        )
        for index, cell in enumerate(ALL_CELLS)
    }


def unclear_prints(cells: CellProbabilities) -> tuple[Cell, ...]:
    """Return the open cells whose print was read with doubt."""
    doubtful = (cells.filled < 0.5) & (cells.print.max(axis=1) < UNCLEAR_BELOW)
    return tuple(cell for cell, unclear in zip(ALL_CELLS, doubtful, strict=True) if unclear)


def unprinted(cells: CellProbabilities, match: PatternMatch) -> NDArray[np.bool_]:
    """Return which cells, (20,), do not show what the card has printed there; none without a sure card.

    Parameters
    ----------
    cells
        What the network says, turned as ``match`` has it.
    match
        The card.
    """
    if match.guess is None or match.guess.probability < SURE_CARD:
        return np.zeros(len(cells.filled), bool)
    seen, printed = (
        np.column_stack([one[:, :6], one[:, 6:].sum(axis=1)]) for one in (cells.print, match.prints)
    )
    return np.asarray((seen * printed).sum(axis=1) < PRINT_SEEN)


def open_pattern(cells: CellProbabilities, by_card: NDArray[np.float64]) -> str:
    """Return the print of the open cells in pattern notation, ``?`` under a die.

    A print that was read with doubt is the one that is likeliest by the card, too; one that was clearly
    seen stays: it may be on a card that nobody knows.

    Parameters
    ----------
    cells
        What the network says.
    by_card
        (20, 12), how likely each print is by what all cells say of the card (`PatternMatch.prints`).
    """
    marks = []
    for die, seen, likely in zip(cells.filled, cells.print, by_card, strict=True):
        likelier = seen if seen.max() >= UNCLEAR_BELOW else likely
        marks.append("?" if die >= 0.5 else PRINTS[int(likelier.argmax())])
    return " / ".join("".join(marks[5 * row : 5 * row + 5]) for row in range(4))
