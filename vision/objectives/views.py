"""The pictures that the two networks look at: the photo or a part of it, and one card set straight."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Image8 = NDArray[np.uint8]
Float = NDArray[np.float64]

VIEW_PX = 384
"""Side of the square that the card finder looks at, in pixels."""
STRIDE = 8
"""Pixels of the view for each of the card finder's maps."""
PADDING = 114
"""Gray value around the photo in a view."""
PART = 0.6
"""Share of the photo's sides that a part shows; parts overlap, so that no small card is cut by all."""
SMALL_PX = 192
"""Longer side of the whole photo in the first view: no card is larger there than what was learned from."""
LARGE_PX = 300
"""From this longer side on a photo is looked at in parts, too: in the whole a card may be too small."""

CROP_PX = (128, 176)
"""(width, height) of a card set straight in pixels, with a little of what is around it."""
CARD_IN_CROP = np.array([[7.5, 9.0], [119.5, 9.0], [119.5, 166.0], [7.5, 166.0]])
"""The card's corners there, as one reads it."""
FIRST_TILES = 5
"""The first of the cards with tiles, in the order of the card reader's outputs."""
STRIP = (slice(70, 122), slice(12, 116))
"""The part of a crop, rows and columns, by which cards with tiles are told apart."""
SHARPER = 1.5  # how much finer a photo may be than the crop without being averaged first


@dataclass(frozen=True, eq=False)
class View:
    """A square picture for the card finder; ``to_photo`` (3 x 3) takes its pixels to those of the photo."""

    image_bgr: Image8
    to_photo: Float


def views_of(image_bgr: Image8) -> Iterator[View]:
    """Yield the whole photo, uint8 H x W x 3 BGR, small and larger, and the parts of a large one."""
    height, width = image_bgr.shape[:2]
    # Reduced once to what the parts need: no view then averages over the whole photo again.
    scale = min(1.0, VIEW_PX / (PART * max(width, height)))
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    small = (
        image_bgr
        if scale == 1
        else np.asarray(cv2.resize(image_bgr, size, interpolation=cv2.INTER_AREA), np.uint8)
    )
    to_photo = np.diag([width / size[0], height / size[1], 1.0])
    for side_px in (SMALL_PX, VIEW_PX):
        yield _view(small, (0, 0, *size), to_photo, side_px)
    if max(width, height) >= LARGE_PX:
        w, h = round(PART * size[0]), round(PART * size[1])
        for y in (0, size[1] - h):
            for x in (0, size[0] - w):
                yield _view(small, (x, y, x + w, y + h), to_photo, VIEW_PX)


def _view(image_bgr: Image8, box: tuple[int, int, int, int], to_photo: Float, side_px: int) -> View:
    """Return a box (x0, y0, x1, y1) with a longer side of ``side_px`` in the square.

    ``to_photo`` is that of the image that it is cut from.
    """
    x0, y0, x1, y1 = box
    scale = side_px / max(x1 - x0, y1 - y0)
    w, h = max(1, round((x1 - x0) * scale)), max(1, round((y1 - y0) * scale))
    out = np.full((VIEW_PX, VIEW_PX, 3), PADDING, np.uint8)
    flag = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    out[:h, :w] = cv2.resize(image_bgr[y0:y1, x0:x1], (w, h), interpolation=flag)
    sx, sy = (x1 - x0) / w, (y1 - y0) / h
    # Edges go to edges; pixel centers, not corners, are at whole numbers.
    to_edges = np.array([[sx, 0, x0 + 0.5 * sx], [0, sy, y0 + 0.5 * sy], [0, 0, 1.0]])
    back = np.array([[1, 0, -0.5], [0, 1, -0.5], [0, 0, 1.0]])
    return View(out, back @ to_photo @ to_edges)


def set_straight(image_bgr: Image8, corners: Float) -> Image8:
    """Return a card seen straight from above, uint8 (176, 128, 3) BGR.

    Parameters
    ----------
    image_bgr
        Photo, uint8 H x W x 3, BGR.
    corners
        The card's corners in pixels, shape (4, 2), the one that shall be top left first, clockwise. Beyond
        the photo its edge goes on.
    """
    to_photo = photo_from_crop(corners)
    source, to_source = image_bgr, np.eye(3)
    shrink = (
        float(np.linalg.norm(corners[1] - corners[0]) + np.linalg.norm(corners[2] - corners[3])) / 2 / 112
    )
    if shrink > SHARPER:  # a warp looks at four pixels only and would alias
        height, width = image_bgr.shape[:2]
        pad = 0.2 * float(np.ptp(corners, axis=0).max())
        low = np.clip(np.floor(corners.min(0) - pad), 0, [width - 2, height - 2]).astype(int)
        high = np.clip(np.ceil(corners.max(0) + pad), low + 2, [width, height]).astype(int)
        (x0, y0), (x1, y1) = low.tolist(), high.tolist()
        w, h = max(2, round((x1 - x0) / shrink)), max(2, round((y1 - y0) / shrink))
        source = np.asarray(
            cv2.resize(image_bgr[y0:y1, x0:x1], (w, h), interpolation=cv2.INTER_AREA), np.uint8
        )
        sx, sy = w / (x1 - x0), h / (y1 - y0)
        to_source = np.array([[sx, 0, (0.5 - x0) * sx - 0.5], [0, sy, (0.5 - y0) * sy - 0.5], [0, 0, 1]])
    crop = cv2.warpPerspective(
        source,
        to_source @ to_photo,
        CROP_PX,
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(crop, dtype=np.uint8)


def photo_from_crop(corners: Float) -> Float:
    """Return the homography (3, 3) from a card set straight to the photo, where its corners are (4, 2)."""
    found = cv2.getPerspectiveTransform(CARD_IN_CROP.astype(np.float32), corners.astype(np.float32))
    return np.asarray(found, dtype=np.float64)
