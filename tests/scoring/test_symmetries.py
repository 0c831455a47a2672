"""What may be done to a window without changing its points, and what bounds them.

One symmetry is not here: exchanging rows and columns. A window has 4 rows and 5 columns, so laid on its side
it is no window any more.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import ALL_CELLS, Board, Cell, Color, Die, PublicObjective, Score, score_private
from tests import strategies

pytestmark = pytest.mark.thorough

LINES = [card for card in PublicObjective if card.value.startswith(("Row", "Column"))]
ROW_CARDS = [card for card in LINES if card.value.startswith("Row")]
COLUMN_CARDS = [card for card in LINES if card.value.startswith("Column")]
PAIRS = [PublicObjective.LIGHT_SHADES, PublicObjective.MEDIUM_SHADES, PublicObjective.DEEP_SHADES]
SETS = [*PAIRS, PublicObjective.SHADE_VARIETY, PublicObjective.COLOR_VARIETY]

COLORS = list(Color)


def points(board: Board, cards: list[PublicObjective]) -> list[int]:
    """Count these cards."""
    return [card.score(board).points for card in cards]


def all_scores(board: Board) -> dict[str, Score]:
    """Count all ten public cards and one private one."""
    public = {card.value: card.score(board) for card in PublicObjective}
    return {**public, "Shades of Purple": score_private(board, Color.PURPLE)}


def moved(board: Board, whence: Callable[[Cell], Cell]) -> Board:
    """Return the board that holds in each cell what ``board`` holds in the cell ``whence`` names."""
    return strategies.board_of([board[whence(cell)] for cell in ALL_CELLS])


def changed(board: Board, change: Callable[[Die], Die]) -> Board:
    """Return the board with every die changed."""
    return strategies.board_of([None if (die := board[cell]) is None else change(die) for cell in ALL_CELLS])


FLIPS: dict[str, Callable[[Cell], Cell]] = {
    "half a turn": lambda cell: (3 - cell[0], 4 - cell[1]),
    "left for right": lambda cell: (cell[0], 4 - cell[1]),
    "top for bottom": lambda cell: (3 - cell[0], cell[1]),
}


@given(board=strategies.boards)
def test_a_window_seen_from_another_side_is_worth_the_same(board: Board) -> None:
    """Half a turn and both mirrors change no points; lines, chains and private dice move along."""
    for flip in FLIPS.values():
        after = all_scores(moved(board, flip))
        for name, before in all_scores(board).items():
            assert after[name].points == before.points, name
            assert len(after[name].groups) == len(before.groups), name
            if name not in [card.value for card in SETS]:  # which dice make a set follows reading order
                flipped = {frozenset(map(flip, group)) for group in before.groups}
                assert {frozenset(group) for group in after[name].groups} == flipped


@given(strategies.boards)
def test_half_a_turn_is_the_turn_of_the_board(board: Board) -> None:
    """`Board.rotated_180` turns as the tests here do."""
    assert board.rotated_180() == moved(board, FLIPS["half a turn"])


@given(strategies.boards, st.permutations(COLORS))
def test_no_public_card_prefers_a_color(board: Board, order: list[Color]) -> None:
    """Exchanging the colors changes no public points."""
    dyed = dict(zip(COLORS, order, strict=True))
    other = changed(board, lambda die: Die(dyed[die.color], die.value))
    assert points(other, list(PublicObjective)) == points(board, list(PublicObjective))


@given(strategies.boards, st.permutations(COLORS))
def test_private_objectives_exchange_with_the_colors(board: Board, order: list[Color]) -> None:
    """When red becomes blue, blue scores what red did, with the same dice."""
    dyed = dict(zip(COLORS, order, strict=True))
    other = changed(board, lambda die: Die(dyed[die.color], die.value))
    assert [score_private(other, dyed[color]) for color in Color] == [
        score_private(board, color) for color in COLORS
    ]


@given(strategies.boards, st.permutations(range(1, 7)))
def test_cards_of_variety_and_color_prefer_no_value(board: Board, order: list[int]) -> None:
    """They ask whether values differ or do not look at them: exchanging the values changes no points."""
    cards = [card for card in PublicObjective if card not in PAIRS]
    other = changed(board, lambda die: Die(die.color, order[die.value - 1]))
    assert points(other, cards) == points(board, cards)


@given(strategies.boards, st.permutations(PAIRS), st.lists(st.booleans(), min_size=3, max_size=3))
def test_light_medium_and_deep_shades_exchange_with_their_values(
    board: Board, order: list[PublicObjective], turned: list[bool]
) -> None:
    """When 1 and 2 become 6 and 5, Deep Shades scores what Light Shades did."""
    becomes: dict[int, int] = {}
    for place, card in enumerate(order):
        low, high = 2 * PAIRS.index(card) + 1, 2 * PAIRS.index(card) + 2
        becomes[2 * place + 1], becomes[2 * place + 2] = (high, low) if turned[place] else (low, high)
    other = changed(board, lambda die: Die(die.color, becomes[die.value]))
    assert points(other, order) == points(board, PAIRS)


@given(strategies.boards, strategies.colors)
def test_the_opposite_sides_of_the_private_dice_add_up_to_seven_each(board: Board, color: Color) -> None:
    """The private card does look at values: a die and its other side give 7 together."""
    other = changed(board, lambda die: Die(die.color, 7 - die.value))
    dice = sum(die.color is color for _, die in board.dice())
    assert score_private(board, color).points + score_private(other, color).points == 7 * dice


@given(strategies.boards, st.permutations(range(4)), st.permutations(range(5)))
def test_lines_may_change_places(board: Board, rows: list[int], columns: list[int]) -> None:
    """For the cards of rows and columns it does not matter which row is above and which column left."""
    other = moved(board, lambda cell: (rows[cell[0]], columns[cell[1]]))
    assert points(other, LINES) == points(board, LINES)


@given(strategies.boards, st.tuples(*[st.permutations(range(5))] * 4))
def test_dice_may_change_places_within_a_row(board: Board, orders: tuple[list[int], ...]) -> None:
    """For the cards of rows the order within a row does not matter."""
    other = moved(board, lambda cell: (cell[0], orders[cell[0]][cell[1]]))
    assert points(other, ROW_CARDS) == points(board, ROW_CARDS)


@given(strategies.boards, st.tuples(*[st.permutations(range(4))] * 5))
def test_dice_may_change_places_within_a_column(board: Board, orders: tuple[list[int], ...]) -> None:
    """For the cards of columns the order within a column does not matter."""
    other = moved(board, lambda cell: (orders[cell[1]][cell[0]], cell[1]))
    assert points(other, COLUMN_CARDS) == points(board, COLUMN_CARDS)


@given(strategies.boards, st.permutations(ALL_CELLS), strategies.colors)
def test_sets_and_private_dice_may_lie_anywhere(board: Board, order: list[Cell], color: Color) -> None:
    """For sets and for the private card no place is better than another."""
    other = moved(board, lambda cell: order[ALL_CELLS.index(cell)])
    assert points(other, SETS) == points(board, SETS)
    assert score_private(other, color).points == score_private(board, color).points


def test_color_diagonals_look_at_the_place() -> None:
    """Exchange two rows, and of a chain of four only two dice are left: no such symmetry for this card."""
    board = Board.parse("R1 -- -- -- -- / -- R1 -- -- -- / -- -- R1 -- -- / -- -- -- R1 --")
    other = moved(board, lambda cell: ((0, 2, 1, 3)[cell[0]], cell[1]))
    assert PublicObjective.COLOR_DIAGONALS.score(board).points == 4
    assert PublicObjective.COLOR_DIAGONALS.score(other).points == 2


@given(strategies.boards, strategies.cells, strategies.dice)
def test_one_more_die_never_costs_points(board: Board, cell: Cell, die: Die) -> None:
    """On no card does a die in an empty space lower the points."""
    without, with_die = all_scores(board.replace(*cell, None)), all_scores(board.replace(*cell, die))
    for name, score in without.items():
        assert score.points <= with_die[name].points, name


LATIN = "R1 Y2 G3 B4 P5 / Y3 G4 B5 P6 R1 / G5 B6 P1 R2 Y3 / B1 P2 R3 Y4 G5"
CHECKED = " / ".join(["R5 Y6 R5 Y6 R5", "Y6 R5 Y6 R5 Y6"] * 2)
MOST = [
    ("Row Color Variety", 24, LATIN),
    ("Column Color Variety", 25, LATIN),
    ("Row Shade Variety", 20, LATIN),
    ("Column Shade Variety", 20, "R1 Y2 G3 B4 P5 / Y2 G3 B4 P5 R6 / G3 B4 P5 R6 Y1 / B4 P5 R6 Y1 G2"),
    ("Light Shades", 20, CHECKED.replace("5", "1").replace("6", "2")),
    ("Medium Shades", 20, CHECKED.replace("5", "3").replace("6", "4")),
    ("Deep Shades", 20, CHECKED),
    ("Shade Variety", 15, "R1 Y2 G3 B4 P5 / Y6 G1 B2 P3 R4 / G5 B6 P1 R2 Y3 / B4 P5 R6 Y1 G2"),
    ("Color Variety", 16, LATIN),
    ("Color Diagonals", 20, CHECKED),
]


@pytest.mark.parametrize(("name", "most", "text"), MOST, ids=[name for name, _, _ in MOST])
def test_the_most_a_card_can_give(name: str, most: int, text: str) -> None:
    """A board reaches the most that 20 dice can give on this card."""
    assert PublicObjective(name).score(Board.parse(text)).points == most


@given(strategies.boards)
def test_no_card_gives_more(board: Board) -> None:
    """No board goes beyond the most."""
    for name, most, _ in MOST:
        assert PublicObjective(name).score(board).points <= most, name


def test_the_most_the_private_objective_can_give() -> None:
    """18 dice of a color are in the game; eighteen 6s are 108 points, whether or not they may lie there."""
    board = Board.parse(" / ".join(["P6 P6 P6 P6 P6"] * 4)).replace(0, 0, None).replace(3, 4, None)
    assert score_private(board, Color.PURPLE).points == 108


@pytest.mark.parametrize(("name", "most", "text"), MOST, ids=[name for name, _, _ in MOST])
def test_the_most_can_be_reached_with_dice_that_lie_legally(name: str, most: int, text: str) -> None:
    """The boards above have no two dice of one color or one value side by side."""
    board = Board.parse(text)
    for row, column in ALL_CELLS:
        for other in ((row, column + 1), (row + 1, column)):
            if other in ALL_CELLS:
                here, there = board[row, column], board[other]
                assert here is not None
                assert there is not None
                assert here.color is not there.color
                assert here.value != there.value
