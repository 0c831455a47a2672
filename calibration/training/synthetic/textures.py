"""Flat things, float32 BGR in [0, 1]: tables and pattern cards; `frames` has the window frames."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.training.synthetic.dice import PIPS, bgr_of

Float = NDArray[np.float32]

Pair = Sequence[float] | NDArray[np.float64]

#: Pixels per pitch of the flat textures.
SCALE = 64

_CARD_RGB = {
    "R": ((232, 60, 60), (214, 32, 50), (240, 80, 60), (200, 60, 60)),
    "Y": ((240, 220, 40), (232, 205, 60), (225, 200, 20), (240, 215, 90)),
    "G": ((60, 160, 90), (40, 150, 70), (95, 165, 110), (50, 130, 80)),
    "B": ((110, 190, 215), (90, 170, 205), (70, 140, 190), (120, 180, 200)),
    "P": ((200, 60, 190), (180, 60, 160), (190, 40, 170), (150, 70, 150)),
}


def noise(rng: np.random.Generator, height: int, width: int, cell: float) -> Float:
    """Return smooth noise in about [-1, 1] whose bumps are ``cell`` pixels wide."""
    h, w = max(2, int(height / cell) + 2), max(2, int(width / cell) + 2)
    small = rng.normal(0, 0.6, (h, w)).astype(np.float32)
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC), dtype=np.float32)


def _random_color(rng: np.random.Generator, saturation: float = 0.6) -> Float:
    return bgr_of([rng.uniform(0, 360), rng.uniform(0, saturation), rng.uniform(0.12, 0.95)])


def table(rng: np.random.Generator, size: int = 900) -> Float:
    """Return a square table top: wood, cloth, checks, stripes, marble, speckles or clutter."""
    kind = rng.choice(["wood", "plain", "checks", "stripes", "marble", "speckle", "clutter"])
    base: Float = _random_color(rng)
    out: Float = np.broadcast_to(base, (size, size, 3)).copy()
    if kind == "wood":
        brown = np.array([0.18, 0.32, 0.5]) * rng.uniform(0.4, 1.6) + rng.normal(0, 0.04, 3)
        base = np.asarray(brown, dtype=np.float32)
        grain = cv2.resize(noise(rng, size // 40, size, 7), (size, size)) + 0.5 * noise(rng, size, size, 60)
        planks = base * (1 + rng.uniform(0.1, 0.35) * grain[..., None])
        out = np.asarray(planks, dtype=np.float32)
        if rng.random() < 0.5:
            for y in range(0, size, int(rng.integers(80, 260))):
                out[y : y + 2] *= 0.5
    elif kind in ("checks", "stripes"):
        other = _random_color(rng)
        step = int(rng.integers(24, 160))
        y, x = np.mgrid[:size, :size]
        a, b = (x // step) % 2, (y // step) % 2
        mix = (a + b) / 2 if rng.random() < 0.5 else ((a + b) % 2).astype(float)
        if kind == "stripes":
            mix = a.astype(float)
        out = base * (1 - mix[..., None]) + other * mix[..., None]
    elif kind == "marble":
        veins = np.abs(noise(rng, size, size, 120) + 0.4 * noise(rng, size, size, 30))
        out = base + (_random_color(rng, 0.2) - base) * np.clip(veins, 0, 1)[..., None] * 0.6
    elif kind == "speckle":
        out = base * (1 + 0.5 * noise(rng, size, size, rng.uniform(2, 9))[..., None])
    out = np.asarray(out, dtype=np.float32)
    if kind == "clutter" or rng.random() < 0.3:
        clutter(rng, out, int(rng.integers(2, 18)))
    out *= 1 + 0.05 * noise(rng, size, size, 3)[..., None] + 0.1 * noise(rng, size, size, 200)[..., None]
    if rng.random() < 0.1:
        return np.asarray(np.clip(out, 0, 1) ** 3 * 0.2, dtype=np.float32)
    return np.clip(out, 0, 1)


def clutter(rng: np.random.Generator, out: Float, count: int) -> None:
    """Draw cards, papers, tiles and discs over a table, in place."""
    size = out.shape[0]
    for _ in range(count):
        center = rng.uniform(0, size, 2)
        half = rng.uniform(20, 170, 2)
        angle = rng.uniform(0, 180)
        _fill_box(out, center, half * 2, angle, _random_color(rng, 0.9).tolist())
        if rng.random() < 0.5:
            _fill_box(out, center, half * 1.7, angle, _random_color(rng, 0.9).tolist())
        if rng.random() < 0.4:  # a small regular grid of something that is no window
            c, s = np.cos(np.deg2rad(angle)), np.sin(np.deg2rad(angle))
            n, m = rng.integers(2, 11, 2)
            if (min(n, m), max(n, m)) == (4, 5):
                n = 7
            tone = _random_color(rng, 0.9).tolist()
            square = rng.random() < 0.5
            for i in range(n):
                for j in range(m):
                    u, v = (2 * (i + 0.5) / n - 1) * half[0] * 0.85, (2 * (j + 0.5) / m - 1) * half[1] * 0.85
                    at = (int(center[0] + c * u - s * v), int(center[1] + s * u + c * v))
                    reach = float(min(half[0] / n, half[1] / m))
                    if square:
                        mark = _random_color(rng, 0.9).tolist() if rng.random() < 0.5 else tone
                        _fill_box(out, at, (reach * 1.6, reach * 1.6), angle, mark)
                    else:
                        cv2.circle(out, at, int(reach * 0.5) + 1, tone, -1, cv2.LINE_AA)
        if rng.random() < 0.4:
            for k in range(int(rng.integers(3, 12))):
                y = int(center[1] - half[1] * 0.5 + k * 9)
                near = int(center[0] - half[0] * 0.5)
                far = int(center[0] + half[0] * rng.uniform(0, 0.6))
                cv2.line(out, (near, y), (far, y), (0.1, 0.1, 0.1), 2)


def _fill_box(out: Float, center: Pair, size: Pair, angle: float, ink: Sequence[float]) -> None:
    corners = cv2.boxPoints(((center[0], center[1]), (size[0], size[1]), angle))
    cv2.fillConvexPoly(out, corners.astype(np.int32), ink, cv2.LINE_AA)


def _value_cell(rng: np.random.Generator, value: int, size: int) -> Float:
    """Return a printed value slot: grey glass shards under a cluster of pips."""
    tone = rng.uniform(0.25, 0.8) - 0.06 * value * rng.uniform(0, 1)
    out = np.full((size, size, 3), max(tone, 0.15), np.float32)
    for _ in range(int(rng.integers(0, 9))):
        a, b = rng.uniform(-0.2, 1.2, (2, 2)) * size
        if rng.random() < 0.5:
            tri = np.array([a, b, rng.uniform(-0.2, 1.2, 2) * size]).astype(np.int32)
            shade = float(np.clip(tone + rng.uniform(-0.2, 0.25), 0.05, 1))
            cv2.fillConvexPoly(out, tri, (shade,) * 3, cv2.LINE_AA)
        near, far = a.astype(int).tolist(), b.astype(int).tolist()
        cv2.line(out, near, far, (0.08,) * 3, int(rng.integers(1, 3)), cv2.LINE_AA)
    dark = value <= 3 if rng.random() < 0.7 else rng.random() < 0.5
    pip = (rng.uniform(0.1, 0.3),) * 3 if dark else (rng.uniform(0.85, 1.0),) * 3
    spread = rng.uniform(0.13, 0.24) * size
    radius = rng.uniform(0.05, 0.085) * size
    turn = rng.random() < 0.5
    for px, py in PIPS[value]:
        ox, oy = (py, px) if turn else (px, py)
        at = (int((size / 2 + ox * spread) * 16), int((size / 2 + oy * spread) * 16))
        cv2.circle(out, at, int(radius * 16), pip, -1, cv2.LINE_AA, 4)
        if rng.random() < 0.3:
            cv2.circle(out, at, int(radius * 16), (0.1, 0.1, 0.1), 1, cv2.LINE_AA, 4)
    return out


def card(rng: np.random.Generator, cells: tuple[str, ...], margin: float = 1.0) -> Float:
    """Return the card of four rows of pattern notation, with ``margin`` pitches all round, at ``SCALE``."""
    m = int(margin * SCALE)
    out = np.full((4 * SCALE + 2 * m, 5 * SCALE + 2 * m, 3), rng.uniform(0.02, 0.14), np.float32)
    side = int(SCALE * rng.uniform(0.84, 0.93))
    white = np.clip(np.array([0.9, 0.93, 0.95]) * rng.uniform(0.85, 1.05), 0, 1)
    shift = rng.normal(0, 0.04, 3)
    pick = int(rng.integers(4))
    for k, code in enumerate("".join(cells)):
        y, x = np.array(divmod(k, 5)) * SCALE + m + (SCALE - side) // 2
        spot = out[y : y + side, x : x + side]
        if code == ".":
            spot[:] = white
        elif code.isdigit():
            spot[:] = _value_cell(rng, int(code), side)
        else:
            spot[:] = np.clip(np.array(_CARD_RGB[code][pick])[::-1] / 255 + shift, 0, 1)
    name_line(rng, out, (m, m + 4 * SCALE + 8), (m + 5 * SCALE, m + 4 * SCALE + 30))
    return np.clip(out * (1 + 0.02 * noise(rng, out.shape[0], out.shape[1], 8)[..., None]), 0, 1)


def name_line(rng: np.random.Generator, out: Float, near: tuple[int, int], far: tuple[int, int]) -> None:
    """Write a card's name and its difficulty dots into the box between two corners, in place."""
    word = "".join(rng.choice(list("abcdefghilmnorstu"), int(rng.integers(6, 16)))).title()
    ink = np.zeros(out.shape[:2], np.uint8)
    at = (near[0] + int(rng.integers(8, 90)), far[1] - 7)
    cv2.putText(ink, word, at, cv2.FONT_HERSHEY_DUPLEX, 0.5, 255, 1, cv2.LINE_AA)
    out += (0.9 - out) * (ink[..., None] / np.float32(255))
    for k in range(int(rng.integers(3, 7))):
        spot = (far[0] - 16 - 12 * k, (near[1] + far[1]) // 2)
        cv2.circle(out, spot, 4, (0.9, 0.9, 0.9), -1, cv2.LINE_AA)
