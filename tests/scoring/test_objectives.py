from __future__ import annotations

import dataclasses

import pytest

from scoring import Board, Color, PublicObjective, Score, UnknownNameError, cell_name, score_private
from tests.scoring import rulebook

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


def test_the_rulebook_example_of_scoring() -> None:
    """Two columns, two pairs of a 1 and a 2, three sets of colors, and 17 purple pips."""
    board = rulebook.SCORED_BOARD
    columns, pairs, colors = (card.score(board) for card in rulebook.PUBLIC)
    assert (columns.points, named_groups(columns)) == (10, ["A4 B4 C4 D4", "A5 B5 C5 D5"])
    assert (pairs.points, pairs.formula) == (4, "min(2, 3) x 2")
    assert (colors.points, colors.formula) == (12, "min(3, 3, 5, 3, 3) x 4")
    assert score_private(board, rulebook.PRIVATE).points == 17


def test_a_card_does_not_look_at_what_is_printed_or_whether_the_dice_lie_legally() -> None:
    """Ten pairs of the same red 5 and red 6 side by side are against the rules, and ten sets."""
    board = Board.parse(" / ".join(["R5 R6 R5 R6 R5", "R6 R5 R6 R5 R6"] * 2))
    assert PublicObjective.DEEP_SHADES.score(board).points == 20


def test_a_die_counts_for_one_set_of_a_card_and_again_for_other_cards() -> None:
    """One green 1 makes one pair with two 2s; it also counts for the row, the column and its color."""
    board = Board.parse("R2 G1 B2 Y3 P4 / -- Y2 -- -- -- / -- R3 -- -- -- / -- B4 -- -- --")
    scores = {card.value: card.score(board).points for card in PublicObjective}
    assert {name: points for name, points in scores.items() if points} == {
        "Row Color Variety": 6,
        "Column Color Variety": 5,
        "Column Shade Variety": 4,
        "Light Shades": 2,
        "Medium Shades": 4,
        "Color Variety": 4,
    }
    assert score_private(board, Color.GREEN).points == 1


def test_a_score_does_not_change() -> None:
    """What was counted stays as it was; equal counts are one key."""
    score = score_private(Board.parse("R1 -- -- -- --" + 3 * EMPTY_ROW), Color.RED)
    with pytest.raises(dataclasses.FrozenInstanceError):
        score.points = 2  # type: ignore[misc]
    assert {score, Score(1, "1", (((0, 0),),))} == {score}


@pytest.mark.parametrize("objective", PublicObjective)
def test_an_empty_window_gives_nothing(objective: PublicObjective) -> None:
    """No dice, no points, no groups."""
    score = objective.score(Board.empty())
    assert (score.points, score.groups) == (0, ())


@pytest.mark.parametrize("color", Color)
def test_there_is_a_private_objective_for_each_color(color: Color) -> None:
    """Each of the five adds up its own color and none of the others."""
    board = Board.parse("R1 Y2 G3 B4 P5" + 3 * EMPTY_ROW)
    place = list(Color).index(color)
    assert score_private(board, color) == Score(place + 1, str(place + 1), (((0, place),),))


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


def test_diagrams_draw_what_the_cards_count() -> None:
    """The picture of each card, read as a small window, shows one thing that the card counts."""
    for objective in PublicObjective:
        rows = objective.diagram
        marks = "".join(rows)
        assert [len(row) for row in rows] == [5, 5, 5, 5]
        # A color without a value is drawn as some value of that color and the other way round.
        cells = [f"{m}1" if m in "RYGBP" else f"R{m}" if m in "123456" else "--" for m in marks]
        board = Board.parse(" / ".join(" ".join(cells[i : i + 5]) for i in range(0, 20, 5)))
        assert objective.score(board).points >= objective.points_each, objective


def test_every_objective_has_a_row_with_all_there_is_to_know() -> None:
    """Points, rule and what is said of the dice are there, and no two cards share a rule."""
    assert len({objective.rule for objective in PublicObjective}) == len(PublicObjective)
    one_die = (((0, 0),),)
    for objective in PublicObjective:
        assert objective.points_each > 0
        assert objective.counted(()) == objective.rule
        assert str(objective.counted(one_die)) != str(objective.rule)


def test_an_objective_without_a_row_cannot_be_made() -> None:
    """A name alone is no card: it fails when the rules are loaded, and not in the middle of a game."""
    with pytest.raises(AssertionError):
        PublicObjective.__new_member__(PublicObjective, "Brand New")  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("name", "board", "said"),
    [
        ("Row Color Variety", "R1 Y1 G1 B1 P1 / " + "-- -- -- -- -- / " * 2 + "R1 Y2 G3 B4 P5", "Rows A, D"),
        ("Column Shade Variety", " / ".join(f"-- -- -- -- R{value}" for value in range(1, 5)), "Column 5"),
        ("Light Shades", "R1 R2 B1 B2 -- / " + "-- -- -- -- -- / " * 3, "2 pairs of 1 and 2"),
        ("Color Variety", "R1 Y1 G1 B1 P1 / " + "-- -- -- -- -- / " * 3, "1 set of all five colors"),
        (
            "Color Diagonals",
            "R1 -- R1 -- -- / -- R1 -- -- -- / -- -- -- -- -- / -- -- -- -- --",
            "3 dice touch their color at a corner",
        ),
        ("Deep Shades", "-- -- -- -- -- / " * 4, "Pairs of a 5 and a 6, anywhere"),
    ],
)
def test_what_earned_the_points_is_said_in_a_few_words(name: str, board: str, said: str) -> None:
    """Rows and columns by their names, sets and dice by their number; without points the rule itself."""
    objective = PublicObjective.from_name(name)
    assert str(objective.counted(objective.score(Board.parse(board)).groups)) == said


@pytest.mark.parametrize(
    ("name", "board", "said"),
    [
        ("Row Color Variety", "R1 Y2 G3 B4 P5 / -- -- -- -- -- / -- -- -- -- -- / -- -- -- -- --", "1 row"),
        (
            "Column Shade Variety",
            "R1 Y1 -- -- -- / R2 Y2 -- -- -- / R3 Y3 -- -- -- / R4 Y4 -- -- --",
            "2 columns",
        ),
        ("Light Shades", "R1 R1 -- -- -- / B2 B2 -- -- -- / -- -- -- -- -- / -- -- -- -- --", "2 pairs"),
        ("Color Variety", "R1 Y2 G3 B4 P5 / -- -- -- -- -- / -- -- -- -- -- / -- -- -- -- --", "1 set"),
        ("Color Diagonals", "R1 -- -- -- -- / -- R2 -- -- -- / -- -- R3 -- -- / -- -- -- -- --", "3 dice"),
    ],
)
def test_how_often_points_were_earned_is_said_by_the_row(name: str, board: str, said: str) -> None:
    """Each card has its rows, columns, pairs, sets or dice, and one of your own its groups."""
    card = PublicObjective(name)
    assert str(card.how_often(card.score(board).groups)) == said
    own = PublicObjective.add("Ours", 3, lambda found: [tuple(cell for cell, _ in found.dice())])
    try:
        assert str(own.how_often(own.score(board).groups)) == "1 group"
    finally:
        PublicObjective.forget("Ours")
