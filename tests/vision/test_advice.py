"""What is said to be in the way of reading a photo: each fault alone, its number, and what comes first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from scoring.sentences import ENGLISH
from tests.readings import reading_of
from tests.vision.samples import NO_DICE, SAMPLES, Image, blind, photo_of, png, read_as, tiles
from vision import Advice, Check, Reading, TableReading, Verdict, advise, examine, read_table
from vision.advice import KINDS, WHOLE
from vision.geometry import BOARD_CORNERS, as_corners

NAME = "full_window.jpg"
GOOD, FAIR, BAD = Verdict


def as_photo(values: NDArray[Any]) -> Image:
    """Return pixels as a photo."""
    return np.asarray(np.clip(values, 0, 255), dtype=np.uint8)


def pale(photo: Image) -> Image:
    """Return a photo with next to no color."""
    gray = photo.mean(axis=2, keepdims=True)
    return as_photo(gray + 0.08 * (photo - gray))


FAULTS: dict[str, Callable[[Image], Image]] = {
    "sharpness": lambda photo: as_photo(cv2.GaussianBlur(photo, (0, 0), 14)),
    "light": lambda photo: as_photo(photo * 0.1),
    "clipping": lambda photo: as_photo(photo * 4.0),
    "contrast": lambda photo: as_photo(photo * 0.25 + 150),
    "cast": lambda photo: as_photo(photo * np.array([0.2, 0.55, 1])),
    "separation": pale,
}


def in_the_way(checks: tuple[Check, ...]) -> list[str]:
    """Return the codes of the checks that are not good, in their order."""
    return [check.code for check in checks if check.verdict is not GOOD]


def number_of(checks: tuple[Check, ...], code: str) -> float:
    """Return what was measured."""
    return next(check.number for check in checks if check.code == code)


def seen_from(tilt_deg: float, side: int = 1600) -> Reading:
    """Return a window without dice in the middle of a square photo, seen so far off the vertical."""
    x, y = (BOARD_CORNERS - (2.5, 2)).T
    depth = 12 - y * np.sin(np.radians(tilt_deg))
    seen = np.stack([x, y * np.cos(np.radians(tilt_deg))], axis=1) / depth[:, None]
    corners = as_corners(1.05 * side * seen + side / 2)
    return replace(reading_of(NO_DICE, corners, ["A1"]), size=(side, side))


def table_of(photo: Image, *windows: Reading) -> TableReading:
    """Return the windows as a table that was read from a photo."""
    return TableReading((photo.shape[1], photo.shape[0]), windows, (), 0.5)


def said(advice: tuple[Advice, ...]) -> list[str]:
    """Return all advice in English."""
    return [ENGLISH.say(one.sentence, one.advice) for one in advice]


def test_of_a_good_photo_every_check_is_good() -> None:
    """Each kind is measured, and none of them is in the way."""
    checks = examine(photo_of(NAME), read_as(NAME))
    assert {check.code for check in checks} == set(KINDS)
    assert in_the_way(checks) == []


@pytest.mark.parametrize("code", FAULTS)
def test_each_fault_is_named_first(code: str) -> None:
    """A fault turned up alone is bad and comes first, with doubts or without; of a doubt it is the advice."""
    photo = FAULTS[code](photo_of(NAME))
    for doubtful in ("", "A1 B2"):
        reading = read_as(NAME, doubtful)
        first = examine(photo, reading)[0]
        assert (first.code, first.verdict) == (code, BAD)
    (advice,) = advise(photo, table_of(photo, reading))
    assert advice.advice == first.advice


def test_glare_on_a_die_that_was_read_is_in_nobodys_way() -> None:
    """Only doubtful dice count."""
    assert "glare" not in in_the_way(examine(blind(photo_of(NAME), NAME, "A4"), read_as(NAME)))


@pytest.mark.parametrize(("tilt_deg", "verdict"), [(10, GOOD), (35, GOOD), (42, FAIR), (55, BAD)])
def test_the_angle_is_measured_in_degrees(tilt_deg: float, verdict: Verdict) -> None:
    """Of a window seen by the usual lens it is right to some degrees, and low angles are in the way."""
    photo, reading = tiles(1600), seen_from(tilt_deg)
    checks = examine(photo, reading)
    tilt = next(check for check in checks if check.code == "tilt")
    assert tilt.number == pytest.approx(tilt_deg, abs=4)
    assert tilt.verdict is verdict
    assert in_the_way(checks) == ([] if verdict is GOOD else ["tilt"])
    told = "Window 1 was photographed at too flat an angle. Hold the phone higher above it."
    assert said(advise(photo, table_of(photo, reading))) == ([] if verdict is GOOD else [told])


@pytest.mark.parametrize(("pitch", "verdict"), [(40, GOOD), (25, FAIR), (15, BAD)])
def test_the_size_of_a_die_is_measured_in_pixels(pitch: int, verdict: Verdict) -> None:
    """A die is 0.69 of a cell; of cells too small for it nobody says how sharp the photo is."""
    corners = as_corners(BOARD_CORNERS * pitch + 300.0)
    checks = examine(tiles(800), replace(reading_of(NO_DICE, corners), size=(800, 800)))
    size = next(check for check in checks if check.code == "size")
    assert size.number == pytest.approx(0.69 * pitch)
    assert size.verdict is verdict
    assert ("sharpness" in {check.code for check in checks}) == (verdict is GOOD)


def test_a_copy_half_as_large_says_the_same() -> None:
    """What is measured is that of the photo, not of the copy that is looked at."""
    photo = FAULTS["cast"](photo_of(NAME))
    half = np.asarray(cv2.resize(photo, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    whole, small = (examine(one, read_as(NAME, "A1")) for one in (photo, half))
    assert in_the_way(small) == in_the_way(whole) == ["cast"]
    for code in KINDS:
        assert number_of(small, code) == pytest.approx(number_of(whole, code), abs=4)


@pytest.mark.parametrize("code", ["sharpness", "light", "clipping", "cast"])
def test_of_a_photo_without_a_window_the_whole_picture_is_measured(code: str) -> None:
    """Light, its color and sharpness need no window; angle, size, contrast and dice do."""
    photo = photo_of(NAME)
    good = examine(photo)
    assert {check.code for check in good} == set(WHOLE)
    assert in_the_way(good) == []
    stronger = {"sharpness": lambda one: as_photo(cv2.GaussianBlur(one, (0, 0), 30)), **FAULTS}
    spoiled = (stronger if code == "sharpness" else FAULTS)[code](photo)
    assert code in in_the_way(examine(spoiled))


def test_a_clear_photo_needs_no_advice() -> None:
    """Where nothing is in doubt, nothing is said."""
    assert advise(photo_of("full_window.jpg"), read_table(SAMPLES / "full_window.jpg")) == ()


@pytest.mark.parametrize(
    ("cells", "code", "step"),
    [
        ("A4 B5 C5", "glare_right", "Stand further left."),
        ("A1 B1 C2", "glare_left", "Stand further right."),
        ("A1 B3 C5", "glare", "Stand on another side of the table."),
    ],
)
def test_who_is_blinded_by_a_lamp_is_told_where_to_stand(cells: str, code: str, step: str) -> None:
    """Away from where the white spots lie in the window; anywhere else when they lie on both sides."""
    name = "full_window.jpg"
    photo = blind(photo_of(name), name, cells)
    reading = read_as(name, covered=cells)
    (advice,) = advise(photo, table_of(photo, reading))
    check = examine(photo, reading)[0]
    assert (check.code, check.number, str(check.advice)) == ("glare", 3, step)
    assert (advice.code, advice.window, advice.dice) == (code, 1, 3)
    assert said((advice,)) == [f"The glare of the lamp hides 3 dice of window 1. {step}"]


def test_what_a_lamp_blinds_is_told_of_a_photo_that_was_read() -> None:
    """The reading itself doubts what is painted white."""
    photo = blind(photo_of("full_window.jpg"), "full_window.jpg", "A4 A5 B5 C5")
    advice = advise(photo, read_table(png(photo)))
    assert advice[0].code == "glare_right"
    assert said(advice[:1]) == ["The glare of the lamp hides 4 dice of window 1. Stand further left."]


@pytest.mark.parametrize(("width", "codes"), [(6000, ["small"]), (3000, [])])
def test_small_is_what_has_few_pixels_as_it_is_read(width: int, codes: list[str]) -> None:
    """Of a photo larger than what is read, a cell of 40 pixels has 27 left."""
    corners = as_corners(np.array([[0, 0], [200, 0], [200, 160], [0, 160]]) + width / 2 - 100.0)
    photo = tiles(width)
    advice = advise(photo, table_of(photo, reading_of(NO_DICE, corners, ["A1"])))
    assert [one.code for one in advice] == codes


def test_who_holds_no_still_is_told_to() -> None:
    """A blurred window is to be tapped; in a copy so small that it may only look sharp or blurred, not."""
    name = "full_window.jpg"
    photo = np.asarray(cv2.GaussianBlur(photo_of(name), (0, 0), 12), dtype=np.uint8)
    table = table_of(photo, read_as(name, doubtful="B2"))
    assert said(advise(photo, table)) == ["Window 1 is blurred. Hold still and tap it to focus."]
    tiny = np.asarray(cv2.resize(photo, None, fx=0.1, fy=0.1), dtype=np.uint8)
    assert advise(tiny, table) == ()


def test_what_lies_over_a_window_is_to_be_taken_away() -> None:
    """One space or several."""
    name = "full_window.jpg"
    photo = photo_of(name)
    for covered, words in (("A1", "1 space"), ("A1 A2", "2 spaces")):
        reading = read_as(name, doubtful="D5", covered=covered)
        advice = advise(photo, table_of(photo, reading))
        assert number_of(examine(photo, reading), "covered") == len(covered.split())
        assert said(advice) == [f"Something lies over {words} of window 1. Take it away."]


def test_a_doubt_that_nothing_explains_gets_no_advice() -> None:
    """A sharp window, seen from above and near, with a doubtful die: somebody looks at it."""
    photo = photo_of("full_window.jpg")
    assert advise(photo, table_of(photo, read_as("full_window.jpg", doubtful="A1 B1"))) == ()


def test_of_much_advice_the_two_that_help_most_are_given() -> None:
    """One for each window, the one that concerns most spaces first."""
    name = "full_window.jpg"
    photo = blind(photo_of(name), name, "C4 C5")
    windows = [read_as(name, covered=cells) for cells in ("A1", "A1 A2 A3 C4 C5", "D1 D2", "C4 C5 D1", "")]
    advice = advise(photo, table_of(photo, *windows))
    assert [(one.code, one.window, one.dice) for one in advice] == [("covered", 2, 3), ("covered", 3, 2)]
