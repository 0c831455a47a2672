from __future__ import annotations

from functools import cache

from hypothesis import given
from hypothesis import strategies as st

from scoring import ALL_CELLS, Board, Color, Die, WindowPattern, cell_name, dead_cells, legal_cells
from scoring.board import side_neighbors
from tests import strategies
from tests.scoring import oracles

FREE = " / ....."
EVERY_DIE = [color + value for color in "RYGBP" for value in "123456"]


def dead(text: str, card: str | None = None) -> str:
    """Return the names of the dead cells."""
    pattern = None if card is None else WindowPattern.parse(card)
    return " ".join(cell_name(cell) for cell in sorted(dead_cells(Board.parse(text), pattern)))


def can_be_filled(dice: dict[oracles.Spot, str], goal: oracles.Spot, pattern: list[str]) -> bool:
    """Try all dice on all spaces, one after the other, until one lies on the goal."""
    spots = [cell for cell in ALL_CELLS if cell not in dice]

    @cache
    def from_here(more: frozenset[tuple[oracles.Spot, str]]) -> bool:
        there = {**dice, **dict(more)}
        for spot in spots:
            for die in EVERY_DIE:
                if oracles.may_place(there, spot, die, pattern) and (
                    spot == goal or from_here(more | {(spot, die)})
                ):
                    return True
        return False

    return from_here(frozenset())


def test_nothing_is_dead_at_the_start() -> None:
    """An empty window on a free card has a die for every space."""
    assert dead("-- -- -- -- --" + 3 * " / -- -- -- -- --") == ""


def test_a_print_that_the_neighbors_forbid_kills_a_space() -> None:
    """A red space beside a red die, or a 4 beside a 4, can never be filled."""
    text = "-- R4 -- -- --" + 3 * " / -- -- -- -- --"
    assert dead(text, "R...." + 3 * FREE) == "A1"
    assert dead(text, "4...." + 3 * FREE) == "A1"
    assert dead(text, "B.5.." + 3 * FREE) == ""


def test_neighbors_can_leave_no_die_at_all() -> None:
    """Four neighbors of four colors leave the fifth color, which the print may forbid."""
    text = "-- R1 -- -- -- / Y2 -- B3 -- -- / -- G4 -- -- -- / -- -- -- -- --"
    assert dead(text) == ""
    assert dead(text, "..... / .P... / ..... / .....") == ""
    assert dead(text, "..... / .R... / ..... / .....") == "B2"
    assert dead(text, "..... / .3... / ..... / .....") == "B2"


def test_a_filled_space_is_not_dead() -> None:
    """Only empty spaces are looked at, also when the die on a space breaks the rules."""
    assert dead("R1 R1 -- -- --" + 3 * " / -- -- -- -- --", "GG..." + 3 * FREE) == ""


def test_a_space_behind_dead_spaces_is_dead() -> None:
    """All ways into the corner are closed, so nothing can ever touch it."""
    text = "-- -- G1 -- -- / -- -- G1 -- -- / B2 B2 -- -- -- / -- -- -- -- --"
    assert dead(text, ".G... / BG... / ..... / .....") == "A1 A2 B1 B2"


def test_a_way_that_takes_the_last_die_of_a_space_does_not_count() -> None:
    """The corner could take a red die, but the only space that leads to it takes a red one first."""
    text = "-- -- R2 -- -- / -- -- R2 -- -- / -- B4 -- -- -- / -- -- -- -- --"
    # A2 and B2 are closed; B1 is open and takes red only, beside the corner that takes red only.
    assert dead(text, "RR... / RR... / ..... / .....") == "A1 A2 B2"
    assert dead(text, "GR... / RR... / ..... / .....") == "A2 B2"


def test_the_first_die_may_lead_from_the_edge() -> None:
    """In an empty window a space inside is reached by way of the edge, if any edge space is left."""
    empty = "-- -- -- -- --" + 3 * " / -- -- -- -- --"
    assert dead(empty, "RRRRR / RBBBR / RBGBR / RRRRR") == ""


@given(st.data())
def test_a_corner_is_dead_exactly_when_no_order_of_dice_fills_it(data: st.DataObject) -> None:
    """Four empty spaces in a corner, printed at will, beside dice at will: agrees with trying it all."""
    corner = [(0, 0), (0, 1), (1, 0), (1, 1)]
    around = [(0, 2), (1, 2), (2, 0), (2, 1), (2, 2)]
    few = st.builds(Die, st.sampled_from([Color.RED, Color.BLUE]), st.sampled_from([1, 2]))
    board = Board.empty()
    for spot in around:
        board = board.replace(*spot, data.draw(st.one_of(st.none(), few)))
    for spot in ALL_CELLS:
        if spot not in corner and spot not in around:
            board = board.replace(*spot, Die(Color.GREEN, 6))
    signs = {spot: data.draw(st.sampled_from("RB12")) for spot in corner}
    # The spaces around are printed so that at most one die goes there: the oracle stays quick.
    rows = ["".join(signs.get((row, column), ".") for column in range(5)) for row in range(4)]
    closed = {cell for cell in around if board[cell] is None}
    for cell in closed:
        board = board.replace(*cell, Die(Color.YELLOW, 5))
    found = dead_cells(board, WindowPattern.parse(" / ".join(rows)))
    dice = oracles.dice_on(board)
    assert found == {spot for spot in corner if not can_be_filled(dice, spot, rows)}


@given(strategies.full_boards, st.lists(strategies.cells, min_size=1, max_size=3, unique=True), st.data())
def test_single_holes_are_dead_exactly_when_nothing_fits(
    board: Board, holes: list[tuple[int, int]], data: st.DataObject
) -> None:
    """Up to three holes in a full window, printed or not: agrees with trying every order of every die."""
    rows = [["."] * 5 for _ in range(4)]
    for row, column in holes:
        board = board.replace(row, column, None)
        rows[row][column] = data.draw(st.sampled_from(".RYGBP123456"))
    lines = ["".join(row) for row in rows]
    found = dead_cells(board, WindowPattern.parse(" / ".join(lines)))
    dice = oracles.dice_on(board)
    assert found == {spot for spot in holes if not can_be_filled(dice, spot, lines)}


@given(strategies.played_boards(), strategies.patterns(), strategies.dice)
def test_where_a_die_may_go_is_not_dead(board: Board, pattern: WindowPattern, die: Die) -> None:
    """A space that takes a die now is alive, and a dead one stays dead after the next die."""
    before = dead_cells(board, pattern)
    legal = legal_cells(board, die, pattern)
    assert not before & legal
    for cell in sorted(legal)[:1]:
        assert before <= dead_cells(board.replace(*cell, die), pattern)


@given(strategies.boards, strategies.patterns())
def test_half_a_turn_turns_the_dead_cells(board: Board, pattern: WindowPattern) -> None:
    """Dice and card turned together have their dead cells turned."""
    turned = dead_cells(board.rotated_180(), pattern.rotated_180())
    assert {(3 - row, 4 - column) for row, column in turned} == dead_cells(board, pattern)


@given(strategies.boards)
def test_without_a_card_only_full_surroundings_kill(board: Board) -> None:
    """Only a space with dice at all four sides can have no die left on a free card."""
    for cell in dead_cells(board):
        assert sum(board[beside] is not None for beside in side_neighbors(cell)) >= 4
