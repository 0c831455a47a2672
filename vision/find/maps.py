"""What the finder network says of one view, and what follows for the lattice in it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.find import lattice
from vision.find.views import STRAIGHT_PITCH_PX, FinderView, to_map
from vision.geometry import CELL_CENTERS, COLUMNS, ROWS, Grid, apply_homography, are_inside, estimate_rise
from vision.network import finder, sigmoid, to_blob

Float = NDArray[np.float64]

# How far the marks of the dice's tops may pull the rise from what the surface's tilt says, in view
# pixels. Set by hand, not fitted.
RISE_SIGMA_PX, RISE_SIGMA_DEPTH, MARK_SIGMA_PX = 5.0, 0.03, 1.5
MAX_PULL = 0.35  # pitches by which the marks may move the tops from there
UNSEEN_ART, UNSEEN_SPOTS = 0.2, 6  # art where nobody sees, and as how many of 128 spots of a side it counts
DIE_LEVEL, DIE_GATE = 0.5, 0.3  # how clear a mark of a die's top is, and how near, in pitches; set by hand


@dataclass(frozen=True, eq=False)
class Maps:
    """The finder's maps of one view, each 96 x 96 in [0, 1].

    Middles of cells on the frame, middles of the dice's tops, the window's area, the art above it.
    """

    view: FinderView
    cells: NDArray[np.float32]
    tops: NDArray[np.float32]
    window: NDArray[np.float32]
    art: NDArray[np.float32]


def look(view: FinderView) -> Maps:
    """Run the finder on a view."""
    maps = sigmoid(finder().run(to_blob(view.image_bgr[None])))[0]
    return Maps(view, maps[0], maps[1], maps[2], maps[3])


def with_rise(maps: Maps, grid: Grid, size: tuple[int, int]) -> Grid:
    """Return the grid with the plane of the dice's tops moved to where their marks lie.

    Linear least squares for the three numbers of the rise, held by the estimate from the
    surface's tilt as far as the marks leave it open.
    """
    back = np.linalg.inv(maps.view.to_photo)
    base = back @ grid.homography
    prior = back @ estimate_rise(grid.homography, size)
    scale = base[2] @ [2.5, 2, 1]
    base, prior = base / scale, prior / scale
    marks = lattice.peaks(maps.tops, 0.3)
    if not len(marks):
        return replace(grid, rise=maps.view.to_photo @ prior * scale)
    rise = prior
    sigma = np.array([RISE_SIGMA_PX, RISE_SIGMA_PX, RISE_SIGMA_DEPTH])
    # A view pixel moves with the first two numbers directly and with depth times its distance.
    for gate in (0.4, 0.25):
        lifted = base.copy()
        lifted[:, 2] += rise
        predicted = apply_homography(lifted, CELL_CENTERS)
        distance = np.linalg.norm(predicted[:, None] - marks[None], axis=-1)
        near = distance.argmin(1)
        index = np.flatnonzero(distance[np.arange(20), near] < gate * STRAIGHT_PITCH_PX)
        if not len(index):
            break
        board = np.column_stack([CELL_CENTERS[index], np.ones(len(index))]) @ base.T
        x, y = marks[near[index]].T
        one, zero = np.ones_like(x), np.zeros_like(x)
        rows = np.concatenate([np.stack([one, zero, -x], 1), np.stack([zero, one, -y], 1)])
        goal = np.concatenate([x * board[:, 2] - board[:, 0], y * board[:, 2] - board[:, 1]])
        # Work relative to the view's middle so that depth and shift are nearly independent.
        middle = base @ [2.5, 2, 1]
        to_middle = np.array([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, 1.0]])
        rows_m, prior_m = rows @ np.linalg.inv(to_middle), to_middle @ prior
        left = np.concatenate([rows_m / MARK_SIGMA_PX, np.diag(1 / sigma)])
        right = np.concatenate([goal / MARK_SIGMA_PX, prior_m / sigma])
        solved, *_ = np.linalg.lstsq(left, right, rcond=None)
        rise = np.linalg.inv(to_middle) @ solved
    lifted = [base + np.column_stack([np.zeros((3, 2)), one]) for one in (rise, prior)]
    away = np.diff([apply_homography(one, CELL_CENTERS).mean(axis=0) for one in lifted], axis=0)
    if np.linalg.norm(away) > MAX_PULL * STRAIGHT_PITCH_PX:  # marks of something else
        rise = prior
    return replace(grid, rise=maps.view.to_photo @ rise * scale)


def dice_seen(maps: Maps, grid: Grid, level: float = DIE_LEVEL) -> tuple[NDArray[np.bool_], int]:
    """Return in which cells (20,) of a grid the top of a die is marked, and how many marks lie in it."""
    tops: Float = np.linalg.inv(maps.view.to_photo) @ grid.plane(1.0)
    marks = lattice.peaks(maps.tops, level)
    if not len(marks):
        return np.zeros(20, bool), 0
    away = np.linalg.norm(apply_homography(tops, CELL_CENTERS)[:, None] - marks[None], axis=-1).min(axis=1)
    board = apply_homography(np.asarray(np.linalg.inv(tops), dtype=np.float64), marks)
    within = ((board > 0) & (board < [COLUMNS, ROWS])).all(axis=1)
    return np.asarray(away < DIE_GATE * STRAIGHT_PITCH_PX), int(within.sum())


def upright_probability(maps: Maps, homography: Float, size: tuple[int, int]) -> float:
    """Return the probability that row A is on the art's side, from the art map alone."""
    above, _, below, _ = art_beside(maps, homography, size)
    return float(1 / (1 + np.exp(-8 * (above - below))))


def art_beside(maps: Maps, homography: Float, size: tuple[int, int]) -> tuple[float, float, float, float]:
    """Return how much art there is above, right of, below and left of a lattice in the view, each 0 to 1.

    Only what lies in the photo, of (width, height) pixels, speaks for or against it.
    """
    along, away = np.linspace(0.06, 0.94, 16), np.linspace(0.3, 1.2, 8)
    t, d = (grid.ravel() for grid in np.meshgrid(along, away))
    bands = (
        np.column_stack([COLUMNS * t, -d]),
        np.column_stack([COLUMNS + d, ROWS * t]),
        np.column_stack([COLUMNS * t, ROWS + d]),
        np.column_stack([-d, ROWS * t]),
    )
    above, right, below, left = (art_at(maps, homography, band, size) for band in bands)
    return above, right, below, left


def art_at(maps: Maps, homography: Float, board: Float, size: tuple[int, int]) -> float:
    """Return the mean of the art at points of the board, as far as they are in view and in the photo."""
    seen = apply_homography(homography, board)
    spots = np.round(to_map(seen)).astype(int)
    within = ((spots >= 0) & (spots < maps.art.shape[0])).all(1)
    spots = spots[within & are_inside(apply_homography(maps.view.to_photo, seen), size)]
    art = float(maps.art[spots[:, 1], spots[:, 0]].sum())
    return (art + UNSEEN_ART * UNSEEN_SPOTS) / (len(spots) + UNSEEN_SPOTS)
