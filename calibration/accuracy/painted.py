"""What may lie over a window or blind the camera, painted over a photo: fingers, cards, sleeves, flash spots.

These are for measuring alone. What the networks learn from is drawn by other means
(`calibration.training.synthetic.covers`), so that a good figure here is not a drawing learned by heart.
"""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np

from calibration.accuracy.spoiled import Fault, Float, Random, Shot, as_picture
from vision.geometry import CELL_CENTERS, COLUMNS, FLOOR_HEIGHT, ROWS, TOP_HEIGHT, apply_homography

# BGR of skins from pale to dark, one of them red with cold or of a hand against a lamp.
SKINS = ((178, 200, 236), (140, 172, 224), (110, 140, 200), (70, 98, 158), (42, 60, 104), (70, 70, 205))
BLIND = 236  # of 255: a spot brighter than this in all channels shows nothing


def finger_over_corner(shot: Shot, rng: Random) -> Shot:
    """Lay a finger over a corner space, as of a hand that holds the window."""
    x, y = float(rng.choice([0, COLUMNS])), float(rng.choice([0, ROWS]))
    inward = np.array([1.0 if x == 0 else -1.0, 1.0 if y == 0 else -1.0])
    tip = np.array([x, y]) + inward * (0.7 + rng.normal(0, 0.06, 2))
    outward = -inward * rng.uniform(0.3, 1.0, 2)
    return _fingers(shot, rng, [(tip, outward, rng.uniform(0.42, 0.55))])


def fingers_inside(shot: Shot, rng: Random) -> Shot:
    """Let one to three fingers point into the window from any side."""
    side = rng.uniform(0, 2 * np.pi)
    outward = np.array([np.cos(side), np.sin(side)])
    across = np.array([-outward[1], outward[0]])
    tip = rng.uniform([0.3, 0.3], [4.7, 3.7])
    count = int(rng.integers(1, 4))
    thick = rng.uniform(0.38, 0.55)
    lines = [
        (tip + across * 1.9 * thick * k - outward * rng.normal(0, 0.25), outward, thick) for k in range(count)
    ]
    return _fingers(shot, rng, lines)


def _fingers(shot: Shot, rng: Random, lines: list[tuple[Float, Float, float]]) -> Shot:
    """Paint fingers, each given by its tip, where it comes from, and half its width, in pitches."""
    skin = np.array(SKINS[int(rng.integers(len(SKINS)))]) * rng.uniform(0.75, 1.05)
    skin = skin * np.clip(_bright(shot) / 235, 0.25, 1.1)  # as bright as the photo
    height, width = shot.image_bgr.shape[:2]
    coarse = max(1.0, max(height, width) / 450)  # painted in less detail than a large photo has
    y, x = np.mgrid[: round(height / coarse), : round(width / coarse)].astype(np.float32) * np.float32(coarse)
    color, alpha = np.zeros((*x.shape, 3)), np.zeros(x.shape)
    raised = shot.grid.plane(TOP_HEIGHT * rng.uniform(0.9, 2.0))
    for tip, outward, thick in lines:
        bend = np.array([-outward[1], outward[0]]) * rng.normal(0, 0.4)
        t = np.linspace(0, 1, 40)[:, None]
        spine = tip + outward * t * 7 + bend * t * (1 - t) * 4
        middle = apply_homography(raised, spine)
        right, left = apply_homography(raised, np.add(tip, [[1, 0], [-1, 0]]))
        pitch_px = float(np.linalg.norm(right - left)) / 2
        far = np.full(x.shape, np.inf, np.float32)
        along = np.zeros(x.shape, np.float32)
        for k, (mx, my) in enumerate(middle):
            radius = pitch_px * thick * (0.82 + 0.3 * min(k / 12, 1))
            d = np.hypot(x - np.float32(mx), y - np.float32(my)) / np.float32(radius)
            along = np.where(d < far, k, along)
            far = np.minimum(far, d)
        shade = 1 - 0.55 * np.clip(far, 0, 1) ** 3 + 0.05 * np.sin(along * 1.7)
        one = np.clip((1.03 - far) * 12, 0, 1)
        tint = skin * shade[..., None]
        nail = np.clip((0.55 - far) * 10, 0, 1) * (along < 5) * float(rng.random() < 0.7)
        tint = tint * (1 - nail[..., None]) + nail[..., None] * (skin * 0.6 + np.array([95, 95, 105]) * 0.9)
        color = color * (1 - one[..., None]) + tint * one[..., None]
        alpha = np.maximum(alpha, one)
    return _laid(shot, rng, color + rng.normal(0, 2.5, color.shape), alpha)


