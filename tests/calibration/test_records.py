"""The committed figures, what is worse than they were, and the tables made of them."""

from __future__ import annotations

import dataclasses
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from calibration import __main__ as command
from calibration.accuracy.beside import Beside
from calibration.accuracy.comparison import PhotoResult, compare
from calibration.accuracy.goals import CALIBRATION_SLACK, worse_figures
from calibration.accuracy.labels import parse_label
from calibration.accuracy.records import (
    CARD,
    OVERLAPPING,
    RECORDS,
    Miss,
    by_origin,
    evaluation_of,
    misses_of,
    origin_of,
    read_record,
    read_records,
    write_record,
)
from calibration.accuracy.reliability import BINS, Bin, Reliability
from calibration.accuracy.shares import Share
from calibration.accuracy.summary import CellShares, Summary
from tests.readings import BOARD, SQUARE, reading_of

ENTRY = {
    "board": [row.split() for row in BOARD.split("/")],
    "corners_tl_tr_br_bl": [list(corner) for corner in SQUARE],
    "window": "Firmitas",
}
WRONG = BOARD.replace("R6", "R5").replace("--", "G3")


def read_as(board: str, name: str = "a.jpg", **keys: object) -> PhotoResult:
    """Return what comes of reading ``board`` where `BOARD` lies; A2 and B1 are flagged."""
    reading = reading_of(board, doubtful=("A2", "B1"), window="Firmitas")
    return compare(parse_label(name, {**ENTRY, **keys}), reading, 0.25)


def refused(name: str = "a.jpg", code: str = "too_dark", **keys: object) -> PhotoResult:
    """Return what comes of refusing the photo."""
    label = parse_label(name, {**ENTRY, **keys})
    return PhotoResult(label, 0.25, error=code, window=label.windows[0])


def test_misses_name_cell_truth_reading_and_warning() -> None:
    """Each wrong cell is listed with its truth, what was read, how surely and whether it was flagged."""
    assert misses_of(read_as(WRONG)) == (
        Miss("a.jpg", "A2", "G3", "--", 0.6, flagged=True),
        Miss("a.jpg", "C1", "R5", "R6", 0.99, flagged=False),
    )


def test_misses_of_whole_windows_are_one_line() -> None:
    """A refusal, a reading of the wrong place and a reading of no window are one miss each."""
    elsewhere = parse_label("b.jpg", {**ENTRY, "corners_tl_tr_br_bl": [[x + 900, y] for x, y in SQUARE]})
    assert [miss.read for miss in misses_of(refused())] == ["refused: too_dark"]
    misplaced = compare(elsewhere, reading_of(), 0.2)
    assert [miss.read for miss in misses_of(misplaced)] == ["corner 9.0 cells off"]
    assert [miss.truth for miss in misses_of(read_as(BOARD, kind="cut"))] == ["refused: board_cut_off"]


def test_what_is_right_is_no_miss() -> None:
    """A right reading and a right refusal have no misses."""
    assert misses_of(read_as(BOARD)) == ()
    assert misses_of(refused(kind="cut", code="board_cut_off")) == ()


def test_refusal_with_the_wrong_reason_is_a_miss() -> None:
    """Where there is no window, the reason given must be the right one."""
    (miss,) = misses_of(refused(kind="none", code="board_cut_off"))
    assert (miss.read, miss.truth) == ("refused: board_cut_off", "refused: board_not_found")


def test_refusal_of_what_is_not_owed_is_no_miss() -> None:
    """A narrow window may be refused, and one that the photo's edge cuts off when this is said."""
    cut = [[x - 300, y] for x, y in SQUARE]
    narrow = [[x / 3, y / 3] for x, y in SQUARE]
    assert misses_of(refused(code="board_cut_off", corners_tl_tr_br_bl=cut)) == ()
    assert misses_of(refused(corners_tl_tr_br_bl=narrow)) == ()
    (unsaid,) = misses_of(refused(corners_tl_tr_br_bl=cut))
    assert (unsaid.read, unsaid.truth) == ("refused: too_dark", "refused: board_cut_off")
    assert len(misses_of(refused())) == 1


def test_card_that_is_not_named_is_a_miss() -> None:
    """One of the game's cards that gets no name or a wrong one is a miss; a card of one's own is not."""
    (miss,) = misses_of(read_as(BOARD, window="Batllo"))
    assert (miss.cell, miss.read, miss.truth) == (CARD, "Firmitas", "Batllo")
    assert misses_of(read_as(BOARD, window="My own")) == ()


def test_origin_of_photos_is_told_by_the_seed() -> None:
    """Rendered photos carry the seed they were made from; a folder of both kinds is mixed."""
    rendered, real = parse_label("a.jpg", {**ENTRY, "seed": 1}), parse_label("b.jpg", ENTRY)
    assert origin_of([rendered, rendered]) == "rendered"
    assert origin_of([real]) == "real"
    assert origin_of([real, rendered]) == "mixed"
    assert origin_of([parse_label("c.jpg", {**ENTRY, "seed": 1, "origin": "synthetic"})]) == "synthetic"


