"""Dice in a row are the round track, and the side of its numbers says where it begins."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.training.synthetic.tables import track_paper
from vision.geometry import apply_homography
from vision.loose import Spot, row_of, starts_first

EDGE = 40.0


def spots_at(*places: tuple[float, float]) -> list[Spot]:
    """Return dice seen from straight above."""
    return [Spot(np.array(place), np.zeros(2), EDGE, 1.0) for place in places]


def a_row(count: int, step: float = 60.0, turn_deg: float = 25.0) -> NDArray[np.float64]:
    """Return the places of dice that lie nearly on a line, as hands put them."""
    away = step * np.array([np.cos(np.deg2rad(turn_deg)), np.sin(np.deg2rad(turn_deg))])
    strays = np.random.default_rng(count).normal(0, 3, (count, 2))
    return np.array([200, 200]) + np.arange(count)[:, None] * away + strays


@pytest.mark.parametrize("count", [4, 7, 10])
def test_a_row_beside_a_pool_is_the_track(count: int) -> None:
    """All dice of the row belong to it, in its order, and none of the dice that lie elsewhere."""
    row = [(float(x), float(y)) for x, y in a_row(count)]
    found = row_of(spots_at((900, 90), *row, (700, 800), (120, 700)))
    assert list(found) in ([*range(1, count + 1)], [*range(count, 0, -1)])
    assert list(found.values()) == [*range(count)]


def test_a_row_that_leads_away_from_the_camera_is_the_track() -> None:
    """In perspective its steps grow shorter, and dice smaller; it stays a row."""
    shrink = np.array([[1, 0, 0], [0, 1, 0], [0.0004, 0.0009, 1.0]])
    seen = apply_homography(shrink, a_row(10, turn_deg=60))
    spots = [Spot(place, np.zeros(2), EDGE * (1 - 0.04 * k), 1.0) for k, place in enumerate(seen)]
    assert sorted(row_of(spots)) == list(range(10))


def test_a_space_without_a_die_keeps_its_number() -> None:
    """A die of the row that was not found leaves a gap, and the dice behind it keep their spaces."""
    places = [(float(x), float(y)) for x, y in np.delete(a_row(8), 3, axis=0)]
    assert sorted(row_of(spots_at(*places)).values()) in ([0, 1, 2, 4, 5, 6, 7], [0, 1, 2, 3, 5, 6, 7])


def test_a_few_dice_or_a_heap_are_no_track() -> None:
    """Three dice often lie in a line by chance, and so do some in a heap, with others beside them."""
    assert row_of([]) == {}
    assert row_of(spots_at(*[(float(x), float(y)) for x, y in a_row(3)])) == {}
    places = [(50.0 * x + 3 * y, 50.0 * y) for x in range(6) for y in range(6)]
    assert row_of(spots_at(*places)) == {}


def tracks_with_room() -> list[int]:
    """Return seeds of drawn tracks whose paper has room for numbers above their spaces."""
    found = []
    for seed in range(20):
        paper, spaces = track_paper(np.random.default_rng(seed))
        if spaces[0, 1] > 1.5 * (paper.shape[0] - spaces[0, 1]):
            found.append(seed)
    return found[:6]


def photo_of_track(seed: int, turn_deg: float) -> tuple[NDArray[np.uint8], list[Spot]]:
    """Return a track on a table, turned, and dice on its ten spaces."""
    paper, spaces = track_paper(np.random.default_rng(seed))
    table = np.full((900, 900, 3), (40, 60, 30), np.uint8)
    middle = (paper.shape[1] / 2, paper.shape[0] / 2)
    move = np.asarray(cv2.getRotationMatrix2D(middle, turn_deg, 1.2), dtype=np.float64)
    move[:, 2] += np.array([450.0, 450.0]) - np.array(middle)
    there = cv2.warpAffine(np.ones(paper.shape[:2], np.uint8), move, (900, 900))
    table[there > 0] = (cv2.warpAffine(paper, move, (900, 900)) * 255).astype(np.uint8)[there > 0]
    return table, spots_at(*((float(x), float(y)) for x, y in cv2.transform(spaces[None], move)[0]))


@pytest.mark.parametrize("seed", tracks_with_room())
@pytest.mark.parametrize("turn_deg", [0, 100, 190, 280])
def test_the_side_of_the_numbers_says_where_the_track_begins(seed: int, turn_deg: int) -> None:
    """Whichever way the track is turned, and whichever end its dice are told from, round 1 is the same."""
    table, spots = photo_of_track(seed, turn_deg)
    assert starts_first(table, spots) in (True, None)
    assert starts_first(table, spots[:6][::-1]) in (False, None)


def test_rounds_are_told() -> None:
    """Of a plain track in plain light the beginning is known."""
    assert any(starts_first(*photo_of_track(seed, 100)) for seed in tracks_with_room())


@pytest.mark.parametrize("seed", tracks_with_room())
def test_a_row_that_lost_its_first_dice_has_no_rounds(seed: int) -> None:
    """Where the track goes on before the first die that was found, nobody knows which round that is."""
    table, spots = photo_of_track(seed, 30)
    assert starts_first(table, spots[3:9]) is None


def test_without_paper_the_rounds_are_not_told() -> None:
    """Dice in a row on a bare table may begin at either end."""
    row = spots_at(*[(float(x), float(y)) for x, y in a_row(6)])
    assert starts_first(np.full((900, 900, 3), 90, np.uint8), row) is None
