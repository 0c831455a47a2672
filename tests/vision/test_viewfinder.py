"""What a camera sees while somebody aims."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from tests.vision.samples import LABELS, Image, blind, corners_of, photo_of, tiles
from vision.viewfinder import FRAME_PX, Hint, look_at

DAY = "easy_daylight.jpg"


def frame(image: Image) -> Image:
    """Return a picture as small as a frame."""
    scale = FRAME_PX / max(image.shape[:2])
    return np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)


def far(image: Image) -> Image:
    """Return a frame in which a picture fills a quarter of each side."""
    small = cv2.resize(frame(image), None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    around = np.full((480, 640, 3), 120, np.uint8)
    around[160 : 160 + small.shape[0], 260 : 260 + small.shape[1]] = small
    return around


def leaning(image: Image, deg: float = 50) -> Image:
    """Return a picture that lies on a table, seen from so far off straight above."""
    height, width = image.shape[:2]
    focal, c, s = 1.05 * height, np.cos(np.deg2rad(deg)), np.sin(np.deg2rad(deg))
    camera = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1]])
    pose = np.array([[1, 0, 0], [0, c, 0], [0, s, 1.1 * focal]])
    middle = np.array([[1, 0, -width / 2], [0, 1, -height / 2], [0, 0, 1]])
    seen = cv2.warpPerspective(
        image, camera @ pose @ middle, (width, height), borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(seen, np.uint8)


@pytest.mark.parametrize(
    "name", [name for name, one in LABELS.items() if one["kind"] == "board" and "boards" not in one]
)
def test_a_window_is_outlined_where_it_lies(name: str) -> None:
    """In a frame each corner of a sample's window is outlined a quarter of a space from it at most."""
    image = photo_of(name)
    wanted = np.array(corners_of(name)) * FRAME_PX / max(image.shape[:2])
    space = np.linalg.norm(wanted[1] - wanted[0]) / 5
    found = [np.roll(np.array(one), turn, axis=0) for one in look_at(frame(image)).windows for turn in (0, 2)]
    assert min(np.linalg.norm(one - wanted, axis=1).max() for one in found) < 0.25 * space


@pytest.mark.parametrize(
    ("made", "hint", "windows"),
    [
        (lambda _: tiles(FRAME_PX), Hint.NO_WINDOW, 0),
        (lambda day: day * 0 + 160, Hint.NO_WINDOW, 0),
        (lambda day: day * 0, Hint.DARK, 0),
        (lambda day: day[:, :700], Hint.CUT_OFF, 0),
        (far, Hint.CLOSER, 0),
        (leaning, Hint.TILT, 1),
        (lambda day: (day * 0.3).astype(np.uint8), Hint.DARK, 1),
        (lambda day: cv2.blur(day, (60, 1)), Hint.BLURRED, 1),
        (lambda day: blind(day, DAY, "A1 B2"), Hint.GLARE, 1),
        (lambda day: day, Hint.GOOD, 1),
    ],
)
def test_one_thing_is_to_be_done(made: Callable[[Image], Image], hint: Hint, windows: int) -> None:
    """What is in the way of a photo is told, the first thing first, and only without any it is ready."""
    seen = look_at(frame(made(photo_of(DAY))))
    assert (seen.hint, len(seen.windows), seen.is_ready) == (hint, windows, hint is Hint.GOOD)


def test_the_dice_that_a_lamp_hides_are_counted() -> None:
    """A bright empty space counts for none."""
    seen = look_at(frame(blind(photo_of("few_dice.jpg"), "few_dice.jpg", "D5")))
    assert str(seen.sentence) == "A lamp shines in one die: move a little"
    assert look_at(frame(photo_of("few_dice.jpg"))).is_ready


def test_a_photo_of_the_table_wants_every_window_whole() -> None:
    """A window that the edge cuts off beside a whole one matters only where all are meant."""
    cut = frame(photo_of("two_windows.jpg")[:, :1340])
    alone, every = look_at(cut), look_at(cut, every=True)
    assert (alone.hint, every.hint) == (Hint.GOOD, Hint.CUT_OFF)
    assert len(every.windows) == 1
