"""Reading synthetic scenes that nothing was learned from: ``python -m calibration.training.held_back``.

It rewrites the records of held-back scenes (a second or two each) and tables (two to four) and the tables of
``docs/accuracy.md``: is the reader as sure as it may be?

Validation photos are too few to tell 99.0 % from 99.5 %. Scenes can be drawn without end, from seeds that
training never sees: those from `FIRST_SEED` on of single windows, from `FIRST_TABLE` on of tables. They go
the whole road, from the bytes of a picture.
"""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Iterator
from functools import partial
from itertools import count, islice

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.evaluation.comparison import PhotoResult, evaluate, evaluate_table
from calibration.evaluation.labels import TABLE, PhotoLabel, parse_label
from calibration.evaluation.report import RECORDS, evaluations_of, write_records
from calibration.training.dataset import SIZES
from calibration.training.synthetic import scene, tables
from calibration.training.synthetic.scene import Window, readable
from calibration.training.synthetic.tables import Mark, Table
from scoring.board import COLUMNS, ROWS
from vision import read_photo, read_table
from vision.geometry import BOARD_CORNERS, CELL_CENTERS, DIE_EDGE, apply_homography, are_inside

Points = NDArray[np.float64]

FIRST_SEED, FIRST_TABLE = 9_000_000, 61_000_000
"""`calibration.training.dataset` counts from 0, the other sets from 20,000,000 on: none ever comes here."""

TABLE_SIZES = ((960, 720), (720, 960), (840, 840))
PITCH_PX = 25.0  # from here on a window of a table is owed, and a die of its size
SIDE, BELOW = 0.7, 0.75  # pitches that a frame reaches beyond its lattice
LEAST_IN_VIEW = 0.5  # share of a window's cells
OVER = 0.7  # edges from a die's middle line, within which it hides a space


def held_back_results(scenes: int, first_seed: int = FIRST_SEED) -> Iterator[PhotoResult]:
    """Draw ``scenes`` scenes of one whole window each, read them, and hold the readings against the truth."""
    for label, image in islice(_scenes(first_seed), scenes):
        yield evaluate(label, partial(read_photo, file_of(image)))


def held_back_tables(count: int, first_seed: int = FIRST_TABLE) -> Iterator[PhotoResult]:
    """Draw ``count`` tables, read them, and hold the readings against the truth, a result a window."""
    for label, image in islice(labelled_tables(first_seed), count):
        yield from evaluate_table(label, partial(read_table, file_of(image)))


def _scenes(first_seed: int) -> Iterator[tuple[PhotoLabel, NDArray[np.uint8]]]:
    for seed in count(first_seed):
        rng = np.random.default_rng(seed)
        drawn = scene.render(rng, size=SIZES[int(rng.integers(len(SIZES)))])
        if len(drawn.windows) == 1 and readable(drawn):
            yield label_of(seed, drawn.image_bgr, **window_entry(drawn.windows[0])), drawn.image_bgr


def labelled_tables(first_seed: int = FIRST_TABLE) -> Iterator[tuple[PhotoLabel, NDArray[np.uint8]]]:
    """Yield tables without end, labelled as in a labels.json, and their pictures, uint8 BGR.

    Left out are those with nothing on them, and those on which windows lie over each other or under the
    round track, as the drawing knows no better.
    """
    for seed in count(first_seed):
        rng = np.random.default_rng(seed)
        table = tables.render(rng, size=TABLE_SIZES[int(rng.integers(len(TABLE_SIZES)))])
        if table.dice and not _lie_over_each_other(table):
            yield label_of(seed, table.image_bgr, **_entries_of(table)), table.image_bgr


def file_of(image_bgr: NDArray[np.uint8]) -> bytes:
    """Return a picture, uint8 BGR, as a file without losses."""
    return cv2.imencode(".png", image_bgr)[1].tobytes()


def label_of(seed: int, image_bgr: NDArray[np.uint8], **entries: object) -> PhotoLabel:
    """Return the label of a drawn scene with the entries of a labels.json."""
    height, width = image_bgr.shape[:2]
    entry = {"origin": "synthetic", "seed": seed, "width": width, "height": height, **entries}
    return parse_label(f"scene_{seed}", entry)


