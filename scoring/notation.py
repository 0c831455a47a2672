"""Cutting a text in board or pattern notation into four rows.

Both notations separate rows by ``/`` or by line ends; blank lines and a ``/`` at the very end do not count.
"""

from __future__ import annotations

from scoring.cells import ROW_LETTERS, ROWS
from scoring.errors import NotationError


def split_rows(text: str, thing: str) -> list[str]:
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
            f"A {thing} has 4 rows; this one has {len(rows)}.",
            "Separate the rows by / or by line ends.",
        )
    return rows


def wrong_number_of_columns(row: int, found: int, next_step: str) -> NotationError:
    """Return the error for a row (counted from 0) that does not have five cells."""
    return NotationError(
        "wrong_number_of_columns", f"Row {ROW_LETTERS[row]} has {found} cells instead of 5.", next_step
    )
