from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import Board, Color, Die, PublicObjective, Score, UnknownNameError, cell_name, score_private
from tests import strategies
from tests.scoring import oracles

objectives = st.sampled_from(list(PublicObjective))

EMPTY_ROW = " / -- -- -- -- --"
LATIN = "R1 Y2 G3 B4 P5 / Y3 G4 B5 P6 R1 / G5 B6 P1 R2 Y3 / B1 P2 R3 Y4 G5"


def named_groups(score: Score) -> list[str]:
    """Write each group as the names of its cells."""
    return [" ".join(cell_name(cell) for cell in group) for group in score.groups]


def test_the_game_has_ten_public_objectives() -> None:
    """The ten cards, by the names printed on them and the points they give."""
    assert {card.value: card.points_each for card in PublicObjective} == {
        "Row Color Variety": 6,
        "Column Color Variety": 5,
        "Row Shade Variety": 5,
        "Column Shade Variety": 4,
        "Light Shades": 2,
        "Medium Shades": 2,
        "Deep Shades": 2,
        "Shade Variety": 5,
        "Color Diagonals": 1,
        "Color Variety": 4,
    }


@pytest.mark.parametrize(
    ("name", "text", "points", "formula", "groups"),
    [
        pytest.param(
            "Row Color Variety",
            "R1 Y1 G1 B1 P1 / R1 Y2 G3 B4 R5 / R1 Y2 -- B3 P4 / P6 B5 G4 Y3 R2",
            12,
            "2 x 6",
            ["A1 A2 A3 A4 A5", "D1 D2 D3 D4 D5"],
            id="a row needs all five colors; a gap or a repeat spoils it; values do not count",
        ),
        pytest.param(
            "Column Color Variety",
            "R1 R1 R1 -- P1 / Y1 Y2 R2 Y2 B1 / G1 G3 Y3 G3 G1 / B1 R4 G4 B4 Y1",
            10,
            "2 x 5",
            ["A1 B1 C1 D1", "A5 B5 C5 D5"],
            id="a column needs four different colors, also when the two alike lie apart",
        ),
        pytest.param(
            "Row Shade Variety",
            "R1 R2 R3 R4 R6 / R1 Y2 G3 B4 P1 / R1 Y2 -- B3 P4 / P6 B5 G4 Y3 R2",
            10,
            "2 x 5",
            ["A1 A2 A3 A4 A5", "D1 D2 D3 D4 D5"],
            id="a row needs five different values, any five; colors do not count",
        ),
        pytest.param(
            "Column Shade Variety",
            "R1 R1 R6 -- P1 / R2 Y2 R5 Y2 B2 / R3 G3 Y4 G3 G3 / R5 R1 G1 B4 Y2",
            8,
            "2 x 4",
            ["A1 B1 C1 D1", "A3 B3 C3 D3"],
            id="a column needs four different values",
        ),
        pytest.param(
            "Light Shades",
            "R1 Y1 G2 -- -- / -- -- -- -- -- / -- -- -- -- -- / P1 -- -- -- B2",
            4,
            "min(3, 2) x 2",
            ["A1 A3", "A2 D5"],
            id="a pair of a 1 and a 2, anywhere; the third 1 gives nothing",
        ),
        pytest.param(
            "Medium Shades",
            "R3 Y4 G4 -- --" + 3 * EMPTY_ROW,
            2,
            "min(1, 2) x 2",
            ["A1 A2"],
            id="a pair of a 3 and a 4",
        ),
        pytest.param(
            "Deep Shades", "R6 R6 R6 R6 R6" + 3 * EMPTY_ROW, 0, "min(0, 5) x 2", [], id="no 5, no pair"
        ),
        pytest.param(
            "Shade Variety",
            "R1 R2 R3 R4 R5 / R6 B6 B5 B4 B3 / B2 B1 Y1 Y1 Y1 / -- -- -- -- --",
            10,
            "min(5, 2, 2, 2, 2, 2) x 5",
            ["A1 A2 A3 A4 A5 B1", "C2 C1 B5 B4 B3 B2"],
            id="a set has one die of each value from 1 to 6, whatever its color",
        ),
        pytest.param(
            "Color Variety",
            "P1 P1 B1 G1 Y1 / R1 R2 Y2 G2 B2" + 2 * EMPTY_ROW,
            8,
            "min(2, 2, 2, 2, 2) x 4",
            ["B1 A5 A4 A3 A1", "B2 B3 B4 B5 A2"],
            id="a set has one die of each color, whatever its value",
        ),
        pytest.param(
            "Color Diagonals",
            "B1 -- Y2 -- B3 / -- B4 -- Y5 -- / B6 -- Y1 -- -- / -- B2 -- -- --",
            7,
            "7 x 1",
            ["A1 B2 C1 D2", "A3 B4 C3"],
            id="the picture on the card: four blue and three yellow dice",
        ),
        pytest.param(
            "Color Diagonals",
            "R1 R2 R3 R4 R5" + 3 * EMPTY_ROW,
            0,
            "0 x 1",
            [],
            id="dice side by side are on no diagonal",
        ),
        pytest.param(
            "Color Diagonals",
            "R1 -- R1 -- -- / -- R1 -- -- -- / R1 -- R1 -- -- / -- -- -- -- --",
            5,
            "5 x 1",
            ["A1 A3 B2 C1 C3"],
            id="a die with four partners counts once",
        ),
        pytest.param(
            "Color Diagonals",
            "R1 Y1 -- -- -- / Y2 R2 -- -- -- / -- -- -- -- -- / -- -- -- -- B1",
            4,
            "4 x 1",
            ["A1 B2", "A2 B1"],
            id="two chains may cross; a lone die gives nothing",
        ),
        pytest.param(
            "Color Diagonals",
            "-- -- -- -- -- / -- -- -- R1 -- / -- -- R2 -- -- / -- R3 -- -- --",
            3,
            "3 x 1",
            ["B4 C3 D2"],
            id="diagonals run both ways, and three in a chain are three",
        ),
        pytest.param("Row Color Variety", LATIN, 24, "4 x 6", None, id="the most rows of colors can give"),
        pytest.param(
            "Column Color Variety", LATIN, 25, "5 x 5", None, id="the most columns of colors can give"
        ),
        pytest.param("Row Shade Variety", LATIN, 20, "4 x 5", None, id="the most rows of values can give"),
        pytest.param(
            "Color Variety", LATIN, 16, "min(4, 4, 4, 4, 4) x 4", None, id="four sets of all colors"
        ),
    ],
)
def test_cards_count_what_they_say(
    name: str, text: str, points: int, formula: str, groups: list[str] | None
) -> None:
    """Each card gives the points, the formula and the cells that the rules ask for."""
    score = PublicObjective(name).score(Board.parse(text))
    assert (score.points, score.formula) == (points, formula)
    if groups is not None:
        assert named_groups(score) == groups


