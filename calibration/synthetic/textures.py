"""Flat things: tables, window frames with their art, pattern cards, holes.

All pictures are float32 BGR in [0, 1].
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.synthetic.dice import PIPS

Float = NDArray[np.float32]

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
    hsv = np.array(
        [[[rng.uniform(0, 360), rng.uniform(0, saturation), rng.uniform(0.12, 0.95)]]], dtype=np.float32
    )
    return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0], dtype=np.float32)


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
        box = cv2.boxPoints(((center[0], center[1]), (half[0] * 2, half[1] * 2), angle)).astype(np.int32)
        cv2.fillConvexPoly(out, box, _random_color(rng, 0.9).tolist(), cv2.LINE_AA)
        if rng.random() < 0.5:
            inner = cv2.boxPoints(((center[0], center[1]), (half[0] * 1.7, half[1] * 1.7), angle))
            cv2.fillConvexPoly(out, inner.astype(np.int32), _random_color(rng, 0.9).tolist(), cv2.LINE_AA)
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
                        tile = cv2.boxPoints((at, (reach * 1.6, reach * 1.6), angle)).astype(np.int32)
                        mark = _random_color(rng, 0.9).tolist() if rng.random() < 0.5 else tone
                        cv2.fillConvexPoly(out, tile, mark, cv2.LINE_AA)
                    else:
                        cv2.circle(out, at, int(reach * 0.5) + 1, tone, -1, cv2.LINE_AA)
        if rng.random() < 0.4:
            for k in range(int(rng.integers(3, 12))):
                y = int(center[1] - half[1] * 0.5 + k * 9)
                cv2.line(
                    out,
                    (int(center[0] - half[0] * 0.5), y),
                    (int(center[0] + half[0] * rng.uniform(0, 0.6)), y),
                    (0.1, 0.1, 0.1),
                    2,
                )


def glass(rng: np.random.Generator, height: int, width: int, pieces: int) -> Float:
    """Return stained glass: Voronoi pieces with dark leads."""
    points = rng.uniform(0, 1, (pieces, 2)) * [width, height]
    hue = rng.uniform(0, 360)
    spread = rng.choice([25, 60, 180])
    hsv = np.stack(
        [
            (hue + rng.uniform(-spread, spread, pieces)) % 360,
            rng.uniform(0.3, 1, pieces),
            rng.uniform(0.2, 1, pieces),
        ],
        -1,
    ).astype(np.float32)
    colors = cv2.cvtColor(hsv[None], cv2.COLOR_HSV2BGR)[0]
    y, x = np.mgrid[0:height:4, 0:width:4].astype(np.float32)
    d = (x[..., None] - points[:, 0]) ** 2 + (y[..., None] - points[:, 1]) ** 2
    two = np.argpartition(d, 1, axis=-1)[..., :2]
    gaps = np.sqrt(np.take_along_axis(d, two, -1))
    first = np.where(gaps[..., 0] < gaps[..., 1], two[..., 0], two[..., 1])
    out = colors[first]
    out[np.abs(gaps[..., 0] - gaps[..., 1]) < rng.uniform(1.5, 4)] *= 0.15
    return np.asarray(cv2.resize(out, (width, height)), dtype=np.float32)


def fine_glass(rng: np.random.Generator, height: int, width: int) -> Float:
    """Return stained glass as printed on the game's frames: slivers of a few hues in thin leads."""
    stretch = float(np.exp(rng.uniform(-np.log(3), np.log(3))))  # pieces lie along one direction
    h, w = max(8, round(height * min(1.0, stretch))), max(8, round(width * min(1.0, 1 / stretch)))
    size = rng.uniform(7, 26) * np.sqrt(h * w / (height * width))
    apart = np.ones((h, w), np.uint8)
    seeds = rng.uniform(0, 1, (max(12, int(h * w / size**2)), 2)) * [h, w]
    apart[seeds[:, 0].astype(int), seeds[:, 1].astype(int)] = 0
    _, labels = cv2.distanceTransformWithLabels(apart, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)
    far = cv2.resize(labels.astype(np.float32), (width, height), interpolation=cv2.INTER_NEAREST)
    nearest = far.astype(np.int64)
    count = int(nearest.max()) + 1
    hues = rng.uniform(0, 360) + rng.choice([0.0, 20, 40, -30, 90, 180], int(rng.integers(1, 5)))
    hsv = np.stack(
        [
            (rng.choice(hues, count) + rng.normal(0, 8, count)) % 360,
            rng.uniform(0.4, 1, count),
            rng.uniform(0.15, 1, count),
        ],
        -1,
    ).astype(np.float32)
    pale = rng.random(count) < rng.uniform(0, 0.3)
    hsv[pale, 1], hsv[pale, 2] = hsv[pale, 1] * 0.4, 0.9
    out = cv2.cvtColor(hsv[None], cv2.COLOR_HSV2BGR)[0][nearest]
    leads = np.zeros((height, width), np.uint8)
    leads[:, 1:] |= nearest[:, 1:] != nearest[:, :-1]
    leads[1:] |= nearest[1:] != nearest[:-1]
    if rng.random() < 0.7:
        leads = cv2.dilate(leads, np.ones((2, 2), np.uint8)).astype(np.uint8)
    out[leads > 0] *= rng.uniform(0.05, 0.4)
    return np.asarray(out, dtype=np.float32)


