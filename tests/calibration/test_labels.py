"""What a labels.json may say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from calibration.errors import CalibrationError
from calibration.evaluation.labels import labelled_folders, load_labels, parse_label
from scoring import WINDOW_PATTERNS, Color, Die

ROWS = [
    ["Y5", "--", "R4", "Y5", "B1"],
    ["P2", "B4", "Y6", "G2", "R3"],
    ["R6", "??", "R4", "B5", "P2"],
    ["G1", "Y4", "P2", "R3", "Y5"],
]


def test_board_holds_dice_empty_and_unreadable_cells() -> None:
    """A cell is a die, empty, or something nobody can read, and the last kind does not count."""
    (window,) = parse_label("a.jpg", {"board": ROWS}).windows
    assert window.cells[0].die == Die.parse("Y5")
    assert window.cells[1].die is None
    assert window.cells[1].readable
    assert not window.cells[11].readable
    assert len(window.readable_cells) == 19


def test_board_is_all_that_must_be_there() -> None:
    """Corners and the name of the card may be missing; all other keys are carried along."""
    label = parse_label("a.jpg", {"board": ROWS, "light": "dim", "my own": 3})
    assert label.windows[0].corners == (None, None, None, None)
    assert label.windows[0].name is None
    assert label.keys["light"] == "dim"
    assert label.keys["my own"] == 3
    assert not label.must_be_refused


def test_single_corners_may_be_null() -> None:
    """A corner that nobody can see is null and the others still count."""
    corners = [[1, 2.5], None, [7, 8], None]
    (window,) = parse_label("a.jpg", {"board": ROWS, "corners_tl_tr_br_bl": corners}).windows
    assert window.corners == ((1.0, 2.5), None, (7.0, 8.0), None)


def test_photo_of_several_windows_has_a_list() -> None:
    """Each window of ``boards`` has its own board, corners and card."""
    boards = [{"board": ROWS}, {"board": ROWS[::-1], "window": "Firmitas"}]
    windows = parse_label("a.jpg", {"boards": boards}).windows
    assert [window.name for window in windows] == [None, "Firmitas"]
    assert windows[1].cells[0].die == Die.parse("G1")


@pytest.mark.parametrize(
    ("kind", "refused"), [("cut", True), ("none", True), ("board", False), ("cards", False), (None, False)]
)
def test_kind_tells_what_must_be_refused(kind: str | None, refused: bool) -> None:
    """Photos of kind ``cut`` and ``none`` must be refused, all others read."""
    assert parse_label("a.jpg", {"board": ROWS, "kind": kind}).must_be_refused is refused


def test_card_may_be_named_as_another_edition_names_it() -> None:
    """A card of the game is known by the name printed on it elsewhere; a window of one's own is not known."""
    labels = [parse_label("a.jpg", {"board": ROWS, "window": name}) for name in ("wirujące krople", "Mine")]
    cards = [(label.windows[0].name, label.windows[0].card_is_known) for label in labels]
    assert cards == [("Fractal Drops", True), ("Mine", False)]


def test_photo_without_a_window_needs_no_board() -> None:
    """A photo of kind ``none`` has nothing to label."""
    label = parse_label("a.jpg", {"kind": "none"})
    assert label.windows == ()
    assert label.must_be_refused


@pytest.mark.parametrize(
    ("entry", "complaint"),
    [
        ([], "must be an object"),
        ({}, 'needs a "board"'),
        ({"boards": []}, 'needs a "board"'),
        ({"boards": [{}]}, "boards.0.board: Field required"),
        ({"board": ROWS[:3]}, "board: List should have at least 4 items"),
        ({"board": "Y5 --"}, "board: Input should be a valid list"),
        ({"board": [*ROWS[:3], ["G1"]]}, "board.3: List should have"),
        ({"board": [*ROWS[:3], ["G1", "Y4", "Q9", "R3", "Y5"]]}, 'board.3.2: Value error, "Q9" is not a die'),
        ({"board": ROWS, "corners_tl_tr_br_bl": [[1, 2]]}, "corners_tl_tr_br_bl"),
        ({"board": ROWS, "corners_tl_tr_br_bl": [[1, 2], [3, 4], [5, 6], "x"]}, "corners_tl_tr_br_bl.3"),
    ],
)
def test_wrong_label_says_which_photo_and_what(entry: object, complaint: str) -> None:
    """The error names the photo and what is wrong with its label."""
    with pytest.raises(CalibrationError) as caught:
        parse_label("a.jpg", entry)
    assert caught.value.code == "bad_label"
    assert caught.value.message.startswith("a.jpg: ")
    assert complaint in caught.value.message


