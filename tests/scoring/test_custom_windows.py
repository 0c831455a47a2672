from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import (
    ALL_CELLS,
    WINDOW_PATTERNS,
    Board,
    Die,
    InvalidValueError,
    WindowPattern,
    placement_problems,
)
from scoring.board import side_neighbors
from scoring.names import check_name
from scoring.patterns.custom import (
    can_be_filled,
    check_window,
    custom_window,
    equal_neighbors,
)
from tests import strategies

CORNERS = "R...B / ..... / ..... / 1...6"
BLANK = " / ".join(["....."] * 4)


def told(window: WindowPattern) -> list[str]:
    """Return the notices on a window as English text."""
    return [str(notice) for notice in check_window(window)]


def test_a_window_is_made_of_what_a_person_typed() -> None:
    """Name, spaces, difficulty, back and further names are kept, and the window is marked as custom."""
    window = custom_window(
        "  Four   Corners ", CORNERS, 3, other_side=" Blank ", names=[("ru", "Углы"), ("fr", "Coins")]
    )
    assert (window.name, str(window), window.difficulty) == ("Four Corners", CORNERS, 3)
    assert (window.other_side, window.names) == ("Blank", (("fr", "Coins"), ("ru", "Углы")))
    assert (window.custom, window.promo) == (True, False)
    assert window.all_names == ("Four Corners", "Coins", "Углы")


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("", "blank_name"),
        ("   ", "blank_name"),
        ("...!", "blank_name"),
        ("x" * 41, "name_too_long"),
        ("Four\nCorners", "name_with_control_character"),
        ("Red\x1b[31m", "name_with_control_character"),
        ("\N{ZERO WIDTH SPACE}\t\N{LEFT-TO-RIGHT MARK}", "hidden_name"),
        ("Two\N{LINE SEPARATOR}lines", "name_with_control_character"),
        ("Half \ud83d", "name_with_control_character"),
        ("auto", "reserved_name"),
        (" Unknown", "reserved_name"),
        ("Firmitas", "name_taken"),
        ("suns GLORY", "name_taken"),
        ("Цветовая капель", "name_taken"),
        ("Attrape-soleil", "name_taken"),
    ],
)
def test_a_name_that_is_not_allowed_is_refused(name: str, code: str) -> None:
    """A name has letters or figures, fits on a line, can be seen, and means no other window."""
    with pytest.raises(InvalidValueError) as caught:
        custom_window(name, CORNERS)
    assert caught.value.code == code
    assert caught.value.message.isprintable()


@pytest.mark.parametrize(
    "name", ["x" * 40, "7", "窓", "Café", "Notre-Dame 2", "می\N{ZERO WIDTH NON-JOINER}خواهم"]
)
def test_names_in_every_script_are_allowed(name: str) -> None:
    """Players may name their windows in their own language."""
    assert custom_window(name, CORNERS).name == name


def test_a_name_is_kept_in_one_spelling() -> None:
    """Wide blanks become blanks, and a letter followed by an accent becomes the letter with the accent."""
    assert check_name("Cafe\N{COMBINING ACUTE ACCENT}\N{IDEOGRAPHIC SPACE}1") == "Café 1"


def test_a_taken_name_may_be_one_of_the_players_own() -> None:
    """A second window of the same name is refused, also as a name in another language."""
    known = WINDOW_PATTERNS.with_windows([custom_window("Four Corners", CORNERS)])
    with pytest.raises(InvalidValueError) as caught:
        custom_window("Corners", BLANK, names=[("en", "four-corners")], known=known)
    assert caught.value.code == "name_taken"
    assert "one of your own windows (Four Corners)" in caught.value.message


@pytest.mark.parametrize(
    ("names", "code"),
    [
        ([("french", "Coins")], "bad_language"),
        ([("", "Coins")], "bad_language"),
        ([("fr", "Coins"), ("fr", "Angles")], "bad_language"),
        ([("fr", " ")], "blank_name"),
        ([("ru", "Стойкость")], "name_taken"),
    ],
)
def test_names_in_other_languages_follow_the_same_rules(names: list[tuple[str, str]], code: str) -> None:
    """Each language has a code and one name, which is allowed and free."""
    with pytest.raises(InvalidValueError) as caught:
        custom_window("Four Corners", CORNERS, names=names)
    assert caught.value.code == code


def test_a_language_may_have_a_region() -> None:
    """Brazilian cards are not Portuguese ones."""
    window = custom_window("Four Corners", CORNERS, names=[("pt-BR", "Cantos")])
    assert window.name_in("pt-BR") == "Cantos"


