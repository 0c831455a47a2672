"""Translucent dice by ray marching: rounded cubes, pips, ghosts of the far pips, glare.

The surface is the signed distance function of a rounded box (I. Quilez, "distance functions"); inside, one
refracted ray is followed to the far side.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.training.synthetic.camera import Camera

Float = NDArray[np.float32]
Points = NDArray[np.float64]
Mood = tuple[Points, list[tuple[Points, float, float]]]
"""Unit vector towards the main light, and the lamps that dice reflect: direction, sharpness, strength."""

#: Pip centers on a face, in half-edges, by value.
PIPS: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, 1), (-1, 1), (1, -1)),
    5: ((-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)),
    6: ((-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)),
}


def bgr_of(hsv: ArrayLike) -> Float:
    """Return colors (..., 3), BGR in [0, 1], for hues in degrees, saturations and values."""
    given = np.asarray(hsv, dtype=np.float32)
    found = cv2.cvtColor(given.reshape(1, -1, 3), cv2.COLOR_HSV2BGR)
    return np.asarray(found.reshape(given.shape), dtype=np.float32)


@dataclass(frozen=True, eq=False)
class DieLook:
    """How the dice of one set look, shared by the dice of a photo.

    Lengths are in half-edges. ``clarity`` 1 is clear glass, 0 opaque plastic. ``pip_color`` and
    the dyes are BGR in [0, 1]. ``marble`` is how much lighter and darker the dye is from place to place,
    ``glitter`` the share of the surface that sparkles; with ``digits`` the faces have figures, not pips.
    """

    dyes: dict[str, Float]
    half_edge: float
    rounding: float
    pip_offset: float
    six_offset: float
    pip_radius: float
    pip_color: Float
    pip_depth: float
    clarity: float
    gloss: float
    ghost: float
    marble: float = 0.0
    glitter: float = 0.0
    digits: bool = False


@dataclass(frozen=True, eq=False)
class PlacedDie:
    """A die in the scene: color letter, top value, center in pitches and a 3 x 3 rotation."""

    color: str
    value: int
    center: Points
    rotation: Points
    faces: tuple[int, int, int, int, int, int]
    flips: tuple[bool, ...]


@dataclass(frozen=True, eq=False)
class Stage:
    """What dice of a look are drawn on: a picture, H x W x 3 BGR in [0, 1], that a camera sees in a light."""

    image: Float
    camera: Camera
    look: DieLook
    mood: Mood

    def nearest_last(self, placed: list[PlacedDie]) -> list[PlacedDie]:
        """Return dice in the order in which they are drawn."""
        return sorted(placed, key=lambda die: -float(np.linalg.norm(die.center - self.camera.position)))


# Typical top-face colors, RGB 0-255, measured on photographs under several lights; the two rows
# of each color are the ends of what different boxes and cameras show.
_DYES_RGB: dict[str, tuple[tuple[int, int, int], ...]] = {
    "R": ((188, 40, 24), (171, 19, 29), (170, 3, 5), (215, 45, 40), (225, 60, 35)),
    "Y": ((221, 198, 71), (205, 194, 66), (209, 181, 35), (225, 170, 30), (235, 225, 60), (215, 150, 25)),
    "G": ((14, 86, 77), (5, 139, 67), (3, 147, 80), (20, 120, 60), (30, 165, 95)),
    "B": ((11, 72, 133), (8, 114, 138), (5, 94, 163), (25, 60, 165), (30, 120, 195), (20, 45, 125)),
    "P": ((63, 22, 56), (104, 10, 92), (87, 2, 132), (120, 30, 130), (95, 30, 150), (75, 15, 95)),
}


def random_look(rng: np.random.Generator) -> DieLook:
    """Return the look of one set of dice."""
    dyes: dict[str, Float] = {}
    for letter, samples in _DYES_RGB.items():
        weights = rng.dirichlet(np.full(len(samples), 0.5))
        rgb = weights @ np.array(samples, dtype=np.float64)
        rgb = np.clip(rgb * rng.uniform(0.85, 1.25) + rng.normal(0, 6, 3), 2, 250)
        dyes[letter] = (rgb[::-1] / 255).astype(np.float32)
    pip = np.clip(np.array([0.95, 0.97, 0.98]) * rng.uniform(0.88, 1.05), 0, 1)
    return DieLook(
        dyes=dyes,
        half_edge=rng.uniform(0.325, 0.36),
        rounding=rng.uniform(0.16, 0.5),
        pip_offset=rng.uniform(0.42, 0.56),
        six_offset=rng.uniform(0.42, 0.58),
        pip_radius=rng.uniform(0.16, 0.255),
        pip_color=pip.astype(np.float32),
        pip_depth=rng.uniform(0, 0.35),
        clarity=rng.uniform(0.1, 0.98),
        gloss=rng.uniform(0.1, 1.0),
        ghost=rng.uniform(0.1, 0.9),
    )


def other_make(rng: np.random.Generator, look: DieLook) -> DieLook:
    """Return a look as of dice that are not the game's: any dye, often opaque, dark or light pips."""
    dyes = bgr_of(np.stack([rng.uniform(0, 360, 5), rng.uniform(0, 1, 5), rng.uniform(0.1, 1, 5)], -1))
    pale = float(dyes.mean()) > 0.55  # pips are seen by their contrast
    pips = rng.uniform(0.02, 0.3, 3) if pale else rng.uniform(0.75, 1.0, 3)
    return replace(
        look,
        dyes=dict(zip(look.dyes, dyes, strict=True)),
        rounding=rng.uniform(0.08, 0.5),
        pip_radius=rng.uniform(0.12, 0.26),
        pip_color=pips.astype(np.float32),
        clarity=rng.choice([0.05, look.clarity]),
    )


