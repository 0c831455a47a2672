"""The table of the rivals, for people (Markdown) and for programs (JSON)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from calibration.rivals.measure import FOUND, GIVEN, PROGRAM, Measured, Row
from calibration.shares import Share
from calibration.summary import Summary

GRID_HEAD = (
    "photos", "grid", "located", "right way up", "corners off (cells): median, worst", "rightly refused",
    "processor seconds",
)  # fmt: skip
CELL_HEAD = (
    "reader", "grid", "cells right", "color", "value", "empty or not", "boards exact", "unnoticed a board",
    "marked doubtful", "processor seconds",
)  # fmt: skip
GRIDS = {GIVEN: "labelled corners", FOUND: "found"}
TITLES = {"rendered": "Rendered photos", "real": "Real photos", "mixed": "Rendered and real photos mixed"}


def markdown(measured: Sequence[Measured]) -> str:
    """Return the tables, rendered and real photos apart."""
    parts = []
    for origin, title in TITLES.items():
        chosen = [m for m in measured if m.origin == origin]
        if not chosen:
            continue
        parts += [f"## {title}", "Finding the grid:"]
        parts.append(_table(GRID_HEAD, [line for m in chosen for line in _grid_lines(m)]))
        for m in chosen:
            rows = [row for row in m.rows if row.with_dice.boards]
            if rows:
                lines = [_cell_line(row) for way in GRIDS for row in rows if row.grid == way]
                parts.append(f"Reading the cells, the {_boards(rows)} boards with dice of `{m.name}`:")
                parts.append(_table(CELL_HEAD, lines))
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
        off = "-" if s.corner_error_max is None else f"{s.corner_error_median:.2f}, {s.corner_error_max:.2f}"
        yield f"`{m.name}`", name, _of(s.located), _of(s.upright), off, _of(s.rightly_refused), seconds


def _cell_line(row: Row) -> tuple[str, ...]:
    s = row.with_dice
    return (
        row.reader,
        GRIDS[row.grid],
        f"**{_percent(s.cells.right)}**",
        _percent(s.cells.color),
        _percent(s.cells.value),
        _percent(s.cells.occupied),
        _of(s.boards_exact),
        "-" if s.wrong_unflagged_per_board is None else f"{s.wrong_unflagged_per_board:.2f}",
        _percent(s.flagged),
        f"{row.seconds:.3f}",
    )


def _table(head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    rows = [head, ["---", "---"] + ["---:"] * (len(head) - 2), *lines]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def _percent(share: Share) -> str:
    return "-" if share.ratio is None else f"{100 * share.ratio:.1f} %"


def _of(share: Share) -> str:
    return f"{share.hits} of {share.total}" if share.total else "-"
