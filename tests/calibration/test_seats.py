"""Drawn tables as one sees them from a chair, and the views of them that the finder learns from."""

from __future__ import annotations

import numpy as np

from calibration.training.dataset import make_shard
from calibration.training.synthetic import seats


def test_a_table_has_one_to_four_windows() -> None:
    """Each window has twenty dice or open spaces and twenty prints, and its place before the camera."""
    scene = seats.render(np.random.default_rng(31_900_001), size=(240, 200))
    assert 1 <= len(scene.windows) <= seats.MOST_WINDOWS
    for window in scene.windows:
        assert len(window.dice) == len(window.print) == 20
        assert (np.array([[0, 0, 1], [5, 0, 1], [5, 4, 1], [0, 4, 1]]) @ window.base[2] > 0).all()


def test_the_finder_sees_a_table_four_times() -> None:
    """It sees all of it, a part, a steeper look and one window set straight, with up to four windows."""
    shard = make_shard(31_900_000, 1, "seats")
    assert shard["views"].shape == (4, 384, 384, 3)
    assert shard["maps"].shape == (4, 4, 2, 3, 3)
    assert np.isfinite(shard["maps"][0].astype(np.float64)).any()