def _value_cell(rng: np.random.Generator, value: int, size: int) -> Float:
    """Return a printed value slot: grey glass shards under a cluster of pips."""
    tone = rng.uniform(0.25, 0.8) - 0.06 * value * rng.uniform(0, 1)
    out = np.full((size, size, 3), max(tone, 0.15), np.float32)
    for _ in range(int(rng.integers(0, 9))):
        a, b = rng.uniform(-0.2, 1.2, (2, 2)) * size
        if rng.random() < 0.5:
            tri = np.array([a, b, rng.uniform(-0.2, 1.2, 2) * size]).astype(np.int32)
            cv2.fillConvexPoly(
                out, tri, (float(np.clip(tone + rng.uniform(-0.2, 0.25), 0.05, 1)),) * 3, cv2.LINE_AA
            )
        cv2.line(
            out,
            a.astype(int).tolist(),
            b.astype(int).tolist(),
            (0.08,) * 3,
            int(rng.integers(1, 3)),
            cv2.LINE_AA,
        )
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
    """Return the pattern card, 5 x 4 pitches plus ``margin`` all round, at ``SCALE``.

    ``cells`` are four rows of pattern notation.
    """
    m = int(margin * SCALE)
    out = np.full((4 * SCALE + 2 * m, 5 * SCALE + 2 * m, 3), rng.uniform(0.02, 0.14), np.float32)
    side = int(SCALE * rng.uniform(0.84, 0.93))
    white = np.clip(np.array([0.9, 0.93, 0.95]) * rng.uniform(0.85, 1.05), 0, 1)
    shift = rng.normal(0, 0.04, 3)
    pick = int(rng.integers(4))
    for r in range(4):
        for c in range(5):
            y, x = m + r * SCALE + (SCALE - side) // 2, m + c * SCALE + (SCALE - side) // 2
            spot = out[y : y + side, x : x + side]
            code = cells[r][c]
            if code == ".":
                spot[:] = white
            elif code.isdigit():
                spot[:] = _value_cell(rng, int(code), side)
            else:
                rgb = np.array(_CARD_RGB[code][pick]) / 255
                spot[:] = np.clip(rgb[::-1] + shift, 0, 1)
    _name_line(rng, out, (m, m + 4 * SCALE + 8), (m + 5 * SCALE, m + 4 * SCALE + 30))
    return np.clip(out * (1 + 0.02 * noise(rng, out.shape[0], out.shape[1], 8)[..., None]), 0, 1)


