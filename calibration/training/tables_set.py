"""Tables with dice as arrays: drawn ones, and path-traced ones, each photographed ``PHOTOS`` times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.training.loose_set import arrays_of_dice
from calibration.training.shards import Arrays, stacked
from calibration.training.synthetic import tables
from calibration.training.synthetic.tables import Table
from vision.detection.views import PADDING, VIEW_PX

PHOTOS = 10
SIZES = ((720, 540), (540, 720), (640, 640), (800, 450))
TRACED_SIZES = ((480, 400), (400, 480), (440, 440))
VIEWS = 2  # a photo
ABOUT_A_DIE, ABOUT_A_DIE_HARD = 0.9, 0.6  # share of the views; others show any part of the table
EDGES_PX = (10.0, 40.0)  # of a die in a view, near the view's middle
MARK = np.dtype([("top", "f4", 2), ("foot", "f4", 2), ("edge", "f4"), ("hidden", "?")])


def arrays_of(
    seed: int,
    *,
    hard: bool = False,
    upright: bool = False,
    loose: bool = False,
    tokens: bool = False,
    low: bool = False,
) -> Arrays:
    """Return what is learned from one drawn table, see `arrays_of_photos` and `loose_set.arrays_of_dice`.

    With ``tokens`` favor tokens are marked in place of dice, in twice as many views.
    """
    rng = np.random.default_rng(seed)
    size = SIZES[int(rng.integers(len(SIZES)))]
    table = tables.render(rng, size=size, hard=hard, upright=upright, tokens=tokens, low=low)
    if tokens:
        return arrays_of_photos(seed, [replace(table, dice=table.beads)] * 2, hard=hard)
    return arrays_of_dice(seed, [table]) if loose else arrays_of_photos(seed, [table], hard=hard)


def traced_arrays_of(seed: int, *, hard: bool = False, loose: bool = False, tokens: bool = False) -> Arrays:
    """Return what is learned from several photos of one path-traced table, as `arrays_of` does."""
    from calibration.training.synthetic import traced  # noqa: PLC0415 - needs the `train` extra

    rng = np.random.default_rng(seed)
    size = TRACED_SIZES[int(rng.integers(len(TRACED_SIZES)))]
    drawing = traced.draw_table(rng, size=size, hard=hard, tokens=tokens)
    shakes = [np.random.default_rng([seed, k]) for k in range(PHOTOS)]
    photos = [traced.photographed(shake, drawing, far_away=0.4, dark_table=tokens) for shake in shakes]
    return arrays_of_dice(seed, photos) if loose else arrays_of_photos(seed, photos, hard=hard)


def arrays_of_photos(seed: int, photos: Sequence[Table], *, hard: bool) -> Arrays:
    """Return the arrays of one scene's photos.

    ``views`` (N, 384, 384, 3) uint8 BGR, ``view_seeds`` (N,), and ``marks`` (M,) of `MARK`, those of the
    first view first; ``mark_counts`` (N,) says how many each has.
    """
    rng = np.random.default_rng([seed, 1])
    marks: list[tuple[object, ...]] = []
    views = []
    for table in (table for table in photos for _ in range(VIEWS)):
        zoom, shift = _random_view(rng, table, ABOUT_A_DIE_HARD if hard else ABOUT_A_DIE)
        there = (mark.moved(zoom, shift) for mark in table.dice)
        marks += [(one.top, one.foot, one.edge, one.hidden) for one in there]
        soft = cv2.GaussianBlur(table.image_bgr, (0, 0), 0.4 / zoom) if zoom < 0.7 else table.image_bgr
        change = np.array([[zoom, 0, shift[0]], [0, zoom, shift[1]]])
        view = cv2.warpAffine(soft, change, (VIEW_PX, VIEW_PX), borderValue=(PADDING,) * 3)
        views.append({"views": view, "mark_counts": len(table.dice)})
    return {**stacked(views, view_seeds=seed), "marks": np.array(marks, MARK)}


def _random_view(
    rng: np.random.Generator, table: Table, about_a_die: float
) -> tuple[float, NDArray[np.float64]]:
    """Return zoom and shift to a view that shows a part of the table, mostly about one of its dice."""
    height, width = table.image_bgr.shape[:2]
    edge, middle = rng.uniform(8, 40), rng.uniform(0, 1, 2) * (width, height)
    if table.dice and rng.random() < about_a_die:
        mark = table.dice[int(rng.integers(len(table.dice)))]
        edge, middle = mark.edge, mark.top + rng.normal(0, 0.1, 2) * (width, height)
    zoom = min(float(np.exp(rng.uniform(*np.log(EDGES_PX)))) / edge, 1.3)
    return zoom, VIEW_PX / 2 - middle * zoom
