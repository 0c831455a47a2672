"""Scenes that nothing was learned from."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calibration.evaluation.comparison import PhotoResult
from calibration.training.held_back import FIRST_SEED, FIRST_TABLE, held_back_results, held_back_tables
from calibration.training.synthetic.scene import Window
from calibration.training.synthetic.tables import Mark, Table
from scoring.board import COLUMNS, ROWS

DICE = tuple("R1" if cell % 2 else "--" for cell in range(20))
PLANE = np.array([[50.0, 0, 300], [0, 50, 300], [0, 0, 1]])  # 50 pixels a cell, the first at (300, 300)
WINDOW = Window(DICE, tuple("." * 20), PLANE, PLANE, 3.0)
IMAGE = np.zeros((600, 700, 3), np.uint8)


def test_scenes_are_labelled_like_photos_and_read_the_whole_way() -> None:
    """Each scene has one whole window, all labelled, from a seed far above those that training draws."""
    results = list(held_back_results(1))
    assert len(results) == 1
    assert {result.label.section for result in results} == {"synthetic"}
    assert min(int(str(result.label.keys["seed"])) for result in results) >= FIRST_SEED > 1_000_000
    for result in results:
        assert result.window is not None
        assert result.whole
        assert len(result.window.readable_cells) == ROWS * COLUMNS
        assert all(cell.print is not None for cell in result.window.cells)
        assert len(result.cells) == (0 if result.error else ROWS * COLUMNS)


def mark(x: float, y: float, code: str = "G2", *, edge: float = 35.0, hidden: bool = False) -> Mark:
    """Return a die seen from straight above."""
    return Mark(code[0], int(code[1]), np.array([x, y]), np.array([x, y]), edge, hidden)


STANDING = tuple(mark(325 + 50 * (k % 5), 325 + 50 * (k // 5), "R1") for k in range(1, 20, 2))
TABLE = Table(IMAGE, STANDING, (WINDOW,), len(STANDING))


def drawn(monkeypatch: pytest.MonkeyPatch, *tables: Table) -> list[PhotoResult]:
    """Return what is made of some tables, of which the last counts."""
    left = list(tables)
    monkeypatch.setattr("calibration.training.synthetic.tables.render", lambda *_, **__: left.pop(0))
    return list(held_back_tables(1))


def test_a_table_is_labelled_like_a_photo_of_one() -> None:
    """A table that is drawn has its windows and loose dice labelled, from seeds that training never draws."""
    (first, *others) = held_back_tables(1)
    assert {result.label.section for result in (first, *others)} == {"synthetic tables"}
    assert int(str(first.label.keys["seed"])) >= FIRST_TABLE
    assert first.beside is not None
    assert len([die for die in first.label.dice if die.owed]) >= first.beside.dice_found.total > 0


def test_dice_in_a_window_are_its_own_and_others_lie_loose(monkeypatch: pytest.MonkeyPatch) -> None:
    """Owed are loose dice that show and are as large as those of a window that is owed."""
    loose = mark(100, 100), mark(150, 100, hidden=True), mark(100, 200, edge=10.0)
    (result,) = drawn(monkeypatch, replace(TABLE, dice=(*STANDING, *loose)))
    assert result.window is not None
    assert result.owed
    assert [str(cell.die or "--") for cell in result.window.cells] == list(DICE)
    assert [(die.center, die.owed) for die in result.label.dice] == [
        ((100, 100), True),
        ((150, 100), False),
        ((100, 200), False),
    ]


def test_a_space_behind_a_loose_die_counts_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody could read it."""
    (result,) = drawn(monkeypatch, replace(TABLE, dice=(*STANDING, mark(330, 320))))
    assert result.window is not None
    assert [(cell.row, cell.column) for cell in result.window.cells if not cell.readable] == [(0, 0)]


def test_of_a_window_that_is_cut_off_nothing_is_owed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its dice may be taken for loose ones; where less than half of it shows, it is no window."""
    for across, windows in ((-400.0, 1), (-500.0, 0)):
        aside = WINDOW.moved(np.array([[1, 0, across], [0, 1, 0], [0, 0, 1]]))
        moved = tuple(one.moved(1, np.array([across, 0])) for one in STANDING)
        (result,) = drawn(monkeypatch, replace(TABLE, dice=moved, windows=(aside,)))
        assert len(result.label.windows) == windows
        assert not result.owed
        assert len(result.label.dice) == len(moved)
        assert not any(die.owed for die in result.label.dice)


def test_windows_that_lie_over_each_other_or_under_the_track_are_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No table looks like that, nor like nothing."""
    over = np.array([[300, 250], [500, 250], [500, 350], [300, 350]], dtype=np.float64)
    (result,) = drawn(
        monkeypatch,
        replace(TABLE, dice=(), windows=(), standing=0),
        replace(TABLE, windows=(WINDOW, replace(WINDOW, base=PLANE + 20 * (PLANE == 300)))),
        replace(TABLE, track=over),
        replace(TABLE, track=over - 250),
    )
    assert int(str(result.label.keys["seed"])) == FIRST_TABLE + 3
