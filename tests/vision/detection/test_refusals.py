"""Why a photo is refused, and that the reason and the next step are the right ones."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.samples import as_photo, corners_of, photo_of
from vision import VisionError
from vision.detection import search as refusals
from vision.detection.search import Found, find_grid
from vision.geometry import CELL_CENTERS, Grid, apply_homography

NAME = "easy_daylight.jpg"


def found_in(image: NDArray[np.uint8]) -> Found:
    """Search a picture for the window."""
    return find_grid(as_photo(image))


def refusal_of(image: NDArray[np.uint8]) -> VisionError:
    """Return the error that searching a picture ends in."""
    with pytest.raises(VisionError) as caught:
        found_in(image)
    return caught.value


def middles_of(name: str = NAME) -> NDArray[np.float64]:
    """Return where the middles of the labelled cells lie, shape (20, 2)."""
    return apply_homography(Grid.from_corners(corners_of(name), (1200, 1600)).homography, CELL_CENTERS)


@pytest.mark.parametrize("side", ["left", "right", "top", "bottom"])
@pytest.mark.parametrize("cells_left", [14, 8])
def test_a_window_cut_at_any_edge_is_told_so_with_the_edge(side: str, cells_left: int) -> None:
    """With fourteen or eight cells left, the window is cut off, and the edge that cuts it is named."""
    axis = 0 if side in ("left", "right") else 1
    order = np.sort(middles_of()[:, axis])
    image = photo_of(NAME)
    if side in ("left", "top"):
        at = int(order[20 - cells_left - 1 : 20 - cells_left + 1].mean())
        image = image[:, at:] if axis == 0 else image[at:]
    else:
        at = int(order[cells_left - 1 : cells_left + 1].mean())
        image = image[:, :at] if axis == 0 else image[:at]
    error = refusal_of(image)
    assert error.code == "board_cut_off"
    assert side in error.message
    assert side in str(error.data["edges"])


def test_a_window_cut_at_a_corner_names_both_edges() -> None:
    """Two edges are both named, the one that hides more first."""
    error = refusals.cut_off(("top", "left"))
    assert error.message == "A part of the window is outside the photo: at the top and on the left."
    assert error.to_json()["data"] == {"edges": ["top", "left"]}


def test_two_windows_alike_are_several() -> None:
    """Of two windows of one size side by side none stands out, and the next step says what helps."""
    error = refusal_of(np.hstack([photo_of(NAME), photo_of(NAME)]))
    assert error.code == "several_boards"
    assert error.data == {"windows": 2}
    assert "one window" in error.next_step


def test_the_larger_of_two_windows_is_read() -> None:
    """A window well larger than its neighbor is read, and the neighbor is counted."""
    image = photo_of(NAME)
    small = cv2.resize(image, None, fx=0.6, fy=0.6, interpolation=cv2.INTER_AREA)
    beside = np.full((image.shape[0], small.shape[1], 3), 90, np.uint8)
    beside[: small.shape[0]] = small
    found = found_in(np.hstack([image, beside]))
    assert found.other_windows == 1
    assert found.grid.corners_px[:, 0].max() < image.shape[1]


def test_blur_is_measured_apart_from_what_is_shown() -> None:
    """A sharp photo measures well below the limit and the same photo out of focus well above."""
    grey = np.asarray(cv2.cvtColor(photo_of(NAME), cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    soft = np.asarray(cv2.GaussianBlur(grey, (0, 0), 16), dtype=np.uint8)
    assert refusals.blur(grey) < refusals.BLURRY - 0.1
    assert refusals.blur(soft) > refusals.BLURRY + 0.1
