"""A classical cell reader: white balance from the pips, colors by their hue, values by layouts of pips.

No part of it is learned. For each cell it asks: do white pips stand out (`pip_map`), how well does each of
the six faces explain them, shifted and turned a little (`face_scores`), is the face colored, and which of the
five hues is nearest once the whole board's light is taken out (`color_scores`).
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cells.crops import CROP_PITCH_PX, CROP_PX

Float = NDArray[np.float64]

# Chosen among a few on synthetic crops, not on photos.
PIP_RADIUS_PX = 3.4
PIP_STEP_PX = 0.185 * CROP_PITCH_PX
MIN_CONTRAST = 0.12
SHARPNESS = 7.0
CHROMA_MIDDLE, CHROMA_SOFTNESS = 15.0, 3.0
PIP_MIDDLE, PIP_SOFTNESS = 0.4, 0.06
FIT_MIDDLE, FIT_SOFTNESS = -4.3, 0.8

HUES_DEG = (36.0, 97.0, 157.0, 270.0, 322.0)
"""Directions of red, yellow, green, blue and purple in the a-b plane, from top faces of real dice under
three lights, moved a little towards those of synthetic ones."""
LIGHTNESS = (-0.03, 0.24, 0.05, -0.06, -0.2)
"""How much lighter than the board's other dice they are, of 1; from the same."""
LIGHTNESS_WEIGHT, SPREAD, HOLD = 0.3, 0.25, 2.0


@dataclass(frozen=True, eq=False)
class Cells:
    """What a rival says of the 20 cells.

    ``filled`` (20,) is the probability of a die, ``color`` (20, 5) and ``value`` (20, 6) hold given one.
    """

    filled: Float
    color: Float
    value: Float


