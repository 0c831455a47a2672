"""What the finder's maps say of a lattice: which way up it lies."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.detection.views import FinderView, Maps, art_beside, upright_probability

STRAIGHT = np.array([[40.0, 0, 90], [0, 40, 110], [0, 0, 1]])
SIZE = (384, 384)


def seen(*rows: slice) -> Maps:
    """Return maps of a view that is the photo, with art in some rows of the map."""
    art, nothing = np.zeros((96, 96), np.float32), np.zeros((96, 96), np.float32)
    for row in rows:
        art[row] = 1
    return Maps(FinderView(np.full((384, 384, 3), 90, np.uint8), np.eye(3)), nothing, nothing, nothing, art)


def cut_by(down: NDArray[np.float64], maps: Maps) -> Maps:
    """Return the maps of a photo whose edge lies so far down in the view."""
    return replace(maps, view=FinderView(maps.view.image_bgr, np.asarray(np.linalg.inv(down), np.float64)))


ABOVE, BELOW = slice(0, 26), slice(70, 96)  # of row A of the lattice, and of row D


@pytest.mark.parametrize(("art", "low", "high"), [(ABOVE, 0.99, 1), (BELOW, 0, 0.01), (slice(0), 0.5, 0.5)])
def test_row_a_lies_on_the_side_of_the_art(art: slice, low: float, high: float) -> None:
    """Art above a lattice means that it is upright, art below that it is not, and none says nothing."""
    assert low <= upright_probability(seen(art), STRAIGHT, SIZE) <= high


def test_art_counts_as_far_as_it_lies_in_the_photo() -> None:
    """Of a window at the photo's upper edge a strip of art tells the way up like all of it."""
    down = np.array([[1, 0, 0], [0, 1, 84], [0, 0, 1.0]])  # of the photo, whose edge lies there in the view
    assert upright_probability(cut_by(down, seen(ABOVE)), STRAIGHT, SIZE) > 0.95


def test_a_side_out_of_sight_may_have_the_art() -> None:
    """Where one side is in the photo and has no art, the other one is a little likelier to have it."""
    down = np.array([[1, 0, 0], [0, 1, 110], [0, 0, 1.0]])
    cut = cut_by(down, seen())
    above, _, below, _ = art_beside(cut, STRAIGHT, SIZE)
    assert above > below
    assert 0.6 < upright_probability(cut, STRAIGHT, SIZE) < 0.9
