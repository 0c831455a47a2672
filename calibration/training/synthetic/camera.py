"""A pinhole camera over the table and the homographies of its horizontal planes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Float = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Camera:
    """A pinhole camera without distortion.

    ``position`` is in pitches; ``axes`` holds the unit vectors image-right, image-down and
    forward as rows; ``focal`` and ``center`` are in pixels; ``size`` is (width, height).
    """

    position: Float
    axes: Float
    focal: float
    center: tuple[float, float]
    size: tuple[int, int]

    def project(self, points: Float) -> Float:
        """Project points, shape (..., 3), to pixels, shape (..., 2)."""
        p = (points - self.position) @ self.axes.T
        return np.stack(
            [
                self.focal * p[..., 0] / p[..., 2] + self.center[0],
                self.focal * p[..., 1] / p[..., 2] + self.center[1],
            ],
            axis=-1,
        )

    def rays(self, x_px: Float, y_px: Float) -> Float:
        """Return unnormalised ray directions, shape (..., 3), through pixel centers."""
        local = np.stack(
            [
                (x_px - self.center[0]) / self.focal,
                (y_px - self.center[1]) / self.focal,
                np.ones_like(x_px),
            ],
            axis=-1,
        )
        return local @ self.axes

    def plane_homography(self, z: float) -> Float:
        """Return the 3 x 3 homography from (x, y) on the plane at height ``z`` to pixels."""
        k = np.array([[self.focal, 0, self.center[0]], [0, self.focal, self.center[1]], [0, 0, 1.0]])
        r = self.axes
        t = r @ (np.array([0, 0, z]) - self.position)
        return k @ np.column_stack([r[:, 0], r[:, 1], t])


def random_camera(
    rng: np.random.Generator,
    *,
    size: tuple[int, int],
    pitch_px: float,
    max_tilt_deg: float,
    target: Float,
    min_tilt_deg: float = 0.0,
) -> Camera:
    """Return a camera that looks at ``target`` so that a pitch there spans about ``pitch_px``.

    Parameters
    ----------
    rng
        Source of randomness.
    size
        (width, height) of the picture in pixels.
    pitch_px
        Pixels per pitch at the target, for a plane that faces the camera.
    max_tilt_deg, min_tilt_deg
        Bounds of the angle between the optical axis and the vertical, in degrees.
    target
        Point (x, y, z) in pitches that falls near the middle of the picture.
    """
    long_side = max(size)
    fov = np.deg2rad(rng.uniform(30, 72))
    focal = 0.5 * long_side / np.tan(fov / 2)
    distance = max(focal / pitch_px, 6.0)
    focal = distance * pitch_px
    tilt = np.deg2rad(min_tilt_deg + (max_tilt_deg - min_tilt_deg) * rng.beta(1.1, 1.6))
    azimuth = rng.uniform(0, 2 * np.pi)
    back = np.array([np.sin(tilt) * np.cos(azimuth), np.sin(tilt) * np.sin(azimuth), np.cos(tilt)])
    forward = -back
    # People hold the phone with the window upright, on its side or upside down; any roll may occur.
    roll = rng.choice([0, 0, 0, np.pi / 2, -np.pi / 2, np.pi]) + rng.normal(0, 0.15)
    if rng.random() < 0.25:
        roll = rng.uniform(0, 2 * np.pi)
    seed = np.array([np.cos(roll), np.sin(roll), 0.0])
    right = seed - forward * (seed @ forward)
    right /= np.linalg.norm(right)
    down = np.cross(right, forward)
    center = (size[0] / 2 + rng.normal(0, 0.02) * size[0], size[1] / 2 + rng.normal(0, 0.02) * size[1])
    return Camera(target + back * distance, np.stack([right, down, forward]), focal, center, size)
