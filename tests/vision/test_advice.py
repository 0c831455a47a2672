"""What is told to somebody whose photo of a table leaves doubts."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from scoring.sentences import ENGLISH
from tests.readings import reading_of
from tests.vision.samples import NO_DICE, SAMPLES, Image, blind, photo_of, read_as, tiles
from vision import Advice, Reading, TableReading, advise, read_table
from vision.geometry import BOARD_CORNERS, as_corners


def table_of(photo: Image, *windows: Reading) -> TableReading:
    """Return the windows as a table that was read from a photo."""
    return TableReading((photo.shape[1], photo.shape[0]), windows, (), 0.5)


def said(advice: tuple[Advice, ...]) -> list[str]:
    """Return all advice in English."""
    return [ENGLISH.say(one.sentence, one.advice) for one in advice]


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
    (advice,) = advise(photo, table_of(photo, read_as(name, covered=cells)))
    assert (advice.code, advice.window, advice.dice) == (code, 1, 3)
    assert said((advice,)) == [f"The glare of the lamp hides 3 dice of window 1. {step}"]


def test_what_a_lamp_blinds_is_told_of_a_photo_that_was_read() -> None:
    """The reading itself doubts what is painted white, and a copy half as large says the same."""
    photo = blind(photo_of("full_window.jpg"), "full_window.jpg", "A4 A5 B5 C5")
    table = read_table(cv2.imencode(".png", photo)[1].tobytes())
    advice = advise(photo, table)
    assert advice[0].code == "glare_right"
    assert said(advice[:1]) == ["The glare of the lamp hides 4 dice of window 1. Stand further left."]
    copy = cv2.resize(photo, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    assert advise(np.asarray(copy, dtype=np.uint8), table) == advice


@pytest.mark.parametrize(("tilt_deg", "codes"), [(35, []), (45, ["low_angle"])])
def test_who_looks_from_low_down_is_told_to_go_higher(tilt_deg: float, codes: list[str]) -> None:
    """A window in the middle of the photo, seen so many degrees off the vertical."""
    side, focal, far = 1600, 1.05 * 1600, 12
    x, y = (BOARD_CORNERS - (2.5, 2)).T
    depth = far - y * np.sin(np.radians(tilt_deg))
    seen = np.stack([x, y * np.cos(np.radians(tilt_deg))], axis=1) / depth[:, None]
    reading = reading_of(NO_DICE, as_corners(focal * seen + side / 2), ["A1", "A2"])
    photo = tiles(side)
    advice = advise(photo, table_of(photo, reading))
    assert [one.code for one in advice] == codes
    for one in advice:
        assert said((one,)) == [
            "Window 1 was photographed at too flat an angle. Hold the phone higher above it."
        ]


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
        advice = advise(photo, table_of(photo, read_as(name, doubtful="D5", covered=covered)))
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
