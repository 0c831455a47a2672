"""A player's window as the rules see it: four rows of five cells, each empty or holding a die."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Self

from scoring.cells import (
    ALL_CELLS,
    ALL_ROWS,
    COLUMNS,
    ROWS,
    Cell,
    cell_from_name,
    cell_name,
    check_cell,
    split_cells,
)
from scoring.dice import Die
from scoring.errors import InvalidValueError, NotationError
from scoring.names import demand_text
from scoring.sentences import sentence
from scoring.typed import means_nothing

EMPTY_SIGN = "--"


@dataclass(frozen=True)
class Board:
    """The dice in a window. A board never changes; `replace` returns another one.

    Parameters
    ----------
    rows
        Four rows from the top, each of five cells from the left: a `Die`, or None for an empty cell. Lists
        become tuples.

    Raises
    ------
    InvalidValueError
        ``rows`` are not 4 x 5 dice or None.

    Examples
    --------
    >>> board = Board.parse("Y5 -- R4 Y5 B1 / P2 B4 Y6 G2 R3 / R6 G3 R4 B5 P2 / G1 Y4 P2 R3 Y5")
    >>> board[0, 2] == board["A3"]
    True
    >>> board["A3"]
    Die(color=<Color.RED: 'R'>, value=4)
    >>> board[0, 1] is None
    True
    >>> str(board)
    'Y5 -- R4 Y5 B1 / P2 B4 Y6 G2 R3 / R6 G3 R4 B5 P2 / G1 Y4 P2 R3 Y5'
    """

    rows: tuple[tuple[Die | None, ...], ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "rows", tuple(tuple(row) for row in self.rows))
        if len(self.rows) != ROWS or any(len(row) != COLUMNS for row in self.rows):
            raise _bad_board()
        for cell in ALL_CELLS:
            if not isinstance(self[cell], Die | None):
                raise InvalidValueError(
                    "bad_board",
                    sentence(
                        "{cell} holds {found}, which is not a die.",
                        cell=cell_name(cell),
                        found=repr(self[cell]),
                    ),
                    sentence("Give a Die, or None for an empty cell."),
                )

    @classmethod
    def empty(cls) -> Self:
        """Return the window before the first die."""
        return cls(((None,) * COLUMNS,) * ROWS)

    @classmethod
    def parse(cls, text: str, *, other_kinds: bool = False) -> Self:
        """Read board notation: two characters a cell, ``--`` for empty, rows separated by ``/`` or line ends.

        What people type instead is taken, too: ``-``, ``—``, ``.`` or ``_`` for empty, ``|`` or ``;`` between
        rows, full-width and Cyrillic letters, and the grid that ``sagrada read`` prints. ``other_kinds`` lets
        in dice that are not in the base game, see `Die.parse`.

        Raises
        ------
        NotationError
            The text is no board; the error names the row or the cell that is wrong.
        """
        advice = sentence("Separate the cells by blanks and write -- for an empty one.")
        words = split_cells(text, "board", advice)
        dice = {cell: _parse_cell(word, cell, other_kinds=other_kinds) for cell, word in words}
        return cls(tuple(tuple(dice[cell] for cell in row) for row in ALL_ROWS))

    @classmethod
    def of(cls, given: Board | str) -> Board:
        """Return the board itself, or the one that is written; see `parse`."""
        if isinstance(given, Board):
            return given
        return cls.parse(demand_text(given, "Board or a text in notation"))

    @classmethod
    def from_json(cls, data: object) -> Self:
        """Return the board that `to_json` gave, also from its text in notation.

        Raises
        ------
        NotationError
            A text in it is no die or no board.
        InvalidValueError
            The data are not four rows of five texts or null.
        """
        if isinstance(data, str):
            return cls.parse(data)
        if not isinstance(data, Sequence) or not all(isinstance(row, list | tuple) for row in data):
            raise _bad_board()
        return cls(tuple(tuple(None if die is None else Die.of(die) for die in row) for row in data))

    def to_json(self) -> list[list[str | None]]:
        """Return the board as plain data: four rows of five dice in notation, None for an empty cell.

        Examples
        --------
        >>> Board.empty().replace(0, 1, Die.parse("G4")).to_json()[0]
        [None, 'G4', None, None, None]
        """
        return [[None if die is None else str(die) for die in row] for row in self.rows]

    def __str__(self) -> str:
        return " / ".join(
            " ".join(EMPTY_SIGN if die is None else str(die) for die in row) for row in self.rows
        )

    def __getitem__(self, cell: Cell | str) -> Die | None:
        row, column = cell_from_name(cell) if isinstance(cell, str) else check_cell(cell)
        return self.rows[row][column]

    def dice(self) -> Iterator[tuple[Cell, Die]]:
        """Yield every die with its ``(row, column)``, in reading order."""
        for row, dice in enumerate(self.rows):
            for column, die in enumerate(dice):
                if die is not None:
                    yield (row, column), die

    def empty_cells(self) -> tuple[Cell, ...]:
        """Return the cells without a die, in reading order."""
        return tuple(cell for cell in ALL_CELLS if self[cell] is None)

    def replace(self, row: int, column: int, die: Die | None) -> Self:
        """Return a board that holds ``die`` (None: nothing) in that cell and is the same elsewhere.

        Examples
        --------
        >>> print(Board.empty().replace(3, 0, Die.parse("G4")))
        -- -- -- -- -- / -- -- -- -- -- / -- -- -- -- -- / G4 -- -- -- --
        """
        check_cell((row, column))
        rows = [list(cells) for cells in self.rows]
        rows[row][column] = die
        return type(self)(tuple(tuple(cells) for cells in rows))

    def only(self, cells: Iterable[Cell]) -> Self:
        """Return a board with the dice of these cells alone.

        Examples
        --------
        >>> print(Board.parse("R1 G2 B3 -- -- / " + " / ".join(["-- -- -- -- --"] * 3)).only([(0, 1)]))
        -- G2 -- -- -- / -- -- -- -- -- / -- -- -- -- -- / -- -- -- -- --
        """
        kept = set(cells)
        return type(self)(
            tuple(tuple(self[cell] if cell in kept else None for cell in row) for row in ALL_ROWS)
        )

    def rotated_180(self) -> Self:
        """Return the board as the player on the other side of the table sees it."""
        return type(self)(tuple(row[::-1] for row in self.rows[::-1]))


def _bad_board() -> InvalidValueError:
    return InvalidValueError(
        "bad_board",
        sentence("A board has 4 rows of 5 cells."),
        sentence("Give four tuples of five dice or None."),
    )


def _parse_cell(text: str, cell: Cell, *, other_kinds: bool) -> Die | None:
    """Read one cell of board notation."""
    if means_nothing(text):
        return None
    try:
        return Die.parse(text, other_kinds=other_kinds)
    except NotationError as error:
        raise NotationError(
            "bad_cell",
            sentence('Cell {cell} says "{text}", which is not a die.', cell=cell_name(cell), text=text),
            sentence("Write a color (R, Y, G, B or P) and a value from 1 to 6, such as Y5, or -- for empty."),
        ) from error
