"""The path tracer's camera sees what ours sees. Needs the ``trace`` extra; see ``conftest.py``."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import mitsuba as mi
import numpy as np

from calibration.training.synthetic import tracer
from calibration.training.synthetic.camera import random_camera

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
