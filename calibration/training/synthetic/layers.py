"""Things that lie over a window, in perspective at a height over the frame; colors are BGR, about 0 to 1."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.training.synthetic import frames, textures
from calibration.training.synthetic.scene import random_pattern
from vision.geometry import Grid, apply_homography

Float = NDArray[np.float32]
Points = NDArray[np.float64]
Place = tuple[Points, Points]
"""Where on the board the middle of a thing's edge lies, and the direction (a unit vector) from outside."""


@dataclass(eq=False)
class Layer:
    """What is laid over a picture: ``color`` (H, W, 3) and ``alpha`` (H, W), over a window's ``grid``."""

    color: Float
    alpha: Float
    grid: Grid

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        height, width = self.alpha.shape
        return width, height

    def spot(self, at: Points, height: float) -> tuple[Points, float]:
        """Return pixel (x, y) of a place on the board at a height, and the pixels of a pitch there."""
        depth = abs(float(self.grid.homography[2] @ np.append(at, 1)))
        lost = abs(float(self.grid.rise[2]))  # of the depth, for each unit of height: nothing is in the lens
        plane = self.grid.plane(min(height, 0.5 * depth / max(lost, 1e-9)))
        spot, right, down = apply_homography(plane, at + np.array([[0, 0], [0.5, 0], [0, 0.5]]))
        pitch = float(np.linalg.norm(right - spot) + np.linalg.norm(down - spot))
        return np.clip(spot, -4000, 4000), min(pitch, 3 * self.grid.pitch_px)

    def add(self, color: Float, alpha: Float, part: tuple[slice, slice] = (slice(None), slice(None))) -> None:
        """Lay something more over it, or over a part of it."""
        a = alpha[..., None]
        self.color[part] += a * (color - self.color[part])
        self.alpha[part] = np.maximum(self.alpha[part], alpha)


def softened(picture: Float, sigma: float) -> Float:
    """Blur a picture, a wide blur in less detail and much faster."""
    height, width = picture.shape
    less = min(1.0, 2 / sigma)
    size = (max(1, round(width * less)), max(1, round(height * less)))
    small = cv2.GaussianBlur(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), (0, 0), sigma * less)
    return np.asarray(cv2.resize(small, (width, height)), dtype=np.float32)


def _inward(rng: np.random.Generator) -> tuple[Points, Points]:
    """Return a place in the window or just beside it, and the direction (a unit vector) from outside."""
    at = rng.uniform([-0.5, -0.5], [5.5, 4.5])
    if rng.random() < 0.5:  # nearer to a side than chance has it
        axis, end = int(rng.integers(2)), int(rng.integers(2))
        at[axis] = abs((5, 4)[axis] * end - rng.uniform(-0.3, 1.6))
    if rng.random() < 0.2:  # over a corner, as of a hand that holds the window
        at = rng.choice([0, 1], 2) * [3.6, 2.6] + 0.7 + rng.normal(0, 0.15, 2)
    away = at - [2.5, 2] + rng.normal(0, 1.2, 2)
    return at, -away / max(float(np.linalg.norm(away)), 1e-3)


def _skin(rng: np.random.Generator) -> Points:
    """Return a BGR color of skin, a glove now and then."""
    if rng.random() < 0.12:
        return rng.uniform(0.03, 0.95, 3)
    tones = np.array([[0.10, 0.15, 0.24], [0.22, 0.34, 0.52], [0.42, 0.55, 0.78], [0.62, 0.74, 0.93]])
    k = rng.uniform(0, 2.999)
    tone = tones[int(k)] * (1 - k % 1) + tones[int(k) + 1] * (k % 1)
    return np.asarray(np.clip(tone * np.exp(rng.normal(0, [0.12, 0.07, 0.07])), 0.02, 1.1))


