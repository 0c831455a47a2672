"""What is said to be in the way of reading a photo: each fault alone, its number, and what comes first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from scoring.words import words_in
from tests.readings import reading_of
from tests.vision.samples import NO_DICE, SAMPLES, Image, blind, photo_of, read_as, tiles
from vision import Check, Examination, PhotoError, Reading, Verdict, advise, diagnose, examine
from vision.checks import KINDS, WHOLE
from vision.geometry import BOARD_CORNERS, as_corners
from vision.table import TableReading

NAME = "full_window.jpg"
UNITS = {"%", "pixels_per_die", "degrees", "delta_e_2000", "dice", "spaces"}
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


def test_of_a_good_photo_every_check_is_good() -> None:
    """Each kind is measured, and none of them is in the way."""
    checks = examine(photo_of(NAME), read_as(NAME))
    assert {check.code for check in checks} == set(KINDS)
    assert in_the_way(checks) == []


@pytest.mark.parametrize("code", FAULTS)
def test_each_fault_is_named_first(code: str) -> None:
    """A fault turned up alone is bad and comes first, with doubts or without."""
    for doubtful in ("", "A1 B2"):
        first = examine(FAULTS[code](photo_of(NAME)), read_as(NAME, doubtful))[0]
        assert (first.code, first.verdict) == (code, BAD)


@pytest.mark.parametrize(
    ("cells", "side", "step"),
    [("A4 B5 C5", "right", "Stand further left."), ("A1 B3 C5", "", "Stand on another side of the table.")],
)
def test_glare_counts_the_dice_it_hides(cells: str, side: str, step: str) -> None:
    """Dice that are doubtful and white are counted, and where they lie says where to stand."""
    first = examine(blind(photo_of(NAME), NAME, cells), read_as(NAME, covered=cells))[0]
    assert (first.code, first.number, first.doubts, first.side) == ("glare", 3, 3, side)
    assert str(first.advice) == step


def test_glare_on_a_die_that_was_read_is_in_nobodys_way() -> None:
    """Only doubtful dice count."""
    assert "glare" not in in_the_way(examine(blind(photo_of(NAME), NAME, "A4"), read_as(NAME)))


def test_what_lies_over_the_window_counts_its_spaces() -> None:
    """Spaces that nobody can see come first."""
    first = examine(photo_of(NAME), read_as(NAME, doubtful="D5", covered="A1 A2"))[0]
    assert (first.code, first.number, first.kind.unit) == ("covered", 2, "spaces")


@pytest.mark.parametrize(("tilt_deg", "verdict"), [(10, GOOD), (35, GOOD), (42, FAIR), (55, BAD)])
def test_the_angle_is_measured_in_degrees(tilt_deg: float, verdict: Verdict) -> None:
    """Of a window seen by the usual lens it is right to some degrees, and low angles are in the way."""
    checks = examine(tiles(1600), seen_from(tilt_deg))
    tilt = next(check for check in checks if check.code == "tilt")
    assert tilt.number == pytest.approx(tilt_deg, abs=4)
    assert tilt.verdict is verdict
    assert in_the_way(checks) == ([] if verdict is GOOD else ["tilt"])


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


def test_a_refused_photo_says_why_and_what_else_is_in_the_way() -> None:
    """The reader's refusal stays, and a refusal for blur is the cause itself."""
    found = diagnose(SAMPLES / "cut_off.jpg")
    assert found.refusal is not None
    assert (found.refusal.code, found.reading, found.cause) == ("board_cut_off", None, None)
    dark = diagnose(cv2.imencode(".png", np.full((600, 800, 3), 9, np.uint8))[1].tobytes())
    assert dark.refusal is not None
    assert (dark.refusal.code, dark.cause) == ("too_dark", "light")
    assert "light" in in_the_way(dark.checks)


def test_what_is_no_photo_is_refused() -> None:
    """There is nothing to measure."""
    with pytest.raises(PhotoError, match="not a photo"):
        diagnose(b"This is no photo.")


def test_as_json_every_number_has_a_unit() -> None:
    """Each check says code, number, unit, verdict and sentence, and what is good needs no next step."""
    checks = examine(FAULTS["cast"](photo_of(NAME)), read_as(NAME))
    data: Any = Examination(checks).to_json(words_in("en"))
    assert data["cause"] == "cast"
    first, *others = data["checks"]
    assert first["verdict"] == "bad"
    assert first["next_step"] == "Use daylight or a white lamp."
    assert {one["unit"] for one in data["checks"]} == UNITS
    for one in others:
        assert list(one) == ["code", "number", "unit", "verdict", "message", "next_step"]
        assert (one["verdict"], one["next_step"]) == ("good", None)
        assert f"{one['number']:.0f}" in one["message"]


@pytest.mark.parametrize("code", FAULTS)
def test_a_table_is_told_what_the_doctor_names_first(code: str) -> None:
    """Advice for a table is the first of these checks that explains a doubt."""
    photo, reading = FAULTS[code](photo_of(NAME)), read_as(NAME, "A1")
    (advice,) = advise(photo, TableReading(reading.size, (reading,), (), 0.5))
    assert advice.advice == examine(photo, reading)[0].advice
