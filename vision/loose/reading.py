"""What loose dice show: color, value, and how sure that is."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.cells.crops import with_light_pips
from vision.cells.dice import contents, probabilities
from vision.find.levels import Levels
from vision.loose.crops import dice_crops
from vision.loose.finding import Spot
from vision.network import reader, to_blob

Float = NDArray[np.float64]

LEAST = 0.02  # so that one die that cannot be read does not outweigh all others
GROUP = 20
"""Dice of a photo that are read together, as they lie in one light."""
TURNS_DEG = (0, 15, 30, 45, 60, 75)
"""Loose dice lie at any angle, those in a window hardly turned: at one of these they look like such."""


def read_best(photo: Levels, ways: Sequence[Sequence[Spot]]) -> tuple[Sequence[Spot], Float]:
    """Return the dice in that of several ways up in which they are read most surely, and `read_dice` of them.

    The clearest of them decide.
    """
    if len(ways) == 1 or not ways[0]:
        return ways[0], read_dice(photo, ways[0])
    clearest = sorted(range(len(ways[0])), key=lambda k: -ways[0][k].sure)[:GROUP]

    def surety(spots: Sequence[Spot]) -> float:
        some = [spots[k] for k in clearest]
        best = read_dice(photo, some)[:, 1:].max(axis=1)
        return float(np.log(best + LEAST) @ np.array([spot.sure for spot in some]))

    chosen = max(ways, key=surety)
    return chosen, read_dice(photo, chosen)


def read_dice(photo: Levels, spots: Sequence[Spot]) -> Float:
    """Return the probabilities of all that may lie in some places, (N, 31), in the order of ``CONTENTS``.

    The reader of cells reads them, each turned in steps; the turn at which it is surest counts.
    """
    looks = [_read(photo, spots, np.deg2rad(turn)) for turn in TURNS_DEG]
    every = np.stack(looks)  # turns, dice, contents
    surest = every[:, :, 1:].max(axis=2).argmax(axis=0)
    return np.asarray(every[surest, np.arange(len(spots))])


def straight(photo: Levels, spots: Sequence[Spot]) -> NDArray[np.uint8]:
    """Return dice as the reader sees those of a window, (N, 48, 48, 6) uint8, turned so that it is surest.

    Their pips may be light or dark.
    """
    turned = np.stack([dice_crops(photo, spots, np.deg2rad(turn)) for turn in TURNS_DEG])
    sure = np.stack(
        [np.maximum(*(_surety(look(crops)) for look in (np.asarray, with_light_pips))) for crops in turned]
    )
    return np.asarray(turned[sure.argmax(axis=0), np.arange(len(spots))], dtype=np.uint8)


def _surety(crops: NDArray[np.uint8]) -> Float:
    """Return how sure the reader is of the likeliest die, (N,)."""
    return np.asarray(_held(crops)[:, 1:].max(axis=1), dtype=np.float64)


def _read(photo: Levels, spots: Sequence[Spot], turn: float) -> Float:
    return _held(dice_crops(photo, spots, turn))


def _held(crops: NDArray[np.uint8]) -> Float:
    """Return the probabilities of all that crops may show, (N, 31)."""
    held = [np.empty((0, 31))]
    for first in range(0, len(crops), GROUP):
        part = crops[first : first + GROUP]
        logits = reader().run(to_blob(part[np.resize(np.arange(len(part)), GROUP)]))  # fewer are repeated
        held.append(contents(probabilities(logits))[: len(part)])
    return np.concatenate(held)
