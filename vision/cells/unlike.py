"""Whether the dice of a window are unlike those that the reader knows: other dyes, other pips, figures.

The reader takes a magenta die for a purple one and is as sure of it: alone, a die may be any. The dice of a
window together may not: those taken for the five colors differ from each other as the game's do, under any
lamp. So one small network looks at all of them at once: at what the reader saw in each cell (its features),
at the color of each body and of what stands out from it, and at the means of each color.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from vision.cells.faces import face_colors
from vision.network import COLOR, FILLED, MODELS, VALUE, softmax

Float = NDArray[np.float32]

UNLIKE_FROM, DOUBTED_FROM, STRANGE_FROM = 1.3, -0.7, -1.5
"""Strangeness from which dice count as unknown, from which each of them is in doubt without that being said,
and from which the reader's word is taken with more doubt. Of 1,368 drawn windows with ordinary dice, in as
many different looks, 5 reach the first, 14 more the second and 6 more the third; 1,032 windows of other odd
sets have 0.18 dice a window wrong without a flag like this, and 0.35 without the second, half of them in two
sets whose dyes have the names of other colors."""
STRANGE_DOUBTFUL_BELOW, ALL_DOUBTFUL = 0.999, 1.1
"""A die of a window that looks strange is doubtful below the former, not only below `dice.DOUBTFUL_BELOW`;
below the latter is each."""

COLORED = 6  # numbers of a die's color: the body's and that of what stands out, CIELAB each


@dataclass(frozen=True, eq=False)
class Dice:
    """What is known of the dice of a window, for training and for judging.

    ``each`` (20, 127) is of each cell, ``filled`` (20,) which of them are dice, as shares from 0 to 1.
    """

    each: Float
    filled: Float

    def together(self, kept: Float | None = None) -> Float:
        """Return what the dice say together, (46,); of some of them only where ``kept`` (20,) says so."""
        filled = self.filled if kept is None else self.filled * kept
        colors, sure = self.each[:, -15:-7], self.each[:, -7:]
        shares = filled[:, None] * sure[:, :5]
        number = shares.sum(axis=0)
        means = (shares.T @ colors[:, :COLORED]) / (number[:, None] + 0.3)
        all_of_them = max(float(filled.sum()), 1.0)
        parts = (
            means.ravel(),
            np.minimum(number, 1),
            (filled @ colors) / all_of_them,
            (filled @ sure[:, 5:]) / all_of_them,
            [np.log1p(filled.sum())],
        )
        return np.concatenate(parts).astype(np.float32)


def dice_of(crops: NDArray[np.uint8], features: Float, logits: Float) -> Dice:
    """Return what is known of the dice of a window.

    Parameters
    ----------
    crops
        (20, 48, 48, 6) uint8, BGR twice, as the reader sees them.
    features
        (20, 112), what the reader saw in them.
    logits
        (20, 25), what it says.
    """
    filled = softmax(logits[:, FILLED])[:, 1] > 0.5
    color, value = softmax(logits[:, COLOR]), softmax(logits[:, VALUE])
    doubts = np.sqrt(np.clip(1 - np.stack([color.max(axis=1), value.max(axis=1)], axis=1), 0, 1))
    each = np.concatenate([features, face_colors(crops), color, doubts], axis=1)
    return Dice(each.astype(np.float32), filled.astype(np.float32))


@cache
def _weights() -> dict[str, Float]:
    with np.load(MODELS / "unlike.npz") as file:
        return {name: file[name].astype(np.float32) for name in file.files}


def strangeness(dice: Dice) -> float:
    """Return how unlike the game's the dice of a window look, as a logit.

    What the reader takes for open spaces counts, too: it takes some dice with black pips for printed values.
    """
    w = _weights()
    seen = np.maximum((dice.each - w["each_mean"]) / w["each_spread"] @ w["each_weight"] + w["each_bias"], 0)
    pooled = []
    for cells in (dice.filled, 1 - dice.filled):
        share = cells[:, None] / max(float(cells.sum()), 1.0)
        mean = (seen * share).sum(axis=0)
        pooled += [mean, np.sqrt((np.square(seen - mean) * share).sum(axis=0) + 1e-4)]
    together = (dice.together() - w["together_mean"]) / w["together_spread"]
    hidden = np.concatenate([*pooled, together]) @ w["hidden_weight"] + w["hidden_bias"]
    return float(np.maximum(hidden, 0) @ w["head_weight"] + w["head_bias"])
