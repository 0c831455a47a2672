"""The photo halved again and again."""

import numpy as np
import pytest

from vision.detection.views import SMALLEST_PX, Levels
from vision.geometry import apply_homography


@pytest.mark.parametrize("size", [(1600, 1200), (1601, 1199), (500, 90)])
@pytest.mark.parametrize("halvings", [0, 1, 3, 9])
def test_a_spot_lies_where_the_matrix_says(size: tuple[int, int], halvings: int) -> None:
    """On each level a bright spot lies where the matrix takes its middle, to half a pixel."""
    width, height = size
    image = np.zeros((height, width, 3), np.uint8)
    image[32:64, 320:352] = 255
    level, to_level = Levels(image).at(halvings)
    ys, xs = np.nonzero(level[..., 0] > 127)
    spot = apply_homography(to_level, np.array([[335.5, 47.5]]))[0]
    assert (xs.mean(), ys.mean()) == pytest.approx(tuple(spot), abs=0.5)


def test_no_level_is_tiny() -> None:
    """However often it is asked for, a photo is never halved to less than a few dozen pixels."""
    level, _ = Levels(np.zeros((900, 1200, 3), np.uint8)).at(20)
    assert SMALLEST_PX <= min(level.shape[:2]) < 2 * SMALLEST_PX
