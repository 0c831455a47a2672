"""Boards as players leave them, made up from a seed: full ones, half-played ones, and ones with mistakes.

Nothing here asks the rules under test: boards are built from texts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random

from scoring import Board, WindowPattern

Spot = tuple[int, int]
SPOTS: tuple[Spot, ...] = tuple((row, column) for row in range(4) for column in range(5))
DICE = tuple(color + value for color in "RYGBP" for value in "123456")


def prints(pattern: object) -> dict[Spot, str]:
    """Return the sign that is printed on each space of a pattern, from its notation."""
    rows = ["".join(row.split()) for row in str(pattern).split("/")]
    return {(row, column): rows[row][column] for row, column in SPOTS}


def fits(die: str, sign: str) -> bool:
    """Return whether a die may lie on a space with that sign: ``.``, a color letter or a value."""
    return sign == "." or sign in die


def board_from(placed: Mapping[Spot, str]) -> Board:
    """Return the board that holds these dice."""
    return Board.parse(
        " / ".join(" ".join(placed.get((row, column), "--") for column in range(5)) for row in range(4))
    )


def full_board(pattern: object, random: Random) -> Board:
    """Return 20 dice that follow the card and the rules for neighbors.

    The spaces are filled in reading order with the first of the shuffled dice that goes there; where none
    goes, the die before is swapped for the next one (backtracking). A die that would spoil a printed space
    beside it is not tried at all.

    Raises
    ------
    ValueError
        The card cannot be filled, such as one with two red spaces side by side.
    """
    signs = prints(pattern)
    placed: dict[Spot, str] = {}

    def fill(number: int) -> bool:
        if number == 20:
            return True
        spot = SPOTS[number]
        fitting = [
            die
            for die in DICE
            if fits(die, signs[spot]) and not _clashes(die, spot, placed) and not _clashes(die, spot, signs)
        ]
        random.shuffle(fitting)
        for die in fitting:
            placed[spot] = die
            if fill(number + 1):
                return True
            del placed[spot]
        return False

    if not fill(0):
        raise ValueError(f"No legal board fills {pattern}.")
    return board_from(placed)


def played_board(pattern: object, dice: int, random: Random) -> Board:
    """Return ``dice`` dice as a game lays them: each is rolled, then put on some space where it may go.

    A die that may go nowhere is passed over, as in the game; when too many pass, the game starts again.
    """
    signs = prints(pattern)
    while True:
        placed: dict[Spot, str] = {}
        for _ in range(30 * dice):
            if len(placed) == dice:
                return board_from(placed)
            die = random.choice(DICE)
            free = [
                spot
                for spot in SPOTS
                if spot not in placed
                and fits(die, signs[spot])
                and not _clashes(die, spot, placed)
                and (_touches(spot, placed) if placed else spot[0] in (0, 3) or spot[1] in (0, 4))
            ]
            if free:
                placed[random.choice(free)] = die


def with_mistakes(board: Board, pattern: WindowPattern, mistakes: int, random: Random) -> Board:
    """Return the board with so many of its dice on printed spaces swapped for ones the card forbids.

    The same seed with one mistake more leaves the earlier mistakes as they are.
    """
    signs = prints(pattern)
    rows = [row.split() for row in str(board).split("/")]
    placed = {(row, column): rows[row][column] for row, column in SPOTS if rows[row][column] != "--"}
    printed = [spot for spot in placed if signs[spot] != "."]
    random.shuffle(printed)
    for spot in printed[:mistakes]:
        placed[spot] = random.choice([die for die in DICE if not fits(die, signs[spot])])
    return board_from(placed)


def without(board: Board, spots: Iterable[Spot]) -> Board:
    """Return the board with those spaces empty."""
    rows = [row.split() for row in str(board).split("/")]
    away = set(spots)
    return board_from(
        {
            spot: rows[spot[0]][spot[1]]
            for spot in SPOTS
            if spot not in away and rows[spot[0]][spot[1]] != "--"
        }
    )


def invented_card(random: Random) -> WindowPattern:
    """Return a card nobody printed: about as many free, color and value spaces as on the real ones.

    No two spaces side by side ask for the same, so the card can be filled.
    """
    signs: dict[Spot, str] = {}
    for row, column in SPOTS:
        beside = {signs.get((row - 1, column)), signs.get((row, column - 1))}
        while (row, column) not in signs:
            kind = random.choices(["free", "color", "value"], [180, 140, 200])[0]
            sign = {"free": ".", "color": random.choice("RYGBP"), "value": random.choice("123456")}[kind]
            if sign == "." or sign not in beside:
                signs[row, column] = sign
    text = " / ".join("".join(signs[row, column] for column in range(5)) for row in range(4))
    return WindowPattern.parse(text, "Invented")


def _clashes(die: str, spot: Spot, placed: Mapping[Spot, str]) -> bool:
    """Return whether a die beside the spot has the color or the value of this one."""
    row, column = spot
    beside = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return any(sign in placed.get(other, "") for other in beside for sign in die)


def _touches(spot: Spot, placed: Mapping[Spot, str]) -> bool:
    """Return whether a die lies on one of the eight spaces around the spot."""
    return any(max(abs(spot[0] - other[0]), abs(spot[1] - other[1])) == 1 for other in placed)
