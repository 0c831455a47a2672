"""`sagrada check`: what is wrong, what tools account for, what is lost, and where dice may go."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from scoring import WindowPattern
from tests.readings import reading_of
from tests.webapp.commands import (
    DURING_PLAY,
    LEGAL_BOARD,
    RULEBOOK_BOARD,
    answer,
    card,
    codes,
    refusal,
    sagrada,
)
from vision import Reading

RULEBOOK = ("check", "--board", RULEBOOK_BOARD, "--window", "Fractal Drops")
IDENTIFIED = "By its dice the window card is Fractal Drops (>99% sure)."
LEGEND = (
    "c needs another color   v needs another value   = beside a die of its color   "
    "# beside a die of its value   o touches no die"
)
R2_TO_PLACE = ("check", "--board", DURING_PLAY, "--window", "Fractal Drops", "--die", "R2")


def test_an_illegal_window_is_an_answer() -> None:
    """The rulebook's window has exactly one problem, at C5; what to take off and what that costs is told."""
    data = answer(*RULEBOOK)
    assert list(data) == [
        *("legal", "board", "window", "problems", "notices", "removals", "dead_cells", "windows", "dice"),
    ]
    assert data["legal"] is False
    assert data["problems"] == [
        {
            "code": "value_restriction",
            "cells": ["C5"],
            "message": "C5: red 3 on a space that needs 1. Copper Foil Burnisher could excuse it.",
            "rule": "A space printed with a value takes only dice of that value.",
            "could_excuse": ["Copper Foil Burnisher"],
        }
    ]
    assert data["notices"] == []
    fewest = data["removals"]["fewest_dice"]
    assert fewest == data["removals"]["most_points"]
    assert (fewest["cells"], fewest["points_lost"]) == (["C5"], 1)
    assert fewest["board"] == RULEBOOK_BOARD.replace("P6 R3 / B4", "P6 -- / B4")


def test_tools_tokens_and_solo_decide_what_is_excused() -> None:
    """A tool in the game excuses as far as its tokens reach; in a solo game it works once for nothing."""
    tool = ("--tool", "copper_foil_burnisher")
    excused = answer(*RULEBOOK, *tool)
    assert excused["legal"] is True
    assert excused["notices"][0]["excused_by"] == ["Copper Foil Burnisher"]
    text = sagrada(*RULEBOOK, *tool).stdout
    assert "No placement problem.\n\nC5: red 3 on a space that needs 1. Copper Foil Burnisher allows" in text
    assert answer(*RULEBOOK, *tool, "--spent", "0")["legal"] is False
    assert answer(*RULEBOOK, *tool, "--spent", "1")["legal"] is True
    assert answer(*RULEBOOK, *tool, "--solo")["legal"] is True


def test_dead_cells_are_named() -> None:
    """A space that no die can fill any more is told, in JSON and in words."""
    board = "-- P6 -- -- -- / -- -- -- -- -- / -- -- -- -- -- / -- -- -- -- --"
    purple_corner = ("check", "--board", board, "--window", "Firmitas")
    assert answer(*purple_corner)["dead_cells"] == ["A1", "B2"]
    assert sagrada(*purple_corner).stdout.endswith("A1, B2: no die can go on these spaces any more.\n")
    assert answer("check", "--board", board, "--window", "Virtus")["dead_cells"] == []


def test_windows_are_ranked_with_the_unknown_one() -> None:
    """`windows` holds the likeliest cards with their misfits, and how likely it is none of them."""
    windows = answer(*RULEBOOK)["windows"]
    assert set(windows) == {"likeliest", "unknown"}
    first, *others = windows["likeliest"]
    assert (first["name"], first["turned"], first["misfits"]) == ("Fractal Drops", False, ["C5"])
    assert first["probability"] > 0.95 > windows["unknown"]
    assert len(others) == 4


def test_die_is_told_where_it_may_go_and_why_not_elsewhere() -> None:
    """`--die` gives the legal cells, and the sentences for every other one, in any language."""
    (placed,) = answer(*R2_TO_PLACE)["dice"]
    assert list(placed) == [
        *("die", "label", "legal_cells", "with_tool", "moves", "changes", "why_not"),
    ]
    assert (placed["die"], placed["legal_cells"], placed["with_tool"]) == ("R2", ["A3", "B3", "C3"], {})
    assert len(placed["why_not"]) == 17
    assert [one["message"] for one in placed["why_not"]["D5"]] == [
        "C5, D5: two dice of the same color (red) side by side.",
        "D4, D5: two dice of the same value (2) side by side.",
    ]
    (said,) = answer(*R2_TO_PLACE, "--lang", "ja")["dice"]
    assert said["why_not"]["D5"][0]["message"].startswith("C5、D5：")


def test_cells_that_only_a_tool_opens_are_marked() -> None:
    """With a tool in the game more cells are legal; `with_tool` says which, round brackets in the picture."""
    with_tool = (*R2_TO_PLACE, "--tool", "Cork-backed Straightedge")
    (placed,) = answer(*with_tool, "--tool", "Copper Foil Burnisher")["dice"]
    assert "B1" in placed["legal_cells"]
    assert placed["with_tool"]["B1"] == ["Cork-backed Straightedge"]
    assert "A5" not in placed["legal_cells"]  # the burnisher moves dice that lie; it places none
    assert "A3" not in placed["with_tool"]
    assert not set(placed["legal_cells"]) & set(placed["why_not"])
    text = sagrada(*with_tool).stdout
    assert "  B  (R2)  (R2)  [R2]   G1    =" in text.splitlines()
    assert "(R2) only with a tool card   c needs another color" in text


