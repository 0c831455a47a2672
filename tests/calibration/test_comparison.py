"""Holding one reading against its label."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.evaluation.comparison import (
    TOLERANCE_CELLS,
    PhotoResult,
    compare,
    evaluate_photos,
    evaluate_table,
)
from calibration.evaluation.labels import PhotoLabel, parse_label
from scoring import Board
from scoring.sentences import sentence
from tests.readings import BOARD, SQUARE, reading_of
from vision import BoardNotFoundError, Corners, PhotoError, Reading, TableReading
from vision.geometry import as_corners

CORNERS = [list(corner) for corner in SQUARE]
TURNED: Corners = (SQUARE[2], SQUARE[3], SQUARE[0], SQUARE[1])


def rows(board: str = BOARD) -> list[list[str]]:
    """Return board notation as the rows of a label."""
    return [row.split() for row in board.split("/")]


def label_of(board: str = BOARD, corners: object = CORNERS, **keys: object) -> PhotoLabel:
    """Return the label of one window."""
    return parse_label("a.jpg", {"board": rows(board), "corners_tl_tr_br_bl": corners, **keys})


def shifted(by: float) -> Corners:
    """Return the corners with the top left one ``by`` pixels too far right."""
    return ((SQUARE[0][0] + by, SQUARE[0][1]), *SQUARE[1:])


def test_right_reading_has_no_wrong_cell() -> None:
    """What agrees with the label is found, upright, and right in all 20 cells."""
    result = compare(label_of(), reading_of(window="Firmitas"), seconds=0.3)
    assert result.found
    assert result.location is not None
    assert result.location.errors_cells == (0, 0, 0, 0)
    assert not result.location.turned
    assert len(result.cells) == 20
    assert result.wrong_cells == ()
    assert result.card == "Firmitas"
    assert result.seconds == 0.3


@pytest.mark.parametrize(("by", "found"), [(0.0, True), (49.0, True), (51.0, False)])
def test_window_is_located_within_half_a_cell(by: float, found: bool) -> None:
    """The worst corner decides, in units of the mean distance of neighboring cells (here 100 pixels)."""
    result = compare(label_of(), reading_of(corners=shifted(by)), seconds=0)
    assert result.location is not None
    assert max(result.location.errors_cells) == pytest.approx(by / 100)
    assert result.found is found
    assert found is (by / 100 <= TOLERANCE_CELLS)


def test_every_cell_is_wrong_when_something_else_was_read() -> None:
    """A reading of a place that is not the window counts all its cells as wrong, also those that agree."""
    result = compare(label_of(), reading_of(corners=shifted(300)), seconds=0)
    assert len(result.wrong_cells) == 20


def test_upside_down_reading_is_turned_before_cells_are_compared() -> None:
    """Upside down is a fault of its own: the window is located and its dice are right."""
    upside_down = str(Board.parse(BOARD).rotated_180())
    result = compare(label_of(), reading_of(upside_down, corners=TURNED), seconds=0)
    assert result.found
    assert result.location is not None
    assert result.location.turned
    assert result.wrong_cells == ()


def test_wrong_cell_is_told_in_the_labels_coordinates() -> None:
    """A die that is wrong in an upside-down reading is named where the label has it."""
    wrong = Board.parse(BOARD).replace(0, 0, None).rotated_180()
    result = compare(label_of(), reading_of(str(wrong), corners=TURNED), seconds=0)
    assert [(cell.row, cell.column, cell.read) for cell in result.wrong_cells] == [(0, 0, None)]


def test_window_on_its_side_is_not_located() -> None:
    """Four by five turned by 90 degrees is another lattice."""
    on_its_side: Corners = (SQUARE[1], SQUARE[2], SQUARE[3], SQUARE[0])
    assert not compare(label_of(), reading_of(corners=on_its_side), seconds=0).found


def test_unreadable_dice_do_not_count() -> None:
    """Whatever is read where nobody can tell the die is neither right nor wrong."""
    result = compare(label_of(BOARD.replace("Y5", "??")), reading_of(), seconds=0)
    assert len(result.cells) == 20 - BOARD.count("Y5")
    assert result.wrong_cells == ()


def test_known_corners_are_enough() -> None:
    """Corners that the label leaves out are not looked at."""
    label = label_of(corners=[None, *CORNERS[1:]])
    result = compare(label, reading_of(corners=shifted(300)), seconds=0)
    assert result.found
    assert result.location is not None
    assert len(result.location.errors_cells) == 3


def test_single_known_corner_is_measured_in_cells_of_the_reading() -> None:
    """Where no side of the window is labelled the reading's own cells are the measure."""
    label = label_of(corners=[CORNERS[0], None, None, None])
    result = compare(label, reading_of(corners=shifted(30)), seconds=0)
    assert result.location is not None
    (error,) = result.location.errors_cells
    assert error == pytest.approx(0.3, abs=0.02)


