"""The page with the helper sheet, to print: as SVG, and as PDF, in which its size is sure.

Both are drawn from the layout by which the reader finds it (`vision.sheet`). The PDF is one picture of
twelve pixels a millimeter, in which every edge of the layout falls between two pixels: Pillow writes it, and
OpenCV brings the letters of all four languages along, which a PDF of shapes would have to embed as fonts.
"""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from scoring.sentences import Sentence, sentence
from scoring.words import LANGUAGES
from vision import sheet
from vision.sheet import Rectangle
from webapp.artwork.shapes import number
from webapp.artwork.text import escaped, fitted
from webapp.companion.wording import words_for

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""(width, height) in millimeters."""

PX_PER_MM = 12
TOP_MM = 20.0  # of the strip on the page
CUT_MM = 2.0  # of the dashes around it
LINE, SOFT = (120, 120, 120), (215, 215, 215)
SANS = "'Noto Sans','Noto Sans CJK JP','Hiragino Sans','Yu Gothic',Helvetica,Arial,sans-serif"

HOW = sentence("Cut out the strip along the dashes and lay it flat beside the window for the photo.")


@dataclass(frozen=True)
class Line:
    """A line of text: where its base begins, and how large it is, in millimeters."""

    x: float
    y: float
    size: float
    text: str


def page_svg(paper: str) -> str:
    """Return the page as a whole SVG file, in millimeters.

    Parameters
    ----------
    paper
        One of `PAPERS`.

    Examples
    --------
    >>> page_svg("a4")[:70]
    '<svg xmlns="http://www.w3.org/2000/svg" width="210mm" height="297mm" v'
    """
    wide, high = (number(side) for side in PAPERS[paper])
    drawn = "".join(
        f'<rect x="{one.x:g}" y="{one.y:g}" width="{one.width:g}" height="{one.height:g}"'
        f' fill="#{bytes(one.rgb).hex()}"/>'
        for one in _rectangles(paper)
    )
    written = "".join(
        f'<text x="{number(one.x)}" y="{number(one.y)}" font-size="{number(one.size)}">'
        f"{escaped(one.text)}</text>"
        for one in _lines(paper)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}mm" height="{high}mm"'
        f' viewBox="0 0 {wide} {high}"><rect width="{wide}" height="{high}" fill="#fff"/>'
        f'{drawn}<g font-family="{SANS}">{written}</g></svg>'
    )


def page_pdf(paper: str) -> bytes:
    """Return the page as a PDF file, for the same parameter."""
    file = BytesIO()
    picture = Image.fromarray(np.ascontiguousarray(page_picture(paper)[..., ::-1]))
    picture.save(file, "PDF", resolution=25.4 * PX_PER_MM, quality=92, title="Sagrada Companion")
    return file.getvalue()


def page_picture(paper: str, px_per_mm: int = PX_PER_MM) -> NDArray[np.uint8]:
    """Return the page as a picture, uint8 H x W x 3, BGR."""
    picture = sheet.painted(_rectangles(paper), PAPERS[paper], px_per_mm)
    font = cv2.FontFace("uni")
    for line in _lines(paper):
        place = (round(line.x * px_per_mm), round(line.y * px_per_mm))
        cv2.putText(picture, line.text, place, (0, 0, 0), font, round(line.size * px_per_mm), 400)
    return picture


def _left(paper: str) -> float:
    """Return where the strip begins, on a whole half of a millimeter."""
    return round(PAPERS[paper][0] - sheet.WIDTH_MM) / 2


def _rectangles(paper: str) -> list[Rectangle]:
    """Return all that is drawn on the page: the strip, the line to cut along, a ruler, and how it is laid."""
    left = _left(paper)
    strip = [one.moved(left, TOP_MM) for one in sheet.shapes()]
    return [*_dashes(left), *strip, *_ruler(left, 88.0), *_example(left + 40.0, 165.0)]


def _dashes(left: float) -> list[Rectangle]:
    """Return dashes around the strip, half a millimeter thick, outside of it."""
    right, bottom = left + sheet.WIDTH_MM, TOP_MM + sheet.HEIGHT_MM
    across = [left + step for step in np.arange(0, sheet.WIDTH_MM, 2 * CUT_MM).tolist()]
    down = [TOP_MM + step for step in np.arange(0, sheet.HEIGHT_MM, 2 * CUT_MM).tolist()]
    return [
        *(Rectangle(x, y, CUT_MM, 0.5, LINE) for x in across for y in (TOP_MM - 0.5, bottom)),
        *(Rectangle(x, y, 0.5, CUT_MM, LINE) for y in down for x in (left - 0.5, right)),
    ]


def _ruler(left: float, y: float) -> list[Rectangle]:
    """Return a ruler of 100 mm: every line is half a millimeter wide and begins at its millimeter."""
    longer = {0: 5.0, 5: 3.5}
    lines = [Rectangle(left + mm, y, 0.5, longer.get(mm % 10, 2.0), (0, 0, 0)) for mm in range(101)]
    return [Rectangle(left, y, 100.5, 0.5, (0, 0, 0)), *lines]


def _example(x: float, y: float) -> list[Rectangle]:
    """Return a small window with the strip beside it."""
    frame = Rectangle(x, y, 56.0, 80.0, SOFT)
    cells = [
        Rectangle(x + 3.5 + 10 * column, y + 35.0 + 10 * row, 9.0, 9.0, (255, 255, 255))
        for row in range(4)
        for column in range(5)
    ]
    beside = (x + 62.0, y + 10.0)
    outline = Rectangle(beside[0] - 0.5, beside[1] - 0.5, 26.0, 71.0, LINE)
    inside = Rectangle(*beside, 25.0, 70.0, (255, 255, 255))
    # The strip stands upright here: as long as it is wide, half as large.
    marks = [
        Rectangle(beside[0] + dx, beside[1] + dy, 8.0, 8.0, (0, 0, 0)) for dx in (2, 15) for dy in (2, 60)
    ]
    bars = [
        Rectangle(beside[0] + 2.0, beside[1] + 12.0 + 4.0 * k, 21.0, 3.0, one.place.rgb)
        for k, one in enumerate(patch for patch in sheet.PATCHES if patch.place.rgb != sheet.WHITE)
    ]
    return [frame, *cells, outline, inside, *marks, *bars]


def _lines(paper: str) -> list[Line]:
    """Return what is written: the length of the ruler, and in every language what to do."""
    left = _left(paper)
    lines = [Line(left + 103.0, 92.0, 4.0, "100 mm")]
    for k, text in enumerate(_in_all_languages(HOW)):
        fitting, size = fitted(text, sheet.WIDTH_MM, 3.8, 2.0)
        lines.append(Line(left, 106.0 + 9.0 * k, size, fitting))
    return lines


def _in_all_languages(said: Sentence) -> list[str]:
    """Return a sentence in each language that is offered, once where some are the same."""
    return list(dict.fromkeys(words_for(language).say(said) for language in LANGUAGES))
