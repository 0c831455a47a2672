"""Windows with something over them, or with a hidden outer line, as arrays.

Each scene is drawn once and photographed `LOOKS` times: as it is, and with other things over it. There are
``views`` (N, 156, 180, 6) uint8 as `vision.geometry.window_view` gives them, a little larger; ``hidden``
(N, 20), the share of each cell that is hidden by what lies over it, ``behind`` (N, 20), by the dice in front
of it, ``inside`` (N, 20), the share that is in the picture; ``dice`` (N, 20) and ``seeds`` (N,).

`lines` has something over a whole row or column at the edge, and the finder sees the block of the others.
There are such ``views`` (N, 4, 156, 180, 6): of the lattice as it is, and of those that have the same block
and the line elsewhere, black where there are fewer; ``counts`` (N,) says how many there are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.training.dataset import jittered_grid
from calibration.training.shards import Arrays, stacked
from calibration.training.synthetic import scene
from calibration.training.synthetic.covers import behind_dice, cell_spots, covered, covered_line
from vision.detection.sighting import LINES, WAYS
from vision.geometry import CELL_CENTERS, Grid, apply_homography, are_inside, window_view

LOOKS = 5
LINE_LOOKS, TRIES = 4, 12
SIZES = ((440, 330), (330, 440), (400, 400), (520, 390))
SLACK = 0.25  # pitches around a view that training cuts off at random
SMALLEST_PX, MOST_HIDDEN, LEAST_INSIDE = 14, 13, 12
"""Windows with less than so many pixels a pitch, more cells hidden or less in view are found by nobody."""
HIDDEN, IN_VIEW = 0.55, 0.45  # shares of a cell: of each in a hidden line, and of one that shows at most
MOST_MORE = 4  # cells beside the line that may be hidden, too


def looks_at(rng: np.random.Generator, drawing: scene.Drawing) -> Iterator[Arrays]:
    """Yield the arrays of photos of one drawing, the first of them with nothing over the window."""
    window = drawing.windows[0]
    behind = behind_dice(window)
    for k in range(LOOKS):
        changed, hidden = covered(rng, drawing.image, window) if k else (drawing.image, np.zeros(20))
        if (hidden > 0.5).sum() > MOST_HIDDEN:
            continue
        photo = scene.photographed(rng, replace(drawing, image=changed))
        size = photo.image_bgr.shape[1::-1]
        spots = cell_spots(photo.windows[0])
        inside = are_inside(spots.reshape(-1, 2), size).reshape(20, -1).mean(axis=1)
        seen = are_inside(apply_homography(photo.windows[0].base, CELL_CENTERS), size)
        true = Grid(photo.windows[0].base, np.zeros(3))
        if seen.sum() < LEAST_INSIDE or true.pitch_px < SMALLEST_PX:
            continue
        # A finder that misses marks is off by more.
        off = float(rng.choice([0.03, 0.07, 0.11], p=[0.7, 0.2, 0.1]))
        grid = jittered_grid(rng, photo.windows[0], pitch_sigma=off, rise_sigma=0.2)
        yield {
            "views": window_view(photo.image_bgr, grid, 1 + SLACK),
            "hidden": hidden,
            "behind": behind,
            "inside": inside,
            "dice": np.array([code != "--" for code in window.dice]),
        }


def _around_a_window(rng: np.random.Generator) -> scene.Drawing | None:
    """Return the part of a drawing that shows its first window and what a view shows around it."""
    drawing = scene.draw(rng, size=SIZES[int(rng.integers(len(SIZES)))], hard=rng.random() < 0.25)
    if not drawing.windows:
        return None
    window, finer = drawing.windows[0], scene.FINER
    points = apply_homography(window.top, np.array([[-2, -2], [7, -2], [7, 6], [-2, 6.0]]))
    height, width = drawing.image.shape[:2]
    low = np.clip(points.min(0), 0, [width - 60, height - 60]).astype(int)
    high = np.clip(points.max(0), low + 60, [width, height]).astype(int)
    size = tuple(((high - low) / finer).round().astype(int).tolist())
    move = np.eye(3)
    move[:2, 2] = -low
    image = drawing.image[low[1] : high[1], low[0] : high[0]].copy()
    return scene.Drawing(image, (window.moved(move),), size, drawing.pitch_px)


def drawn(seed: int) -> Arrays:
    """Return the looks at one drawn scene."""
    rng = np.random.default_rng(seed)
    drawing = _around_a_window(rng)
    return stacked(looks_at(rng, drawing), seeds=seed) if drawing else {}


def hidden_line(hidden: NDArray[np.float64]) -> str | None:
    """Return the outer line that is hidden, where one is and something shows of all others."""
    shown = (hidden <= IN_VIEW).reshape(4, 5)
    for side, cells in LINES.items():
        rest = np.delete(hidden, cells)
        lines = shown.any(axis=0).sum() + shown.any(axis=1).sum()
        if (hidden[cells] >= HIDDEN).all() and (rest > IN_VIEW).sum() <= MOST_MORE and lines == 8:
            return side
    return None


def lines_looked_at(seed: int) -> Iterator[Arrays]:
    """Yield the looks at one scene."""
    rng = np.random.default_rng(seed)
    drawing = _around_a_window(rng)
    if not drawing:
        return
    for _ in range(LINE_LOOKS):
        for _ in range(TRIES):
            changed, hidden = covered_line(rng, drawing.image, drawing.windows[0])
            if side := hidden_line(hidden):
                break
        else:
            continue
        photo = scene.photographed(rng, replace(drawing, image=changed))
        window = photo.windows[0]
        seen = are_inside(apply_homography(window.base, CELL_CENTERS), photo.image_bgr.shape[1::-1])
        if not seen.all() or Grid(window.base, np.zeros(3)).pitch_px < SMALLEST_PX:
            continue
        grid = jittered_grid(rng, window, pitch_sigma=float(rng.choice([0.03, 0.08])), rise_sigma=0.2)
        ways = [replace(grid, homography=grid.homography @ way) for way in WAYS[side]]
        views = [window_view(photo.image_bgr, way, 1 + SLACK) for way in ways]
        nothing = [np.zeros_like(views[0])] * (4 - len(views))
        yield {"views": np.stack([*views, *nothing]), "counts": np.array(len(views))}


def lines(seed: int) -> Arrays:
    """Return the looks at one scene with a hidden outer line, see the head of the module."""
    return stacked(lines_looked_at(seed), seeds=seed)
