"""Dice, the 20 spaces of a window, and boards: four rows of five cells, each empty or holding a die.

Dice have five colors and six values (the rulebook calls them shades). People say "C5": rows A to D from the
top, columns 1 to 5 from the left. The code counts ``(row, column)`` from 0, so C5 is ``(2, 4)``. Notation is
read as people type it, with full-width letters, long dashes or letters of another alphabet.

Dice that are not in the base game: rare glass, which is of any color, and two kinds with their own color.

Rare glass (one for each player of *Passion*) counts as the color that is best for its player: a window is
legal when some colors of its rare glass make it so, and points are those of the best colors, the same for all
cards. Gray dice (*Glory*) and orange dice (*Life*) have a color that no card prints and no set asks for;
beside each other, and in rows and columns of different colors, they count as any color does. How many dice of
which kind there are is told by one source, and no exact rule was found: this is the plainest reading.

A `Part` is some cells of a board as a number with one bit for each: whoever wants to know which dice to take
off has to look at thousands of parts of one window.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import product
from typing import Literal, Self

from scoring.errors import InvalidValueError, NotationError
from scoring.names import demand_text, find_name
from scoring.sentences import ROW_LETTERS, Name, Sentence, counted, sentence

_DASHES = "‐‑‒–—―−─ー"
_CYRILLIC = dict(zip("АВСРУавсру", "ABCPYabcpy", strict=True))
_FULL_WIDTH = {chr(sign + 0xFEE0): chr(sign) for sign in range(0x21, 0x7F)}
_OTHERS = {"\u3000": " ", "\xa0": " ", "、": ",", "…": "..."}
_SIGNS = str.maketrans({**_FULL_WIDTH, **dict.fromkeys(_DASHES, "-"), **_CYRILLIC, **_OTHERS})
_NOTHING = re.compile(r"[-_.]+")


def in_plain_signs(text: str) -> str:
    """Return the text in the signs of notation.

    Examples
    --------
    >>> in_plain_signs("Ｒ４ — Р2 ／")
    'R4 - P2 /'
    """
    return text.translate(_SIGNS)


def look_alikes(text: str) -> tuple[str, ...]:
    """Return the Cyrillic letters in the text that `in_plain_signs` takes for Latin ones, each once.

    Examples
    --------
    >>> look_alikes("Р2 R3 Р4")
    ('Р',)
    """
    return tuple(dict.fromkeys(sign for sign in text if sign in _CYRILLIC))


def means_nothing(word: str) -> bool:
    """Return whether a word stands for an empty space: some dashes, dots or underscores.

    Examples
    --------
    >>> means_nothing("--"), means_nothing("R4")
    (True, False)
    """
    return _NOTHING.fullmatch(word) is not None


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
            sentence("A window has 4 rows; this one has {number}.", number=len(rows)),
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


VALUES = (1, 2, 3, 4, 5, 6)


class Color(Enum):
    """The five colors of glass. The value is the letter used in notation.

    Dice that are not in the base game have further ones, which are not among the members: `OTHER_KINDS`.

    Examples
    --------
    >>> Color("P")
    <Color.PURPLE: 'P'>
    >>> Color.from_name("purple").value
    'P'
    """

    RED = "R"
    YELLOW = "Y"
    GREEN = "G"
    BLUE = "B"
    PURPLE = "P"

    @property
    def word(self) -> str:
        """The color in lower case, as it stands in a sentence."""
        return self.name.lower().replace("_", " ")

    @classmethod
    def _missing_(cls, value: object) -> Color | None:
        return next((kind for kind in OTHER_KINDS if kind.value == value), None)

    @property
    def called(self) -> Name:
        """What people call the color."""
        return Name("color", self.word)

    @classmethod
    def of(cls, given: Color | str) -> Color:
        """Return the color itself, or the one of that name; see `from_name`."""
        return given if isinstance(given, cls) else cls.from_name(demand_text(given, "Color or its name"))

    @classmethod
    def from_name(cls, name: str) -> Color:
        """Return the color called ``name``: ``"purple"``, ``"P"`` or ``"Shades of Purple"``.

        Raises
        ------
        UnknownNameError
            No color is called that; the error suggests the nearest.
        """
        if color := color_of_letter(name):
            return color
        wanted = name.strip()
        if wanted.lower().startswith(("shades of ", "shades_of_")):
            wanted = wanted[len("shades of ") :]
        return cls[find_name(wanted, [color.word for color in cls], "color").upper()]


def _other_kind(name: str, letter: str) -> Color:
    """Return a color that is not among the members."""
    kind = object.__new__(Color)
    kind._name_, kind._value_ = name, letter
    return kind


RARE_GLASS = _other_kind("RARE_GLASS", "W")
"""Of any color; see `scoring.board`."""

GRAY = _other_kind("GRAY", "S")
"""The strife dice of *Glory*."""

ORANGE = _other_kind("ORANGE", "M")
"""The masterwork dice of *Life*."""

OTHER_KINDS = (RARE_GLASS, GRAY, ORANGE)
"""The colors of dice that are not in the base game. Notation has them only where it is asked to."""

DIE_NAME = "{color} {value}"
LETTERS = frozenset(color.value for color in Color)


def color_of_letter(text: str) -> Color | None:
    """Return the color whose letter the text is; None for any other text."""
    letter = in_plain_signs(text).strip().upper()
    return Color(letter) if letter in LETTERS else None


@dataclass(frozen=True)
class Die:
    """A die as it lies in a window: its color and the value on top, 1 to 6.

    Examples
    --------
    >>> Die.parse("G4")
    Die(color=<Color.GREEN: 'G'>, value=4)
    >>> str(Die(Color.RED, 2))
    'R2'

    Raises
    ------
    InvalidValueError
        The color is no `Color`, or the value is not 1 to 6.
    """

    color: Color
    value: int

    def __post_init__(self) -> None:
        if not isinstance(self.color, Color):
            raise InvalidValueError(
                "bad_color",
                sentence("A die cannot have the color {found}.", found=repr(self.color)),
                sentence("Use one of the five colors."),
            )
        if type(self.value) is not int or self.value not in VALUES:
            raise InvalidValueError(
                "bad_value",
                sentence("A die cannot show {found}.", found=repr(self.value)),
                sentence("Give a whole number from 1 to {most}.", most=VALUES[-1]),
            )

    @classmethod
    def parse(cls, text: str, *, other_kinds: bool = False) -> Self:
        """Read a die such as ``"Y5"``; small and full-width letters and Cyrillic ones like them are fine.

        With ``other_kinds`` also ``W5`` (rare glass), ``S5`` (gray) and ``M5`` (orange) are dice.

        Raises
        ------
        NotationError
            The text is not a color letter followed by a value.
        """
        die = in_plain_signs(text).strip().upper()
        letters = LETTERS.union(kind.value for kind in OTHER_KINDS) if other_kinds else LETTERS
        if len(die) == 2 and die[0] in letters and die[1] in "123456":
            return cls(Color(die[0]), int(die[1]))
        raise NotationError(
            "bad_die",
            sentence('"{text}" is not a die.', text=text.strip()),
            sentence("Write a color (R, Y, G, B or P) and a value from 1 to 6, such as Y5."),
        )

    @classmethod
    def of(cls, given: Die | str) -> Die:
        """Return the die itself, or the one that is written; see `parse`."""
        if isinstance(given, Die):
            return given
        return cls.parse(demand_text(given, 'Die or a text such as "R2"'))

    def __str__(self) -> str:
        return f"{self.color.value}{self.value}"

    @property
    def called(self) -> Name:
        """What people call the die: ``"red 3"``."""
        return Name("die", DIE_NAME, (("color", self.color), ("value", self.value)))


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
        sentence("A window has 4 rows of 5 spaces."),
        sentence("Give four tuples of five."),
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


MOST_RARE_GLASS = 4
"""More of them are in no window; each makes five times as many windows to look at."""


def has_rare_glass(board: Board) -> bool:
    """Return whether a die of any color lies in the window."""
    return any(die.color is RARE_GLASS for _, die in board.dice())


def colored(board: Board) -> Iterator[Board]:
    """Yield the window with each choice of colors for its rare glass: itself, where there is none.

    Raises
    ------
    InvalidValueError
        There is more rare glass than any window has.

    Examples
    --------
    >>> board = Board.empty().replace(0, 0, Die(RARE_GLASS, 4))
    >>> [str(one[0, 0]) for one in colored(board)]
    ['R4', 'Y4', 'G4', 'B4', 'P4']
    """
    glass = [(cell, die.value) for cell, die in board.dice() if die.color is RARE_GLASS]
    if len(glass) > MOST_RARE_GLASS:
        raise InvalidValueError(
            "too_many_dice",
            sentence("A window has at most {most} dice of rare glass.", most=MOST_RARE_GLASS),
            sentence("Look at the dice again."),
        )
    for colors in product(Color, repeat=len(glass)):
        one = board
        for (cell, value), color in zip(glass, colors, strict=True):
            one = one.replace(*cell, Die(color, value))
        yield one


def colors_of(die: Die) -> tuple[Die, ...]:
    """Return what a die may count as: itself, or rare glass in each color."""
    return tuple(Die(color, die.value) for color in Color) if die.color is RARE_GLASS else (die,)


Part = int
"""Some cells of the window, as a number with one bit for each of them."""

# Between two rows one bit stays free, so that the end of a row does not touch the start of the next. Cells
# that come first in reading order have the higher bits.
_STRIDE = COLUMNS + 1
_BITS: dict[Cell, Part] = {
    (row, column): 1 << (_STRIDE * (ROWS - 1 - row) + COLUMNS - 1 - column) for row, column in ALL_CELLS
}


def part_of(cells: Iterable[Cell]) -> Part:
    """Return the part that consists of these cells.

    Examples
    --------
    >>> cells_of(part_of([(1, 2), (0, 4)]))
    ((0, 4), (1, 2))
    """
    return sum(_BITS[cell] for cell in set(cells))


def cells_of(part: Part) -> tuple[Cell, ...]:
    """Return the cells, as (row, column) from 0, of a part, in reading order."""
    return tuple(cell for cell in ALL_CELLS if part & _BITS[cell])


def cells_one_by_one(part: Part) -> tuple[Part, ...]:
    """Return each cell of a part as a part of its own, in reading order."""
    return tuple(bit for bit in _BITS.values() if part & bit)


def groups_of(part: Part, *, by_sides: bool = True) -> tuple[Part, ...]:
    """Return the groups that hang together by sides or corners, or by corners alone.

    Examples
    --------
    >>> groups = groups_of(part_of([(0, 0), (1, 1), (3, 3)]))
    >>> sorted(cells_of(group) for group in groups)
    [((0, 0), (1, 1)), ((3, 3),)]
    """
    groups = []
    while part:
        group = part & -part
        while (grown := (group | _around(group, by_sides=by_sides)) & part) != group:
            group = grown
        groups.append(group)
        part ^= group
    return tuple(groups)


def dice_with(board: Board, kind: Color | int) -> Part:
    """Return the dice of a color, or those that show a value."""
    return part_of(cell for cell, die in board.dice() if kind in (die.color, die.value))


def with_a_corner(part: Part) -> Part:
    """Return the cells of a part that touch another one of it by a corner."""
    return part & _around(part, by_sides=False)


def _around(part: Part, *, by_sides: bool) -> Part:
    """Return what touches a part by a corner, or also by a side; perhaps with bits that are no cells."""
    beside = part << 1 | part >> 1
    if not by_sides:
        return beside << _STRIDE | beside >> _STRIDE
    wide = beside | part
    return beside | wide << _STRIDE | wide >> _STRIDE
