"""QR codes: drawn for the page, and in text for the terminal."""

from __future__ import annotations

import io
import os
import shutil
from typing import TextIO

import segno
from markupsafe import Markup

# Black on white, spelled out, because a phone's camera needs dark on light whatever the colors around it are.
WHITE_ON_BLACK = "\x1b[97;40m"
WHITE = "\x1b[97m"
PLAIN = "\x1b[0m"


def svg(text: str) -> Markup:
    """Return the code of ``text`` as an SVG, with the white margin that cameras need.

    It has no name for screen readers: what stands around it says which address it holds.
    """
    return Markup(  # noqa: S704  segno draws lines and rectangles; the text itself is not in there
        _code(text).svg_inline(omitsize=True, dark="#000", light="#fff", svgclass=None, lineclass=None)
    )


def terminal_lines(text: str) -> list[str]:
    """Return the code of ``text`` in half blocks, two rows of it in a line, white margin included."""
    drawn = io.StringIO()
    _code(text).terminal(drawn, compact=True)  # a block is light there, a gap dark
    *lines, last = drawn.getvalue().splitlines()
    # A code has an odd number of rows: of its last line only the upper half belongs to it.
    return [*(f"{WHITE_ON_BLACK}{line}{PLAIN}" for line in lines), f"{WHITE}{last}{PLAIN}"]


def fits_terminal(stream: TextIO, text: str) -> bool:
    """Tell whether ``stream`` is a terminal wide enough for the code of ``text`` that can show its signs."""
    if not stream.isatty() or os.environ.get("TERM") == "dumb":
        return False
    try:
        "█▀▄".encode(stream.encoding or "ascii")
    except (UnicodeError, LookupError):
        return False
    width, _ = _code(text).symbol_size()
    return shutil.get_terminal_size().columns >= width


def _code(text: str) -> segno.QRCode:
    return segno.make_qr(text, error="m")
