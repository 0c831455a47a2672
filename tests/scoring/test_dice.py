from __future__ import annotations

import pytest
from hypothesis import given

from scoring import Color, Die, InvalidValueError, NotationError
from tests import strategies


@given(strategies.dice)
def test_a_die_comes_back_from_its_own_text(die: Die) -> None:
    """What a die prints is what it is read from, also in small letters and with blanks around it."""
    assert Die.parse(str(die)) == Die.parse(f" {str(die).lower()} ") == die


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


@pytest.mark.parametrize(
    "name", ["P", "p", "purple", " Purple ", "PURPLE", "Shades of Purple", "shades_of_purple"]
)
def test_a_color_is_found_by_letter_word_or_private_objective(name: str) -> None:
    """People name a color in several ways."""
    assert Color.from_name(name) is Color.PURPLE
