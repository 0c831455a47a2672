from __future__ import annotations

import pytest
from hypothesis import given

from scoring import (
    WINDOW_PATTERNS,
    Board,
    ProblemCode,
    Tool,
    WindowPattern,
    cell_name,
    placement_problems,
)
from tests import strategies
from tests.scoring import oracles, rulebook

ROW = " / -- -- -- -- --"


def found(text: str, pattern: str | None = None, *tools: str) -> list[tuple[str, str]]:
    """Return code and cells of each problem, with the pattern in notation."""
    window = None if pattern is None else WindowPattern.parse(pattern)
    return [
        (problem.code, " ".join(cell_name(cell) for cell in problem.cells))
        for problem in placement_problems(Board.parse(text), window, tools)
    ]


def test_the_rulebook_example_has_one_problem() -> None:
    """The red 3 at C5 lies on a space that needs a 1; everything else is legal."""
    (problem,) = placement_problems(rulebook.SCORED_BOARD, WINDOW_PATTERNS[rulebook.WINDOW])
    assert (problem.code, problem.cells) == ("value_restriction", ((2, 4),))
    assert problem.message == ("C5: red 3 on a space that needs 1. Copper Foil Burnisher could excuse it.")
    assert problem.could_excuse == (Tool.COPPER_FOIL_BURNISHER,)


def test_an_empty_window_is_legal() -> None:
    """Nothing is wrong before the first die."""
    assert found("-- -- -- -- --" + 3 * ROW, "RRRRR / ..... / ..... / .....") == []


def test_a_color_space_takes_only_its_color() -> None:
    """A green die on a red space is wrong whatever it shows."""
    assert found("R5 -- -- -- --" + 3 * ROW, "R.... / ..... / ..... / .....") == []
    assert found("G5 -- -- -- --" + 3 * ROW, "R.... / ..... / ..... / .....") == [("color_restriction", "A1")]


def test_a_value_space_takes_only_its_value() -> None:
    """A 5 on a space for a 4 is wrong whatever its color."""
    assert found("R4 -- -- -- --" + 3 * ROW, "4.... / ..... / ..... / .....") == []
    assert found("R5 -- -- -- --" + 3 * ROW, "4.... / ..... / ..... / .....") == [("value_restriction", "A1")]


def test_an_unknown_card_forbids_nothing() -> None:
    """Without a pattern only the rules that need no card are looked at."""
    assert found("R4 -- -- -- --" + 3 * ROW) == []
    assert found("R4 R4 -- -- --" + 3 * ROW) == [
        ("same_color_neighbors", "A1 A2"),
        ("same_value_neighbors", "A1 A2"),
    ]


def test_dice_of_one_color_do_not_share_a_side() -> None:
    """Beside and below each other, also on spaces of different print."""
    assert found("R1 R2 -- -- --" + 3 * ROW) == [("same_color_neighbors", "A1 A2")]
    assert found("R1 -- -- -- -- / R2 -- -- -- --" + 2 * ROW) == [("same_color_neighbors", "A1 B1")]


def test_dice_of_one_value_do_not_share_a_side() -> None:
    """Beside and below each other."""
    assert found("R1 B1 -- -- --" + 3 * ROW) == [("same_value_neighbors", "A1 A2")]
    assert found("R1 -- -- -- -- / B1 -- -- -- --" + 2 * ROW) == [("same_value_neighbors", "A1 B1")]


def test_dice_alike_may_touch_by_a_corner() -> None:
    """The neighbor rules are about sides."""
    assert found("R1 -- -- -- -- / -- R1 -- -- --" + 2 * ROW) == []


def test_the_end_of_a_row_is_no_neighbor_of_the_next_row() -> None:
    """A5 and B1 are far apart."""
    assert found("B2 Y3 B2 Y3 R1 / R1 G4 R5 G4 B2" + 2 * ROW) == []


def test_each_pair_is_one_problem() -> None:
    """Three red dice in a row are two pairs."""
    assert found("R1 R2 R3 -- --" + 3 * ROW) == [
        ("same_color_neighbors", "A1 A2"),
        ("same_color_neighbors", "A2 A3"),
    ]


def test_a_window_with_dice_has_one_on_the_edge() -> None:
    """The first die goes on the edge, so a window with dice inside only cannot be."""
    assert found("-- -- -- -- -- / -- -- R1 -- -- / -- G2 -- -- --" + ROW) == [("first_die_edge", "B3 C2")]
    assert found("-- -- -- -- -- / -- -- R1 -- -- / -- G2 -- -- -- / B3 -- -- -- --") == []