def _name_line(rng: np.random.Generator, out: Float, near: tuple[int, int], far: tuple[int, int]) -> None:
    """Write a card's name and its difficulty dots into the box between two corners, in place."""
    word = "".join(rng.choice(list("abcdefghilmnorstu"), int(rng.integers(6, 16)))).title()
    ink = np.zeros(out.shape[:2], np.uint8)
    at = (near[0] + int(rng.integers(8, 90)), far[1] - 7)
    cv2.putText(ink, word, at, cv2.FONT_HERSHEY_DUPLEX, 0.5, 255, 1, cv2.LINE_AA)
    out += (0.9 - out) * (ink[..., None] / np.float32(255))
    for k in range(int(rng.integers(3, 7))):
        spot = (far[0] - 16 - 12 * k, (near[1] + far[1]) // 2)
        cv2.circle(out, spot, 4, (0.9, 0.9, 0.9), -1, cv2.LINE_AA)


def frame(rng: np.random.Generator, *, rose: bool = False) -> tuple[Float, Float, tuple[float, float]]:
    """Return a window frame seen from above with its alpha and the lattice's origin in it.

    The picture is at ``SCALE`` px a pitch; alpha is 0 in the holes and outside the frame; the
    origin is where board point (0, 0) lies, in pitches from the picture's top left corner. With ``rose``
    a rose window is above the grid, as on the game's own frames.
    """
    width = rng.uniform(5.4, 6.6)
    above = rng.uniform(2.5, 9.0)
    below = rng.uniform(0.15, 1.3)
    left = (width - 5) / 2
    h, w = int((above + 4 + below) * SCALE), int(width * SCALE)
    tone = rng.uniform(0.12, 0.85)
    stone = np.clip(tone * (1 + rng.normal(0, 0.12 if rng.random() < 0.7 else 0.35, 3)), 0.03, 1)
    out = stone.astype(np.float32) * (1 + 0.12 * noise(rng, h, w, 40) + 0.05 * noise(rng, h, w, 3))[..., None]
    out = np.asarray(out, dtype=np.float32)
    if rng.random() < 0.4:  # joints between the stones
        for y in range(0, h, int(rng.integers(30, 90))):
            cv2.line(out, (0, y), (w, y), (stone * 0.7).tolist(), 1)
    if rng.random() < 0.4:  # profiles along the border
        for k in range(int(rng.integers(1, 4))):
            inset = int((0.04 + 0.08 * k) * SCALE)
            cv2.rectangle(
                out, (inset, inset), (w - inset, h - inset), (stone * rng.uniform(0.5, 1.4)).tolist(), 2
            )
    _art(rng, out, int(above * SCALE), w, rose=rose)
    oy, ox = int(above * SCALE), int(left * SCALE)
    pad = int(rng.uniform(0.0, 0.12) * SCALE)
    grid_tone = rng.uniform(0.02, 0.3) if rng.random() < 0.85 else tone * 0.8
    area = (slice(max(oy - pad, 0), oy + 4 * SCALE + pad), slice(max(ox - pad, 0), ox + 5 * SCALE + pad))
    out[area] = grid_tone * np.clip(1 + rng.normal(0, 0.05, 3), 0.5, 1.5)
    if rng.random() < 0.4:
        cv2.rectangle(
            out,
            (area[1].start, area[0].start),
            (area[1].stop, area[0].stop),
            (stone * 1.3).clip(0, 1).tolist(),
            2,
        )
    if below > 0.45:  # the card's name and its difficulty show below the grid
        y0 = oy + int((4 + rng.uniform(0.1, 0.2)) * SCALE)
        y1 = min(y0 + int(0.4 * SCALE), h - 4)
        if rng.random() < 0.7:
            cv2.rectangle(out, (ox, y0), (ox + 5 * SCALE, y1), (0.1, 0.1, 0.1), -1)
        _name_line(rng, out, (ox, y0), (ox + 5 * SCALE, y1))
    alpha = np.ones((h, w), np.float32)
    hole = rng.uniform(0.68, 0.86) if rng.random() < 0.5 else rng.uniform(0.7, 0.76)
    radius = rng.uniform(0, 0.05)
    for r in range(4):
        for c in range(5):
            hx, hy = ox + (c + 0.5 - hole / 2) * SCALE, oy + (r + 0.5 - hole / 2) * SCALE
            cut = radius * SCALE
            for dx, dy in ((cut, 0.0), (0.0, cut)):
                near = (round(hx + dx), round(hy + dy))
                far = (round(hx + hole * SCALE - dx), round(hy + hole * SCALE - dy))
                cv2.rectangle(alpha, near, far, 0.0, -1)
    shape = rng.choice(["square", "round", "pointed"])
    if shape != "square":
        y, x = np.mgrid[:h, :w] / SCALE
        half = width / 2
        if shape == "round":
            outside = (y < half) & ((x - half) ** 2 + (y - half) ** 2 > half**2)
        else:
            rise = min(width * 0.85, above)
            outside = (y < rise) & (
                (np.abs(x - half) + width * 0.5) ** 2 + ((rise - y) * width / rise * 0.87) ** 2 > width**2
            )
        alpha[outside] = 0
    return np.clip(out, 0, 1), alpha, (left, above)


def _art(rng: np.random.Generator, out: Float, above: int, width: int, *, rose: bool) -> None:
    """Draw round windows and a band of glass over the top part of a frame, in place."""
    band = int(rng.uniform(0.8, 2.2) * SCALE)
    top = max(above - band - int(rng.uniform(0, 0.2) * SCALE), 0)
    side = int(rng.uniform(0, 0.5) * SCALE)
    picture = fine_glass(rng, above, width) if rose else glass(rng, above, width, int(rng.integers(60, 220)))
    mask = np.zeros((above, width), np.uint8)
    style = rng.random()
    if style < 0.45:
        mask[top:above, side : width - side] = 255
    elif style < 0.8:
        count = int(rng.integers(2, 5))
        radius = (width - 2 * side) // (2 * count)
        for k in range(count):
            cv2.circle(mask, (side + radius * (2 * k + 1), max(above - radius, 0)), radius, 255, -1)
            if rng.random() < 0.5:
                cv2.circle(
                    mask, (side + radius * (2 * k + 1), max(above - radius, 0)), int(radius * 0.7), 0, 2
                )
        mask[above - int(0.3 * radius) :, side : width - side] = 255
    else:
        mask[:, side : width - side] = 255
    center = (width // 2, max(top - int(width * 0.42), 0))
    if not rose and rng.random() < 0.7:
        big = int(width * rng.uniform(0.25, 0.4))
        if rng.random() < 0.5:
            cv2.circle(mask, center, big, 255, -1)
        else:
            spokes = int(rng.integers(8, 18))
            for k in range(spokes):
                a = 2 * np.pi * k / spokes
                tip = (int(center[0] + big * np.cos(a)), int(center[1] + big * np.sin(a)))
                cv2.circle(mask, tip, int(big * 0.16), 255, -1)
                cv2.line(mask, center, tip, 255, max(2, int(big * 0.1)))
    on = mask > 0
    out[:above][on] = picture[on]
    if rose:
        _rose(rng, out[:above], picture, center)


def _rose(rng: np.random.Generator, out: Float, picture: Float, center: tuple[int, int]) -> None:
    """Draw a rose window of tracery and glass, whose round panes look like dice from the side, in place.

    ``out`` and ``picture``, the glass, are the same size; ``center`` is (x, y).
    """
    reach = out.shape[1] * rng.uniform(0.3, 0.47)
    stone = out[center[1], center[0]] * np.float32(rng.uniform(0.6, 1.4))
    edge = (stone * rng.uniform(0.05, 0.5)).tolist()
    line = int(rng.integers(1, 4))
    if rng.random() < 0.8:
        cv2.circle(out, center, int(reach), stone.clip(0, 1).tolist(), -1, cv2.LINE_AA)
        for _ in range(int(rng.integers(1, 4))):
            cv2.circle(out, center, int(reach * rng.uniform(0.93, 1.0)), edge, line, cv2.LINE_AA)
    spokes = int(rng.integers(8, 19))
    panes: list[NDArray[np.int32]] = [_ellipse(center, (reach * 0.26, reach * 0.26), 0)]
    middle, round_at = reach * rng.uniform(0.45, 0.52), reach * rng.uniform(0.78, 0.84)
    petal = (reach * rng.uniform(0.12, 0.18), middle * np.pi / spokes * rng.uniform(0.5, 0.85))
    radius = min(round_at * np.sin(np.pi / spokes) * rng.uniform(0.75, 1.0), reach - round_at)
    for k in range(spokes):
        a = 2 * np.pi * (k + 0.5) / spokes
        for away, half in ((middle, petal), (round_at, (radius, radius))):
            at = (center[0] + away * np.cos(a), center[1] + away * np.sin(a))
            panes.append(_ellipse(at, half, np.rad2deg(a)))
    mask = np.zeros(out.shape[:2], np.uint8)
    cv2.fillPoly(mask, panes, 255)
    out[mask > 0] = picture[mask > 0]
    cv2.polylines(out, panes, isClosed=True, color=edge, thickness=line, lineType=cv2.LINE_AA)
    if rng.random() < 0.6:  # the die that is painted in the middle of the game's roses
        step, turn = reach * rng.uniform(0.07, 0.11), rng.uniform(0, np.pi)
        for px, py in PIPS[int(rng.integers(1, 7))]:
            x, y = px * np.cos(turn) - py * np.sin(turn), px * np.sin(turn) + py * np.cos(turn)
            at = (center[0] + step * x, center[1] + step * y)
            cv2.fillPoly(out, [_ellipse(at, (reach * 0.035,) * 2, 0)], (0.95,) * 3, cv2.LINE_AA)


def _ellipse(center: tuple[float, float], half: tuple[float, float], turn_deg: float) -> NDArray[np.int32]:
    """Return the outline of an ellipse with half axes ``half``, in whole pixels."""
    middle, axes = (round(center[0]), round(center[1])), (round(half[0]), round(half[1]))
    return np.asarray(cv2.ellipse2Poly(middle, axes, round(turn_deg), 0, 360, 15), dtype=np.int32)
