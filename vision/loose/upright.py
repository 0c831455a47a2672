"""Which way up is where dice lie: told by the windows beside them, or by all dice together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.geometry import DIE_EDGE, FLOOR_HEIGHT, TOP_HEIGHT, Grid, apply_homography
from vision.loose.finding import Spot

Float = NDArray[np.float64]

ALIKE = 1.6  # how many times larger than it was marked a die may be by the windows' plane
NEAR = 0.05  # pitches, a step on the plane that is short enough to be straight
HELD_UPRIGHT = (0.35, 0.6)  # edges by which dice lean upwards in photos taken across a table
ENOUGH = 6  # dice that tell how the direction changes over the photo; fewer tell one for all


def settled(spots: Sequence[Spot], grids: Sequence[Grid]) -> tuple[list[Spot], ...]:
    """Return dice with their ways up and edges set right, as all lie on one table, in each way that may be.

    Where windows were found, the nearest one's plane tells both. Where none was, what the marks say of
    the ways up is smoothed over the photo, or else they lean as in a camera held upright.
    """
    if grids:
        return ([_on_plane(spot, min(grids, key=lambda grid: _away(spot, grid))) for spot in spots],)
    held = ([replace(spot, up=np.array([0, -lean * spot.edge])) for spot in spots] for lean in HELD_UPRIGHT)
    return _smoothed(spots), *held


def _away(spot: Spot, grid: Grid) -> float:
    return float(np.linalg.norm(grid.corners_px.mean(axis=0) - spot.top))


def _on_plane(spot: Spot, grid: Grid) -> Spot:
    """Return a die as it stands on a window's plane, or as it was where that cannot be."""
    plane = grid.plane(TOP_HEIGHT)
    middle = apply_homography(np.asarray(np.linalg.inv(plane)), spot.top[None])[0]
    beside = middle + NEAR * np.array([[1, 0], [0, 1]])
    steps = (apply_homography(plane, beside) - spot.top) / NEAR
    edge = DIE_EDGE * float(
        np.linalg.svd(steps, compute_uv=False)[0]
    )  # the direction that is not foreshortened
    up = spot.top - apply_homography(grid.plane(FLOOR_HEIGHT), middle[None])[0]
    if not 1 / ALIKE < edge / spot.edge < ALIKE or np.linalg.norm(up) > edge:
        return spot
    return replace(spot, up=up, edge=edge)


def _smoothed(spots: Sequence[Spot]) -> list[Spot]:
    """Return dice with ways up that change evenly over the photo (least absolute errors, reweighted)."""
    if not spots:
        return []
    tops = np.array([spot.top for spot in spots])
    leans = np.array([spot.up / spot.edge for spot in spots])
    if len(spots) < ENOUGH:
        even = np.tile(np.median(leans, axis=0), (len(spots), 1))
    else:
        places = np.column_stack([np.ones(len(spots)), (tops - tops.mean(0)) / (np.ptp(tops) + 1)])
        weights = np.ones(len(spots))
        for _ in range(8):
            root = np.sqrt(weights)[:, None]
            even = places @ np.linalg.lstsq(places * root, leans * root, rcond=None)[0]
            weights = 1 / np.maximum(np.linalg.norm(leans - even, axis=1), 0.02)
    return [replace(spot, up=lean * spot.edge) for spot, lean in zip(spots, even, strict=True)]
