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
from tests.scoring.play import can_be_played

ROW = " / -- -- -- -- --"


def test_the_rulebook_example_has_one_problem() -> None:
    """The red 3 at C5 lies on a space that needs a 1; everything else is legal."""
    (problem,) = placement_problems(rulebook.SCORED_BOARD, WINDOW_PATTERNS[rulebook.WINDOW])
    assert (problem.code, problem.cells) == ("value_restriction", ((2, 4),))
    assert problem.message == ("C5: red 3 on a space that needs 1. Copper Foil Burnisher could excuse it.")
    assert problem.could_excuse == (Tool.COPPER_FOIL_BURNISHER,)


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        pytest.param(
            "R4 R4 -- -- --" + 3 * ROW,
            [("same_color_neighbors", "A1 A2"), ("same_value_neighbors", "A1 A2")],
            id="each rule that is broken is a problem of its own",
        ),
        pytest.param(
            "R1 R2 R3 -- --" + 3 * ROW,
            [("same_color_neighbors", "A1 A2"), ("same_color_neighbors", "A2 A3")],
            id="each pair is one problem",
        ),
        ("R1 -- -- -- -- / R2 -- -- -- --" + 2 * ROW, [("same_color_neighbors", "A1 B1")]),
        ("R1 -- -- -- -- / B1 -- -- -- --" + 2 * ROW, [("same_value_neighbors", "A1 B1")]),
        pytest.param(
            "R1 -- -- -- -- / -- R1 -- -- -- / -- -- R1 -- -- / -- -- -- R1 --",
            [],
            id="dice alike may touch by a corner, and corners hold dice together",
        ),
        pytest.param(
            "B2 Y3 B2 Y3 R1 / R1 G4 R5 G4 B2" + 2 * ROW,
            [],
            id="the end of a row is no neighbor of the next row",
        ),
        ("-- -- -- -- -- / -- -- R1 -- -- / -- G2 -- -- --" + ROW, [("first_die_edge", "B3 C2")]),
        ("-- -- -- -- -- / -- -- R1 -- -- / -- G2 -- -- -- / B3 -- -- -- --", []),
        ("R1 G2 -- Y4 B3" + 3 * ROW, [("not_connected", "A4 A5")]),
        pytest.param(
            "R1 -- -- -- B3 / -- -- -- -- -- / -- -- -- -- -- / G2 Y4 -- -- P5",
            [("not_connected", "A1 A5 D5")],
            id="all dice outside the largest group are named together",
        ),
    ],
)
def test_an_unknown_card_forbids_what_every_card_forbids(text: str, problems: list[tuple[str, str]]) -> None:
    """Dice alike do not share a side, one lies on the edge, and all hang together; nothing else is wrong."""
    found = placement_problems(Board.parse(text))
    assert [(one.code, " ".join(map(cell_name, one.cells))) for one in found] == problems


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
    assert legal is can_be_played(oracles.dice_on(board), oracles.rows_of(pattern))
