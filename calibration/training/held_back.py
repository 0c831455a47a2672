"""Labelled photos that nothing was learned from: ``python -m calibration.training.held_back FOLDER``.

Validation photos are too few to tell 99.0 % from 99.5 %. ``synthetic`` has single windows and tables, and the
records of the project come from it (``sagrada evaluate FOLDER/synthetic --write
calibration/evaluation/results``); ``synthetic_cards`` has public objective cards on made-up tables.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from itertools import count, islice
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.evaluation.labels import CARD, TABLE
from calibration.training.dataset import SIZES
from calibration.training.synthetic import card_tables, objectives, other_cards, scene, tables
from calibration.training.synthetic.card_tables import Card
from calibration.training.synthetic.scene import Window, readable
from calibration.training.synthetic.tables import Mark, Table
from scoring.board import COLUMNS, ROWS
from vision.geometry import BOARD_CORNERS, CELL_CENTERS, DIE_EDGE, apply_homography, are_inside

Points = NDArray[np.float64]
Entry = dict[str, object]
Draw = Callable[[np.random.Generator], Card]
Labelled = Iterator[tuple[Entry, NDArray[np.uint8]]]
"""What stands in a labels.json, and the picture, uint8 BGR."""

FIRST_SEED, FIRST_CARDS, FIRST_TABLE = 9_000_000, 9_500_000, 61_000_000
"""`calibration.training.sets` counts from others: none ever comes here."""

TABLE_SIZES = ((960, 720), (720, 960), (840, 840))
CARD_SIZES = ((1600, 1200), (1200, 1600), (2200, 1650), (1280, 960))
PITCH_PX = 25.0  # from here on a window of a table is owed, and a die of its size
CARD_PX, WHOLE = 120, 0.97  # from this width on, and with such a share in view, a card is owed
OBJECTIVES = 0.67  # share of the cards on a table that are public objectives
SIDE, BELOW = 0.7, 0.75  # pitches that a frame reaches beyond its lattice
LEAST_IN_VIEW = 0.5  # share of a window's cells
OVER = 0.7  # edges from a die's middle line, within which it hides a space


def labelled_windows() -> Labelled:
    """Yield scenes of one whole window each, without end."""
    for seed in count(FIRST_SEED):
        rng = np.random.default_rng(seed)
        drawn = scene.render(rng, size=SIZES[int(rng.integers(len(SIZES)))])
        if len(drawn.windows) == 1 and readable(drawn):
            yield entry_of(seed, drawn.image_bgr, **window_entry(drawn.windows[0])), drawn.image_bgr


def labelled_tables() -> Labelled:
    """Yield tables without end, none empty or with windows over each other or under the round track."""
    for seed in count(FIRST_TABLE):
        rng = np.random.default_rng(seed)
        table = tables.render(rng, size=TABLE_SIZES[int(rng.integers(len(TABLE_SIZES)))])
        if table.dice and not _lie_over_each_other(table):
            yield entry_of(seed, table.image_bgr, **_entries_of(table)), table.image_bgr


def labelled_cards(first_seed: int = FIRST_CARDS, scans: Path | None = None) -> Labelled:
    """Yield tables with one to six cards, drawn or ``scans``, on which all public objectives can be read."""
    named, others = scans_of(scans) if scans else any_cards()
    for seed in count(first_seed):
        rng = np.random.default_rng(seed)
        size = CARD_SIZES[int(rng.integers(len(CARD_SIZES)))]
        width = float(np.exp(rng.uniform(np.log(110), np.log(0.28 * max(size)))))
        draws = [named if rng.random() < OBJECTIVES else others for _ in range(int(rng.integers(1, 7)))]
        cards = [draw(rng) for draw in draws]
        image, laid = card_tables.photograph(rng, cards, size, width_px=width, crowded=0.35)
        shown = [one for one in laid if one.name]
        if all(one.width_px >= CARD_PX and one.seen >= WHOLE for one in shown):
            names = sorted({str(one.name) for one in shown})
            yield entry_of(seed, image, kind=TABLE, pool=[], cards=names), image


def scans_of(folder: Path) -> tuple[Draw, Draw]:
    """Return what picks a public objective and another card from the scans of a folder."""
    named: list[Card] = []
    others: list[Card] = []
    for name, label in json.loads((folder / "labels.json").read_text(encoding="utf-8")).items():
        image = cv2.imread(str(folder / name))
        if image is None:
            raise SystemExit(f"{name} cannot be read.")
        picture = np.asarray(image, dtype=np.float32) / np.float32(255)
        is_named = label["kind"] == CARD
        (named if is_named else others).append(Card(label["name"] if is_named else None, picture))
    return lambda rng: named[int(rng.integers(len(named)))], lambda rng: others[
        int(rng.integers(len(others)))
    ]


def any_cards() -> tuple[Draw, Draw]:
    """Return what draws a public objective and another card."""
    return lambda rng: Card(*objectives.any_objective(rng)), lambda rng: Card(
        None, other_cards.other_card(rng)
    )


def file_of(image_bgr: NDArray[np.uint8]) -> bytes:
    """Return a picture, uint8 BGR, as a file without losses."""
    return cv2.imencode(".png", image_bgr)[1].tobytes()


def entry_of(seed: int, image_bgr: NDArray[np.uint8], **entries: object) -> Entry:
    """Return what a labels.json says of a drawn scene."""
    height, width = image_bgr.shape[:2]
    return {"origin": "synthetic", "seed": seed, "width": width, "height": height, **entries}


def write(folder: Path, *parts: Iterator[tuple[Entry, NDArray[np.uint8]]]) -> None:
    """Write photos and their labels into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    labels = {}
    for entry, image_bgr in (one for part in parts for one in part):
        name = f"scene_{entry['seed']}.png"
        labels[name] = entry
        (folder / name).write_bytes(file_of(image_bgr))
    (folder / "labels.json").write_text(json.dumps(labels, indent=1), encoding="utf-8")


