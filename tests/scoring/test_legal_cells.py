from __future__ import annotations

from hypothesis import given

from scoring import (
    ALL_CELLS,
    WINDOW_PATTERNS,
    Board,
    Die,
    Tool,
    WindowPattern,
    cell_name,
    legal_cells,
    placement_problems,
)
from scoring.cells import is_on_edge
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
    cells = legal_cells(Board.empty(), Die.parse("R1"))
    assert cells == frozenset(cell for cell in ALL_CELLS if is_on_edge(cell))


def test_no_tool_lifts_the_edge_rule_for_the_first_die() -> None:
    """Cork-backed Straightedge does not help the very first die."""
    assert legal_cells(Board.empty(), Die.parse("R1"), FREE, list(Tool)) == legal_cells(
        Board.empty(), Die.parse("R1"), FREE
    )


def test_a_later_die_touches_an_earlier_one() -> None:
    """By side or corner; the side neighbors must differ in color and value."""
    board = Board.parse(CORNERS)
    assert names(legal_cells(board, Die.parse("G2"), FREE)) == "A2 B1 B2"
    assert names(legal_cells(board, Die.parse("R2"), FREE)) == "B2"
    assert names(legal_cells(board, Die.parse("G1"), FREE)) == "B2"


def test_the_print_binds_unless_a_tool_lifts_it() -> None:
    """Eglomise Brush lifts a color, Copper Foil Burnisher a value, neither the other's."""
    board = Board.parse(CORNERS)
    window = WindowPattern.parse(".P... / 6.... / ..... / .....")
    assert names(legal_cells(board, Die.parse("G2"), window)) == "B2"
    assert names(legal_cells(board, Die.parse("G2"), window, ["Eglomise Brush"])) == "A2 B2"
    assert names(legal_cells(board, Die.parse("G2"), window, ["Copper Foil Burnisher"])) == "B1 B2"


def test_no_tool_lets_dice_alike_lie_side_by_side() -> None:
    """With all twelve tools a red 2 still may not go beside the red 1."""
    cells = legal_cells(Board.parse(CORNERS), Die.parse("R2"), FREE, list(Tool))
    assert not cells & {(0, 1), (1, 0)}


def test_cork_backed_straightedge_adds_the_spaces_that_touch_nothing() -> None:
    """Then every empty space is open that fits the neighbors and the print."""
    board = Board.parse(CORNERS)
    cells = legal_cells(board, Die.parse("G2"), FREE, ["Cork-backed Straightedge"])
    assert cells == frozenset(ALL_CELLS) - {(0, 0)}


def test_a_cell_with_a_die_is_taken() -> None:
    """Dice are never placed on dice."""
    assert (0, 0) not in legal_cells(Board.parse(CORNERS), Die.parse("P6"), FREE, list(Tool))


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


@given(strategies.played_boards())
def test_windows_that_were_played_by_the_rules_have_no_problem(board: Board) -> None:
    """Dice placed one by one where the rules allow break no rule."""
    assert placement_problems(board) == ()