def read_crops(crops: NDArray[np.uint8]) -> Cells:
    """Read the 20 cells of one window.

    Parameters
    ----------
    crops
        uint8, 20 x 48 x 48 x 6, from `cell_crops`; only the plane of the top faces is looked at.
    """
    tops = balanced(crops[..., :3])
    pips = np.stack([pip_map(top) for top in tops])
    middle = slice(CROP_PX // 2 - 12, CROP_PX // 2 + 12)
    strongest = np.array([np.percentile(one[middle, middle], 99.5) for one in pips])
    colors, chroma = zip(*(face_color(top) for top in tops), strict=True)
    colored = _logistic((np.array(chroma) - CHROMA_MIDDLE) / CHROMA_SOFTNESS)
    # Pips are compared with those of the board's other dice: blur and haze weaken all of them alike.
    usual = max(MIN_CONTRAST, float(np.median(strongest[colored > 0.5])) if (colored > 0.5).any() else 0.0)
    marked = _logistic((strongest / usual - PIP_MIDDLE) / PIP_SOFTNESS)
    level = np.maximum(0.85 * strongest, 0.6 * usual)[:, None, None]
    scores = np.stack([face_scores(_logistic(SHARPNESS * (one - 0.5))) for one in pips / level])
    explained = _logistic((scores.max(axis=1) - FIT_MIDDLE) / FIT_SOFTNESS)
    filled = colored * marked * explained
    return Cells(filled, color_scores(np.array(colors), filled > 0.5), _softmax(1.5 * scores))


def balanced(crops_bgr: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return crops in [0, 1.2] with the brightest pixels of the board made white: pips, and bare card."""
    tops = crops_bgr.astype(np.float32) / 255
    middle = tops[:, 8:40, 8:40].reshape(20, -1, 3)
    light = middle.sum(axis=2)
    bright = middle[light >= np.percentile(light, 95, axis=1, keepdims=True)]
    whitest = bright[np.argsort(bright.max(axis=1) - bright.min(axis=1))[: len(bright) // 2]]
    white = np.maximum(np.median(whitest, axis=0), 0.05)
    return np.asarray(np.clip(tops / white, 0, 1.2), dtype=np.float32)


def pip_map(top: NDArray[np.float32]) -> Float:
    """Return how much whiter each place is, over a pip's disc, than eleven of sixteen around it (48 x 48).

    Not all, so that pips in a row count; not fewer, so that the edge of a bright slot does not.
    """
    whiteness = top.min(axis=2)  # a colored face is dark in one channel at least, a pip in none
    inner = cv2.filter2D(whiteness, -1, _disc())
    around = cv2.GaussianBlur(whiteness, (0, 0), 0.8)
    angles = np.arange(16) * np.pi / 8
    reach = PIP_RADIUS_PX + 1.6
    sides = [
        cv2.warpAffine(
            around,
            np.array([[1, 0, -reach * np.cos(angle)], [0, 1, -reach * np.sin(angle)]]),
            (CROP_PX, CROP_PX),
            borderMode=cv2.BORDER_REPLICATE,
        )
        for angle in angles
    ]
    higher = np.maximum(inner - np.sort(sides, axis=0)[10], 0)
    return np.asarray(cv2.GaussianBlur(higher, (0, 0), 1.2), dtype=np.float64)


@cache
def _disc() -> Float:
    y, x = np.mgrid[-4:5, -4:5]
    disc = np.asarray(np.hypot(x, y) <= PIP_RADIUS_PX - 0.7, dtype=np.float64)
    return np.asarray(disc / disc.sum())


# The nine places of a face, row by row, and which of them hold a pip; 2, 3 and 6 lie either way.
LAYOUTS = {
    1: ("....x....",),
    2: ("x.......x", "..x...x.."),
    3: ("x...x...x", "..x.x.x.."),
    4: ("x.x...x.x",),
    5: ("x.x.x.x.x",),
    6: ("x.xx.xx.x", "xxx...xxx"),
}


@dataclass(frozen=True, eq=False)
class Poses:
    """All poses of a face.

    ``places`` (P, 9, 2) in pixels, ``to_face`` (P, 2, 2) from pixels to face units, ``middles`` (P, 2) in
    pixels, ``cost`` (P,) of being moved, turned and stretched.
    """

    places: Float
    to_face: Float
    middles: Float
    cost: Float


@cache
def _poses() -> Poses:
    unit = np.array([[x, y] for y in (-1, 0, 1) for x in (-1, 0, 1)], dtype=np.float64)
    places, inverses, middles, cost = [], [], [], []
    scales = ((0.85, 0.85), (1.0, 1.0), (1.15, 1.15), (0.8, 1.0), (1.0, 0.8))
    for turn, (sx, sy) in itertools.product(np.radians((-12, 0, 12)), scales):
        c, s = np.cos(turn), np.sin(turn)
        to_pixels = np.diag([sx, sy]) @ np.array([[c, -s], [s, c]]) * PIP_STEP_PX
        for dx, dy in itertools.product(range(-9, 10, 3), range(-9, 10, 3)):
            middle = np.array([dx, dy]) + (CROP_PX - 1) / 2
            places.append(unit @ to_pixels.T + middle)
            inverses.append(np.linalg.inv(to_pixels))
            middles.append(middle)
            cost.append(0.03 * (dx * dx + dy * dy) + 6 * turn * turn + 8 * ((sx - 1) ** 2 + (sy - 1) ** 2))
    return Poses(np.array(places), np.array(inverses), np.array(middles), np.array(cost))


def face_scores(pips: Float) -> Float:
    """Return the log-likelihood (6,) of each face for a map of pip probabilities, each at its best pose.

    A pose pays for places of its layout where no pip is seen, and for pips on it that it has no place for.
    """
    poses = _poses()
    clipped = np.clip(pips, 0.02, 0.98)
    soft = cv2.dilate(clipped, np.ones((3, 3), np.uint8))
    columns, rows = np.clip(np.round(poses.places), 0, CROP_PX - 1).astype(np.intp).transpose(2, 0, 1)
    there = np.log(soft[rows, columns])
    y, x = np.nonzero((clipped >= cv2.dilate(clipped, np.ones((5, 5), np.uint8))) & (clipped > 0.25))
    spots = np.column_stack([x, y]).astype(np.float64)
    surplus = np.log(1 - clipped[y, x])
    covered = np.linalg.norm(poses.places[:, :, None] - spots, axis=3) < 0.45 * PIP_STEP_PX
    in_face = np.einsum("pij,pkj->pki", poses.to_face, spots[None] - poses.middles[:, None])
    inside = np.clip((2.4 - np.abs(in_face).max(axis=2)) / 0.9, 0, 1)  # 1 on the face, 0 well beside it
    scores = []
    for layouts in LAYOUTS.values():
        fits = []
        for layout in layouts:
            mask = np.array([mark == "x" for mark in layout])
            unexplained = inside * ~covered[:, mask].any(axis=1)
            fits.append(there[:, mask].sum(axis=1) + unexplained @ surplus - poses.cost)
        scores.append(max(float(fit.max()) for fit in fits))
    return np.array(scores)


def face_color(top: NDArray[np.float32]) -> tuple[Float, float]:
    """Return the Lab color (3,) of a face beside its pips (of its more colorful half), and its chroma."""
    middle = slice(CROP_PX // 2 - 12, CROP_PX // 2 + 12)
    lab = cv2.cvtColor(np.clip(top[middle, middle], 0, 1), cv2.COLOR_BGR2LAB).reshape(-1, 3)
    chroma = np.hypot(lab[:, 1], lab[:, 2])
    face = lab[chroma >= np.percentile(chroma, 50)]
    color = np.median(face, axis=0).astype(np.float64)
    return color, float(np.hypot(color[1], color[2]))


def color_scores(colors: Float, dice: NDArray[np.bool_]) -> Float:
    """Return color probabilities (20, 5) from Lab colors (20, 3), the light estimated from all dice together.

    Directions in the a-b plane are compared, not lengths (haze and dye change these more than the hue), and
    how light a die is among the others. A few rounds of k-means move the five references, each a part of the
    way to its dice.
    """
    usual = np.median(colors[dice, 0]) if dice.any() else 50.0
    seen = _features(np.arctan2(colors[:, 2], colors[:, 1]), (colors[:, 0] - usual) / 100)
    references = _features(np.radians(HUES_DEG), np.array(LIGHTNESS))
    centers = references
    for _ in range(4):
        nearest = np.linalg.norm(seen[:, None] - centers[None], axis=2).argmin(axis=1)
        mine = (nearest[:, None] == np.arange(5)) & dice[:, None]
        centers = (HOLD * references + mine.T @ seen) / (HOLD + mine.sum(axis=0))[:, None]
    distance = np.linalg.norm(seen[:, None] - centers[None], axis=2)
    return _softmax(-0.5 * (distance / SPREAD) ** 2)


def _features(angle: Float, lightness: Float) -> Float:
    return np.column_stack([np.cos(angle), np.sin(angle), LIGHTNESS_WEIGHT * lightness])


def _logistic(x: Float) -> Float:
    return np.asarray(1 / (1 + np.exp(-np.clip(x, -30, 30))), dtype=np.float64)


def _softmax(scores: Float) -> Float:
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True), dtype=np.float64)
