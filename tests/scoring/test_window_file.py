from __future__ import annotations

from typing import Any

import pytest

from scoring import InvalidValueError
from scoring.patterns.collection import SCHEMA, CustomWindows, windows_from_json
from scoring.patterns.custom import custom_window

CORNERS = "R...B / ..... / ..... / 1...6"
ENTRY: dict[str, Any] = {"name": "Four Corners", "cells": CORNERS}


def collection(*entries: object, **more: object) -> dict[str, Any]:
    """Return a collection as plain data."""
    return {"format": "sagrada-windows", "schema": 1, "windows": list(entries), **more}


def test_a_window_is_written_with_everything_about_it() -> None:
    """Name, difficulty, spaces in notation, other side and further names are in the JSON form."""
    window = custom_window("Four Corners", CORNERS, 3, other_side="Blank", names=[("fr", "Quatre coins")])
    (entry, _) = CustomWindows((window, custom_window("Blank", 4 * "..... / "))).to_json()["windows"]
    assert entry == {
        "name": "Four Corners",
        "difficulty": 3,
        "cells": CORNERS,
        "other_side": "Blank",
        "names": {"fr": "Quatre coins"},
    }


def test_the_text_can_be_read_by_people() -> None:
    """Letters of all scripts stand as they are, and the file ends with a line end."""
    text = str(CustomWindows((custom_window("Углы", CORNERS),)))
    assert '"name": "Углы"' in text
    assert text.endswith("}\n")


def test_name_and_spaces_are_enough() -> None:
    """A file written by hand may leave out the rest."""
    (window,) = windows_from_json(collection(ENTRY))
    assert window == custom_window("Four Corners", CORNERS)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (None, "not_a_window_file"),
        ([], "not_a_window_file"),
        ({}, "not_a_window_file"),
        ({"format": "chess"}, "not_a_window_file"),
        ({"format": "sagrada-windows"}, "unknown_schema"),
        (collection(schema=0), "unknown_schema"),
        (collection(schema=-1), "unknown_schema"),
        (collection(schema="1"), "unknown_schema"),
        (collection(schema=True), "unknown_schema"),
        (collection(schema=SCHEMA + 1), "newer_schema"),
        ({"format": "sagrada-windows", "schema": 1}, "bad_entry"),
        (collection(windows={}), "bad_entry"),
        (collection(author="me"), "unknown_key"),
        (collection("R...B"), "bad_entry"),
        (collection({"cells": CORNERS}), "bad_entry"),
        (collection({"name": "Mine"}), "bad_entry"),
        (collection({**ENTRY, "name": 7}), "bad_entry"),
        (collection({**ENTRY, "cells": ["R...B"]}), "bad_entry"),
        (collection({**ENTRY, "other_side": 7}), "bad_entry"),
        (collection({**ENTRY, "names": []}), "bad_entry"),
        (collection({**ENTRY, "names": {"fr": 7}}), "bad_entry"),
        (collection({**ENTRY, "dificulty": 3}), "unknown_key"),
        (collection({**ENTRY, "difficulty": 9}), "bad_difficulty"),
        (collection({**ENTRY, "difficulty": 4.0}), "bad_difficulty"),
        (collection({**ENTRY, "name": " "}), "blank_name"),
        (collection({**ENTRY, "other_side": ""}), "blank_name"),
        (collection({**ENTRY, "names": {"?": "Mine"}}), "bad_language"),
    ],
)
def test_data_that_are_no_windows_are_refused_by_name(data: object, code: str) -> None:
    """Every way to be wrong has a code and a next step."""
    with pytest.raises(InvalidValueError) as caught:
        windows_from_json(data)
    assert caught.value.code == code
    assert caught.value.next_step


def test_a_file_may_hold_a_name_that_the_game_has_now() -> None:
    """A stored file stays readable when a later version of the program brings a card of that name."""
    (window,) = windows_from_json(collection({**ENTRY, "name": "Firmitas"}))
    assert window.name == "Firmitas"


def test_the_same_window_twice_in_a_file_counts_once() -> None:
    """A collection has each name once."""
    assert len(CustomWindows.from_json(collection(ENTRY, ENTRY)).windows) == 1
