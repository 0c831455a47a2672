"""Lamps and shadows of drawn scenes."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.training.synthetic import dice
from calibration.training.synthetic.camera import Camera

Float = NDArray[np.float32]
Mood = tuple[NDArray[np.float64], list[tuple[NDArray[np.float64], float, float]]]


def random_mood(rng: np.random.Generator) -> Mood:
    """Return the direction of the main light, and the lamps in dice: direction, sharpness, strength."""
    light = np.append(rng.normal(0, 0.6, 2), 1.0)
    light /= np.linalg.norm(light)
    lamps = [
        (
            _unit(np.append(rng.normal(0, 0.5, 2), 1.0)),
            float(np.exp(rng.uniform(np.log(5), np.log(200)))),  # a broad window to a small bulb
            float(rng.uniform(0.1, 0.9)),
        )
        for _ in range(int(rng.integers(1, 4)))
    ]
    return light, lamps


def _unit(v: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(v / np.linalg.norm(v))


def soft_shadow(
    rng: np.random.Generator,
    image: Float,
    alpha: Float,
    homography: NDArray[np.float64],
    size: tuple[int, int],
) -> None:
    """Darken a picture, in place, where something flat of some ``alpha`` (H, W) throws its shadow."""
    shadow = cv2.warpPerspective(alpha, homography, size, flags=cv2.INTER_LINEAR)
    blur = rng.uniform(2, 14)
    shadow = cv2.GaussianBlur(shadow, (0, 0), blur)
    image *= 1 - rng.uniform(0.1, 0.6) * shadow[..., None]


def die_shadows(
    rng: np.random.Generator,
    image: Float,
    camera: Camera,
    placed: list[dice.PlacedDie],
    light: NDArray[np.float64],
    z: float,
) -> None:
    """Darken the table around the feet of dice, at height ``z``, in place."""
    if not placed:
        return
    mask = np.zeros(image.shape[:2], np.float32)
    for die in placed:
        offset = -light[:2] / light[2] * rng.uniform(0.15, 0.4)
        ground = np.array(
            [[x, y, 0.0] for x, y in ((-0.35, -0.35), (0.35, -0.35), (0.35, 0.35), (-0.35, 0.35))]
        )
        both = np.concatenate([ground, ground + np.append(offset, 0)])
        points = both + np.array([die.center[0], die.center[1], z])
        hull = cv2.convexHull(camera.project(points).astype(np.float32))
        cv2.fillConvexPoly(mask, hull.astype(np.int32), 1.0, cv2.LINE_AA)
    soft = cv2.GaussianBlur(mask, (0, 0), rng.uniform(1, 5))
    image *= 1 - rng.uniform(0.1, 0.7) * soft[..., None]
