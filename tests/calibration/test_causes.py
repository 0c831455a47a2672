"""Every recorded miss has a cause that somebody wrote down."""

from __future__ import annotations

from pathlib import Path

import pytest

from calibration.accuracy.comparison import compare
from calibration.accuracy.labels import parse_label
from calibration.accuracy.records import (
    CARD,
    Evaluation,
    Miss,
    evaluation_of,
    key_of,
    read_causes,
    read_records,
    unmatched_causes,
)
from tests.readings import BOARD, SQUARE, reading_of

ENTRY = {
    "board": [row.split() for row in BOARD.split("/")],
    "corners_tl_tr_br_bl": [list(corner) for corner in SQUARE],
    "seed": 1,
}


def evaluation(name: str = "photos") -> Evaluation:
    """Return the evaluation of one photo in which C1 was read wrong."""
    reading = reading_of(BOARD.replace("R6", "R5"))
    return evaluation_of(name, [compare(parse_label("a.jpg", ENTRY), reading, 0.1)])


def test_committed_misses_and_causes_match() -> None:
    """No recorded miss on the validation photos lacks a cause, and no cause is left over."""
    assert unmatched_causes(read_records(), read_causes()) == ()


def test_committed_causes_are_sentences() -> None:
    """A cause is a sentence in plain words."""
    assert [cause for cause in read_causes().values() if len(cause.split()) < 5 or cause[-1] != "."] == []


def test_causes_are_kept_by_folder_photo_and_cell(tmp_path: Path) -> None:
    """A table of the file is a photo, a line in it a cell; a missing file holds no causes."""
    path = tmp_path / "causes.toml"
    assert read_causes(path) == {}
    path.write_text('[photos."a.jpg"]\nC1 = "Glare."\nall = "Dark."\n', encoding="utf-8")
    assert read_causes(path) == {("photos", "a.jpg", "C1"): "Glare.", ("photos", "a.jpg", "all"): "Dark."}


@pytest.mark.parametrize(
    ("miss", "cell"),
    [(Miss("a.jpg", "C1", "R5", "R6"), "C1"), (Miss("a.jpg", CARD, "-", "x"), "card"),
     (Miss("a.jpg", None, "refused", "a window"), "all")],
)  # fmt: skip
def test_key_of_a_miss(miss: Miss, cell: str) -> None:
    """A miss is found by its cell, by `card`, or by `all` for the whole photo."""
    assert key_of("photos", miss) == ("photos", "a.jpg", cell)


def test_missing_and_left_over_causes_are_named() -> None:
    """A miss without a cause and a cause without a miss are named with folder, photo and cell."""
    key = ("photos", "a.jpg", "C1")
    assert unmatched_causes([evaluation()], {key: "Glare on the top face."}) == ()
    assert unmatched_causes([evaluation()], {}) == ("photos a.jpg C1: no cause is written down",)
    assert unmatched_causes([], {key: "Glare."}) == ("photos a.jpg C1: is no miss any more",)


def test_sample_photos_need_no_causes_of_their_own() -> None:
    """They are photos of other folders, whose misses have causes there."""
    assert unmatched_causes([evaluation("sample_images")], {}) == ()
