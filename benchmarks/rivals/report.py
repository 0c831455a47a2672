"""The table of the rivals, for people (Markdown) and for programs (JSON)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchmarks.rivals.measure import FOUND, GIVEN, PROGRAM, Measured, Row
from calibration.accuracy.origins import TITLES
from calibration.accuracy.report import Table, corners_off, unnoticed
from calibration.accuracy.summary import Summary

GRID_HEAD = (
    "photos", "grid", "located", "right way up", "corners off (cells): median, worst", "rightly refused",
    "processor seconds",
)  # fmt: skip
CELL_HEAD = (
    "reader", "grid", "cells right", "color", "value", "empty or not", "boards exact", "unnoticed a board",
    "marked doubtful", "processor seconds",
)  # fmt: skip
GRIDS = {GIVEN: "labelled corners", FOUND: "found"}
HEADINGS = {**TITLES, "mixed": "Rendered and real photos mixed"}


def markdown(measured: Sequence[Measured]) -> str:
    """Return the tables, rendered and real photos apart."""
    parts = []
    for origin, title in HEADINGS.items():
        chosen = [m for m in measured if m.origin == origin]
        if not chosen:
            continue
        parts += [f"## {title}", "Finding the grid:"]
        parts.append(Table(GRID_HEAD, [line for m in chosen for line in _grid_lines(m)], left=2).markdown)
        for m in chosen:
            rows = [row for row in m.rows if row.with_dice.boards]
            if rows:
                lines = [_cell_line(row) for way in GRIDS for row in rows if row.grid == way]
                parts.append(f"Reading the cells, the {_boards(rows)} boards with dice of `{m.name}`:")
                parts.append(Table(CELL_HEAD, lines, left=2).markdown)
    return "\n\n".join(parts) + "\n"


def to_json(measured: Sequence[Measured]) -> list[dict[str, object]]:
    """Return all figures as plain data."""
    return [
        {
            "name": m.name,
            "origin": m.origin,
            "classical_grid_seconds": m.grid_seconds,
            "rows": [
                {
                    "reader": row.reader,
                    "grid": row.grid,
                    "seconds": row.seconds,
                    "all": _figures(row.summary),
                    "boards_with_dice": _figures(row.with_dice),
                }
                for row in m.rows
            ],
        }
        for m in measured
    ]


def _figures(s: Summary) -> dict[str, object]:
    shares = {
        "located": s.located,
        "upright": s.upright,
        "cells_right": s.cells.right,
        "color": s.cells.color,
        "value": s.cells.value,
        "occupied": s.cells.occupied,
        "boards_exact": s.boards_exact,
        "flagged": s.flagged,
        "rightly_refused": s.rightly_refused,
    }
    figures: dict[str, object] = {name: [share.hits, share.total] for name, share in shares.items()}
    figures["wrong_unflagged_per_board"] = s.wrong_unflagged_per_board
    figures["corner_error"] = [s.corner_error_median, s.corner_error_max]
    return figures


def _boards(rows: Sequence[Row]) -> int:
    return max(row.with_dice.boards for row in rows)


def _grid_lines(m: Measured) -> Iterator[tuple[str, ...]]:
    rival = next(row.reader for row in m.rows if row.reader != PROGRAM)
    for name, row, seconds in (
        ("the program's", m.row(PROGRAM, FOUND), "-"),
        ("lattice of blobs", m.row(rival, FOUND), f"{m.grid_seconds:.2f}"),
    ):
        s = row.summary
        shares = (str(s.located), str(s.upright), corners_off(s), str(s.rightly_refused))
        yield (f"`{m.name}`", name, *shares, seconds)


def _cell_line(row: Row) -> tuple[str, ...]:
    s = row.with_dice
    return (
        row.reader,
        GRIDS[row.grid],
        f"**{s.cells.right.percent()}**",
        s.cells.color.percent(),
        s.cells.value.percent(),
        s.cells.occupied.percent(),
        str(s.boards_exact),
        unnoticed(s),
        s.flagged.percent(),
        f"{row.seconds:.3f}",
    )