def _bright(shot: Shot) -> float:
    """Return how bright the light parts of a photo are, of 255."""
    return float(np.percentile(shot.image_bgr.max(axis=2), 90))


def _laid(shot: Shot, rng: Random, color: Float, alpha: Float) -> Shot:
    """Lay a picture of any size (h x w x 3 and h x w) over the photo, with a shadow and out of focus."""
    size = shot.image_bgr.shape[1::-1]
    shown = cv2.resize(color.astype(np.float32), size, interpolation=cv2.INTER_LINEAR)
    lies = cv2.resize(alpha.astype(np.float32), size, interpolation=cv2.INTER_LINEAR)
    soft = shot.grid.pitch_px * rng.uniform(0.004, 0.04)
    over = cv2.GaussianBlur(lies, (0, 0), soft)[..., None]
    move = np.array([[1, 0, rng.normal(0, 0.12)], [0, 1, rng.normal(0, 0.12)]]) * [[1, 1, shot.grid.pitch_px]]
    shadow = cv2.GaussianBlur(cv2.warpAffine(lies, move, size), (0, 0), shot.grid.pitch_px * 0.15)[..., None]
    under = shot.image_bgr * (1 - np.float32(rng.uniform(0.15, 0.6)) * shadow)
    out = under * (1 - over) + shown * over
    return shot.under(as_picture(out), lies > 0.5)


def _beside(rng: Random, most: float) -> tuple[Float, float]:
    """Return the middle and the turn of a 6 x 8 sheet that reaches up to ``most`` pitches over a side."""
    side = int(rng.integers(4))
    reach = rng.uniform(0.7, most)
    turn = rng.normal(0, 0.2)
    spots = ([-4 + reach, 2], [COLUMNS + 4 - reach, 2], [2.5, -4 + reach], [2.5, ROWS + 4 - reach])
    angle = (0, np.pi, np.pi / 2, -np.pi / 2)[side]
    slide = rng.normal(0, 2.2)
    return np.array(spots[side]) + slide * np.array([-np.sin(angle), np.cos(angle)]), angle + turn


