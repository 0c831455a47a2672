"""Drawn tables as one sees them from a chair, and the views of them that the finder learns from."""

from __future__ import annotations

import numpy as np

from calibration.training.sets import SETS
from calibration.training.synthetic import seats


def test_a_table_has_one_to_four_windows() -> None:
    """Each window has twenty dice or open spaces and twenty prints, and its place before the camera."""
    scene = seats.render(np.random.default_rng(31_900_001), size=(240, 200))
    assert 1 <= len(scene.windows) <= seats.MOST_WINDOWS
    for window in scene.windows:
        assert len(window.dice) == len(window.print) == 20
        assert (np.array([[0, 0, 1], [5, 0, 1], [5, 4, 1], [0, 4, 1]]) @ window.base[2] > 0).all()


def test_the_reader_sees_which_way_dice_lean() -> None:
    """Each readable window of a table comes with its lean, mostly half a pitch and more, and with no view."""
    shard = SETS["seats"].arrays(0, 4)
    assert len(shard["leans"]) == len(shard["crops"]) > 0
    assert np.median(np.linalg.norm(shard["leans"].astype(np.float64), axis=1)) > 0.45
    assert "views" not in shard
