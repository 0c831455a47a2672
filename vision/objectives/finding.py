"""Where public objective cards may lie: the first look, at the whole photo and its parts."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import apply_homography
from vision.network import card_finder, sigmoid, to_blob
from vision.objectives.outlines import outlined
from vision.objectives.views import STRIDE, View, views_of

Float = NDArray[np.float64]

LIKELY = 0.25  # how sure the finder has to be of a place for a closer look
MOST_OUTLINES = 6  # outlines that look best
OUTLINED = 0.6  # how sure a place with an outline counts
MOST = 10  # places looked at closely in one photo
UNIT_PX = 64.0  # the size whose logarithm is 0 in the finder's maps
SCAN = (0.69, 0.74)  # short to long side of a picture that may be the scan of a card, which has 0.714
SAME = 0.75  # share of the area of both that two places have in common where both are one


@dataclass(frozen=True, eq=False)
class Place:
    """Where a card may lie: corners (4, 2) in pixels of the photo, as one reads it, and how sure that is."""

    corners: Float
    sure: float


def likely_places(image_bgr: NDArray[np.uint8]) -> list[Place]:
    """Return where in a photo, uint8 H x W x 3 BGR, public objective cards may lie, the surest first."""
    places = [place for view in views_of(image_bgr) for place in _marked(view)]
    # What has an outline comes first: its corners are better known.
    outlines = [Place(corners, OUTLINED) for corners, _ in outlined(image_bgr)[:MOST_OUTLINES]]
    marked = sorted(places, key=lambda place: -place.sure)
    return distinct([*_whole_picture(image_bgr), *outlines, *marked])[:MOST]


def _whole_picture(image_bgr: NDArray[np.uint8]) -> list[Place]:
    """Return the whole picture as a place where it is shaped like a card: a scan may be nothing else."""
    height, width = image_bgr.shape[:2]
    if not SCAN[0] < min(width, height) / max(width, height) < SCAN[1]:
        return []
    corners = np.array([[0, 0], [width - 1, 0], [width - 1, height - 1], [0, height - 1]], dtype=np.float64)
    return [Place(np.roll(corners, int(width > height), axis=0), OUTLINED)]


def distinct(places: list[Place]) -> list[Place]:
    """Return the places without those that are about the same as an earlier one."""
    kept: list[Place] = []
    for one in places:
        if not any(in_common(one.corners, other.corners) > SAME for other in kept):
            kept.append(one)
    return kept


def overlap(one: Float, other: Float) -> float:
    """Return the share of the smaller of two convex outlines, (4, 2) each, that lies in the other."""
    a, b = one.astype(np.float32), other.astype(np.float32)
    smaller = min(cv2.contourArea(a), cv2.contourArea(b))
    return float(cv2.intersectConvexConvex(a, b)[0]) / max(smaller, 1e-6)


def in_common(one: Float, other: Float) -> float:
    """Return the area that two convex outlines, (4, 2) each, have in common, as a share of both together."""
    a, b = one.astype(np.float32), other.astype(np.float32)
    shared = float(cv2.intersectConvexConvex(a, b)[0])
    return shared / max(cv2.contourArea(a) + cv2.contourArea(b) - shared, 1e-6)


def is_card_shaped(corners: Float) -> bool:
    """Return whether corners (4, 2) are those of a convex outline, clockwise, not much longer than wide."""
    sides = np.roll(corners, -1, axis=0) - corners
    turns = sides[:, 0] * np.roll(sides[:, 1], -1) - sides[:, 1] * np.roll(sides[:, 0], -1)
    lengths = np.linalg.norm(sides, axis=1)
    return bool((turns > 0).all() and lengths.min() > 0.25 * lengths.max())


def _marked(view: View) -> list[Place]:
    """Return the cards that the finder marks in a view."""
    maps = card_finder().run(to_blob(view.image_bgr[None]))[0]
    heat = sigmoid(maps[0])
    peaks = (heat == cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat > LIKELY)
    places = []
    for row, column in np.argwhere(peaks).tolist():
        size, shifts = UNIT_PX * np.exp(float(np.clip(maps[1, row, column], -4, 2))), maps[2:, row, column]
        middle = STRIDE * np.array([column, row]) + (STRIDE - 1) / 2
        corners = apply_homography(view.to_photo, middle + size * shifts.reshape(4, 2).astype(np.float64))
        if is_card_shaped(corners):
            places.append(Place(corners, float(heat[row, column])))
    return places
