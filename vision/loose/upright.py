"""Which way up is where dice lie: told by the windows beside them, or by all dice together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.geometry import DIE_EDGE, FLOOR_HEIGHT, TOP_HEIGHT, Grid, apply_homography
from vision.loose.finding import Spot

Float = NDArray[np.float64]

ALIKE = 1.6  # how many times larger or smaller than it was marked a die may be by where it lies
NEAR = 0.05  # pitches, a step on the plane that is short enough to be straight
HELD_UPRIGHT = (0.35, 0.6)  # edges by which dice lean upwards in photos taken across a table
ENOUGH = 6  # dice that tell how the direction changes over the photo; fewer tell one for all


def settled(spots: Sequence[Spot], grids: Sequence[Grid]) -> tuple[list[Spot], ...]:
    """Return dice with their ways up and edges set right, as all lie on one table, in each way that may be.

    Where windows were found, the nearest one's plane tells both. Where none was, what the marks say of
    the ways up is smoothed over the photo, or else they lean as in a camera held upright. Marks of another
    size than dice have there are left out.
    """
    if grids:
        placed = (_on_plane(spot, min(grids, key=lambda grid: _away(spot, grid))) for spot in spots)
        return ([spot for spot in placed if spot],)
    spots = _of_one_size(spots)
    held = ([replace(spot, up=np.array([0, -lean * spot.edge])) for spot in spots] for lean in HELD_UPRIGHT)
    return _smoothed(spots), *held


def _away(spot: Spot, grid: Grid) -> float:
    return float(np.linalg.norm(grid.corners_px.mean(axis=0) - spot.top))


def _on_plane(spot: Spot, grid: Grid) -> Spot | None:
    """Return a die as it stands on a window's plane (beyond its horizon: as it was), None if no die can."""
    plane = grid.plane(TOP_HEIGHT)
    middle = apply_homography(np.asarray(np.linalg.inv(plane)), spot.top[None])[0]
    beside = middle + NEAR * np.array([[1, 0], [0, 1]])
    steps = (apply_homography(plane, beside) - spot.top) / NEAR
    edge = DIE_EDGE * float(
        np.linalg.svd(steps, compute_uv=False)[0]
    )  # the direction that is not foreshortened
    up = spot.top - apply_homography(grid.plane(FLOOR_HEIGHT), middle[None])[0]
    if np.linalg.norm(up) > edge:
        return spot
    return replace(spot, up=up, edge=edge) if 1 / ALIKE < edge / spot.edge < ALIKE else None


def _of_one_size(spots: Sequence[Spot]) -> list[Spot]:
    """Return the dice whose edges change evenly over the photo, each half of the way to that."""
    if len(spots) < ENOUGH:
        return list(spots)
    sizes = np.log([[spot.edge] for spot in spots])
    even = _even(spots, sizes, np.array([spot.sure**2 for spot in spots]))
    return [
        replace(spot, edge=float(np.exp((size + usual) / 2)))
        for spot, size, usual in zip(spots, sizes[:, 0], even[:, 0], strict=True)
        if abs(size - usual) < np.log(ALIKE)
    ]


def _smoothed(spots: Sequence[Spot]) -> list[Spot]:
    """Return dice with ways up that change evenly over the photo."""
    if not spots:
        return []
    leans = np.array([spot.up / spot.edge for spot in spots])
    even = np.tile(np.median(leans, axis=0), (len(spots), 1))
    if len(spots) >= ENOUGH:
        even = _even(spots, leans, np.ones(len(spots)))
    return [replace(spot, up=lean * spot.edge) for spot, lean in zip(spots, even, strict=True)]


def _even(spots: Sequence[Spot], values: Float, counts: Float) -> Float:
    """Return values (N, K) of dice as they change evenly over a photo (least absolute errors, reweighted)."""
    tops = np.array([spot.top for spot in spots])
    places = np.column_stack([np.ones(len(spots)), (tops - tops.mean(0)) / (np.ptp(tops) + 1)])
    weights = counts
    for _ in range(8):
        root = np.sqrt(weights)[:, None]
        even = places @ np.linalg.lstsq(places * root, values * root, rcond=None)[0]
        weights = counts / np.maximum(np.linalg.norm(values - even, axis=1), 0.02)
    return np.asarray(even)
