"""How large the dice of a photo are shows in their marks."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.training.synthetic import tables
from tests.vision.test_loose import HELD_BACK, in_view
from vision import loose as finding
from vision.detection.views import FinderView, Levels
from vision.loose import Spot, _usual_edges, find_dice


def marks(count: int, edge: float, sure: float) -> list[Spot]:
    """Return marks of one size, give or take a tenth."""
    rng = np.random.default_rng(count)
    edges = edge * rng.uniform(0.9, 1.1, count)
    return [Spot(rng.uniform(0, 900, 2), np.array([0.0, -0.3 * one]), one, sure) for one in edges]


@pytest.mark.parametrize(
    ("dice", "others"),
    [
        pytest.param((4, 30.0, 0.9), (9, 80.0, 0.3), id="faint marks of glass"),
        pytest.param((12, 110.0, 0.6), (25, 28.0, 0.6), id="their own pips"),
        pytest.param((1, 40.0, 0.9), (0, 1.0, 0.3), id="nothing else"),
    ],
)
def test_the_usual_edge_is_that_of_the_clear_and_large(
    dice: tuple[int, float, float], others: tuple[int, float, float]
) -> None:
    """Faint marks, or those of pips, do not say how large dice are, however many they be."""
    assert _usual_edges([*marks(*dice), *marks(*others)]) == pytest.approx([dice[1]], rel=0.15)


def test_without_marks_there_is_no_usual_edge() -> None:
    """A picture of nothing has no dice, and it is not looked at again."""
    assert _usual_edges([]) == []
    assert find_dice(Levels(np.full((300, 400, 3), 114, np.uint8)), []) == []


@pytest.mark.parametrize(("away", "again"), [(5.0, 0), (16.0, 1), (30.0, 0)])
def test_marks_half_a_die_apart_are_looked_at_again(
    monkeypatch: pytest.MonkeyPatch, away: float, again: int
) -> None:
    """Dice that touch are told apart from nearer; the same mark twice and dice apart take no second look."""
    seen: list[FinderView] = []
    spots = [Spot(np.array([200.0 + x, 150.0]), np.array([0.0, -9.0]), 30.0, 0.9) for x in (0.0, away)]

    def look(view: FinderView) -> list[Spot]:
        seen.append(view)
        return spots

    monkeypatch.setattr(finding, "_look", lambda *_: spots)
    monkeypatch.setattr(finding, "spots_in", look)
    find_dice(Levels(np.full((300, 400, 3), 114, np.uint8)), [30.0])
    assert len(seen) == again


def test_dice_in_a_crowd_are_found() -> None:
    """Of dice that lie close together and fill the picture nearly all that can be seen are found."""
    crowd = tables.render(np.random.default_rng(HELD_BACK + 12), size=(640, 480), hard=True)
    dice = [mark for mark in crowd.dice if in_view(mark)]
    assert 30 <= len(dice) <= 60
    tops = np.array([spot.top for spot in find_dice(Levels(crowd.image_bgr), [])])
    found = [np.linalg.norm(tops - mark.top, axis=1).min() < mark.edge / 2 for mark in dice]
    assert np.mean(found) >= 0.85
