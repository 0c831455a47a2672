"""Places for a card by its outline: quadrilaterals that are colorful at one end and pale in the middle.

The finder network overlooks many cards; against a table of one tone their outline is plain to see. Both
propose, and the card reader decides.
"""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.objectives.views import CARD_IN_CROP, CROP_PX

Float = NDArray[np.float64]
Image8 = NDArray[np.uint8]

WORK_PX = 900  # longer side of the picture in which outlines are looked for
MIN_WIDTH_PX = 26.0  # of the shorter sides there
FULL = 0.9  # share of its hull that an outline has to fill, and of the quadrilateral that the hull has to
RATIO = (0.8, 2.6)  # of long to short sides, seen at a slant
LEVELS = (50, 80, 110, 140, 170, 200)
SAME = 0.06  # sides by which two outlines differ at most that are one
SMALL = 4  # how much smaller than a crop a card is looked at here
# Set on drawn cards: how much more saturated the glass is than the field, and how much paler the field is.
COLORFUL, PALER = 12.0, -10.0


def outlined(image_bgr: Image8) -> list[tuple[Float, float]]:
    """Return outlines that may be public objective cards, with how well they look so, the best first.

    Each is (4, 2) in pixels of the photo, uint8 H x W x 3 BGR, from its top left as one reads it.
    """
    small, scale = _reduced(image_bgr)
    found: list[tuple[Float, float]] = []
    for quad in _distinct(small):
        best = max((_looks_like_one(small, np.roll(quad, turn, axis=0)), turn) for turn in _ways(quad))
        if best[0] > 0:
            corners = np.roll(quad, best[1], axis=0)
            found.append(((corners + 0.5) / scale - 0.5, best[0]))
    return sorted(found, key=lambda one: -one[1])


def outlines_in(image_bgr: Image8) -> list[Float]:
    """Return the outlines of all that has four corners, (4, 2) pixels of the photo each, clockwise."""
    small, scale = _reduced(image_bgr)
    return [(quad + 0.5) / scale - 0.5 for quad in _distinct(small)]


def _reduced(image_bgr: Image8) -> tuple[Image8, float]:
    """Return the photo as outlines are looked for in it, and how much smaller that is."""
    height, width = image_bgr.shape[:2]
    scale = min(1.0, WORK_PX / max(width, height))
    if scale == 1:
        return image_bgr, scale
    size = (round(width * scale), round(height * scale))
    return np.asarray(cv2.resize(image_bgr, size, interpolation=cv2.INTER_AREA), dtype=np.uint8), scale


def _distinct(image_bgr: Image8) -> list[Float]:
    quads: list[Float] = []
    for quad in _quads(image_bgr):
        if not any(_is_same(quad, other) for other in quads):
            quads.append(quad)
    return quads


def _quads(image_bgr: Image8) -> Iterator[Float]:
    """Yield the quadrilaterals in a picture, (4, 2) each, clockwise."""
    soft = cv2.GaussianBlur(image_bgr, (0, 0), 1.2)
    gray = cv2.cvtColor(soft, cv2.COLOR_BGR2GRAY)
    lab = cv2.cvtColor(soft, cv2.COLOR_BGR2LAB)
    edges = np.asarray(cv2.Canny(gray, 30, 80), dtype=np.uint8)
    for channel in (1, 2):
        edges = np.maximum(edges, cv2.Canny(lab[..., channel], 20, 50)).astype(np.uint8)
    masks = [cv2.dilate(edges, np.ones((3, 3), np.uint8)), 255 - cv2.dilate(edges, np.ones((3, 3), np.uint8))]
    masks += [np.asarray(gray > level, dtype=np.uint8) for level in LEVELS]
    height, width = gray.shape
    rim = np.concatenate(
        [
            lab[:4].reshape(-1, 3),
            lab[-4:].reshape(-1, 3),
            lab[:, :4].reshape(-1, 3),
            lab[:, -4:].reshape(-1, 3),
        ]
    )
    off = np.abs(lab.astype(np.int16) - np.median(rim, axis=0).astype(np.int16)).max(axis=2).astype(np.uint8)
    masks += [np.asarray(off > level, dtype=np.uint8) for level in (12, 25, 45)]
    whole = np.array([[0, 0], [width - 1, 0], [width - 1, height - 1], [0, height - 1]], dtype=np.float64)
    yield whole  # a scan
    for mask in masks:
        for contour in cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)[0]:
            if len(contour) >= 4 and cv2.contourArea(contour) > MIN_WIDTH_PX**2:
                quad = _as_quad(np.asarray(contour, dtype=np.int32))
                if quad is not None:
                    yield quad


def _as_quad(contour: NDArray[np.int32]) -> Float | None:
    """Return the quadrilateral that a contour is, or None."""
    hull = cv2.convexHull(contour)
    area = cv2.contourArea(hull)
    if cv2.contourArea(contour) < FULL * area:
        return None
    around = cv2.arcLength(hull, closed=True)
    for share in (0.02, 0.035, 0.05, 0.07):
        found = cv2.approxPolyDP(hull, share * around, closed=True)
        if len(found) <= 4:
            break
    if len(found) != 4 or not FULL < cv2.contourArea(found) / area < 1 / FULL:
        return None
    quad = found.reshape(4, 2).astype(np.float64)
    if cv2.contourArea(found, oriented=True) < 0:
        quad = quad[::-1]
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    return quad if sides.min() >= MIN_WIDTH_PX else None


def _ways(quad: Float) -> tuple[int, ...]:
    """Return by how many corners a quadrilateral may have to be turned to be read."""
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    ratio = float((sides[1] + sides[3]) / (sides[0] + sides[2]))
    ways = []
    if RATIO[0] < ratio < RATIO[1]:
        ways += [0, 2]
    if RATIO[0] < 1 / ratio < RATIO[1]:
        ways += [1, 3]
    return tuple(ways) or (0,)


def _looks_like_one(image_bgr: Image8, corners: Float) -> float:
    """Return how much more colorful the upper third is than the field below; 0 of what is no card."""
    goal = (CARD_IN_CROP / SMALL).astype(np.float32)
    move = cv2.getPerspectiveTransform(corners.astype(np.float32), goal)
    crop = cv2.warpPerspective(
        image_bgr, move, (CROP_PX[0] // SMALL, CROP_PX[1] // SMALL), flags=cv2.INTER_LINEAR
    )
    low, high = crop.min(axis=2).astype(np.float64), crop.max(axis=2).astype(np.float64)
    strong = high - low
    glass, field = (slice(5, 12), slice(7, 25)), (slice(15, 33), slice(6, 26))
    colorful = float(np.mean(strong[glass]) - np.median(strong[field]))
    paler = float(np.median(low[field]) - np.mean(low[glass]))
    return colorful + paler if colorful > COLORFUL and paler > PALER else 0.0


def _is_same(one: Float, other: Float) -> bool:
    side = float(np.linalg.norm(other[1] - other[0]) + np.linalg.norm(other[2] - other[1])) / 2
    if np.linalg.norm(one.mean(0) - other.mean(0)) > SAME * side:
        return False
    return min(float(np.abs(np.roll(one, k, axis=0) - other).max()) for k in range(4)) < SAME * side
