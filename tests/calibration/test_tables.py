"""Drawn tables: every die is marked where it is seen, and those that misled a finder show why."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.training.synthetic import beads, dice, papers, tables
from calibration.training.synthetic.camera import random_camera
from calibration.training.synthetic.lights import random_mood

SIZE = (320, 240)


@pytest.mark.parametrize("hard", [False, True])
def test_the_marks_of_a_table_lie_in_it(hard: bool) -> None:
    """The middle of each marked die's upper face is in the picture, and its foot below it on the table."""
    for seed in range(4):
        table = tables.render(np.random.default_rng(seed), size=SIZE, hard=hard)
        assert table.image_bgr.shape == (240, 320, 3)
        for mark in table.dice:
            assert ((mark.top > -1) & (mark.top < SIZE)).all()
            assert np.linalg.norm(mark.top - mark.foot) < 2 * mark.edge


def test_dice_under_a_frame_are_not_marked() -> None:
    """Where a second window's frame lies over the dice of the first, nobody can see these."""
    table = tables.render(np.random.default_rng(60_000_001), size=(960, 720))
    assert not [mark for mark in table.dice if np.linalg.norm(mark.top - [540, 280]) < 60]


def test_a_hard_table_is_another_one() -> None:
    """From one seed come two tables, a usual one and one of what misled a finder."""
    usual, hard = (tables.render(np.random.default_rng(5), size=SIZE, hard=one) for one in (False, True))
    assert not np.array_equal(usual.image_bgr, hard.image_bgr)


def test_packed_dice_lie_close_together() -> None:
    """Most dice of a crowd have another one within one and a half of their edges."""
    rng = np.random.default_rng(2)
    look = dice.random_look(rng)
    spots = np.array([die.center[:2] for die in tables.packed(rng, look, 5.0)])
    apart = np.linalg.norm(spots[:, None] - spots[None], axis=-1) + 9 * np.eye(len(spots))
    assert len(spots) > 20
    assert (apart.min(axis=1) < 1.5 * 2 * look.half_edge).mean() > 0.8


@pytest.mark.parametrize("seed", range(6))
def test_the_pips_of_other_makes_are_seen(seed: int) -> None:
    """Pips of pale dice are dark and those of dark dice light; the size of the dice stays."""
    rng = np.random.default_rng(seed)
    look = dice.random_look(rng)
    other = dice.other_make(rng, look)
    pale = np.mean(list(other.dyes.values())) > 0.55
    assert (other.pip_color.mean() < 0.5) == pale
    assert (set(other.dyes), other.half_edge) == (set(look.dyes), look.half_edge)


def test_what_misleads_lies_flat_in_the_picture() -> None:
    """Cards and glass change a picture and keep its values those of light."""
    rng = np.random.default_rng(1)
    camera = random_camera(rng, size=SIZE, pitch_px=30, tilts_deg=(0, 30), target=np.zeros(3))
    image = np.full((240, 320, 3), 0.4, np.float32)
    papers.lay_misleading(rng, image, camera, 4.0)
    assert np.abs(image - 0.4).max() > 0.2
    assert (image >= 0).all()


def test_drops_of_glass_are_marked_where_they_are_laid() -> None:
    """On a plain ground a drop changes the picture around its mark, which is as wide as it is drawn."""
    rng = np.random.default_rng(2)
    camera = random_camera(rng, size=SIZE, pitch_px=40, tilts_deg=(0, 30), target=np.zeros(3))
    image = np.full((240, 320, 3), 0.4, np.float32)
    stage = dice.Stage(image, camera, dice.random_look(rng), random_mood(rng))
    ((middle, wide, _),) = beads.lay_beads(rng, stage, [np.array([0.0, 0.0, papers.TABLE])], 0.4)
    assert 25 < wide < 40
    rows, columns = np.nonzero(np.abs(image - 0.4).max(axis=2) > 0.02)
    away = np.hypot(columns - middle[0], rows - middle[1])
    assert np.median(away) < wide
    assert away.max() < 1.5 * wide
