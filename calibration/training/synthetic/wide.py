"""Photos through a lens that bends: the picture of a pinhole camera, bent, and where things are in it."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import apply_homography
from vision.lens import Lens


def bent(straight_bgr: NDArray[np.uint8], lens: Lens, size: tuple[int, int]) -> NDArray[np.uint8]:
    """Return what a camera takes through a lens.

    Parameters
    ----------
    straight_bgr
        What it would take without the bend, uint8 BGR, as large as `Lens.straight_size` says.
    lens
        The lens. `Lens.to_photo` says where points of the straight picture are in the photo.
    size
        (width, height) of the photo in pixels.
    """
    if straight_bgr.shape[1::-1] != lens.straight_size(size):
        raise ValueError(straight_bgr.shape)
    low = lens.unbent(np.zeros((1, 2)), size) - lens.from_photo(np.zeros((1, 2)), size)
    xs, ys = np.moveaxis((_rays(lens, size) - low).astype(np.float32), -1, 0)
    return np.asarray(cv2.remap(straight_bgr, xs, ys, cv2.INTER_CUBIC), dtype=np.uint8)


def _rays(lens: Lens, size: tuple[int, int]) -> NDArray[np.float64]:
    """Return where the pixels of a photo, (H, W, 2), would be seen without the bend."""
    pixels = np.stack(np.meshgrid(*map(np.arange, size)), -1).reshape(-1, 2).astype(np.float64)
    return lens.unbent(pixels, size).reshape(*size[::-1], 2)


def chessboard_view(
    rng: np.random.Generator, lens: Lens, size: tuple[int, int], pattern_size: tuple[int, int] = (9, 6)
) -> NDArray[np.uint8]:
    """Return a photo, uint8 BGR, of a chessboard from a random side, whole in it and nearly filling it.

    ``size`` is (width, height) of the photo in pixels, ``pattern_size`` counts the inner corners.
    """
    squares = np.array(pattern_size) + 1.0
    lean, toward, roll = np.deg2rad(rng.uniform(15, 40)), rng.uniform(0, 2 * np.pi), rng.normal(0, 0.2)
    tilt, _ = cv2.Rodrigues(np.array([np.cos(toward), np.sin(toward), 0.0]) * lean)
    turn, _ = cv2.Rodrigues(np.array([0, 0, roll + (np.pi / 2 if size[0] < size[1] else 0)]))
    axes = tilt @ turn
    focal, middle = lens.focal * max(size), np.array(lens.axis_in(size))
    away = focal / rng.uniform(0.68, 0.8) / max(size) * (squares[0] + 2)
    origin = axes @ [*-squares / 2, 0] + [*rng.normal(0, 0.5, 2), away]
    camera = np.array([[focal, 0, middle[0]], [0, focal, middle[1]], [0, 0, 1]])
    to_board = np.linalg.inv(camera @ np.column_stack([axes[:, :2], origin]))
    finer = 2  # rays along each side of a pixel
    rays = cv2.resize(_rays(lens, size), None, fx=finer, fy=finer, interpolation=cv2.INTER_LINEAR)
    board = apply_homography(to_board, np.asarray(rays, dtype=np.float64).reshape(-1, 2))
    on_it = ((board > 0) & (board < squares)).all(axis=1)
    on_paper = ((board > -1) & (board < squares + 1)).all(axis=1)
    black = on_it & (np.floor(board).sum(axis=1) % 2 == 0)
    light = np.where(black, 25.0, np.where(on_paper, 225.0, 130.0)).reshape(size[1] * finer, -1)
    small = cv2.resize(light, size, interpolation=cv2.INTER_AREA)[..., None] + rng.normal(
        0, 3, (*size[::-1], 3)
    )
    return np.asarray(np.clip(small, 0, 255), dtype=np.uint8)
