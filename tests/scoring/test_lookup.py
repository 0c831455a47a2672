from __future__ import annotations

from collections.abc import Callable

import pytest

from scoring import WINDOW_PATTERNS, Color, HouseRule, PublicObjective, Tool, UnknownNameError, WindowPattern
from scoring.lookup import color_called, house_rule_called, objective_called, tool_called, window_called
from scoring.words import LANGUAGES, words_in


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_is_found_by_its_name_in_every_language(language: str) -> None:
    """A color or card is found by its name in each language, however its letters are written."""
    words = words_in(language)
    for color in Color:
        assert color_called(words.name(color).upper()) is color
        assert color_called(words.private_objective(color)) is color
    for objective in PublicObjective:
        assert objective_called(words.name(objective).lower()) is objective
    for tool in Tool:
        assert tool_called(words.name(tool).replace(" ", "_")) is tool
    for rule in HouseRule:
        assert house_rule_called(words.name(rule)) is rule
    for pattern in WINDOW_PATTERNS.values():
        assert window_called(f" {words.name(pattern)} ") is pattern


@pytest.mark.parametrize(
    ("find", "name", "thing"),
    [
        (color_called, "p", Color.PURPLE),
        (color_called, "Желтый", Color.YELLOW),
        (objective_called, "nuances foncees", PublicObjective.DEEP_SHADES),
        (objective_called, "列(縦線)色の多様性", PublicObjective.COLUMN_COLOR_VARIETY),
        (tool_called, "pince a gruger", Tool.GROZING_PLIERS),
        (window_called, "Wirujące krople", WINDOW_PATTERNS["Fractal Drops"]),
    ],
)
def test_accents_and_signs_need_not_be_typed(find: Callable[[str], object], name: str, thing: object) -> None:
    """Accents, brackets and capitals may be left out; colors have letters, windows Polish names too."""
    assert find(name) is thing


@pytest.mark.parametrize(
    ("find", "name", "code", "suggested"),
    [
        (color_called, "Фиалетовый", "unknown_color", "фиолетовый"),
        (objective_called, "Lite Shades", "unknown_objective", "Light Shades"),
        (tool_called, "Marto de vitrier", "unknown_tool", "Marteau de vitrier"),
        (window_called, "Плама свечи", "unknown_window", "Пламя свечи"),
    ],
)
def test_a_wrong_name_gets_the_nearest_in_its_language(
    find: Callable[[str], object], name: str, code: str, suggested: str
) -> None:
    """Who mistypes a name is asked whether the nearest was meant, in the language they typed in."""
    with pytest.raises(UnknownNameError) as caught:
        find(name)
    assert caught.value.code == code
    assert suggested in caught.value.suggestions


def test_windows_of_ones_own_are_found_too() -> None:
    """A window that somebody added is found by its own name and its names in other languages."""
    cells = WINDOW_PATTERNS["Firmitas"].cells
    own = WindowPattern("Balboa Bay", 4, cells, names=(("ru", "Бальбоа-Бэй"),))
    known = {**WINDOW_PATTERNS, own.name: own}
    assert window_called("бальбоа бэй", known) is own
    assert window_called("Attrape-soleil", known).name == "Sun Catcher"
