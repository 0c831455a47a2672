"""Where cards of a printing that was taught lie in a photo, whichever they are: by local features.

The cards of a printing have frame, track and ornaments in common. A feature says where a card lies as well
when many have it, so equal ones at one place count once, and `vision.taught.comparing` tells the cards apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import apply_homography
from vision.taught.card import PICTURE_PX, Image8, TaughtCard, features, outline

Float = NDArray[np.float64]
Float32 = NDArray[np.float32]

# Set on scans of one printing on drawn tables, found by the features of the other.
MOST_FEATURES = 9000  # of a photo; wood and cloth are full of them
NEAR_PX, SAME_LOOK = 6.0, 0.8  # of a taught picture; likeness (1 is the same) of features that are one
RATIO = 0.9  # how much nearer than the next feature the right one has to be
LEAST_MATCHES = 8  # that agree about one card
CENTER, TURN_RAD, SCALE = 0.3, 0.6, 0.5  # how far they may be apart: widths, radians, logarithm of scale
OFF = 0.015  # widths, and 2 pixels at least, from where a match should lie
MOST_PLACES = 24
CHUNK = 1000


@dataclass(frozen=True, eq=False)
class Matches:
    """Features of a photo, ``found`` (N, 4), and those of taught cards that they are, ``known`` (N, 4).

    Rows are as of the ``points`` of a `TaughtCard`.
    """

    found: Float
    known: Float


def matched(image_bgr: Image8, taught: Sequence[TaughtCard]) -> Matches:
    """Return the features that a photo, uint8 H x W x 3 BGR, has in common with taught cards."""
    points, looks = features(image_bgr, MOST_FEATURES)
    known, known_looks = _distinct(taught)
    ours, theirs = _matches(_unit(looks), known_looks)
    return Matches(points[ours].astype(np.float64), known[theirs].astype(np.float64))


def _unit(looks: NDArray[np.uint8]) -> Float32:
    """Return descriptors as unit vectors whose products tell them apart best (the square roots: RootSIFT)."""
    rows = looks.astype(np.float32)
    return np.asarray(np.sqrt(rows / np.maximum(rows.sum(axis=1, keepdims=True), 1)), dtype=np.float32)


def _distinct(taught: Sequence[TaughtCard]) -> tuple[Float32, Float32]:
    """Return the features of all cards, those that several have at one place only once."""
    points, looks = np.zeros((0, 4), np.float32), np.zeros((0, 128), np.float32)
    for card in taught:
        own = _unit(card.descriptors)
        new = np.ones(len(own), dtype=bool)
        across, down = (np.abs(card.points[:, None, k] - points[None, :, k]) < NEAR_PX for k in (0, 1))
        near, other = np.nonzero(across & down)
        new[near[np.einsum("ij,ij->i", own[near], looks[other]) >= SAME_LOOK]] = False
        points, looks = np.concatenate([points, card.points[new]]), np.concatenate([looks, own[new]])
    return points, looks


def _matches(looks: Float32, known: Float32) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return which features of a photo are which known ones: only those that no other comes near to."""
    ours, theirs = [np.zeros(0, np.intp)], [np.zeros(0, np.intp)]
    if len(known) < 2:
        return ours[0], theirs[0]
    for start in range(0, len(looks), CHUNK):
        likeness = looks[start : start + CHUNK] @ known.T
        rows, best = np.arange(len(likeness)), likeness.argmax(axis=1)
        first = _apart(likeness[rows, best])
        likeness[rows, best] = -1
        sure = first < RATIO * _apart(likeness.max(axis=1))
        ours.append(rows[sure] + start)
        theirs.append(best[sure])
    return np.concatenate(ours), np.concatenate(theirs)


def _apart(likeness: Float32) -> Float32:
    """Return how far unit vectors are apart, of which the products are given."""
    return np.sqrt(np.maximum(0, 2 - 2 * likeness))


def located(matches: Matches) -> list[Float]:
    """Return the corners (4, 2) of places in a photo where a card may lie, by features that agree.

    They stand as one reads the card, those with most evidence first.
    """
    found, known = matches.found, matches.known
    scale, turn = found[:, 2] / known[:, 2], found[:, 3] - known[:, 3]
    cos, sin = scale * np.cos(turn), scale * np.sin(turn)
    x, y = PICTURE_PX[0] / 2 - known[:, 0], PICTURE_PX[1] / 2 - known[:, 1]
    # Each match alone says where the middle of its card lies, and how large and turned the card is.
    middles = found[:, :2] + np.stack([cos * x - sin * y, sin * x + cos * y], axis=1)
    widths = scale * PICTURE_PX[0]
    agree = _agree(middles, widths, turn)
    free = np.ones(len(found), dtype=bool)
    places: list[tuple[int, Float]] = []
    while len(places) < MOST_PLACES and free.sum() >= LEAST_MATCHES:
        best = int(np.where(free, np.count_nonzero(agree & free, axis=1), 0).argmax())
        group = np.flatnonzero(agree[best] & free)
        if len(group) < LEAST_MATCHES:
            break
        free[group] = False
        off = max(2.0, OFF * float(widths[best]))
        move, fits = cv2.findHomography(known[group, :2], found[group, :2], cv2.RANSAC, off)
        count = int(np.count_nonzero(fits))
        if count < LEAST_MATCHES:  # without a homography nothing fits
            continue
        corners = apply_homography(np.asarray(move, dtype=np.float64), outline(PICTURE_PX))
        if is_seen_card(corners):
            places.append((count, corners))
            free &= ~inside(corners, found[:, :2])
    return [corners for _, corners in sorted(places, key=lambda place: -place[0])]


def _agree(middles: Float, widths: Float, turn: Float) -> NDArray[np.bool_]:
    """Return which matches (rows) are backed by which others (columns) in where a card lies, and how."""
    x, y, logs, turn = (one.astype(np.float32) for one in (*middles.T, np.log(widths), turn))
    away = np.hypot(x[:, None] - x, y[:, None] - y) < CENTER * widths[:, None].astype(np.float32)
    larger = np.abs(logs[:, None] - logs) < SCALE
    off = np.abs(turn[:, None] - turn) % np.float32(2 * np.pi)
    return np.asarray(away & larger & (np.minimum(off, np.float32(2 * np.pi) - off) < TURN_RAD))


def is_seen_card(corners: Float) -> bool:
    """Return whether corners (4, 2) may be those of a card seen from above or at a slant."""
    sides = np.roll(corners, -1, axis=0) - corners
    turns = sides[:, 0] * np.roll(sides[:, 1], -1) - sides[:, 1] * np.roll(sides[:, 0], -1)
    top, right, foot, left = np.linalg.norm(sides, axis=1)
    if not (turns > 0).all() or min(top, right, foot, left) < 30:
        return False
    alike = min(top, foot) > max(top, foot) / 2 and min(left, right) > max(left, right) / 2
    return bool(alike and 0.6 < (left + right) / (top + foot) < 3)


def inside(corners: Float, points: Float) -> NDArray[np.bool_]:
    """Return which of points (N, 2) lie in a convex outline (4, 2), clockwise."""
    sides = np.roll(corners, -1, axis=0) - corners
    away = points[:, None] - corners[None]
    return np.asarray((sides[:, 0] * away[..., 1] - sides[:, 1] * away[..., 0] >= 0).all(axis=1))
