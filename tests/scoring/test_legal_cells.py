from __future__ import annotations

import pytest
from hypothesis import given

from scoring import (
    ALL_CELLS,
    WINDOW_PATTERNS,
    Board,
    Die,
    HouseRule,
    Tool,
    Toolbox,
    WindowPattern,
    cell_from_name,
    cell_name,
    legal_cells,
    placement_problems,
    why_not,
)
from tests import strategies
from tests.scoring import oracles, rulebook

FREE = WindowPattern.parse("..... / ..... / ..... / .....")
CORNERS = "R1 -- -- -- -- / -- -- -- -- -- / -- -- -- -- -- / -- -- -- -- --"


def names(cells: frozenset[tuple[int, int]]) -> str:
    """Write cells by name, in reading order."""
    return " ".join(cell_name(cell) for cell in sorted(cells))


def test_the_rulebook_example_of_placement() -> None:
    """The red 2 may go to A3, B3 and C3 of Fractal Drops, and nowhere else."""
    cells = legal_cells(rulebook.PLACEMENT_BOARD, rulebook.DIE_TO_PLACE, WINDOW_PATTERNS[rulebook.WINDOW])
    assert names(cells) == "A3 B3 C3"


def test_the_first_die_goes_on_the_edge() -> None:
    """Fourteen spaces are open to it when the card forbids nothing."""
    inside = frozenset(ALL_CELLS) - legal_cells(Board.empty(), Die.parse("R1"))
    assert names(inside) == "B2 B3 B4 C2 C3 C4"


def test_a_later_die_touches_an_earlier_one() -> None:
    """By side or corner; the side neighbors must differ in color and value."""
    board = Board.parse(CORNERS)
    assert names(legal_cells(board, Die.parse("G2"), FREE)) == "A2 B1 B2"
    assert names(legal_cells(board, Die.parse("R2"), FREE)) == "B2"
    assert names(legal_cells(board, Die.parse("G1"), FREE)) == "B2"


def test_cork_backed_straightedge_adds_the_spaces_that_touch_nothing() -> None:
    """Then every empty space is open that fits the neighbors and the print."""
    board = Board.parse(CORNERS)
    cells = legal_cells(board, Die.parse("G2"), FREE, ["Cork-backed Straightedge"])
    assert cells == frozenset(ALL_CELLS) - {(0, 0)}


@given(strategies.sparse_boards(max_dice=8), strategies.dice, strategies.patterns())
def test_legal_cells_agree_with_the_rulebook_read_a_second_time(
    board: Board, die: Die, pattern: WindowPattern
) -> None:
    """A second, direct reading of the rules allows the same cells."""
    dice, rows = oracles.dice_on(board), oracles.rows_of(pattern)
    allowed = {cell for cell in ALL_CELLS if oracles.may_place(dice, cell, str(die), rows)}
    assert legal_cells(board, die, pattern) == allowed


@given(strategies.played_boards(), strategies.dice, strategies.patterns_mostly_free())
def test_a_legal_placement_keeps_a_window_legal_and_any_other_does_not(
    board: Board, die: Die, pattern: WindowPattern
) -> None:
    """Where a die may go, no new problem arises; where it may not, one does."""
    before = set(placement_problems(board, pattern))
    allowed = legal_cells(board, die, pattern)
    for cell in board.empty_cells():
        after = set(placement_problems(board.replace(*cell, die), pattern))
        assert (after <= before) is (cell in allowed), cell_name(cell)


def reasons(board: Board, die: str, pattern: WindowPattern, cell: str) -> list[str]:
    """Return what is said about a cell, without the other cells."""
    return [problem.message for problem in why_not(board, Die.parse(die), pattern)[cell_from_name(cell)]]


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ("A4", ["A4: red 2 on a space that needs yellow."]),
        ("A5", ["A5: red 2 on a space that needs 6."]),
        ("B5", ["B5, C5: two dice of the same color (red) side by side."]),
        ("D3", ["D3, D4: two dice of the same value (2) side by side."]),
        (
            "D5",
            [
                "C5, D5: two dice of the same color (red) side by side.",
                "D4, D5: two dice of the same value (2) side by side.",
            ],
        ),
        ("C4", ["C4: purple 6 lies there already."]),
        ("A1", ["A1: touches no die, not even by a corner."]),
    ],
)
def test_every_cell_that_is_not_legal_says_why(cell: str, said: list[str]) -> None:
    """The reasons are those of the rulebook's example of placement."""
    assert reasons(rulebook.PLACEMENT_BOARD, "R2", WINDOW_PATTERNS[rulebook.WINDOW], cell) == said


def test_the_first_die_hears_about_the_edge() -> None:
    """Inside an empty window the only reason is the edge; no tool lifts it."""
    (problem,) = why_not(Board.empty(), Die.parse("R2"), FREE, list(Tool))[1, 1]
    assert (problem.code, problem.message, problem.could_excuse) == (
        "first_die_edge",
        "B2: the first die goes on the edge of the window.",
        (),
    )


def test_the_reasons_name_only_the_tool_that_frees_a_drafted_die() -> None:
    """A space apart the straightedge; print and neighbors nothing, as no tool places a die against them."""
    board = Board.parse(CORNERS)
    window = WindowPattern.parse(".P... / 6.... / ..... / .....")
    found = why_not(board, Die.parse("R2"), window)
    tools = {
        (cell_name(cell), problem.code): problem.could_excuse
        for cell in [(0, 1), (1, 0), (3, 4)]
        for problem in found[cell]
    }
    assert tools == {
        ("A2", "color_restriction"): (),
        ("A2", "same_color_neighbors"): (),
        ("B1", "value_restriction"): (),
        ("B1", "same_color_neighbors"): (),
        ("D5", "not_connected"): (Tool.CORK_BACKED_STRAIGHTEDGE,),
    }


def test_one_tool_card_a_turn() -> None:
    """A space that would need two tools at once stays closed, however many are in the game."""
    board = Board.parse(CORNERS)
    far_and_red = WindowPattern.parse("..... / ..... / ..... / ....R")
    green = Die.parse("G2")
    for tools in (["Cork-backed Straightedge"], ["Eglomise Brush"], list(Tool)):
        assert (3, 4) not in legal_cells(board, green, far_and_red, tools)


@given(strategies.boards, strategies.dice, strategies.patterns())
def test_of_all_tools_only_the_straightedge_opens_a_space_to_a_drafted_die(
    board: Board, die: Die, pattern: WindowPattern
) -> None:
    """With every tool and house rule the answer is that with the straightedge alone."""
    everything = Toolbox(Tool, house_rules=HouseRule)
    assert legal_cells(board, die, pattern, everything) == legal_cells(
        board, die, pattern, [Tool.CORK_BACKED_STRAIGHTEDGE]
    )


@given(strategies.boards, strategies.dice, strategies.patterns())
def test_a_cell_is_legal_or_has_a_reason(board: Board, die: Die, pattern: WindowPattern) -> None:
    """Each of the twenty cells is in exactly one of the two answers, and every reason names the cell."""
    found = why_not(board, die, pattern)
    legal = legal_cells(board, die, pattern)
    assert legal | found.keys() == set(ALL_CELLS)
    assert not legal & found.keys()
    for cell, problems in found.items():
        assert problems
        assert all(cell in problem.cells for problem in problems)
