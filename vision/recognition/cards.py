"""The pattern card under the dice, and what the rules make more or less likely."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile

import numpy as np

from scoring import WINDOW_PATTERNS, Color, WindowPattern
from scoring.board import ALL_CELLS, VALUES, Cell
from scoring.patterns.identify import (
    COLOR_SHARE,
    FREE_SHARE,
    SPACES,
    UNKNOWN_CARD,
    VALUE_SHARE,
    SeenCell,
    WindowRanking,
    looks,
    rank_windows,
)
from vision.geometry import Float, Mask
from vision.reading import WindowGuess
from vision.recognition.dice import COLORS, DOUBTFUL_BELOW, PRINTS, CellProbabilities, contents

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
NEGLIGIBLE = 1e-9  # a card less likely than this says nothing of what is printed
SURE_STRAIGHT, LIKELIER_MIRRORED = 0.999, 1000.0
"""How sure some card must be that nobody asks whether a photo is mirrored, and how many times likelier a
known card must be when left and right are exchanged. Of 132 labelled photos, rendered and real, 123 are told
when they are flipped (of the others five have dice that fit no card well, two symmetric prints), and as they
are none is, nor would be if its own card were not known: the likeliest is 3 times likelier flipped then."""
HELD_UPRIGHT = 0.8
"""How likely row A lies towards the top of a photo, before anybody looks for art. Set by hand; of the 11 real
photos without art in view (nine cards, two close-ups) all were held like that."""


@dataclass(frozen=True)
class PatternMatch:
    """The card the cells point to and whether they are counted from the right corner.

    ``guess`` is None when no card stands out. ``turned_probability`` is how likely the board
    has to be turned by 180 degrees, from the cards and the art together. ``prints`` (20, 12) is how
    likely each print is (see ``PRINTS``) by what all cells say of the card, with the board turned
    where it has to be. ``mirrored`` says that the cells fit a card surely with left and right exchanged, and
    none as they are.
    """

    guess: WindowGuess | None
    turned_probability: float
    prints: Float
    mirrored: bool


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
    undecided = rank_windows(seen_cells(cells), cards, upright)
    # The board is now turned, or not, for good: the card is named given that.
    turned = undecided.turned_probability > 0.5
    decided = cells.rotated_180() if turned else cells
    ranking = undecided.settled(turned=turned, upright_probability=upright)
    best = ranking.best
    guess = WindowGuess(best.pattern.name, best.probability) if best else None
    prints = ranking.unknown_probability * decided.print
    for match in takewhile(lambda match: match.probability > NEGLIGIBLE, ranking.matches):
        for index, cell in enumerate(ALL_CELLS):
            possible = match.pattern.prints(cell)
            for space in possible:
                prints[index, SPACES.index(space)] += match.probability / len(possible)
    mirrored = _looks_mirrored(cells, cards, upright, undecided)
    return PatternMatch(guess, undecided.turned_probability, prints, mirrored)


def _looks_mirrored(
    cells: CellProbabilities, cards: tuple[WindowPattern, ...], upright: float, straight: WindowRanking
) -> bool:
    """Return whether cells fit one of the cards only flipped; ``straight`` is how they rank as they are."""
    if straight.unknown_probability < 1 - SURE_STRAIGHT:
        return False
    flipped = rank_windows(seen_cells(cells), _flipped(cards), upright)
    return LIKELIER_MIRRORED * flipped.unknown_probability <= straight.unknown_probability


@lru_cache(maxsize=8)
def _flipped(cards: tuple[WindowPattern, ...]) -> tuple[WindowPattern, ...]:
    """Return cards with left and right exchanged, kept for the next board."""
    return tuple(card.mirrored() for card in cards)


def upright_in_photo(art: float, corners_px: Float) -> float:
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


def unprinted(cells: CellProbabilities, match: PatternMatch) -> Mask:
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


def open_pattern(cells: CellProbabilities, by_card: Float) -> str:
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


PLAYERS = ((0.85, 0.03), (0.1, 0.25), (0.05, 1.0))
"""Kinds of players: the share of the boards that are theirs, and the share of their dice that they place
without a look at the rules. Set by hand."""
SUSPICIOUS_BELOW = 0.99  # a die read with more certainty is never called into question; set by hand
KEPT_FROM = min(0.9, DOUBTFUL_BELOW - 0.01)
"""A die read with this certainty keeps color and value, whatever the rules say; by the rules alone none gets
more certain than this. Set by hand."""
DICE_OF_A_COLOR = 18  # the rulebook, "Game contents"
SCARCE_BELOW = 9  # dice left of a color: with more, what a player likes decides, not the box; set by hand

NEIGHBORS = [
    [j for j, (y, x) in enumerate(ALL_CELLS) if abs(y - row) + abs(x - column) == 1]
    for row, column in ALL_CELLS
]
NO_CLASH = 2 / 3  # the chance that two dice differ in both color and value
DICE = [(color, value) for color in COLORS for value in VALUES]
FITS = np.array(
    [[s is None or s == (color if isinstance(s, Color) else value) for color, value in DICE] for s in SPACES],
    dtype=np.float64,
)
# (13, 30): how many times likelier a die is on a space than on any; on the unknown card all are alike.
LIKELIER = np.vstack([FITS / FITS.mean(axis=1, keepdims=True), np.ones(len(DICE))])
UNKNOWN_SPACE = len(SPACES)


def weighed_by_rules(cells: CellProbabilities, cards: Iterable[WindowPattern]) -> Float:
    """Return what the 20 cells hold, (20, 31) as `contents` gives it, with the rules as a prior.

    Parameters
    ----------
    cells
        What the network says, row A on the art's side.
    cards
        The cards it can be; that it is none of them is weighed too.
    """
    held = contents(cells)
    asked = np.flatnonzero(held.max(axis=1) < SUSPICIOUS_BELOW)
    if len(asked):
        board = _Board(cells, tuple(cards))
        for index in asked.tolist():
            held[index] = _settled(held[index], *board.rules_for(index))
    return held


def _settled(seen: Float, weights: Float, broken: Float) -> Float:
    """Return the contents (31,) of one cell, given weight (30,) and number of rules broken (31,) of each."""
    weighed = seen.copy()
    weighed[1:] *= weights * seen[1:].sum() / (seen[1:] @ weights)
    best, other = np.argsort(-seen, kind="stable")[:2]
    top = int(weighed.argmax())
    share = 1.0
    if seen[best] < KEPT_FROM:
        if weighed[top] > KEPT_FROM:
            share = (KEPT_FROM - seen[top]) / (weighed[top] - seen[top])
    elif weighed[best] < DOUBTFUL_BELOW and broken[best] >= 0.5 > broken[other]:
        # Stop just before the best would no longer be the best.
        ahead, behind = seen[best] - seen, weighed - weighed[best]
        share = min(1.0, *(0.99 * a / (a + b) for a, b in zip(ahead, behind, strict=True) if b > 0), 1.0)
    else:
        share = 0.0
    return np.asarray(seen + share * (weighed - seen), dtype=np.float64)


class _Board:
    """What all the cells say about the card and the player."""

    def __init__(self, cells: CellProbabilities, cards: tuple[WindowPattern, ...]) -> None:
        filled, color, value = cells.filled, cells.color[:, :, None], cells.value[:, None, :]
        dice = (color * value).reshape(20, -1)
        self._out = filled[:, None] * cells.color
        self._clash = filled[:, None] * (color + value - color * value).reshape(20, -1)
        # Kinds of boards: each kind of player, with the rims taken as told and as telling nothing.
        kinds = [
            (look + np.log(share), careless, list(printed.values()))
            for look, printed in looks(seen_cells(cells))
            for share, careless in PLAYERS
        ]
        self._careless = np.array([careless for _, careless, _ in kinds])
        # [kind, cell, die]: how many times likelier a die lies beside what is seen there than anywhere.
        obeyed = (filled[:, None] - self._clash) / NO_CLASH - filled[:, None]
        self._beside = 1 + (1 - self._careless)[:, None, None] * obeyed
        # [kind, cell, cell]: how well the dice seen in two neighboring cells go together, as a logarithm.
        self._pairs = np.zeros((len(kinds), 20, 20))
        for i, near in enumerate(NEIGHBORS):
            for j in near:
                self._pairs[:, i, j] = np.log(1 + filled[i] * (self._beside[:, j] @ dice[i] - 1))
        # [kind, cell, space]: what a cell says for a space, and what it would say if its die had no face.
        self._says = np.zeros((len(kinds), 20, UNKNOWN_SPACE + 1))
        self._faceless = np.zeros_like(self._says)
        for k, (_, careless, seen) in enumerate(kinds):
            for i, one in enumerate(seen):
                for logs, look in ((self._says, one), (self._faceless, one.faceless())):
                    logs[k, i, :UNKNOWN_SPACE] = np.log(look.speaks(careless))
        known = [[SPACES.index(card[cell]) for cell in ALL_CELLS] for card in cards]
        self._spaces = np.array([*known, [UNKNOWN_SPACE] * 20])
        before = np.array([(1 - UNKNOWN_CARD) / len(cards) for _ in cards] + [UNKNOWN_CARD])
        self._logs = (  # [kind, card]
            np.array([[share] for share, _, _ in kinds])
            + np.log(before)
            + self._says[:, np.arange(20), self._spaces].sum(axis=2)
            + self._pairs.sum(axis=(1, 2))[:, None] / 2
        )

    def rules_for(self, index: int) -> tuple[Float, Float]:
        """Return the weight of each die in a cell, (30,), and how many rules each content breaks, (31,)."""
        at = self._spaces[:, index]
        logs = self._logs - self._says[:, index, at] + self._faceless[:, index, at]
        logs = logs - self._pairs[:, index].sum(axis=1)[:, None]
        likely = np.exp(logs - logs.max())
        likely /= likely.sum()
        spaces = np.stack([np.bincount(at, one, UNKNOWN_SPACE + 1) for one in likely])  # [kind, space]
        on_card = (1 - self._careless)[:, None] * (spaces @ LIKELIER)
        on_card += self._careless[:, None] * spaces.sum(axis=1, keepdims=True)
        near = NEIGHBORS[index]
        out = self._out.sum(axis=0) - self._out[index]
        supply = np.clip((DICE_OF_A_COLOR - out) / SCARCE_BELOW, 0.01, 1)
        weights = (on_card * self._beside[:, near].prod(axis=1)).sum(axis=0) * np.repeat(supply, len(VALUES))
        broken = spaces.sum(axis=0)[:UNKNOWN_SPACE] @ (1 - FITS) + self._clash[near].sum(axis=0)
        return weights, np.append(0.0, broken)
