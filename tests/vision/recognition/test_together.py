"""The dyes of a window's dice are told of all of them together."""

from __future__ import annotations

import numpy as np
import pytest

from vision.recognition.dice import Looks, game_signatures, told_together


@pytest.fixture
def looks() -> Looks:
    """Return a dozen dice that stand near the game's dyes, with pictures of noise."""
    rng = np.random.default_rng(6)
    places = game_signatures()[rng.integers(0, 5, 12)] + rng.normal(0, 0.3, (12, 16))
    return Looks(places, np.arange(12), rng.integers(0, 256, (12, 24, 24, 3), dtype=np.uint8))


def test_the_order_of_the_dice_does_not_matter(looks: Looks) -> None:
    """Each die is told alike wherever it stands in the list."""
    order = np.random.default_rng(1).permutation(12)
    other = Looks(looks.places[order], looks.which, looks.pictures[order])
    assert np.allclose(
        told_together(other, game_signatures()), told_together(looks, game_signatures())[order], atol=1e-4
    )


def test_the_names_of_the_dyes_do_not_matter(looks: Looks) -> None:
    """Dyes that exchange their names exchange their scores, and nothing else changes."""
    order = np.array([3, 0, 4, 1, 2])
    named_otherwise = told_together(looks, game_signatures()[order])
    assert np.allclose(named_otherwise, told_together(looks, game_signatures())[:, order], atol=1e-4)


def test_a_window_without_dice_has_no_scores() -> None:
    """Where nothing lies there is nothing to tell, and that is no mistake."""
    nothing = Looks(np.empty((0, 16)), np.empty(0, np.int64), np.empty((0, 24, 24, 3), np.uint8))
    assert told_together(nothing, game_signatures()).shape == (0, 5)
