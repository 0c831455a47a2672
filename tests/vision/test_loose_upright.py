"""All dice of a table stand on one plane, and so they lean one way in the photo."""

from __future__ import annotations

import numpy as np
import pytest

from vision.geometry import DIE_EDGE, FLOOR_HEIGHT, Grid, apply_homography
from vision.loose import Spot, settled

SIZE = (1000, 800)
TILTED = Grid.from_corners(((300, 300), (620, 320), (660, 590), (270, 560)), SIZE)


def test_a_window_tells_which_way_up_is() -> None:
    """A die beside a window leans as dice in it do, whatever its own mark says, and has their size."""
    place = apply_homography(TILTED.plane(1.0), np.array([[6.5, 2.0]]))[0]
    ((spot,),) = settled([Spot(place, np.array([9.0, 9.0]), 40.0, 0.9)], [TILTED])
    foot = apply_homography(TILTED.plane(FLOOR_HEIGHT), np.array([[6.5, 2.0]]))[0]
    assert spot.top - spot.up == pytest.approx(foot, abs=0.01)
    assert spot.edge == pytest.approx(DIE_EDGE * TILTED.pitch_px, rel=0.25)


def test_a_mark_of_another_size_is_no_die() -> None:
    """Where the plane of the nearest window would make a die much smaller, none is marked: it is no die."""
    assert settled([Spot(np.array([900.0, 700.0]), np.array([0.0, -5.0]), 200.0, 0.9)], [TILTED]) == ([],)


def test_without_a_window_the_sizes_of_dice_change_evenly() -> None:
    """Dice grow towards the camera; a mark that is half as large as those around it is none."""
    rng = np.random.default_rng(4)
    places = rng.uniform(0, 800, (20, 2))
    edges = 30 * np.exp(places[:, 1] / 1600)
    edges[0] /= 2
    spots = [Spot(place, np.zeros(2), edge, 0.9) for place, edge in zip(places, edges, strict=True)]
    for way in settled(spots, []):
        assert [spot.edge for spot in way] == pytest.approx(edges[1:], rel=0.05)


@pytest.mark.parametrize("count", [3, 20])
def test_without_a_window_all_dice_agree(count: int) -> None:
    """One wrong mark among many that lean one way is set right by the others."""
    rng = np.random.default_rng(count)
    places = rng.uniform(0, 800, (count, 2))
    spots = [Spot(place, np.array([0.0, -12.0]) + rng.normal(0, 0.3, 2), 30.0, 0.9) for place in places]
    spots[0] = Spot(places[0], np.array([14.0, 5.0]), 30.0, 0.9)
    for spot in settled(spots, [])[0]:
        assert spot.up == pytest.approx(np.array([0.0, -12.0]), abs=1.0)


def test_dice_may_lean_as_in_a_camera_held_upright() -> None:
    """Without a window the other ways up are straight upwards in the photo, whatever the marks say."""
    spot = Spot(np.array([400.0, 300.0]), np.array([20.0, 5.0]), 40.0, 0.9)
    for (one,) in settled([spot], [])[1:]:
        assert one.up[0] == 0
        assert -40 < one.up[1] < 0
