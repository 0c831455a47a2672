"""The grid from four corners that a person has set, as people set them."""

from itertools import permutations

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.samples import SAMPLES, as_photo, corners_of
from vision.detection.sighting import grid_from_corners
from vision.geometry import Grid, as_corners
from vision.photo import Photo, load_photo

NAME = "sideways.jpg"
TRUTH = np.array(corners_of(NAME))


PITCH = Grid.from_corners(as_corners(TRUTH), (1200, 1600)).pitch_px


@pytest.fixture(scope="module")
def photo() -> Photo:
    """Load the sample once."""
    return load_photo(SAMPLES / NAME)


def error(grid: Grid, truth: NDArray[np.float64]) -> float:
    """Return the largest distance of the corners, in pitches, the way up included."""
    return float(np.linalg.norm(grid.corners_px - truth, axis=1).max() / PITCH)


@pytest.mark.parametrize("seed", range(4))
def test_a_finger_may_be_off_by_a_third_of_a_cell(photo: Photo, seed: int) -> None:
    """Corners set 0.3 cells off, each in its own direction, give the window's own to a fifth of a cell."""
    angle = np.random.default_rng(seed).uniform(0, 2 * np.pi, 4)
    off = 0.3 * PITCH * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    assert error(grid_from_corners(photo, as_corners(TRUTH + off)), TRUTH) < 0.2


@pytest.mark.parametrize("order", list(permutations(range(4)))[::5])
def test_corners_may_come_in_any_order(photo: Photo, order: tuple[int, ...]) -> None:
    """Whichever corner is set first, the grid begins at the window's top left."""
    assert error(grid_from_corners(photo, as_corners(TRUTH[list(order)])), TRUTH) < 0.2


def test_a_corner_may_lie_outside_the_photo(photo: Photo) -> None:
    """Of a photo that ends within the outermost corner cell, the grid is as exact as of the whole one."""
    middle = TRUTH.mean(0)
    outermost = TRUTH[np.abs(TRUTH[:, 0] - middle[0]).argmax()]
    edge = int(outermost[0] + 0.25 * PITCH * np.sign(middle[0] - outermost[0]))
    image = photo.image_bgr[:, :edge] if outermost[0] > middle[0] else photo.image_bgr[:, edge:]
    truth = TRUTH - [0 if outermost[0] > middle[0] else edge, 0]
    assert error(grid_from_corners(as_photo(image), as_corners(truth)), truth) < 0.15


def test_where_no_window_is_seen_the_corners_stay_as_they_were_set() -> None:
    """On a plain table the four points are taken at their word."""
    table = np.full((900, 1200, 3), 120, np.uint8)
    corners = as_corners(np.array([[300, 200], [800, 220], [790, 610], [310, 600.0]]))
    grid = grid_from_corners(Photo(table, (1200, 900), 1.0), corners)
    found = {tuple(np.round(point).astype(int).tolist()) for point in grid.corners_px}
    assert found == {tuple(int(v) for v in point) for point in corners}