def test_reading_without_labelled_corners_is_taken_the_way_up_that_fits() -> None:
    """With no corner labelled the dice decide which way up the reading is, and the place is not judged."""
    upside_down = str(Board.parse(BOARD).rotated_180())
    result = compare(label_of(corners=None), reading_of(upside_down), seconds=0)
    assert result.location is None
    assert result.found
    assert result.wrong_cells == ()


def test_reading_is_held_against_the_nearest_window() -> None:
    """Of several labelled windows the one that lies where the reading lies is meant."""
    far = [[x + 1000, y] for x, y in CORNERS]
    other = " / ".join(["R1 R1 R1 R1 R1"] * 4)
    windows = [
        {"board": rows(other), "corners_tl_tr_br_bl": far},
        {"board": rows(), "corners_tl_tr_br_bl": CORNERS},
    ]
    result = compare(parse_label("a.jpg", {"boards": windows}), reading_of(), seconds=0)
    assert result.found
    assert result.wrong_cells == ()


def test_refusal_keeps_its_code_and_the_largest_window() -> None:
    """A refused photo of several windows owes the dice of the largest one."""
    small = [[x / 10, y / 10] for x, y in CORNERS]
    windows = [
        {"board": rows(), "corners_tl_tr_br_bl": small, "window": "small"},
        {"board": rows(), "corners_tl_tr_br_bl": CORNERS, "window": "large"},
    ]

    def refuse(path: Path) -> Reading:
        raise BoardNotFoundError(
            "board_not_found", sentence("No window in {path}.", path=str(path)), sentence("Try again.")
        )

    label = parse_label("a.jpg", {"boards": windows, "seed": 1})
    (result,) = evaluate_photos(Path(), [label], refuse)
    assert result.error == "board_not_found"
    assert not result.found
    assert result.window is not None
    assert result.window.name == "large"


def test_photos_are_read_from_the_folder_in_order(tmp_path: Path) -> None:
    """The reader is asked once for each labelled photo, in the order of the labels."""
    asked: list[Path] = []

    def read(path: Path) -> Reading:
        asked.append(path)
        return reading_of()

    labels = [parse_label(name, {"board": rows()}) for name in ("b.jpg", "a.jpg")]
    results = tuple(evaluate_photos(tmp_path, labels, read))
    assert asked == [tmp_path / "b.jpg", tmp_path / "a.jpg"]
    assert all(result.seconds >= 0 for result in results)


def test_fault_of_the_reader_goes_through() -> None:
    """Only refusals are results: any other exception is a bug and must be seen."""

    def broken(path: Path) -> Reading:
        raise ZeroDivisionError(path)

    with pytest.raises(ZeroDivisionError):
        tuple(evaluate_photos(Path(), [label_of()], broken))


def refusal_of(code: str, size: tuple[int, int] | None = (800, 600), **keys: object) -> PhotoResult:
    """Return what comes of refusing a photo of one window."""
    label = parse_label("a.jpg", {"board": rows(), "corners_tl_tr_br_bl": CORNERS, **keys})
    return PhotoResult(label, 0.1, error=code, window=label.windows[0], size=size)


def test_whole_and_wide_window_is_owed() -> None:
    """A window that is whole in view and wider than 200 pixels counts whether it was read or not."""
    assert refusal_of("too_dark").owed
    assert refusal_of("too_dark").counted


@pytest.mark.parametrize(
    ("corners", "size"),
    [
        ([[x * 0.4, y * 0.4] for x, y in CORNERS], (800, 600)),
        (CORNERS, (550, 600)),
        ([None, *CORNERS[1:]], (800, 600)),
    ],
)
def test_narrow_or_cut_window_is_not_owed(corners: object, size: tuple[int, int]) -> None:
    """200 pixels are not wider than 200, and a window beyond the photo's edge is not whole."""
    result = refusal_of("board_not_found", size=size, corners_tl_tr_br_bl=corners)
    assert not result.owed
    assert not result.counted


