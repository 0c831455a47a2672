"""What the rules of the game say about dice that were read with doubt: a prior, never a censor.

Three things make one die likelier than another before anybody looks: the window card (no color or value that
the space forbids), the neighbors (none of the same color or value along an edge) and the supply (18 dice of
each color in the box). How much they count depends on the player, and the rest of the board tells that: who
breaks the rules elsewhere may do so here. The rest is Bayes' rule for each cell, given the other cells as the
network alone sees them. Whether a die lies there at all is left to the network: an open blue space looks like
a blue die more often than like any other, so the rules would find every die that is none quite in order.

- A cell read with less than `KEPT_FROM` is weighed anew, and stays a doubt: rules alone settle nothing.
- A cell below `SUSPICIOUS_BELOW` that breaks a rule which its likeliest alternative keeps becomes a doubt,
  when picture and rules together are less sure of it than `DOUBTFUL_BELOW`. It keeps its content.
- Every other cell stays as it is, however illegal: that is a result that people came for.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from scoring import Color, WindowPattern
from scoring.cells import ALL_CELLS
from scoring.dice import VALUES
from scoring.windows.evidence import SPACES, looks
from scoring.windows.identify import UNKNOWN_CARD
from vision.cells.dice import COLORS, DOUBTFUL_BELOW, CellProbabilities, contents
from vision.cells.pattern import seen_cells

Float = NDArray[np.float64]

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
                    logs[k, i, :UNKNOWN_SPACE] = [np.log(look.speaks_for(s, careless)) for s in SPACES]
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