def test_labels_come_in_the_order_written(tmp_path: Path) -> None:
    """Photos keep the order of the file."""
    for name in ("b.jpg", "a.jpg"):
        (tmp_path / name).touch()
    (tmp_path / "labels.json").write_text(json.dumps({"b.jpg": {"board": ROWS}, "a.jpg": {"board": ROWS}}))
    assert [label.name for label in load_labels(tmp_path)] == ["b.jpg", "a.jpg"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (None, "labels_missing"),
        ("{", "labels_not_json"),
        ("[]", "bad_label"),
        ('{"a.jpg": {"kind": "none"}}', "photo_missing"),
    ],
)
def test_unusable_file_has_a_code(tmp_path: Path, text: str | None, code: str) -> None:
    """A file that is missing, no JSON, no object, or speaks of a photo that is not there is told apart."""
    if text is not None:
        (tmp_path / "labels.json").write_text(text)
    with pytest.raises(CalibrationError) as caught:
        load_labels(tmp_path)
    assert caught.value.code == code
    assert caught.value.message


def test_labels_of_the_sample_photos_name_cards_with_their_print(project_root: Path) -> None:
    """In the sample photos the printed cells are those of the card that the label names."""
    labels = load_labels(project_root / "sample_images")
    windows = [(label.name, window) for label in labels for window in label.windows]
    assert len(windows) >= len(labels) - 2
    for photo, window in windows:
        prints = "".join(cell.print or "?" for cell in window.cells)
        assert str(WINDOW_PATTERNS[str(window.name)]).replace(" / ", "") == prints, photo


def test_loose_dice_in_a_list_must_be_refused(tmp_path: Path) -> None:
    """A data set of loose dice lists its photos under ``files``; none of them shows a window."""
    (tmp_path / "a.jpg").touch()
    entry = {"file": "a.jpg", "kind": "loose", "dice": [{"value": 5, "bbox": [1, 2, 3, 4]}]}
    listed = {"conventions": {"bbox": "pixels"}, "files": [entry]}
    (tmp_path / "labels.json").write_text(json.dumps(listed), encoding="utf-8")
    (label,) = load_labels(tmp_path)
    assert label.name == "a.jpg"
    assert label.must_be_refused
    assert label.windows == ()


def test_a_loose_die_may_have_no_value_that_anybody_can_tell() -> None:
    """Its color counts then, and whatever value is read is right."""
    dice = [{"die": "Y?", "box": [1, 2, 30, 40]}, {"die": "P2", "top": [50, 60], "edge": 20}]
    label = parse_label("a.jpg", {"kind": "loose_dice", "loose": dice})
    assert [(one.color, one.value) for one in label.dice] == [(Color.YELLOW, None), (Color.PURPLE, 2)]


def test_a_list_without_file_names_is_refused(tmp_path: Path) -> None:
    """An entry that does not say which photo it is about is a wrong label."""
    (tmp_path / "labels.json").write_text('{"files": [{"dice": []}]}', encoding="utf-8")
    with pytest.raises(CalibrationError):
        load_labels(tmp_path)


CORNERS = [[10, 20], [310, 20], [310, 260], [10, 260]]
PRINTS = [".4.Y6", "R.2..", "..RP1", "BY..."]


@pytest.mark.parametrize(
    ("corners", "size", "whole"),
    [
        (CORNERS, (400, 300), True),
        (CORNERS, (300, 300), False),
        (CORNERS, (400, 250), False),
        ([[-1, 20], *CORNERS[1:]], (400, 300), False),
        ([None, *CORNERS[1:]], (400, 300), False),
        (CORNERS, None, True),
    ],
)
def test_window_is_whole_when_all_its_corners_are_in_the_photo(
    corners: list[list[int] | None], size: tuple[int, int] | None, whole: bool
) -> None:
    """A corner outside the photo, or one that nobody can see, makes it a window that is cut off."""
    (window,) = parse_label("a.jpg", {"board": ROWS, "corners_tl_tr_br_bl": corners}).windows
    assert window.whole_in(size) is whole


