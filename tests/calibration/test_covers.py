"""What is laid over drawn windows, and what is said to be hidden by it."""

from __future__ import annotations

import numpy as np

from calibration.training.covered_set import drawn
from calibration.training.synthetic import covers, scene

DICE = tuple("R1" if cell % 2 else "--" for cell in range(20))
BASE = np.array([[50.0, 0, 60], [0, 50, 60], [0, 0, 1]])
TOP = np.array([[52.0, 0, 55], [0, 52, 55], [0, 0, 1]])
WINDOW = scene.Window(DICE, tuple("." * 20), BASE, TOP, 3.0)
GREY = np.full((330, 380, 3), 0.5, np.float32)


def test_the_same_seed_lays_the_same_over_a_window() -> None:
    """A shard can be made again alone."""
    first, again = (covers.covered(np.random.default_rng(4), GREY, WINDOW) for _ in range(2))
    assert np.array_equal(first[0], again[0])
    assert np.array_equal(first[1], again[1])


def test_what_is_hidden_does_not_show() -> None:
    """Of a cell that is said to be hidden, nothing of what was there is left."""
    y, x = np.mgrid[:330, :380]
    checks = np.repeat((((x // 4 + y // 4) % 2) * 0.9)[..., None], 3, axis=2).astype(np.float32)
    found = 0
    for seed in range(12):
        plain, hidden = covers.covered(np.random.default_rng(seed), GREY, WINDOW)
        marked, again = covers.covered(np.random.default_rng(seed), checks, WINDOW)
        assert np.array_equal(hidden, again)
        spots = covers.cell_spots(WINDOW).round().astype(int)
        for cell in np.flatnonzero(hidden == 1):
            px, py = spots[cell].T
            shown = np.abs(plain[py, px].clip(0, 1) - marked[py, px].clip(0, 1)).mean()
            assert shown < 0.1
            found += 1
    assert found > 2


def test_a_die_in_front_hides_the_space_behind_it() -> None:
    """Seen from low, part of an empty space lies behind the die before it; from above nothing does."""
    low = np.array([[50.0, 0, 60], [0, 50, 20], [0, 0, 1]])  # tops are seen 40 pixels further up
    assert covers.behind_dice(WINDOW).max() < 0.1
    oblique = scene.Window(DICE, WINDOW.print, BASE, low, 3.0)
    behind = covers.behind_dice(oblique)
    assert behind[[cell for cell, code in enumerate(DICE) if code != "--"]].max() == 0
    assert behind[2] > 0.3  # column 3 of row A, with a die in row B


def test_a_scene_is_looked_at_as_it_is_and_with_something_over_it() -> None:
    """The first look has nothing hidden, and every look says so of 20 cells."""
    looks = drawn(60_000_001)
    count = len(looks["seeds"])
    assert count > 1
    assert not looks["hidden"][0].astype(bool).any()
    assert looks["views"].shape == (count, 156, 180, 6)
    assert looks["hidden"].shape == looks["behind"].shape == looks["inside"].shape == (count, 20)