@pytest.mark.parametrize(
    ("notation", "said"),
    [
        (
            "RR... / ..... / ..... / .....",
            "A1, A2 lie side by side and both need red: without Eglomise Brush only one can hold a die.",
        ),
        (
            "..... / ....5 / ....5 / .....",
            (
                "B5, C5 lie side by side and both need a 5: "
                "without Copper Foil Burnisher only one can hold a die."
            ),
        ),
    ],
)
def test_spaces_alike_side_by_side_are_told_with_the_tool_that_helps(notation: str, said: str) -> None:
    """Both cannot be filled; only Eglomise Brush ignores a printed color, Copper Foil Burnisher a value."""
    assert told(WindowPattern.parse(notation, "Mine", 3)) == [said]


@pytest.mark.parametrize("name", list(WINDOW_PATTERNS))
def test_the_cards_of_the_game_give_no_reason_for_a_notice(name: str) -> None:
    """Whoever looks at a printed card is told nothing odd about it."""
    assert told(WINDOW_PATTERNS[name]) == []


def test_a_window_that_there_is_already_is_told() -> None:
    """A pattern equal to a known one says which, also when it is upside down."""
    firmitas = str(WINDOW_PATTERNS["Firmitas"])
    turned = str(WINDOW_PATTERNS["Firmitas"].rotated_180())
    assert told(custom_window("Mine", firmitas, 5)) == ["It has the same spaces as Firmitas."]
    assert told(custom_window("Mine", turned, 5)) == [
        "Turned upside down, it has the same spaces as Firmitas."
    ]


def test_other_custom_windows_are_compared_too() -> None:
    """The same window under two names is told; a symmetrical one is told once, a window not of itself."""
    first, second = custom_window("First", BLANK, 3), custom_window("Second", BLANK, 3)
    known = WINDOW_PATTERNS.with_windows([first, second])
    assert [str(notice) for notice in check_window(first, known)] == [
        "It has the same spaces as Second.",
        "Nothing is printed on it: every space takes any die.",
    ]


def test_an_unknown_difficulty_is_told() -> None:
    """Without the dots nobody knows how many favor tokens the player gets."""
    assert told(custom_window("Mine", CORNERS)) == [
        "Its difficulty is not known. The dots on the card are the favor tokens to start with."
    ]


@given(strategies.patterns())
def test_equal_neighbors_are_found_in_rows_and_columns(pattern: WindowPattern) -> None:
    """Looking along rows and columns finds the same pairs."""
    lines = [[(row, column) for column in range(5)] for row in range(4)]
    lines += [[(row, column) for row in range(4)] for column in range(5)]
    pairs = {
        pair for line in lines for pair in pairwise(line) if pattern[pair[0]] == pattern[pair[1]] is not None
    }
    assert set(equal_neighbors(pattern)) == pairs


@given(strategies.patterns(), st.permutations(ALL_CELLS))
def test_a_window_without_equal_neighbors_can_be_filled(
    pattern: WindowPattern, order: list[tuple[int, int]]
) -> None:
    """Filled space after space in any order, the printed ones first, it ends full and without a problem.

    A pattern with equal neighbors loses one of the two first.
    """
    for _, neighbor in equal_neighbors(pattern):
        pattern = without(pattern, neighbor)
    assert can_be_filled(pattern)
    colors = {cell: space.value for cell in ALL_CELLS if not isinstance(space := pattern[cell], int | None)}
    values = {cell: str(space) for cell in ALL_CELLS if isinstance(space := pattern[cell], int)}
    for cell in order:
        neighbors = side_neighbors(cell)
        colors.setdefault(cell, next(c for c in "RYGBP" if c not in {colors.get(n) for n in neighbors}))
        values.setdefault(cell, next(v for v in "123456" if v not in {values.get(n) for n in neighbors}))
    board = Board.empty()
    for cell in ALL_CELLS:
        board = board.replace(*cell, Die.parse(colors[cell] + values[cell]))
    assert placement_problems(board, pattern) == ()


def without(pattern: WindowPattern, cell: tuple[int, int]) -> WindowPattern:
    """Return the pattern with nothing printed on ``cell``."""
    flat = ["." if one == cell else str(pattern)[one[0] * 8 + one[1]] for one in ALL_CELLS]
    return WindowPattern.parse(" / ".join("".join(flat[row * 5 : row * 5 + 5]) for row in range(4)))


@given(strategies.patterns(), strategies.full_boards)
def test_a_window_with_equal_neighbors_is_never_full_and_legal(pattern: WindowPattern, board: Board) -> None:
    """However 20 dice lie, one of the two spaces or the rule on neighbors is broken."""
    for cell, neighbor in equal_neighbors(pattern):
        codes = {
            problem.code
            for problem in placement_problems(board, pattern)
            if {cell, neighbor} & set(problem.cells)
        }
        assert codes
    assert can_be_filled(pattern) == (not equal_neighbors(pattern))
