"""The rules a second time, written in another way and as directly as possible, to compare with.

The oracles read a board as text, never through the functions they are there to check. They are slow on
purpose: where the rules count, they try everything out.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations

Grid = list[list[str]]
Spot = tuple[int, int]

COLORS = "RYGBP"
VALUES = "123456"
SPOTS = [(row, column) for row in range(4) for column in range(5)]

# Every line that scores, written out: 120 rows and 120 columns of colors, 720 rows and 360 columns of values.
_LINES_THAT_SCORE = {
    "Row Color Variety": (6, {"".join(line) for line in permutations(COLORS, 5)}),
    "Column Color Variety": (5, {"".join(line) for line in permutations(COLORS, 4)}),
    "Row Shade Variety": (5, {"".join(line) for line in permutations(VALUES, 5)}),
    "Column Shade Variety": (4, {"".join(line) for line in permutations(VALUES, 4)}),
}

SETS = {
    "Light Shades": (2, "12"),
    "Medium Shades": (2, "34"),
    "Deep Shades": (2, "56"),
    "Shade Variety": (5, VALUES),
    "Color Variety": (4, COLORS),
}
"""The points and the signs of the dice that make a set."""


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


def lines_that_score(name: str, board: object) -> list[list[Spot]]:
    """Return the rows or columns that are found in the list of all lines that score."""
    rows = grid(board)
    _, wanted = _LINES_THAT_SCORE[name]
    sign = 0 if "Color" in name else 1
    if name.startswith("Row"):
        lines = [[(row, column) for column in range(5)] for row in range(4)]
    else:
        lines = [[(row, column) for row in range(4)] for column in range(5)]
    return [line for line in lines if "".join(rows[row][column][sign] for row, column in line) in wanted]


def most_sets(signs: Sequence[str], wanted: str) -> int:
    """Lay out set after set, trying every die in every place, until one more set cannot be laid out.

    ``signs`` are the colors or the values of the dice, ``wanted`` those of a set.
    """
    sets = 0
    while _can_be_laid_out(signs, wanted * (sets + 1)):
        sets += 1
    return sets


def _can_be_laid_out(signs: Sequence[str], wanted: str) -> bool:
    """Return whether each place, asking for one sign, can get a die of its own."""
    places = sorted(
        wanted, key=lambda sign: (signs.count(sign), sign)
    )  # the scarcest first, so that what cannot be is known soon
    failed: set[int] = set()

    def fill(place: int, used: int) -> bool:
        """Fill the places from this one on; the bits of ``used`` are the dice that lie there already."""
        if place == len(places):
            return True
        if used in failed:
            return False
        failed.add(used)
        return any(
            fill(place + 1, used | 1 << die)
            for die, sign in enumerate(signs)
            if sign == places[place] and not used >> die & 1
        )

    return fill(0, 0)


def most_disjoint_sets(signs: Sequence[str], wanted: str) -> int:
    """Return the same as `most_sets` for few dice, by the definition: choose among all the sets there are."""
    sets = [
        set(dice)
        for dice in combinations(range(len(signs)), len(wanted))
        if sorted(signs[die] for die in dice) == sorted(wanted)
    ]

    def best(left: list[set[int]]) -> int:
        if not left:
            return 0
        first, *others = left
        return max(1 + best([other for other in others if not first & other]), best(others))

    return best(sets)


def diagonal_chains(board: object) -> set[frozenset[Spot]]:
    """Return the chains of Color Diagonals: close the table of who touches whom by a corner in one color."""
    texts = [text for row in grid(board) for text in row]
    hangs = [
        [
            texts[one] != "--"
            and texts[one][0] == texts[other][0]
            and abs(one // 5 - other // 5) == 1
            and abs(one % 5 - other % 5) == 1
            for other in range(20)
        ]
        for one in range(20)
    ]
    for by in range(20):
        for one in range(20):
            for other in range(20):
                hangs[one][other] |= hangs[one][by] and hangs[by][other]
    return {frozenset(SPOTS[other] for other in range(20) if row[other]) for row in hangs} - {frozenset()}


def public_points(name: str, board: object) -> int:
    """Return the points of the public objective with that name."""
    if name == "Color Diagonals":
        return sum(len(chain) for chain in diagonal_chains(board))
    if name in SETS:
        points, wanted = SETS[name]
        sign = 0 if wanted == COLORS else 1
        return points * most_sets([die[sign] for die in dice_on(board).values()], wanted)
    points, _ = _LINES_THAT_SCORE[name]
    return points * len(lines_that_score(name, board))


def private_points(letter: str, board: object) -> int:
    """Return the number of pips on all dice of that color, pip by pip."""
    pips = [(spot, pip) for spot, die in dice_on(board).items() for pip in range(int(die[1]))]
    return len([spot for spot, _ in pips if dice_on(board)[spot].startswith(letter)])


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


def two_steps(
    board: object, die: str, pattern: list[str], tool: str, *, beside: bool
) -> set[tuple[Spot, Spot]]:
    """Return each way to place ``die`` by the rules and then to move it where they alone would not let it.

    ``tool`` is Eglomise Brush (blind to printed colors) or Copper Foil Burnisher (blind to printed values),
    and with ``beside`` blind to that of the dice beside it as well.
    """
    blind = COLORS if tool == "Eglomise Brush" else VALUES
    printed = ["".join("." if sign in blind else sign for sign in row) for row in pattern]
    before = dice_on(board)
    steps = set()
    for first in SPOTS:
        if not may_place(before, first, die, pattern):
            continue
        after = {**before, first: die}
        for last in SPOTS:
            others = {spot: text for spot, text in after.items() if spot != first}
            seen = {
                spot: "".join("?" if beside and sign in blind else sign for sign in text)
                for spot, text in others.items()
            }
            if may_place(seen, last, die, printed) and not may_place(others, last, die, pattern):
                steps.add((first, last))
    return steps


def rows_of(pattern: object) -> list[str]:
    """Return the four rows of a pattern from its notation."""
    return [row.strip() for row in str(pattern).split("/")]
