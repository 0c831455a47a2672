"""Drops of clear glass as the game's favor tokens are: flat below, domed above, never quite round."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.training.synthetic.dice import Stage
from calibration.training.synthetic.textures import noise

Float = NDArray[np.float32]
Points = NDArray[np.float64]

RADII = (0.3, 0.52)  # in pitches
GLASS = 1 / 1.5  # refractive index of air by that of glass
ROUND_ABOUT = 1.6  # radii around a drop where its shadow and the light that it gathers fall
FAINT = 0.15  # of the light around: with less contrast nobody sees a drop
SMALLEST_PX = 2.5  # radius of a drop that is drawn


def cluster(rng: np.random.Generator, spot: Points, count: int, radius: float, apart: float = 1.6) -> Points:
    """Return where the middles of ``count`` drops lie, (N, 2): touching, or strewn about a ``spot``.

    ``apart`` is the logarithm of how much farther than needed they are strewn at most.
    """
    spread = radius * (0.6 * count**0.5 + 0.3) * float(np.exp(rng.uniform(0, apart)))
    found: list[Points] = []
    for _ in range(12 * count):
        place = spot + rng.normal(0, spread, 2)
        if len(found) < count and all(np.linalg.norm(place - one) > 2 * radius for one in found):
            found.append(place)
    return np.array(found).reshape(-1, 2)


def lay_beads(
    rng: np.random.Generator, stage: Stage, places: Sequence[Points], radius: float
) -> list[tuple[Points, float, bool]]:
    """Lay drops of glass at places (x, y, height of what they lie on), in place.

    Returns the middle (x, y) and the width of each that is drawn, in pixels, and whether it can be seen.
    """
    laid, camera = [], stage.camera
    kind = (
        np.clip(1 + rng.normal(0, 0.05, 3), 0.75, 1.1),  # tint
        1 - 0.5 * rng.random() ** 3,  # how clear
        rng.uniform(0.5, 1.1),  # height, in radii
        rng.uniform(0.05, 0.8),  # light of the room that they reflect
        float(np.exp(rng.uniform(2, 5))),  # how bright lamps are to that
        1.2 * rng.random() ** 1.5,  # how brightly they shine in the glass
    )
    for place in sorted(places, key=lambda one: -float(np.linalg.norm(one - camera.position))):
        size = radius * float(np.exp(rng.normal(0, 0.06)))
        middle = place + np.array([0, 0, 0.35 * kind[2] * size])
        depth = float((middle - camera.position) @ camera.axes[2])
        wide, at = size * camera.focal / depth, camera.project(middle)
        if wide >= SMALLEST_PX and ((at > 0) & (at < np.array(camera.size) - 1)).all():
            contrast = _lay(rng, stage, place, size, wide, kind)
            laid.append((at, 2 * wide, contrast > FAINT))
    return laid


def _lay(
    rng: np.random.Generator,
    stage: Stage,
    place: Points,
    radius: float,
    wide_px: float,
    kind: tuple[NDArray[np.float64], float, float, float, float, float],
) -> float:
    """Lay one drop, refracted once to what lies below, with the room's light on it; return its contrast."""
    tint, clear, high, room, lamps, glow = kind
    image, camera, mood = stage.image, stage.camera, stage.mood
    reach = ROUND_ABOUT * wide_px
    (x, y), (width, height) = camera.project(place), camera.size
    left, top = max(0, int(x - reach)), max(0, int(y - reach))
    right, low = min(width, int(x + reach) + 1), min(height, int(y + reach) + 1)
    gy, gx = np.mgrid[top:low, left:right].astype(np.float64)
    rays = camera.rays(gx, gy)
    rays /= np.linalg.norm(rays, axis=-1, keepdims=True)
    light = mood[0]
    away = -light[:2] / light[2] * radius * high
    # The shadow, and the light that the drop gathers in it.
    part = image[top:low, left:right]
    ground = (_to_height(camera.position, rays, place[2]) - place)[..., :2] / radius
    off = np.linalg.norm(ground - 0.5 * away / radius, axis=-1)
    part *= 1 - (rng.uniform(0.1, 0.6) / (1 + np.exp((off - 1.02) / 0.07)))[..., None].astype(np.float32)
    gathered = np.exp(-(np.linalg.norm(ground - 0.9 * away / radius, axis=-1) ** 2) / 0.08)
    part *= 1 + (rng.uniform(0, 1.2) * gathered)[..., None].astype(np.float32)
    # The dome: an ellipsoid whose middle lies a little above the ground.
    turn, oval = rng.uniform(0, np.pi), rng.uniform(0.85, 1.0)
    c, s = np.cos(turn), np.sin(turn)
    turned = np.array([[c, s, 0], [-s, c, 0], [0, 0, 1.0]])
    axes = radius * np.array([1.0, oval, 0.75 * high])
    middle = place + np.array([0, 0, 0.25 * high * radius])
    start, way = (camera.position - middle) @ turned.T / axes, rays @ turned.T / axes
    a, b = (way**2).sum(-1), way @ start
    inside = b**2 - a * (start @ start - 1)
    far = (-b - np.sqrt(np.clip(inside, 0, None))) / a
    spot = camera.position + rays * far[..., None]
    mask = ((inside > 0) & (spot[..., 2] > place[2])).astype(np.float32)
    alpha = cv2.GaussianBlur(mask, (0, 0), 0.7)[..., None]
    normal = (start + way * far[..., None]) / axes @ turned
    normal += rng.uniform(0, 0.12) * np.sin((spot - middle) / radius * rng.uniform(2, 5, 3) + turn)
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
    facing = np.clip(-(rays * normal).sum(-1), 0.02, 1)[..., None]
    bent = GLASS * rays + (GLASS * facing - np.sqrt(1 - GLASS**2 * (1 - facing**2))) * normal
    below = spot + bent * ((place[2] - spot[..., 2]) / np.minimum(bent[..., 2], -0.05))[..., None]
    at = camera.project(below).astype(np.float32)
    seen = cv2.remap(image, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    from_middle = (below - place)[..., :2] / radius
    out = 1 / (1 + np.exp((1.02 - np.linalg.norm(from_middle, axis=-1)) / 0.06))[..., None]
    bright = np.exp(-(np.linalg.norm(from_middle - 0.45 * away / radius, axis=-1) ** 2) / 0.25)
    through = seen * (rng.uniform(0.5, 0.9) + rng.uniform(0.2, 1.3) * bright)[..., None] * tint
    through = clear * through + (1 - clear) * room * tint * (0.5 + bright[..., None])
    # Light that went to and fro in the glass: spots anywhere and along the rim.
    spots = rng.normal(0, 0.5, (int(rng.integers(0, 16)), 2))
    spots[::2] /= np.linalg.norm(spots[::2], axis=1, keepdims=True) / rng.uniform(0.75, 0.95)
    flat = ((spot - place)[..., :2] / radius)[..., None, :] - spots
    sharp = np.exp(rng.uniform(1.5, 4.5, len(spots)))
    inner = (np.exp(-sharp * (flat**2).sum(-1)) * rng.uniform(0, 1, len(spots))).sum(-1)
    mottled = noise(rng, part.shape[0], part.shape[1], max(wide_px * rng.uniform(0.15, 0.6), 1))[..., None]
    through *= np.exp(rng.uniform(0, 1.2) * mottled)
    through += glow * (inner[..., None] + 0.3) * tint
    side = part.mean((0, 1)) * rng.uniform(0.15, 0.8) + 0.1 * room  # what leaves at the side sees the room
    back = rays + 2 * facing * normal
    mirrored = room * (0.4 + 0.6 * np.clip(back[..., 2], 0, 1))
    for direction, sharpness, strength in [(light, 60.0, 0.8), *mood[1]]:
        mirrored += lamps * strength * np.exp(sharpness * (back @ direction - 1))
    fresnel = 0.04 + 0.96 * (1 - facing) ** 5
    glass = (1 - fresnel) * (through * (1 - out) + side * out) + fresnel * mirrored[..., None]
    glass = np.clip(glass, 0, 1.5).astype(np.float32)
    contrast = float((alpha * np.abs(glass - part)).sum() / max(3 * alpha.sum(), 1) / (part.mean() + 0.05))
    part *= 1 - alpha
    part += alpha * glass
    return contrast


def _to_height(start: Points, rays: Points, z: float) -> Points:
    """Return where rays (H, W, 3) from a point meet a height; beyond the horizon very far away."""
    return np.asarray(start + rays * ((z - start[2]) / np.minimum(rays[..., 2], -1e-3))[..., None])
