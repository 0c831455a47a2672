"""The spaces of a record as the page shows them: dice, doubts, print, and where they lie in the photo."""

from __future__ import annotations

import math
from typing import Any

from scoring import ALL_CELLS, Board, Die, WindowPattern, cell_name
from webapp import words
from webapp.cli_remarks import SURE_OF_THE_WAY_UP
from webapp.geometry import cell_outlines, close_up, view
from webapp.storage import Record

MOST_CANDIDATES = 4
TAG_WIDTH = 0.42  # of a tag on the photo (26 units in the drawing), in widths of its cell


def cells_of(record: Record, board: Board, pattern: WindowPattern | None) -> list[dict[str, Any]]:
    """Return the spaces row by row, as `present.state` tells them."""
    corners = corners_of(record) if record.reading else None
    outlines = cell_outlines(corners) if corners else None
    angle = view(record.size, corners).angle if record.size and corners else 0
    cells = []
    for index, cell in enumerate(ALL_CELLS):
        name, die = cell_name(cell), board[cell]
        told = _told(record, index)
        doubtful = bool(told and told["doubtful"]) and name not in record.checked
        outline = outlines[index] if outlines else None
        cells.append(
            {
                "name": name,
                "row": cell[0],
                "column": cell[1],
                "die": str(die) if die else None,
                "color": die.color.value if die else None,
                "value": die.value if die else None,
                "restriction": _restriction(record, pattern, index),
                "doubtful": doubtful,
                "candidates": _candidates(told, die),
                "label": words.cell_label(name, die, doubtful=doubtful),
                "outline": " ".join(f"{x:.1f},{y:.1f}" for x, y in outline) if outline else None,
                "tag": _tag(outline) if outline else None,
                "close_up": close_up(outline, angle) if outline else None,
            }
        )
    return cells


def corners_of(record: Record) -> list[list[float]] | None:
    """Return the corners in the order of the board as it is shown."""
    if not record.reading:
        return None
    corners: list[list[float]] = record.reading["corners"]
    return corners[2:] + corners[:2] if record.turned else corners


def maybe_upside_down(record: Record) -> bool:
    """Return whether a person should look which way up the window lies; whoever turned it has looked."""
    if record.reading is None or record.turned:
        return False
    sure: float = record.reading.get("upright_probability", 1.0)  # readings of the first days have none
    return sure < SURE_OF_THE_WAY_UP


def _told(record: Record, index: int) -> dict[str, Any] | None:
    """Return what the reader said about the cell shown at ``index``."""
    if not record.reading:
        return None
    cell: dict[str, Any] = record.reading["cells"][19 - index if record.turned else index]
    return cell


def _candidates(told: dict[str, Any] | None, die: Die | None) -> list[str]:
    """Return the dice that a cell is likely to hold, other than the one it shows, likeliest first."""
    if told is None:
        return []
    likely = [told, *told["alternatives"]]
    found: list[str] = []
    for one in likely:
        text = f"{one['color']}{one['value']}" if one["color"] and one["value"] else "--"
        if text not in found and text != (str(die) if die else "--"):
            found.append(text)
    return found[:MOST_CANDIDATES]


def _restriction(record: Record, pattern: WindowPattern | None, index: int) -> str:
    """Return what is printed on a space, in pattern notation: from the card, else as it was read."""
    if pattern is not None:
        return str(pattern).replace(" / ", "")[index]
    if record.choices.window == "auto" and record.reading:
        read = record.reading["pattern"].replace(" / ", "").replace("\n", "")
        sign: str = (read[::-1] if record.turned else read)[index]
        return sign if sign in "RYGBP123456" else "."
    return "."


def _tag(outline: list[tuple[float, float]]) -> tuple[float, float, float]:
    """Return where the tag of a cell is drawn on the photo (on its lower edge) and how large."""
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = outline
    x, y = 0.42 * (x2 + x3) + 0.08 * (x0 + x1), 0.42 * (y2 + y3) + 0.08 * (y0 + y1)
    return round(x, 1), round(y, 1), round(math.hypot(x1 - x0, y1 - y0) * TAG_WIDTH / 26, 3)
