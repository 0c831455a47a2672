"""How far favor tokens reach when tools have to account for a window."""

from __future__ import annotations

import pytest

from scoring import Board, Die, InvalidValueError, Tool, Toolbox, WindowPattern, placement_problems
from scoring.next_die import why_not

ROW = " / -- -- -- -- --"
FREE = " / ....."
CORK, BRUSH = Tool.CORK_BACKED_STRAIGHTEDGE, Tool.EGLOMISE_BRUSH


@pytest.mark.parametrize(
    ("difficulty", "could_excuse"), [(None, (BRUSH,)), (6, (BRUSH,)), (5, (BRUSH,)), (4, ()), (3, ())]
)
def test_a_tool_is_named_only_when_the_window_came_with_tokens_enough(
    difficulty: int | None, could_excuse: tuple[Tool, ...]
) -> None:
    """Three uses cost five tokens: with a window that came with four, no tool could be the reason."""
    board = Board.parse("G1 Y2 P3 -- --" + 3 * ROW)
    pattern = WindowPattern.parse("RRR.." + 3 * FREE, difficulty=difficulty)
    assert {problem.could_excuse for problem in placement_problems(board, pattern)} == {could_excuse}


@pytest.mark.parametrize(
    ("difficulty", "legal"), [(None, True), (6, True), (5, True), (4, False), (3, False)]
)
def test_the_straightedge_reaches_as_far_as_the_tokens_that_came_with_the_window(
    difficulty: int | None, legal: bool
) -> None:
    """Four groups are three uses, and three uses cost five tokens."""
    board = Board.parse("G1 -- -- -- R5" + 2 * ROW + " / B2 -- -- -- Y6")
    pattern = WindowPattern.parse("....." + 3 * FREE, difficulty=difficulty)
    assert (placement_problems(board, pattern, [CORK]) == ()) is legal


def test_a_tool_that_was_not_used_pays_for_nothing() -> None:
    """No use of a card costs no token, and brings none back either."""
    assert Toolbox(tokens=0).can_pay({CORK: 0, BRUSH: 0})
    assert not Toolbox(tokens=2).can_pay({CORK: 0, BRUSH: 2})
    assert Toolbox(tokens=3).can_pay({CORK: 0, BRUSH: 2})


def test_a_negative_number_of_tokens_is_answered_with_what_to_give() -> None:
    """The error has a next step, as every error."""
    with pytest.raises(InvalidValueError) as caught:
        Toolbox(tokens=-2)
    assert caught.value.message == "Nobody can have spent -2 favor tokens."
    assert caught.value.next_step == "Give the number of tokens that were spent, 0 or more."


def test_a_space_with_a_die_is_taken() -> None:
    """No tool puts a second die on a space; the reason is its own."""
    (problem,) = why_not(Board.parse("R1 -- -- -- --" + 3 * ROW), Die.parse("G2"), tools=Tool)[0, 0]
    assert problem.code == "space_taken"
    assert problem.could_excuse == ()
    assert problem.message == "A1: red 1 lies there already."
