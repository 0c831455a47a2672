"""The figures in ``docs/accuracy.md``: blocks between two marks, written from the records.

A block begins with a line ``<!-- figures: NAME -->`` and ends with ``<!-- end -->``; what stands between
is replaced, so that no figure in the document is older than its record.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from calibration.page import goals_table, levels_table, markdown_table, reliability_of
from calibration.plot import reliability_svg
from calibration.records import Evaluation
from calibration.summary import pooled
from calibration.tables import TITLES, exact_percent

DOCUMENT = Path(__file__).resolve().parent.parent / "docs" / "accuracy.md"

BLOCK = re.compile(r"(<!-- figures: (?P<name>[a-z ]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def refreshed(text: str, evaluations: Sequence[Evaluation]) -> str:
    """Return a document with the blocks of figures that ``evaluations`` give.

    Raises
    ------
    KeyError
        The document asks for a block that nobody knows.
    """

    def block(found: re.Match[str]) -> str:
        return f"{found[1]}\n{BLOCKS[found['name']](evaluations)}\n\n{found[3]}"

    return BLOCK.sub(block, text)


def reliability_picture(evaluations: Sequence[Evaluation]) -> str:
    """Return the reliability diagrams of ``docs/accuracy.md`` as SVG."""
    present = {e.origin for e in evaluations}
    panels = {"synthetic": "Held-back scenes", "rendered": "Rendered photos", "real": "Real photos"}
    return reliability_svg(
        {title: reliability_of(origin, evaluations) for origin, title in panels.items() if origin in present}
    )


def _in_short(evaluations: Sequence[Evaluation]) -> str:
    """Return the two or three figures that a player asks for first."""
    rows = []
    for origin in ("rendered", "real"):
        chosen = [e for e in evaluations if e.origin == origin and e.name != "sample_images"]
        if not chosen:
            continue
        s = pooled([e.with_dice for e in chosen])
        cells, exact = s.cells_counted, s.boards_exact
        unnoticed = "-" if s.wrong_unflagged_per_board is None else f"{s.wrong_unflagged_per_board:.2f}"
        rows.append(
            (
                TITLES[origin],
                str(s.boards),
                f"{exact_percent(cells)} of {cells.total}",
                f"{exact.hits} of {exact.total}",
                unnoticed,
                exact_percent(s.flagged),
            )
        )
    head = (
        "windows with dice",
        "photos",
        "cells right",
        "windows without a mistake",
        "mistakes nobody is warned of, a window",
        "cells marked doubtful",
    )
    return markdown_table(head, rows)


PUBLISHED = (
    (
        "chesscog, chessboards ([Wölflein and Arandjelović 2021](https://doi.org/10.3390/jimaging7060094))",
        "renders of one chess set, held back",
        "93.86 %",
        "99.77 %",
    ),
    ("chesscog, before it learned from two photos of that set", "real photos of a new chess set", "0 %", ""),
    (
        "a Sudoku reader ([Wicht and Hennebert 2014](https://www.researchgate.net/publication/282303748))",
        "phone photos, held back",
        "87.5 %",
        "99.63 %",
    ),
    ("a scoring app for this game, lined up by hand", "our rendered photos", "", "62-68 %"),
)
"""Readers of other boards with what their authors report, and one that was measured on our photos."""


def _compared(evaluations: Sequence[Evaluation]) -> str:
    """Return what others report beside our figures."""
    rows: list[tuple[str, ...]] = list(PUBLISHED)
    for origin in ("rendered", "real"):
        chosen = [e for e in evaluations if e.origin == origin and e.name != "sample_images"]
        s = pooled([e.with_dice for e in chosen])
        if s.boards_exact.ratio is not None:
            whole = f"{100 * s.boards_exact.ratio:.1f} % of {s.boards_exact.total}"
            photos = f"{TITLES[origin].lower()}, windows with dice"
            rows.append(("**this reader**", photos, whole, exact_percent(s.cells_counted)))
    return markdown_table(("reader", "photos", "whole boards right", "cells right"), rows)


def _goals(origin: str) -> Callable[[Sequence[Evaluation]], str]:
    return lambda evaluations: goals_table(origin, evaluations)


def _levels(evaluations: Sequence[Evaluation]) -> str:
    present = {e.origin for e in evaluations}
    names = {"rendered": "rendered photos", "real": "real photos", "synthetic": "held-back scenes"}
    return levels_table(
        {name: reliability_of(origin, evaluations) for origin, name in names.items() if origin in present}
    )


BLOCKS: Mapping[str, Callable[[Sequence[Evaluation]], str]] = {
    "in short": _in_short,
    "goals rendered": _goals("rendered"),
    "goals real": _goals("real"),
    "goals synthetic": _goals("synthetic"),
    "levels": _levels,
    "compared": _compared,
}
