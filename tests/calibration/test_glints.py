"""Lamps that are painted into the tops of dice."""

from __future__ import annotations

import numpy as np

from calibration.training.glints import glossy, shaded


def test_lamps_brighten_tops_of_dice_and_nothing_else() -> None:
    """Open spaces and what surrounds a die stay as they are; of the dice of some windows each has a glint."""
    crops = np.full((20, 56, 56, 6), 60, np.uint8)
    filled = np.arange(20) % 2 == 0
    brighter = np.zeros(20, bool)
    for seed in range(15):
        lit = glossy(np.random.default_rng(seed), crops, filled, np.array([0.0, -0.1])).astype(int) - crops
        assert lit.min() >= -1  # rounding
        assert np.abs(lit[~filled]).max() <= 1
        assert np.abs(lit[:, :4]).max() <= 1
        brighter |= lit.max(axis=(1, 2, 3)) > 40
    assert (brighter == filled).all()


def test_shade_darkens_and_leaves_light_beside_it() -> None:
    """Stripes of shade leave some pixels about as light as they were and make others much darker."""
    crops = np.full((20, 112, 112, 3), 120, np.uint8)
    darkest = []
    for seed in range(15):
        seen = shaded(np.random.default_rng(seed), crops)
        assert seen.max() >= 100
        darkest.append(seen.min())
    assert np.median(darkest) < 90
