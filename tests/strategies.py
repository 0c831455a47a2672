"""Made-up dice, boards and patterns for Hypothesis, in one place for all tests."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from scoring import (
    ALL_CELLS,
    COLUMNS,
    ROWS,
    WINDOW_PATTERNS,
    Board,
    Color,
    Die,
    Restriction,
    WindowPattern,
)
from scoring.board import VALUES
from tests.scoring.oracles import SPOTS, may_place, rows_of

colors = st.sampled_from(list(Color))
values = st.integers(min_value=1, max_value=6)
_ALL_DICE = [Die(color, value) for color in Color for value in VALUES]
_EMPTY_AS_OFTEN_AS_NOT: list[Die | None] = [None] * len(_ALL_DICE)
dice = st.sampled_from(_ALL_DICE)
cells = st.sampled_from(ALL_CELLS)


def board_of(flat: list[Die | None]) -> Board:
    """Return the board with these 20 cells in reading order."""
    return Board(tuple(tuple(flat[COLUMNS * row : COLUMNS * (row + 1)]) for row in range(ROWS)))


def _twenty_cells(content: st.SearchStrategy[Die | None]) -> st.SearchStrategy[Board]:
    return st.lists(content, min_size=20, max_size=20).map(board_of)


full_boards = _twenty_cells(dice)
mixed_boards = _twenty_cells(st.sampled_from([*_EMPTY_AS_OFTEN_AS_NOT, *_ALL_DICE]))
# Few colors and values, so that rows without a repeat are rare and long diagonal chains are common.
narrow_boards = _twenty_cells(
    st.sampled_from([None, Die.parse("R3"), Die.parse("R4"), Die.parse("B3"), Die.parse("B4")])
)


@st.composite
def _varied_boards(draw: st.DrawFn) -> Board:
    """Full boards whose rows and columns seldom repeat a color or a value: shifted Latin squares."""
    color_order = draw(st.permutations(list(Color)))
    value_order = draw(st.permutations(range(1, 7)))
    color_step, value_step = draw(st.tuples(st.integers(1, 3), st.integers(1, 4)))
    flat: list[Die | None] = [
        Die(color_order[(column + color_step * row) % 5], value_order[(column + value_step * row) % 6])
        for row, column in ALL_CELLS
    ]
    for spoiled in draw(st.lists(st.integers(0, 19), max_size=2)):
        flat[spoiled] = draw(st.one_of(st.none(), dice))
    return board_of(flat)


@st.composite
def sparse_boards(draw: st.DrawFn, max_dice: int = 5) -> Board:
    """Boards with at most ``max_dice`` dice."""
    board = Board.empty()
    for row, column in draw(st.lists(cells, max_size=max_dice, unique=True)):
        board = board.replace(row, column, draw(dice))
    return board


def board_with(placed: dict[tuple[int, int], str]) -> Board:
    """Return the board with these dice, written as text, by (row, column)."""
    return board_of([Die.parse(placed[cell]) if cell in placed else None for cell in ALL_CELLS])


def play(pattern: WindowPattern, random: Random, max_dice: int = 20) -> Board:
    """Place random dice by the rules on ``pattern`` until none fits, or there are ``max_dice``."""
    rows, all_dice = rows_of(pattern), [f"{color.value}{value}" for color in Color for value in VALUES]
    placed: dict[tuple[int, int], str] = {}
    while len(placed) < max_dice:
        random.shuffle(all_dice)
        spots = random.sample(SPOTS, len(SPOTS))
        fitting = ((spot, die) for spot in spots for die in all_dice if may_place(placed, spot, die, rows))
        spot, die = next(fitting, (None, ""))
        if spot is None:
            break
        placed[spot] = die
    return board_with(placed)


@st.composite
def legal_windows(draw: st.DrawFn) -> tuple[Board, WindowPattern]:
    """Boards that were played by the rules, with the real card that they were played on; mostly full ones."""
    pattern = WINDOW_PATTERNS[draw(st.sampled_from(sorted(WINDOW_PATTERNS)))]
    max_dice = draw(st.one_of(st.just(20), st.integers(0, 20)))
    return play(pattern, draw(st.randoms(use_true_random=False)), max_dice), pattern


legal_boards = legal_windows().map(lambda window: window[0])

boards = st.one_of(
    full_boards,
    mixed_boards,
    narrow_boards,
    _varied_boards(),
    sparse_boards(),
    legal_boards,
    st.just(Board.empty()),
)
"""Full, varied, half-full, sparse, legal and empty boards."""

_restrictions: st.SearchStrategy[Restriction] = st.one_of(st.none(), colors, values)


@st.composite
def patterns(draw: st.DrawFn) -> WindowPattern:
    """Any 4 x 5 pattern, as nobody has printed it."""
    flat = draw(st.lists(_restrictions, min_size=20, max_size=20))
    rows = tuple(tuple(flat[COLUMNS * row : COLUMNS * (row + 1)]) for row in range(ROWS))
    return WindowPattern("Made up", draw(st.sampled_from([None, 3, 4, 5, 6])), rows)


@st.composite
def patterns_mostly_free(draw: st.DrawFn) -> WindowPattern:
    """Patterns with at most three restrictions, so that dice often fit."""
    signs = ["."] * 20
    for spot in draw(st.lists(st.integers(0, 19), max_size=3)):
        signs[spot] = draw(st.sampled_from("RYGBP123456"))
    return WindowPattern.parse(
        " / ".join("".join(signs[COLUMNS * row : COLUMNS * (row + 1)]) for row in range(ROWS))
    )


@st.composite
def played_boards(draw: st.DrawFn, max_dice: int = 20) -> Board:
    """Boards that were played by the rules on a card that forbids nothing, die after die."""
    placed: dict[tuple[int, int], str] = {}
    for spot in draw(st.permutations(ALL_CELLS)):
        if len(placed) == max_dice:
            break
        die = str(draw(dice))
        if may_place(placed, spot, die, ["....."] * ROWS):
            placed[spot] = die
    return board_with(placed)


@st.composite
def small_legal_or_not(draw: st.DrawFn) -> Board:
    """Boards of up to six dice: played by the rules, perhaps with one die changed, or at random."""
    board = draw(st.one_of(played_boards(max_dice=5), sparse_boards(max_dice=5)))
    if draw(st.booleans()):
        board = board.replace(*draw(cells), draw(st.one_of(st.none(), dice)))
    return board
