"""The whole road on the photos that ship, and what happens when there is nothing to read."""

import json

import cv2
import numpy as np
import pytest

from calibration.training.synthetic.scene import render
from scoring import Board
from tests.vision.samples import LABELS, SAMPLES, board_of, corners_of, photo_of, png
from vision import BoardNotFoundError, BoardUnreadableError, Corners, Reading, VisionError, read_photo
from vision.geometry import CELL_CENTERS, Grid, apply_homography
from vision.recognition.dice import DOUBTFUL_BELOW

EASY = "easy_daylight.jpg"
WHOLE = sorted(name for name, label in LABELS.items() if label.get("kind") == "board" and "board" in label)


def wrong_cells(reading: Reading, board: Board) -> list[tuple[int, int]]:
    """Return the cells of a reading that differ from the board."""
    return [(cell.row, cell.column) for cell in reading.cells if cell.die != board[cell.row, cell.column]]


@pytest.fixture(scope="module")
def readings() -> dict[str, Reading]:
    """Read every whole sample once."""
    return {name: read_photo(SAMPLES / name) for name in WHOLE}


@pytest.mark.parametrize("name", WHOLE)
def test_a_sample_is_read(readings: dict[str, Reading], name: str) -> None:
    """Corners are found to a third of a cell; at most two cells are wrong, and those are doubtful.

    Exactly the cells below the stated confidence are doubtful, and they carry alternatives.
    """
    reading = readings[name]
    truth = np.array(corners_of(name))
    pitch = Grid.from_corners(corners_of(name), (1, 1)).pitch_px
    assert np.linalg.norm(np.array(reading.corners) - truth, axis=1).max() < pitch / 3
    for cell in reading.cells:
        assert cell.doubtful == (cell.confidence < DOUBTFUL_BELOW)
        assert not cell.doubtful or cell.alternatives
        assert cell.confidence + sum(a.probability for a in cell.alternatives) <= 1 + 1e-6
    wrong = wrong_cells(reading, board_of(name))
    assert len(wrong) <= 2
    assert all(reading.cell(*cell).doubtful for cell in wrong)


def test_easy_photos_are_read_without_a_mistake(readings: dict[str, Reading]) -> None:
    """In daylight from above all twenty cells and the card are right."""
    for name in ("easy_daylight.jpg", "full_window.jpg"):
        assert wrong_cells(readings[name], board_of(name)) == []
        window = readings[name].window
        assert window is not None
        assert window.name == LABELS[name]["window"]


def test_a_table_without_a_window_is_refused() -> None:
    """Where there is only a table, no board is made up."""
    rng = np.random.default_rng(3)
    table = cv2.GaussianBlur(rng.integers(60, 200, (900, 1200, 3)).astype(np.uint8), (0, 0), 3)
    with pytest.raises(BoardNotFoundError) as caught:
        read_photo(png(table.astype(np.uint8)))
    assert caught.value.code == "board_not_found"


def test_a_black_photo_is_too_dark() -> None:
    """A photo taken in the dark is told so, not that there is no window."""
    with pytest.raises(BoardUnreadableError) as caught:
        read_photo(png(np.full((900, 1200, 3), 6, np.uint8)))
    assert caught.value.code == "too_dark"


@pytest.mark.parametrize("light", [0.5, 0.25, 0.15])
def test_an_underexposed_photo_is_read(light: float) -> None:
    """A photo with a seventh of the light still gives the same dice, or marks them as doubtful."""
    reading = read_photo(png((photo_of(EASY) * light).astype(np.uint8)))
    wrong = wrong_cells(reading, board_of(EASY))
    assert all(reading.cell(*cell).doubtful for cell in wrong)
    assert len(wrong) <= 1


@pytest.mark.parametrize("turn", range(4))
def test_corners_by_hand_may_start_anywhere(turn: int) -> None:
    """Given four corners in any rotation, the reading is that of the photo read by itself."""
    name = "sideways.jpg"
    corners = [(x + 3, y - 3) for x, y in corners_of(name)]
    a, b, c, d = corners[turn:] + corners[:turn]
    reading = read_photo(SAMPLES / name, corners=(a, b, c, d))
    assert reading.board == read_photo(SAMPLES / name).board


@pytest.mark.parametrize(
    ("corners", "code"),
    [
        (((0, 0), (0, 0), (0, 0), (0, 0)), "bad_corners"),
        (((0, 0), (100, 100), (200, 200), (300, 300)), "bad_corners"),
        (((0, 0), (500, 0), (100, 100), (0, 500)), "bad_corners"),
        (((5000, 5000), (5500, 5000), (5500, 5400), (5000, 5400)), "bad_corners"),
        (((-1e5, -1e5), (1e5, -1e5), (1e5, 1e5), (-1e5, 1e5)), "bad_corners"),
        (((10, 10), (40, 10), (40, 34), (10, 34)), "too_small"),
    ],
)
def test_corners_that_span_no_window_are_refused(corners: Corners, code: str) -> None:
    """Points on one spot, on a line, with a dent, beside the photo or around a speck outline no window."""
    with pytest.raises(BoardUnreadableError) as caught:
        read_photo(SAMPLES / EASY, corners=corners)
    assert caught.value.code == code


def test_json_has_the_fields_of_the_contract(readings: dict[str, Reading]) -> None:
    """``to_json`` holds exactly the fields that other programs were promised."""
    data = readings["easy_daylight.jpg"].to_json()
    assert list(data) == [
        "seconds", "size", "corners", "board", "pattern", "unclear_prints", "window", "upright_probability",
        "other_windows", "unlike_dice", "profile", "mirrored", "tokens", "cells",
    ]  # fmt: skip
    assert json.loads(json.dumps(data)) == data


@pytest.mark.parametrize("seed", [2001, 2021, 2041, 2061, 2081, 2101])
def test_held_back_scenes_are_located_or_refused(seed: int) -> None:
    """Of scenes not learned from (seed % 20 == 1), whole windows are located, and others never made up."""
    size = (960, 720)
    scene = render(np.random.default_rng(seed), size=size)
    data = png(scene.image_bgr)
    tops = [apply_homography(window.top, CELL_CENTERS) for window in scene.windows]
    if not any(((points > 0) & (points < size)).all() for points in tops):
        with pytest.raises(VisionError):
            read_photo(data)
        return
    corners = np.array(read_photo(data).corners)
    grids = [Grid(window.base, np.zeros(3)) for window in scene.windows]
    errors = [
        np.linalg.norm(np.roll(corners, half, axis=0) - grid.corners_px, axis=1).max() / grid.pitch_px
        for grid in grids
        for half in (0, 2)
    ]
    assert min(errors) < 0.3


def test_a_cell_mostly_out_of_view_is_doubtful() -> None:
    """Where the picture's edge hides most of a column, its cells are flagged, however sure the network is."""
    image = photo_of(EASY)
    grid = Grid.from_corners(corners_of(EASY), (image.shape[1], image.shape[0]))
    width = int(apply_homography(grid.homography, np.array([[4.4, 2.0]]))[0, 0])
    reading = read_photo(png(image[:, :width]), corners=corners_of(EASY))
    assert all(reading.cell(row, 4).doubtful for row in range(4))
    assert not any(reading.cell(row, 1).doubtful for row in range(4))
