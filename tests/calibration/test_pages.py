"""The pages that are made of the records."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from calibration.accuracy.comparison import PhotoResult, compare
from calibration.accuracy.diagram import BAR, PALE, reliability_svg
from calibration.accuracy.labels import parse_label
from calibration.accuracy.pages import (
    BLOCKS,
    DOCUMENT,
    refreshed,
    reliability_picture,
    results_page,
    sections_of,
)
from calibration.accuracy.records import RECORDS, evaluation_of, read_causes, read_records
from calibration.accuracy.reliability import Reliability
from tests.readings import BOARD, SQUARE, reading_of

ENTRY = {
    "board": [row.split() for row in BOARD.split("/")],
    "corners_tl_tr_br_bl": [list(corner) for corner in SQUARE],
}
WRONG = BOARD.replace("R6", "R5").replace("--", "G3")


def read_as(board: str, name: str = "a.jpg", **keys: object) -> PhotoResult:
    """Return what comes of reading ``board`` where `BOARD` lies."""
    return compare(parse_label(name, {**ENTRY, **keys}), reading_of(board), 0.25)


def refused(name: str = "b.jpg", **keys: object) -> PhotoResult:
    """Return what comes of refusing the photo as too dark."""
    label = parse_label(name, {**ENTRY, **keys})
    return PhotoResult(label, 0.25, error="too_dark", window=label.windows[0])


EVALUATIONS = [
    evaluation_of("drawn", [read_as(BOARD, seed=1), refused(seed=2, kind="cut")]),
    evaluation_of("camera", [read_as(WRONG, kind="boards"), read_as(BOARD, kind="lone_cards")]),
]


def test_results_page_keeps_rendered_and_real_apart() -> None:
    """Figures for rendered and for real photos stand under headings of their own, and name their photos."""
    page = results_page(EVALUATIONS, {("camera", "a.jpg", "C1"): "Glare on the top face."})
    rendered, real = page.split("## Rendered photos")[1].split("## Real photos")
    assert "| cells right | 20 of 20  100 % | 20 of 20  100 % | >= 99.8 % | yes |" in rendered
    assert "| `drawn` | 1 | 100.0 % |" in rendered
    assert "| `drawn` | 1 of 1 | 0 of 1 | `too_dark` x 1 |" in rendered
    assert "| cells right | 38 of 40  95 % | 38 of 40  95 % | >= 98 % | NO |" in real
    assert "| `camera` | 2 | 100.0 % |" in real
    assert "| of these lone cards | 1 | 100.0 % |" in real
    assert "camera" not in rendered


def test_results_page_tells_each_miss_with_its_cause() -> None:
    """A miss without a cause is said to be not looked into."""
    page = results_page(EVALUATIONS, {("camera", "a.jpg", "C1"): "Glare on the top face."})
    assert "| `a.jpg` | C1 | R5 | R6 | 0.99 | **no** | Glare on the top face. |" in page
    assert "| `a.jpg` | A2 | G3 | -- | 0.99 | **no** | not looked into yet |" in page


def test_sample_photos_are_not_counted_twice() -> None:
    """Where figures of folders are added up, photos that are in two of them count once."""
    again = evaluation_of("sample_images", [read_as(BOARD, seed=1)])
    both, once = sections_of([*EVALUATIONS, again])["rendered"], sections_of(EVALUATIONS)["rendered"]
    assert (both.summary, both.with_dice) == (once.summary, once.with_dice)
    assert [folder.name for folder in both.folders] == ["drawn", "sample_images"]


def test_committed_page_is_made_of_the_committed_records() -> None:
    """Nobody edits the table by hand: it is what the records say."""
    page = results_page(read_records(), read_causes())
    assert (RECORDS / "README.md").read_text(encoding="utf-8") == page


def test_committed_document_holds_the_figures_of_the_records() -> None:
    """Every block of figures in docs/accuracy.md is what the records say."""
    text = DOCUMENT.read_text(encoding="utf-8")
    assert refreshed(text, read_records()) == text
    assert set(re.findall(r"<!-- figures: (.+) -->", text)) == set(BLOCKS)


def test_document_shows_pictures_that_are_there() -> None:
    """Every picture and every page that docs/accuracy.md points to exists."""
    text = DOCUMENT.read_text(encoding="utf-8")
    linked = re.findall(r"\]\((?!http)([^)#]+)\)", text)
    assert len(linked) > 5
    assert [name for name in linked if not (DOCUMENT.parent / name).exists()] == []


def test_committed_reliability_plot_is_that_of_the_records(project_root: Path) -> None:
    """The plot in docs/pictures shows the committed bins."""
    committed = project_root / "docs" / "pictures" / "reliability.svg"
    assert committed.read_text(encoding="utf-8") == reliability_picture(read_records())


def test_block_is_replaced_and_all_else_stays() -> None:
    """What stands between the marks is made anew, also a second time."""
    text = "Before 17.\n<!-- figures: in short -->\nold\n<!-- end -->\nAfter 18.\n"
    new = refreshed(text, EVALUATIONS)
    assert "old" not in new
    assert "| Rendered photos | 1 | 100.00 % of 20 | 1 of 1 | 0.00 | 0.00 % |" in new
    assert new.startswith("Before 17.\n")
    assert new.endswith("After 18.\n")
    assert refreshed(new, EVALUATIONS) == new


def test_unknown_block_is_a_mistake() -> None:
    """A document that asks for figures nobody knows is not written."""
    with pytest.raises(KeyError):
        refreshed("<!-- figures: nothing -->\n<!-- end -->", EVALUATIONS)


def test_bar_is_as_tall_as_readings_are_right() -> None:
    """Half of them right is half the height; few readings make a pale bar, none make none."""
    many = reliability_svg({"many": Reliability.of([(0.9, True), (0.9, False)] * 50)})
    few = reliability_svg({"few": Reliability.of([(0.9, True)])})
    assert re.findall(rf'height="([\d.]+)" fill="{BAR}"', many) == ["150.0"]
    assert re.findall(rf'height="([\d.]+)" fill="{PALE}"', few) == ["300.0"]
    assert "100 cells, calibration error 40.00 %" in many
    assert "nothing read" in reliability_svg({"none": Reliability.of([])})
