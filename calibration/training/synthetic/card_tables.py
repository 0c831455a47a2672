"""Tables with cards on them, photographed, uint8 BGR; while they are worked on, float32 in [0, 1]."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.training.synthetic import dice, finish, textures
from calibration.training.synthetic.camera import motion, random_camera
from calibration.training.synthetic.scene import table_top
from vision.geometry import apply_homography

Float = NDArray[np.float32]
Points = NDArray[np.float64]

TALL = 1 / 0.714  # a card's height in widths
OUTLINE = np.array([[0, 0], [1, 0], [1, TALL], [0, TALL]])
TILT_DEG = 50.0


@dataclass(frozen=True, eq=False)
class Card:
    """A card to lay down: its name, None for what is no public objective, and its picture."""

    name: str | None
    picture: Float


@dataclass(frozen=True, eq=False)
class Laid:
    """A card in a photo: ``corners`` (4, 2) in pixels as one reads it, and what share of it can be seen."""

    name: str | None
    corners: Points
    seen: float = 1.0

    @property
    def width_px(self) -> float:
        """The mean length of its upper and lower edge in pixels."""
        a, b, c, d = self.corners
        return float(np.linalg.norm(b - a) + np.linalg.norm(c - d)) / 2


def photograph(
    rng: np.random.Generator,
    cards: Sequence[Card],
    size: tuple[int, int],
    *,
    width_px: float,
    ground: Float | None = None,
    crowded: float = 0.5,
) -> tuple[NDArray[np.uint8], list[Laid]]:
    """Return a photo of cards on a table, the later ones on top, in its middle about ``width_px`` wide.

    They lie on ``ground``, a photo of the same size, or on a made-up table, and overlap as ``crowded`` says.
    """
    target = np.append(rng.normal(0, 0.15, 2), 0)
    camera = random_camera(rng, size=size, pitch_px=width_px, tilts_deg=(0, TILT_DEG), target=target)
    if ground is None:
        top, scale, turn = textures.table(rng, 400), rng.uniform(20, 120), rng.uniform(0, 2 * np.pi)
        image = table_top(camera, top, -0.02, turn, np.zeros(2), scale)
    else:
        image = ground.copy()
    plane = camera.plane_homography(0)
    laid: list[Laid] = []
    apart = 0.75 if rng.random() < crowded else 1.75
    spots: list[Points] = []
    for card in cards:
        spot = _free_spot(rng, plane, size, spots, apart)
        if spot is None:
            continue
        spots.append(spot)
        if rng.random() < 0.5:
            angle = rng.uniform(0, 2 * np.pi)
        else:
            angle = rng.choice([0, 0, 0, 0.5, 1, 1.5]) * np.pi + rng.normal(0, 0.1)
        corners = apply_homography(plane @ motion(angle, spot, (0.5, TALL / 2)), OUTLINE)
        lay(rng, image, card.picture, corners)
        laid.append(Laid(card.name, corners))
    laid = _cover(rng, image, _with_shares(laid, size), width_px)
    return finished(rng, image, width_px), laid


def scanned(
    rng: np.random.Generator, card: Card, size: tuple[int, int]
) -> tuple[NDArray[np.uint8], list[Laid]]:
    """Return a photo that a card fills almost or altogether, as a scanner or a very close look shows it."""
    image = np.full((*size[::-1], 3), rng.uniform(0, 1), np.float32) * np.float32(rng.uniform(0.8, 1))
    if rng.random() < 0.5:
        image = np.asarray(cv2.resize(textures.table(rng, 300), size), dtype=np.float32)
    tall = TALL * np.exp(rng.normal(0, 0.03))
    turn = rng.choice([0, 0, 0, 1, 2, 3])
    fill = rng.uniform(0.8, 1.02) * min(size[turn % 2] / 1, size[1 - turn % 2] / tall)
    box = (np.array([[0, 0], [1, 0], [1, tall], [0, tall]]) - [0.5, tall / 2]) * fill
    angle = turn * np.pi / 2 + rng.normal(0, 0.02)
    corners = box @ motion(angle, np.zeros(2), (0, 0))[:2, :2].T + np.array(size) / 2 - 0.5
    corners = corners + rng.normal(0, 0.004 * fill, (4, 2))
    lay(rng, image, card.picture, corners, shadow=False)
    return finished(rng, image, fill, gently=rng.random() < 0.6), [Laid(card.name, corners)]


def lay(
    rng: np.random.Generator, image: Float, picture: Float, corners: Points, *, shadow: bool = True
) -> None:
    """Lay a picture with its four corners at ``corners`` over the image, in place, with a shadow about it."""
    height, width = image.shape[:2]
    long_edge = max(float(np.linalg.norm(corners[k] - corners[k - 1])) for k in range(4))
    shrink = 1.15 * long_edge / picture.shape[0]
    if shrink < 0.85:  # a warp looks at four pixels only: average first
        small = (max(8, round(picture.shape[1] * shrink)), max(8, round(picture.shape[0] * shrink)))
        picture = np.asarray(cv2.resize(picture, small, interpolation=cv2.INTER_AREA), dtype=np.float32)
    pad = max(3, round(0.06 * long_edge))
    low = np.clip(np.floor(corners.min(0)).astype(int) - pad, 0, [width, height])
    high = np.clip(np.ceil(corners.max(0)).astype(int) + pad, 0, [width, height])
    if (high - low).min() < 2:
        return
    (x0, y0), (x1, y1), size = low.tolist(), high.tolist(), (high - low).tolist()
    spot = image[y0:y1, x0:x1]
    h, w = picture.shape[:2]
    edges = np.array([[-0.5, -0.5], [w - 0.5, -0.5], [w - 0.5, h - 0.5], [-0.5, h - 0.5]], np.float32)
    to_spot = cv2.getPerspectiveTransform(edges, (corners - low).astype(np.float32))
    alpha = np.zeros((size[1], size[0]), np.float32)
    cv2.fillConvexPoly(alpha, np.round((corners - low) * 16).astype(np.int32), 1.0, cv2.LINE_AA, 4)
    if shadow:
        blurred = cv2.GaussianBlur(alpha, (0, 0), max(0.8, 0.012 * long_edge))
        shift = np.array([[1, 0, rng.normal(0, 0.012) * long_edge], [0, 1, rng.normal(0, 0.012) * long_edge]])
        spot *= 1 - np.float32(rng.uniform(0.1, 0.6)) * cv2.warpAffine(blurred, shift, size)[..., None]
    inner = cv2.warpPerspective(picture, to_spot, size, borderMode=cv2.BORDER_REPLICATE)
    spot += alpha[..., None] * (inner - spot)


def finished(
    rng: np.random.Generator, image: Float, width_px: float, *, gently: bool = False
) -> NDArray[np.uint8]:
    """Return what a phone makes of a scene, or, ``gently``, a scanner."""
    height, width = image.shape[:2]
    if gently:
        lit = np.clip(image * np.float32(rng.uniform(0.9, 1.1)), 0, 1)
        return finish.sensor(rng, lit, pitch_px=width_px / 8)
    image = image * finish.light_field(rng, height, width)[..., None] * finish.white_balance(rng)
    if rng.random() < 0.3:
        glare(rng, image)
    return finish.sensor(rng, finish.tone(rng, image), pitch_px=width_px / 3)


def glare(rng: np.random.Generator, image: Float) -> None:
    """Add the reflection of a lamp or a window to a picture, in place: a soft streak or patch."""
    height, width = image.shape[:2]
    light = np.zeros((height, width), np.float32)
    for _ in range(int(rng.integers(1, 4))):
        middle = (rng.uniform(0, width), rng.uniform(0, height))
        axes = (max(1.0, rng.uniform(0.02, 0.4) * width), max(1.0, rng.uniform(0.01, 0.08) * width))
        cv2.ellipse(light, (middle, axes, float(rng.uniform(0, 180))), float(rng.uniform(0.2, 1.0)), -1)
    image += cv2.GaussianBlur(light, (0, 0), max(1.0, 0.015 * width))[..., None]


def _free_spot(
    rng: np.random.Generator, plane: Points, size: tuple[int, int], taken: Sequence[Points], apart: float
) -> Points | None:
    """Return a place (x, y) on the table that is in view and ``apart`` card widths from the others."""
    to_table = np.linalg.inv(plane)
    for _ in range(30):
        low, high = (0.02, 0.98) if taken or rng.random() < 0.5 else (0.3, 0.7)
        ray = to_table @ np.append(rng.uniform(low, high, 2) * size, 1)
        spot = ray[:2] / ray[2]
        if float((plane @ np.append(spot, 1))[2]) <= 0 or np.abs(spot).max() > 60:
            continue
        if all(np.linalg.norm(spot - other) > apart for other in taken):
            return np.asarray(spot)
    return None


def _with_shares(laid: Sequence[Laid], size: tuple[int, int]) -> list[Laid]:
    """Return the cards with the share of each that is in view and under no later one."""
    (w, h), out = size, []
    for k, one in enumerate(laid):
        own = _mask(one, one.corners)
        free = own & _mask(one, np.array([[0, 0], [w, 0], [w, h], [0, h]], dtype=np.float64))
        for other in laid[k + 1 :]:
            free &= 1 - _mask(one, other.corners)
        out.append(replace(one, seen=float(free.sum()) / max(1, int(own.sum()))))
    return out


def _mask(card: Laid, corners: Points) -> NDArray[np.uint8]:
    """Return where a quadrilateral lies in a small picture, (50, 50), about a card."""
    drawn, low = np.zeros((50, 50), np.uint8), card.corners.min(0)
    scale = 48 / max(float(np.ptp(card.corners, axis=0).max()), 1.0)
    points = np.clip((corners - low) * scale, -2000, 2000)
    cv2.fillConvexPoly(drawn, np.round(points).astype(np.int32), 1)
    return drawn


def _cover(rng: np.random.Generator, image: Float, laid: Sequence[Laid], width_px: float) -> list[Laid]:
    """Put dice about, now and then on a card, and return the cards with what is still seen of them."""
    out = list(laid)
    height, width = image.shape[:2]
    for _ in range(int(rng.integers(0, 7)) if rng.random() < 0.5 else 0):
        middle = rng.uniform(0, 1, 2) * (width, height)
        if laid and rng.random() < 0.3:
            middle = out[int(rng.integers(len(out)))].corners.mean(0) + rng.normal(0, 0.35, 2) * width_px
        side, at = 0.28 * width_px * rng.uniform(0.8, 1.2), middle.tolist()
        square = flat_die(rng)
        lay(rng, image, square, cv2.boxPoints((at, (side, side), rng.uniform(0, 90))).astype(np.float64))
        for k, one in enumerate(out):
            card = one.corners.astype(np.float32)
            if cv2.pointPolygonTest(card, at, measureDist=False) >= 0:
                out[k] = replace(one, seen=one.seen - side**2 / max(1.0, cv2.contourArea(card)))
    return out


def flat_die(rng: np.random.Generator) -> Float:
    """Return the top of a die, (40, 40, 3)."""
    dye = [rng.choice([0, 55, 140, 205, 295]), rng.uniform(0.6, 1), rng.uniform(0.35, 0.95)]
    tile = np.full((40, 40, 3), dice.bgr_of(dye), np.float32)
    for x, y in dice.PIPS[int(rng.integers(1, 7))]:
        cv2.circle(tile, (20 + round(10 * x), 20 + round(10 * y)), 4, (0.95,) * 3, -1, cv2.LINE_AA)
    return tile
