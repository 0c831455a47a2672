"""The light around the path-traced tables."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.training.synthetic.lights import lamps, room_light


@pytest.mark.parametrize("seed", range(12))
def test_a_table_gets_as_much_light_in_every_room(seed: int) -> None:
    """From each direction of the upper half comes some light, by the cosine 0.8 on average."""
    room = room_light(np.random.default_rng(seed))
    assert room.shape == (128, 256, 3)
    assert np.isfinite(room).all()
    assert room.min() > 0
    height = np.linspace(1, -1, 128)  # row by row, the sine of the direction above the table
    upper = height > 0
    weight = height[upper] * np.sqrt(1 - height[upper] ** 2)
    assert np.average(room[upper].mean(axis=(1, 2)), weights=weight) == pytest.approx(0.8, rel=0.01)


@pytest.mark.parametrize("seed", range(12))
def test_every_room_has_a_lamp_or_a_window_above_the_table(seed: int) -> None:
    """The brightest spot lies above the table's plane and outshines the middling one."""
    light = room_light(np.random.default_rng(seed)).mean(axis=2)
    row, _ = np.unravel_index(int(light.argmax()), light.shape)
    assert row < 64
    assert light.max() > 1.2 * np.median(light[:64])


def test_rooms_differ() -> None:
    """No two seeds give the same room, one seed gives the same twice."""
    first, again, other = (room_light(np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert np.abs(first - other).max() > 0.05


def test_glare_comes_from_where_it_is_asked_for() -> None:
    """With a direction above the table the brightest light comes from about its height."""
    steep = np.array([0.5, 0.3, 1.0])
    light = room_light(np.random.default_rng(3), steep).mean(axis=2)
    row, _ = np.unravel_index(int(light.argmax()), light.shape)
    asked = np.arccos(1 / np.linalg.norm(steep)) / np.pi * 128
    assert abs(row - asked) < 24


def test_glare_comes_from_the_side_that_lamps_hang_on() -> None:
    """Where a direction lies to one side, that side is brighter than the other, as it is of lamps."""
    aside = np.array([0.6, 0.2, 0.75])
    for seed in range(5):
        hung = lamps(np.random.default_rng(seed), aside, wide=256).mean(axis=2) > 0
        light = room_light(np.random.default_rng(seed), aside).mean(axis=2)
        assert light[hung].mean() > 1.2 * light[hung[:, ::-1]].mean()


def test_lamps_hang_where_dice_mirror_them_and_all_else_is_dark() -> None:
    """Most of the light comes from within 60 degrees of the direction asked for; elsewhere it is dark."""
    steep = np.array([0.3, -0.4, 1.0])
    down, around = np.mgrid[:256, :512] + 0.5
    down, around = down / 256 * np.pi, (around / 512 - 0.5) * 2 * np.pi
    sky = np.stack([-np.sin(down) * np.sin(around), np.sin(down) * np.cos(around), np.cos(down)], 2)
    near = sky @ steep / np.linalg.norm(steep) > 0.5
    for seed in range(12):
        room = lamps(np.random.default_rng(seed), steep).mean(axis=2) * np.sin(down)
        assert room.max() > 0.1
        assert room[near].sum() > 0.8 * room.sum()
        assert (room == 0).mean() > 0.7
