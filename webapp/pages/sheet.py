"""The helper sheet, to print from the browser or to keep."""

from __future__ import annotations

from flask import Blueprint, Response, request
from flask.typing import ResponseReturnValue

from webapp.artwork.sheet import PAPERS, page_pdf, page_svg

blueprint = Blueprint("sheet", __name__)

LETTER_COUNTRIES = frozenset({"US", "CA", "MX", "CL", "CO", "CR", "GT", "PA", "PH", "VE"})
"""Where printers hold US Letter (Unicode CLDR, supplemental data, paper sizes)."""


@blueprint.get("/sheet.svg")
def picture() -> ResponseReturnValue:
    """Return the page as a picture that the browser prints."""
    paper = _paper()
    return _file(page_svg(paper).encode(), "image/svg+xml", f"sagrada-sheet-{paper}.svg")


@blueprint.get("/sheet.pdf")
def document() -> ResponseReturnValue:
    """Return the page as a document that any program prints at its size."""
    paper = _paper()
    return _file(page_pdf(paper), "application/pdf", f"sagrada-sheet-{paper}.pdf")


def _paper() -> str:
    """Return the paper that was asked for, else that of the country in the browser's first language."""
    wanted = request.args.get("paper", "").lower()
    if wanted in PAPERS:
        return wanted
    first = next(iter(request.accept_languages.values()), "")
    return "letter" if first.replace("_", "-").rpartition("-")[2].upper() in LETTER_COUNTRIES else "a4"


def _file(content: bytes, kind: str, name: str) -> Response:
    answer = Response(content, mimetype=kind)
    answer.headers["Content-Disposition"] = f'inline; filename="{name}"'
    answer.headers["Cache-Control"] = "no-cache"
    answer.vary.add("Accept-Language")
    return answer
