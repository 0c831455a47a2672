"""What cannot be seen is not called empty."""

from __future__ import annotations

import json

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.training.held_back import file_of
from calibration.training.synthetic import odd
from tests.vision.samples import SAMPLES, board_of, corners_of, photo_of
from vision import Reading, read_photo
from vision.geometry import Grid, apply_homography
from vision.recognition.cells import Covers, beside, blinded

SKIN = np.array([120, 150, 205])


def with_a_finger(name: str, row: int, column: int) -> NDArray[np.uint8]:
    """Return a sample photo with something of the color of skin over a cell, coming from outside."""
    photo = photo_of(name)
    grid = Grid.from_corners(corners_of(name), (photo.shape[1], photo.shape[0]))
    tip, knuckle = apply_homography(
        grid.homography,
        np.array([[column + 0.5, row + 0.5], [3.2 * column - 3.9, 4.6 * row - 4.9]]),
    ).astype(int)
    over = cv2.line(
        np.zeros(photo.shape[:2], np.float32), tip.tolist(), knuckle.tolist(), 1.0, round(grid.pitch_px)
    )
    share = cv2.GaussianBlur(over, (0, 0), 3)[..., None]
    return np.asarray(photo * (1 - share) + share * SKIN, dtype=np.uint8)


def read(photo: NDArray[np.uint8]) -> Reading:
    """Read a picture as a JPEG."""
    return read_photo(cv2.imencode(".jpg", photo)[1].tobytes())


@pytest.mark.parametrize(
    ("name", "row", "column"),
    [
        ("few_dice.jpg", 1, 0),
        ("few_dice.jpg", 2, 0),
        ("empty_cells.jpg", 0, 4),
        ("full_window.jpg", 0, 0),
        ("full_window.jpg", 3, 4),
        ("easy_daylight.jpg", 3, 0),
    ],
)
def test_what_a_finger_hides_is_covered_and_asked_for(name: str, row: int, column: int) -> None:
    """Whether a die lies there or not: the cell is doubtful and says that nobody can see it, no other is."""
    reading = read(with_a_finger(name, row, column))
    assert [(cell.row, cell.column) for cell in reading.cells if cell.covered] == [(row, column)]
    assert reading.cell(row, column).doubtful
    assert reading.cell(row, column).confidence <= 0.5


@pytest.mark.parametrize(
    "name", ["empty_window.jpg", "empty_cells.jpg", "few_dice.jpg", "dark.jpg", "noise.jpg"]
)
def test_no_space_in_view_is_covered(name: str) -> None:
    """Open spaces show their print in daylight, in the dark and under noise."""
    assert not any(cell.covered for cell in read_photo(SAMPLES / name).cells)


def test_a_reading_of_the_first_versions_has_nothing_covered() -> None:
    """What was stored before a cell could be covered is still understood."""
    reading = read_photo(SAMPLES / "few_dice.jpg")
    data = json.loads(json.dumps(reading.to_json()))
    for cell in data["cells"]:
        del cell["covered"]
    assert Reading.from_json(data) == reading


def test_what_hides_a_space_goes_on_over_its_neighbors() -> None:
    """An empty space is hidden on less evidence beside a hidden one; a die, or a space apart, is not."""
    likely = np.zeros(20)
    likely[[0, 1, 5, 13]] = 0.9, 0.3, 0.3, 0.3
    dice = np.arange(20) == 5
    hidden = Covers(likely, likely).are_hidden(dice, np.zeros(20, bool))
    assert np.flatnonzero(hidden).tolist() == [0, 1]


FLAT = Grid(np.array([[40.0, 0, 20], [0, 40, 20], [0, 0, 1]]), np.zeros(3))


def test_a_die_is_blinded_where_most_of_its_top_is_white() -> None:
    """White over most of a top hides its pips; six pips, or white beside the top, do not."""
    photo = np.full((200, 240, 3), 120, np.uint8)
    photo[24:56, 24:56] = 250  # cell A1, all of it
    for x in (69, 83):  # cell A2: six pips
        for y in (30, 40, 50):
            photo[y - 4 : y + 4, x - 4 : x + 4] = 250
    photo[20:60, 100:105] = photo[20:60, 135:140] = 250  # cell A3: both sides of the die
    assert blinded(photo, FLAT).nonzero()[0].tolist() == [0]


def test_beside_a_burnt_out_die_a_white_space_may_be_one() -> None:
    """Under a lamp pale dice are as white as open spaces: beside one that is hidden none of them is sure."""
    scene = odd.photo_of(np.random.default_rng(74_501_263), odd.named_set("pastel", 16), "warm")
    reading = read_photo(file_of(scene.image_bgr))
    assert scene.windows[0].dice.count("--") == 0
    assert {cell.covered for cell in reading.cells if cell.die is None} == {True}


def test_beside_are_the_four_neighbors() -> None:
    """Of a corner two cells are beside, of an inner cell four, and none around the edge."""
    for cell, near in ((0, [1, 5]), (7, [2, 6, 8, 12]), (9, [4, 8, 14])):
        assert beside(np.arange(20) == cell).nonzero()[0].tolist() == near


@pytest.mark.parametrize("side", [0, 4])
def test_a_window_is_read_whose_outer_column_lies_under_a_sleeve(side: int) -> None:
    """All four spaces of the column are covered, and the other dice are read where they lie."""
    name = "full_window.jpg"
    photo, truth = photo_of(name), board_of(name)
    grid = Grid.from_corners(corners_of(name), (photo.shape[1], photo.shape[0]))
    inner, outer = (1, -4) if side == 0 else (4, 9)
    sleeve = apply_homography(grid.homography, np.array([[inner, -1], [inner, 5], [outer, 6], [outer, -2.0]]))
    cv2.fillPoly(photo, [sleeve.round().astype(np.int32)], (110, 60, 40), cv2.LINE_AA)
    reading = read(photo)
    assert {(cell.row, cell.column) for cell in reading.cells if cell.covered} >= {
        (row, side) for row in range(4)
    }
    others = [cell for cell in reading.cells if cell.column != side]
    assert [cell.die for cell in others] == [truth[cell.row, cell.column] for cell in others]
