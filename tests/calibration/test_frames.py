"""The frames of made-up windows: twenty holes, whatever art is above them."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.training.synthetic import frames
from calibration.training.synthetic.textures import SCALE
from vision.geometry import CELL_CENTERS


@pytest.mark.parametrize("rose", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_a_frame_has_twenty_holes_and_its_art_stays_off_the_bars(seed: int, rose: bool) -> None:
    """All cells are holes, and the bars between them have one color: no art reaches over the grid."""
    face, alpha, origin = frames.frame(np.random.default_rng(seed), rose=rose)
    middles = ((CELL_CENTERS + origin) * SCALE).astype(int)
    assert (alpha[middles[:, 1], middles[:, 0]] == 0).all()
    inner = [(x, y) for x in (1, 2, 3, 4) for y in (1, 2, 3)]
    crossings = ((np.array(inner) + origin) * SCALE).astype(int)
    bars = face[crossings[:, 1], crossings[:, 0]]
    assert (alpha[crossings[:, 1], crossings[:, 0]] == 1).all()
    assert np.ptp(bars, axis=0).max() < 1e-6


def test_a_rose_is_many_panes_around_one() -> None:
    """On a circle through the round panes of a rose, glass and stone take turns at least eight times."""
    face = np.full((400, 360, 3), 0.5, np.float32)
    glass = np.full_like(face, 0.9)
    frames._rose(np.random.default_rng(3), face, glass, (180, 200))
    turns = np.linspace(0, 2 * np.pi, 720)
    most = 0
    for reach in range(60, 170, 4):
        spots = face[(200 + reach * np.sin(turns)).astype(int), (180 + reach * np.cos(turns)).astype(int)]
        most = max(most, int((np.diff((spots == glass[0, 0]).all(axis=1).astype(int)) > 0).sum()))
    assert most >= 8
