"""What ``sagrada evaluate`` says, for people and for programs, and what is kept of it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from calibration.evaluation.comparison import PhotoResult, compare
from calibration.evaluation.labels import parse_label
from calibration.evaluation.report import (
    BLOCKS,
    CARD,
    DOCUMENT,
    RECORDS,
    Miss,
    Report,
    Table,
    evaluations_of,
    misses_of,
    read_records,
    refreshed,
    sections_of,
    worse_than_recorded,
    write_records,
)
from tests.readings import BOARD, SQUARE, reading_of

ENTRY = {
    "board": [row.split() for row in BOARD.split("/")],
    "corners_tl_tr_br_bl": [list(corner) for corner in SQUARE],
}
WRONG = BOARD.replace("R6", "R5").replace("--", "G3")


def read_as(board: str, name: str = "a.jpg", **keys: object) -> PhotoResult:
    """Return what comes of reading ``board`` where `BOARD` lies; A2 and B1 are flagged."""
    return compare(
        parse_label(name, {**ENTRY, **keys}),
        reading_of(board, doubtful=("A2", "B1"), window="Firmitas"),
        0.25,
    )


def refused(name: str = "b.jpg", code: str = "too_dark", **keys: object) -> PhotoResult:
    """Return what comes of refusing the photo."""
    label = parse_label(name, {**ENTRY, **keys})
    return PhotoResult(label, 0.25, error=code, window=label.windows[0])


def lines_of(text: str) -> list[str]:
    """Return the lines of a text with single blanks."""
    return [" ".join(line.split()) for line in text.splitlines()]


def test_table_lines_up_in_the_terminal() -> None:
    """The first column is aligned left, the others right, without marks and blanks at the end."""
    assert Table(("name", "n"), [("`a`", "**10**"), ("bcdef", "9")]).text == "name    n\na      10\nbcdef   9"


def test_table_is_markdown_on_a_page() -> None:
    """The first column is left, all others are right."""
    assert Table(("a", "b"), [("x", "1")]).markdown == "| a | b |\n| --- | ---: |\n| x | 1 |"


def test_every_folder_is_a_column_of_figures() -> None:
    """The figures of each folder stand beside those of all, with the goal; codes of refusals below."""
    report = Report.of([("mine", [read_as(WRONG), refused()]), ("other", [read_as(BOARD)])])
    lines = lines_of(report.text(with_misses=False))
    assert "mine other all windows windows with dice goal reached" in lines
    both = "66.67 % of 60 66.67 % of 60"
    assert (
        f"cells right, refused windows as wrong 45 % of 40 100 % of 20 {both.replace('66.67', '63.33')}"
        in lines
    )
    assert "wrong dice not flagged, a window 1.000 0.000 0.500 0.500 ≤ 0.1 NO" in lines
    assert "refused: too_dark x 1" in lines
    assert not [line for line in lines if line.startswith("no window")]


def test_photos_to_refuse_have_no_boards() -> None:
    """Where there is nothing to read only refusals and times are shown."""
    text = Report.of([("mine", [refused(kind="cut")])]).text(with_misses=False)
    assert "no window: refused 100 % of 1 100 % of 1" in lines_of(text)
    assert "seconds: median 0.25, worst 0.25" in lines_of(text)
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
    lines = lines_of(Report.of([("mine", results)], "light").text(with_misses=False))
    assert "day dim all windows windows with dice goal reached" in lines


def test_a_folder_of_both_kinds_stands_twice() -> None:
    """Its rendered photos stand with the rendered ones, its real photos with the real ones, never as one."""
    report = Report.of([("mine", [read_as(BOARD, seed=1), read_as(WRONG, "b.jpg")])])
    rendered, real = report.text(with_misses=False).split("\nReal photos")
    assert "windows without a mistake 100 % of 1 100 % of 1 ≥ 96 % yes" in lines_of(rendered)
    assert "windows without a mistake 0 % of 1 0 % of 1" in lines_of(real)
    assert [one.section for one in report.evaluations] == ["rendered", "real"]


def test_windows_with_dice_must_reach_the_goal_too() -> None:
    """Cards without dice cannot carry the dice over the line."""
    empty = " / ".join(["-- -- -- -- --"] * 4)
    cards = [compare(parse_label("b.jpg", {**ENTRY, "board": [["--"] * 5] * 4}), reading_of(empty), 0.1)] * 5
    (row,) = [
        row
        for row in Report.of([("mine", [read_as(WRONG), *cards])]).text(with_misses=False).splitlines()
        if row.startswith("cells right  ")
    ]
    assert row.split()[2:] == ["98.33", "%", "of", "120", "90", "%", "of", "20", "≥", "98", "%", "NO"]


def test_misses_of_whole_windows_are_one_line() -> None:
    """A refusal, a reading of the wrong place and a reading of no window are one miss each."""
    elsewhere = parse_label("b.jpg", {**ENTRY, "corners_tl_tr_br_bl": [[x + 900, y] for x, y in SQUARE]})
    misplaced = compare(elsewhere, reading_of(), 0.2)
    assert [miss.read for miss in misses_of(misplaced)] == ["corner 9.0 cells off"]
    assert [miss.truth for miss in misses_of(read_as(BOARD, kind="cut"))] == ["refused: board_cut_off"]
    (miss,) = misses_of(refused(kind="none", code="board_cut_off"))
    assert (miss.read, miss.truth) == ("refused: board_cut_off", "refused: board_not_found")


def test_what_is_right_or_not_owed_is_no_miss() -> None:
    """A right reading, a right refusal, and the refusal of a window too narrow or cut off are no misses."""
    cut = [[x - 300, y] for x, y in SQUARE]
    narrow = [[x / 3, y / 3] for x, y in SQUARE]
    assert misses_of(read_as(BOARD, window="Firmitas")) == ()
    assert misses_of(refused(kind="cut", code="board_cut_off")) == ()
    assert misses_of(refused(code="board_cut_off", corners_tl_tr_br_bl=cut)) == ()
    assert misses_of(refused(corners_tl_tr_br_bl=narrow)) == ()
    (unsaid,) = misses_of(refused(corners_tl_tr_br_bl=cut))
    assert (unsaid.read, unsaid.truth) == ("refused: too_dark", "refused: board_cut_off")


def test_card_that_is_not_named_is_a_miss() -> None:
    """One of the game's cards that gets no name or a wrong one is a miss; a card of one's own is not."""
    assert misses_of(read_as(BOARD, window="Batllo")) == (Miss("a.jpg", CARD, "Firmitas", "Batllo"),)
    assert misses_of(read_as(BOARD, window="My own")) == ()


def test_records_are_read_back_as_they_were_written(tmp_path: Path) -> None:
    """Figures and misses survive the file, and nothing is worse than itself."""
    found = evaluations_of("mine", [read_as(WRONG), refused(), refused("c.jpg", kind="table")])
    write_records(found, tmp_path)
    assert read_records(tmp_path) == list(found)
    assert worse_than_recorded(found, tmp_path) == ()


def test_a_worse_reader_is_noticed(tmp_path: Path) -> None:
    """One die that was right and is wrong now is enough; without a record nothing can be said."""
    assert worse_than_recorded(evaluations_of("mine", [read_as(BOARD)]), tmp_path) == (
        "mine: there is no record to compare with; write one first",
    )
    write_records(evaluations_of("mine", [read_as(BOARD)]), tmp_path)
    worse = worse_than_recorded(evaluations_of("mine", [read_as(WRONG)]), tmp_path)
    assert "mine: cells right: 90 % of 20, was 100 % of 20" in worse


def test_sample_photos_are_not_counted_twice() -> None:
    """Where figures of folders are added up, photos that are in two of them count once."""
    drawn, again = (evaluations_of(name, [read_as(BOARD, seed=1)])[0] for name in ("drawn", "sample_images"))
    assert [one.summary.photos for one in sections_of([drawn, again])] == [1]
    assert [one.summary.photos for one in sections_of([again])] == [1]


def test_block_is_replaced_and_all_else_stays() -> None:
    """What stands between the marks is made anew, also a second time; an unknown block is a mistake."""
    found = evaluations_of("mine", [read_as(BOARD, seed=1), read_as(WRONG, "b.jpg")])
    text = "Before 17.\n<!-- figures: windows -->\nold\n<!-- end -->\nAfter 18.\n"
    new = refreshed(text, found)
    assert "| cells right | 100 % of 20 ✓ | 90 % of 20 **✗ ≥ 98 %** | 90 % of 20 **✗ ≥ 98 %** |" in new
    assert new.startswith("Before 17.\n")
    assert new.endswith("After 18.\n")
    assert refreshed(new, found) == new
    with pytest.raises(KeyError):
        refreshed("<!-- figures: nothing -->\n<!-- end -->", found)


def test_committed_document_holds_the_figures_of_the_records() -> None:
    """Every table of figures in docs/accuracy.md is what the records say, and every link leads somewhere."""
    text = DOCUMENT.read_text(encoding="utf-8")
    assert refreshed(text, read_records()) == text
    assert set(re.findall(r"<!-- figures: (.+) -->", text)) == set(BLOCKS)
    linked = re.findall(r"\]\((?!http)([^)#]+)\)", text)
    assert len(linked) > 5
    assert [name for name in linked if not (DOCUMENT.parent / name).exists()] == []


def test_committed_records_are_named_like_their_files_and_hold_no_path(project_root: Path) -> None:
    """A record speaks of a folder, not of a place; that of the sample photos is about all of them."""
    records = {one.path: one for one in read_records()}
    assert set(records) == {path.name for path in RECORDS.glob("*.json")}
    assert not [path for path in records if "/" in (RECORDS / path).read_text(encoding="utf-8")]
    labels = json.loads((project_root / "sample_images" / "labels.json").read_text(encoding="utf-8"))
    tables = [name for name, label in labels.items() if label["kind"] == "table"]
    assert records["sample_images.json"].summary.photos == len(labels) - len(tables)
