from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import InvalidValueError, UnknownNameError
from scoring.names import check_name, find_name, plain, tidied, without_controls

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


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("\u200fمحمد", "محمد"),
        ("דנה\u200e", "דנה"),
        ("\u2068Anna\u2069", "Anna"),
        ("\u202eAnn\u202c", "Ann"),
        ("Ann\tLee", "Ann Lee"),
        ("\tAnn \t Lee\t", "Ann Lee"),
        ("\ufeffZo\u200bë\u2060", "Zoë"),
        ("Zo\u00adé", "Zoé"),
        ("e\u200b\u0301", "é"),
        ("An\u200dn", "Ann"),
        ("Ann\ufe0f\U000e0041", "Ann"),
        ("花\u3000子", "花 子"),
        ("Ann\u00a0\u2003Lee", "Ann Lee"),
        ("\u3164Ann\u2800", "Ann"),
        ("Ann\u180b\u2065\ufff0", "Ann"),
        ("ن\u200d", "ن"),
    ],
    ids=ascii,
)
def test_what_nobody_sees_in_a_name_is_left_out(typed: str, kept: str) -> None:
    """Marks of direction and without width go, a tab or a wide blank is a blank, and the rest is taken."""
    assert tidied(typed) == check_name(typed) == kept


@pytest.mark.parametrize(
    "name",
    [
        "می\u200cخواهم",
        "क्\u200dष",
        "👩\u200d👧",
        "❤\ufe0f",
        "1\ufe0f\u20e3",
        "葛\U000e0100城",
        "🏴\U000e0067\U000e007f",
        "സുമന്\u200d",
        "ᠠ\u180b",
    ],
    ids=ascii,
)
def test_what_shapes_the_signs_beside_it_stays(name: str) -> None:
    """Marks that are not seen themselves, but by what they do to letters and emoji, belong to the name."""
    assert tidied(f" \u200e{name}\u200f ") == name


def test_what_a_terminal_would_obey_is_left_out_of_a_line() -> None:
    """Controls go, besides what nobody sees; the letters of an escape stay."""
    assert without_controls("\x1b[1mA\x00n\u202e\tn\x07 ") == "[1mAn n"


@pytest.mark.parametrize(
    "name",
    ["\u200b", "\u200f\u200e", "\t", "\u2068\u2069", "\u3164", " \ufeff ", "\u200d\ufe0f", "\u180b"],
    ids=ascii,
)
def test_a_name_of_hidden_marks_alone_is_told_so(name: str) -> None:
    """Whoever typed something that does not show learns just that, not that a name is missing."""
    assert tidied(name) == ""
    with pytest.raises(InvalidValueError) as caught:
        check_name(name)
    assert caught.value.code == "hidden_name"
    assert caught.value.message == "Nothing in this name can be seen."


hidden = st.sampled_from(
    list("\t\u00ad\u061c\u180e\u200b\u200c\u200d\u200e\u202e\u2066\u3000\ufe0f\ufeff🏴\U000e0067 aم")
)


@given(st.one_of(st.text(max_size=20), st.lists(hidden, max_size=12).map("".join)))
def test_a_name_that_was_kept_is_kept_as_it_is(name: str) -> None:
    """Whatever was left out, nothing more is left out when the name is saved again."""
    assert tidied(tidied(name)) == tidied(name)
