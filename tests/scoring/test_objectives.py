from __future__ import annotations

import pytest

from scoring import Board, Color, Die, PublicObjective, Score, cell_name, score_private

EMPTY_ROW = " / -- -- -- -- --"


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
    ],
)
def test_cards_count_what_they_say(
    name: str, text: str, points: int, formula: str, groups: list[str]
) -> None:
    """Each card gives the points, the formula and the cells that the rules ask for."""
    score = PublicObjective(name).score(Board.parse(text))
    named = [" ".join(cell_name(cell) for cell in group) for group in score.groups]
    assert (score.points, score.formula, named) == (points, formula, groups)


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


def test_the_private_objective_adds_up_values() -> None:
    """Pips count, not dice, and only those of the color."""
    board = Board.parse("P6 R1 -- -- -- / -- -- P6 -- -- / -- -- -- -- P5 / R6 -- -- -- --")
    assert score_private(board, Color.PURPLE) == Score(17, "6 + 6 + 5", (((0, 0), (1, 2), (2, 4)),))
    assert score_private(board, Color.RED) == Score(7, "1 + 6", (((0, 1), (3, 0)),))
    assert score_private(board, Color.BLUE) == Score(0, "0", ())


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


def test_an_objective_without_a_row_cannot_be_made() -> None:
    """A name alone is no card: it fails when the rules are loaded, and not in the middle of a game."""
    with pytest.raises(AssertionError):
        PublicObjective.__new_member__(PublicObjective, "Brand New")  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("name", "text", "said", "how_often"),
    [
        ("Row Color Variety", "R1 Y1 G1 B1 P1" + 2 * EMPTY_ROW + " / R1 Y2 G3 B4 P5", "Rows A, D", "2 rows"),
        (
            "Column Shade Variety",
            " / ".join(f"-- -- -- -- R{value}" for value in range(1, 5)),
            "Column 5",
            "1 column",
        ),
        ("Light Shades", "R1 R2 B1 B2 --" + 3 * EMPTY_ROW, "2 pairs of 1 and 2", "2 pairs"),
        ("Color Variety", "R1 Y1 G1 B1 P1" + 3 * EMPTY_ROW, "1 set of all five colors", "1 set"),
        (
            "Color Diagonals",
            "R1 -- R1 -- -- / -- R1 -- -- --" + 2 * EMPTY_ROW,
            "3 dice touch their color at a corner",
            "3 dice",
        ),
        ("Deep Shades", "-- -- -- -- --" + 3 * EMPTY_ROW, "Pairs of a 5 and a 6, anywhere", "0 pairs"),
    ],
)
def test_what_earned_the_points_is_said_in_a_few_words(
    name: str, text: str, said: str, how_often: str
) -> None:
    """Rows and columns by their names, sets and dice by their number; without points the rule itself."""
    objective = PublicObjective(name)
    groups = objective.score(Board.parse(text)).groups
    assert (str(objective.counted(groups)), str(objective.how_often(groups))) == (said, how_often)


def test_a_card_of_ones_own_earns_its_points_by_groups() -> None:
    """It has no rows, pairs or sets to name."""
    own = PublicObjective.add("Ours", 3, lambda found: [tuple(cell for cell, _ in found.dice())])
    try:
        assert str(own.how_often(own.score(Board.empty().replace(0, 0, Die.parse("R1"))).groups)) == "1 group"
    finally:
        PublicObjective.forget("Ours")


LATIN = "R1 Y2 G3 B4 P5 / Y3 G4 B5 P6 R1 / G5 B6 P1 R2 Y3 / B1 P2 R3 Y4 G5"
CHECKED = " / ".join(["R5 Y6 R5 Y6 R5", "Y6 R5 Y6 R5 Y6"] * 2)


@pytest.mark.parametrize(
    ("name", "most", "text"),
    [
        ("Row Color Variety", 24, LATIN),
        ("Column Color Variety", 25, LATIN),
        ("Row Shade Variety", 20, LATIN),
        ("Column Shade Variety", 20, "R1 Y2 G3 B4 P5 / Y2 G3 B4 P5 R6 / G3 B4 P5 R6 Y1 / B4 P5 R6 Y1 G2"),
        ("Light Shades", 20, CHECKED.replace("5", "1").replace("6", "2")),
        ("Medium Shades", 20, CHECKED.replace("5", "3").replace("6", "4")),
        ("Deep Shades", 20, CHECKED),
        ("Shade Variety", 15, "R1 Y2 G3 B4 P5 / Y6 G1 B2 P3 R4 / G5 B6 P1 R2 Y3 / B4 P5 R6 Y1 G2"),
        ("Color Variety", 16, LATIN),
        ("Color Diagonals", 20, CHECKED),
    ],
)
def test_the_most_a_card_can_give(name: str, most: int, text: str) -> None:
    """A board reaches the most that 20 dice can give on this card."""
    assert PublicObjective(name).score(Board.parse(text)).points == most
