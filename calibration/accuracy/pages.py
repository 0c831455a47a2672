"""The pages that are written from the records, so that nobody types a figure.

``calibration/accuracy/results/README.md`` is made as a whole. In ``docs/accuracy.md`` the blocks between a
line ``<!-- figures: NAME -->`` and one ``<!-- end -->`` are replaced.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from calibration.accuracy.diagram import reliability_svg
from calibration.accuracy.origins import SECTIONS
from calibration.accuracy.records import NO_CAUSES_FOR, OVERLAPPING, Evaluation, Key
from calibration.accuracy.reliability import Reliability
from calibration.accuracy.report import (
    BOARD_COLUMNS,
    REFUSAL_COLUMNS,
    Section,
    Table,
    figures_table,
    goals_table,
    levels_table,
    misses_table,
    unnoticed,
)
from calibration.accuracy.summary import Summary, pooled

PHOTOS = ("rendered", "real")
SHOWN = (
    *(*PHOTOS, "synthetic"),
    *(
        "rendered tables",
        "real tables",
        "synthetic tables",
        "rendered low angles",
        "rendered covered",
        "real cards",
    ),
)
"""The sections whose figures stand beside their goals in ``docs/accuracy.md``."""
DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "accuracy.md"

BLOCK = re.compile(r"(<!-- figures: (?P<name>[a-z ]+) -->\n).*?(<!-- end -->)", re.DOTALL)


INTRODUCTION = """\
Written by `python -m calibration write FOLDER...`; the figures behind it, and each miss, are in the
JSON files beside it.

A window is *located* when all four corners are within half a cell of the labelled ones. A window is *owed*
when it is whole in view and its grid is wide enough, more than 200 pixels and on synthetic tables 125; a
window that the photo's edge cuts off may be refused as `board_cut_off`. *Cells right* needs color, value and
emptiness all right; it counts each readable cell of every window that is owed or was read all the same. The
line below it is stricter: there every cell of a window that was refused or not located is wrong, whether it
could have been read or not. A die that nobody can read counts nowhere. *Windows with dice* leaves out cards
that lie alone and empty windows. A goal is reached when both columns reach it. *Unnoticed* is the number of
wrong cells a board that were not marked as doubtful. Times are those of the machine that measured.