def random_rotation(rng: np.random.Generator, *, yaw_deg: float, tip_deg: float) -> Points:
    """Return a rotation that leaves the top face up: quarter turns, some yaw, a little tipping."""
    yaw = np.deg2rad(90 * rng.integers(4) + rng.normal(0, yaw_deg))
    c, s = np.cos(yaw), np.sin(yaw)
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])
    tip, _ = cv2.Rodrigues(np.deg2rad(rng.normal(0, tip_deg, 3) * np.array([1, 1, 0])))
    return np.asarray(tip @ turn, dtype=np.float64)


def place(
    rng: np.random.Generator,
    color: str,
    value: int,
    center: Points,
    rotation: Points,
) -> PlacedDie:
    """Return a die with ``value`` up; opposite faces add up to 7, the sides are random."""
    others = [v for v in (1, 2, 3) if v not in (value, 7 - value)]
    rng.shuffle(others)
    a = others[0] if rng.random() < 0.5 else 7 - others[0]
    b = others[1] if rng.random() < 0.5 else 7 - others[1]
    flips = tuple(bool(f) for f in rng.integers(0, 2, 6))
    return PlacedDie(color, value, center, rotation, (a, 7 - a, b, 7 - b, value, 7 - value), flips)


def _largest(a: NDArray[Any]) -> NDArray[Any]:
    """Return the largest of each row of (N, 3); many times faster than ``a.max(1)``."""
    return np.asarray(np.maximum(np.maximum(a[:, 0], a[:, 1]), a[:, 2]))


def _smallest(a: NDArray[Any]) -> NDArray[Any]:
    """Return the smallest of each row of (N, 3)."""
    return np.asarray(np.minimum(np.minimum(a[:, 0], a[:, 1]), a[:, 2]))


def _dot(a: NDArray[Any], b: NDArray[Any]) -> NDArray[Any]:
    """Return the scalar products of the rows of two (N, 3) arrays."""
    return np.asarray(np.einsum("ij,ij->i", a, b))


def _pip_mask(uv: Float, face: NDArray[np.int64], die: PlacedDie, look: DieLook, soft: float) -> Float:
    """Return how much of each surface point is pip, for face coordinates in half-edges."""
    out = np.zeros(len(uv), np.float32)
    for index in range(6):
        on = np.flatnonzero(face == index)
        if not on.size:
            continue
        value = die.faces[index]
        points = uv[on]
        if look.digits:
            x, y = np.clip(np.round(points.T * 31.5 + 31.5), 0, 63).astype(np.int64)
            out[on] = _digit(value)[y, x]
            continue
        best = np.full(len(on), 9.0, np.float32)
        centers, radius = pips_of(die, look, index)
        for x, y in centers:
            best = np.minimum(best, np.hypot(points[:, 0] - x, points[:, 1] - y))
        out[on] = np.clip((radius - best) / soft + 0.5, 0, 1)
    return out


def pips_of(die: PlacedDie, look: DieLook, face: int) -> tuple[list[tuple[float, float]], float]:
    """Return the middles (x, y) of the pips of a face and their radius, in half-edges."""
    value = die.faces[face]
    across = look.six_offset if value == 6 else look.pip_offset
    down = look.pip_offset * (1.08 if value == 6 else 1.0)
    centers = [(x * across, y * down) for x, y in PIPS[value]]
    if die.flips[face]:
        centers = [(y, x) for x, y in centers]
    if value in (2, 3) and die.flips[(face + 1) % 6]:
        centers = [(-x, y) for x, y in centers]
    return centers, look.pip_radius * (1.3 if value == 1 and die.flips[0] else 1)