def window_entry(window: Window, hidden: NDArray[np.bool_] | None = None) -> dict[str, object]:
    """Return board, print and corners of a window as in a labels.json; nobody can read ``hidden`` (20,)."""
    dice = np.where(np.zeros(20, bool) if hidden is None else hidden, "??", window.dice)
    return {
        "board": dice.reshape(ROWS, COLUMNS).tolist(),
        "cells": ["".join(row) for row in np.reshape(window.print, (ROWS, COLUMNS))],
        "corners_tl_tr_br_bl": apply_homography(window.base, BOARD_CORNERS).tolist(),
    }


def _entries_of(table: Table) -> dict[str, object]:
    """Return windows and loose dice of a table as in a labels.json; a window half out of view is none."""
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
    entry = {"die": f"{mark.color}{mark.value}", "center": mark.top.round(1).tolist()}
    return {**entry, "edge": float(mark.edge), "owed": bool(owed)}


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
    frames = []
    for one in table.windows:
        (x0, y0), (x1, y1) = (-SIDE, -one.art_above), (COLUMNS + SIDE, ROWS + BELOW)
        frames.append(apply_homography(one.base, np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])))
    for k, window in enumerate(table.windows):
        lattice = apply_homography(window.base, BOARD_CORNERS).astype(np.float32)
        others = [*frames[:k], *frames[k + 1 :], *([] if table.track is None else [table.track])]
        if any(cv2.intersectConvexConvex(lattice, one.astype(np.float32))[0] > 0 for one in others):
            return True
    return False


def main() -> None:
    """Draw what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--windows", type=int, default=400, help="enough to see an error of half a percent")
    parser.add_argument("--tables", type=int, default=120)
    parser.add_argument("--cards", type=int, default=0, help="how many tables with cards")
    parser.add_argument("--scans", type=Path, help="a folder of scans of cards, with its labels.json")
    args = parser.parse_args()
    if args.windows or args.tables:
        windows, some = islice(labelled_windows(), args.windows), islice(labelled_tables(), args.tables)
        write(args.folder / "synthetic", windows, some)
    if args.cards:
        write(args.folder / "synthetic_cards", islice(labelled_cards(scans=args.scans), args.cards))


if __name__ == "__main__":
    main()