def hand(rng: np.random.Generator, layer: Layer) -> None:
    """Draw one to four fingers, each rounded by its shade, with nails and creases."""
    tip, inward = _inward(rng)
    across = np.array([-inward[1], inward[0]])
    skin = _skin(rng)
    nail = skin * 0.75 + np.array([0.22, 0.2, 0.27]) if rng.random() < 0.8 else rng.uniform(0, 1, 3)
    nailed = rng.random() < 0.75
    thick = rng.uniform(0.36, 0.62)
    height = rng.uniform(0.3, 2.2)
    light = rng.normal(0, 0.45, 2)
    shadow = rng.uniform(0.35, 0.8)
    for k in range(int(rng.choice([1, 2, 3, 4], p=[0.55, 0.2, 0.15, 0.1]))):
        at = tip + across * k * thick * rng.uniform(1.7, 2.4) + inward * rng.normal(0, 0.5) * (k > 0)
        bend, rise = rng.normal(0, 0.12), rng.uniform(0, 0.9)
        mask = np.zeros(layer.alpha.shape, np.uint8)
        radius = 1.0
        line = []
        for t in np.linspace(0, 7, 36):
            direction = inward * np.cos(bend * t / 2) + across * np.sin(bend * t / 2)
            spot, pitch = layer.spot(at - direction * t, min(height + rise * t, 5.0))
            wide = thick * (0.84 + 0.2 * min(t / 0.8, 1) + 0.04 * np.cos(t * 3.1)) * pitch
            cv2.circle(mask, spot.round().astype(int).tolist(), max(1, round(wide)), 255, -1)
            line.append((spot, wide))
            radius = max(radius, wide) if t < 3 else radius
        x0, y0, wide_px, high_px = cv2.boundingRect(mask)
        if not wide_px:
            continue
        part = (slice(y0, y0 + high_px), slice(x0, x0 + wide_px))
        far = cv2.distanceTransform(mask[part].copy(), cv2.DIST_L2, 5) / np.float32(radius)
        near = 1 - np.clip(far, 0, 1)
        slope = cv2.GaussianBlur(far, (0, 0), max(1.0, 0.08 * radius))
        gx, gy = cv2.Sobel(slope, cv2.CV_32F, 1, 0), cv2.Sobel(slope, cv2.CV_32F, 0, 1)
        steep = near / np.maximum(np.hypot(gx, gy), 1e-3)
        shade = np.sqrt(np.clip(1 - near**2, 0, 1)) - steep * (gx * light[0] + gy * light[1])
        shade = 1 - shadow + shadow * np.clip(shade, 0, 1.25)
        h, w = far.shape
        shade = shade * (1 + 0.05 * textures.noise(rng, h, w, max(3.0, radius / 2)))
        color = (skin * shade[..., None]).astype(np.float32)
        if nailed:
            (tx, ty), wide = line[1]
            (bx, by), _ = line[5]
            turn = np.degrees(np.arctan2(by - ty, bx - tx))
            middle = (float(tx * 0.8 + bx * 0.2 - x0), float(ty * 0.8 + by * 0.2 - y0))
            oval = (middle, (wide * 1.2, wide * 0.95), turn)
            spot_on = np.zeros((h, w), np.float32)
            cv2.ellipse(spot_on, oval, 1.0, -1, cv2.LINE_AA)
            color += spot_on[..., None] * (nail * shade[..., None] - color)
        for t in (9, 10, 19, 20):
            (ax, ay), wide = line[t]
            (bx, by), _ = line[t + 1]
            side = np.array([-(by - ay), bx - ax]) / max(np.hypot(bx - ax, by - ay), 1e-3) * wide * 0.7
            ends = (np.array([ax - x0, ay - y0]) + np.array([side, -side])).round().astype(int).tolist()
            crease = (skin * rng.uniform(0.45, 0.75)).tolist()
            cv2.line(color, ends[0], ends[1], crease, max(1, round(wide * 0.05)))
        layer.add(color, np.clip(far * radius, 0, 1).astype(np.float32), part)