@pytest.mark.parametrize("objective", PublicObjective)
@given(board=strategies.boards)
def test_every_card_agrees_with_a_second_way_of_counting(objective: PublicObjective, board: Board) -> None:
    """A count made in quite another way comes to the same points, on any board."""
    assert objective.score(board).points == oracles.public_points(objective.value, board)


@given(strategies.boards, strategies.colors)
def test_the_private_objective_agrees_with_a_second_way_of_counting(board: Board, color: Color) -> None:
    """Adding up the text of the board comes to the same points."""
    assert score_private(board, color).points == oracles.private_points(color.value, board)


@given(strategies.boards, objectives)
def test_half_a_turn_changes_no_points(board: Board, objective: PublicObjective) -> None:
    """From the other side of the table a window is worth the same."""
    assert objective.score(board.rotated_180()).points == objective.score(board).points


@given(strategies.boards, objectives)
def test_a_mirror_changes_no_points(board: Board, objective: PublicObjective) -> None:
    """Left and right do not matter to any card."""
    mirrored = Board(tuple(row[::-1] for row in board.rows))
    assert objective.score(mirrored).points == objective.score(board).points


@given(strategies.boards, objectives, st.permutations(list(Color)))
def test_no_public_card_prefers_a_color(board: Board, objective: PublicObjective, order: list[Color]) -> None:
    """Exchanging the colors changes no public points."""
    dyed = dict(zip(Color, order, strict=True))
    other = board
    for cell, die in board.dice():
        other = other.replace(*cell, Die(dyed[die.color], die.value))
    assert objective.score(other).points == objective.score(board).points


