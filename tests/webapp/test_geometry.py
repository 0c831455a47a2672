from __future__ import annotations

import cv2
import numpy as np
import pytest

from webapp.views.readings import cell_outlines, view

TILTED = ((100.0, 80.0), (700.0, 150.0), (640.0, 560.0), (60.0, 430.0))


def test_the_cells_are_those_of_the_homography() -> None:
    """The drawn lattice is the projective image of the flat one, as OpenCV computes it."""
    flat = np.array([[0, 0], [5, 0], [5, 4], [0, 4]], np.float32)
    homography = cv2.getPerspectiveTransform(flat, np.array(TILTED, np.float32))
    board = np.array([[[column, row] for row in range(4) for column in range(5)]], np.float32)
    wanted = cv2.perspectiveTransform(board, homography)[0]
    assert np.allclose([outline[0] for outline in cell_outlines(TILTED, inset=0)], wanted, atol=0.01)


def test_a_square_seen_from_above_stays_square() -> None:
    """Without tilt the cells are equal, drawn in on each side alike; corners on a line do not crash."""
    assert len(cell_outlines(((0, 0), (1, 1), (2, 2), (3, 3)))) == 20
    outlines = cell_outlines(((0, 0), (500, 0), (500, 400), (0, 400)), inset=0.1)
    assert np.allclose(outlines[0], [(10, 10), (90, 10), (90, 90), (10, 90)])
    assert np.allclose(outlines[19], [(410, 310), (490, 310), (490, 390), (410, 390)])


@pytest.mark.parametrize(("turns", "angle"), [(0, 0), (1, 270), (2, 180), (3, 90)])
def test_the_photo_is_shown_with_row_a_on_top(turns: int, angle: int) -> None:
    """However the photo was held, it is turned by quarter turns until the window stands upright."""
    square = [(300.0, 200.0), (500.0, 200.0), (500.0, 360.0), (300.0, 360.0)]
    corners = square
    for _ in range(turns):  # each turn by 90 degrees clockwise about the middle of an 800 x 600 photo
        corners = [(400 - (y - 300), 300 + (x - 400)) for x, y in corners]
    assert view((800, 600), corners).angle == angle


def test_the_crop_holds_the_window_and_stays_in_the_photo() -> None:
    """The shown part has the whole window in it and nothing from outside the photo, which is whole unread."""
    assert view((800, 600), None).crop == "0 0 800 600"
    left, top, width, height = map(float, view((800, 600), TILTED).crop.split())
    assert left >= 0
    assert 0 <= top <= 80
    assert left + width <= 800
    assert top + height <= 600
    assert left <= 60
    assert left + width >= 700
    assert top + height >= 560
