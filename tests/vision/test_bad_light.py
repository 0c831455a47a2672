"""Green light and blur: what can be mended is mended, and the rest is flagged."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.samples import LABELS, as_photo, board_of, corners_of, photo_of, png
from vision import BoardUnreadableError, Reading, read_photo
from vision.detection.sighting import window_blur
from vision.geometry import Grid
from vision.photo import in_white_light
from vision.read import PIPS_BLUR

EASY = "easy_daylight.jpg"
TRUTH = board_of(EASY)


def easy() -> NDArray[np.uint8]:
    """Return the easiest sample photo."""
    return photo_of(EASY)


def lit(blue: float, green: float, red: float) -> NDArray[np.uint8]:
    """Return the photo in light of these shares."""
    return np.asarray(np.round(easy() * np.array([blue, green, red])), dtype=np.uint8)


def blurred(cells: float) -> NDArray[np.uint8]:
    """Return the photo blurred by so many cells."""
    return np.asarray(
        cv2.GaussianBlur(easy(), (0, 0), cells * LABELS[EASY]["pixels_per_cell"]), dtype=np.uint8
    )


def read(image: NDArray[np.uint8]) -> Reading:
    """Read a picture as it is."""
    return read_photo(png(image))


@pytest.mark.parametrize("light", [(1.0, 1.0, 1.0), (0.45, 0.75, 1.0), (1.0, 0.8, 0.5)])
def test_the_light_of_lamps_is_left_as_it_is(light: tuple[float, float, float]) -> None:
    """White, warm and cold light is what the reader knows."""
    photo = as_photo(lit(*light))
    assert in_white_light(photo) is photo


@pytest.mark.parametrize("share", [0.6, 0.3])
def test_windows_in_green_light_are_read(share: float) -> None:
    """The green is taken out, and all dice are read right."""
    assert read(lit(share, 1.0, share)).board == TRUTH


def test_where_there_is_only_green_the_photo_is_refused() -> None:
    """Without blue and red nobody can tell the dice apart."""
    with pytest.raises(BoardUnreadableError) as caught:
        read(lit(0.04, 1.0, 0.04))
    assert caught.value.code == "no_colors"


def test_ones_are_flagged_where_pips_run_together() -> None:
    """In a window blurred by nearly a tenth of a cell whatever is wrong is flagged, and every one."""
    reading = read(blurred(0.095))
    assert all(cell.doubtful for cell in reading.cells if cell.value == 1)
    wrong = [cell for cell in reading.cells if cell.die != TRUTH[cell.row, cell.column]]
    assert all(cell.doubtful for cell in wrong)


def test_blur_is_measured_of_the_window() -> None:
    """The photo as it is lies well below what flags ones, and a tenth of a cell above it."""
    grid = Grid.from_corners(corners_of(EASY), as_photo(easy()).full_size)
    sharp, soft = (window_blur(image, grid.homography) for image in (easy(), blurred(0.1)))
    assert sharp < PIPS_BLUR - 0.1
    assert soft > PIPS_BLUR
    assert not any(cell.doubtful for cell in read(easy()).cells)
