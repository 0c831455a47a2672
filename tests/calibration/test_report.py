"""What ``sagrada evaluate`` says, for people and for programs."""

from __future__ import annotations

from calibration.accuracy.comparison import PhotoResult, compare
from calibration.accuracy.labels import parse_label
from calibration.accuracy.report import Report, Table
from tests.readings import BOARD, SQUARE, reading_of

ENTRY = {
    "board": [row.split() for row in BOARD.split("/")],
    "corners_tl_tr_br_bl": [list(corner) for corner in SQUARE],
}
WRONG = BOARD.replace("R6", "R5").replace("--", "G3")


def read_as(board: str, name: str = "a.jpg", **keys: object) -> PhotoResult:
    """Return what comes of reading ``board`` where `BOARD` lies; A2 and B1 are flagged."""
    return compare(parse_label(name, {**ENTRY, **keys}), reading_of(board, doubtful=("A2", "B1")), 0.25)


def refused(name: str = "b.jpg", **keys: object) -> PhotoResult:
    """Return what comes of refusing the photo as too dark."""
    label = parse_label(name, {**ENTRY, **keys})
    return PhotoResult(label, 0.25, error="too_dark", window=label.windows[0])


def lines_of(text: str) -> list[str]:
    """Return the lines of a text with single blanks."""
    return [" ".join(line.split()) for line in text.splitlines()]


def test_table_lines_up_in_the_terminal() -> None:
    """The first column is aligned left, the others right, without marks and blanks at the end."""
    assert Table(("name", "n"), [("`a`", "**10**"), ("bcdef", "9")]).text == "name    n\na      10\nbcdef   9"


def test_table_is_markdown_on_a_page() -> None:
    """The first column is left, all others are right."""
    assert Table(("a", "b"), [("x", "1")]).markdown == "| a | b |\n| --- | ---: |\n| x | 1 |"


def test_turned_table_leaves_out_what_nobody_measured() -> None:
    """Columns become rows, but for those that hold nothing but dashes."""
    table = Table(("folder", "boards", "color", "print"), [("a", "1", "-", "-"), ("b", "2", "50 %", "-")])
    assert table.turned() == Table(("folder", "a", "b"), [("boards", "1", "2"), ("color", "-", "50 %")])


def test_every_folder_is_a_column_of_figures() -> None:
    """Counts, shares and the codes of refusals of each folder stand below its name."""
    report = Report.of([("mine", [read_as(WRONG), refused()]), ("other", [read_as(BOARD)])])
    lines = lines_of(report.text(with_misses=False))
    assert "folder mine other" in lines
    assert "located 50.0 % 100.0 %" in lines
    assert "cells right, strict (of located) 45.0 % (90.0 %) 100.0 % (100.0 %)" in lines
    assert "exact 0 of 2 1 of 1" in lines
    assert "unnoticed a board 1.00 0.00" in lines
    assert "boards refused too_dark x 1" in lines
    assert not [line for line in lines if line.startswith("no window")]


def test_photos_to_refuse_have_no_boards() -> None:
    """Where there is nothing to read only refusals and times are shown."""
    text = Report.of([("mine", [refused(kind="cut")])]).text(with_misses=False)
    assert "no window: refused 1 of 1" in lines_of(text)
    assert "no window: reasons too_dark x 1" in lines_of(text)
    assert "seconds: median, worst 0.25, 0.25" in lines_of(text)
    assert "cells right" not in text
    assert "read at least so surely" not in text


def test_misses_are_listed_when_asked_for() -> None:
    """Each miss is a row with what was read, the truth, how sure and whether it was flagged."""
    report = Report.of([("mine", [read_as(WRONG), refused()])])
    lines = lines_of(report.text(with_misses=True))
    assert "a.jpg A2 G3 -- 0.60 yes" in lines
    assert "a.jpg C1 R5 R6 0.99 no" in lines
    assert "b.jpg all refused: too_dark a window" in lines
    assert "photo cell" not in report.text(with_misses=False)


def test_photos_are_split_by_a_key_of_their_labels() -> None:
    """Every value of the key is a column."""
    results = [read_as(BOARD, light="day"), read_as(WRONG, "b.jpg", light="dim")]
    assert "light day dim" in lines_of(Report.of([("mine", results)], "light").text(with_misses=False))


def test_a_folder_of_both_kinds_stands_twice() -> None:
    """Its rendered photos stand with the rendered ones, its real photos with the real ones, never as one."""
    report = Report.of([("mine", [read_as(BOARD, seed=1), read_as(WRONG, "b.jpg")])])
    rendered, real = report.text(with_misses=False).split("\nReal photos\n")
    assert "exact 1 of 1" in lines_of(rendered)
    assert "exact 0 of 1" in lines_of(real)
    assert report.to_json(with_misses=False)["origin"] == "mixed"
