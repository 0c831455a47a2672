"""How far a player's window is, for everybody at the table: it tells nothing of the dice."""

from __future__ import annotations

from scoring import Board
from webapp.companion.games.view import Status, WindowState
from webapp.companion.record import Record


def status_of(record: Record) -> Status:
    """Return how far a window is."""
    if record.failure is not None:
        return Status(WindowState.UNREAD)
    if record.doubts:
        return Status(WindowState.DOUBTFUL, len(record.doubts))
    if record.reading is None and record.board == Board.empty():
        return Status(WindowState.NONE)
    return Status(WindowState.DONE)