def test_corners_may_be_off_by_what_the_label_admits() -> None:
    """A corner two pixels outside is inside when corners are labelled to three pixels."""
    entry = {"board": ROWS, "corners_tl_tr_br_bl": [[-2, 20], *CORNERS[1:]], "corner_accuracy_px": 3}
    (window,) = parse_label("a.jpg", entry).windows
    assert window.whole_in((400, 300))


def test_window_without_corners_is_whole_when_all_is_readable() -> None:
    """Where no corner is labelled, a die that nobody can read speaks for a window that is cut off."""
    readable = [["Y5" if cell == "??" else cell for cell in row] for row in ROWS]
    assert parse_label("a.jpg", {"board": readable}).windows[0].whole_in((400, 300))
    assert not parse_label("a.jpg", {"board": ROWS}).windows[0].whole_in((400, 300))


def test_width_is_that_of_the_lattice() -> None:
    """The mean of the upper and the lower side counts; without either nothing says that it is narrow."""
    corners = [[10, 20], [310, 20], [210, 260], [110, 260]]
    (window,) = parse_label("a.jpg", {"board": ROWS, "corners_tl_tr_br_bl": corners}).windows
    assert window.width_px == 200
    assert parse_label("a.jpg", {"board": ROWS}).windows[0].width_px == float("inf")


def test_card_is_known_by_its_name_or_by_its_print() -> None:
    """A label without a name names one of the game's cards when it prints it whole."""
    assert parse_label("a.jpg", {"board": ROWS, "cells": PRINTS}).windows[0].name == "Fractal Drops"
    hidden = ["?" + PRINTS[0][1:], *PRINTS[1:]]
    (window,) = parse_label("a.jpg", {"board": ROWS, "cells": hidden}).windows
    assert window.name is None
    assert window.cells[0].print is None
    assert window.cells[1].print == "4"
    assert not window.card_is_known
    assert parse_label("a.jpg", {"board": ROWS, "window": "Batlló"}).windows[0].card_is_known
    assert not parse_label("a.jpg", {"board": ROWS, "window": "My own"}).windows[0].card_is_known


@pytest.mark.parametrize("cells", [PRINTS[:3], [*PRINTS[:3], "BY.."], [*PRINTS[:3], "BY..X"], "BY..."])
def test_malformed_print_is_a_wrong_label(cells: object) -> None:
    """Printed spaces are four rows of five signs of pattern notation."""
    with pytest.raises(CalibrationError, match="cells"):
        parse_label("a.jpg", {"board": ROWS, "cells": cells})


@pytest.mark.parametrize(
    ("entry", "refusal"),
    [
        ({"kind": "cut", "board": ROWS}, "board_cut_off"),
        ({"kind": "none"}, "board_not_found"),
        ({"dice": []}, "board_not_found"),
        ({"kind": "night", "refusal": "too_dark"}, "too_dark"),
        ({"board": ROWS}, None),
    ],
)
def test_right_reason_follows_from_the_kind_or_is_told(entry: object, refusal: str | None) -> None:
    """A photo to refuse has one right reason: that of its kind, or the one its label names."""
    label = parse_label("a.jpg", entry)
    assert label.refusal == refusal
    assert label.must_be_refused is (refusal is not None)


def test_folder_of_folders_stands_for_those_with_labels(tmp_path: Path) -> None:
    """A folder that has labels is itself; one without stands for the folders in it that have some."""
    for name in ("b", "a", "without"):
        (tmp_path / name).mkdir()
    for name in ("b", "a"):
        (tmp_path / name / "labels.json").write_text("{}")
    assert labelled_folders(tmp_path / "a") == (tmp_path / "a",)
    assert labelled_folders(tmp_path) == (tmp_path / "a", tmp_path / "b")
    with pytest.raises(CalibrationError) as caught:
        labelled_folders(tmp_path / "without")
    assert caught.value.code == "labels_missing"
