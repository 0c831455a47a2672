"""Which scenes are learned from."""

from __future__ import annotations

import numpy as np

from calibration.training.dataset import PARTS, TEST, VALIDATION, held_out, learned_from


def test_every_scene_has_one_use() -> None:
    """A scene is learned from, or validates, or tests, and one in twenty does each of the latter."""
    seeds = np.arange(30_000_000, 30_000_000 + 5 * PARTS)
    parts = [learned_from(seeds), held_out(seeds, VALIDATION), held_out(seeds, TEST)]
    assert sorted(np.concatenate(parts).tolist()) == list(range(len(seeds)))
    assert [len(part) for part in parts] == [90, 5, 5]
