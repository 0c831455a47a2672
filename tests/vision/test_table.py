"""Loose dice and cards of a table come back from their JSON, and nothing else does."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import Color, Die, PublicObjective
from tests import strategies as ours
from tests.readings import SQUARE, reading_of
from vision import Alternative, CardReading, LooseDie, Reading, VisionError

shares = st.floats(0, 1)
lengths = st.floats(-1e6, 1e6)
points = st.tuples(lengths, lengths)
names = st.sampled_from([one.value for one in PublicObjective])
cards = st.builds(CardReading, names, shares, st.booleans(), st.tuples(points, points, points, points))


def alternative(die: Die | None, share: float) -> Alternative:
    """Return an alternative with what a die shows, or with nothing."""
    return Alternative(die.color, die.value, share) if die else Alternative(None, None, share)


@st.composite
def loose_dice(draw: st.DrawFn) -> LooseDie:
    """Draw a reading of a loose die, such as no photo need give."""
    die = draw(ours.dice)
    return LooseDie(
        die.color,
        die.value,
        confidence=draw(shares),
        doubtful=draw(st.booleans()),
        alternatives=tuple(draw(st.lists(st.builds(alternative, st.none() | ours.dice, shares), max_size=2))),
        center=draw(points),
        size=draw(st.floats(0, 1e4)),
        place=draw(st.sampled_from(["pool", "track", None])),
        round=draw(st.none() | st.integers(1, 10)),
    )


@given(loose_dice())
def test_a_loose_die_comes_back_from_its_json(die: LooseDie) -> None:
    """Nothing of a loose die is lost or changed on the way through JSON."""
    assert LooseDie.from_json(json.loads(json.dumps(die.to_json()))) == die


@given(cards)
def test_a_card_comes_back_from_its_json(card: CardReading) -> None:
    """Nothing of an objective card is lost or changed on the way through JSON."""
    assert CardReading.from_json(json.loads(json.dumps(card.to_json()))) == card


DIE = LooseDie(Color.RED, 3, 0.9, False, (Alternative(None, None, 0.1),), (5.0, 6.5), 40.0, "track", 2)
CARD = CardReading("Light Shades", 0.9, False, SQUARE)


def demand_refusal(from_json: Callable[[Any], object], data: object) -> None:
    """Check that data is refused as no reading."""
    with pytest.raises(VisionError) as caught:
        from_json(data)
    assert caught.value.code == "bad_reading"


@pytest.mark.parametrize("key", DIE.to_json())
def test_a_loose_die_that_lacks_something_is_refused(key: str) -> None:
    """Every key of the JSON is needed; one more does not matter."""
    data = DIE.to_json()
    assert LooseDie.from_json({**data, "photo": "mine.jpg"}) == DIE
    del data[key]
    demand_refusal(LooseDie.from_json, data)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("color", "Q"),
        ("color", None),
        ("value", 7),
        ("value", None),
        ("value", True),
        ("confidence", 1.5),
        ("confidence", "0.9"),
        ("confidence", True),
        ("doubtful", 0),
        ("alternatives", [{}]),
        ("alternatives", None),
        ("center", [5.0]),
        ("center", [5.0, float("nan")]),
        ("center", ["5", 6.5]),
        ("center", [5.0, 10**400]),
        ("size", -1.0),
        ("size", float("inf")),
        ("size", float("nan")),
        ("size", 10**400),
        ("size", "40.0"),
        ("place", "hand"),
        ("place", ["pool"]),
        ("round", 0),
        ("round", 11),
        ("round", 2.5),
        ("round", "2"),
        ("round", True),
    ],
)
def test_a_loose_die_that_cannot_be_is_refused(key: str, value: object) -> None:
    """Whatever is of another type, out of bounds or not of the game."""
    demand_refusal(LooseDie.from_json, {**DIE.to_json(), key: value})


@pytest.mark.parametrize("key", CARD.to_json())
def test_a_card_that_lacks_something_is_refused(key: str) -> None:
    """Every key of the JSON is needed; one more does not matter."""
    data = CARD.to_json()
    assert CardReading.from_json({**data, "photo": "mine.jpg"}) == CARD
    del data[key]
    demand_refusal(CardReading.from_json, data)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("kind", "private_objective"),
        ("name", "LIGHT_SHADES"),
        ("name", "Batllo"),
        ("name", None),
        ("confidence", -0.1),
        ("confidence", float("nan")),
        ("doubtful", "no"),
        ("corners", []),
        ("corners", [[0.0, 0.0]] * 5),
        ("corners", [[0.0, 0.0, 0.0]] * 4),
        ("corners", [[0.0, float("inf")]] * 4),
        ("corners", None),
    ],
)
def test_a_card_that_cannot_be_is_refused(key: str, value: object) -> None:
    """Whatever is of another type, out of bounds or no public objective."""
    demand_refusal(CardReading.from_json, {**CARD.to_json(), key: value})


@pytest.mark.parametrize("data", [None, [], "R3", 3])
def test_what_is_no_object_is_refused(data: object) -> None:
    """JSON of another kind is neither a die nor a card."""
    demand_refusal(LooseDie.from_json, data)
    demand_refusal(CardReading.from_json, data)


@pytest.mark.parametrize("size", [[float("inf"), 600], [10**400, 600]])
def test_a_reading_of_a_photo_without_bounds_is_refused(size: list[float]) -> None:
    """A number too large to work with is refused as any other that cannot be."""
    demand_refusal(Reading.from_json, {**reading_of().to_json(), "seconds": size[0], "size": size})
