from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import (
    ALL_CELLS,
    WINDOW_PATTERNS,
    Color,
    Die,
    InvalidValueError,
    NotationError,
    UnknownNameError,
    WindowPattern,
)
from tests import strategies

DREAM = "YB..1 / G.5.4 / 3.R.G / 2..BY"


@given(strategies.patterns())
def test_a_pattern_comes_back_from_its_own_text(pattern: WindowPattern) -> None:
    """Pattern notation round-trips."""
    assert WindowPattern.parse(str(pattern), pattern.name, pattern.difficulty) == pattern


@pytest.mark.parametrize(
    "text",
    [
        DREAM.replace(" / ", "\n"),
        DREAM.replace(" / ", "/"),
        DREAM.lower(),
        "Y B . . 1 / G.5.4 / 3.R.G / 2..BY",
    ],
)
def test_pattern_rows_end_with_a_slash_or_a_line(text: str) -> None:
    """Slashes, line ends, blanks and small letters mean the same pattern."""
    assert str(WindowPattern.parse(text)) == DREAM


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("", "wrong_number_of_rows", "this one has 0"),
        (DREAM + " / .....", "wrong_number_of_rows", "this one has 5"),
        (DREAM.replace("G.5.4", "G.54"), "wrong_number_of_columns", "Row B has 4 cells"),
        (DREAM.replace("3.R.G", "3.?.G"), "bad_cell", 'Space C3 says "?"'),
        (DREAM.replace("2..BY", "0..BY"), "bad_cell", 'Space D1 says "0"'),
    ],
)
def test_a_wrong_pattern_is_answered_with_the_place(text: str, code: str, said: str) -> None:
    """The error names the row or the space that is wrong."""
    with pytest.raises(NotationError) as caught:
        WindowPattern.parse(text)
    assert caught.value.code == code
    assert said in caught.value.message


@pytest.mark.parametrize("difficulty", [0, 2, 7, "4", 4.0, True])
def test_a_window_has_three_to_six_dots(difficulty: object) -> None:
    """No card is easier than 3 or harder than 6."""
    with pytest.raises(InvalidValueError) as caught:
        WindowPattern.parse(DREAM, "Mine", difficulty)  # type: ignore[arg-type]
    assert caught.value.code == "bad_difficulty"


@pytest.mark.parametrize(
    "cells",
    [
        (),
        ((None,) * 5,) * 3,
        ((None,) * 6,) * 4,
        ((0, None, None, None, None),) * 4,
        ((7, None, None, None, None),) * 4,
        ((True, None, None, None, None),) * 4,
        (("R", None, None, None, None),) * 4,
    ],
)
def test_only_four_rows_of_five_restrictions_are_a_pattern(cells: object) -> None:
    """A pattern of another size, or of things that no die can have, does not come into being."""
    with pytest.raises(InvalidValueError) as caught:
        WindowPattern("Mine", 3, cells)  # type: ignore[arg-type]
    assert caught.value.code == "bad_pattern"


def test_a_space_takes_what_is_printed_on_it() -> None:
    """A color space takes its color with any value, a value space its value in any color, a free one all."""
    pattern = WindowPattern.parse("R3... / ..... / ..... / .....")
    assert pattern.accepts((0, 0), Die.parse("R5"))
    assert not pattern.accepts((0, 0), Die.parse("B5"))
    assert pattern.accepts((0, 1), Die.parse("B3"))
    assert not pattern.accepts((0, 1), Die.parse("R4"))
    assert pattern.accepts((0, 2), Die.parse("P1"))


@given(strategies.patterns())
def test_half_a_turn_brings_the_first_space_to_the_last(pattern: WindowPattern) -> None:
    """A turned pattern has the same spaces from the other end, and keeps its name."""
    turned = pattern.rotated_180()
    assert [turned[cell] for cell in ALL_CELLS] == [pattern[cell] for cell in reversed(ALL_CELLS)]
    assert (turned.name, turned.difficulty) == (pattern.name, pattern.difficulty)
    assert turned.rotated_180() == pattern


def test_the_game_has_24_patterns_and_there_are_two_promos() -> None:
    """Twelve cards with two sides, and one promo card."""
    assert len(WINDOW_PATTERNS) == 26
    assert [pattern.name for pattern in WINDOW_PATTERNS.values() if pattern.promo] == [
        "Alpenglow",
        "Komorebi",
    ]


