"""Every window of a table is read from one photo, and what cannot be read is named."""

from __future__ import annotations

import json
from collections.abc import Callable

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.vision.samples import LABELS, SAMPLES, board_of, corners_of, photo_of, png
from vision import TableReading, VisionError, read_photo, read_table
from vision.detection.search import clockwise
from vision.geometry import BOARD_CORNERS

WIDTH, HEIGHT = 1900, 1300


def put(table: NDArray[np.uint8], name: str, middle: tuple[int, int], turn_deg: float, pitch: int) -> None:
    """Lay the window of a sample photo on a table, turned clockwise, with ``pitch`` pixels a cell."""
    photo, corners = photo_of(name), np.array(corners_of(name), np.float32)
    x, y = corners.mean(axis=0)
    wide = float(np.linalg.norm(corners[1] - corners[0])) / 5
    turned = cv2.getRotationMatrix2D((float(x), float(y)), -turn_deg, pitch / wide)
    turned[:, 2] += np.array(middle) - (x, y)
    size = (table.shape[1], table.shape[0])
    warped = cv2.warpAffine(photo, turned, size, flags=cv2.INTER_AREA)
    frame = np.array([[-0.45, -0.45], [5.45, -0.45], [5.45, 4.45], [-0.45, 4.45]], np.float32)
    lattice = cv2.getPerspectiveTransform(BOARD_CORNERS.astype(np.float32), corners)
    outline = cv2.transform(cv2.perspectiveTransform(frame[None], lattice), turned)
    mask = cv2.fillPoly(np.zeros(table.shape[:2], np.uint8), [outline.round().astype(np.int32)[0]], 255)
    table[mask > 0] = warped[mask > 0]


def a_table() -> NDArray[np.uint8]:
    """Return a table of brown wood with nothing on it."""
    grain = np.random.default_rng(1).normal(0, 6, (HEIGHT, 1, 1))
    return np.clip(np.array([60, 90, 120]) + grain + np.zeros((1, WIDTH, 1)), 0, 255).astype(np.uint8)


def read(table: NDArray[np.uint8]) -> TableReading:
    """Read a picture of a table."""
    return read_table(png(table))


def test_every_window_of_a_table_is_read() -> None:
    """Windows at any turn and of different sizes are read die by die, clockwise from the nearest one."""
    table = a_table()
    put(table, "easy_daylight.jpg", (950, 1020), 4, 80)
    put(table, "full_window.jpg", (360, 500), 95, 70)
    put(table, "few_dice.jpg", (960, 280), 178, 60)
    put(table, "empty_cells.jpg", (1530, 520), 268, 70)
    found = read(table)
    assert [one.board for one in found.windows] == [
        board_of(name) for name in ("easy_daylight.jpg", "full_window.jpg", "few_dice.jpg", "empty_cells.jpg")
    ]
    assert found.unread == ()
    assert {one.other_windows for one in found.windows} == {3}


def test_both_windows_of_a_photo_that_is_refused_as_one_are_read() -> None:
    """What `read_photo` cannot choose between, a table has both of, with their cards."""
    found = read_table(SAMPLES / "two_windows.jpg")
    labels = sorted(LABELS["two_windows.jpg"]["boards"], key=lambda one: one["window"])
    by_name = sorted(found.windows, key=lambda one: one.window.name if one.window else "")
    assert [str(one.board) for one in by_name] == [
        " / ".join(" ".join(row) for row in label["board"]) for label in labels
    ]
    assert [one.window and one.window.name for one in by_name] == [label["window"] for label in labels]


