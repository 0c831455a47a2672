"""Windows so small that nobody could be sure of the pips."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.samples import photo_of, png
from vision import read_photo

PITCH_PX = 122  # of the sample, about


@pytest.mark.parametrize(("pitch_px", "all_doubtful"), [(15, True), (24, False)])
def test_every_die_of_a_tiny_window_is_doubtful(pitch_px: int, all_doubtful: bool) -> None:
    """Below 18 pixels a cell each die is flagged, however sure the network is; above, not each."""
    photo = photo_of("easy_daylight.jpg")
    zoom = pitch_px / PITCH_PX
    small = cv2.resize(photo, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA)
    around = np.full((900, 900, 3), np.median(photo, axis=(0, 1)), np.uint8)
    y, x = (900 - small.shape[0]) // 2, (900 - small.shape[1]) // 2
    around[y : y + small.shape[0], x : x + small.shape[1]] = small
    dice = [cell for cell in read_photo(png(around)).cells if cell.die]
    assert len(dice) > 12
    assert all(cell.doubtful for cell in dice) == all_doubtful
