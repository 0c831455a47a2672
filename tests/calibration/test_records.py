"""The committed figures, what is worse than they were, and the tables made of them."""

from __future__ import annotations

import dataclasses
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from calibration import results
from calibration.evaluate import PhotoResult, compare
from calibration.labels import parse_label
from calibration.records import (
    RECORDS,
    Evaluation,
    Miss,
    evaluation_of,
    misses_of,
    origin_of,
    read_record,
    worse_figures,
    write_record,
)
from calibration.summary import Share
from calibration.tables import (
    groups_text,
    misses_text,
    plain_table,
    results_page,
    summary_text,
)
from tests.readings import BOARD, SQUARE, reading_of

ENTRY = {
    "board": [row.split() for row in BOARD.split("/")],
    "corners_tl_tr_br_bl": [list(corner) for corner in SQUARE],
    "window": "Firmitas",
}
WRONG = BOARD.replace("R6", "R5").replace("--", "G3")


def read_as(board: str, name: str = "a.jpg", **keys: object) -> PhotoResult:
    """Return what comes of reading ``board`` where `BOARD` lies; A2 and B1 are flagged."""
    return compare(parse_label(name, {**ENTRY, **keys}), reading_of(board, doubtful=("A2", "B1")), 0.25)


def refused(name: str = "a.jpg", code: str = "too_dark", **keys: object) -> PhotoResult:
    """Return what comes of refusing the photo."""
    label = parse_label(name, {**ENTRY, **keys})
    return PhotoResult(label, 0.25, error=code, window=label.windows[0])


def test_misses_name_cell_truth_reading_and_warning() -> None:
    """Each wrong cell is told with its truth, what was read, how surely and whether it was flagged."""
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
    assert [miss.truth for miss in misses_of(read_as(BOARD, kind="cut"))] == ["no whole window"]


def test_what_is_right_is_no_miss() -> None:
    """A right reading and a right refusal have no misses."""
    assert misses_of(read_as(BOARD)) == ()
    assert misses_of(refused(kind="cut")) == ()


def test_origin_of_photos_is_told_by_the_seed() -> None:
    """Rendered photos carry the seed they were made from; a folder of both kinds is mixed."""
    rendered, real = parse_label("a.jpg", {**ENTRY, "seed": 1}), parse_label("b.jpg", ENTRY)
    assert origin_of([rendered, rendered]) == "rendered"
    assert origin_of([real]) == "real"
    assert origin_of([real, rendered]) == "mixed"


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


@pytest.mark.parametrize(
    ("field", "value", "complaint"),
    [
        ("located", Share(0, 2), "windows located: 0 of 2, was 1 of 2"),
        ("upright", Share(0, 1), "right way up"),
        ("boards_exact", Share(0, 2), "boards exact"),
        ("boards_at_most_one_wrong", Share(0, 2), "at most one wrong"),
        ("refused", Share(0, 1), "without a window refused"),
        ("wrong_unflagged_per_board", 0.5, "not flagged, per board: 0.5, was 0.0"),
    ],
)
def test_worse_figure_is_named_with_what_it_was(field: str, value: Share | float, complaint: str) -> None:
    """A figure that falls is told with its old and its new value; the other way round nothing is told."""
    before = evaluation_of("mine", [read_as(BOARD), refused("b.jpg"), refused("c.jpg", kind="cut")]).summary
    changes: dict[str, Any] = {field: value}
    now = dataclasses.replace(before, **changes)
    (sentence,) = worse_figures(now, before)
    assert complaint in sentence
    assert worse_figures(before, now) == ()


def test_fewer_right_cells_are_worse() -> None:
    """One cell that was right and is wrong now is enough."""
    before = evaluation_of("mine", [read_as(WRONG)]).summary
    now = evaluation_of("mine", [read_as(WRONG.replace("P2", "P3"))]).summary
    assert any(
        sentence.startswith("cells right: 15 of 20, was 18 of 20") for sentence in worse_figures(now, before)
    )


def test_plain_table_lines_up() -> None:
    """The first column is aligned left, the others right, without blanks at the end."""
    assert plain_table(("name", "n"), [("a", "10"), ("bcdef", "9")]) == "name    n\na      10\nbcdef   9"


