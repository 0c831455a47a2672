"""Windows with something over them, as arrays.

Each scene is drawn once and photographed `LOOKS` times: as it is, and with other things over it. There are
``views`` (N, 156, 180, 6) uint8 as `vision.geometry.window_view` gives them, a little larger; ``hidden``
(N, 20), the share of each cell that is hidden by what lies over it, ``behind`` (N, 20), by the dice in front
of it, ``inside`` (N, 20), the share that is in the picture; ``dice`` (N, 20) and ``seeds`` (N,).
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from calibration.training.dataset import jittered_grid
from calibration.training.shards import Arrays, of_looks
from calibration.training.synthetic import scene
from calibration.training.synthetic.covers import behind_dice, cell_spots, covered
from calibration.training.synthetic.scene import Scene, Window
from vision.geometry import CELL_CENTERS, Grid, apply_homography, are_inside, window_view

if TYPE_CHECKING:
    from calibration.training.synthetic.traced import Drawing as TracedDrawing

LOOKS, TRACED_LOOKS = 5, 16
SIZES = ((440, 330), (330, 440), (400, 400), (520, 390))
TRACED_SIZES = ((420, 350), (350, 420), (440, 330), (380, 380))
SLACK = 0.25  # pitches around a view that training cuts off at random
SMALLEST_PX, MOST_HIDDEN, LEAST_INSIDE = 14, 13, 12
"""Windows with less than so many pixels a pitch, more cells hidden or less in view are found by nobody."""

Photograph = Callable[[np.random.Generator, NDArray[np.float32]], Scene]


def looks_at(
    rng: np.random.Generator,
    image: NDArray[np.float32],
    window: Window,
    photograph: Photograph,
    count: int,
    *,
    linear: bool,
) -> Iterator[Arrays]:
    """Yield the arrays of photos of one drawing, the first of them with nothing over the window."""
    behind = behind_dice(window)
    for k in range(count):
        changed, hidden = covered(rng, image, window, linear=linear) if k else (image, np.zeros(20))
        if (hidden > 0.5).sum() > MOST_HIDDEN:
            continue
        photo = photograph(rng, changed)
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


def around(drawing: scene.Drawing) -> scene.Drawing:
    """Return the part of a drawing that shows its first window and what a view shows around it."""
    (window, *_), finer = drawing.windows, scene.FINER
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
    size = SIZES[int(rng.integers(len(SIZES)))]
    drawing = scene.draw(rng, size=size, hard=rng.random() < 0.25)
    if not drawing.windows:
        return {}
    drawing = around(drawing)

    def photograph(rng: np.random.Generator, image: NDArray[np.float32]) -> Scene:
        return scene.photographed(rng, replace(drawing, image=image))

    return of_looks(looks_at(rng, drawing.image, drawing.windows[0], photograph, LOOKS, linear=False), seed)


def path_traced(seed: int) -> Arrays:
    """Return the looks at one path-traced scene."""
    rng = np.random.default_rng(seed)
    traced = importlib.import_module("calibration.training.synthetic.traced")
    drawing = traced.draw(rng, size=TRACED_SIZES[int(rng.integers(len(TRACED_SIZES)))])
    return of_looks(of_traced(np.random.default_rng(seed), drawing), seed)


def of_traced(rng: np.random.Generator, drawing: TracedDrawing) -> Iterator[Arrays]:
    """Yield the looks at a path-traced drawing."""
    traced = importlib.import_module("calibration.training.synthetic.traced")
    finer = np.diag([traced.FINER, traced.FINER, 1.0])
    finer[:2, 2] = traced.FINER / 2 - 0.5  # pixel centers, not corners, are at whole numbers
    window = drawing.window.moved(finer)

    def photograph(rng: np.random.Generator, image: NDArray[np.float32]) -> Scene:
        photo: Scene = traced.photographed(rng, replace(drawing, light_bgr=image), far_away=0.6)
        return photo

    yield from looks_at(rng, drawing.light_bgr, window, photograph, TRACED_LOOKS, linear=True)
