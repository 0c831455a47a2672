"""The pictures the finder looks at, and the way back to the photo."""

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.detection.views import VIEW_PX, FinderView, straight_view, tilted_view, whole_view
from vision.geometry import Grid, apply_homography

SPOT = (610, 420)
GRID = Grid.from_corners(((300, 200), (900, 220), (940, 690), (270, 660)), (1200, 900))


def photo(scale: int) -> NDArray[np.uint8]:
    """Return a dark photo, 1200 x 900 times ``scale``, with one bright spot around SPOT."""
    image = np.full((900 * scale, 1200 * scale, 3), 30, np.uint8)
    x, y = SPOT[0] * scale, SPOT[1] * scale
    image[y - 9 * scale : y + 9 * scale, x - 9 * scale : x + 9 * scale] = 250
    return image


def views(scale: int) -> dict[str, FinderView]:
    """Return every kind of view of the photo."""
    image = photo(scale)
    grown = np.diag([scale, scale, 1.0]) @ GRID.homography
    return {
        "whole": whole_view(image),
        "a part": whole_view(image, (400 * scale, 200 * scale, 1000 * scale, 800 * scale)),
        "straight": straight_view(image, grown),
        "tilted, far side up": tilted_view(image, 0, 45, 1250.0 * scale),
        "tilted, far side right": tilted_view(image, 90, 45, 1250.0 * scale),
    }


@pytest.mark.parametrize("name", list(views(1)))
@pytest.mark.parametrize("scale", [1, 3])
def test_a_spot_is_found_again_in_the_photo(name: str, scale: int) -> None:
    """What is seen in a view lies, taken back, where it is in the photo, to half a percent of its width."""
    view = views(scale)[name]
    assert view.image_bgr.shape == (VIEW_PX, VIEW_PX, 3)
    ys, xs = np.nonzero(view.image_bgr[..., 0] > 140)
    middle = np.array([[xs.mean(), ys.mean()]])
    found = apply_homography(view.to_photo, middle)[0] / scale
    assert found == pytest.approx(SPOT, abs=6)


def test_beyond_the_photo_there_is_grey() -> None:
    """A view shows even grey where the photo ends, so that nothing is invented there."""
    view = whole_view(photo(1))
    assert (view.image_bgr[300:] == 114).all()
