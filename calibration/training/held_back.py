"""Reading synthetic scenes that nothing was learned from, to see whether confidence means what it says.

Validation photos are too few to tell 99.0 % from 99.5 %. Scenes can be drawn without end, from seeds that
training never sees: those from `FIRST_SEED` on. They go the whole road, from the bytes of a picture.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import cv2
import numpy as np

from calibration.accuracy.comparison import PhotoResult, evaluate
from calibration.accuracy.labels import PhotoLabel, parse_label
from calibration.training.dataset import SIZES, readable
from calibration.training.synthetic.scene import Scene, Window, render
from scoring.cells import COLUMNS, ROWS
from vision import read_photo
from vision.geometry import BOARD_CORNERS, apply_homography

FIRST_SEED = 9_000_000
"""`calibration.training.dataset` counts from 0 and never comes here."""


def held_back_results(scenes: int, first_seed: int = FIRST_SEED) -> Iterator[PhotoResult]:
    """Draw ``scenes`` scenes of one whole window each, read them, and hold the readings against the truth."""
    seed, drawn = first_seed, 0
    while drawn < scenes:
        rng = np.random.default_rng(seed)
        scene = render(rng, size=SIZES[int(rng.integers(len(SIZES)))])
        if len(scene.windows) == 1 and readable(scene):
            drawn += 1
            _, png = cv2.imencode(".png", scene.image_bgr)
            yield evaluate(_label_of(seed, scene), partial(read_photo, png.tobytes()))
        seed += 1


def _label_of(seed: int, scene: Scene) -> PhotoLabel:
    (window,) = scene.windows
    height, width = scene.image_bgr.shape[:2]
    entry = {"origin": "synthetic", "seed": seed, "width": width, "height": height, **_entry_of(window)}
    return parse_label(f"scene_{seed}", entry)


def _entry_of(window: Window) -> dict[str, object]:
    """Return board, print and corners of a window as in a labels.json."""
    rows = range(0, ROWS * COLUMNS, COLUMNS)
    return {
        "board": [list(window.dice[start : start + COLUMNS]) for start in rows],
        "cells": ["".join(window.print[start : start + COLUMNS]) for start in rows],
        "corners_tl_tr_br_bl": apply_homography(window.base, BOARD_CORNERS).tolist(),
    }
