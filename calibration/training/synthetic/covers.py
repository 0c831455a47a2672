"""What may lie over a window or blind the camera, with its shadow and more or less in focus."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.training.synthetic.layers import Layer, cable, card, cloth, disc, hand, softened
from calibration.training.synthetic.scene import Window
from vision.geometry import CELL_CENTERS, FLOOR_HEIGHT, TOP_HEIGHT, Grid, apply_homography

Float = NDArray[np.float32]
Points = NDArray[np.float64]

DIE_HALF, FLOOR_HALF = 0.27, 0.32  # half sides, in pitches, of what matters of a die and of an empty space
SPOTS = np.stack(np.meshgrid(np.linspace(-1, 1, 9), np.linspace(-1, 1, 9)), -1).reshape(-1, 2)
BLINDING = 0.9  # light added, where 1 is white, that leaves nothing to see
SORTS = (hand, card, cloth, disc, cable)
FLASH = len(SORTS)  # a lamp's light beside them
SHARES = (0.42, 0.14, 0.13, 0.05, 0.03, 0.23)


def cell_spots(window: Window) -> Points:
    """Return 81 spots of what matters of each cell, (20, 81, 2) in pixels: a die's top, or an empty floor."""
    grid = grid_of(window)
    sizes = [(TOP_HEIGHT, DIE_HALF) if code != "--" else (FLOOR_HEIGHT, FLOOR_HALF) for code in window.dice]
    cells = zip(CELL_CENTERS, sizes, strict=True)
    return np.array([apply_homography(grid.plane(z), center + SPOTS * half) for center, (z, half) in cells])


def shares_hidden(hidden: Float, window: Window) -> NDArray[np.float64]:
    """Return which share of each cell, (20,), is hidden where ``hidden`` (H, W) says it of each pixel."""
    x, y = cell_spots(window).round().astype(int).transpose(2, 0, 1)
    seen = hidden[np.clip(y, 0, hidden.shape[0] - 1), np.clip(x, 0, hidden.shape[1] - 1)]
    return np.asarray(seen.mean(axis=1), dtype=np.float64)


def behind_dice(window: Window) -> NDArray[np.float64]:
    """Return which share of the floor of each empty space, (20,), the dice around it hide; 0 under a die."""
    grid = grid_of(window)
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * 0.33
    bodies = {}
    for cell, code in enumerate(window.dice):
        if code != "--":
            ends = [apply_homography(grid.plane(h), CELL_CENTERS[cell] + square) for h in (0.0, TOP_HEIGHT)]
            bodies[cell] = cv2.convexHull(np.concatenate(ends).astype(np.float32))
    out = np.zeros(20)
    for cell, code in enumerate(window.dice):
        if code == "--":
            spots = apply_homography(grid.plane(FLOOR_HEIGHT), CELL_CENTERS[cell] + SPOTS * FLOOR_HALF)
            far = abs(CELL_CENTERS - CELL_CENTERS[cell]).max(axis=1)
            near = [body for other, body in bodies.items() if far[other] < 2.5]
            out[cell] = np.mean(
                [
                    any(cv2.pointPolygonTest(body, spot, measureDist=False) >= 0 for body in near)
                    for spot in spots[::2].tolist()
                ]
            )
    return out


def grid_of(window: Window) -> Grid:
    """Return where a window lies, with the height of its dice."""
    return Grid(window.base, window.top[:, 2] - window.base[:, 2])


def covered(rng: np.random.Generator, image: Float, window: Window) -> tuple[Float, NDArray[np.float64]]:
    """Return a picture (H, W, 3) BGR with something over a window, and what share of each cell it hides."""
    height, width = image.shape[:2]
    grid = grid_of(window)
    hidden = np.zeros((height, width), np.float32)
    out = image
    for _ in range(1 if rng.random() < 0.8 else 2):
        sort = int(rng.choice(len(SHARES), p=SHARES))
        if sort == FLASH:
            light = _flash(rng, (height, width), grid, window)
            out = out + light[..., None] * rng.uniform(0.9, 1.05, 3).astype(np.float32)
            hidden = np.maximum(hidden, np.clip((light - BLINDING) * 2 + 0.5, 0, 1))
            continue
        layer = Layer(np.zeros_like(image), hidden * 0, grid)
        SORTS[sort](rng, layer)
        out = _laid(rng, out, layer)
        hidden = np.maximum(hidden, layer.alpha)
    return np.asarray(out, dtype=np.float32), shares_hidden(hidden, window)


