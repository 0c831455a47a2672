from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import (
    EVERY_WINDOW,
    WINDOW_PATTERNS,
    InvalidValueError,
    ScoringError,
    UnknownNameError,
    WindowPattern,
)
from scoring.patterns.collection import CustomWindows
from scoring.patterns.custom import custom_window
from tests import strategies

CORNERS = "R...B / ..... / ..... / 1...6"
BLANK = " / ".join(["....."] * 4)
LADDER = "1.... / 2.... / 3.... / 4...."

corners = custom_window("Four Corners", CORNERS, 3, names=[("fr", "Quatre coins")])
blank = custom_window("Blank", BLANK)
day = custom_window("Day", CORNERS, 4, other_side="Night")
night = custom_window("Night", LADDER, 5)


def names(collection: CustomWindows) -> list[str]:
    """Return the names of the windows in order."""
    return [window.name for window in collection.windows]


@st.composite
def collections(draw: st.DrawFn) -> CustomWindows:
    """Up to three windows with any pattern, some of them the two sides of a card."""
    patterns = draw(st.lists(strategies.patterns(), max_size=3))
    windows = [
        custom_window(
            f"Window {number}",
            str(pattern),
            pattern.difficulty,
            other_side=f"window_{number + 1}" if number % 2 == 0 and number + 1 < len(patterns) else None,
            names=[("fr", f"Fenêtre {number}")] if draw(st.booleans()) else [],
        )
        for number, pattern in enumerate(patterns)
    ]
    return CustomWindows(tuple(windows))


@given(collections())
def test_a_collection_comes_back_from_its_own_text(collection: CustomWindows) -> None:
    """What is written as JSON is read again as it was."""
    assert CustomWindows.from_json(collection.to_json()) == collection
    assert CustomWindows.parse(str(collection)) == collection


@given(collections())
def test_every_custom_window_is_found_by_its_name(collection: CustomWindows) -> None:
    """Added to the cards of the game, each is found in any spelling and any language; the cards stay."""
    known = WINDOW_PATTERNS.with_windows(collection.windows)
    assert len(known) == 26 + len(collection.windows)
    for window in collection.windows:
        assert known[window.name.upper().replace(" ", "_")] == window
        assert all(known[name] == window for _, name in window.names)
        assert collection[window.name.lower()] == window
    assert {name: known[name] for name in WINDOW_PATTERNS} == dict(WINDOW_PATTERNS)


def test_windows_are_added_at_the_end() -> None:
    """The order is that in which they were added, and the collection before stays as it was."""
    before = CustomWindows().add(corners)
    after = before.add(blank)
    assert (names(before), names(after)) == (["Four Corners"], ["Four Corners", "Blank"])


def test_a_plain_pattern_becomes_custom_in_a_collection() -> None:
    """What is in the collection is marked, whoever made it."""
    (window,) = CustomWindows((WindowPattern.parse(CORNERS, " Mine "),)).windows
    assert (window.name, window.custom) == ("Mine", True)


@pytest.mark.parametrize(
    ("name", "other_names"),
    [("four corners", []), ("Quatre Coins", []), ("Corners", [("de", "FOUR-CORNERS")])],
)
def test_the_same_name_twice_is_refused(name: str, other_names: list[tuple[str, str]]) -> None:
    """A name means one window, in all languages together."""
    with pytest.raises(InvalidValueError) as caught:
        CustomWindows().add(corners, custom_window(name, BLANK, names=other_names))
    assert caught.value.code == "name_taken"


def test_a_window_may_be_called_the_same_in_two_languages() -> None:
    """A name that did not need a translation is not taken by itself."""
    window = custom_window("Aurora", CORNERS, names=[("it", "Aurora")])
    assert names(CustomWindows().add(window)) == ["Aurora"]


@pytest.mark.parametrize(
    "take",
    [
        lambda windows, one: windows.add(one),
        lambda windows, one: windows.replace("Four Corners", one),
        lambda windows, one: windows.merge(CustomWindows((one,))),
    ],
    ids=["add", "replace", "merge"],
)
@pytest.mark.parametrize("name", ["Firmitas", "Стойкость"])
def test_a_card_of_the_game_cannot_be_added(
    name: str, take: Callable[[CustomWindows, WindowPattern], CustomWindows]
) -> None:
    """The names of the cards are taken, also those in Russian, whatever way a window comes in."""
    with pytest.raises(InvalidValueError) as caught:
        take(CustomWindows().add(corners), WindowPattern.parse(CORNERS, name))
    assert caught.value.code == "name_taken"