def test_picture_marks_cells_by_signs() -> None:
    """The picture shows the die where it may go and, on other empty spaces, signs with a legend."""
    text = sagrada(*R2_TO_PLACE).stdout
    assert text.splitlines()[-7:] == [
        "red 2 may go to A3, B3, C3.",
        "       1     2     3     4     5",
        "  A   o     vo   [R2]   c     v",
        "  B   o     o    [R2]   G1    =",
        "  C   o     o    [R2]   P6    R3",
        "  D   co    co    #     B2    =#",
        LEGEND,
    ]


def test_die_that_fits_nowhere_is_said() -> None:
    """A full window takes no die, and there are no signs to explain."""
    full = LEGAL_BOARD.replace("--", "P6")
    text = sagrada("check", "--board", full, "--die", "R2").stdout
    assert "red 2: no space takes it now." in text
    assert text.splitlines()[-1].startswith("  D ")


def test_check_for_people() -> None:
    """The window, the problem, what to take off, then what else there is to know."""
    assert sagrada("check", "--board", RULEBOOK_BOARD).stdout.splitlines() == [
        "     1   2   3   4   5",
        "  A  --  G4  R2  Y5  P6",
        "  B  R3  B1  --  G1  Y2",
        "  C  P5  G6  --  P6  R3",
        "  D  B4  Y3  G4  B2  G4",
        "",
        "1 placement problem:",
        "  C5: red 3 on a space that needs 1. Copper Foil Burnisher could excuse it.",
        "Take off C5, then no rule is broken.",
        "",
        f"{IDENTIFIED} If it is another one, name it with --window.",
        "B3: no die can go on this space any more.",
    ]


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[Reading]:
    """Return a list whose last reading any photo gives."""
    readings = [reading_of(RULEBOOK_BOARD, window="Fractal Drops")]

    def read_photo(photo: Path, *, windows: Iterable[WindowPattern]) -> Reading:
        assert "Fractal Drops" in {window.name for window in windows}
        return readings[-1]

    monkeypatch.setattr("vision.read_photo", read_photo)
    return readings


def test_doubts_of_a_photo_are_notices_of_the_same_shape(seen: list[Reading]) -> None:
    """The unknown card, other windows, doubtful cells and a doubtful way up are told with code and cells."""
    seen.append(reading_of(RULEBOOK_BOARD, doubtful=["A4", "C5"], other_windows=2))
    notices = answer("check", "a.jpg")["notices"]
    assert all(set(one) == {"code", "cells", "message", "excused_by"} for one in notices)
    assert codes(notices) == ["unknown_window", "other_windows", "doubtful_cells"]
    assert [one["cells"] for one in notices] == [[], [], ["A4", "C5"]]
    assert notices[1]["message"].startswith("The photo shows 2 other whole windows;")
    assert notices[2]["message"] == "Read with doubt, look at these first: A4, C5."
    text = sagrada("check", "a.jpg").stdout
    assert all(one["message"] in text.splitlines() for one in notices)
    seen.append(reading_of(RULEBOOK_BOARD, window="Fractal Drops", upright_probability=0.7))
    (notice,) = answer("check", "a.jpg")["notices"]
    assert notice["code"] == "maybe_upside_down"
    assert "70% sure that it is not" in notice["message"]


def test_named_card_takes_the_place_of_the_one_in_the_photo(seen: list[Reading]) -> None:
    """`--window` wins over the reader; without it the reader's card is used."""
    assert card(answer("check", "a.jpg")) == "Fractal Drops"
    named = answer("check", "a.jpg", "--window", "Virtus")
    assert (card(named), codes(named["notices"])) == ("Virtus", ["window_doubtful"])


def test_open_prints_of_a_photo_count_for_the_ranking(seen: list[Reading]) -> None:
    """What is printed on open cells speaks for a card too, where it was read without doubt."""
    few = reading_of("-- -- -- -- -- / -- -- -- -- -- / -- -- -- -- -- / -- -- -- -- R1")
    seen.append(replace(few, pattern=".4.Y6 / R.2.. / ..RP1 / BY..?"))
    assert answer("check", "a.jpg")["windows"]["likeliest"][0]["name"] == "Fractal Drops"
    assert answer("check", "a.jpg")["windows"]["likeliest"][0]["probability"] > 0.95


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--tool", "Молоток"], "Did you mean Стекольный молоток?"),
        (["--die", "R7"], "'--die'"),
        (["--die", "red"], "'--die'"),
        (["--spent", "-1"], "--spent"),
        (["--spent", "4", "--window", "Fractal Drops"], "comes with 3 favor tokens, so 4 cannot be spent"),
        (
            ["--spent", "4", "--window", "Fractal Drops", "--lang", "ru"],
            "3 фишки привилегий, 4 потратить нельзя",
        ),
        (["--spent", "1", "--solo"], "Leave --spent out."),
        (["--solo", "--tool", "Lathekin", "--tool", "Lathekin"], "A card is given twice."),
    ],
)
def test_wrong_usage_of_check(arguments: list[str], complaint: str) -> None:
    """What was typed wrong is said on the standard error, with the nearest right name; status 2."""
    assert complaint in refusal("check", "--board", RULEBOOK_BOARD, *arguments)
