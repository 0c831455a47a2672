"""Where further cards lie on a table of which some were found: they are as large, and lie as flat.

Of a card that is burnt out or blurred few features are found, too few to say how it lies. In the plane of the
table, as the cards that were found span it, one feature says that alone, and few are enough.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.geometry import apply_homography
from vision.taught.card import PICTURE_PX, Float, outline
from vision.taught.locating import Matches, inside, is_seen_card

# Set on drawn tables (seeds 9700000 to 9700047).
SCALE = 0.5  # logarithm of how much larger or smaller a feature may be than its card on the table asks for
CENTER, TURN_RAD = 0.2, 0.35  # widths and radians that features of a card may be apart
LEVER_PX = 40.0  # of a taught picture: features that lie closer do not say how a card is turned
FAR = 0.3  # how near the table is where a card may lie, of how near it is at the farthest that was found
MOST_PLACES = 40


def on_table(matches: Matches, cards: Sequence[Float]) -> list[Float]:
    """Return places, (4, 2) as one reads the card, where few features tell of a card as large as those found.

    Parameters
    ----------
    matches
        The features that a photo and the taught cards have in common.
    cards
        The corners, (4, 2), of the cards that were found; without any there is no place.
    """
    if not cards:
        return []
    to_table = _to_table(cards)
    to_photo = np.asarray(np.linalg.inv(to_table), dtype=np.float64)
    free = _near(matches.found[:, :2], to_table) > FAR * _near(np.concatenate(cards), to_table).min()
    for corners in cards:
        free &= ~inside(corners, matches.found[:, :2])
    known = matches.known[free]
    found, sizes, angles = _laid_flat(matches.found[free], to_table)
    as_large = np.abs(np.log(np.maximum(sizes, 1e-6) / known[:, 2])) < SCALE
    turns = (angles - known[:, 3])[as_large]
    found, known = found[as_large], known[as_large, :2]
    middles = found + _turned(np.array(PICTURE_PX) / 2 - known, turns)
    away = np.linalg.norm(middles[:, None] - middles, axis=2) < CENTER * PICTURE_PX[0]
    agree = away & (np.abs((turns[:, None] - turns + np.pi) % (2 * np.pi) - np.pi) < TURN_RAD)
    places: list[Float] = []
    left = np.ones(len(found), dtype=bool)
    for best in np.argsort(-np.count_nonzero(agree, axis=1), kind="stable"):
        if not left[best] or len(places) == MOST_PLACES:
            continue
        group = agree[best]
        left &= ~group
        corners = apply_homography(to_photo, _laid(found[group], known[group], float(turns[best])))
        if is_seen_card(corners):
            places.append(corners)
    return places


def _laid(found: Float, known: Float, turn: float) -> Float:
    """Return where a card lies on the table, (4, 2), by points (N, 2) of it; ``turn`` is about how."""
    if np.ptp(known, axis=0).max() > LEVER_PX:
        (x, y), (u, v) = (known - known.mean(axis=0)).T, (found - found.mean(axis=0)).T
        turn = float(np.arctan2((x * v - y * u).sum(), (x * u + y * v).sum()))
    rim = _turned(outline(PICTURE_PX) - known.mean(axis=0), np.full(4, turn))
    return np.asarray(rim + found.mean(axis=0), dtype=np.float64)


def _to_table(cards: Sequence[Float]) -> Float:
    """Return the homography (3, 3) from a photo to its table, in pixels of taught pictures."""
    rim = outline(PICTURE_PX)
    moves = [cv2.getPerspectiveTransform(rim.astype(np.float32), one.astype(np.float32)) for one in cards]
    # How near the table is there, as each corner tells: lengths shrink with it, and areas with its cube.
    near = [np.cbrt(abs(np.linalg.det(move))) / (np.c_[rim, np.ones(4)] @ move[2]) for move in moves]
    points = np.concatenate(cards)
    level = np.eye(3)
    level[2] = np.linalg.lstsq(np.c_[points, np.ones(len(points))], np.concatenate(near), rcond=None)[0]
    square = np.zeros((2, 2))
    for move in moves:  # with the slant taken out, what is left of each is turned and sheared
        straight = level @ move
        middle = straight @ np.append(np.array(PICTURE_PX) / 2, 1)
        sheared = (straight[:2, :2] - np.outer(middle[:2] / middle[2], straight[2, :2])) / middle[2]
        square += sheared @ sheared.T / len(moves)
    upright = np.eye(3)
    upright[:2, :2] = np.linalg.inv(np.linalg.cholesky(square))
    return np.asarray(upright @ level, dtype=np.float64)


def _near(points: Float, to_table: Float) -> Float:
    """Return how near the table is at points (N, 2) of the photo; nothing of it lies at 0 and beyond."""
    return np.asarray(points @ to_table[2, :2] + to_table[2, 2], dtype=np.float64)


def _laid_flat(found: Float, to_table: Float) -> tuple[Float, Float, Float]:
    """Return where features (N, 4) lie on the table, (N, 2), how large and how turned they are there."""
    tips = found[:, :2] + found[:, 2:3] * np.stack([np.cos(found[:, 3]), np.sin(found[:, 3])], axis=1)
    points = apply_homography(to_table, found[:, :2])
    along = apply_homography(to_table, tips) - points
    return points, np.hypot(*along.T), np.arctan2(along[:, 1], along[:, 0])


def _turned(points: Float, turns: Float) -> Float:
    """Return points (N, 2), each turned by its radians (N,)."""
    x, y = points.T
    cos, sin = np.cos(turns), np.sin(turns)
    return np.stack([cos * x - sin * y, sin * x + cos * y], axis=1)
