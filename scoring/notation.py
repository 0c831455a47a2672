"""Cutting a text in board or pattern notation into four rows.

Both notations separate rows by ``/`` or by line ends; blank lines and a ``/`` at the very end do not count.
"""

from __future__ import annotations

from typing import Literal

from scoring.cells import ROW_LETTERS, ROWS
from scoring.errors import NotationError
from scoring.sentences import Sentence, counted, sentence


def split_rows(text: str, thing: Literal["board", "window pattern"]) -> list[str]:
    """Return the four rows of ``text``, without blanks around them.

    Raises
    ------
    NotationError
        There are more or fewer than four rows.
    """
    rows = [row.strip() for row in text.replace("/", "\n").splitlines() if row.strip()]
    if len(rows) != ROWS:
        raise NotationError(
            "wrong_number_of_rows",
            sentence("A board has 4 rows; this one has {number}.", number=len(rows))
            if thing == "board"
            else sentence("A window pattern has 4 rows; this one has {number}.", number=len(rows)),
            sentence("Separate the rows by / or by line ends."),
        )
    return rows


def wrong_number_of_columns(row: int, found: int, advice: Sentence) -> NotationError:
    """Return the error for a row (counted from 0) that does not have five cells."""
    return NotationError(
        "wrong_number_of_columns",
        counted(
            "Row {row} has {count} cell instead of 5.",
            "Row {row} has {count} cells instead of 5.",
            found,
            row=ROW_LETTERS[row],
        ),
        advice,
    )
