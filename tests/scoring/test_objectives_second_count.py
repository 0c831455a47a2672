from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import Board, Color, PublicObjective, score_private
from tests import strategies
from tests.scoring import oracles

pytestmark = pytest.mark.thorough

LINES = [card for card in PublicObjective if card.value.startswith(("Row", "Column"))]


@given(strategies.boards)
def test_every_card_agrees_with_a_second_way_of_counting(board: Board) -> None:
    """A count made in quite another way comes to the same points, on any board."""
    for card in PublicObjective:
        assert card.score(board).points == oracles.public_points(card.value, board), card
    for color in Color:
        assert score_private(board, color).points == oracles.private_points(color.value, board), color


@given(st.sampled_from(sorted(oracles.SETS)), strategies.sparse_boards(max_dice=9))
def test_the_second_count_of_sets_is_the_best_choice_of_disjoint_sets(name: str, board: Board) -> None:
    """For few dice the second count is itself compared with a choice among all sets there are."""
    _, wanted = oracles.SETS[name]
    signs = [die[0 if wanted == oracles.COLORS else 1] for die in oracles.dice_on(board).values()]
    assert oracles.most_sets(signs, wanted) == oracles.most_disjoint_sets(signs, wanted)


@given(strategies.boards)
def test_the_groups_earn_the_points(board: Board) -> None:
    """Each group is worth the card's points (for diagonals: each die), and no die is in two groups."""
    for card in PublicObjective:
        score = card.score(board)
        counted = [cell for group in score.groups for cell in group]
        worth = counted if card is PublicObjective.COLOR_DIAGONALS else score.groups
        assert score.points == card.points_each * len(worth)
        assert len(set(counted)) == len(counted)
        assert all(board[cell] is not None for cell in counted)


@given(strategies.boards)
def test_the_lines_that_count_are_those_in_the_list_of_all(board: Board) -> None:
    """A row or column is a group when it is one of all the lines that can score; its cells are in order."""
    for card in LINES:
        groups = [list(group) for group in card.score(board).groups]
        assert groups == oracles.lines_that_score(card.value, board)


@given(strategies.boards)
def test_a_set_has_one_die_of_each_kind_in_the_order_of_the_kinds(board: Board) -> None:
    """Values from the lowest, colors in the colors' order; of each kind the first dice in reading order."""
    dice = oracles.dice_on(board)
    for name, (_, wanted) in oracles.SETS.items():
        groups = PublicObjective(name).score(board).groups
        for place, sign in enumerate(wanted):
            kind = [spot for spot in sorted(dice) if sign in dice[spot]]
            assert [group[place] for group in groups] == kind[: len(groups)]
        assert all(len(group) == len(wanted) for group in groups)


@given(strategies.boards)
def test_diagonal_chains_are_the_closure_of_who_touches_whom(board: Board) -> None:
    """Chains and dice come in reading order, and are those of the table that was closed step by step."""
    groups = PublicObjective.COLOR_DIAGONALS.score(board).groups
    assert {frozenset(group) for group in groups} == oracles.diagonal_chains(board)
    assert [list(group) for group in groups] == sorted(sorted(group) for group in groups)


@given(strategies.boards)
def test_the_private_group_is_all_dice_of_the_color(board: Board) -> None:
    """One group with every die of the color in reading order; none when there is no such die."""
    dice = oracles.dice_on(board)
    for color in Color:
        own = tuple(spot for spot in sorted(dice) if dice[spot][0] == color.value)
        assert score_private(board, color).groups == ((own,) if own else ())


def test_groups_are_the_same_in_every_run() -> None:
    """Nothing hangs on the order in which Python happens to keep its sets, which changes from run to run."""
    board = "R1 Y2 R3 Y4 R5 / Y2 R1 Y4 R3 Y6 / R5 B6 R1 B2 R3 / B1 P2 B3 P4 B5"
    script = (
        "from scoring import *; b = Board.parse(%r);"
        "print([card.score(b) for card in PublicObjective], [score_private(b, color) for color in Color])"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", script % board],
            env={"PYTHONHASHSEED": seed},
            cwd=Path(__file__).parents[2],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(said) == 1
    assert "points=" in said.pop()