@given(strategies.boards, objectives)
def test_the_groups_earn_the_points(board: Board, objective: PublicObjective) -> None:
    """Each group is worth the card's points (for diagonals: each die), and no die is in two groups."""
    score = objective.score(board)
    counted = [cell for group in score.groups for cell in group]
    worth = counted if objective is PublicObjective.COLOR_DIAGONALS else score.groups
    assert score.points == objective.points_each * len(worth)
    assert len(set(counted)) == len(counted)
    assert all(board[cell] is not None for cell in counted)


@given(strategies.boards, objectives)
def test_the_formula_comes_to_the_points(board: Board, objective: PublicObjective) -> None:
    """Whoever works the formula out gets the points."""
    score = objective.score(board)
    assert eval(score.formula.replace("x", "*")) == score.points


@given(strategies.boards, objectives)
def test_sets_hold_one_die_of_each_kind(board: Board, objective: PublicObjective) -> None:
    """A set of values lists its dice from the lowest to the highest, a set of colors in the colors' order."""
    kinds = {
        PublicObjective.LIGHT_SHADES: [1, 2],
        PublicObjective.MEDIUM_SHADES: [3, 4],
        PublicObjective.DEEP_SHADES: [5, 6],
        PublicObjective.SHADE_VARIETY: [1, 2, 3, 4, 5, 6],
        PublicObjective.COLOR_VARIETY: list(Color),
    }.get(objective)
    for group in objective.score(board).groups:
        dice = [die for cell in group if (die := board[cell])]
        if objective is PublicObjective.COLOR_VARIETY:
            assert [die.color for die in dice] == kinds
        elif kinds is not None:
            assert [die.value for die in dice] == kinds


@given(strategies.boards)
def test_a_diagonal_chain_has_one_color_and_no_end_in_another_chain(board: Board) -> None:
    """Dice of one color that touch by corners are in the same chain."""
    groups = PublicObjective.COLOR_DIAGONALS.score(board).groups
    for group in groups:
        assert len({die.color for cell in group if (die := board[cell])}) == 1
        assert len(group) >= 2
    for one in groups:
        for other in groups:
            if one is not other and board[one[0]].color is board[other[0]].color:  # type: ignore[union-attr]
                assert not any(
                    abs(here[0] - there[0]) == 1 and abs(here[1] - there[1]) == 1
                    for here in one
                    for there in other
                )


@given(objectives)
def test_an_empty_window_gives_nothing(objective: PublicObjective) -> None:
    """No dice, no points, no groups."""
    score = objective.score(Board.empty())
    assert (score.points, score.groups) == (0, ())


def test_the_private_objective_adds_up_values() -> None:
    """Pips count, not dice, and only those of the color."""
    board = Board.parse("P6 R1 -- -- -- / -- -- P6 -- -- / -- -- -- -- P5 / R6 -- -- -- --")
    assert score_private(board, Color.PURPLE) == Score(17, "6 + 6 + 5", (((0, 0), (1, 2), (2, 4)),))
    assert score_private(board, Color.RED) == Score(7, "1 + 6", (((0, 1), (3, 0)),))
    assert score_private(board, Color.BLUE) == Score(0, "0", ())


@pytest.mark.parametrize(
    "name", ["Color Diagonals", "color diagonals", "color_diagonals", "COLOR-DIAGONALS", " Color  diagonals "]
)
def test_a_card_is_found_however_its_name_is_typed(name: str) -> None:
    """Case, underscores, hyphens and blanks do not matter."""
    assert PublicObjective.from_name(name) is PublicObjective.COLOR_DIAGONALS


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("Colour Variety", "Color Variety"),
        ("row colors", "Row Color Variety"),
        ("Dark Shades", "Deep Shades"),
    ],
)
def test_an_unknown_card_gets_a_suggestion(name: str, nearest: str) -> None:
    """A misspelled card is answered with the nearest ones."""
    with pytest.raises(UnknownNameError, match="Did you mean") as caught:
        PublicObjective.from_name(name)
    assert caught.value.code == "unknown_objective"
    assert nearest in caught.value.suggestions