def test_every_name_leads_to_its_own_pattern() -> None:
    """The key of a pattern is its name."""
    assert all(name == pattern.name for name, pattern in WINDOW_PATTERNS.items())


def test_no_two_windows_are_the_same() -> None:
    """Each pattern is printed once, also when cards are turned upside down."""
    upright = [str(pattern) for pattern in WINDOW_PATTERNS.values()]
    turned = [str(pattern.rotated_180()) for pattern in WINDOW_PATTERNS.values()]
    assert len({*upright, *turned}) == 2 * len(WINDOW_PATTERNS)


def test_the_two_sides_of_a_card_name_each_other() -> None:
    """The back of the back is the front."""
    for name, pattern in WINDOW_PATTERNS.items():
        assert pattern.other_side is not None
        assert WINDOW_PATTERNS[pattern.other_side].other_side == name


def test_the_difficulties_of_the_base_game() -> None:
    """Four windows of 3, four of 4, twelve of 5 and four of 6 tokens are in the box."""
    in_the_box = [pattern.difficulty for pattern in WINDOW_PATTERNS.values() if not pattern.promo]
    assert Counter(in_the_box) == {3: 4, 4: 4, 5: 12, 6: 4}


def test_no_card_asks_for_the_same_color_or_value_side_by_side() -> None:
    """A card that did could never be filled."""
    for pattern in WINDOW_PATTERNS.values():
        for row, column in ALL_CELLS:
            space = pattern[row, column]
            if space is not None:
                assert column == 4 or pattern[row, column + 1] != space, pattern.name
                assert row == 3 or pattern[row + 1, column] != space, pattern.name


@pytest.mark.parametrize(
    ("name", "difficulty", "text"),
    [
        ("Kaleidoscopic Dream", 4, DREAM),
        ("Firmitas", 5, "P6..3 / 5P3.. / .2P1. / .15P4"),
        ("Fractal Drops", 3, ".4.Y6 / R.2.. / ..RP1 / BY..."),
        ("Lux Mundi", 6, "..1.. / 1G3B2 / B546G / .B5G."),
        ("Industria", 5, "1R3.6 / 54R2. / ..5R1 / ...3R"),
        ("Komorebi", 6, "12343 / 21654 / 32165 / 43456"),
    ],
)
def test_known_windows_look_like_their_cards(name: str, difficulty: int, text: str) -> None:
    """A few cards written down by hand equal those of the data file."""
    assert str(WINDOW_PATTERNS[name]) == text
    assert WINDOW_PATTERNS[name].difficulty == difficulty


@pytest.mark.parametrize(
    "name", ["fractal drops", "FRACTAL DROPS", "fractal_drops", "Цветовая капель", " Fractal  Drops"]
)
def test_a_window_is_found_however_its_name_is_typed(name: str) -> None:
    """Case, underscores, blanks and the language do not matter."""
    assert WINDOW_PATTERNS[name].name == "Fractal Drops"
    assert name in WINDOW_PATTERNS


def test_apostrophes_may_be_left_out() -> None:
    """Nobody types the apostrophe of Sun's Glory."""
    assert WINDOW_PATTERNS["suns glory"] is WINDOW_PATTERNS["Sun\N{RIGHT SINGLE QUOTATION MARK}s Glory"]


def test_an_unknown_window_gets_a_suggestion() -> None:
    """A misspelled window is answered with the nearest one."""
    with pytest.raises(UnknownNameError, match=r"Did you mean Firmitas\?") as caught:
        WINDOW_PATTERNS["Firmitsa"]
    assert caught.value.code == "unknown_window"
    assert "Firmitsa" not in WINDOW_PATTERNS
    assert WINDOW_PATTERNS.get("Firmitsa") is None


@pytest.mark.parametrize(
    ("name", "suggestions"),
    [
        ("dream", ("Kaleidoscopic Dream",)),
        ("LUX", ("Lux Mundi", "Lux Astram", "Via Lux")),
        ("симфония", ("Симфония света",)),
    ],
)
def test_a_part_of_a_name_is_enough_for_a_suggestion(name: str, suggestions: tuple[str, ...]) -> None:
    """A whole word of the name leads to the windows that have it, also in other languages."""
    with pytest.raises(UnknownNameError) as caught:
        WINDOW_PATTERNS[name]
    assert caught.value.suggestions == suggestions


