"""The file of a profile: people can read it, and what is no profile is refused."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import Color
from vision import VisionError
from vision.profile import LONGEST_NAME, SIGNATURE, Dye, How, Pips, Profile, Quality, Source

NUMBERS = st.floats(-100, 100).map(lambda number: round(number, 4))
COUNTS = st.integers(0, 1000)
NAMES = st.text("abcÄéдж図 0-9", min_size=1, max_size=LONGEST_NAME).map(str.strip).filter(bool)
LABS = st.tuples(NUMBERS, NUMBERS, NUMBERS)
DYES = st.builds(Dye, LABS, st.tuples(*[NUMBERS] * SIGNATURE), COUNTS)
PROFILES = st.builds(
    Profile,
    name=NAMES.map(lambda name: " ".join(name.split())),
    pips=st.sampled_from(Pips),
    dyes=st.fixed_dictionaries(dict.fromkeys(Color, DYES)),
    reader=st.text("0123456789abcdef", min_size=12, max_size=12),
    revision=COUNTS,
    sources=st.lists(
        st.builds(Source, st.sampled_from(How), st.just("2026-11-24T20:00:00+00:00"), COUNTS), max_size=3
    ).map(tuple),
    quality=st.none() | st.builds(Quality, COUNTS, COUNTS, COUNTS),
    light=st.none() | LABS,
    familiar=st.booleans(),
    values_known=st.booleans(),
)
PLAIN = Profile(
    "Ours",
    Pips.DARK,
    {color: Dye((50.0, 1.0, 2.0), (0.5,) * SIGNATURE, 3) for color in Color},
    "0123456789ab",
)


@given(PROFILES)
def test_a_profile_survives_its_file(profile: Profile) -> None:
    """What is written is read back the same."""
    assert Profile.parse(str(profile)) == profile


def test_people_can_read_the_file() -> None:
    """Colors and pips stand in it by their names."""
    data = json.loads(str(PLAIN))
    assert data["pips"] == "dark"
    assert data["dyes"]["purple"]["lab"] == [50.0, 1.0, 2.0]


def changed(**fields: Any) -> str:  # noqa: ANN401  anything may stand in a file
    """Return the text of a profile with some of its fields changed."""
    return json.dumps({**PLAIN.to_json(), **fields})


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no JSON",
        "[]",
        "{}",
        "null",
        "[" * 100_000,
        changed(pips="square"),
        changed(dyes={}),
        changed(dyes=None),
        changed(revision=True),
        changed(revision=-1),
        changed(quality={"dice": 1}),
        changed(light=[1, 2]),
        changed(light=[1, 2, float("nan")]),
        changed(lessons=[{"how": "by magic", "when": "", "dice": 1}]),
        changed(sagrada_profile="1"),
        changed(name=7),
    ],
)
def test_what_is_no_profile_is_refused(text: str) -> None:
    """Whatever is wrong with a file, there is one error with a next step."""
    with pytest.raises(VisionError) as caught:
        Profile.parse(text)
    assert caught.value.code == "profile_damaged"
    assert caught.value.next_step


def test_the_lens_of_an_earlier_version_is_ignored() -> None:
    """Files of version 1 may hold the lens of a camera: all else of them is read."""
    assert Profile.parse(changed(lens={"k1": -0.21, "camera": {"make": "Apple"}})) == PLAIN


def test_a_newer_file_is_told_from_a_damaged_one() -> None:
    """A profile of a later program may hold anything: the next step is to update."""
    with pytest.raises(VisionError) as caught:
        Profile.parse('{"sagrada_profile": 3, "anything": "else"}')
    assert caught.value.code == "profile_newer"


def test_only_what_earlier_programs_cannot_read_is_new_to_them() -> None:
    """Files say a later version where pips are mixed, which programs of before do not know."""
    versions = {pips: replace(PLAIN, pips=pips).to_json()["sagrada_profile"] for pips in Pips}
    assert versions == {Pips.LIGHT: 1, Pips.DARK: 1, Pips.MIXED: 2}


@pytest.mark.parametrize("name", ["", "  ", "a" * (LONGEST_NAME + 1), "two\x00", "\x1b[31mred"])
def test_a_name_must_be_one(name: str) -> None:
    """Empty, endless and unprintable names are refused."""
    with pytest.raises(VisionError) as caught:
        PLAIN.renamed(name)
    assert caught.value.code == "bad_profile_name"


def test_blanks_around_a_name_go() -> None:
    """A name is kept without blanks around it, and with single ones in it."""
    assert PLAIN.renamed("  Grandma's   table ").name == "Grandma's table"


def test_dice_are_named_by_the_rule_of_all_names() -> None:
    """Hidden marks and tabs are left out of the name of dice too, and a name of nothing else is told so."""
    assert PLAIN.renamed("\u200fGrandma's\ttable\u200b").name == "Grandma's table"
    with pytest.raises(VisionError) as caught:
        PLAIN.renamed("\u200f\t")
    assert (caught.value.code, caught.value.message) == ("hidden_name", "Nothing in this name can be seen.")
