"""Lamps and shadows of drawn scenes, and the light around traced ones."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.training.synthetic import textures
from calibration.training.synthetic.dice import Mood, PlacedDie, Stage

Float = NDArray[np.float32]


def random_mood(rng: np.random.Generator) -> Mood:
    """Return any light and one to three lamps."""
    light = _from_above(rng, 0.6)
    lamps = []
    for _ in range(int(rng.integers(1, 4))):
        direction = _from_above(rng, 0.5)
        sharpness = float(np.exp(rng.uniform(np.log(5), np.log(200))))  # a broad window to a small bulb
        lamps.append((direction, sharpness, float(rng.uniform(0.1, 0.9))))
    return light, lamps


def _from_above(rng: np.random.Generator, spread: float) -> NDArray[np.float64]:
    direction = np.append(rng.normal(0, spread, 2), 1.0)
    return np.asarray(direction / np.linalg.norm(direction))


def soft_shadow(
    rng: np.random.Generator, image: Float, alpha: Float, homography: NDArray[np.float64]
) -> None:
    """Darken a picture, in place, where something flat of some ``alpha`` (H, W) throws its shadow."""
    shadow = cv2.warpPerspective(alpha, homography, image.shape[1::-1], flags=cv2.INTER_LINEAR)
    shadow = cv2.GaussianBlur(shadow, (0, 0), rng.uniform(2, 14))
    image *= 1 - rng.uniform(0.1, 0.6) * shadow[..., None]


def die_shadows(rng: np.random.Generator, stage: Stage, placed: list[PlacedDie], z: float) -> None:
    """Darken the table around the feet of dice, at height ``z``, in place."""
    if not placed:
        return
    image, light = stage.image, stage.mood[0]
    ground = np.array([[-0.35, -0.35, 0], [0.35, -0.35, 0], [0.35, 0.35, 0], [-0.35, 0.35, 0]])
    mask = np.zeros(image.shape[:2], np.float32)
    for die in placed:
        offset = -light[:2] / light[2] * rng.uniform(0.15, 0.4)
        both = np.concatenate([ground, ground + np.append(offset, 0)])
        points = both + np.array([die.center[0], die.center[1], z])
        hull = cv2.convexHull(stage.camera.project(points).astype(np.float32))
        cv2.fillConvexPoly(mask, hull.astype(np.int32), 1.0, cv2.LINE_AA)
    soft = cv2.GaussianBlur(mask, (0, 0), rng.uniform(1, 5))
    image *= 1 - rng.uniform(0.1, 0.7) * soft[..., None]


def room_light(rng: np.random.Generator, glare: NDArray[np.float64] | None = None) -> Float:
    """Return the room around a table, an environment map of linear light (128, 256, 3) BGR, z up.

    Towards ``glare``, a direction (x, y, z), there is a bright window or a lamp.
    """
    h, w = 128, 256
    up = np.linspace(1, -1, h)[:, None]  # a map is even in angle, not in height: near enough for weights
    ceiling, wall, ground = rng.uniform(0.3, 1.2), rng.uniform(0.08, 0.8), rng.uniform(0.05, 0.4)
    level = np.where(up > 0.5, ceiling, np.where(up > 0, wall, ground)) * np.ones((h, w))
    room = np.repeat(level[..., None], 3, 2) * (1 + rng.normal(0, 0.08, 3))
    room *= 1 + 0.4 * textures.noise(rng, h, w, 40)[..., None]
    room = np.clip(room, 0.02, None)
    for _ in range(int(rng.integers(1, 5))):
        height = rng.uniform(0.25, 1.0) if rng.random() < 0.7 else rng.uniform(0.05, 0.4)
        y, x = int((1 - height) / 2 * h), int(rng.integers(w))
        half_y = int(np.exp(rng.uniform(np.log(1.5), np.log(14)))) + 1
        half_x = int(half_y * np.exp(rng.normal(0.2, 0.5)) / max(np.sqrt(1 - height**2), 0.15)) + 1
        strength = rng.uniform(1.5, 5) * (1 if half_y > 6 else rng.uniform(1, 4))
        _hang_lamp(rng, room, (x, y), (half_x, half_y), strength)
    if glare is not None:
        x, y, z = glare / np.linalg.norm(glare)
        # Where Mitsuba looks: by azimuth, of which the y axis is at half, and down from the zenith.
        place = np.array([(np.arctan2(-x, y) / (2 * np.pi) + 0.5) % 1 * w, np.arccos(z) / np.pi * h])
        half = np.exp(rng.uniform(np.log(6), np.log([40, 16])))
        bright = np.exp(rng.uniform(*np.log((12, 60))))  # a die's top throws back a fifteenth of it
        x, y = np.round(place + rng.normal(0, 0.6, 2) * half).astype(int)
        _hang_lamp(rng, room, (int(x), int(y)), (int(half[0]) + 1, int(half[1]) + 1), bright)
    soft = cv2.GaussianBlur(room, (0, 0), rng.uniform(0.6, 2))
    weight = np.sqrt(np.clip(1 - up**2, 0, 1)) * np.clip(up, 0.0, 1)
    lit = (soft * weight[..., None]).sum() / 3 / (weight.sum() * w)
    return np.asarray(soft / lit * 0.8, dtype=np.float32)


def lamps(
    rng: np.random.Generator, toward: NDArray[np.float64], *, small: float = 1, wide: int = 512
) -> Float:
    """Return one to three lamps alone in the dark, an environment map as that of `room_light`, ``wide`` wide.

    They hang about ``toward``, a direction (x, y, z): bulbs, tubes one or two at a time, strips of small
    lamps, windows with bars. A lamp's light is about 1.
    """
    h, w = wide // 2, wide
    down = (np.arange(h)[:, None] + 0.5) / h * np.pi
    around = ((np.arange(w) + 0.5) / w - 0.5) * 2 * np.pi
    x, y, z = -np.sin(down) * np.sin(around), np.sin(down) * np.cos(around), np.cos(down) * np.ones(w)
    sky = np.stack([x, y, z], 2)
    room = np.zeros((h, w, 3), np.float32)
    for _ in range(int(rng.integers(1, 4))):
        middle = toward / np.linalg.norm(toward) + np.append(rng.normal(0, 0.12 * small, 2), 0)
        turn, spread = rng.uniform(0, np.pi), small * np.exp(rng.uniform(*np.log((0.4, 2.5))))
        along = np.cross(middle, [np.cos(turn), np.sin(turn), 0])
        axes = np.stack([along, np.cross(middle, along), middle])
        u, v, front = np.moveaxis(sky @ (axes / np.linalg.norm(axes, axis=1)[:, None]).T, 2, 0)
        u, v = (np.where(front > 0.05, one / np.maximum(front, 0.05), np.inf) for one in (u, v))
        width, length = 0.03 * spread, small * rng.uniform(0.15, 1.5)
        kind = rng.choice(["bulb", "tube", "two tubes", "strip", "window"], p=[0.25, 0.35, 0.15, 0.1, 0.15])
        if kind == "bulb":
            seen = np.hypot(u, v) < 1.5 * width
        elif kind == "window":
            size, bars, far = 0.1 * spread, rng.uniform(0.1, 0.4), (np.abs(u), np.abs(v))
            seen = (np.maximum(*far) < size) & (np.minimum(*far) > bars * size / 2)
        else:
            v = np.abs(v) - rng.uniform(2, 6) * width if kind == "two tubes" else v
            seen = (np.abs(u) < length) & (np.abs(v) < width)
            if kind == "strip":
                seen &= np.sin(np.where(seen, u, 0) / width * 1.5) > 0
        room[seen] += rng.uniform(0.4, 1) * np.exp(rng.normal(0, 0.15) * np.array([-1.0, 0, 1]))
    return room


def _hang_lamp(
    rng: np.random.Generator,
    room: NDArray[np.float64],
    middle: tuple[int, int],
    half: tuple[int, int],
    strength: float,
) -> None:
    """Put a lamp or a window of a size (2 half + 1) into a room, in place; x wraps around."""
    (x, y), (half_x, half_y), (h, w) = middle, half, room.shape[:2]
    rows = np.clip(np.arange(y - half_y, y + half_y + 1), 0, h - 1)
    columns = np.arange(x - min(half_x, w // 2), x + min(half_x, w // 2) + 1) % w
    lamp = strength * (1 + rng.normal(0, 0.06, 3))
    inside = np.ones((len(rows), len(columns), 1), bool)
    if rng.random() < 0.4:
        yy, xx = np.arange(-half_y, half_y + 1) / half_y, np.linspace(-1, 1, len(columns))
        inside = (yy[:, None] ** 2 + xx**2 < 1)[..., None]
    room[np.ix_(rows, columns)] = np.where(inside, lamp, room[np.ix_(rows, columns)])