def _print(rng: np.random.Generator) -> Float:
    """Return what is to be seen of a card, a paper or a book."""
    style = rng.random()
    if style < 0.2:
        return textures.card(rng, random_pattern(rng))
    if style < 0.4:
        return frames.glass(rng, 384, 512, int(rng.integers(20, 160)))
    if style < 0.5:
        return frames.fine_glass(rng, 384, 512)
    if style < 0.7:
        return textures.table(rng, 400)
    tone = rng.uniform(0.05, 1, 3) if rng.random() < 0.5 else rng.uniform(0.6, 1)
    page = np.full((384, 512, 3), tone, np.float32)
    if style < 0.9:
        textures.clutter(rng, page, int(rng.integers(1, 9)))
    for y in range(10, 350, int(rng.integers(24, 90))):
        if rng.random() < 0.5:
            textures.name_line(rng, page, (20, y), (492, y + int(rng.integers(14, 50))))
    return page


def card(rng: np.random.Generator, layer: Layer, place: Place | None = None) -> None:
    """Draw a flat sheet: a card, a paper, a book, a phone."""
    at, inward = place or _inward(rng)
    half = np.array([rng.uniform(1.2, 5), rng.uniform(1.2, 4)])
    turn = np.arctan2(inward[1], inward[0]) + rng.normal(0, 0.35)
    c, s = np.cos(turn), np.sin(turn)
    axes = np.array([[c, s], [-s, c]])
    edge = at - axes[0] * half[0] + axes[1] * rng.uniform(-0.7, 0.7) * half[1]
    corners = edge + np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half @ axes
    low, lean = rng.uniform(0.2, 2.0), rng.uniform(0, 1.2) * (rng.random() < 0.5)
    heights = low + lean * np.array([1, 0, 0, 1])
    quad = np.array([layer.spot(corner, z)[0] for corner, z in zip(corners, heights, strict=True)])
    face = _print(rng)
    h, w = face.shape[:2]
    if rng.random() < 0.4:
        cv2.rectangle(face, (0, 0), (w - 1, h - 1), rng.uniform(0, 1, 3).tolist(), int(rng.integers(4, 40)))
    flat = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    to_picture = cv2.getPerspectiveTransform(flat, quad.astype(np.float32))
    face = face * np.float32(rng.uniform(0.5, 1.1))
    color = cv2.warpPerspective(face, to_picture, layer.size, borderMode=cv2.BORDER_REPLICATE)
    alpha = np.zeros(layer.alpha.shape, np.float32)
    cv2.fillConvexPoly(alpha, (quad * 8).round().astype(np.int32), 1.0, cv2.LINE_AA, 3)
    layer.add(np.asarray(color, dtype=np.float32), alpha)


def cloth(rng: np.random.Generator, layer: Layer, place: Place | None = None) -> None:
    """Draw a sleeve or another piece of cloth: a wavy edge, folds, a pattern."""
    at, inward = place or _inward(rng)
    across = np.array([-inward[1], inward[0]])
    half = rng.uniform(1.0, 6)
    raised = rng.uniform(0.2, 2.2)
    sides = np.linspace(-half, half, 24)
    waves = rng.uniform(0, 0.25) * np.sin(sides * rng.uniform(0.5, 3) + rng.uniform(0, 6)) - 0.03 * sides**2
    rim = [at + across * v + inward * wave for v, wave in zip(sides, waves, strict=True)]
    back = [at + across * half * rng.uniform(0.8, 1.6) - inward * 9, at - across * half - inward * 9]
    outline: Points = np.array([layer.spot(point, raised)[0] for point in rim + back])
    alpha = np.zeros(layer.alpha.shape, np.float32)
    cv2.fillPoly(alpha, [(np.clip(outline, -4000, 4000) * 8).round().astype(np.int32)], 1.0, cv2.LINE_AA, 3)
    h, w = layer.size[::-1]
    stuff = np.full((400, 400, 3), rng.uniform(0.03, 0.95, 3), np.float32)
    if rng.random() < 0.6:
        stuff = textures.table(rng, 400)
    scale = layer.grid.pitch_px / rng.uniform(10, 120)
    turn = rng.uniform(0, 2 * np.pi)
    x, y = np.cos(turn) * scale, np.sin(turn) * scale
    to_picture = np.array([[x, -y, w / 2], [y, x, h / 2]])
    color = cv2.warpAffine(stuff, to_picture, (w, h), borderMode=cv2.BORDER_REFLECT)
    fold = textures.noise(rng, h, w, layer.grid.pitch_px * rng.uniform(0.3, 2.5)) * rng.uniform(0, 0.4)
    soft = softened(alpha, layer.grid.pitch_px * rng.uniform(0.1, 0.5))
    color = color * np.clip(1 + fold, 0.2, 2)[..., None] * (0.4 + 0.6 * soft)[..., None]
    layer.add(np.asarray(color, dtype=np.float32), alpha)


