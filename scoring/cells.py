"""The 20 spaces of a window: their names, which of them touch, and how texts are cut into their rows.

People say "C5": rows A to D from the top, columns 1 to 5 from the left. The code counts
``(row, column)`` from 0, so C5 is ``(2, 4)``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from scoring.errors import InvalidValueError, NotationError
from scoring.sentences import ROW_LETTERS, Sentence, counted, sentence
from scoring.typed import in_plain_signs

Cell = tuple[int, int]

ROWS = 4
COLUMNS = 5

BETWEEN_ROWS = re.compile(r"[/|;\n\r\v\f\x85\u2028\u2029]")
"""What separates the rows of a window, or the rounds of a track."""

_HEADING = list("12345")
_DOUBTED = re.compile(r"(--|[A-Za-z]\d)\?")

ALL_CELLS: tuple[Cell, ...] = tuple((row, column) for row in range(ROWS) for column in range(COLUMNS))
"""Every cell in reading order: A1, A2, ... D5."""

ALL_ROWS: tuple[tuple[Cell, ...], ...] = tuple(
    tuple((row, column) for column in range(COLUMNS)) for row in range(ROWS)
)
"""The cells of each row, from left to right: A1 to A5, B1 to B5, ..."""

ALL_COLUMNS: tuple[tuple[Cell, ...], ...] = tuple(
    tuple((row, column) for row in range(ROWS)) for column in range(COLUMNS)
)
"""The cells of each column, from top to bottom: A1 to D1, A2 to D2, ..."""


def cell_name(cell: Cell) -> str:
    """Return the name people use for ``(row, column)``.

    Examples
    --------
    >>> cell_name((2, 4))
    'C5'

    Raises
    ------
    InvalidValueError
        The window has no such cell.
    """
    row, column = check_cell(cell)
    return f"{ROW_LETTERS[row]}{column + 1}"


def cell_from_name(name: str) -> Cell:
    """Return ``(row, column)``, counted from 0, of a cell such as ``"C5"``.

    Examples
    --------
    >>> cell_from_name("C5")
    (2, 4)

    Raises
    ------
    NotationError
        The name is not a letter A to D followed by a figure 1 to 5.
    """
    wanted = in_plain_signs(name).strip().upper()
    if len(wanted) == 2 and wanted[0] in ROW_LETTERS and wanted[1] in "12345":
        return ROW_LETTERS.index(wanted[0]), int(wanted[1]) - 1
    raise NotationError(
        "bad_cell_name",
        sentence('"{name}" is not a cell of the window.', name=name.strip()),
        sentence("Write a row A to D and a column 1 to 5, such as C5."),
    )


def check_cell(cell: Cell) -> Cell:
    """Return ``cell`` when the window has it, or raise an `InvalidValueError`."""
    row, column = cell
    if 0 <= row < ROWS and 0 <= column < COLUMNS:
        return cell
    raise InvalidValueError(
        "no_such_cell",
        sentence("The window has no row {row}, column {column}.", row=str(row), column=str(column)),
        sentence("Rows go from 0 to 3 and columns from 0 to 4."),
    )


def is_on_edge(cell: Cell) -> bool:
    """Return whether the cell is one of the 14 along the border of the window."""
    row, column = cell
    return row in (0, ROWS - 1) or column in (0, COLUMNS - 1)


def side_neighbors(cell: Cell) -> tuple[Cell, ...]:
    """Return the two to four cells that share a side with ``cell``, in reading order."""
    row, column = cell
    return _inside((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))


def corner_neighbors(cell: Cell) -> tuple[Cell, ...]:
    """Return the one to four cells that touch ``cell`` by a corner only, in reading order."""
    row, column = cell
    return _inside((row - 1, column - 1), (row - 1, column + 1), (row + 1, column - 1), (row + 1, column + 1))


def touching(cell: Cell) -> tuple[Cell, ...]:
    """Return the three to eight cells that touch ``cell`` by a side or a corner, in reading order."""
    return tuple(sorted(side_neighbors(cell) + corner_neighbors(cell)))


def _inside(*cells: Cell) -> tuple[Cell, ...]:
    """Keep the cells that the window has."""
    return tuple((row, column) for row, column in cells if 0 <= row < ROWS and 0 <= column < COLUMNS)


def split_cells(
    text: str, thing: Literal["board", "window pattern"], advice: Sentence
) -> Iterator[tuple[Cell, str]]:
    """Yield each cell with what is written for it: a word on a board, one sign in a window pattern.

    Rows are separated by ``/``, ``|``, ``;`` or line ends; twenty cells without any are four rows, too. The
    numbers and letters around the grid that this program prints are left out, as are its question marks.

    Raises
    ------
    NotationError
        There are more or fewer than four rows, or a row that has not five cells, which comes with ``advice``.
    """
    rows = [_written(row, thing) for row in BETWEEN_ROWS.split(in_plain_signs(text)) if row.strip()]
    if len(rows) == 1:
        rows = _cut(rows[0])
    if len(rows) == ROWS + 1 and rows[0] == _HEADING:
        del rows[0]
    if len(rows) != ROWS:
        raise NotationError(
            "wrong_number_of_rows",
            sentence("A board has 4 rows; this one has {number}.", number=len(rows))
            if thing == "board"
            else sentence("A window pattern has 4 rows; this one has {number}.", number=len(rows)),
            sentence("Separate the rows by / or by line ends."),
        )
    for row, (letter, written) in enumerate(zip(ROW_LETTERS, rows, strict=True)):
        if len(written) == COLUMNS + 1 and written[0].upper() == letter:
            del written[0]
        if len(written) != COLUMNS:
            raise NotationError(
                "wrong_number_of_columns",
                counted(
                    "Row {row} has {count} cell instead of 5.",
                    "Row {row} has {count} cells instead of 5.",
                    len(written),
                    row=letter,
                ),
                advice,
            )
        yield from zip(ALL_ROWS[row], written, strict=True)


def _written(row: str, thing: Literal["board", "window pattern"]) -> list[str]:
    """Return the cells of a row: words, or single signs."""
    words = row.replace(",", " ").split()
    if thing == "window pattern":
        return list("".join(words))
    return [word[:2] if _DOUBTED.fullmatch(word) else word for word in words]


def _cut(written: list[str]) -> list[list[str]]:
    """Return the rows of a board that is written without anything between them, or all of it as one."""
    cells = written[COLUMNS:] if written[:COLUMNS] == _HEADING else written
    for width in (COLUMNS, COLUMNS + 1):  # the latter with the letter of each row
        if len(cells) == ROWS * width:
            return [cells[begin : begin + width] for begin in range(0, len(cells), width)]
    return [written]