def test_photos_are_split_by_origin() -> None:
    """Rendered photos come first, then real ones, each with their own, whatever folder they are in."""
    results = [read_as(BOARD), read_as(BOARD, "b.jpg", seed=1), read_as(BOARD, "c.jpg")]
    names = {origin: [r.label.name for r in found] for origin, found in by_origin(results).items()}
    assert names == {"rendered": ["b.jpg"], "real": ["a.jpg", "c.jpg"]}
    assert list(names) == ["rendered", "real"]


def test_record_survives_the_file(tmp_path: Path) -> None:
    """What is written to a record is read back from it."""
    evaluation = evaluation_of("mine", [read_as(WRONG), refused("b.jpg")])
    write_record(evaluation, tmp_path / "mine.json")
    assert read_record(tmp_path / "mine.json") == evaluation


def test_nothing_is_worse_than_itself() -> None:
    """The same figures are not worse, whatever the machine's speed."""
    summary = evaluation_of("mine", [read_as(WRONG)]).summary
    slower = dataclasses.replace(summary, seconds_median=9.0, seconds_worst=99.0)
    assert worse_figures(slower, summary) == ()


def unsure(cells: int) -> Reliability:
    """Return readings that are all right at a confidence of one half."""
    empty = [Bin(0, 0, 0.0)] * BINS
    return Reliability((*empty[:7], Bin(cells, cells, cells / 2), *empty[8:]), Reliability.of([]).levels)


WORSE: dict[str, tuple[object, str]] = {
    "located": (Share(0, 2), "windows located: 0 of 2, was 1 of 2"),
    "located_owed": (Share(0, 2), "whole and wide enough): 0 of 2, was 1 of 2"),
    "upright": (Share(0, 1), "right way up"),
    "cells": (
        CellShares(Share(0, 40), Share(20, 40), Share(19, 38), Share(19, 38)),
        "refused windows as wrong: 0 of 40, was 20 of 40",
    ),
    "cells_counted": (Share(19, 40), "cells right: 19 of 40, was 20 of 40"),
    "boards_exact": (Share(0, 2), "boards exact"),
    "boards_at_most_one_wrong": (Share(0, 2), "at most one wrong"),
    "wrong_unflagged": (1, "not flagged, per board: 1.0, was 0.0"),
    "flagged": (Share(3, 20), "flagged as doubtful: 3 of 20, was 2 of 20"),
    "pattern": (Share(0, 2), "printed spaces of open cells right: 0 of 2, was 1 of 2"),
    "cards_named": (Share(0, 2), "pattern card named: 0 of 2, was 1 of 2"),
    "cards_wrong": (1, "pattern card named wrongly: 1 of 2, was 0 of 2"),
    "cut_off_named": (Share(0, 1), "or said to be cut off: 0 of 1, was 1 of 1"),
    "refused": (Share(0, 1), "no window: refused: 0 of 1"),
    "rightly_refused": (Share(0, 1), "right reason: 0 of 1, was 1 of 1"),
    "reliability": (unsure(20), "calibration error: 0.5, was 0.049"),
    "hidden_covered": (Share(0, 1), "said to be covered: 0 of 1, was 1 of 1"),
    "in_view_covered": (Share(1, 20), "said to be covered: 1 of 20, was 0 of 20"),
    "found_or_named": (Share(0, 1), "or named as unread: 0 of 1, was 1 of 1"),
    "beside": (Beside(dice_found=Share(0, 1)), "loose dice found: 0 of 1, was 1 of 1"),
}
NOT_COMPARED = {
    "photos", "boards", "boards_read",  # how many photos there are
    "cells_located",  # shown beside the strict figure
    "refusal_codes", "boards_refused",  # told apart by their numbers above
    "corner_error_median", "corner_error_max",  # a window is located, or it is not
    "seconds_median", "seconds_worst",  # differ between machines
}  # fmt: skip


def before() -> Summary:
    """Return figures in which each kind of figure can become worse."""
    cells = [".1...", *["....."] * 3]
    cut = [[x - 300, y] for x, y in SQUARE]
    results = [
        read_as(BOARD, cells=cells),
        refused("b.jpg"),
        refused("c.jpg", kind="cut", code="board_cut_off"),
        refused("d.jpg", code="board_cut_off", corners_tl_tr_br_bl=cut),
    ]
    return dataclasses.replace(
        evaluation_of("mine", results).summary,
        located=Share(1, 2),
        pattern=Share(1, 2),
        hidden_covered=Share(1, 1),
        in_view_covered=Share(0, 20),
        found_or_named=Share(1, 1),
        beside=Beside(dice_found=Share(1, 1)),
        cells=CellShares(Share(20, 40), Share(20, 40), Share(19, 38), Share(19, 38)),
    )


