"""How far a player's window is, for everybody at the table: it tells nothing of the dice."""

from __future__ import annotations

from scoring import ALL_CELLS, cell_name
from webapp.games.view import Status, WindowState
from webapp.storage import EMPTY_BOARD, Record


def status_of(record: Record) -> Status:
    """Return how far a window is."""
    if record.failure is not None:
        return Status(WindowState.UNREAD)
    doubts = open_doubts(record)
    if doubts:
        return Status(WindowState.DOUBTFUL, doubts)
    if record.reading is None and record.board == EMPTY_BOARD:
        return Status(WindowState.NONE)
    return Status(WindowState.DONE)


def open_doubts(record: Record) -> int:
    """Return how many spaces the reader was unsure of and nobody has looked at."""
    if record.reading is None:
        return 0
    told = record.reading["cells"]
    shown = reversed(told) if record.turned else told
    return sum(
        bool(one["doubtful"]) and cell_name(cell) not in record.checked
        for cell, one in zip(ALL_CELLS, shown, strict=True)
    )
