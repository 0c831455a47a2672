from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import (
    Board,
    Breakdown,
    Color,
    LineKind,
    PublicObjective,
    score_player,
)
from scoring.points.totals import empty_cells_line
from tests import strategies
from tests.scoring import oracles, rulebook

three_cards = st.permutations(list(PublicObjective)).map(lambda cards: cards[:3])


def test_the_rulebook_example_comes_to_40_points() -> None:
    """10 + 4 + 12 for the three cards, 17 for purple, nothing for tokens, 3 empty spaces."""
    breakdown = score_player(rulebook.SCORED_BOARD, rulebook.PUBLIC, rulebook.PRIVATE, favor_tokens=0)
    assert [(line.name, line.points, line.formula) for line in breakdown.lines] == [
        ("Column Color Variety", 10, "2 x 5"),
        ("Light Shades", 4, "min(2, 3) x 2"),
        ("Color Variety", 12, "min(3, 3, 5, 3, 3) x 4"),
        ("Shades of Purple", 17, "6 + 5 + 6"),
        ("Favor tokens", 0, "0 x 1"),
        ("Empty cells", -3, "3 x -1"),
    ]
    assert breakdown.total == 40


def test_a_favor_token_is_a_point() -> None:
    """Tokens that are left count one point each."""
    with_tokens = score_player(Board.empty(), favor_tokens=5)
    assert with_tokens.total == -15
    assert (with_tokens.lines[0].points, with_tokens.lines[0].formula) == (5, "5 x 1")


def test_without_a_private_objective_its_line_is_left_out() -> None:
    """Whoever does not tell the color gets the other lines."""
    kinds = [line.kind for line in score_player(Board.empty(), rulebook.PUBLIC).lines]
    assert kinds == [LineKind.PUBLIC] * 3 + [LineKind.FAVOR_TOKENS, LineKind.EMPTY_CELLS]


@given(strategies.full_boards)
def test_a_full_window_loses_nothing(board: Board) -> None:
    """No empty space, no points off, and no cells to light."""
    line = score_player(board).lines[-1]
    assert (line.kind, line.points, line.groups) == (LineKind.EMPTY_CELLS, 0, ())


@given(strategies.boards, three_cards, strategies.colors, st.integers(0, 6), st.none() | st.integers(0, 99))
def test_the_lines_add_up_to_the_total(
    board: Board, public: list[PublicObjective], private: Color, favor_tokens: int, other: int | None
) -> None:
    """Lines stand in the order of the cards, and each formula works out to its points."""
    breakdown = score_player(board, public, private, favor_tokens, other)
    assert [one.points for one in breakdown.lines if one.kind is LineKind.OTHER_CARDS] == [
        points for points in [other] if points is not None
    ]
    assert [line.name for line in breakdown.lines[:3]] == [card.value for card in public]
    worked_out = [eval(line.formula.replace("x", "*")) for line in breakdown.lines]
    assert worked_out == [line.points for line in breakdown.lines]
    assert breakdown.total == sum(worked_out)


@given(strategies.boards, strategies.colors, st.integers(0, 6))
def test_the_breakdown_knows_what_decides_a_tie(board: Board, private: Color, favor_tokens: int) -> None:
    """The points from the private objective and the tokens left, also among other lines."""
    breakdown = score_player(board, rulebook.PUBLIC, private, favor_tokens)
    assert breakdown.private_points == oracles.private_points(private.value, board)
    assert breakdown.favor_tokens == favor_tokens


def test_what_was_not_counted_is_not_known() -> None:
    """Without a private objective, or without any line, there is no number, which is not the same as 0."""
    assert score_player(Board.empty()).private_points is None
    assert score_player(Board.empty(), private=Color.RED).private_points == 0
    assert Breakdown(()).favor_tokens is None


@pytest.mark.parametrize("cost", [-1, -3])
def test_an_empty_cell_may_cost_more(cost: int) -> None:
    """The line shows how many cells are empty and what each of them costs."""
    line = empty_cells_line(rulebook.SCORED_BOARD, cost)
    assert (line.points, line.formula, line.groups) == (3 * cost, f"3 x {cost}", (((0, 0), (1, 2), (2, 2)),))