@cache
def _digit(value: int) -> Float:
    """Return a figure as it is painted on a face, 64 x 64, 0 to 1."""
    drawn = np.zeros((64, 64), np.uint8)
    (width, height), _ = cv2.getTextSize(str(value), cv2.FONT_HERSHEY_DUPLEX, 1.3, 4)
    at = ((64 - width) // 2, (64 + height) // 2)
    cv2.putText(drawn, str(value), at, cv2.FONT_HERSHEY_DUPLEX, 1.3, 255, 4, cv2.LINE_AA)
    return np.asarray(cv2.GaussianBlur(drawn, (0, 0), 0.8) / 255, dtype=np.float32)


def _swirls(p: Float, die: PlacedDie) -> Float:
    """Return smooth noise, about -1 to 1, at points (N, 3) in a die: each die has its own."""
    rng = np.random.default_rng(np.abs(die.center * 1e6).astype(np.int64))
    waves = rng.normal(0, 2.2, (6, 3)).astype(np.float32)
    phases = rng.uniform(0, 2 * np.pi, 6).astype(np.float32)
    return np.asarray(np.sin(p @ waves.T + phases).sum(axis=1) / 2.5, dtype=np.float32)


def _sparkles(p: Float, die: PlacedDie, share: float) -> Float:
    """Return how much brighter the flakes of glitter are at points (N, 3) of a die's surface."""
    flakes = np.floor(p * 14).astype(np.int64) @ [73_856_093, 19_349_663, 83_492_791]
    chance = (flakes * 2_654_435_761 + int(abs(die.center[0]) * 1e6)) % 1000 / 1000
    return np.asarray(np.where(chance < share, 0.3 + chance / share, 0), dtype=np.float32)


def _face_of(p: Float) -> tuple[NDArray[np.int64], Float]:
    """Return the index of the face a local point lies on and its in-face coordinates."""
    axis = np.abs(p).argmax(axis=1)
    sign = np.take_along_axis(p, axis[:, None], 1)[:, 0] < 0
    face = axis * 2 + sign
    u = np.where(axis == 0, p[:, 1], p[:, 0])
    v = np.where(axis == 2, p[:, 1], p[:, 2])
    return face.astype(np.int64), np.stack([u, v], 1)


def outline(camera: Camera, die: PlacedDie, half: float) -> Points:
    """Return the corners (8, 2) in pixels of a die whose half edge is ``half``."""
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * half
    return camera.project(corners @ die.rotation.T + die.center)


def render_die(stage: Stage, die: PlacedDie, floor_bgr: Float, around_bgr: Float) -> None:
    """Draw a die, in place; ``floor_bgr`` is what lies under it, ``around_bgr`` what its sides look at."""
    image, camera, look, (light, lamps) = stage.image, stage.camera, stage.look, stage.mood
    s = look.half_edge
    px = outline(camera, die, s)
    height, width = image.shape[:2]
    x0, y0 = np.floor(px.min(0)).astype(int) - 1
    x1, y1 = np.ceil(px.max(0)).astype(int) + 2
    x0, y0, x1, y1 = max(x0, 0), max(y0, 0), min(x1, width), min(y1, height)
    if x1 - x0 < 2 or y1 - y0 < 2:
        return
    gx, gy = np.meshgrid(np.arange(x0, x1, dtype=np.float64), np.arange(y0, y1, dtype=np.float64))
    rays = camera.rays(gx.ravel(), gy.ravel())
    rays /= np.sqrt(np.einsum("ij,ij->i", rays, rays))[:, None]
    direction = (rays @ die.rotation).astype(np.float32)
    origin = (((camera.position - die.center) @ die.rotation) / s).astype(np.float32)

    with np.errstate(divide="ignore", invalid="ignore"):
        inverse = 1 / direction
    t0, t1 = (-1 - origin) * inverse, (1 - origin) * inverse
    near = _largest(np.minimum(t0, t1))
    far = _smallest(np.maximum(t0, t1))
    hit = np.flatnonzero(near < far)
    if not hit.size:
        return
    d, t = direction[hit], near[hit].copy()
    r = look.rounding
    pixel = float(np.median(near[hit])) / camera.focal  # size of a pixel at the die, in half-edges
    closest = np.full(len(hit), 9.0, np.float32)
    for _ in range(9):
        p = origin + d * t[:, None]
        q = np.abs(p) - (1 - r)
        outside = np.maximum(q, 0)
        distance = np.sqrt(_dot(outside, outside)) + np.minimum(_largest(q), 0) - r
        closest = np.minimum(closest, distance)
        t += distance
    alpha = np.clip(1 - closest / max(pixel, 1e-3) * 0.9, 0, 1)
    keep = alpha > 0.02
    hit, d, t, alpha = hit[keep], d[keep], t[keep], alpha[keep]
    if not hit.size:
        return
    p = origin + d * t[:, None]
    p /= np.maximum(_largest(np.abs(p)), 1)[:, None]
    inner = np.clip(p, -(1 - r), 1 - r)
    normal = p - inner
    normal /= np.sqrt(_dot(normal, normal))[:, None] + 1e-6
    world_normal = normal @ die.rotation.T.astype(np.float32)

    soft = max(2 * pixel, 0.04)
    face, uv = _face_of(p)
    pips = _pip_mask(uv, face, die, look, soft)

    # One refraction (index about 1.45), then straight on to the far side of the cube.
    cos_in = -_dot(d, normal)
    eta = 1 / 1.45
    k = 1 - eta * eta * (1 - cos_in * cos_in)
    inside = eta * d + (eta * cos_in - np.sqrt(np.maximum(k, 0)))[:, None] * normal
    with np.errstate(divide="ignore", invalid="ignore"):
        leave = np.maximum((-1 - p) / inside, (1 - p) / inside)
    leave = np.where(np.isfinite(leave), leave, 9)
    length = np.clip(_smallest(leave), 0.02, 3.0)
    exit_point = np.clip(p + inside * length[:, None], -1, 1)
    exit_face, exit_uv = _face_of(exit_point)
    ghosts = _pip_mask(exit_uv, exit_face, die, look, soft * 3)

    dye = look.dyes[die.color] + np.zeros((len(p), 1), np.float32)
    if look.marble:
        dye = np.clip(dye * np.exp(look.marble * _swirls(p, die))[:, None], 0.005, 0.99)
    deep = (exit_face == 5)[:, None]
    beyond = np.where(deep, floor_bgr, around_bgr)
    # Total internal reflection at steep exits mirrors the dye itself: bright rims on real dice.
    exit_world = exit_point @ die.rotation.T.astype(np.float32)
    rim = 0.25 + 0.5 * (np.sin(3.1 * exit_world[:, 0] + 2.3 * exit_world[:, 1] + die.value) * 0.5 + 0.5)
    beyond = beyond * 0.7 + 0.3 * rim[:, None]
    transmitted = beyond * np.exp(-((1 - dye) ** 1.4) * length[:, None] * 1.25) * (0.35 + 0.65 * dye)
    ghost_tone = (0.35 + 0.65 * dye) * (0.9 if look.ghost > 0.5 else 0.25)
    g = (ghosts * look.ghost)[:, None] * np.exp(-0.35 * length)[:, None]
    transmitted = transmitted * (1 - g) + ghost_tone * g
    lit = np.clip(world_normal @ light.astype(np.float32), 0, 1)
    scatter = dye * (0.45 + 0.65 * lit)[:, None] * (1 + 0.15 * (exit_world[:, 2:3] + 1))
    depth_fade = 1 - 0.25 * look.clarity * np.clip(1 - (p[:, 2:3] + 1) / 2, 0, 1)
    body = (look.clarity * (0.35 * dye + 1.0 * transmitted) + (1 - look.clarity) * scatter) * depth_fade
    shade = (0.55 + 0.5 * lit)[:, None]
    pip_shade = look.pip_color * np.clip(shade + 0.15, 0, 1.05)
    color = body * (1 - pips[:, None]) + pip_shade * pips[:, None]

    # Reflections: Fresnel (Schlick) of a bright room plus lamps.
    fresnel = 0.04 + 0.96 * np.clip(1 - cos_in, 0, 1) ** 5
    reflected = (d + 2 * cos_in[:, None] * normal) @ die.rotation.T.astype(np.float32)
    room = np.clip(reflected[:, 2], 0, 1) * 0.8 + 0.1
    color = color + (look.gloss * fresnel * room * 0.8)[:, None] * (1 - 0.5 * pips[:, None])
    for lamp, sharpness, strength in lamps:
        spot = np.clip(reflected @ lamp.astype(np.float32), 0, 1) ** sharpness
        color = color + (look.gloss * strength * spot)[:, None]

    if look.glitter:
        color = color + (_sparkles(p, die, look.glitter) * (1 - pips))[:, None]

    flat = image.reshape(-1, 3)
    rows, cols = np.divmod(hit, x1 - x0)
    index = (rows + y0) * width + cols + x0
    a = alpha[:, None].astype(np.float32)
    flat[index] = flat[index] * (1 - a) + np.clip(color, 0, 1.6).astype(np.float32) * a
