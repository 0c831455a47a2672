"""The file of a taught card: whole, or refused with a reason."""

from __future__ import annotations

import json
from io import BytesIO

import numpy as np
import pytest

from calibration.cards import card_of_file, file_name_of, file_of_card
from calibration.cards.file import LARGEST_FILE
from calibration.errors import CalibrationError
from scoring import PublicObjective, Tool
from tests.taught import taught


def changed(**parts: object) -> bytes:
    """Return the file of a card in which some parts are others."""
    with np.load(BytesIO(file_of_card(taught()[0])), allow_pickle=False) as kept:
        arrays = {**kept, **{name: np.array(part) for name, part in parts.items()}}
    stream = BytesIO()
    np.savez_compressed(stream, allow_pickle=False, **arrays)
    return stream.getvalue()


def about(**changes: object) -> str:
    """Return what a file says about its card, with changes."""
    known = {"format": "sagrada-card", "schema": 1, "name": "Grozing Pliers", "kind": "tool"}
    return json.dumps({**known, **changes})


def test_a_card_comes_back_from_its_file() -> None:
    """Name, kind, picture and features are as they were."""
    card = taught()[0]
    back = card_of_file(file_of_card(card))
    assert (back.name, back.kind) == (card.name, card.kind)
    assert np.array_equal(back.picture_bgr, card.picture_bgr)
    assert np.array_equal(back.points, card.points)
    assert np.array_equal(back.descriptors, card.descriptors)


def test_every_card_has_a_file_name_of_its_own() -> None:
    """People see by the name of a file which card is in it, and no name is a path."""
    names = [file_name_of(card.value) for kind in (PublicObjective, Tool) for card in kind]
    assert len(set(names)) == 22
    assert not any("/" in name or name.startswith(".") for name in names)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"PK\x03\x04 half a file",
        b"x" * (LARGEST_FILE + 1),
        file_of_card(taught()[0])[:-500],
        changed(about="no JSON"),
        changed(about=about(format="something else")),
        changed(about=about(name="Ace of Spades")),
        changed(about=about(kind="public_objective")),
        changed(about=about(schema=0)),
        changed(picture_bgr=np.zeros((2, 2, 3), np.uint8)),
        changed(points=np.full((len(taught()[0].points), 4), np.nan, np.float32)),
        changed(points=np.ones((3, 4), np.float32)),
        changed(descriptors=np.zeros((1, 128), np.float32)),
        changed(extra=np.zeros(5_000_000, np.uint8)),
    ],
)
def test_a_damaged_file_is_refused(content: bytes) -> None:
    """Whatever is wrong in it, one error says so; nothing is unpacked without bound or run."""
    with pytest.raises(CalibrationError) as refusal:
        card_of_file(content)
    assert refusal.value.code == "card_file_damaged"


def test_a_file_with_objects_in_it_is_refused() -> None:
    """Pickled objects could run code: they are never loaded."""
    stream = BytesIO()
    np.savez_compressed(stream, about=np.array([{"schema": 1}], dtype=object))
    with pytest.raises(CalibrationError, match="cannot be unpacked"):
        card_of_file(stream.getvalue())


def test_a_newer_file_says_so() -> None:
    """Who goes back to an older version is told to update."""
    with pytest.raises(CalibrationError, match="newer version") as refusal:
        card_of_file(changed(about=about(schema=2)))
    assert refusal.value.code == "card_file_newer"
