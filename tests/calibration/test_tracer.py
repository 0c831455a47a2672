"""The path tracer's camera sees what ours sees. Needs the ``trace`` extra; see ``conftest.py``."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import mitsuba as mi
import numpy as np

from calibration.training.synthetic import tracer
from calibration.training.synthetic.camera import random_camera
from calibration.training.synthetic.lights import lamps

POINTS = np.array([[0.0, 0, 0], [5, 0, 0], [5, 4, 0], [0, 4, 0.5], [2.5, 2, 0]])


def test_a_point_is_traced_where_the_label_says() -> None:
    """Shining balls at known points appear where our camera projects them, its middle moved far off, too."""
    mi.set_variant(tracer.SLOW)  # an LLVM of the system may be too old, which would end the process
    camera = random_camera(
        np.random.default_rng(3),
        size=(400, 300),
        pitch_px=45,
        tilts_deg=(0, 40),
        target=np.array([2.5, 2, 0]),
    )
    camera = replace(camera, center=(215.0, 140.0))
    scene: dict[str, Any] = {
        "type": "scene",
        "integrator": {"type": "direct"},
        "sensor": tracer.sensor(camera, 16),
    }
    light = {"type": "area", "radiance": {"type": "rgb", "value": 1.0}}
    for k, (x, y, z) in enumerate(POINTS):
        scene[f"ball{k}"] = {"type": "sphere", "center": [x, -y, z], "radius": 0.06, "emitter": light}
    seen = np.array(mi.render(mi.load_dict(scene), spp=16))[..., 0]
    _, _, _, middles = cv2.connectedComponentsWithStats((seen > 0.3).astype(np.uint8))
    expected = camera.project(POINTS)
    inside = expected[((expected > 5) & (expected < np.array(camera.size) - 5)).all(axis=1)]
    assert len(inside) >= 4
    for point in inside:
        assert np.linalg.norm(middles[1:] - point, axis=1).min() < 0.6


def test_lamps_are_mirrored_where_they_are_asked_for() -> None:
    """A flat mirror shows in its middle what hangs where the way to the camera is thrown back to."""
    mi.set_variant(tracer.SLOW)
    middle = np.array([2.5, 2, 0])
    camera = random_camera(
        np.random.default_rng(0), size=(160, 120), pitch_px=20, tilts_deg=(25, 50), target=middle
    )
    back = camera.position - middle
    toward = back / np.linalg.norm(back) * [-1, -1, 1]
    room = np.sum([lamps(np.random.default_rng(seed), toward, small=0.3) for seed in range(6)], axis=0)
    mirror = {"type": "twosided", "b": {"type": "conductor", "material": "none"}}
    scene = {
        "type": "scene",
        "integrator": {"type": "path", "max_depth": 2},
        "sensor": tracer.sensor(camera, 4),
        "room": tracer.surrounding(room),
        "mirror": tracer.sheet("mirror", (-9, -9, 14, 13), 0.0, mirror),
    }
    seen = np.array(mi.render(mi.load_dict(scene), spp=4))[..., 0]
    bright = np.argwhere(seen > 0.5 * seen.max())[:, ::-1].mean(axis=0)
    assert np.linalg.norm(bright - camera.project(middle)) < 20
