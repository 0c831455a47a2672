"""Whether two players show one and the same window, as when both sent the same photo by mistake."""

from __future__ import annotations

from scoring import Board

MANY_DICE = 8  # so many dice never lie alike in two windows by chance

Seen = tuple[Board, str | None]
"""The dice of a window, and its photo where that is known, see `webapp.services.record.Record.shot`."""


def is_same_window(one: Seen, other: Seen) -> bool:
    """Tell whether two windows come from the same place of the same photo, or hold the same many dice."""
    (board, shot), (other_board, other_shot) = one, other
    if shot is not None and shot == other_shot:
        return True
    return board == other_board and len(list(board.dice())) >= MANY_DICE