def disc(rng: np.random.Generator, layer: Layer) -> None:
    """Draw a token, a lid or a cup: a disc, and its wall where it stands high."""
    at, inward = _inward(rng)
    radius = float(np.exp(rng.uniform(np.log(0.3), np.log(2.5))))
    at = at - inward * (radius - 0.6)
    low = rng.uniform(0, 1.5)
    tall = rng.uniform(0.05, 4) if radius > 0.8 else rng.uniform(0.05, 0.5)
    angles = np.linspace(0, 2 * np.pi, 40)
    rim = at + radius * np.column_stack([np.cos(angles), np.sin(angles)])
    rims = [np.array([layer.spot(point, z)[0] for point in rim]) for z in (low, low + tall)]
    tone = rng.uniform(0.03, 1, 3)
    body, lid = np.zeros(layer.alpha.shape, np.float32), np.zeros(layer.alpha.shape, np.float32)
    hull = cv2.convexHull(np.concatenate(rims).astype(np.float32))
    cv2.fillConvexPoly(body, (hull * 8).round().astype(np.int32), 1.0, cv2.LINE_AA, 3)
    cv2.fillConvexPoly(lid, (rims[1] * 8).round().astype(np.int32), 1.0, cv2.LINE_AA, 3)
    h, w = layer.size[::-1]
    shade = 1 + 0.3 * textures.noise(rng, h, w, layer.grid.pitch_px * radius)
    top = rng.uniform(0.3, 1.2) * tone if rng.random() < 0.6 else rng.uniform(0.02, 1, 3)
    color = tone * 0.7 + lid[..., None] * (top - tone * 0.7)
    layer.add((color * shade[..., None]).astype(np.float32), body)


def cable(rng: np.random.Generator, layer: Layer) -> None:
    """Draw a cable, a string or a pen, which hides no space whole."""
    at, inward = _inward(rng)
    across = np.array([-inward[1], inward[0]])
    t = np.linspace(-4, 6, 40)
    bend = rng.normal(0, 0.8) * np.sin(t * rng.uniform(0.2, 1))
    line = np.array([layer.spot(at - inward * a + across * b, 0.8)[0] for a, b in zip(t, bend, strict=True)])
    alpha = np.zeros(layer.alpha.shape, np.float32)
    wide = max(1, round(layer.grid.pitch_px * rng.uniform(0.05, 0.35)))
    points = np.clip(line, -4000, 4000).round().astype(np.int32)
    cv2.polylines(alpha, [points], isClosed=False, color=1.0, thickness=wide, lineType=cv2.LINE_AA)
    middle = cv2.GaussianBlur(alpha, (0, 0), max(0.5, wide / 3))[..., None]
    layer.add((rng.uniform(0.02, 0.95, 3) * (0.5 + 0.5 * middle)).astype(np.float32), alpha)
