from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given

from scoring import (
    ALL_CELLS,
    WINDOW_PATTERNS,
    Die,
    InvalidValueError,
    UnknownNameError,
    WindowPattern,
)
from tests import strategies

DREAM = "YB..1 / G.5.4 / 3.R.G / 2..BY"


@given(strategies.patterns())
def test_a_pattern_comes_back_from_its_own_text(pattern: WindowPattern) -> None:
    """Pattern notation round-trips."""
    assert WindowPattern.parse(str(pattern), pattern.name, pattern.difficulty) == pattern


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
    flipped = pattern.mirrored()
    assert all(
        flipped.prints((row, 4 - column)) == pattern.prints((row, column)) for row, column in ALL_CELLS
    )
    assert flipped.mirrored() == pattern


def test_the_game_has_24_patterns_and_there_are_two_promos() -> None:
    """Twelve cards with two sides, and one promo card."""
    assert len(WINDOW_PATTERNS) == 26
    assert [pattern.name for pattern in WINDOW_PATTERNS.values() if pattern.promo] == [
        "Alpenglow",
        "Komorebi",
    ]


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


def test_an_unknown_window_gets_a_suggestion() -> None:
    """A misspelled window is answered with the nearest one."""
    with pytest.raises(UnknownNameError, match=r"Did you mean Firmitas\?") as caught:
        WINDOW_PATTERNS["Firmitsa"]
    assert caught.value.code == "unknown_window"
    assert "Firmitsa" not in WINDOW_PATTERNS
    assert WINDOW_PATTERNS.get("Firmitsa") is None
    assert not WINDOW_PATTERNS.__contains__(7)


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


CORNERS = "R...B / ..... / ..... / 1...6"


def test_windows_can_be_added_step_by_step() -> None:
    """Adding to patterns that have custom windows keeps those."""
    first, second = WindowPattern.parse(CORNERS, "First"), WindowPattern.parse(DREAM, "Second")
    known = WINDOW_PATTERNS.with_windows([first]).with_windows([second])
    assert list(known)[-2:] == ["First", "Second"]
    assert known == WINDOW_PATTERNS.with_windows([first, second])


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