def test_all_dice_hang_together() -> None:
    """The smaller group is reported; two pairs far apart are as wrong as a single die."""
    assert found("R1 G2 -- -- B3" + 3 * ROW) == [("not_connected", "A5")]
    assert found("R1 G2 -- Y4 B3" + 3 * ROW) == [("not_connected", "A4 A5")]
    assert found("R1 -- -- Y4 B3" + 3 * ROW) == [("not_connected", "A1")]


def test_dice_in_three_groups_are_one_problem() -> None:
    """All dice outside the largest group are named together."""
    assert found("R1 -- -- -- B3 / -- -- -- -- -- / -- -- -- -- -- / G2 Y4 -- -- P5") == [
        ("not_connected", "A1 A5 D5")
    ]


def test_corners_hold_dice_together() -> None:
    """Touching by a corner is touching."""
    assert found("R1 -- -- -- -- / -- R1 -- -- -- / -- -- R1 -- -- / -- -- -- R1 --") == []


@pytest.mark.parametrize(
    ("text", "pattern", "said", "rule"),
    [
        (
            "R3 -- -- -- --" + 3 * ROW,
            "1.... / ..... / ..... / .....",
            "A1: red 3 on a space that needs 1.",
            "A space printed with a value takes only dice of that value.",
        ),
        (
            "R3 -- -- -- --" + 3 * ROW,
            "P.... / ..... / ..... / .....",
            "A1: red 3 on a space that needs purple.",
            "A space printed with a color takes only dice of that color.",
        ),
        (
            "R3 R4 -- -- --" + 3 * ROW,
            None,
            "A1, A2: two dice of the same color (red) side by side.",
            "Dice that share a side must differ in color.",
        ),
        (
            "R3 G3 -- -- --" + 3 * ROW,
            None,
            "A1, A2: two dice of the same value (3) side by side.",
            "Dice that share a side must differ in value.",
        ),
        (
            "-- -- -- -- -- / -- R3 -- -- --" + 2 * ROW,
            None,
            "No die lies on the edge of the window, where the first die has to go.",
            "The first die goes on a space along the edge of the window.",
        ),
        (
            "R3 G4 -- P1 --" + 3 * ROW,
            None,
            "A4: this die does not touch the other dice, not even by a corner.",
            "Each later die must touch an earlier one by a side or a corner.",
        ),
        (
            "R3 G4 Y3 -- P1 / -- -- -- -- G2" + 2 * ROW,
            None,
            "A5, B5: these dice do not touch the other dice, not even by a corner.",
            "Each later die must touch an earlier one by a side or a corner.",
        ),
    ],
)
def test_a_problem_is_one_plain_sentence_and_its_rule(
    text: str, pattern: str | None, said: str, rule: str
) -> None:
    """The sentence names the cells and what is wrong there, the rule what the rulebook asks for."""
    window = None if pattern is None else WindowPattern.parse(pattern)
    (problem,) = placement_problems(Board.parse(text), window)
    assert (str(problem.sentence), str(problem.rule)) == (said, rule)
    assert problem.message.startswith(said)


@given(strategies.boards, strategies.patterns())
def test_half_a_turn_with_its_card_changes_nothing(board: Board, pattern: WindowPattern) -> None:
    """Dice and card turned together break the same rules in the turned cells (groups alike may swap)."""
    upright = placement_problems(board, pattern)
    turned = placement_problems(board.rotated_180(), pattern.rotated_180())
    assert sorted(problem.code for problem in upright) == sorted(problem.code for problem in turned)
    for code in set(ProblemCode) - {ProblemCode.NOT_CONNECTED}:
        cells = {problem.cells for problem in upright if problem.code == code.value}
        back = {
            tuple(sorted((3 - row, 4 - column) for row, column in problem.cells))
            for problem in turned
            if problem.code == code.value
        }
        assert cells == back


@given(strategies.boards, strategies.patterns())
def test_problems_say_where(board: Board, pattern: WindowPattern) -> None:
    """Every problem names cells with dice, in reading order, and no problem comes twice."""
    problems = placement_problems(board, pattern)
    assert len(set(problems)) == len(problems)
    for problem in problems:
        assert problem.cells
        assert list(problem.cells) == sorted(problem.cells)
        assert all(board[cell] is not None for cell in problem.cells)


@given(strategies.small_legal_or_not(), strategies.patterns_mostly_free())
def test_no_problem_means_that_the_window_can_be_played(board: Board, pattern: WindowPattern) -> None:
    """A window is legal exactly when some order of legal placements leads to it."""
    legal = placement_problems(board, pattern) == ()
    assert legal is oracles.can_be_played(oracles.dice_on(board), oracles.rows_of(pattern))
