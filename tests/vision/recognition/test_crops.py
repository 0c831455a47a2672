"""The pictures of cells that the reader looks at."""

from __future__ import annotations

import cv2
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vision.recognition.cells import with_light_pips

PIXELS = st.tuples(*[st.integers(0, 255)] * 3)
LOST = 31  # of all 16.7 million colors
BLUE, YELLOW, RED, WHITE, BLACK = (255, 0, 0), (0, 255, 255), (0, 0, 255), (255, 255, 255), (0, 0, 0)


def shown(crops: np.ndarray) -> np.ndarray:
    """Return all pixels of crops in one row, BGR."""
    return crops.reshape(1, -1, 3)


def luma(image_bgr: np.ndarray) -> np.ndarray:
    """Return how light each pixel looks, as OpenCV's gray has it."""
    return cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY).astype(int)


@given(PIXELS, PIXELS)
def test_what_looks_darker_looks_lighter_when_exchanged(one: tuple[int, ...], other: tuple[int, ...]) -> None:
    """The luma is turned over, but for what strong colors lose by clipping."""
    crops = np.array([*one, *other], np.uint8).reshape(1, 1, 1, 6)
    turned_over = luma(shown(with_light_pips(crops))) + luma(shown(crops))
    assert np.abs(turned_over - 255).max() <= LOST
    grays = np.full_like(crops, one[0])
    assert (with_light_pips(grays) == 255 - grays).all()


def test_pips_of_a_darker_color_become_light() -> None:
    """Blue ones on yellow, black ones on red and red ones on white are lighter than their die then."""
    for pip, die in ((BLUE, YELLOW), (BLACK, RED), (RED, WHITE)):
        crops = np.zeros((1, 2, 2, 6), np.uint8)
        crops[..., :3], crops[..., 3:] = die, die
        crops[0, 0, 0] = (*pip, *pip)
        light = luma(shown(with_light_pips(crops))).reshape(2, 2, 2)[..., 0]
        assert light[0, 0] > light[1, 1] + 60
