"""The rules a second time, written in another way and as directly as possible, to compare with.

The oracles read a board as text, never through the functions they are there to check.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations

Grid = list[list[str]]
Spot = tuple[int, int]


def grid(board: object) -> Grid:
    """Return the 4 x 5 texts of a board (``"--"`` for empty) from its notation."""
    return [row.split() for row in str(board).split("/")]


def dice_on(board: object) -> dict[Spot, str]:
    """Return the dice as texts, by (row, column)."""
    return {
        (row, column): text
        for row, texts in enumerate(grid(board))
        for column, text in enumerate(texts)
        if text != "--"
    }


def _lines_where_all_differ(lines: Grid, sign: int) -> int:
    """Count full lines in which any two dice differ in their color (sign 0) or value (sign 1)."""
    return sum(
        "--" not in line and all(one[sign] != other[sign] for one, other in combinations(line, 2))
        for line in lines
    )


def _sets(found: list[str], wanted: str) -> int:
    """Take one of each wanted sign off the table, again and again, until one is missing."""
    left = Counter(found)
    sets = 0
    while all(left[sign] > 0 for sign in wanted):
        left -= Counter(wanted)
        sets += 1
    return sets


def _dice_with_a_twin_at_a_corner(board: object) -> int:
    """Look at every pair of dice and collect those of one color, one step apart in both directions."""
    lucky: set[Spot] = set()
    for (one, die), (other, other_die) in combinations(dice_on(board).items(), 2):
        if die[0] == other_die[0] and abs(one[0] - other[0]) == 1 and abs(one[1] - other[1]) == 1:
            lucky |= {one, other}
    return len(lucky)


def public_points(name: str, board: object) -> int:
    """Return the points of the public objective with that name."""
    rows = grid(board)
    columns = [list(column) for column in zip(*rows, strict=True)]
    colors = [die[0] for die in dice_on(board).values()]
    values = [die[1] for die in dice_on(board).values()]
    return {
        "Row Color Variety": lambda: 6 * _lines_where_all_differ(rows, 0),
        "Column Color Variety": lambda: 5 * _lines_where_all_differ(columns, 0),
        "Row Shade Variety": lambda: 5 * _lines_where_all_differ(rows, 1),
        "Column Shade Variety": lambda: 4 * _lines_where_all_differ(columns, 1),
        "Light Shades": lambda: 2 * _sets(values, "12"),
        "Medium Shades": lambda: 2 * _sets(values, "34"),
        "Deep Shades": lambda: 2 * _sets(values, "56"),
        "Shade Variety": lambda: 5 * _sets(values, "123456"),
        "Color Variety": lambda: 4 * _sets(colors, "RYGBP"),
        "Color Diagonals": lambda: _dice_with_a_twin_at_a_corner(board),
    }[name]()


def private_points(letter: str, board: object) -> int:
    """Return the sum of the values of all dice of that color."""
    return sum(int(die[1]) for die in dice_on(board).values() if die[0] == letter)


def may_place(dice: dict[Spot, str], spot: Spot, die: str, pattern: list[str]) -> bool:
    """Return whether the rulebook lets ``die`` go on ``spot``.

    ``pattern`` holds four rows of five signs, ``.`` for no restriction.
    """
    row, column = spot
    if spot in dice or pattern[row][column] not in ("." + die):
        return False
    if not dice:
        return row in (0, 3) or column in (0, 4)
    touches = False
    for (other_row, other_column), other in dice.items():
        down, across = abs(other_row - row), abs(other_column - column)
        touches |= max(down, across) == 1
        if down + across == 1 and (other[0] == die[0] or other[1] == die[1]):
            return False
    return touches


def can_be_played(dice: dict[Spot, str], pattern: list[str]) -> bool:
    """Return whether some order of legal placements leads from the empty window to these dice."""

    def from_here(placed: dict[Spot, str], left: dict[Spot, str]) -> bool:
        if not left:
            return True
        return any(
            may_place(placed, spot, die, pattern)
            and from_here({**placed, spot: die}, {other: left[other] for other in left if other != spot})
            for spot, die in left.items()
        )

    return from_here({}, dice)


def rows_of(pattern: object) -> list[str]:
    """Return the four rows of a pattern from its notation."""
    return [row.strip() for row in str(pattern).split("/")]
