"""Turn tables with dice into shards: ``python -m calibration.training.tables_set OUT [--traced] [--hard]``.

Drawn tables, or with ``--traced`` path-traced ones of which each is photographed ``PHOTOS`` times (see
`calibration.training.traced_set` for what that needs). With ``--hard`` they are those that misled a finder,
from seeds of their own. Training, validation and test are told apart by the
remainder of a scene's seed, as everywhere.
"""

from __future__ import annotations

import argparse
import os
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.training.dataset import save, write_missing
from calibration.training.synthetic import tables
from calibration.training.synthetic.tables import Table
from vision.detection.views import PADDING, VIEW_PX

FIRST_DRAWN, FIRST_TRACED = 40_000_000, 50_000_000
FIRST_HARD = 1_000_000  # after those
DRAWN_A_SHARD, TRACED_A_SHARD = 50, 5
PHOTOS = 10
SIZES = ((720, 540), (540, 720), (640, 640), (800, 450))
TRACED_SIZES = ((480, 400), (400, 480), (440, 440))
VIEWS = 2  # a photo
ABOUT_A_DIE, ABOUT_A_DIE_HARD = 0.9, 0.6  # share of the views; others show any part of the table
EDGES_PX = (10.0, 40.0)  # of a die in a view, near the view's middle
MARK = np.dtype([("top", "f4", 2), ("foot", "f4", 2), ("edge", "f4"), ("hidden", "?"), ("view", "i4")])


def arrays_of(seed: int, photos: list[Table], about_a_die: float = ABOUT_A_DIE) -> dict[str, NDArray[Any]]:
    """Return the arrays of one scene's photos.

    ``views`` (N, 384, 384, 3) uint8 BGR, ``view_seeds`` (N,), and ``marks`` (M,) of `MARK`, whose ``view``
    is an index into them.
    """
    rng = np.random.default_rng([seed, 1])
    views: list[NDArray[np.uint8]] = []
    marks: list[tuple[object, ...]] = []
    for table in photos:
        for _ in range(VIEWS):
            zoom, shift = _random_view(rng, table, about_a_die)
            there = [mark.moved(zoom, shift) for mark in table.dice]
            marks += [(one.top, one.foot, one.edge, one.hidden, len(views)) for one in there]
            views.append(_view(table.image_bgr, zoom, shift))
    seeds = np.full(len(views), seed, np.int64)
    return {"views": np.array(views), "marks": np.array(marks, MARK), "view_seeds": seeds}


def _random_view(
    rng: np.random.Generator, table: Table, about_a_die: float
) -> tuple[float, NDArray[np.float64]]:
    """Return zoom and shift to a view that shows a part of the table, mostly about one of its dice."""
    height, width = table.image_bgr.shape[:2]
    edge, middle = rng.uniform(8, 40), rng.uniform(0, 1, 2) * (width, height)
    if table.dice and rng.random() < about_a_die:
        mark = table.dice[int(rng.integers(len(table.dice)))]
        edge, middle = mark.edge, mark.top + rng.normal(0, 0.1, 2) * (width, height)
    wanted = float(np.exp(rng.uniform(*np.log(EDGES_PX))))
    zoom = min(wanted / edge, 1.3)
    return zoom, VIEW_PX / 2 - middle * zoom


def _view(image_bgr: NDArray[np.uint8], zoom: float, shift: NDArray[np.float64]) -> NDArray[np.uint8]:
    soft = cv2.GaussianBlur(image_bgr, (0, 0), 0.4 / zoom) if zoom < 0.7 else image_bgr
    change = np.array([[zoom, 0, shift[0]], [0, zoom, shift[1]]])
    view = cv2.warpAffine(soft, change, (VIEW_PX, VIEW_PX), borderValue=(PADDING, PADDING, PADDING))
    return np.asarray(view, dtype=np.uint8)


def photos_of(seed: int, *, traced: bool, hard: bool = False) -> list[Table]:
    """Return the photos of one scene, of a traced one several."""
    rng = np.random.default_rng(seed)
    if not traced:
        return [tables.render(rng, size=SIZES[int(rng.integers(len(SIZES)))], hard=hard)]
    from calibration.training.synthetic import traced as tracing  # noqa: PLC0415 - needs the `train` extra

    drawing = tracing.draw_table(rng, size=TRACED_SIZES[int(rng.integers(len(TRACED_SIZES)))], hard=hard)
    shakes = [np.random.default_rng([seed, k]) for k in range(PHOTOS)]
    return [tracing.photographed_table(shake, drawing, far_away=0.4) for shake in shakes]


def write_shard(out: Path, number: int, count: int, *, traced: bool, hard: bool) -> str:
    """Make and write one shard, and say what is in it."""
    cv2.setNumThreads(1)  # the processes share the cores among themselves
    if traced:
        import drjit as dr  # noqa: PLC0415 - needs the `train` extra

        dr.set_thread_count(1)
    first = number * TRACED_A_SHARD + FIRST_TRACED if traced else number * DRAWN_A_SHARD + FIRST_DRAWN
    first += FIRST_HARD if hard else 0
    about_a_die = ABOUT_A_DIE_HARD if hard else ABOUT_A_DIE
    parts, views = [], 0
    for seed in range(first, first + count):
        part = arrays_of(seed, photos_of(seed, traced=traced, hard=hard), about_a_die)
        part["marks"]["view"] += views
        views += len(part["views"])
        parts.append(part)
    return save(out, number, {name: np.concatenate([one[name] for one in parts]) for name in parts[0]})


def main() -> None:
    """Write the shards that are missing in a folder, one process a core."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--scenes", type=int, default=3000)
    parser.add_argument("--traced", action="store_true")
    parser.add_argument("--hard", action="store_true", help="crowds of dice, and cards and glass near by")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    args = parser.parse_args()
    write = partial(write_shard, traced=args.traced, hard=args.hard)
    a_shard = TRACED_A_SHARD if args.traced else DRAWN_A_SHARD
    # Mitsuba must not be forked.
    write_missing(write, args.out, args.scenes, a_shard, args.workers, "spawn" if args.traced else None)


if __name__ == "__main__":
    main()
