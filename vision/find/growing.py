"""Grow a lattice from the marks alone, for windows whose outline tells little.

Where the picture's edge or a hand covers part of the window, its area is no quadrilateral. Then
neighboring marks are numbered outwards from a seed, as in corner detectors for calibration
boards (Geiger et al. 2012), and every 5 x 4 piece of the numbered marks is a start for the fit.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import CELL_CENTERS, COLUMNS, ROWS, apply_homography

Float = NDArray[np.float64]
Index = tuple[int, int]

SEEDS = 5  # marks from which growing is tried
SYMMETRY = 0.15  # how far from straight across a neighbor's counterpart may be, of their distance
REACH = 0.42  # how far a mark may lie from where its neighbors predict it, in steps
RENUMBER = 0.3  # how far from a whole number a mark's place may be, in steps
MIN_GROWN = 9
FARTHEST = 12  # places further from the seed than this are no neighbors any more
STEPS: tuple[Index, ...] = ((1, 0), (-1, 0), (0, 1), (0, -1))


def starts(marks: Float) -> list[Float]:
    """Return homographies (board coordinates to view pixels) that the marks suggest, best first.

    Parameters
    ----------
    marks
        Middles of cells in view pixels, shape (N, 2); some may be missing or false.
    """
    found: list[tuple[int, Float]] = []
    if len(marks) < MIN_GROWN:
        return []
    for seed in seeds(marks):
        numbered = grow(marks, seed)
        if len(numbered) >= MIN_GROWN:
            found += _pieces(numbered, marks)
    found.sort(key=lambda pair: -pair[0])
    return [homography for _, homography in found]


def seeds(marks: Float) -> list[int]:
    """Return the marks from which growing is worth trying: those amid the most regular neighbors.

    In a lattice each neighbor has another one straight across.
    """
    apart = np.linalg.norm(marks[:, None] - marks[None], axis=-1)
    near = apart.argsort(axis=1)[:, 1:9]
    across = 2 * marks[:, None] - marks[near]
    missing = np.linalg.norm(across[:, :, None] - marks[None, None], axis=-1).min(axis=2)
    regular = (missing < SYMMETRY * np.take_along_axis(apart, near, axis=1)).sum(axis=1)
    away = np.linalg.norm(marks - np.median(marks, axis=0), axis=1)
    return [int(seed) for seed in np.lexsort((away, -regular))[:SEEDS]]


def grow(marks: Float, seed: int) -> dict[Index, int]:
    """Return the place of each mark that grows from a seed; the first steps go to its nearest neighbors."""
    offsets = marks - marks[seed]
    near = np.linalg.norm(offsets, axis=1).argsort()[1:9]
    first = offsets[near[0]]
    crossing = [
        k
        for k in near[1:]
        if abs(_cross(first, offsets[k])) > 0.6 * np.linalg.norm(first) * np.linalg.norm(offsets[k])
    ]
    if not crossing:
        return {}
    second = offsets[crossing[0]]
    if _cross(first, second) < 0:  # keep the board's sense of turning: x right, y down
        second = -second
    axes = {(1, 0): first, (-1, 0): -first, (0, 1): second, (0, -1): -second}
    numbered: dict[Index, int] = {(0, 0): seed}
    taken = {seed}
    queue: list[Index] = [(0, 0)]
    while queue:
        i, j = queue.pop(0)
        here = marks[numbered[i, j]]
        for di, dj in STEPS:
            there = (i + di, j + dj)
            if there in numbered:
                continue
            behind = numbered.get((i - di, j - dj))
            step = axes[di, dj] if behind is None else here - marks[behind]
            distance = np.linalg.norm(marks - here - step, axis=1)
            k = int(distance.argmin())
            if k not in taken and distance[k] < REACH * np.linalg.norm(step):
                numbered[there] = k
                taken.add(k)
                queue.append(there)
    return numbered


def _cross(a: Float, b: Float) -> float:
    return float(a[0] * b[1] - a[1] * b[0])


def plane_of(numbered: dict[Index, int], marks: Float) -> Float | None:
    """Return the homography from lattice numbers to view pixels."""
    index = np.array(list(numbered), dtype=np.float64)
    found, _ = cv2.findHomography(index, marks[list(numbered.values())], cv2.RANSAC, 8.0)
    to_view = np.asarray(found, dtype=np.float64)  # NaN where there is none
    return to_view if to_view.shape == (3, 3) and abs(np.linalg.det(to_view)) > 1e-9 else None


def _pieces(numbered: dict[Index, int], marks: Float) -> list[tuple[int, Float]]:
    """Return (marks covered, homography) for each 5 x 4 and 4 x 5 piece of the numbered marks."""
    to_view = plane_of(numbered, marks)
    if to_view is None:
        return []
    # Where perspective outran the steps, the plane of the first numbers reaches the other marks.
    places = apply_homography(np.asarray(np.linalg.inv(to_view)), marks)
    whole = np.round(places)
    close = np.flatnonzero(np.linalg.norm(places - whole, axis=1) < RENUMBER)
    numbered = {(int(whole[k, 0]), int(whole[k, 1])): int(k) for k in close}
    better = plane_of(numbered, marks) if len(numbered) >= MIN_GROWN else None
    if better is None:
        return []
    to_view = better
    index = np.array([place for place in numbered if max(map(abs, place)) <= FARTHEST])
    if len(index) < MIN_GROWN:
        return []
    low, high = index.min(0), index.max(0)
    found = []
    for turned in (False, True):
        wide, tall = (ROWS, COLUMNS) if turned else (COLUMNS, ROWS)
        # How many marks each piece covers, from sums over a table of the numbered places; a piece may
        # reach beyond them all.
        table = np.zeros((high[0] - low[0] + 2 * wide, high[1] - low[1] + 2 * tall))
        table[index[:, 0] - low[0] + wide, index[:, 1] - low[1] + tall] = 1
        sums = np.pad(table, ((1, 0), (1, 0))).cumsum(0).cumsum(1)
        covered = sums[wide:, tall:] - sums[:-wide, tall:] - sums[wide:, :-tall] + sums[:-wide, :-tall]
        for i, j in np.argwhere(covered >= MIN_GROWN).tolist():
            i0, j0 = i + int(low[0]) - wide, j + int(low[1]) - tall
            if turned:  # columns run along j, rows against i
                to_index = np.array([[0, -1, i0 + wide - 0.5], [1, 0, j0 - 0.5], [0, 0, 1]])
            else:
                to_index = np.array([[1, 0, i0 - 0.5], [0, 1, j0 - 0.5], [0, 0, 1.0]])
            homography = to_view @ to_index
            if np.isfinite(apply_homography(homography, CELL_CENTERS)).all():
                found.append((int(covered[i, j]), homography))
    return found
