"""Measuring a reader on loose dice that are cut out by their boxes."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.accuracy import loose
from calibration.accuracy.shares import Share
from vision.recognition.cells import CROP_PITCH_PX, CROP_PX

ABOVE = loose.Pose(1.0)


def _square(turn_deg: float) -> NDArray[np.uint8]:
    """Return a picture of a white square of 60 pixels about (100, 80) on black."""
    out = np.zeros((200, 200, 3), np.uint8)
    corners = cv2.boxPoints(((100, 80), (60, 60), turn_deg))
    cv2.fillConvexPoly(out, np.round(corners).astype(np.int32), (255, 255, 255))
    return out


DIE = loose.Die("R", 3, (70, 50, 130, 110))


def test_a_die_seen_from_above_is_cut_out_in_the_size_that_a_die_has_in_a_slot() -> None:
    """The edge is 0.69 pitches, in the middle, in both planes alike."""
    crop = loose.cut(_square(0), DIE, ABOVE, 0)
    assert crop.shape == (CROP_PX, CROP_PX, 6)
    widths = (crop[CROP_PX // 2] > 127).sum(axis=0)
    assert widths == pytest.approx(np.full(6, loose.EDGE * CROP_PITCH_PX), abs=1.5)
    assert (crop[..., :3] == crop[..., 3:]).all()


def test_a_turned_die_stands_straight_in_the_crop_of_its_turn() -> None:
    """Cut out with the same turn it fills the square that an unturned die fills."""
    straight = loose.cut(_square(0), DIE, ABOVE, 0)
    turned = loose.cut(_square(30), DIE, ABOVE, 30)
    assert np.abs(straight.astype(int) - turned).mean() < 12
    assert np.abs(straight.astype(int) - loose.cut(_square(30), DIE, ABOVE, 0)).mean() > 20


def test_seen_from_the_side_the_second_plane_is_cut_out_lower_down() -> None:
    """What is bright below the top face fills the second plane, not the first."""
    image = np.zeros((200, 200, 3), np.uint8)
    image[110:150] = 255
    pose = loose.Pose(1.0, 0.7, 0.35, 0.9)
    crop = loose.cut(image, DIE, pose, 0)
    middle = crop[CROP_PX // 2, CROP_PX // 2]
    assert middle.tolist() == [0, 0, 0, 255, 255, 255]


class _SaysAlways:
    """A reader that finds a red three in every cell, surest of the first turn."""

    def __init__(self) -> None:
        self.calls = 0

    def run(self, blob: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return logits of filled, red and three, weaker each time."""
        logits = np.zeros((len(blob), 25), np.float32)
        logits[:, [1, 2, 9]] = 12 / (1 + self.calls % len(loose.TURNS_DEG))
        self.calls += 1
        return logits


def test_dice_are_counted_once_and_only_those_with_a_labelled_color_for_color(tmp_path: Path) -> None:
    """Two of three values are right, one of two colors; a die of unknown value does not count."""
    cv2.imwrite(str(tmp_path / "dice.png"), _square(0))
    box = {"bbox": [70, 50, 130, 110]}
    dice = [
        {"value": 3, "color": "R"} | box,
        {"value": 3, "color": None} | box,
        {"value": 5, "color": "B"} | box,
        {"value": None} | box,
    ]
    entry = {"file": "dice.png", "kind": "byler_d6", "dice": dice}
    (tmp_path / "labels.json").write_text(json.dumps({"files": [entry]}), encoding="utf-8")
    found = loose.groups(tmp_path)
    assert loose.count(_SaysAlways().run, found, "byler_d6") == loose.Count(Share(2, 3), Share(1, 2), 1)
    assert loose.count(_SaysAlways().run, found, "sagrada_loose") == loose.Count(Share(0, 0), Share(0, 0), 0)
