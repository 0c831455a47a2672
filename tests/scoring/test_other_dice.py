"""Dice that are not in the base game: rare glass, gray and orange dice."""

from __future__ import annotations

import pickle
from copy import deepcopy
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import (
    ALL_CELLS,
    GRAY,
    ORANGE,
    RARE_GLASS,
    Board,
    Color,
    Die,
    InvalidValueError,
    NotationError,
    PublicObjective,
    WindowPattern,
    best_removals,
    check_placement,
    dead_cells,
    identify_window,
    legal_cells,
    placement_problems,
    score_player,
    why_not,
)
from scoring.board import MOST_RARE_GLASS, OTHER_KINDS, colored, part_of
from tests import strategies

EMPTY = Board.empty()
THREE = ["Row Color Variety", "Color Variety", "Color Diagonals"]


@st.composite
def with_glass(draw: st.DrawFn, most: int = 2) -> Board:
    """Return a board on which some dice are of rare glass."""
    board = draw(strategies.sparse_boards(max_dice=8))
    for _ in range(draw(st.integers(1, most))):
        cell = draw(strategies.cells)
        board = board.replace(*cell, Die(RARE_GLASS, draw(strategies.values)))
    return board


def in_all_colors(board: Board) -> list[Board]:
    """Return the board with rare glass in each color, by its notation."""
    text = str(board)
    number = text.count("W")
    made = []
    for colors in product("RYGBP", repeat=number):
        one = text
        for color in colors:
            one = one.replace("W", color, 1)
        made.append(Board.parse(one))
    return made


# --- Kinds -------------------------------------------------------------------------------------------


def test_other_kinds_are_no_members() -> None:
    """Whoever goes through the colors of the base game meets five, as before."""
    assert len(list(Color)) == 5
    assert not set(OTHER_KINDS) & set(Color)
    assert [kind.word for kind in OTHER_KINDS] == ["rare glass", "gray", "orange"]
    assert [str(Die(kind, 3)) for kind in OTHER_KINDS] == ["W3", "S3", "M3"]


@pytest.mark.parametrize("kind", OTHER_KINDS)
def test_a_kind_stays_itself_wherever_it_goes(kind: Color) -> None:
    """Through another process, a copy and its letter."""
    assert pickle.loads(pickle.dumps(kind)) is deepcopy(kind) is Color(kind.value) is kind


def test_notation_has_them_only_when_asked() -> None:
    """What a slip of the finger makes of a base game's board stays an error."""
    text = " / ".join(["W3 S4 M5 -- --", *["-- -- -- -- --"] * 3])
    with pytest.raises(NotationError, match="A1"):
        Board.parse(text)
    board = Board.parse(text, other_kinds=True)
    assert [die.color for _, die in board.dice()] == [RARE_GLASS, GRAY, ORANGE]
    assert Board.parse(str(board), other_kinds=True) == board


# --- Rare glass --------------------------------------------------------------------------------------


@given(with_glass(), st.sampled_from([*Color, "Fence"]))
def test_rare_glass_earns_what_its_best_color_earns(board: Board, private: Color | str) -> None:
    """All colors were tried, by notation."""
    best = max(score_player(one, THREE, private).total for one in in_all_colors(board))
    assert score_player(board, THREE, private).total == best
    assert len(list(colored(board))) == len(in_all_colors(board))


@given(with_glass(), strategies.patterns())
def test_a_window_is_legal_when_a_color_makes_it_so(board: Board, pattern: WindowPattern) -> None:
    """And with mistakes that no color mends it has as few as the best color leaves."""
    fewest = min(len(placement_problems(one, pattern)) for one in in_all_colors(board))
    assert len(placement_problems(board, pattern)) == fewest
    assert check_placement(board, pattern).is_legal == (fewest == 0)


@given(with_glass(most=1), strategies.patterns(), strategies.values)
def test_rare_glass_may_go_where_a_color_may(board: Board, pattern: WindowPattern, value: int) -> None:
    """In a window that has some, too; elsewhere the reasons are those of the color with fewest."""
    ways = [legal_cells(one, Die(color, value), pattern) for one in in_all_colors(board) for color in Color]
    assert legal_cells(board, Die(RARE_GLASS, value), pattern) == frozenset.union(*ways)
    assert set(why_not(board, Die(RARE_GLASS, value), pattern)) == set(ALL_CELLS) - frozenset.union(*ways)
    lost = [dead_cells(one, pattern) for one in in_all_colors(board)]
    assert dead_cells(board, pattern) == frozenset.intersection(*lost)


@given(with_glass(), strategies.patterns())
def test_no_removal_with_rare_glass_is_better(board: Board, pattern: WindowPattern) -> None:
    """What is left is legal, keeps its rare glass, and gives as much as the best color's removal."""
    found = best_removals(board, pattern, ["Light Shades"], Color.RED)
    ways = [best_removals(one, pattern, ["Light Shades"], Color.RED) for one in in_all_colors(board)]
    assert found.most_points.points_after == max(way.most_points.points_after for way in ways)
    assert len(found.fewest_dice.cells) == min(len(way.fewest_dice.cells) for way in ways)
    for removal in (found.most_points, found.fewest_dice):
        assert not placement_problems(removal.board, pattern)
        assert all(die == board[cell] for cell, die in removal.board.dice())


def test_too_much_rare_glass_is_refused() -> None:
    """No game gives a player more than a few, and each makes five times the work."""
    board = EMPTY
    for column in range(MOST_RARE_GLASS + 1):
        board = board.replace(0, column, Die(RARE_GLASS, column + 1))
    with pytest.raises(InvalidValueError, match="at most 4 dice of rare glass"):
        score_player(board)


def test_rare_glass_says_nothing_of_the_card() -> None:
    """It may lie on any color, so it speaks for no card by its own."""
    board = Board.parse("-- G4 R2 Y5 P6 / R3 B1 -- G1 Y2 / P5 G6 -- P6 R4 / B4 Y3 G4 B2 G5").replace(
        1, 0, Die(RARE_GLASS, 3)
    )
    match = identify_window(board).best
    assert match is not None
    assert match.pattern.name == "Fractal Drops"


# --- Gray and orange ---------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [GRAY, ORANGE])
def test_a_kind_of_its_own_is_a_color_that_nothing_asks_for(kind: Color) -> None:
    """No printed color takes it, two of it do not lie side by side, and it makes no set."""
    die = Die(kind, 3)
    pattern = WindowPattern.parse("R3... / ..... / ..... / .....")
    assert not pattern.accepts((0, 0), die)
    assert pattern.accepts((0, 1), die)
    board = EMPTY.replace(0, 3, die)
    assert (0, 4) not in legal_cells(board, Die(kind, 5))
    assert (0, 4) in legal_cells(board, "R5")
    row = Board.parse("R1 Y2 G3 B4 -- / " + " / ".join(["-- -- -- -- --"] * 3)).replace(0, 4, Die(kind, 5))
    assert PublicObjective.ROW_COLOR_VARIETY.score(row).points == 6
    assert PublicObjective.COLOR_VARIETY.score(row).points == 0
    assert score_player(row, private="red").private_points == 1
    diagonal = board.replace(1, 1, die).replace(0, 0, die)
    points = PublicObjective.COLOR_DIAGONALS.score(diagonal).points
    assert points == PublicObjective.COLOR_DIAGONALS.points_counter(diagonal)(part_of(ALL_CELLS)) == 2
