"""What drawn cards are made of: stone frames, stained glass, golden dice, pointed arches, lettering.

A card is a picture float32 BGR in [0, 1] of `HEIGHT` x `WIDTH` pixels; while it is drawn it is uint8. All
places are shares of its width and height, (0, 0) at the top left.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.training.synthetic import textures

Float = NDArray[np.float32]
Picture = NDArray[np.uint8]
Box = tuple[float, float, float, float]

WIDTH, HEIGHT = 300, 420

#: Inks, RGB 0-255, of which each card takes one of each color.
INKS = {
    "R": ((215, 32, 38), (232, 50, 45), (190, 25, 40), (240, 70, 60)),
    "Y": ((230, 215, 10), (245, 225, 60), (222, 196, 20), (250, 235, 90)),
    "G": ((48, 165, 95), (15, 160, 105), (30, 130, 60), (90, 185, 100)),
    "B": ((75, 185, 195), (35, 180, 195), (40, 130, 195), (110, 190, 220)),
    "P": ((155, 30, 145), (150, 65, 145), (120, 40, 130), (185, 60, 180)),
}
GLASS = (
    (210, 30, 35),
    (235, 90, 25),
    (245, 175, 30),
    (250, 225, 40),
    (60, 150, 60),
    (40, 90, 170),
    (95, 40, 130),
)
FONTS = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
    cv2.FONT_HERSHEY_COMPLEX_SMALL,
)


def frame(rng: np.random.Generator, box: Box) -> tuple[Picture, tuple[slice, slice]]:
    """Return a stone frame and the part of it that it leaves for what it surrounds."""
    tone = (rng.uniform(0.42, 0.85) + rng.normal(0, 0.02, 3)).astype(np.float32)
    grain = textures.noise(rng, HEIGHT, WIDTH, 3) * 0.05 + textures.noise(rng, HEIGHT, WIDTH, 30) * 0.07
    stone = np.clip(tone * (1 + grain[..., None]), 0, 1)
    out = np.ascontiguousarray(stone * 255, dtype=np.uint8)
    left, top, right, foot = box
    for _ in range(int(rng.integers(4, 14))):  # joints between the stones
        dark = (float(255 * tone.mean() * rng.uniform(0.4, 0.8)),) * 3
        level, at = rng.random() < 0.5, rng.random()
        ends = ((0, at), (1, at)) if level else ((at, 0), (at, 1))
        cv2.line(out, place(*ends[0]), place(*ends[1]), dark, 1)
    for step in np.linspace(0.15, 1, int(rng.integers(2, 7))):  # its profile
        shade = (float(np.clip(255 * tone.mean() * rng.uniform(0.5, 1.35), 0, 255)),) * 3
        near, far = place(left * step, top * step), place(1 - (1 - right) * step, 1 - (1 - foot) * step)
        cv2.rectangle(out, near, far, shade, int(rng.integers(1, 5)))
    (x0, y0), (x1, y1) = place(left, top), place(right, foot)
    return out, (slice(y0, y1 + 1), slice(x0, x1 + 1))


def paper(rng: np.random.Generator) -> Picture:
    """Return a white ground with the faint bumps of plaster."""
    white = (rng.uniform(0.84, 1.0) + rng.normal(0, 0.015, 3)).astype(np.float32)
    strength = np.float32(rng.uniform(0, 0.05))
    bumps = 1 + strength * textures.noise(rng, HEIGHT, WIDTH, rng.uniform(3, 9))[..., None]
    return np.ascontiguousarray(np.clip(white * bumps, 0, 1) * 255, dtype=np.uint8)


def glass(
    rng: np.random.Generator,
    out: Picture,
    box: Box,
    *,
    dice: bool,
    inks: Sequence[tuple[int, int, int]] = GLASS,
) -> None:
    """Fill a box with stained glass, mostly warm; with ``dice``, golden ones in it and in its corners."""
    left, top, right, foot = box
    part = np.full_like(out, 20)
    weights = rng.dirichlet(np.full(len(inks), 2.0))
    leaning = rng.uniform(0.0, 0.08)
    lead = black(rng)
    wide = rng.uniform(0.02, 0.06)
    for _ in range(int(rng.integers(30, 75))):
        x, y = rng.uniform(left, right), rng.uniform(top, foot)
        tall = rng.uniform(0.2, 1) * (foot - top) * (1 if rng.random() < 0.7 else 0.3)
        shape = [
            (x - wide * rng.random(), y - tall),
            (x + wide * rng.random(), y - tall * 0.9),
            (x + leaning * rng.normal() + wide, y + tall),
            (x + leaning * rng.normal() - wide * 0.4, y + tall),
        ]
        ink = np.array(inks[int(rng.choice(len(inks), p=weights))][::-1]) * rng.uniform(0.75, 1.1)
        points = np.array([place(a, b) for a, b in shape], dtype=np.int32)
        cv2.fillConvexPoly(part, points, np.clip(ink, 0, 255).tolist(), cv2.LINE_AA)
        _outline(part, points, lead, int(rng.integers(1, 3)))
    if dice:
        middle = ((left + right) / 2 + rng.normal(0, 0.01), top + (foot - top) * rng.uniform(0.48, 0.6))
        radius = round(WIDTH * rng.uniform(0.13, 0.17))
        cv2.circle(part, place(*middle), radius, bgr(rng, "P"), -1, cv2.LINE_AA)
        golden_die(rng, part, middle, rng.uniform(0.085, 0.125))
        inset, drop, size = rng.uniform(0.06, 0.1), rng.uniform(0.05, 0.08), rng.uniform(0.05, 0.085)
        for x in (left + inset, right - inset):
            gray = (float(rng.uniform(120, 220)),) * 3
            cv2.circle(part, place(x, top + drop), round(WIDTH * size * 1.25), gray, -1, cv2.LINE_AA)
            cv2.circle(part, place(x, top + drop), round(WIDTH * size), bgr(rng, "R"), -1, cv2.LINE_AA)
            golden_die(rng, part, (x, top + drop), size * 0.75)
    y0, y1 = max(0, round(top * HEIGHT)), max(0, round(foot * HEIGHT))
    x0, x1 = max(0, round(left * WIDTH)), max(0, round(right * WIDTH))
    out[y0:y1, x0:x1] = part[y0:y1, x0:x1]


def golden_die(rng: np.random.Generator, out: Picture, middle: tuple[float, float], radius: float) -> None:
    """Draw a die seen on its corner: a hexagon of three golden faces with white pips, in place."""
    turn = rng.normal(0, 0.1)
    angles, flat = turn + np.arange(6) * np.pi / 3, WIDTH / HEIGHT
    x, y = middle[0] + radius * np.sin(angles), middle[1] - radius * flat * np.cos(angles)
    rim = list(zip(x.tolist(), y.tolist(), strict=True))
    for k in (0, 2, 4):
        face = np.array([place(*middle), *(place(*rim[(k + j - 1) % 6]) for j in range(3))], dtype=np.int32)
        gold = np.array([rng.uniform(10, 60), rng.uniform(130, 200), rng.uniform(215, 255)])
        cv2.fillConvexPoly(out, face, gold.tolist(), cv2.LINE_AA)
        _outline(out, face, (15, 15, 15), 1)
        for _ in range(int(rng.integers(1, 5))):
            a, b = rng.dirichlet([1, 1, 1, 1], 2) @ face
            cv2.line(out, a.astype(int).tolist(), b.astype(int).tolist(), (20, 60, 90), 1, cv2.LINE_AA)
        for _ in range(int(rng.integers(1, 6))):
            at = (rng.dirichlet([3, 3, 3, 3]) @ face).astype(int).tolist()
            cv2.circle(out, at, max(1, round(WIDTH * radius * 0.13)), (245, 250, 250), -1, cv2.LINE_AA)


def arch(rng: np.random.Generator, out: Picture, box: Box) -> None:
    """Draw the pointed arch of stone over what fills the frame, in place; the box ends at its springers."""
    left, top, right, foot = box
    bulge = rng.uniform(0.3, 0.75)
    t = np.linspace(0, 1, 24)
    # A quadratic curve from the springer up to the apex; how far it bulges is each card's own.
    xs = (1 - t) ** 2 * left + 2 * t * (1 - t) * (left + 0.02) + t**2 * 0.5
    ys = (1 - t) ** 2 * foot + 2 * t * (1 - t) * (foot + (top - foot) * bulge) + t**2 * (top + 0.005)
    half = np.column_stack([xs, ys])
    path = np.concatenate([half, np.column_stack([left + right - xs, ys])[::-1]])
    points = np.array([place(x, y) for x, y in path], dtype=np.int32)
    wide = WIDTH * rng.uniform(0.025, 0.06)
    tone = rng.uniform(0.5, 0.85)
    for share, light in ((1.35, 0.35), (1.0, 1.0), (0.5, rng.uniform(0.8, 1.3))):
        grey = (float(np.clip(255 * tone * light, 0, 255)),) * 3
        _outline(out, points, grey, max(1, round(wide * share)), closed=False)


def _outline(
    out: Picture, points: NDArray[np.int32], ink: Sequence[float], thick: int, *, closed: bool = True
) -> None:
    cv2.polylines(out, [points], isClosed=closed, color=ink, thickness=thick, lineType=cv2.LINE_AA)


def band(rng: np.random.Generator, out: Picture, box: Box, points: str) -> None:
    """Draw the foot: pale blue, a badge with the points, the title and a line or two, in place."""
    left, top, right, foot = box
    blue = np.array([rng.uniform(200, 240), rng.uniform(180, 215), rng.uniform(150, 205)])
    cv2.rectangle(out, place(left, top), place(right, foot), blue.tolist(), -1)
    lead = black(rng)
    middle, radius = (left + rng.uniform(0.07, 0.11), (top + foot) / 2), WIDTH * rng.uniform(0.07, 0.09)
    x, y = place(*middle)
    for grow, ink in ((3.5, lead), (0.0, blue.tolist())):
        for k in range(8 if rng.random() < 0.3 else 4):
            angle = k * np.pi / 4 if k >= 4 else k * np.pi / 2
            at = (round(x + radius * 0.62 * np.cos(angle)), round(y + radius * 0.62 * np.sin(angle)))
            cv2.circle(out, at, round(radius * 0.5 + grow), ink, -1, cv2.LINE_AA)
    font, at = int(rng.choice(FONTS)), (round(x - radius * 0.42), round(y + radius * 0.45))
    cv2.putText(out, points, at, font, radius / 20, lead, 2, cv2.LINE_AA)
    start = middle[0] + 0.12
    wide = right - start - 0.02
    lines = [(0.32, 1.0, 2), (0.62, 0.75, 1)] + ([(0.88, 0.75, 1)] if rng.random() < 0.5 else [])
    for down, size, thick in lines:
        write(rng, out, (start, top + (foot - top) * down, wide), size * rng.uniform(0.4, 0.52), thick, lead)


def write(
    rng: np.random.Generator,
    out: Picture,
    start: tuple[float, float, float],
    size: float,
    thick: int,
    ink: Sequence[float],
) -> None:
    """Write made-up words from (x, y) on, at most ``width`` wide (shares of the card), in place."""
    x, y, wide = start
    font = int(rng.choice(FONTS))
    text = ""
    while True:
        word = "".join(rng.choice(list("abcdefghilmnoprstuvz"), int(rng.integers(2, 10))))
        longer = f"{text} {word}" if text else word.title()
        if cv2.getTextSize(longer, font, size, thick)[0][0] > wide * WIDTH or rng.random() < 0.12:
            break
        text = longer
    cv2.putText(out, text, place(x, y), font, size, ink, thick, cv2.LINE_AA)


def finished(rng: np.random.Generator, out: Picture) -> Float:
    """Return a drawn card as print has it: a little worn, its tones its own, its corners as cut."""
    card = out.astype(np.float32) / 255
    low, high = rng.uniform(0, 0.07), rng.uniform(0.9, 1.0)
    card = np.float32(low) + card * np.float32(high - low)
    card *= 1 + np.float32(0.02) * textures.noise(rng, HEIGHT, WIDTH, 4)[..., None]
    return np.asarray(np.clip(card, 0, 1), dtype=np.float32)


def place(x: float, y: float) -> tuple[int, int]:
    """Return a place on a card in pixels."""
    return round(x * WIDTH), round(y * HEIGHT)


def bgr(rng: np.random.Generator, code: str) -> tuple[float, float, float]:
    """Return one of a color's inks, BGR 0-255."""
    rgb = INKS[code][int(rng.integers(4))]
    b, g, r = np.clip(np.array(rgb[::-1]) + rng.normal(0, 8, 3), 0, 255).tolist()
    return b, g, r


def black(rng: np.random.Generator) -> tuple[float, float, float]:
    """Return a black as it is printed, BGR 0-255."""
    return (float(rng.uniform(0, 40)),) * 3