def card_over_side(shot: Shot, rng: Random) -> Shot:
    """Lay a printed card over spaces at a side."""
    middle, angle = _beside(rng, 1.9)
    c, s = np.cos(angle), np.sin(angle)
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (4.0, rng.uniform(2, 3.5))
    plane = shot.grid.plane(TOP_HEIGHT * rng.uniform(1.0, 2.2))
    quad = apply_homography(plane, middle + square @ np.array([[c, s], [-s, c]]))
    alpha = np.zeros(shot.image_bgr.shape[:2])
    cv2.fillConvexPoly(alpha, (quad * 8).round().astype(np.int32), 1.0, cv2.LINE_AA, 3)
    bright = np.clip(_bright(shot), 60, 250)
    paper = bright * (0.55 + 0.45 * rng.random(3))
    face = np.full((320, 480, 3), paper, np.uint8)
    for _ in range(int(rng.integers(2, 14))):
        a, b = rng.integers(0, [480, 320]), rng.integers(10, 140, 2)
        ink = (bright * rng.random(3)).tolist()
        if rng.random() < 0.5:
            cv2.rectangle(face, a.tolist(), (a + b).tolist(), ink, -1)
        else:
            cv2.circle(face, a.tolist(), int(b[0] // 2), ink, -1, cv2.LINE_AA)
    for line in range(int(rng.integers(0, 6))):
        place = (int(rng.integers(0, 200)), 40 + 50 * line)
        ink = (bright * 0.15,) * 3
        cv2.putText(face, "Finestra e dadi", place, cv2.FONT_HERSHEY_DUPLEX, rng.uniform(0.6, 1.6), ink, 2)
    flat = np.array([[0, 0], [480, 0], [480, 320], [0, 320]], np.float32)
    to_photo = cv2.getPerspectiveTransform(flat, quad.astype(np.float32))
    color = cv2.warpPerspective(face, to_photo, shot.image_bgr.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
    return _laid(shot, rng, np.asarray(color), alpha)


def sleeve_over_side(shot: Shot, rng: Random) -> Shot:
    """Lay cloth over a side: a column or row is hidden, or much of it."""
    middle, angle = _beside(rng, 1.25)
    c, s = np.cos(angle), np.sin(angle)
    plane = shot.grid.plane(TOP_HEIGHT * rng.uniform(1.0, 2.2))
    height, width = shot.image_bgr.shape[:2]
    y, x = np.mgrid[:height:2, :width:2].astype(np.float64)
    to_board = np.asarray(np.linalg.inv(plane), dtype=np.float64)
    board = apply_homography(to_board, np.column_stack([x.ravel(), y.ravel()])) - middle
    u, v = (board @ np.array([[c, -s], [s, c]])).T.reshape(2, *x.shape)
    edge = 4.0 + 0.15 * np.sin(v * rng.uniform(1, 3) + rng.uniform(0, 6)) - 0.02 * v**2
    alpha = np.clip((edge - u) * 12, 0, 1) * np.clip((rng.uniform(2.5, 4.5) - np.abs(v)) * 12, 0, 1)
    bright = np.clip(_bright(shot), 60, 250)
    cloth = bright * rng.uniform(0.05, 0.9, 3)
    folds = 1 + 0.25 * np.sin(u * rng.uniform(2, 6) + 1.5 * np.sin(v * rng.uniform(0.5, 2)))
    weave = 1 + 0.08 * np.sin(u * 40) * np.sin(v * 40)
    color = cloth * (folds * weave)[..., None]
    if rng.random() < 0.5:
        other = bright * rng.uniform(0.05, 0.9, 3)
        stripes = (np.sin(v * rng.uniform(4, 14)) > rng.uniform(-0.4, 0.6))[..., None]
        color = np.where(stripes, color, other * (folds * weave)[..., None])
    return _laid(shot, rng, color, alpha)


def flash_on_die(shot: Shot, rng: Random) -> Shot:
    """Blind the camera with a lamp's image on one die, or on a space of a window without dice."""
    cell = int(rng.choice(np.flatnonzero(shot.dice) if shot.dice.any() else np.arange(20)))
    plane = shot.grid.plane(TOP_HEIGHT if shot.dice[cell] else FLOOR_HEIGHT)
    center = CELL_CENTERS[cell] + rng.normal(0, 0.08, 2)
    ((mx, my),) = apply_homography(plane, center[None])
    y, x = np.mgrid[: shot.image_bgr.shape[0], : shot.image_bgr.shape[1]].astype(np.float64)
    wide = shot.grid.pitch_px * rng.uniform(0.3, 0.5)
    angle, squeeze = rng.uniform(0, np.pi), rng.uniform(0.75, 1.3)
    du = ((x - mx) * np.cos(angle) + (y - my) * np.sin(angle)) / wide
    dv = ((y - my) * np.cos(angle) - (x - mx) * np.sin(angle)) / wide * squeeze
    far = np.hypot(du, dv)
    light = 1.6 * np.exp(-(far ** rng.uniform(2.5, 6))) + 0.25 * np.exp(-far / 1.5)
    out = as_picture(shot.image_bgr + 255 * light[..., None] * np.array([0.97, 1.0, 1.0]))
    return shot.under(out, (out.min(axis=2) >= BLIND) & (shot.image_bgr.min(axis=2) < BLIND))


PAINTED: Mapping[str, Fault] = {
    "finger over a corner": finger_over_corner,
    "fingers inside": fingers_inside,
    "card": card_over_side,
    "sleeve": sleeve_over_side,
    "flash spot": flash_on_die,
}