def test_a_window_that_is_cut_off_is_named_and_spoils_no_other() -> None:
    """The edge that cuts it is told with its place, the window beside it is read, and the JSON has both."""
    table = a_table()
    put(table, "easy_daylight.jpg", (600, 700), 0, 80)
    put(table, "full_window.jpg", (WIDTH - 20, 600), 0, 90)
    found = read(table)
    assert [one.board for one in found.windows] == [board_of("easy_daylight.jpg")]
    (unread,) = found.unread
    assert (unread.reason.code, unread.reason.data) == ("board_cut_off", {"edges": ["right"]})
    x, y = unread.center
    assert WIDTH - 400 < x < WIDTH
    assert 400 < y < 800
    said = json.loads(json.dumps(found.to_json()))
    assert said["size"] == [WIDTH, HEIGHT]
    assert said["windows"] == [{"number": 1, **found.windows[0].to_json()}]
    (told,) = said["unread"]
    assert set(told) == {"what", "code", "message", "next_step", "data", "center"}
    assert told["what"] == "window"


def test_a_photo_without_windows_is_no_mistake() -> None:
    """There is nothing to read, which is an answer and not an error."""
    found = read(a_table())
    assert (found.windows, found.unread) == ((), ())


@pytest.mark.parametrize("name", ["easy_daylight.jpg", "steep_tilt.jpg", "upside_down.jpg"])
def test_one_window_is_read_as_read_photo_does(name: str) -> None:
    """A table with one window is that window, cell for cell."""
    alone, (found,) = read_photo(SAMPLES / name), read_table(SAMPLES / name).windows
    assert [cell.die for cell in found.cells] == [cell.die for cell in alone.cells]
    assert np.abs(np.array(found.corners) - alone.corners).max() < 2


@given(
    st.lists(
        st.tuples(st.integers(0, 400), st.integers(0, 300)).filter(lambda one: one != (200, 150)),
        unique=True,
        max_size=6,
    )
)
def test_the_order_of_a_table_does_not_hang_on_the_order_of_finding(places: list[tuple[int, int]]) -> None:
    """They go clockwise from the one nearest the bottom edge, in whatever order they were seen."""
    ordered = clockwise(places, np.array, (400, 300))
    assert sorted(ordered) == sorted(places)
    assert clockwise(places[::-1], np.array, (400, 300))[:1] == ordered[:1]
    if ordered:
        assert ordered[0][1] == max(y for _, y in places)
        angles = [np.arctan2(y - 150, x - 200) % (2 * np.pi) for x, y in ordered]
        turns = np.diff([(angle - angles[0]) % (2 * np.pi) for angle in angles])
        assert (turns >= -1e-9).all()


def test_of_two_windows_of_one_size_the_one_with_dice_is_meant() -> None:
    """Where one window is wanted, an empty one of the same size beside it stands in nobody's way."""
    table = a_table()
    put(table, "full_window.jpg", (520, 650), 0, 100)
    put(table, "empty_window.jpg", (1380, 650), 0, 100)
    reading = read_photo(png(table))
    assert (reading.board, reading.other_windows) == (board_of("full_window.jpg"), 1)


def test_a_small_window_has_others_beside_it_told() -> None:
    """Two windows on a far table are two, also where the first look sees one of them."""
    near = photo_of("two_windows.jpg")
    far = np.full_like(near, (125, 110, 95))
    small = cv2.resize(near, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    top, left = ((whole - part) // 2 for whole, part in zip(near.shape[:2], small.shape[:2], strict=True))
    far[top : top + small.shape[0], left : left + small.shape[1]] = small
    assert read_photo(far).other_windows == 1


@pytest.mark.parametrize("reader", [read_photo, read_table])
@pytest.mark.parametrize("light", [1.0, 0.2])
def test_a_photo_without_colors_is_refused(reader: Callable[[bytes], object], light: float) -> None:
    """In black and white nobody can tell red from green; the error says to switch to color."""
    gray = cv2.imread(str(SAMPLES / "easy_daylight.jpg"), cv2.IMREAD_GRAYSCALE)
    assert gray is not None
    with pytest.raises(VisionError) as caught:
        reader(cv2.imencode(".jpg", (gray * light).astype(np.uint8))[1].tobytes())
    assert caught.value.code == "no_colors"
