"""Mirrored photos, as front cameras take them: what tells them, and how they are turned back."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from scoring import WINDOW_PATTERNS
from tests.vision.samples import LABELS, SAMPLES, Image, board_of, photo_of
from vision import load_photo, read_photo, read_table

WHOLE = [name for name, label in LABELS.items() if label["kind"] == "board" and "board" in label]


def flipped(name: str) -> Image:
    """Return a sample photo with left and right exchanged."""
    return np.ascontiguousarray(photo_of(name)[:, ::-1])


@pytest.mark.parametrize("name", WHOLE)
def test_a_photo_as_it_is_never_looks_mirrored(name: str) -> None:
    """Neither with all cards, nor where the own card of the window is one that nobody knows."""
    assert not read_photo(SAMPLES / name).mirrored
    others = [card for card in WINDOW_PATTERNS.values() if card.name != LABELS[name]["window"]]
    assert not read_photo(SAMPLES / name, windows=others).mirrored


@pytest.mark.parametrize("name", ["easy_daylight.jpg", "empty_window.jpg", "dark.jpg", "upside_down.jpg"])
def test_a_flipped_photo_looks_mirrored(name: str) -> None:
    """What lies there fits its card only flipped, with dice or without, either way up."""
    assert read_photo(flipped(name)).mirrored


def test_what_fits_a_card_as_it_is_does_not_look_mirrored() -> None:
    """A window of one's own that is the mirror image of a card is read as itself."""
    card = WINDOW_PATTERNS["Ripples of Light"].mirrored()
    reading = read_photo(flipped("easy_daylight.jpg"), windows=[*WINDOW_PATTERNS.values(), card])
    assert not reading.mirrored


def test_a_mirrored_photo_is_turned_back_before_it_is_read() -> None:
    """Its dice, its card and the places in it are those of the photo before it was flipped."""
    straight = read_photo(photo_of("easy_daylight.jpg"))
    turned = read_photo(flipped("easy_daylight.jpg"), mirrored=True)
    assert turned.board == board_of("easy_daylight.jpg")
    assert not turned.mirrored
    assert (turned.corners, turned.window) == (straight.corners, straight.window)


def test_the_windows_of_a_mirrored_table_are_turned_back() -> None:
    """All windows of a table look mirrored where one does, and all are read right turned back."""
    image = flipped("two_windows.jpg")
    assert [one.mirrored for one in read_table(image).windows] == [True, True]
    turned, straight = read_table(image, mirrored=True), read_table(photo_of("two_windows.jpg"))
    assert [one.board for one in turned.windows] == [one.board for one in straight.windows]


def test_finer_pixels_of_a_mirrored_photo_are_turned_back_too() -> None:
    """A part that is looked at closer shows the same place as the copy."""
    rng = np.random.default_rng(1)
    image = cv2.resize(rng.integers(0, 255, (12, 16, 3), np.uint8), (1600, 1200))
    data = cv2.imencode(".png", np.ascontiguousarray(image[:, ::-1]))[1].tobytes()
    photo = load_photo(data, max_side=400, mirrored=True)
    ((part, to_part),) = photo.closer([np.array([[100.0, 100.0], [200.0, 200.0]])], 4)
    x, y = (to_part @ [150, 150, 1])[:2].round().astype(int)
    assert photo.full_size == (1600, 1200)
    assert np.abs(part[y, x].astype(int) - image[600, 600]).max() <= 12