def window_entry(window: Window, hidden: NDArray[np.bool_] | None = None) -> dict[str, object]:
    """Return board, print and corners of a window as in a labels.json; nobody can read ``hidden`` (20,)."""
    dice = np.where(np.zeros(20, bool) if hidden is None else hidden, "??", window.dice)
    return {
        "board": dice.reshape(ROWS, COLUMNS).tolist(),
        "cells": ["".join(row) for row in np.reshape(window.print, (ROWS, COLUMNS))],
        "corners_tl_tr_br_bl": apply_homography(window.base, BOARD_CORNERS).tolist(),
    }


def _entries_of(table: Table) -> dict[str, object]:
    """Return the windows and the loose dice of a table as in a labels.json.

    A window of which less than half is in view is none. Dice of windows that the picture cuts off are listed
    too, as nobody is to be blamed for finding one.
    """
    height, width = table.image_bgr.shape[:2]
    standing, loose = table.dice[: table.standing], table.dice[table.standing :]
    seen = [(one, _in_view(one, loose, (width, height))) for one in table.windows]
    windows = [window_entry(one, ~in_view) for one, in_view in seen if in_view.mean() >= LEAST_IN_VIEW]
    corners = [(one, apply_homography(one.base, BOARD_CORNERS)) for one in table.windows]
    whole = [one for one, points in corners if are_inside(points, (width, height)).all()]
    dice = [_loose_entry(one, owed=not one.hidden and one.edge >= DIE_EDGE * PITCH_PX) for one in loose]
    dice += [_loose_entry(one, owed=False) for one in standing if not any(_stands_in(one, w) for w in whole)]
    entries = {"kind": TABLE, "wide_enough_px": COLUMNS * PITCH_PX, "loose": dice, "pool": [], "cards": []}
    return entries | ({"boards": windows} if windows else {})


def _loose_entry(mark: Mark, *, owed: bool) -> dict[str, object]:
    center = mark.top.round(1).tolist()
    return {"die": f"{mark.color}{mark.value}", "center": center, "edge": mark.edge, "owed": owed}


def _stands_in(mark: Mark, window: Window) -> bool:
    to_board = np.asarray(np.linalg.inv(window.top), dtype=np.float64)
    ((x, y),) = apply_homography(to_board, mark.top[None])
    return bool(0 < x < COLUMNS and 0 < y < ROWS)


def _in_view(window: Window, loose: tuple[Mark, ...], size: tuple[int, int]) -> NDArray[np.bool_]:
    """Return which cells (20,) are in a picture of (width, height) and behind no loose die."""
    planes = (window.base if code == "--" else window.top for code in window.dice)
    middles = zip(planes, CELL_CENTERS, strict=True)
    seen = np.array([apply_homography(plane, center[None])[0] for plane, center in middles])
    in_view = are_inside(seen, size)
    for mark in loose:
        up = mark.top - mark.foot
        along = np.clip((seen - mark.foot) @ up / max(float(up @ up), 1e-9), 0, 1)
        in_view &= np.linalg.norm(seen - mark.foot - along[:, None] * up, axis=1) > OVER * mark.edge
    return in_view


def _lie_over_each_other(table: Table) -> bool:
    """Return whether a window's lattice lies under another window's frame or under the round track."""
    frames = [apply_homography(one.base, _frame(one)) for one in table.windows]
    for k, window in enumerate(table.windows):
        lattice = apply_homography(window.base, BOARD_CORNERS).astype(np.float32)
        others = [*frames[:k], *frames[k + 1 :], *([] if table.track is None else [table.track])]
        if any(cv2.intersectConvexConvex(lattice, one.astype(np.float32))[0] > 0 for one in others):
            return True
    return False


def _frame(window: Window) -> Points:
    """Return the corners (4, 2) of a window's frame in board coordinates."""
    return np.array([[x, y] for y in (-window.art_above, ROWS + BELOW) for x in (-SIDE, COLUMNS + SIDE)])[
        [0, 1, 3, 2]
    ]


def main() -> None:
    """Draw, read and keep the figures; of drawn scenes the misses are not kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=400, help="enough to see an error of half a percent")
    parser.add_argument("--tables", type=int, default=120)
    options = parser.parse_args()
    for results, name in (
        (held_back_results(options.scenes), "synthetic"),
        (held_back_tables(options.tables), "synthetic tables"),
    ):
        found = evaluations_of(name, results)
        write_records((dataclasses.replace(one, misses=()) for one in found), RECORDS)


if __name__ == "__main__":
    main()
