from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given

from scoring import ALL_CELLS, Board, Die, InvalidValueError, NotationError, cell_name
from tests import strategies

TEXT = "Y5 -- R4 Y5 B1 / P2 B4 Y6 G2 R3 / R6 G3 R4 B5 P2 / G1 Y4 P2 R3 Y5"


@given(strategies.boards)
def test_a_board_comes_back_from_its_own_text(board: Board) -> None:
    """Board notation round-trips."""
    assert Board.parse(str(board)) == board


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("", "wrong_number_of_rows", "this one has 0"),
        ("Y5 -- R4 Y5 B1", "wrong_number_of_rows", "this one has 1"),
        (TEXT + " / " + TEXT, "wrong_number_of_rows", "this one has 8"),
        (TEXT.replace("P2 B4", "B4"), "wrong_number_of_columns", "Row B has 4 cells"),
        (TEXT + " R1", "wrong_number_of_columns", "Row D has 6 cells"),
        (TEXT.replace("G3", "G7"), "bad_cell", 'Cell C2 says "G7"'),
        (TEXT.replace("--", "??"), "bad_cell", 'Cell A2 says "??"'),
    ],
)
def test_a_wrong_text_is_answered_with_the_place(text: str, code: str, said: str) -> None:
    """The error names the row or the cell that is wrong."""
    with pytest.raises(NotationError) as caught:
        Board.parse(text)
    assert caught.value.code == code
    assert said in caught.value.message


@pytest.mark.parametrize(
    "rows",
    [
        (),
        ((None,) * 5,) * 3,
        ((None,) * 4,) * 4,
        (("R3", None, None, None, None),) * 4,
        ((0, None, None, None, None),) * 4,
    ],
)
def test_only_four_rows_of_five_dice_are_a_board(rows: object) -> None:
    """A board of another size, or of other things than dice, does not come into being."""
    with pytest.raises(InvalidValueError) as caught:
        Board(rows)  # type: ignore[arg-type]
    assert caught.value.code == "bad_board"


@pytest.mark.parametrize("cell", [(-1, 0), (4, 0), (0, 5), (0, -1)])
def test_there_are_no_cells_outside(cell: tuple[int, int]) -> None:
    """Negative numbers do not count from the end, and a cell outside has no name either."""
    board = Board.empty()
    for ask in (lambda: board[cell], lambda: board.replace(*cell, None), lambda: cell_name(cell)):
        with pytest.raises(InvalidValueError) as caught:
            ask()
        assert caught.value.code == "no_such_cell"


def test_a_board_does_not_change() -> None:
    """Putting a die down gives another board and leaves the first alone."""
    board = Board.parse(TEXT)
    other = board.replace(0, 1, Die.parse("P6"))
    assert str(board) == TEXT
    assert str(other) == TEXT.replace("--", "P6")
    with pytest.raises(dataclasses.FrozenInstanceError):
        board.rows = other.rows  # type: ignore[misc]


@given(strategies.boards, strategies.cells, strategies.dice)
def test_replacing_a_cell_leaves_the_others(board: Board, cell: tuple[int, int], die: Die) -> None:
    """One cell changes, nineteen stay."""
    changed = board.replace(*cell, die)
    assert changed[cell] == die
    assert changed.replace(*cell, board[cell]) == board


@given(strategies.boards)
def test_half_a_turn_brings_a1_to_d5(board: Board) -> None:
    """After half a turn the last cell is the first, and so on with all others."""
    turned = board.rotated_180()
    assert [turned[cell] for cell in ALL_CELLS] == [board[cell] for cell in reversed(ALL_CELLS)]


@given(strategies.boards)
def test_dice_and_empty_cells_make_up_the_board(board: Board) -> None:
    """Each of the 20 cells is either listed with its die or as empty, in reading order."""
    with_die = [cell for cell, _ in board.dice()]
    assert sorted([*with_die, *board.empty_cells()]) == [
        (row, column) for row in range(4) for column in range(5)
    ]
    assert with_die == sorted(with_die)
    assert all(board[cell] == die for cell, die in board.dice())
