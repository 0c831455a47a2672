"""Which loose dice lie on the round track, and on which of its ten spaces."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.loose.finding import Spot

Float = NDArray[np.float64]
Lab = NDArray[np.float32]

ROUNDS = 10
FEWEST = 4  # dice in a row that are no accident
STEP = (0.85, 2.6)  # edges from one space of the track to the next
SPACES = (1, 2, 3)  # from one die to the next, the nearer first
STRAY = 0.4  # steps by which a die may lie off the place where its row goes on
BESIDE = 1.3  # steps: with other dice so near, a row is part of a heap
# The track's paper reaches farther on the side of its numbers. In steps, set by hand on drawn tracks.
BESIDE_ROW, WIDER = 0.6, 0.25  # where paper shows beside the dice
FAR = (-2.6, -2.4, -2.2, 2.2, 2.4, 2.6)  # where the table shows
BEFORE = (1.4, 1.6, 1.8, 2.0)  # where the table shows before the first space
UNLIKE = 12.0  # in Lab: paper and table that differ less are not told apart


def row_of(spots: Sequence[Spot]) -> dict[int, int]:
    """Return which dice lie on a round track: their indices, each with the number of its space along the row.

    Spaces between two dice may seem empty, as dice that were not found leave them. Without a row, nothing.
    """
    feet = np.array([spot.top - spot.up for spot in spots]).reshape(-1, 2)
    edges = np.array([spot.edge for spot in spots])
    best: dict[int, int] = {}
    for i, j in permutations(range(len(spots)), 2):
        step = feet[j] - feet[i]
        if STEP[0] < np.linalg.norm(step) / edges[[i, j]].mean() < STEP[1]:
            row = _continued(feet, {i: 0, j: 1})
            if len(row) > len(best) and max(row.values()) < ROUNDS and _stands_alone(feet, list(row)):
                best = row
    return best if len(best) >= FEWEST else {}


def _continued(feet: Float, row: dict[int, int]) -> dict[int, int]:
    """Return a row with all dice that go on where it points to, step by step."""
    while True:
        *_, before, last = row
        step = (feet[last] - feet[before]) / (row[last] - row[before])
        if len(row) > 2:  # dice lie anyhow on their spaces: two steps say more than one
            earlier = list(row)[-3]
            step = (feet[last] - feet[earlier]) / (row[last] - row[earlier])
        for spaces in SPACES:
            off = np.linalg.norm(feet - (feet[last] + spaces * step), axis=1)
            off[list(row)] = np.inf
            nearest = int(off.argmin())
            if off[nearest] < STRAY * spaces * np.linalg.norm(step):
                row[nearest] = row[last] + spaces
                break
        else:
            return row


def _stands_alone(feet: Float, chain: list[int]) -> bool:
    """Return whether no other die lies beside a row."""
    others = np.delete(feet, chain, axis=0)
    if not len(others):
        return True
    step = np.linalg.norm(feet[chain[-1]] - feet[chain[0]]) / (len(chain) - 1)
    inner = feet[chain[1:-1]]
    away = np.linalg.norm(others[:, None] - inner[None], axis=-1)
    return bool((away > BESIDE * step).mean() > 0.99) if len(inner) else True


def starts_first(image_bgr: NDArray[np.uint8], row: Sequence[Spot]) -> bool | None:
    """Return whether a row of dice begins at round 1, not at its other end; None where that cannot be told.

    The numbers stand upright above their spaces, 1 at the left, on the wider side of the paper.

    Parameters
    ----------
    image_bgr
        The picture, uint8 H x W x 3, BGR.
    row
        The dice of the track, along it, in pixels of the picture.
    """
    feet = np.array([spot.top - spot.up for spot in row])
    along = (feet[-1] - feet[0]) / (len(feet) - 1)
    above = np.array([along[1], -along[0]])  # to the left of the way, as y points down
    soft = cv2.GaussianBlur(image_bgr, (0, 0), max(0.06 * float(np.linalg.norm(along)), 0.8))
    lab = cv2.cvtColor(soft, cv2.COLOR_BGR2LAB).astype(np.float32)
    between = (feet[1:] + feet[:-1]) / 2
    table = np.median(np.concatenate([_seen(lab, between, far * above)[0] for far in FAR]), axis=0)
    beside = [np.median(_seen(lab, between, near * above)[0], axis=0) for near in (-BESIDE_ROW, BESIDE_ROW)]
    paper = max(beside, key=lambda color: float(np.linalg.norm(color - table)))
    if np.linalg.norm(paper - table) < UNLIKE:
        return None
    wide = [_reach(lab, between, side, paper, table) for side in (above, -above)]
    if abs(wide[0] - wide[1]) < WIDER:
        return None
    first = wide[0] > wide[1]
    start, back = (feet[0], -along) if first else (feet[-1], along)
    before = _seen(lab, start + np.array(BEFORE)[:, None] * back, np.zeros(2))[0]
    on_paper = np.linalg.norm(before - paper, axis=1) < np.linalg.norm(before - table, axis=1)
    # A row whose paper goes on before it has lost its first dice: who knows how many.
    return None if len(row) < ROUNDS and on_paper.mean() > 0.5 else first


def _reach(lab: Lab, between: Float, side: Float, paper: Lab, table: Lab) -> float:
    """Return how far the paper reaches to one side of the dice before the table begins, in steps."""
    for step in np.arange(BESIDE_ROW, max(FAR), 0.07).tolist():
        seen, inside = _seen(lab, between, step * side)
        on_paper = np.linalg.norm(seen - paper, axis=1) < np.linalg.norm(seen - table, axis=1)
        if (on_paper & inside).mean() < 0.5:
            return float(step)
    return max(FAR)


def _seen(lab: Lab, spots: Float, shift: Float) -> tuple[Lab, NDArray[np.bool_]]:
    """Return the colors (N, 3) at places (N, 2) that are moved, and which of these lie in the picture."""
    places, last = spots + shift, np.array(lab.shape[1::-1]) - 1
    at = np.clip(places, 0, last).astype(int)
    return lab[at[:, 1], at[:, 0]], np.asarray(((places >= 0) & (places <= last)).all(axis=1))