def covered_line(rng: np.random.Generator, image: Float, window: Window) -> tuple[Float, NDArray[np.float64]]:
    """Lay a card or cloth over a side of a window, for parameters and result as those of `covered`."""
    layer = Layer(np.zeros_like(image), np.zeros(image.shape[:2], np.float32), grid_of(window))
    axis, end = int(rng.integers(2)), int(rng.integers(2))
    at, inward = np.array([2.5, 2.0]) + rng.normal(0, 0.7, 2), np.zeros(2)
    at[axis] = abs((5, 4)[axis] * end - rng.uniform(0.5, 1.2))
    inward[axis], inward[1 - axis] = 1 - 2 * end, rng.normal(0, 0.12)
    (card if rng.random() < 0.5 else cloth)(rng, layer, (at, inward / np.linalg.norm(inward)))
    return _laid(rng, image, layer), shares_hidden(layer.alpha, window)


def _laid(rng: np.random.Generator, image: Float, layer: Layer) -> Float:
    """Return the picture with a layer, its shadow below it, over it."""
    pitch = layer.grid.pitch_px
    color = np.clip(layer.color * np.exp(rng.normal(0, 0.25)), 0, 1.3)
    move = np.eye(2, 3)
    move[:, 2] = rng.normal(0, 0.2, 2) * pitch
    moved = cv2.warpAffine(layer.alpha, move, layer.size, borderMode=cv2.BORDER_REPLICATE)
    shade = softened(np.asarray(moved, dtype=np.float32), pitch * rng.uniform(0.04, 0.3))[..., None]
    under = image * (1 - np.float32(rng.uniform(0.05, 0.75)) * shade)
    blurs = [0.004, rng.uniform(0, 0.04), rng.uniform(0.03, 0.12)]
    soft = pitch * float(rng.choice(blurs, p=[0.4, 0.45, 0.15]))
    both = np.concatenate([color * layer.alpha[..., None], layer.alpha[..., None]], axis=2)
    if soft > 0.3:
        both = np.asarray(cv2.GaussianBlur(both, (0, 0), soft), dtype=both.dtype)
    return np.asarray(under * (1 - both[..., 3:]) + both[..., :3], dtype=np.float32)


def _flash(rng: np.random.Generator, shape: tuple[int, int], grid: Grid, window: Window) -> Float:
    """Return the light, H x W, that a lamp or a flash mirrored in dice or foil adds."""
    light = np.zeros(shape, np.float32)
    y, x = np.mgrid[: shape[0], : shape[1]].astype(np.float32)
    for _ in range(int(rng.choice([1, 2, 3], p=[0.7, 0.2, 0.1]))):
        cell = int(rng.integers(20))
        height = TOP_HEIGHT if window.dice[cell] != "--" else FLOOR_HEIGHT
        at = CELL_CENTERS[cell] + rng.normal(0, 0.18, 2)
        ((cx, cy),) = apply_homography(grid.plane(height), at[None]).astype(np.float32)
        wide = grid.pitch_px * float(np.exp(rng.uniform(np.log(0.12), np.log(0.8))))
        c, s = np.cos(turn := rng.uniform(0, 3.2)), np.sin(turn)
        u = ((x - cx) * c + (y - cy) * s) / wide
        v = ((y - cy) * c - (x - cx) * s) / wide * rng.uniform(0.6, 1.6)
        far = np.hypot(u, v).astype(np.float32)
        light += rng.uniform(0.8, 6) * np.exp(-(far ** np.float32(rng.uniform(2, 7))))
        light += rng.uniform(0, 0.4) * np.exp(-far / np.float32(rng.uniform(0.5, 2.5)))
    return light
