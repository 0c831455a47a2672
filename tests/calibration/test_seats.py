"""Drawn tables as one sees them from a chair, and the views of them that the finder learns from."""

from __future__ import annotations

import numpy as np

from calibration.training.loose_set import ROOM_PX
from calibration.training.sets import SETS
from calibration.training.synthetic.camera import random_camera


def test_people_on_chairs_hold_the_camera_upright() -> None:
    """What is up is up in the photo, within a few degrees, wherever the camera looks from."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        target = np.zeros(3)
        camera = random_camera(
            rng, size=(300, 200), pitch_px=30, tilts_deg=(30, 70), target=target, upright=True
        )
        foot, top = camera.project(np.array([[0.0, 0, 0], [0, 0, 1]]))
        assert abs(top[0] - foot[0]) < 0.7 * (foot[1] - top[1])


def test_the_reader_sees_which_way_dice_lean() -> None:
    """Each readable window of a table comes with its lean, mostly half a pitch and more, and with no view."""
    shard = SETS["seats"].arrays(0, 12)
    assert len(shard["leans"]) == len(shard["crops"]) > 0
    assert np.median(np.linalg.norm(shard["leans"].astype(np.float64), axis=1)) > 0.45
    assert "views" not in shard


def test_loose_dice_come_whole_with_marks_that_are_no_tops() -> None:
    """Of a table from a chair each die has a crop with its content, and some crops show no top."""
    shard = SETS["dice_upright"].arrays(0, 3)
    contents = shard["contents"].astype(int)
    assert shard["crops"].shape == (len(contents), ROOM_PX, ROOM_PX, 3)
    assert set(contents.tolist()) <= set(range(-2, 30))
    assert (contents >= 0).sum() > (contents == -1).sum() > 0