def test_the_two_sides_of_a_card_name_each_other() -> None:
    """It is enough that one side says what is on its back."""
    collection = CustomWindows().add(day, night)
    assert collection["day"].other_side == "Night"
    assert collection["night"].other_side == "Day"
    assert CustomWindows().add(night, day)["night"].other_side == "Day"


@pytest.mark.parametrize(
    ("backs", "code"),
    [
        ({"One": "Nowhere"}, "unknown_back"),
        ({"One": "Firmitas"}, "unknown_back"),
        ({"One": "one"}, "bad_back"),
        ({"One": "Two", "Two": "Three"}, "bad_back"),
        ({"One": "Three", "Two": "Three"}, "bad_back"),
        ({"Two": "One", "One": "Three", "Three": "Two"}, "bad_back"),
    ],
)
def test_sides_that_do_not_agree_are_refused(backs: dict[str, str], code: str) -> None:
    """A card has two sides, both in the collection."""
    windows = [custom_window(name, BLANK, other_side=backs.get(name)) for name in ("One", "Two", "Three")]
    with pytest.raises(InvalidValueError) as caught:
        CustomWindows(tuple(windows))
    assert caught.value.code == code


def test_a_removed_window_leaves_its_back() -> None:
    """The other side of the card stays, without a back."""
    collection = CustomWindows().add(day, night, corners).remove("DAY")
    assert names(collection) == ["Night", "Four Corners"]
    assert collection["Night"].other_side is None


def test_a_replaced_window_keeps_place_and_back() -> None:
    """Correcting the spaces or the name of one side does not tear the card apart."""
    collection = CustomWindows().add(day, night, corners).replace("day", custom_window("Dawn", BLANK, 6))
    assert names(collection) == ["Dawn", "Night", "Four Corners"]
    assert (collection["Dawn"].other_side, collection["Night"].other_side) == ("Night", "Dawn")
    same = collection.replace("Dawn", custom_window("Dawn", LADDER, other_side="night"))
    assert (same["Dawn"].other_side, str(same["Dawn"])) == ("Night", LADDER)


def test_a_replaced_window_may_get_another_back() -> None:
    """The former back is then a window without a back."""
    collection = CustomWindows().add(day, night, corners)
    after = collection.replace("Day", custom_window("Day", BLANK, other_side="Four Corners"))
    assert [window.other_side for window in after.windows] == ["Four Corners", None, "Day"]


def test_a_window_without_a_back_can_be_replaced() -> None:
    """A window with a single side may get a back later."""
    collection = CustomWindows().add(corners, blank)
    after = collection.replace("Blank", custom_window("Blank", BLANK, other_side="Four Corners"))
    assert after["Four Corners"].other_side == "Blank"


change = pytest.mark.parametrize(
    "change",
    [lambda windows, name: windows.remove(name), lambda windows, name: windows.replace(name, blank)],
    ids=["remove", "replace"],
)


@change
def test_cards_of_the_game_stay_as_they_are(change: Callable[[CustomWindows, str], CustomWindows]) -> None:
    """Only custom windows can be removed or replaced."""
    with pytest.raises(InvalidValueError) as caught:
        change(CustomWindows().add(corners), "firmitas")
    assert caught.value.code == "not_custom"
    assert "Firmitas" in caught.value.message


@change
def test_a_misspelled_window_gets_a_suggestion(
    change: Callable[[CustomWindows, str], CustomWindows],
) -> None:
    """The nearest of the custom windows is named, in the language that was typed."""
    with pytest.raises(UnknownNameError, match=r"Did you mean Four Corners\?"):
        change(CustomWindows().add(corners), "Four Corner")
    with pytest.raises(UnknownNameError, match=r"Did you mean Quatre coins\?"):
        change(CustomWindows().add(corners), "coins")