def test_a_name_like_no_window_gets_the_english_names() -> None:
    """The list to choose from is that of the cards, not of all languages."""
    with pytest.raises(UnknownNameError) as caught:
        WINDOW_PATTERNS["zzz"]
    assert caught.value.next_step == f"The names are: {', '.join(WINDOW_PATTERNS)}."


def test_a_window_has_a_russian_name_where_a_source_has_one() -> None:
    """Languages without a name fall back to the English card."""
    firmitas = WINDOW_PATTERNS["Firmitas"]
    assert firmitas.name_in("ru") == "Стойкость"
    assert firmitas.name_in("fr") == "Firmitas"


def test_colors_of_a_pattern_are_colors() -> None:
    """Letters become colors, digits values, dots nothing."""
    dream = WINDOW_PATTERNS["Kaleidoscopic Dream"]
    assert dream.cells[0] == (Color.YELLOW, Color.BLUE, None, None, 1)


CORNERS = "R...B / ..... / ..... / 1...6"


@given(st.lists(strategies.patterns(), max_size=3))
def test_added_windows_come_after_the_cards(patterns: list[WindowPattern]) -> None:
    """Windows that players add are found by name, marked as custom, and leave the cards as they are."""
    windows = [replace(pattern, name=f"Mine {number}") for number, pattern in enumerate(patterns)]
    cards = [*WINDOW_PATTERNS]
    known = WINDOW_PATTERNS.with_windows(windows)
    assert list(known) == [*cards, *(window.name for window in windows)]
    assert [known[window.name.upper()] for window in windows] == [
        replace(window, custom=True) for window in windows
    ]
    assert [*WINDOW_PATTERNS] == cards
    assert not any(window.custom for window in WINDOW_PATTERNS.values())


def test_windows_can_be_added_step_by_step() -> None:
    """Adding to patterns that have custom windows keeps those."""
    first, second = WindowPattern.parse(CORNERS, "First"), WindowPattern.parse(DREAM, "Second")
    known = WINDOW_PATTERNS.with_windows([first]).with_windows([second])
    assert list(known)[-2:] == ["First", "Second"]
    assert known == WINDOW_PATTERNS.with_windows([first, second])


def test_an_added_window_is_found_and_suggested_in_its_languages() -> None:
    """Custom windows are looked up like cards: any case, other languages, the nearest name."""
    mine = replace(WindowPattern.parse(CORNERS, "Four Corners"), names=(("fr", "Quatre coins"),))
    known = WINDOW_PATTERNS.with_windows([mine])
    assert known["QUATRE-COINS"].name == "Four Corners"
    with pytest.raises(UnknownNameError, match=r"Did you mean Four Corners\?"):
        known["Four Conrers"]


def test_the_same_window_cannot_be_added_twice() -> None:
    """Of two windows with one name neither is lost silently, also when they are added together."""
    mine = WindowPattern.parse(CORNERS, "Mine")
    for windows in ([mine, mine], [mine, WindowPattern.parse(DREAM, "mine")]):
        with pytest.raises(InvalidValueError) as caught:
            WINDOW_PATTERNS.with_windows(windows)
        assert caught.value.code == "name_taken"


def test_only_a_text_can_be_a_name() -> None:
    """Asking for something else is answered and does not crash."""
    assert not WINDOW_PATTERNS.__contains__(7)
    assert "firmitas" in WINDOW_PATTERNS


@pytest.mark.parametrize(
    ("name", "french", "whose"),
    [
        ("Firmitas", None, "a card of the game"),
        ("firmitas", None, "a card of the game (Firmitas)"),
        ("Стойкость", None, "a card of the game (Firmitas)"),
        ("Strength", "Firmitas", "a card of the game"),
        ("mine", None, "one of your own windows (Mine)"),
    ],
)
def test_a_name_means_one_window(name: str, french: str | None, whose: str) -> None:
    """A window whose name is taken, in any language, is not added; the error says whose name it is."""
    known = WINDOW_PATTERNS.with_windows([WindowPattern.parse(CORNERS, "Mine")])
    names = (("fr", french),) if french else ()
    with pytest.raises(InvalidValueError) as caught:
        known.with_windows([replace(WindowPattern.parse(DREAM, name), names=names)])
    assert caught.value.code == "name_taken"
    assert f"already the name of {whose}." in caught.value.message
