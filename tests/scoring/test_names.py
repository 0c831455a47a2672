from __future__ import annotations

import pytest

from scoring import UnknownNameError
from scoring.names import find_name, plain

WINDOWS = ["Sun's Glory", "Kaleidoscopic Dream", "Via Lux", "Aurora Sagradis", "Aurorae Magnificus"]


@pytest.mark.parametrize(
    ("typed", "compared"),
    [
        ("Sun's Glory", "suns glory"),
        ("sun’s   glory", "suns glory"),
        ("SUN_S-GLORY", "sun s glory"),
        ("Batlló", "batllo"),
        ("Cork–backed/Straightedge", "cork backed straightedge"),
        ("Жёлтый", "желтыи"),
        ("Straße", "strasse"),
    ],
)
def test_names_are_compared_without_case_accents_and_punctuation(typed: str, compared: str) -> None:
    """Whatever separates words is a blank, and what only decorates a letter is left out."""
    assert plain(typed) == compared


def test_further_names_lead_to_the_known_one() -> None:
    """A name in another language stands for a card, but never takes another card's own name away."""
    also = {"Гауди": "Via Lux", "Sun's Glory": "Via Lux"}
    assert find_name("гауди", WINDOWS, "window", also) == "Via Lux"
    assert find_name("sun's glory", WINDOWS, "window", also) == "Sun's Glory"


@pytest.mark.parametrize(
    ("typed", "suggested"),
    [
        ("dream", ("Kaleidoscopic Dream",)),
        ("Aurora", ("Aurora Sagradis",)),
        ("Via Luks", ("Via Lux",)),
        ("lux aurora", ()),
        ("xyz", ()),
    ],
)
def test_an_unknown_name_gets_the_nearest_ones(typed: str, suggested: tuple[str, ...]) -> None:
    """A whole word of a name counts first, then letters in common; when nothing is near, nothing is said."""
    with pytest.raises(UnknownNameError) as caught:
        find_name(typed, WINDOWS, "window")
    assert caught.value.suggestions == suggested


def test_the_error_says_what_was_typed_and_what_to_do() -> None:
    """Kind and name are quoted, suggestions are joined by "or", and there are three of them at most."""
    with pytest.raises(UnknownNameError) as caught:
        find_name(" Row ", ["Row A", "Row B", "Row C", "Row D"], "house rule")
    assert caught.value.code == "unknown_house_rule"
    assert caught.value.message == 'There is no house rule called "Row".'
    assert caught.value.next_step == "Did you mean Row A, Row B or Row C?"
    assert caught.value.suggestions == ("Row A", "Row B", "Row C")


def test_further_names_are_suggested_as_they_are_written() -> None:
    """Whoever mistypes a name in their language is shown that name, not the English one."""
    with pytest.raises(UnknownNameError) as caught:
        find_name("Гауд", WINDOWS, "window", {"Гауди": "Via Lux"})
    assert caught.value.suggestions == ("Гауди",)