def test_an_empty_collection_has_nothing_to_suggest() -> None:
    """Whoever has no window yet is told so."""
    with pytest.raises(UnknownNameError) as caught:
        CustomWindows().remove("Four Corners")
    assert caught.value.code == "unknown_window"
    assert caught.value.next_step == "There is none yet."


def test_a_window_named_like_a_later_card_can_still_be_removed() -> None:
    """A window that was there before the game got a card of its name belongs to the players."""
    older = CustomWindows((WindowPattern.parse(CORNERS, "Firmitas"),))
    assert older.remove("firmitas") == CustomWindows()


def test_merging_counts_the_same_window_once() -> None:
    """What both have is there once; what only the other has comes at the end."""
    merged = CustomWindows().add(corners, blank).merge(CustomWindows().add(night, blank))
    assert names(merged) == ["Four Corners", "Blank", "Night"]
    assert merged.merge(merged) == merged


def test_merging_refuses_another_window_of_the_same_name_unless_told_to_replace() -> None:
    """Nothing is lost by chance when windows come from elsewhere."""
    other = CustomWindows().add(custom_window("blank", LADDER))
    mine = CustomWindows().add(corners, blank)
    with pytest.raises(InvalidValueError) as caught:
        mine.merge(other)
    assert caught.value.code == "name_taken"
    assert caught.value.message == 'There is already another window called "Blank".'
    after = mine.merge(other, replacing=True)
    assert [str(window) for window in after.windows] == [CORNERS, LADDER]


@given(collections(), collections())
def test_merging_with_replacing_has_the_names_of_both(one: CustomWindows, other: CustomWindows) -> None:
    """Every window of the other collection is in the result as it was, unless the sides no longer agree."""
    try:
        merged = one.merge(other, replacing=True)
    except ScoringError as error:
        assert error.code == "bad_back"  # noqa: PT017
        return
    assert set(names(merged)) == set(names(one)) | set(names(other))
    for window in other.windows:
        assert merged[window.name].cells == window.cells


# --- Windows with equal names ------------------------------------------------------------------------


def geek(cells: str, back: str | None = None) -> dict[str, object]:
    """Return an entry of a file for one of several windows with the same name."""
    return {"name": "Board Game Geek", "cells": cells, "other_side": back}


def file_of(*entries: Mapping[str, object]) -> CustomWindows:
    """Return the collection in a file with these entries."""
    return CustomWindows.from_json({"format": "sagrada-windows", "schema": 1, "windows": list(entries)})


def test_windows_with_equal_names_come_in_with_numbers() -> None:
    """Promo cards share names; the second and third get a number, and the file is taken in whole."""
    made = file_of(geek(CORNERS), geek(LADDER), geek(BLANK))
    assert names(made) == ["Board Game Geek", "Board Game Geek (2)", "Board Game Geek (3)"]
    assert names(CustomWindows().merge(made)) == names(made)
    assert CustomWindows.from_json(made.to_json()) == made


def test_two_sides_of_a_card_may_have_one_name() -> None:
    """Each is the back of the other one, not of itself."""
    made = file_of(geek(CORNERS, "Board Game Geek"), geek(LADDER, "board game geek"), geek(BLANK))
    assert [window.other_side for window in made.windows] == ["Board Game Geek (2)", "Board Game Geek", None]


def test_long_names_keep_their_number() -> None:
    """The number stands within the longest name that is allowed."""
    entries = [{"name": "W" * 40, "cells": cells} for cells in (CORNERS, LADDER)]
    assert names(file_of(*entries)) == ["W" * 40, "W" * 36 + " (2)"]


def test_a_card_of_the_game_in_a_file_is_left_out() -> None:
    """Who typed a promo card in before the program knew it loses nothing and gets nothing twice."""
    known = EVERY_WINDOW
    vitraux = {"name": "Vitraux", "cells": str(known["Vitraux"]), "other_side": "Mine"}
    mine = {"name": "Mine", "cells": LADDER, "other_side": "Vitraux"}
    merged = CustomWindows().merge(file_of(vitraux, mine), cards=known)
    assert [(window.name, window.other_side) for window in merged.windows] == [("Mine", None)]
    assert names(CustomWindows().merge(file_of(vitraux, mine))) == ["Vitraux", "Mine"]
