"""Scenes that nothing was learned from."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.evaluation import evaluate_photos, load_labels
from calibration.evaluation.labels import PhotoLabel, parse_label
from calibration.training.held_back import (
    FIRST_SEED,
    FIRST_TABLE,
    labelled_cards,
    labelled_tables,
    labelled_windows,
    write,
)
from calibration.training.synthetic.scene import Window
from calibration.training.synthetic.tables import Mark, Table
from scoring.board import COLUMNS, ROWS

DICE = tuple("R1" if cell % 2 else "--" for cell in range(20))
PLANE = np.array([[50.0, 0, 300], [0, 50, 300], [0, 0, 1]])  # 50 pixels a cell, the first at (300, 300)
WINDOW = Window(DICE, tuple("." * 20), PLANE, PLANE, 3.0)
IMAGE = np.zeros((600, 700, 3), np.uint8)


def test_scenes_are_labelled_like_photos_and_read_the_whole_way(tmp_path: Path) -> None:
    """What is written is a folder to measure on: windows and tables, labelled, from seeds of their own."""
    write(tmp_path, islice(labelled_windows(), 1), islice(labelled_tables(), 1))
    labels = load_labels(tmp_path)
    assert {label.section for label in labels} == {"synthetic", "synthetic tables"}
    window, table = labels
    assert (window.keys["seed"], table.keys["seed"]) >= (FIRST_SEED, FIRST_TABLE)
    assert len(window.windows[0].readable_cells) == ROWS * COLUMNS
    assert all(cell.print is not None for cell in window.windows[0].cells)
    read, *of_table = evaluate_photos(tmp_path, labels)
    assert read.whole
    assert len(read.cells) == (0 if read.error else ROWS * COLUMNS)
    assert of_table[0].beside is not None
    assert len([die for die in table.dice if die.owed]) >= of_table[0].beside.dice_found.total > 0


def test_cards_to_measure_on_are_drawn_or_scans(tmp_path: Path) -> None:
    """A label names the public objectives on a table; scans of a folder say which are none."""
    scans = {"a.png": {"kind": "public_objective", "name": "Deep Shades"}, "b.png": {"kind": "tool"}}
    for name in scans:
        cv2.imwrite(str(tmp_path / name), np.full((70, 50, 3), 90, np.uint8))
    (tmp_path / "labels.json").write_text(json.dumps(scans), encoding="utf-8")
    found = [entry["cards"] for entry, _ in islice(labelled_cards(scans=tmp_path), 4)]
    assert ["Deep Shades"] in found
    assert all(names in ([], ["Deep Shades"]) for names in found)


def mark(x: float, y: float, code: str = "G2", *, edge: float = 35.0, hidden: bool = False) -> Mark:
    """Return a die seen from straight above."""
    return Mark(code[0], int(code[1]), np.array([x, y]), np.array([x, y]), edge, hidden)


STANDING = tuple(mark(325 + 50 * (k % 5), 325 + 50 * (k // 5), "R1") for k in range(1, 20, 2))
TABLE = Table(IMAGE, (WINDOW,), STANDING, len(STANDING))


def drawn(monkeypatch: pytest.MonkeyPatch, *tables: Table) -> PhotoLabel:
    """Return the label of the last of some tables, the first that counts."""
    left = list(tables)
    monkeypatch.setattr("calibration.training.synthetic.tables.render", lambda *_, **__: left.pop(0))
    return parse_label("a table", next(labelled_tables())[0])


def test_dice_in_a_window_are_its_own_and_others_lie_loose(monkeypatch: pytest.MonkeyPatch) -> None:
    """Owed are loose dice that show and are as large as those of a window that is owed."""
    loose = mark(100, 100), mark(150, 100, hidden=True), mark(100, 200, edge=10.0)
    label = drawn(monkeypatch, replace(TABLE, dice=(*STANDING, *loose)))
    assert [str(cell.die or "--") for cell in label.windows[0].cells] == list(DICE)
    assert label.windows[0].width_px > label.wide_enough_px
    assert [(die.center, die.owed) for die in label.dice] == [
        ((100, 100), True),
        ((150, 100), False),
        ((100, 200), False),
    ]


def test_a_space_behind_a_loose_die_counts_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody could read it."""
    label = drawn(monkeypatch, replace(TABLE, dice=(*STANDING, mark(330, 320))))
    unread = [(cell.row, cell.column) for cell in label.windows[0].cells if not cell.readable]
    assert unread == [(0, 0)]


def test_of_a_window_that_is_cut_off_nothing_is_owed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its dice may be taken for loose ones; where less than half of it shows, it is no window."""
    for across, windows in ((-400.0, 1), (-500.0, 0)):
        aside = WINDOW.moved(np.array([[1, 0, across], [0, 1, 0], [0, 0, 1]]))
        moved = tuple(one.moved(1, np.array([across, 0])) for one in STANDING)
        label = drawn(monkeypatch, replace(TABLE, dice=moved, windows=(aside,)))
        assert len(label.windows) == windows
        assert not any(window.whole_in(label.size) for window in label.windows)
        assert len(label.dice) == len(moved)
        assert not any(die.owed for die in label.dice)


def test_windows_that_lie_over_each_other_or_under_the_track_are_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No table looks like that, nor like nothing."""
    over = np.array([[300, 250], [500, 250], [500, 350], [300, 350]], dtype=np.float64)
    label = drawn(
        monkeypatch,
        replace(TABLE, dice=(), windows=(), standing=0),
        replace(TABLE, windows=(WINDOW, replace(WINDOW, base=PLANE + 20 * (PLANE == 300)))),
        replace(TABLE, track=over),
        replace(TABLE, track=over - 250),
    )
    assert label.keys["seed"] == FIRST_TABLE + 3
