"""The spaces of a record as the page shows them: dice, doubts, print, and where they lie in the photo."""

from __future__ import annotations

import math
from typing import Any

from scoring import WindowPattern
from webapp.companion.record import Record, spaces_of
from webapp.companion.remarks import SURE_OF_THE_WAY_UP
from webapp.pages.geometry import cell_outlines, close_up, view
from webapp.web.language import cell_label

TAG_WIDTH = 0.42  # of a tag on the photo (26 units in the drawing), in widths of its cell


def cells_of(record: Record, pattern: WindowPattern | None) -> list[dict[str, Any]]:
    """Return the spaces row by row, as `present.state` tells them."""
    corners = record.shown.corners if record.shown else None
    outlines = cell_outlines(corners) if corners else None
    angle = view(record.size, corners).angle if record.size and corners else 0
    cells = []
    for index, space in enumerate(spaces_of(record, pattern)):
        name, die = space.name, space.die
        outline = outlines[index] if outlines else None
        cells.append(
            {
                "name": name,
                "row": space.cell[0],
                "column": space.cell[1],
                "die": str(die) if die else None,
                "color": die.color.value if die else None,
                "value": die.value if die else None,
                "restriction": space.restriction,
                "doubtful": space.doubtful,
                "candidates": list(space.candidates),
                "label": cell_label(name, die, doubtful=space.doubtful),
                "outline": " ".join(f"{x:.1f},{y:.1f}" for x, y in outline) if outline else None,
                "tag": _tag(outline) if outline else None,
                "close_up": close_up(outline, angle) if outline else None,
            }
        )
    return cells


def maybe_upside_down(record: Record) -> bool:
    """Return whether a person should look which way up the window lies; whoever turned it has looked."""
    if record.reading is None or record.turned:
        return False
    return record.reading.upright_probability < SURE_OF_THE_WAY_UP


def _tag(outline: list[tuple[float, float]]) -> tuple[float, float, float]:
    """Return where the tag of a cell is drawn on the photo (on its lower edge) and how large."""
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = outline
    x, y = 0.42 * (x2 + x3) + 0.08 * (x0 + x1), 0.42 * (y2 + y3) + 0.08 * (y0 + y1)
    return round(x, 1), round(y, 1), round(math.hypot(x1 - x0, y1 - y0) * TAG_WIDTH / 26, 3)
