from __future__ import annotations

import pytest
from hypothesis import given

from scoring import Color, Die, InvalidValueError, NotationError, UnknownNameError
from scoring.sentences import ENGLISH
from tests import strategies


def test_there_are_five_colors_in_the_order_of_their_letters() -> None:
    """The letters are R Y G B P, in this order everywhere."""
    assert [color.value for color in Color] == ["R", "Y", "G", "B", "P"]
    assert [color.name for color in Color] == ["RED", "YELLOW", "GREEN", "BLUE", "PURPLE"]


@given(strategies.dice)
def test_a_die_comes_back_from_its_own_text(die: Die) -> None:
    """What a die prints is what it is read from."""
    assert Die.parse(str(die)) == die


def test_a_die_is_read_out_as_color_and_value() -> None:
    """In a sentence a die is its color and its value."""
    assert ENGLISH.name(Die.parse("P6")) == "purple 6"


def test_a_die_may_be_written_in_small_letters() -> None:
    """People type without the shift key."""
    assert Die.parse(" y5 ") == Die(Color.YELLOW, 5)


@pytest.mark.parametrize("text", ["", "R", "R0", "R7", "X3", "3R", "R33", "--", "R²", "ß1"])
def test_what_is_no_die_is_named(text: str) -> None:
    """A wrong die is quoted, with the way to write one."""
    with pytest.raises(NotationError) as caught:
        Die.parse(text)
    assert caught.value.code == "bad_die"
    assert f'"{text}"' in caught.value.message
    assert "Y5" in caught.value.next_step


@pytest.mark.parametrize("value", [0, 7, -1, True, 2.0, "3", None])
def test_a_die_shows_a_whole_number_from_1_to_6(value: object) -> None:
    """No die shows anything else than 1 to 6."""
    with pytest.raises(InvalidValueError) as caught:
        Die(Color.RED, value)  # type: ignore[arg-type]
    assert caught.value.code == "bad_value"


def test_a_die_has_a_color_and_not_a_letter() -> None:
    """A letter in place of a color is caught where it happens."""
    with pytest.raises(InvalidValueError) as caught:
        Die("R", 3)  # type: ignore[arg-type]
    assert caught.value.code == "bad_color"


@pytest.mark.parametrize(
    "name", ["P", "p", "purple", " Purple ", "PURPLE", "Shades of Purple", "shades_of_purple"]
)
def test_a_color_is_found_by_letter_word_or_private_objective(name: str) -> None:
    """People name a color in several ways."""
    assert Color.from_name(name) is Color.PURPLE


def test_a_color_that_is_not_in_the_game_gets_a_suggestion() -> None:
    """A misspelled color is answered with the nearest one."""
    with pytest.raises(UnknownNameError, match=r"Did you mean purple\?") as caught:
        Color.from_name("purpel")
    assert caught.value.code == "unknown_color"
    assert caught.value.suggestions == ("purple",)


def test_a_name_like_nothing_gets_the_whole_list() -> None:
    """When nothing is near, all names are listed."""
    with pytest.raises(UnknownNameError) as caught:
        Color.from_name("???")
    assert caught.value.suggestions == ()
    assert caught.value.next_step == "The names are: red, yellow, green, blue, purple."