**Which photos were touched how.** Both networks learned from synthetic scenes only, which this project draws
itself. None of the photos below was learned from and no setting was fitted to them, but they were looked at
while the reader was built, and settings were chosen among a few by how they did on them: they are validation
photos. The confidences were fitted on synthetic scenes other than those learned from.
The photos in `sample_images` are some of those in `rendered`, `tables` and `not_a_board`, two of them
changed, so they are not counted in the tables of goals.\
"""


def sections_of(evaluations: Sequence[Evaluation]) -> dict[str, Section]:
    """Return the sections that some records add up to, by origin; photos of two folders count once."""
    sections = {}
    for origin in SECTIONS:
        folders = [e for e in evaluations if e.origin == origin]
        counted = [e for e in folders if e.name not in OVERLAPPING] or folders
        if folders:
            summary, with_dice = pooled([e.summary for e in counted]), pooled([e.with_dice for e in counted])
            sections[origin] = Section(origin, summary, with_dice, tuple(folders))
    return sections


def results_page(evaluations: Sequence[Evaluation], causes: Mapping[Key, str]) -> str:
    """Return the page for ``calibration/accuracy/results/README.md``: rendered and real photos apart."""
    parts = ["# How good the reader is", INTRODUCTION]
    for section in sections_of(evaluations).values():
        parts += [f"## {section.title}", section.goals_table.markdown]
        boards = [row for e in section.folders if e.summary.boards for row in _with_kinds(e)]
        others = [(f"`{e.name}`", e.summary) for e in section.folders if e.summary.refused.total]
        if boards:
            parts += ["By folder:", figures_table("photos", BOARD_COLUMNS, boards).markdown]
        if others:
            parts.append("Photos that show no whole window and must be refused:")
            parts.append(figures_table("photos", REFUSAL_COLUMNS, others).markdown)
        parts.append("How many of the cells that were read at least so surely are right:")
        parts.append(levels_table({section.title: section.summary.reliability}).markdown)
        misses = misses_table((e for e in section.folders if e.name not in NO_CAUSES_FOR), causes)
        if misses.rows:
            parts += ["Every miss, and what caused it:", misses.markdown]
    return "\n\n".join(parts) + "\n"


def _with_kinds(evaluation: Evaluation) -> Iterator[tuple[str, Summary]]:
    """Yield a folder, and each kind of its photos where it has several that are to be read."""
    yield f"`{evaluation.name}`", evaluation.summary
    kinds = {kind: summary for kind, summary in evaluation.kinds.items() if summary.boards}
    if len(kinds) > 1:
        for kind, summary in kinds.items():
            yield f"of these {kind.replace('_', ' ')}", summary


def refreshed(text: str, evaluations: Sequence[Evaluation]) -> str:
    """Return a document with the blocks of figures that ``evaluations`` give.

    Raises
    ------
    KeyError
        The document asks for a block that nobody knows.
    """
    sections = sections_of(evaluations)

    def block(found: re.Match[str]) -> str:
        return f"{found[1]}\n{BLOCKS[found['name']](sections).markdown}\n\n{found[3]}"

    return BLOCK.sub(block, text)


def reliability_picture(evaluations: Sequence[Evaluation]) -> str:
    """Return the reliability diagrams of ``docs/accuracy.md`` as SVG."""
    panels = {"synthetic": "Held-back scenes", "rendered": "Rendered photos", "real": "Real photos"}
    return reliability_svg(_reliabilities(sections_of(evaluations), panels))


def _in_short(sections: Mapping[str, Section]) -> Table:
    """Return the two or three figures that a player asks for first."""
    head = (
        "windows with dice",
        "photos",
        "cells right",
        "windows without a mistake",
        "mistakes nobody is warned of, a window",
        "cells marked doubtful",
    )
    rows = [
        (
            section.title,
            str(s.boards),
            f"{s.cells_counted.percent(2)} of {s.cells_counted.total}",
            str(s.boards_exact),
            unnoticed(s),
            s.flagged.percent(2),
        )
        for section in sections.values()
        if section.origin in PHOTOS
        for s in [section.with_dice]
    ]
    return Table(head, rows)


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


def _compared(sections: Mapping[str, Section]) -> Table:
    """Return what others report beside our figures."""
    rows: list[tuple[str, ...]] = list(PUBLISHED)
    for section in sections.values():
        exact, cells = section.with_dice.boards_exact, section.with_dice.cells_counted
        if section.origin in PHOTOS and exact.total:
            photos = f"{section.title.lower()}, windows with dice"
            whole = f"{exact.percent()} of {exact.total}"
            rows.append(("**this reader**", photos, whole, cells.percent(2)))
    return Table(("reader", "photos", "whole boards right", "cells right"), rows)


def _reliabilities(sections: Mapping[str, Section], names: Mapping[str, str]) -> dict[str, Reliability]:
    """Return how sure the reader was of the photos of some origins, under names for them."""
    return {name: sections[o].summary.reliability for o, name in names.items() if o in sections}


def _goals_of(name: str, sections: Mapping[str, Section]) -> Table:
    """Return the figures of a section beside their goals, a head alone where nothing is measured yet."""
    return sections[name].goals_table if name in sections else goals_table(())


LEVELS = {"rendered": "rendered photos", "real": "real photos", "synthetic": "held-back scenes"}
BLOCKS: Mapping[str, Callable[[Mapping[str, Section]], Table]] = {
    "in short": _in_short,
    **{f"goals {name}": partial(_goals_of, name) for name in SHOWN},
    "levels": lambda sections: levels_table(_reliabilities(sections, LEVELS)),
    "compared": _compared,
}