@pytest.mark.parametrize("field", WORSE)
def test_worse_figure_is_named_with_what_it_was(field: str) -> None:
    """A figure that gets worse is named with old and new value; the other way round nothing is."""
    was = before()
    value, complaint = WORSE[field]
    changes: dict[str, Any] = {field: value}
    now = dataclasses.replace(was, **changes)
    (sentence,) = worse_figures(now, was)
    assert complaint in sentence
    assert worse_figures(was, now) == ()


@pytest.mark.parametrize("part", ["right", "color", "value", "occupied"])
def test_each_part_of_a_cell_can_become_worse(part: str) -> None:
    """Color, value and emptiness are compared each for itself."""
    was = before()
    changes: dict[str, Any] = {part: Share(0, 40)}
    now = dataclasses.replace(was, cells=dataclasses.replace(was.cells, **changes))
    assert len(worse_figures(now, was)) == 1


def test_no_figure_is_forgotten() -> None:
    """Every figure of a summary is compared with its record, or named here as one that is not."""
    assert {f.name for f in dataclasses.fields(Summary)} == set(WORSE) | NOT_COMPARED


def test_last_digit_of_a_confidence_may_differ() -> None:
    """Another processor's rounding is not taken for a worse calibration."""
    was = before()
    first, *others = was.reliability.bins
    slack = CALIBRATION_SLACK * was.reliability.cells / 2
    moved = dataclasses.replace(
        was.reliability, bins=(Bin(first.cells, 0, first.confidence + slack), *others)
    )
    assert worse_figures(dataclasses.replace(was, reliability=moved), was) == ()


def test_fewer_right_cells_are_worse() -> None:
    """One cell that was right and is wrong now is enough."""
    before = evaluation_of("mine", [read_as(WRONG)]).summary
    now = evaluation_of("mine", [read_as(WRONG.replace("P2", "P3"))]).summary
    assert any(sentence == "cells right: 15 of 20, was 18 of 20" for sentence in worse_figures(now, before))


def test_committed_records_speak_of_folders_not_of_places() -> None:
    """A record is named like its file and holds no path."""
    for path in RECORDS.glob("*.json"):
        assert read_record(path).name.replace(" ", "_") == path.stem
        assert "/" not in path.read_text(encoding="utf-8")


def test_sample_photos_have_a_record_of_all_their_photos(project_root: Path) -> None:
    """The committed figures of the sample photos are about the photos that are there."""
    records = [e for e in read_records() if e.name in OVERLAPPING]
    labels = json.loads((project_root / "sample_images" / "labels.json").read_text(encoding="utf-8"))
    tables = {name for name, label in labels.items() if label["kind"] == "table"}
    counted = {e.name: e.summary.photos for e in records}
    assert counted["sample_images"] == len(labels) - len(tables)
    assert counted["sample_images tables"] >= len(tables)  # a photo counts as often as it has windows


@pytest.fixture
def photos(tmp_path: Path, project_root: Path) -> Path:
    """Return a folder of one labelled sample photo."""
    folder = tmp_path / "photos"
    folder.mkdir()
    labels = json.loads((project_root / "sample_images" / "labels.json").read_text(encoding="utf-8"))
    shutil.copy(project_root / "sample_images" / "cut_off.jpg", folder)
    (folder / "labels.json").write_text(json.dumps({"cut_off.jpg": labels["cut_off.jpg"]}))
    return folder


def test_written_record_passes_its_own_check(
    photos: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`write` makes record and page; `check` of the same photos then finds nothing worse."""
    assert command.main(["write", str(photos)], records=tmp_path, document=None) == 0
    assert "`photos`" in (tmp_path / "README.md").read_text(encoding="utf-8")
    assert command.main(["check", str(photos)], records=tmp_path) == 0
    assert "Nothing is worse" in capsys.readouterr().out


def test_check_fails_when_a_figure_is_worse(
    photos: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Reading a photo that the record says is refused, or having no record at all, is a failure."""
    assert command.main(["check", str(photos)], records=tmp_path) == 1
    assert "there is no record" in capsys.readouterr().out
    command.main(["write", str(photos)], records=tmp_path, document=None)
    labels = json.loads((photos / "labels.json").read_text())
    shutil.copy(photos / "cut_off.jpg", photos / "again.jpg")
    labels["again.jpg"] = {**labels["cut_off.jpg"], "kind": "board"}  # now it should have been read
    record = read_record(tmp_path / "photos.json")
    better = dataclasses.replace(record.summary, located=Share(1, 1))
    write_record(dataclasses.replace(record, summary=better), tmp_path / "photos.json")
    (photos / "labels.json").write_text(json.dumps(labels))
    assert command.main(["check", str(photos)], records=tmp_path) == 1
    assert "photos: windows located: 0 of 1, was 1 of 1" in capsys.readouterr().out
