"""What may lie over a window or blind the camera, painted over a photo: fingers, cards, sleeves, flash spots.

These are for measuring alone. What the networks learn from is drawn by other means
(`calibration.training.synthetic.covers`), so that a good figure here is not a drawing learned by heart.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import CELL_CENTERS, COLUMNS, FLOOR_HEIGHT, ROWS, TOP_HEIGHT, Grid, apply_homography

Float = NDArray[np.float64]
Picture = NDArray[np.uint8]

TOP_HALF, FLOOR_HALF = 0.26, 0.32  # half sides, in pitches, of what matters of a die and of an empty space
# BGR of skins from pale to dark, one of them red with cold or of a hand against a lamp.
SKINS = ((178, 200, 236), (140, 172, 224), (110, 140, 200), (70, 98, 158), (42, 60, 104), (70, 70, 205))
BLIND = 236  # of 255: a spot brighter than this in all channels shows nothing


@dataclass(frozen=True, eq=False)
class Fault:
    """A photo with something over it: the picture (H x W x 3 uint8, BGR) and how much of each cell it hides.

    ``hidden`` (20,) is the share of the top of the die, or of the hole's floor where there is none.
    """

    image_bgr: Picture
    hidden: Float


Painter = Callable[[np.random.Generator, Picture, Grid, NDArray[np.bool_]], Fault]


def hidden_shares(cover: NDArray[np.bool_], grid: Grid, dice: NDArray[np.bool_]) -> Float:
    """Return which share of each cell (20,) a cover hides.

    Parameters
    ----------
    cover
        H x W, where something lies over the photo.
    grid
        The window in it.
    dice
        (20,), which cells hold a die.
    """
    steps = np.linspace(-1, 1, 11)
    spots = np.stack(np.meshgrid(steps, steps), -1).reshape(-1, 2)
    height, width = cover.shape
    shares = []
    for center, die in zip(CELL_CENTERS, dice, strict=True):
        plane = grid.plane(TOP_HEIGHT if die else FLOOR_HEIGHT)
        x, y = (
            apply_homography(plane, center + spots * (TOP_HALF if die else FLOOR_HALF)).round().astype(int).T
        )
        seen = cover[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)]
        shares.append(float(seen.mean()))
    return np.array(shares)


def finger_over_corner(
    rng: np.random.Generator, photo: Picture, grid: Grid, dice: NDArray[np.bool_]
) -> Fault:
    """Lay a finger over a corner space, as of a hand that holds the window."""
    x, y = float(rng.choice([0, COLUMNS])), float(rng.choice([0, ROWS]))
    inward = np.array([1.0 if x == 0 else -1.0, 1.0 if y == 0 else -1.0])
    tip = np.array([x, y]) + inward * (0.7 + rng.normal(0, 0.06, 2))
    outward = -inward * rng.uniform(0.3, 1.0, 2)
    return _fingers(rng, photo, grid, dice, [(tip, outward, rng.uniform(0.42, 0.55))])


def finger_inside(rng: np.random.Generator, photo: Picture, grid: Grid, dice: NDArray[np.bool_]) -> Fault:
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
    return _fingers(rng, photo, grid, dice, lines)


def _fingers(
    rng: np.random.Generator,
    photo: Picture,
    grid: Grid,
    dice: NDArray[np.bool_],
    lines: list[tuple[Float, Float, float]],
) -> Fault:
    """Paint fingers, each given by its tip, where it comes from, and half its width, in pitches."""
    skin = np.array(SKINS[int(rng.integers(len(SKINS)))]) * rng.uniform(0.75, 1.05)
    lit = photo.reshape(-1, 3).max(axis=1)
    skin = skin * np.clip(np.percentile(lit, 90) / 235, 0.25, 1.1)  # as bright as the photo
    height, width = photo.shape[:2]
    scale = min(1.0, 450 / max(height, width))  # painted in less detail than a large photo has
    small = (round(width * scale), round(height * scale))
    y, x = np.mgrid[: small[1], : small[0]].astype(np.float32) / np.float32(scale)
    color, alpha = np.zeros((small[1], small[0], 3)), np.zeros((small[1], small[0]))
    raised = grid.plane(TOP_HEIGHT * rng.uniform(0.9, 2.0))
    for tip, outward, thick in lines:
        bend = np.array([-outward[1], outward[0]]) * rng.normal(0, 0.4)
        t = np.linspace(0, 1, 40)[:, None]
        spine = tip + outward * t * 7 + bend * t * (1 - t) * 4
        middle = apply_homography(raised, spine)
        pitch = np.linalg.norm(apply_homography(raised, tip[None] + [[1, 0], [-1, 0]]), axis=1)
        pitch_px = abs(float(np.diff(pitch)[0])) / 2 or grid.pitch_px
        pitch_px = max(pitch_px, 0.7 * grid.pitch_px)
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
    return _laid(rng, photo, grid, dice, color + rng.normal(0, 2.5, color.shape), alpha)


def _laid(
    rng: np.random.Generator,
    photo: Picture,
    grid: Grid,
    dice: NDArray[np.bool_],
    color: Float,
    alpha: Float,
) -> Fault:
    """Lay a small picture (h x w x 3 and h x w) over the photo, with its shadow and a little out of focus."""
    size = photo.shape[1::-1]
    shown = cv2.resize(color.astype(np.float32), size, interpolation=cv2.INTER_LINEAR)
    lies = cv2.resize(alpha.astype(np.float32), size, interpolation=cv2.INTER_LINEAR)
    soft = grid.pitch_px * rng.uniform(0.004, 0.04)
    over = cv2.GaussianBlur(lies, (0, 0), soft)[..., None]
    move = np.array([[1, 0, rng.normal(0, 0.12)], [0, 1, rng.normal(0, 0.12)]]) * [[1, 1, grid.pitch_px]]
    shadow = cv2.GaussianBlur(cv2.warpAffine(lies, move, size), (0, 0), grid.pitch_px * 0.15)[..., None]
    under = photo * (1 - np.float32(rng.uniform(0.15, 0.6)) * shadow)
    out = under * (1 - over) + shown * over
    return Fault(np.clip(out, 0, 255).astype(np.uint8), hidden_shares(lies > 0.5, grid, dice))


def _sheet(rng: np.random.Generator, photo: Picture, grid: Grid, corners: Float) -> tuple[Float, Float]:
    """Return an empty color and alpha as large as the photo, and paint a quadrilateral of the board there."""
    plane = grid.plane(TOP_HEIGHT * rng.uniform(1.0, 2.2))
    alpha = np.zeros(photo.shape[:2])
    quad = apply_homography(plane, corners)
    cv2.fillConvexPoly(alpha, (quad * 8).round().astype(np.int32), 1.0, cv2.LINE_AA, 3)
    return quad, alpha


def _beside(rng: np.random.Generator, most: float) -> tuple[Float, float]:
    """Return the middle and the turn of a 6 x 8 sheet that reaches up to ``most`` pitches over a side."""
    side = int(rng.integers(4))
    reach = rng.uniform(0.7, most)
    turn = rng.normal(0, 0.2)
    spots = ([-4 + reach, 2], [COLUMNS + 4 - reach, 2], [2.5, -4 + reach], [2.5, ROWS + 4 - reach])
    angle = (0, np.pi, np.pi / 2, -np.pi / 2)[side]
    slide = rng.normal(0, 2.2)
    return np.array(spots[side]) + slide * np.array([-np.sin(angle), np.cos(angle)]), angle + turn


def _turned(middle: Float, angle: float, half: tuple[float, float]) -> Float:
    c, s = np.cos(angle), np.sin(angle)
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    return np.asarray(middle + square @ np.array([[c, s], [-s, c]]))


def card_over_side(rng: np.random.Generator, photo: Picture, grid: Grid, dice: NDArray[np.bool_]) -> Fault:
    """Lay a printed card over spaces at a side."""
    middle, angle = _beside(rng, 1.9)
    quad, alpha = _sheet(rng, photo, grid, _turned(middle, angle, (4.0, rng.uniform(2, 3.5))))
    bright = np.clip(np.percentile(photo.max(axis=2), 90), 60, 250)
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
    color = cv2.warpPerspective(face, to_photo, photo.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
    return _laid(rng, photo, grid, dice, np.asarray(color), alpha)


def sleeve_over_side(rng: np.random.Generator, photo: Picture, grid: Grid, dice: NDArray[np.bool_]) -> Fault:
    """Lay cloth over a side: a column or row is hidden, or much of it."""
    middle, angle = _beside(rng, 1.25)
    c, s = np.cos(angle), np.sin(angle)
    plane = grid.plane(TOP_HEIGHT * rng.uniform(1.0, 2.2))
    height, width = photo.shape[:2]
    y, x = np.mgrid[:height:2, :width:2].astype(np.float64)
    to_board = np.asarray(np.linalg.inv(plane), dtype=np.float64)
    board = apply_homography(to_board, np.column_stack([x.ravel(), y.ravel()])) - middle
    u, v = (board @ np.array([[c, -s], [s, c]])).T.reshape(2, *x.shape)
    edge = 4.0 + 0.15 * np.sin(v * rng.uniform(1, 3) + rng.uniform(0, 6)) - 0.02 * v**2
    alpha = np.clip((edge - u) * 12, 0, 1) * np.clip((rng.uniform(2.5, 4.5) - np.abs(v)) * 12, 0, 1)
    bright = np.clip(np.percentile(photo.max(axis=2), 90), 60, 250)
    cloth = bright * rng.uniform(0.05, 0.9, 3)
    folds = 1 + 0.25 * np.sin(u * rng.uniform(2, 6) + 1.5 * np.sin(v * rng.uniform(0.5, 2)))
    weave = 1 + 0.08 * np.sin(u * 40) * np.sin(v * 40)
    color = cloth * (folds * weave)[..., None]
    if rng.random() < 0.5:
        other = bright * rng.uniform(0.05, 0.9, 3)
        stripes = (np.sin(v * rng.uniform(4, 14)) > rng.uniform(-0.4, 0.6))[..., None]
        color = np.where(stripes, color, other * (folds * weave)[..., None])
    return _laid(rng, photo, grid, dice, color, alpha)


def flash_on_die(rng: np.random.Generator, photo: Picture, grid: Grid, dice: NDArray[np.bool_]) -> Fault:
    """Blind the camera with a lamp's image on one die, or on a space of a window without dice."""
    cells = np.flatnonzero(dice) if dice.any() else np.arange(20)
    cell = int(rng.choice(cells))
    plane = grid.plane(TOP_HEIGHT if dice[cell] else FLOOR_HEIGHT)
    center = CELL_CENTERS[cell] + rng.normal(0, 0.08, 2)
    ((mx, my),) = apply_homography(plane, center[None])
    y, x = np.mgrid[: photo.shape[0], : photo.shape[1]].astype(np.float64)
    wide = grid.pitch_px * rng.uniform(0.3, 0.5)
    angle, squeeze = rng.uniform(0, np.pi), rng.uniform(0.75, 1.3)
    du = ((x - mx) * np.cos(angle) + (y - my) * np.sin(angle)) / wide
    dv = ((y - my) * np.cos(angle) - (x - mx) * np.sin(angle)) / wide * squeeze
    far = np.hypot(du, dv)
    light = 1.6 * np.exp(-(far ** rng.uniform(2.5, 6))) + 0.25 * np.exp(-far / 1.5)
    out = np.clip(photo + 255 * light[..., None] * np.array([0.97, 1.0, 1.0]), 0, 255).astype(np.uint8)
    blind = (out.min(axis=2) >= BLIND) & (photo.min(axis=2) < BLIND)
    return Fault(out, hidden_shares(blind, grid, dice))


def nothing(_rng: np.random.Generator, photo: Picture, _grid: Grid, _dice: NDArray[np.bool_]) -> Fault:
    """Leave the photo as it is."""
    return Fault(photo, np.zeros(20))


FAULTS: dict[str, Painter] = {
    "nothing": nothing,
    "finger over a corner": finger_over_corner,
    "fingers inside": finger_inside,
    "card": card_over_side,
    "sleeve": sleeve_over_side,
    "flash spot": flash_on_die,
}
