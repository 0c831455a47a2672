"""Which window pattern card lies under the dice, and which way up.

Each known card is weighed in both orientations against an unknown card. An open cell speaks by
what is printed in it, a die by whether the card allows it there: on a space that asks for a color
a legal die is 5 times as likely to be the one seen as on a free space (30 dice, 6 of that color), on one that
asks for a value 6 times; a die the card forbids is as good as ruled out, but for the small share of mistakes
people make. The factors multiply (naive Bayes), against one fixed prior for a card nobody knows.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scoring import WINDOW_PATTERNS, Color, WindowPattern
from vision.dice import COLORS, PRINTS, VALUES, CellProbabilities
from vision.reading import WindowGuess

# The first three were set by hand, not fitted.
MISTAKE = 0.02  # share of dice that people place against the printed card
MISREAD = 0.01  # share of prints that the network gets wrong however sure it is
UNKNOWN_CARD = 0.2  # prior of a card that is not among the known ones
_PRINT_SHARE = np.array([180] + [140 / 5] * 5 + [200 / 6] * 6) / 520  # counted on the 26 known cards


@dataclass(frozen=True)
class PatternMatch:
    """The card the cells point to and whether they are counted from the right corner.

    ``guess`` is None when no card stands out. ``turned_probability`` is how likely the board
    has to be turned by 180 degrees, from the cards and the art together.
    """

    guess: WindowGuess | None
    turned_probability: float


def match_pattern(cells: CellProbabilities, upright_probability: float) -> PatternMatch:
    """Weigh all known cards in both orientations.

    Parameters
    ----------
    cells
        The 20 cells as counted now.
    upright_probability
        How sure the picture alone is that they are counted from the right corner.
    """
    upright = float(np.clip(upright_probability, 0.02, 0.98))
    names = list(WINDOW_PATTERNS)
    prior = np.log((1 - UNKNOWN_CARD) / len(names))
    straight = {name: prior + log_evidence(cells, WINDOW_PATTERNS[name]) for name in names}
    turned_cells = cells.rotated_180()
    turned = {name: prior + log_evidence(turned_cells, WINDOW_PATTERNS[name]) for name in names}
    logs = np.array(
        [
            *(np.log(upright) + v for v in straight.values()),
            np.log(upright) + np.log(UNKNOWN_CARD),
            *(np.log(1 - upright) + v for v in turned.values()),
            np.log(1 - upright) + np.log(UNKNOWN_CARD),
        ]
    )
    weights = np.exp(logs - logs.max())
    weights /= weights.sum()
    n = len(names) + 1
    turned_probability = float(weights[n:].sum())
    side = weights[n:] if turned_probability > 0.5 else weights[:n]
    known = side[:-1] / side.sum()
    best = int(known.argmax())
    guess = WindowGuess(names[best], float(known[best])) if known[best] > 0.5 else None
    return PatternMatch(guess, turned_probability)


def log_evidence(cells: CellProbabilities, pattern: WindowPattern) -> float:
    """Return the log likelihood ratio of ``pattern`` against an unknown card for the 20 cells."""
    total = 0.0
    for index in range(20):
        space = pattern.cells[index // 5][index % 5]
        seen = np.clip(cells.print[index], 1e-6, 1) * (1 - MISREAD) + MISREAD / len(PRINTS)
        if space is None:
            mark, allowed = 0, 1.0
        elif isinstance(space, Color):
            which = COLORS.index(space)
            mark = PRINTS.index(space.value)
            share = cells.color[index, which]
            allowed = share * (1 - MISTAKE) * 5 + (1 - share) * MISTAKE * 1.25
        else:
            which = VALUES.index(space)
            mark = PRINTS.index(str(space))
            share = cells.value[index, which]
            allowed = share * (1 - MISTAKE) * 6 + (1 - share) * MISTAKE * 1.2
        open_ratio = seen[mark] / _PRINT_SHARE[mark]
        filled = cells.filled[index]
        total += float(np.log(filled * allowed + (1 - filled) * open_ratio))
    return total


def open_pattern(cells: CellProbabilities) -> str:
    """Return the print of the open cells in pattern notation, ``?`` under a die."""
    marks = ["?" if cells.filled[i] >= 0.5 else PRINTS[int(cells.print[i].argmax())] for i in range(20)]
    return " / ".join("".join(marks[5 * row : 5 * row + 5]) for row in range(4))
