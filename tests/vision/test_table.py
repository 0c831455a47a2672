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
from tests.readings import SQUARE
from vision import Alternative, CardReading, LooseDie, VisionError

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


@pytest.mark.parametrize("what", [DIE, CARD], ids=["die", "card"])
def test_what_lacks_something_is_refused(what: LooseDie | CardReading) -> None:
    """Every key of the JSON is needed, and an object; one key more does not matter."""
    data = what.to_json()
    assert what.from_json({**data, "photo": "mine.jpg"}) == what
    for key in data:
        demand_refusal(what.from_json, {name: value for name, value in data.items() if name != key})
    for other in (None, [1], "R3", 3):
        demand_refusal(what.from_json, other)


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
