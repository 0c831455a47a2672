"""Ways in which public programs count wrong, each with a board on which the wrong way differs from ours.

Every wrong way is written out here, so that the tests show where it goes wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given, settings

from scoring import Board, Color, PublicObjective, score_private
from tests import strategies
from tests.scoring.oracles import COLORS, VALUES, Spot, diagonal_chains, dice_on, grid

EMPTY_ROW = " / -- -- -- -- --"
STAIRS = "R1 -- -- -- -- / -- R2 -- -- -- / -- -- R3 -- -- / -- -- -- -- --"


def pairs_of_one_color(board: Board, *steps: Spot) -> list[tuple[Spot, Spot]]:
    """Return the pairs of dice of one color that lie one of the steps apart."""
    dice = dice_on(board)
    return [
        (spot, (spot[0] + down, spot[1] + across))
        for spot in dice
        for down, across in steps
        if dice.get((spot[0] + down, spot[1] + across), "--")[0] == dice[spot][0]
    ]


SIDES = ((0, 1), (1, 0))
DOWN_RIGHT = (1, 1)
DOWN_LEFT = (1, -1)


def sides_instead_of_corners(board: Board) -> int:
    """Count dice with a die of their color at a side."""
    return len({spot for pair in pairs_of_one_color(board, *SIDES) for spot in pair})


def pairs_instead_of_dice(board: Board) -> int:
    """Count pairs of dice that touch by a corner."""
    return len(pairs_of_one_color(board, DOWN_RIGHT, DOWN_LEFT))


def a_die_for_each_partner(board: Board) -> int:
    """Count a die once for each of its partners."""
    return 2 * pairs_instead_of_dice(board)


def chains_instead_of_dice(board: Board) -> int:
    """Count chains."""
    return len(diagonal_chains(board))


def only_the_longest_chain(board: Board) -> int:
    """Count the dice of the longest chain."""
    return max(map(len, diagonal_chains(board)), default=0)


def one_direction_only(board: Board) -> int:
    """Count dice on diagonals that go down to the right."""
    return len({spot for pair in pairs_of_one_color(board, DOWN_RIGHT) for spot in pair})


def lone_dice_too(board: Board) -> int:
    """Count every die, as a chain of one."""
    return len(dice_on(board))


def one_value_instead_of_one_color(board: Board) -> int:
    """Count dice that touch a die of their own value by a corner."""
    dice = dice_on(board)
    return sum(
        any(
            dice.get((row + down, column + across), "--")[1] == die[1]
            for down in (-1, 1)
            for across in (-1, 1)
        )
        for (row, column), die in dice.items()
    )


def columns(board: Board) -> list[list[str]]:
    """Return the columns as lists of texts."""
    return [list(column) for column in zip(*grid(board), strict=True)]


def rows_with_gaps(board: Board) -> int:
    """Count rows in which the dice that are there have different colors."""
    rows = [[text for text in row if text != "--"] for row in grid(board)]
    return 6 * sum(len({text[0] for text in row}) == len(row) for row in rows)


def a_gap_is_one_more_color(board: Board) -> int:
    """Count rows whose five spaces look different, an empty one among them."""
    return 6 * sum(len({text[0] for text in row}) == 5 for row in grid(board))


def only_the_dice_beside_each_other(board: Board) -> int:
    """Count full columns in which no two dice side by side have one color."""
    return 5 * sum(
        "--" not in column and all(one[0] != other[0] for one, other in pairwise(column))
        for column in columns(board)
    )


def values_with_the_colors(board: Board) -> int:
    """Count full rows in which no die, color and value together, comes twice."""
    return 5 * sum("--" not in row and len(set(row)) == 5 for row in grid(board))


def ascending_columns(board: Board) -> int:
    """Count columns whose values go up by one."""
    return 4 * sum("".join(text[1] for text in column) in VALUES for column in columns(board))


def sets_within_a_row(board: Board, sign: int, wanted: str, points: int) -> int:
    """Count sets row by row, as if a set had to lie in one row."""
    counts = (Counter(text[sign] for text in row) for row in grid(board))
    return points * sum(min(count[kind] for kind in wanted) for count in counts)


def shades_of_a_row(board: Board) -> int:
    """Count Shade Variety row by row; no row of five has six values."""
    return sets_within_a_row(board, 1, VALUES, 5)


def colors_of_a_row(board: Board) -> int:
    """Count Color Variety row by row."""
    return sets_within_a_row(board, 0, COLORS, 4)


def pairs_side_by_side(board: Board) -> int:
    """Count pairs of a 1 and a 2 that share a side."""
    dice = dice_on(board)
    return 2 * sum(
        {die[1], dice.get((row + down, column + across), "--")[1]} == {"1", "2"}
        for (row, column), die in dice.items()
        for down, across in SIDES
    )


def half_of_all_light_dice(board: Board) -> int:
    """Count two light dice as a pair, also two 1s."""
    return 2 * (sum(die[1] in "12" for die in dice_on(board).values()) // 2)


def one_set_at_most(board: Board) -> int:
    """Ask only whether all colors are there."""
    return 4 * ({die[0] for die in dice_on(board).values()} == set(COLORS))


def sets_of_different_dice(board: Board) -> int:
    """Count 20 dice as three sets and the two over as the beginning of a fourth."""
    return 5 * -(-len(dice_on(board)) // 6)


@pytest.mark.parametrize(
    ("name", "wrong_way", "text", "wrong", "right"),
    [
        ("Color Diagonals", sides_instead_of_corners, STAIRS, 0, 3),
        ("Color Diagonals", sides_instead_of_corners, "R1 R2 R3 R4 R5" + 3 * EMPTY_ROW, 5, 0),
        ("Color Diagonals", pairs_instead_of_dice, STAIRS, 2, 3),
        ("Color Diagonals", pairs_instead_of_dice, "R1 -- R2 / -- R3 -- / R4 -- R5 / -- -- --", 4, 5),
        ("Color Diagonals", a_die_for_each_partner, STAIRS, 4, 3),
        ("Color Diagonals", chains_instead_of_dice, STAIRS, 1, 3),
        ("Color Diagonals", only_the_longest_chain, "R1 -- B1 -- B3 / -- R2 -- B2 --" + 2 * EMPTY_ROW, 3, 5),
        ("Color Diagonals", one_direction_only, "-- -- R1 / -- R2 -- / R3 -- -- / -- R4 --", 2, 4),
        ("Color Diagonals", lone_dice_too, "R1 Y2 G3 B4 P5" + 3 * EMPTY_ROW, 5, 0),
        ("Color Diagonals", one_value_instead_of_one_color, STAIRS, 0, 3),
        ("Row Color Variety", rows_with_gaps, "R1 Y2 G3 -- B4" + 3 * EMPTY_ROW, 24, 0),
        ("Row Color Variety", a_gap_is_one_more_color, "R1 Y2 G3 -- B4" + 3 * EMPTY_ROW, 6, 0),
        ("Column Color Variety", only_the_dice_beside_each_other, "R1 -- / Y2 -- / R3 -- / Y4 --", 5, 0),
        ("Row Shade Variety", values_with_the_colors, "R1 Y2 G3 B4 P1" + 3 * EMPTY_ROW, 5, 0),
        ("Column Shade Variety", ascending_columns, "R6 -- / Y1 -- / R4 -- / Y2 --", 0, 4),
        (
            "Shade Variety",
            shades_of_a_row,
            "R1 Y2 G3 B4 P5 / Y6 G1 B2 P3 R4 / G5 B6 -- -- -- / -- -- -- -- --",
            0,
            10,
        ),
        ("Color Variety", colors_of_a_row, "R1 Y2 R3 Y4 R5 / G1 B2 G3 P4 G5 / B3 P2" + EMPTY_ROW, 0, 8),
        ("Color Variety", one_set_at_most, "R1 Y2 R3 Y4 R5 / G1 B2 G3 P4 G5 / B3 P2" + EMPTY_ROW, 4, 8),
        ("Light Shades", pairs_side_by_side, "R1 -- Y2 -- B2" + 3 * EMPTY_ROW, 0, 2),
        ("Light Shades", pairs_side_by_side, "R2 Y1 G2 -- --" + 3 * EMPTY_ROW, 4, 2),
        ("Light Shades", half_of_all_light_dice, "R1 Y1 G1 B2 --" + 3 * EMPTY_ROW, 4, 2),
        (
            "Shade Variety",
            sets_of_different_dice,
            "R1 Y2 G3 B4 P5 / Y6 G1 B2 P3 R4 / G5 B6 P1 R2 Y3 / B4 P5 R6 Y1 G2",
            20,
            15,
        ),
    ],
)
def test_a_well_known_mistake_is_not_ours(
    name: str, wrong_way: Callable[[Board], int], text: str, wrong: int, right: int
) -> None:
    """The wrong way gives the wrong points here, and the card gives the right ones."""
    rows = [(row.split() + ["--"] * 5)[:5] for row in text.split("/")]
    board = Board.parse(" / ".join(" ".join(row) for row in rows))
    assert wrong_way(board) == wrong
    assert PublicObjective(name).score(board).points == right


@settings(max_examples=50)
@given(strategies.legal_boards)
def test_whoever_looks_at_sides_finds_no_color_diagonal_on_any_legal_board(board: Board) -> None:
    """By the rules no two dice of one color share a side, so a count that looks there gives 0 for ever."""
    assert sides_instead_of_corners(board) == 0


def test_a_legal_board_scores_on_color_diagonals() -> None:
    """The rulebook's own example, on which a count of sides gives 0, has dice on color diagonals."""
    board = Board.parse("-- G4 R2 Y5 P6 / R3 B1 -- G1 Y2 / P5 G6 -- P6 R3 / B4 Y3 G4 B2 G4")
    assert sides_instead_of_corners(board) == 0
    assert PublicObjective.COLOR_DIAGONALS.score(board).points == 4


def test_the_private_objective_counts_pips_and_not_dice() -> None:
    """Three purple dice that show 6, 5 and 6 give 17 points, not 3."""
    board = Board.parse("P6 -- P5 -- P6" + 3 * EMPTY_ROW)
    assert sum(die[0] == "P" for die in dice_on(board).values()) == 3
    assert score_private(board, Color.PURPLE).points == 17


def test_the_private_objective_counts_every_die_of_the_color() -> None:
    """Two dice that show the same both count: 6 and 6 are 12, not one 6."""
    board = Board.parse("P6 -- P6 -- --" + 3 * EMPTY_ROW)
    assert sum({die.value for _, die in board.dice()}) == 6
    assert score_private(board, Color.PURPLE).points == 12