def test_summary_text_tells_located_and_refused() -> None:
    """The text for people has counts, percentages and the codes of refusals."""
    text = summary_text("mine", evaluation_of("mine", [read_as(WRONG), refused("b.jpg")]).summary)
    assert "windows located             1 of 2   50.0 %" in text
    assert "cells right               18 of 40   45.0 %  on located windows 90.0 %" in text
    assert "wrong and not flagged: 1.00 a board" in text
    assert "boards refused        too_dark 1" in text
    assert "rightly refused" not in text


def test_summary_text_of_photos_to_refuse_has_no_boards() -> None:
    """Where there is nothing to read only refusals and times are told."""
    text = summary_text("mine", evaluation_of("mine", [refused(kind="cut")]).summary)
    assert "rightly refused             1 of 1  100.0 %  too_dark 1" in text
    assert "cells right" not in text


def test_groups_and_misses_are_tables() -> None:
    """Every group and every miss is a row under its head."""
    evaluation = evaluation_of("mine", [read_as(WRONG), refused("b.jpg")])
    assert [line.split()[0] for line in groups_text("light", {"dim": evaluation.summary}).splitlines()] == [
        "light",
        "dim",
    ]
    rows = [line.split() for line in misses_text(evaluation.misses).splitlines()]
    assert rows[1] == ["a.jpg", "A2", "G3", "--", "0.600", "yes"]
    assert rows[3][:4] == ["b.jpg", "all", "refused:", "too_dark"]


def test_results_page_keeps_rendered_and_real_apart() -> None:
    """Figures for rendered and for real photos stand under headings of their own, and name their photos."""
    evaluations = [
        evaluation_of("drawn", [read_as(BOARD, seed=1), refused("b.jpg", seed=2, kind="cut")]),
        evaluation_of("camera", [read_as(WRONG, kind="boards"), read_as(BOARD, kind="lone_cards")]),
    ]
    rendered, real = results_page(evaluations).split("## Rendered photos")[1].split("## Real photos")
    assert "| `drawn` | 1 | 100.0 % |" in rendered
    assert "| `drawn` | 1 of 1 | `too_dark` x 1 |" in rendered
    assert "| `camera` | 2 | 100.0 % |" in real
    assert "| of these lone cards | 1 | 100.0 % |" in real
    assert "camera" not in rendered


def test_committed_page_is_made_of_the_committed_records() -> None:
    """Nobody edits the table by hand: it is what the records say."""
    records = [read_record(path) for path in sorted(RECORDS.glob("*.json"))]
    assert "sample_images" in [record.name for record in records]
    assert (RECORDS / "README.md").read_text(encoding="utf-8") == results_page(records)


def test_committed_records_speak_of_folders_not_of_places() -> None:
    """A record is named like its file and holds no path."""
    for path in RECORDS.glob("*.json"):
        text = path.read_text(encoding="utf-8")
        assert Evaluation.from_json(json.loads(text)).name == path.stem
        assert "/" not in text


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
    assert results.main(["write", str(photos)], records=tmp_path) == 0
    assert "`photos`" in (tmp_path / "README.md").read_text(encoding="utf-8")
    assert results.main(["check", str(photos)], records=tmp_path) == 0
    assert "Nothing is worse" in capsys.readouterr().out


def test_check_fails_when_a_figure_is_worse(
    photos: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Reading a photo that the record says is refused, or having no record at all, is a failure."""
    assert results.main(["check", str(photos)], records=tmp_path) == 1
    assert "there is no record" in capsys.readouterr().out
    results.main(["write", str(photos)], records=tmp_path)
    labels = json.loads((photos / "labels.json").read_text())
    shutil.copy(photos / "cut_off.jpg", photos / "again.jpg")
    labels["again.jpg"] = {**labels["cut_off.jpg"], "kind": "board"}  # now it should have been read
    record = read_record(tmp_path / "photos.json")
    better = dataclasses.replace(record.summary, located=Share(1, 1))
    write_record(dataclasses.replace(record, summary=better), tmp_path / "photos.json")
    (photos / "labels.json").write_text(json.dumps(labels))
    assert results.main(["check", str(photos)], records=tmp_path) == 1
    assert "photos: windows located: 0 of 1, was 1 of 1" in capsys.readouterr().out