def test_narrow_window_that_is_read_counts() -> None:
    """Who reads what is not owed answers for it."""
    small: Corners = tuple((x * 0.2, y * 0.2) for x, y in SQUARE)  # type: ignore[assignment]
    label = label_of(corners=[list(corner) for corner in small])
    result = compare(label, reading_of(corners=small), seconds=0)
    assert not result.owed
    assert result.counted


@pytest.mark.parametrize(
    ("code", "keys", "size", "right"),
    [
        ("board_cut_off", {"kind": "cut"}, (800, 600), True),
        ("board_not_found", {"kind": "cut"}, (800, 600), False),
        ("board_not_found", {"kind": "none"}, (800, 600), True),
        ("board_cut_off", {"kind": "none"}, (800, 600), False),
        ("too_dark", {"kind": "night", "refusal": "too_dark"}, (800, 600), True),
        ("board_cut_off", {}, (550, 600), True),
        ("board_cut_off", {}, (800, 600), False),
        ("too_dark", {}, (550, 600), False),
    ],
)
def test_refusal_is_right_for_the_right_reason(
    code: str, keys: dict[str, str], size: tuple[int, int], right: bool
) -> None:
    """Each photo to refuse has one right reason; a window to read may be refused when it is cut off."""
    assert refusal_of(code, size=size, **keys).rightly_refused is right


def test_size_of_a_refused_photo_is_that_of_its_file(project_root: Path) -> None:
    """Whether a refused window is cut off is seen from the photo itself."""
    label = parse_label("cut_off.jpg", {"board": rows(), "corners_tl_tr_br_bl": CORNERS})

    def refuse(path: Path) -> Reading:
        raise BoardNotFoundError(
            "board_not_found", sentence("No window in {path}.", path=str(path)), sentence("Try again.")
        )

    (result,) = evaluate_photos(project_root / "sample_images", [label], refuse)
    assert result.size == (1600, 1200)


def test_print_of_open_cells_is_held_against_the_label() -> None:
    """Each open cell has its labelled and its read print, also when the reading is upside down."""
    prints = [".4..." if row == 0 else "....." for row in range(4)]
    reading = replace(reading_of(), pattern="?3??? / ????? / ????? / ?????")
    (cell,) = [c for c in compare(label_of(cells=prints), reading, 0).cells if c.truth is None]
    assert (cell.print_truth, cell.print_read) == ("4", "3")
    upside_down = str(Board.parse(BOARD).rotated_180())
    turned = replace(reading_of(upside_down, corners=TURNED), pattern="????? / ????? / ????? / ???4?")
    (cell,) = [c for c in compare(label_of(cells=prints), turned, 0).cells if c.truth is None]
    assert (cell.print_truth, cell.print_read) == ("4", "4")


def test_of_a_table_every_labelled_window_counts() -> None:
    """Each is held against the reading that lies in its place; one where none lies counts as refused."""
    far = as_corners(np.add(SQUARE, (2000, 0)))
    missed = as_corners(np.add(SQUARE, (4000, 0)))
    boards = [
        {"board": rows(), "corners_tl_tr_br_bl": [list(corner) for corner in corners]}
        for corners in (SQUARE, missed, far)
    ]
    label = parse_label("a.jpg", {"kind": "table", "boards": boards})
    wrong = Board.parse(BOARD).replace(0, 0, None)
    table = TableReading((5000, 600), (reading_of(str(wrong), corners=far), reading_of()), (), 0.6)
    results = list(evaluate_table(label, lambda: table))
    assert [one.error for one in results] == [None, "board_not_found", None]
    assert [len(one.wrong_cells) for one in results] == [0, 0, 1]


def test_a_table_that_is_no_photo_is_refused_for_each_of_its_windows() -> None:
    """The refusal of a whole photo is that of all windows in it."""

    def refused() -> TableReading:
        raise PhotoError("not_a_photo", sentence("No photo."), sentence("Choose another."))

    boards = [{"board": rows(), "corners_tl_tr_br_bl": CORNERS}] * 2
    label = parse_label("a.jpg", {"kind": "table", "boards": boards})
    assert [one.error for one in evaluate_table(label, refused)] == ["not_a_photo", "not_a_photo"]
