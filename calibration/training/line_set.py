"""Windows with a hidden outer line, as arrays.

Something lies over a whole row or column at the edge, and the finder sees the block of the others. There are
``views`` (N, 4, 156, 180, 6) uint8 as `vision.geometry.window_view` gives them, a little larger: of the
lattice as it is, and of those that have the same block and the line elsewhere, black where there are fewer;
``counts`` (N,) says how many there are, ``seeds`` (N,) of which scene they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.training.covered_set import SIZES, SLACK, SMALLEST_PX, around
from calibration.training.dataset import jittered_grid
from calibration.training.shards import Arrays, of_looks
from calibration.training.synthetic import scene
from calibration.training.synthetic.covers import covered_line
from vision.detection.sighting import LINES, WAYS
from vision.geometry import CELL_CENTERS, Grid, apply_homography, are_inside, window_view

LOOKS, TRIES = 4, 12
HIDDEN, IN_VIEW = 0.55, 0.45  # shares of a cell: of each in the line at least, of one that shows at most
MOST_MORE = 4  # cells beside the line that may be hidden, too


def hidden_line(hidden: NDArray[np.float64]) -> str | None:
    """Return the outer line that is hidden, where one is and something shows of all others."""
    shown = (hidden <= IN_VIEW).reshape(4, 5)
    for side, cells in LINES.items():
        rest = np.delete(hidden, cells)
        lines = shown.any(axis=0).sum() + shown.any(axis=1).sum()
        if (hidden[cells] >= HIDDEN).all() and (rest > IN_VIEW).sum() <= MOST_MORE and lines == 8:
            return side
    return None


def looks_at(seed: int) -> Iterator[Arrays]:
    """Yield the looks at one scene."""
    rng = np.random.default_rng(seed)
    drawing = scene.draw(rng, size=SIZES[int(rng.integers(len(SIZES)))], hard=rng.random() < 0.25)
    if not drawing.windows:
        return
    drawing = around(drawing)
    for _ in range(LOOKS):
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


def arrays_of(seed: int) -> Arrays:
    """Return the looks at one scene."""
    return of_looks(looks_at(seed), seed)
