"""Lamps mirrored in the glossy tops of dice, and stripes of shade, painted onto crops to learn from."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.geometry import COLUMNS, DIE_EDGE
from vision.recognition.cells import CROP_PITCH_PX

Float = NDArray[np.float32]

GAMMA = 2.2


def glossy(
    rng: np.random.Generator,
    crops: NDArray[np.uint8],
    filled: NDArray[np.bool_],
    lean: NDArray[np.float64],
    pitch_px: int = CROP_PITCH_PX,
) -> NDArray[np.uint8]:
    """Return a window's crops (20, S, S, 6 or 3) with one to three lamps mirrored in the tops of its dice.

    All dice mirror the same lamps, in flat tops at places that move from die to die, in bulged ones at nearly
    the same. ``filled`` (20,) says where dice are, ``lean`` by how many pitches the plane of the floor shows
    tops off the middle, see `lean_of`.
    """
    light = np.zeros(crops.shape, np.float32)
    shifts = (np.zeros(2), lean * pitch_px)[: crops.shape[3] // 3]
    for _ in range(int(rng.integers(1, 4))):
        light += _lamp(rng, crops.shape[1], shifts, DIE_EDGE * pitch_px)
    on = rng.random(20) < rng.choice([0.5, 1.0])
    dull = rng.uniform(0.3, 1) if rng.random() < 0.8 else 0  # pips are painted in hollows, and mirror less
    light *= (filled & on)[:, None, None, None] * (1 - dull * _pips(crops))
    linear = (crops / np.float32(255)) ** GAMMA + light
    return np.asarray(np.clip(linear, 0, 1) ** (1 / GAMMA) * 255, dtype=np.uint8)


def _pips(crops: NDArray[np.uint8]) -> Float:
    """Return how much of each pixel (20, S, S, 1) is pip: no dye lets all three colors through."""
    least = crops[..., :3].min(axis=3).astype(np.float32)
    low, high = np.percentile(least, [50, 97], axis=(1, 2), keepdims=True)
    return np.asarray(np.clip((least - low) / np.maximum(high - low, 40), 0, 1), np.float32)[..., None]


def shaded(rng: np.random.Generator, crops: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return crops (N, S, S, C) with stripes of shade, as of blinds; those of each lie at another place."""
    number, side = crops.shape[:2]
    y, x = np.mgrid[:side, :side].astype(np.float32) / side
    angle, wide = rng.uniform(0, np.pi), np.exp(rng.uniform(*np.log((0.15, 2))))
    across = x * np.cos(angle) + y * np.sin(angle) + rng.uniform(0, wide, (number, 1, 1))
    steep = np.exp(rng.uniform(*np.log((1.5, 40))))
    wave = np.cos(across * (2 * np.pi / wide)) + rng.uniform(-0.6, 0.6)
    light = 1 - (1 - np.exp(rng.uniform(*np.log((0.08, 0.5))))) / (1 + np.exp(-wave * steep))
    linear = (crops / np.float32(255)) ** GAMMA * light[..., None].astype(np.float32) * rng.uniform(1, 1.6)
    return np.asarray(np.clip(linear, 0, 1) ** (1 / GAMMA) * 255, dtype=np.uint8)


def _lamp(rng: np.random.Generator, side: int, shifts: Sequence[NDArray[np.float64]], die_px: float) -> Float:
    """Return the light that one lamp adds to the crops, (20, side, side, 3 of each shift) linear BGR.

    It is a bulb, a tube, two crossed, or a window with bars; white, warm or cold. Lengths are in edges.
    """

    def between(low: float, high: float) -> float:
        return float(np.exp(rng.uniform(np.log(low), np.log(high))))

    kind = rng.choice(["bulb", "tube", "cross", "window"], p=[0.3, 0.5, 0.08, 0.12])
    width, soft = between(0.03, 0.15), between(0.008, 0.05)
    length = width * rng.uniform(0.8, 1.3) if kind == "bulb" else rng.uniform(0.15, 0.7)
    halo = rng.uniform(0, 0.2) if rng.random() < 0.5 else 0.0
    angle, size = rng.uniform(0, np.pi), rng.uniform(0.4, 0.5)
    drift = between(0.03, 1.2) * (np.eye(2) + rng.normal(0, 0.15, (2, 2)))
    cells = np.stack([np.arange(20) % COLUMNS - 2, np.arange(20) // COLUMNS - 1.5], 1)
    spots = rng.uniform(-0.5, 0.5, 2) + cells @ drift.T + rng.normal(0, between(0.02, 0.25), (20, 2))

    def within(half: float, far: Float) -> Float:
        return np.asarray(1 / (1 + np.exp(np.clip((np.abs(far) - half) * (2.5 / soft), -30, 30))))

    planes = []
    y, x = np.mgrid[:side, :side].astype(np.float32) - np.float32((side - 1) / 2)
    for shift in shifts:
        u, v = (np.stack([x, y]) - shift.astype(np.float32)[:, None, None]) / np.float32(die_px)
        top = within(size, u) * within(size, v)
        far_x, far_y = u - spots[:, :1, None], v - spots[:, 1:, None]
        along = far_x * np.cos(angle) + far_y * np.sin(angle)
        across = far_y * np.cos(angle) - far_x * np.sin(angle)
        if kind == "bulb":
            seen = within(width, np.hypot(along * (width / length), across))
        elif kind == "window":
            seen = within(length, along) * within(0.8 * length, across)
            seen *= 1 - np.maximum(within(width / 4, along), within(width / 4, across))
        else:
            seen = within(length, along) * within(width / 2, across)
            if kind == "cross":
                seen = np.maximum(seen, within(length, across) * within(width / 2, along))
        planes.append((seen + halo * np.exp(-np.hypot(along, across) / (width + 0.1))) * top)
    warmth = rng.normal(0, 0.15)
    color = between(0.15, 4) * np.exp([-warmth, 0, warmth])
    return np.concatenate([plane[..., None] * color for plane in planes], axis=3).astype(np.float32)
