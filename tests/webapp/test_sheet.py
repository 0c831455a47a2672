"""The helper sheet as people get it: on the page and from the command line, as SVG and as PDF."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient

from scoring.words import LANGUAGES
from vision import sheet
from vision.markers import find_sheet
from webapp.artwork.sheet import HOW, PAPERS, page_pdf, page_picture, page_svg
from webapp.cli.sagrada import main
from webapp.companion.wording import words_for

SVG = "{http://www.w3.org/2000/svg}"
POINTS = 72 / 25.4  # a millimeter in the unit of PDF


@pytest.mark.parametrize("paper", PAPERS)
def test_the_svg_has_the_size_of_its_paper(paper: str) -> None:
    """A unit of the drawing is a millimeter, and everything lies on the paper, its edges aside."""
    tree = ET.fromstring(page_svg(paper))
    width, height = PAPERS[paper]
    assert (tree.get("width"), tree.get("height")) == (f"{width:g}mm", f"{height:g}mm")
    assert tree.get("viewBox") == f"0 0 {width:g} {height:g}"
    for one in list(tree.iter(f"{SVG}rect"))[1:]:
        x, y, wide, high = (float(one.attrib[key]) for key in ("x", "y", "width", "height"))
        assert min(x, y) >= 10
        assert x + wide <= width - 10
        assert y + high <= height - 10


@pytest.mark.parametrize("paper", PAPERS)
def test_the_svg_shows_what_the_reader_looks_for(paper: str) -> None:
    """Every rectangle of the strip is drawn in its color, moved as a whole."""
    tree = ET.fromstring(page_svg(paper))
    keys = ("x", "y", "width", "height")
    drawn = {
        (tuple(float(one.attrib[key]) for key in keys), one.attrib["fill"])
        for one in list(tree.iter(f"{SVG}rect"))[1:]
    }
    modules = [at for at, fill in drawn if fill == "#000000" and at[3] == sheet.MODULE_MM]
    left = min(at[0] for at in modules if at[1] < 60)
    top = min(at[1] for at in modules)
    for one in sheet.shapes():
        moved = one.moved(left - 4, top - 4)
        assert ((moved.x, moved.y, moved.width, moved.height), f"#{bytes(one.rgb).hex()}") in drawn


@pytest.mark.parametrize("paper", PAPERS)
def test_the_pdf_has_the_size_of_its_paper(paper: str) -> None:
    """It has one page, as large as the paper to a tenth of a millimeter."""
    content = page_pdf(paper)
    assert content.startswith(b"%PDF-")
    assert content.rstrip().endswith(b"%%EOF")
    boxes = re.findall(rb"/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)", content)
    assert len(boxes) == 1
    assert np.allclose(
        [float(side) for side in boxes[0]], np.array(PAPERS[paper]) * POINTS, atol=0.1 * POINTS
    )


@pytest.mark.parametrize("paper", PAPERS)
def test_the_reader_finds_the_sheet_on_the_page(paper: str) -> None:
    """A scan of the page has the strip where it was put, all of its patches in their colors."""
    found = find_sheet(page_picture(paper, 6))
    assert found is not None
    assert found.seen.all()
    assert found.white_bgr is not None
    wide, high = np.ptp(found.outline_px, axis=0) / 6
    assert (wide, high) == pytest.approx((sheet.WIDTH_MM, sheet.HEIGHT_MM), abs=0.2)


def test_the_page_says_in_every_language_what_to_do() -> None:
    """One sentence in each, none longer than the strip."""
    texts = [one.text for one in ET.fromstring(page_svg("a4")).iter(f"{SVG}text")]
    assert {words_for(language).say(HOW) for language in LANGUAGES} < set(texts)


@pytest.mark.parametrize(
    ("asked", "language", "paper"),
    [
        ("", "de-DE,de;q=0.9", "a4"),
        ("", "en-US,en;q=0.9", "letter"),
        ("", "fr-CA", "letter"),
        ("", "en-GB,en-US;q=0.8", "a4"),
        ("", "", "a4"),
        ("?paper=letter", "de", "letter"),
        ("?paper=A4", "en-US", "a4"),
        ("?paper=poster", "ja", "a4"),
    ],
)
def test_the_page_gives_the_paper_of_the_visitor(
    client: FlaskClient, asked: str, language: str, paper: str
) -> None:
    """It is what the address asks for, else what is sold where the browser's first language is spoken."""
    headers = {"Accept-Language": language} if language else {}
    answer = client.get(f"/sheet.svg{asked}", headers=headers)
    assert answer.mimetype == "image/svg+xml"
    assert f'width="{PAPERS[paper][0]:g}mm"' in answer.get_data(as_text=True)
    assert f"sagrada-sheet-{paper}.svg" in answer.headers["Content-Disposition"]


def test_the_start_page_leads_to_the_sheet(client: FlaskClient) -> None:
    """Where a photo is chosen stand both files, and both are there."""
    page = client.get("/").get_data(as_text=True)
    assert 'href="/sheet.svg"' in page
    assert 'href="/sheet.pdf"' in page
    answer = client.get("/sheet.pdf")
    assert answer.mimetype == "application/pdf"
    assert answer.data.startswith(b"%PDF-")


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("kind", ["svg", "pdf"])
def test_the_command_writes_either_file(tmp_path: Path, kind: str, paper: str) -> None:
    """The ending says which."""
    out = tmp_path / f"sheet.{kind}"
    result = CliRunner().invoke(main, ["sheet", str(out), "--paper", paper])
    assert result.exit_code == 0, result.output
    if kind == "svg":
        assert out.read_text(encoding="utf-8") == page_svg(paper)
    else:
        assert out.read_bytes().startswith(b"%PDF-")


@pytest.mark.parametrize(("name", "status"), [("sheet.png", 2), ("sheet", 2), ("no_folder/sheet.svg", 1)])
def test_the_command_says_what_is_wrong(tmp_path: Path, name: str, status: int) -> None:
    """Another ending is wrong usage, a missing folder a failure; nothing is left behind."""
    result = CliRunner().invoke(main, ["sheet", str(tmp_path / name)])
    assert result.exit_code == status
    assert not list(tmp_path.iterdir())
