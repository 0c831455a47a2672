"""What loose dice show: color, value, and how sure that is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.cells.dice import contents, probabilities
from vision.cells.household import Seen, colors_by, match_of
from vision.find.levels import Levels
from vision.loose.crops import dice_crops
from vision.loose.finding import Spot
from vision.network import reader, to_blob
from vision.profile import Pips, Profile

Float = NDArray[np.float64]

LEAST = 0.02  # so that one die that cannot be read does not outweigh all others
GROUP = 20
"""Dice of a photo that are read together, as they lie in one light."""
TURNS_DEG = (0, 15, 30, 45, 60, 75)
"""Loose dice lie at any angle, those in a window hardly turned: at one of these they look like such."""


def read_best(
    photo: Levels, ways: Sequence[Sequence[Spot]], profile: Profile | None = None
) -> tuple[Sequence[Spot], Float]:
    """Return the dice in that of several ways up in which they are read most surely, and `read_dice` of them.

    The clearest of them decide.
    """
    if len(ways) == 1 or not ways[0]:
        return ways[0], read_dice(photo, ways[0], profile)
    clearest = sorted(range(len(ways[0])), key=lambda k: -ways[0][k].sure)[:GROUP]

    def surety(spots: Sequence[Spot]) -> float:
        some = [spots[k] for k in clearest]
        best = read_dice(photo, some, profile)[:, 1:].max(axis=1)
        return float(np.log(best + LEAST) @ np.array([spot.sure for spot in some]))

    chosen = max(ways, key=surety)
    return chosen, read_dice(photo, chosen, profile)


def read_dice(photo: Levels, spots: Sequence[Spot], profile: Profile | None = None) -> Float:
    """Return the probabilities of all that may lie in some places, (N, 31), in the order of ``CONTENTS``.

    The reader of cells reads them, each turned in steps; the turn at which it is surest counts. With a
    ``profile`` they are taken for its dice.
    """
    pips = profile.pips if profile else Pips.LIGHT
    # By turns, dice and contents.
    every = np.stack([_held(crops, pips, profile) for crops in _turned(photo, spots)])
    surest = every[:, :, 1:].max(axis=2).argmax(axis=0)
    return np.asarray(every[surest, np.arange(len(spots))])


def straight(photo: Levels, spots: Sequence[Spot]) -> NDArray[np.uint8]:
    """Return dice as the reader sees those of a window, (N, 48, 48, 6) uint8, turned so that it is surest.

    Their pips may be light or dark.
    """
    turned = np.stack(list(_turned(photo, spots)))
    ways = (Pips.LIGHT, Pips.DARK)
    looks = [[_held(crops, pips)[:, 1:].max(axis=1) for pips in ways] for crops in turned]
    surest = np.array(looks).max(axis=1).argmax(axis=0)
    return np.asarray(turned[surest, np.arange(len(spots))], dtype=np.uint8)


def profile_of(photo: Levels, spots: Sequence[Spot], profiles: Sequence[Profile]) -> Profile | None:
    """Return which of some profiles has dice like the clearest of these, None where none has."""
    clearest = sorted(spots, key=lambda spot: -spot.sure)[:GROUP]
    if not profiles or not clearest:
        return None
    match = match_of(_seen(straight(photo, clearest)), profiles, strange=False)
    return match.profile if match else None


def _turned(photo: Levels, spots: Sequence[Spot]) -> Iterator[NDArray[np.uint8]]:
    """Yield the crops of dice, turned in steps."""
    return (dice_crops(photo, spots, np.deg2rad(turn)) for turn in TURNS_DEG)


def _seen(crops: NDArray[np.uint8]) -> Seen:
    """Return what the reader makes of at most `GROUP` crops; fewer are repeated."""
    every = crops[np.resize(np.arange(len(crops)), GROUP)]
    return Seen(every, *reader().run_both(to_blob(every)))


def _held(crops: NDArray[np.uint8], pips: Pips, profile: Profile | None = None) -> Float:
    """Return the probabilities of all that crops may show, (N, 31)."""
    held = [np.empty((0, 31))]
    for first in range(0, len(crops), GROUP):
        part = crops[first : first + GROUP]
        seen = _seen(part)
        # Loose dice look strange to what knows dice in windows, so that this alone makes them no odd ones.
        plain = profile is None and pips is Pips.LIGHT
        cells = probabilities(seen.logits if plain else seen.logits_for(pips))
        if profile is not None:
            cells = replace(cells, color=colors_by(seen, profile, alone=True))
        held.append(contents(cells)[: len(part)])
    return np.concatenate(held)
