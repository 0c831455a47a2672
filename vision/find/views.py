"""The pictures that the finder network looks at: the whole photo, then the window set straight."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.find.levels import Levels, levels_of
from vision.geometry import COLUMNS, ROWS, SQUARE, apply_homography

VIEW_PX = 384
"""Side of the square input of the finder network in pixels."""

PADDING = 114
"""Grey value around the photo in a view."""

STRIDE = 4
"""Input pixels per output pixel of the finder network."""

STRAIGHT_PITCH_PX = 44
"""Pixels per pitch when the window has been set straight for a second look."""

MAP_OF_VIEW = np.array([[1 / STRIDE, 0, 0.5 / STRIDE - 0.5], [0, 1 / STRIDE, 0.5 / STRIDE - 0.5], [0, 0, 1]])
"""Takes pixels of a view to pixels of the maps that the finder makes of it."""


def to_map(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return points of a view, shape (N, 2), in pixels of the maps that the finder makes of it."""
    return (points - (STRIDE - 1) / 2) / STRIDE


def from_map(spots: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return pixels of the finder's maps, shape (N, 2), as points of the view."""
    return spots * STRIDE + (STRIDE - 1) / 2


@dataclass(frozen=True, eq=False)
class FinderView:
    """A square picture for the finder and how to get back to the photo.

    ``image_bgr`` is uint8 ``VIEW_PX`` x ``VIEW_PX`` x 3; ``to_photo`` (3 x 3) takes pixels of
    the view to pixels of the photo.
    """

    image_bgr: NDArray[np.uint8]
    to_photo: NDArray[np.float64]


def views_of(photo: Levels) -> Iterator[FinderView]:
    """Yield the whole photo and, for a window that is small in it, overlapping quarters."""
    yield whole_view(photo)
    width, height = photo.size
    w, h = round(width * 0.6), round(height * 0.6)
    for y in (0, (height - h) // 2, height - h):
        for x in (0, (width - w) // 2, width - w):
            yield whole_view(photo, (x, y, x + w, y + h))


def whole_view(photo: NDArray[np.uint8] | Levels, box: tuple[int, int, int, int] | None = None) -> FinderView:
    """Return the photo, or the box (x0, y0, x1, y1) of it, fitted into the view's square."""
    levels = levels_of(photo)
    width, height = levels.size
    x0, y0, x1, y1 = box or (0, 0, width, height)
    scale = VIEW_PX / max(x1 - x0, y1 - y0)
    w, h = max(1, round((x1 - x0) * scale)), max(1, round((y1 - y0) * scale))
    image, to_level = levels.at(int(np.log2(max(1 / scale, 1))))
    # The box in pixels of the level, to whole ones; the view takes exactly these.
    k = to_level[0, 0]
    left, top = int(x0 * k), int(y0 * k)
    part = image[top : max(round(y1 * k), top + 1), left : max(round(x1 * k), left + 1)]
    flag = cv2.INTER_AREA if scale < k else cv2.INTER_LINEAR
    out = np.full((VIEW_PX, VIEW_PX, 3), PADDING, np.uint8)
    out[:h, :w] = cv2.resize(part, (w, h), interpolation=flag)
    sx, sy = part.shape[1] / w / k, part.shape[0] / h / k
    to_photo = np.array([[sx, 0, left / k + 0.5 * sx - 0.5], [0, sy, top / k + 0.5 * sy - 0.5], [0, 0, 1.0]])
    return FinderView(out, to_photo)


def straight_view(photo: NDArray[np.uint8] | Levels, homography: NDArray[np.float64]) -> FinderView:
    """Return the board, as ``homography`` (board coordinates to photo) has it, from straight above."""
    p = STRAIGHT_PITCH_PX
    middle = (VIEW_PX - 1) / 2
    to_board = np.array([[1 / p, 0, COLUMNS / 2 - middle / p], [0, 1 / p, ROWS / 2 - middle / p], [0, 0, 1]])
    to_photo = homography @ to_board
    return warped_view(levels_of(photo), to_photo)


def tilted_view(
    photo: NDArray[np.uint8] | Levels, far_deg: float, tilt_deg: float, focal: float
) -> FinderView:
    """Return the photo as a camera in the same place would see it that looks down more steeply.

    A window photographed from the table's edge looks nearly as from above in it.

    Parameters
    ----------
    photo
        Photo, uint8 H x W x 3, BGR, or its levels.
    far_deg
        Where in the photo the far side of the table is: 0 top, 90 right, 180 bottom, 270 left.
    tilt_deg
        How much further down the second camera looks, in degrees.
    focal
        Focal length of the photo in pixels.
    """
    levels = levels_of(photo)
    width, height = levels.size
    lens_inverse = np.array(
        [[1 / focal, 0, -width / 2 / focal], [0, 1 / focal, -height / 2 / focal], [0, 0, 1]]
    )
    far = np.deg2rad(far_deg)
    turn, _ = cv2.Rodrigues(np.array([np.cos(far), np.sin(far), 0.0]) * np.deg2rad(tilt_deg))
    xs, ys = np.meshgrid(np.linspace(0, width, 9), np.linspace(0, height, 9))
    rays = np.stack([xs.ravel(), ys.ravel(), np.ones(xs.size)], 1) @ (turn @ lens_inverse).T
    # What lies more than 70 degrees off the new axis would fill the view with a few stretched pixels.
    rays = rays[rays[:, 2] > 0.34 * np.linalg.norm(rays, axis=1)]
    seen = rays[:, :2] / rays[:, 2:]
    low, high = seen.min(0), seen.max(0)
    scale = VIEW_PX / (high - low).max()
    fit = np.array([[scale, 0, -low[0] * scale], [0, scale, -low[1] * scale], [0, 0, 1]])
    to_photo = np.linalg.inv(fit @ turn @ lens_inverse)
    return warped_view(levels, to_photo)


def nearer_view(
    photo: NDArray[np.uint8] | Levels, whole: FinderView, middle: NDArray[np.float64], half: float
) -> FinderView:
    """Return a part of a view, enlarged: ``half`` pixels of the photo around a ``middle`` (x, y) of it."""
    levels = levels_of(photo)
    box = middle + half * SQUARE * 2
    in_view = apply_homography(
        np.asarray(np.linalg.inv(whole.to_photo), dtype=np.float64),
        np.clip(box, 0, np.array(levels.size) - 1.0),
    )
    low, high = in_view.min(axis=0), in_view.max(axis=0)
    scale = (high - low).max() / VIEW_PX
    part = np.array([[scale, 0, low[0]], [0, scale, low[1]], [0, 0, 1]])
    return warped_view(levels, whole.to_photo @ part)


def warped_view(levels: Levels, to_photo: NDArray[np.float64]) -> FinderView:
    """Return the view whose pixels ``to_photo`` takes to the photo; grey beyond the photo."""
    corners = np.array([[0, 0, 1], [VIEW_PX, 0, 1], [VIEW_PX, VIEW_PX, 1], [0, VIEW_PX, 1.0]]) @ to_photo.T
    # A warp looks at four pixels only: start from the level that is about as fine as the view.
    area = cv2.contourArea((corners[:, :2] / corners[:, 2:]).astype(np.float32))
    shrink = float(np.sqrt(max(area, 1.0))) / VIEW_PX
    image, to_level = levels.at(max(0, round(np.log2(max(shrink, 1)))))
    out = cv2.warpPerspective(
        image,
        to_level @ to_photo,
        (VIEW_PX, VIEW_PX),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderValue=(PADDING, PADDING, PADDING),
    )
    return FinderView(np.asarray(out, dtype=np.uint8), to_photo)
