"""A die that may be no more than the front of the one behind it."""

from __future__ import annotations

import numpy as np

from vision.recognition.dice import CellProbabilities, without_fronts

FAR_UP = np.array([0.05, -0.9])
"""The camera stands before row D: dice lean towards row A."""


def two_dice(first: int, second: int, colors: tuple[int, int], sure: float = 1.0) -> CellProbabilities:
    """Return what is read of a window with two dice, the second one as sure as said."""
    filled, color = np.zeros(20), np.full((20, 5), 0.2)
    filled[[first, second]] = 0.99, sure
    for cell, which in zip((first, second), colors, strict=True):
        color[cell] = np.eye(5)[which]
    value = np.tile(np.eye(6)[2], (20, 1))
    return CellProbabilities(filled, color, value, np.full((20, 12), 1 / 12))


def test_a_die_before_a_sure_one_of_its_color_is_doubtful() -> None:
    """From low down, the nearer of two dice of one color in a line of sight is as likely an open space."""
    found = without_fronts(two_dice(12, 7, (3, 3)), FAR_UP)
    assert found.filled[12] == 0.5
    assert found.filled[7] == 1.0


def test_a_die_that_is_surely_one_is_no_front() -> None:
    """Two dice of one color may stand in a line of sight, against the rules or across a corner."""
    read = two_dice(12, 7, (3, 3))
    read.filled[12] = 0.9999
    assert np.array_equal(without_fronts(read, FAR_UP).filled, read.filled)


def test_from_above_there_are_no_fronts() -> None:
    """Where dice hardly lean, two of one color stay as they were read, however illegal."""
    read = two_dice(12, 7, (3, 3))
    assert np.array_equal(without_fronts(read, FAR_UP / 3).filled, read.filled)


def test_another_color_or_place_speaks_for_a_die() -> None:
    """A die of another color behind, one beside, and one that is doubtful itself cast no doubt."""
    for read in (two_dice(12, 7, (3, 2)), two_dice(12, 13, (3, 3)), two_dice(12, 7, (3, 3), sure=0.8)):
        assert np.array_equal(without_fronts(read, FAR_UP).filled, read.filled)
