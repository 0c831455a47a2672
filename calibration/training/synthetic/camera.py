"""A pinhole camera over the table and the homographies of its horizontal planes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

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
        """Project points (..., 3) to pixels (..., 2)."""
        p = (points - self.position) @ self.axes.T
        return np.asarray(self.focal * p[..., :2] / p[..., 2:] + self.center)

    def rays(self, x_px: Float, y_px: Float) -> Float:
        """Return unnormalised ray directions (..., 3) through pixel centers."""
        (x, y), f = self.center, self.focal
        return np.stack([(x_px - x) / f, (y_px - y) / f, np.ones_like(x_px)], axis=-1) @ self.axes

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
    tilts_deg: tuple[float, float],
    target: Float,
    upright: bool = False,
) -> Camera:
    """Return a camera with ``target`` near its middle, ``pitch_px`` pixels a pitch there, tilted.

    ``upright`` is how people on a chair hold it: what is up is nearly up in the photo.
    """
    least, most = tilts_deg
    fov = np.deg2rad(rng.uniform(30, 72))
    focal = 0.5 * max(size) / np.tan(fov / 2)
    distance = max(focal / pitch_px, 6.0)
    focal = distance * pitch_px
    tilt = np.deg2rad(least + (most - least) * rng.beta(1.1, 1.6))
    azimuth = rng.uniform(0, 2 * np.pi)
    back = np.array([np.sin(tilt) * np.cos(azimuth), np.sin(tilt) * np.sin(azimuth), np.cos(tilt)])
    # People hold the phone with the window upright, on its side or upside down; any roll may occur.
    roll = rng.choice([0, 0, 0, np.pi / 2, -np.pi / 2, np.pi]) + rng.normal(0, 0.15)
    if rng.random() < 0.25:
        roll = rng.uniform(0, 2 * np.pi)
    if upright:
        roll = azimuth - np.pi / 2 + rng.normal(0, 0.12)
    seed = np.array([np.cos(roll), np.sin(roll), 0.0])
    right = seed - back * (seed @ back)
    right /= np.linalg.norm(right)
    down = np.cross(right, -back)
    center = (size[0] / 2 + rng.normal(0, 0.02) * size[0], size[1] / 2 + rng.normal(0, 0.02) * size[1])
    return Camera(target + back * distance, np.stack([right, down, -back]), focal, center, size)


def motion(turn: float, spot: Float, middle: ArrayLike, zoom: float = 1.0, unit_px: float = 1.0) -> Float:
    """Return the motion (3, 3) of a plane that turns it about ``middle``, which comes to lie at ``spot``.

    It is made larger by ``zoom`` and smaller by ``unit_px``, the pixels of a unit where it comes to lie.
    """
    c, s = np.cos(turn) * zoom / unit_px, np.sin(turn) * zoom / unit_px
    move = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])
    move[:2, 2] = spot - move[:2, :2] @ np.asarray(middle)
    return move


def resizing(zoom: float) -> Float:
    """Return the homography from the pixels of a picture to those of the same one made larger or smaller."""
    shift = 0.5 * zoom - 0.5  # pixel centers, not corners, are at whole numbers
    return np.array([[zoom, 0, shift], [0, zoom, shift], [0, 0, 1.0]])
