"""Cards of our own that are no public objectives: tools, private ones, backs, whatever else lies about."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.training.synthetic import card_parts, objectives, textures
from calibration.training.synthetic.card_parts import GLASS, HEIGHT, INKS, WIDTH, bgr, place
from calibration.training.synthetic.dice import PIPS
from calibration.training.synthetic.objectives import ShadeStyle

Float = NDArray[np.float32]
Picture = NDArray[np.uint8]

SAND = (0.62, 0.86, 0.97)  # BGR
KINDS = ("tool", "private", "back", "pattern", "glass", "plain", "unknown")
SHARES = (0.3, 0.17, 0.08, 0.14, 0.13, 0.08, 0.1)


def other_card(rng: np.random.Generator, kind: str | None = None) -> Float:
    """Return a card that is no public objective, of one of the `KINDS`."""
    return DRAWN[kind or str(rng.choice(KINDS, p=SHARES))](rng)


def tool(rng: np.random.Generator) -> Float:
    """Return a tool card: sand, a colored square, track, window and dice sketched, text at the foot."""
    out = _ground(rng, np.array(SAND) * rng.uniform(0.8, 1.08) + rng.normal(0, 0.04, 3))
    brown = (float(rng.uniform(20, 60)), float(rng.uniform(40, 80)), float(rng.uniform(60, 110)))
    ink = (float(rng.uniform(10, 50)),) * 3
    _die_square(rng, out, (0.16, 0.1), rng.uniform(0.15, 0.2), str(rng.choice(list(INKS))), pips=False)
    card_parts.write(rng, out, (0.3, 0.06, 0.62), rng.uniform(0.4, 0.6), 2, ink)
    cv2.line(out, place(0.3, 0.12), place(0.93, 0.12), ink, 1)
    axes, font = place(0.045, 0.025), cv2.FONT_HERSHEY_DUPLEX
    cv2.ellipse(out, place(0.61, 0.12), axes, 0, 0, 360, (200, 230, 245), -1)
    cv2.ellipse(out, place(0.61, 0.12), axes, 0, 0, 360, ink, 1)
    cv2.putText(out, str(rng.integers(1, 13)), place(0.585, 0.132), font, 0.4, ink, 1, cv2.LINE_AA)
    for k in range(5):
        x = 0.1 + 0.165 * k
        cv2.rectangle(out, place(x, 0.21), place(x + 0.14, 0.305), brown, int(rng.integers(1, 4)))
        cv2.putText(out, str(k + 4), place(x + 0.04, 0.285), font, 0.7, brown, 1, cv2.LINE_AA)
    left, top, pitch = rng.uniform(0.15, 0.22), rng.uniform(0.34, 0.4), rng.uniform(0.12, 0.145)
    for k in range(6):
        x = left + k * pitch + rng.normal(0, 0.004)
        foot = place(x + rng.normal(0, 0.006), top + 0.28)
        cv2.line(out, place(x, top), foot, brown, int(rng.integers(1, 4)))
    for k in range(4):
        y = top + k * pitch * 0.7
        end = place(left + 5.2 * pitch, y + rng.normal(0, 0.004))
        cv2.line(out, place(left - 0.03, y), end, brown, int(rng.integers(1, 4)))
    for _ in range(int(rng.integers(1, 8))):
        at = (left + pitch * (rng.integers(5) + 0.5), top + pitch * 0.7 * (rng.integers(4) + 0.5))
        _die_square(rng, out, at, pitch * 0.95, str(rng.choice([*INKS, "#"])), pips=True)
    for _ in range(int(rng.integers(0, 3))):
        a, b = rng.uniform([0.15, 0.35], [0.85, 0.62], (2, 2))
        cv2.arrowedLine(out, place(*a), place(*b), (255, 255, 255), int(rng.integers(2, 5)), cv2.LINE_AA)
    for x in (0.16, 0.84):
        cv2.circle(out, place(x, 0.6), round(0.12 * WIDTH), brown, int(rng.integers(1, 3)), cv2.LINE_AA)
    _lines(rng, out, rng.uniform(0.7, 0.78), ink)
    return card_parts.finished(rng, out)


def private(rng: np.random.Generator) -> Float:
    """Return a private objective: the frame of the public ones around a window of one color."""
    left, top, right, foot = 0.07, 0.045, 0.93, 0.952
    out, inner = card_parts.frame(rng, (left, top, right, foot))
    field = card_parts.paper(rng)
    base = np.array(INKS[str(rng.choice(list(INKS)))][int(rng.integers(4))], dtype=np.float64)
    inks = [tuple(np.clip(base * rng.uniform(0.5, 1.3), 0, 255).astype(int).tolist()) for _ in range(6)]
    band = 0.808 + rng.normal(0, 0.01)
    card_parts.glass(rng, field, (left, top, right, band), dice=False, inks=inks)
    if rng.random() < 0.6:
        card_parts.golden_die(rng, field, (0.5, rng.uniform(0.2, 0.5)), rng.uniform(0.1, 0.25))
    if rng.random() < 0.4:  # a large gray or colored die in the middle
        code = str(rng.choice([*INKS, "#"]))
        _die_square(rng, field, (0.5, rng.uniform(0.4, 0.6)), rng.uniform(0.2, 0.45), code, pips=True)
    card_parts.band(rng, field, (left, band, right, foot), "#")
    out[inner] = field[inner]
    if rng.random() < 0.85:
        card_parts.arch(rng, out, (left, top, right, rng.uniform(0.4, 0.52)))
    return card_parts.finished(rng, out)


def back(rng: np.random.Generator) -> Float:
    """Return the back of a card: a frame around gray ornaments or glass of few colors."""
    out, inner = card_parts.frame(rng, (0.07, 0.045, 0.93, 0.952))
    field = _ground(rng, np.full(3, rng.uniform(0.2, 0.8)) + rng.normal(0, 0.05, 3))
    tone = (float(rng.uniform(30, 230)),) * 3
    step = rng.uniform(0.06, 0.3)
    for x in np.arange(0, 1.4, step):
        middle = place(x, rng.choice([0.3, 0.5, 0.7]))
        cv2.circle(field, middle, round(WIDTH * step), tone, int(rng.integers(1, 4)), cv2.LINE_AA)
        for lean in (0.4, -0.4):
            near, far = place(x - lean, 0), place(x + lean, 1)
            cv2.line(field, near, far, tone, int(rng.integers(1, 4)), cv2.LINE_AA)
    out[inner] = field[inner]
    if rng.random() < 0.5:
        card_parts.arch(rng, out, (0.07, 0.045, 0.93, 0.45))
    return card_parts.finished(rng, out)


def pattern(rng: np.random.Generator) -> Float:
    """Return a pattern card, or a frame with art above its window: what is likest to an objective card."""
    out = _ground(rng, np.full(3, rng.uniform(0.05, 0.75)))
    if rng.random() < 0.7:
        card_parts.glass(rng, out, (0.1, rng.uniform(0.02, 0.2), 0.9, rng.uniform(0.3, 0.45)), dice=False)
    style = ShadeStyle(rng)
    top, foot = rng.uniform(0.1, 0.5), rng.uniform(0.86, 1.0)
    left, right = rng.uniform(0, 0.08), rng.uniform(0.92, 1.0)
    cv2.rectangle(out, place(left, top), place(right, foot), (20, 20, 20), -1)
    px, py = (right - left) / 5, (foot - top) / 4
    white = (float(rng.uniform(200, 250)),) * 3
    full, die = rng.uniform(0.25, 0.8), rng.random() * (rng.random() < 0.6)
    for row, column in np.ndindex(4, 5):
        x, y = left + column * px, top + row * py
        (x0, y0), (x1, y1) = place(x + 0.08 * px, y + 0.08 * py), place(x + 0.92 * px, y + 0.92 * py)
        spot = out[y0:y1, x0:x1]
        spot[:] = white
        if rng.random() < full:
            code = str(rng.choice(list("RYGBP123456")))
            spot[:] = style.tile(rng, int(code), (x1 - x0, y1 - y0)) if code.isdigit() else bgr(rng, code)
        if rng.random() < die:
            color = str(rng.choice(list(INKS)))
            _die_square(rng, out, (x + px / 2, y + py / 2), px * 0.75, color, pips=True)
    return card_parts.finished(rng, out)


def stained(rng: np.random.Generator) -> Float:
    """Return a card full of stained glass of any colors."""
    out = _ground(rng, np.full(3, 0.1))
    inks = [tuple(rng.integers(20, 250, 3).tolist()) for _ in range(9)] if rng.random() < 0.5 else list(GLASS)
    inset = rng.choice([0.0, rng.uniform(0, 0.1)])
    card_parts.glass(rng, out, (inset, inset, 1 - inset, 1 - inset), dice=rng.random() < 0.3, inks=inks)
    if rng.random() < 0.3:
        card_parts.arch(rng, out, (0.07, 0.045, 0.93, 0.45))
    return card_parts.finished(rng, out)


def plain(rng: np.random.Generator) -> Float:
    """Return a paper: blank, ruled, with a drawing of lines and squares, or with text."""
    out = _ground(rng, rng.uniform(0.3, 1, 3) if rng.random() < 0.5 else np.full(3, rng.uniform(0.7, 1)))
    ink = (float(rng.uniform(0, 90)),) * 3
    for _ in range(int(rng.integers(0, 5))):
        a, b = rng.random((2, 2))
        filled = rng.random() < 0.5
        color = tuple(rng.uniform(0, 255, 3).tolist())
        color, thick = (color, -1) if filled else (ink, 2)
        cv2.rectangle(out, place(*np.minimum(a, b)), place(*np.maximum(a, b)), color, thick)
    for _ in range(int(rng.integers(0, 4))):
        _die_square(rng, out, rng.random(2), rng.uniform(0.1, 0.3), str(rng.choice([*INKS, "#"])), pips=True)
    if rng.random() < 0.6:
        _lines(rng, out, rng.uniform(0.05, 0.8), ink)
    return card_parts.finished(rng, out)


def unknown(rng: np.random.Generator) -> Float:
    """Return a card like a public objective whose field shows something else, or nothing."""
    _, card = objectives.any_objective(rng)
    x0, x1 = round(0.06 * WIDTH), round(0.94 * WIDTH)
    y0, y1 = round(0.29 * HEIGHT), round(0.82 * HEIGHT)
    what = rng.random()
    fill = plain(rng) if what < 0.4 else private(rng) if what < 0.6 else pattern(rng)
    card[y0:y1, x0:x1] = cv2.resize(fill, (x1 - x0, y1 - y0), interpolation=cv2.INTER_AREA)
    return card


DRAWN = {
    "tool": tool,
    "private": private,
    "back": back,
    "pattern": pattern,
    "glass": stained,
    "plain": plain,
    "unknown": unknown,
}


def _ground(rng: np.random.Generator, base: NDArray[np.float64]) -> Picture:
    grain = textures.noise(rng, HEIGHT, WIDTH, rng.uniform(3, 40))
    ground = base.astype(np.float32) * (1 + np.float32(rng.uniform(0, 0.06)) * grain[..., None])
    return np.ascontiguousarray(np.clip(ground, 0, 1) * 255, dtype=np.uint8)


def _lines(rng: np.random.Generator, out: Picture, y: float, ink: tuple[float, float, float]) -> None:
    while y < 0.95:
        card_parts.write(rng, out, (rng.uniform(0.06, 0.2), y, 0.78), rng.uniform(0.38, 0.5), 1, ink)
        y += rng.uniform(0.045, 0.06)


def _die_square(
    rng: np.random.Generator,
    out: Picture,
    middle: tuple[float, float] | NDArray[np.float64],
    side: float,
    code: str,
    *,
    pips: bool,
) -> None:
    """Draw a rounded square in a die's color (``#``: gray), with the pips of a value or without, in place."""
    px = max(6, round(side * WIDTH))
    value = int(rng.integers(1, 7))
    ink = (float(rng.uniform(90, 230)),) * 3 if code == "#" else bgr(rng, code)
    tile = np.full((px, px, 3), ink, np.uint8)
    if pips:
        pip = (20,) * 3 if rng.random() < 0.5 else (245,) * 3
        for x, y in PIPS[value]:
            at = (round(px * (0.5 + 0.25 * x)), round(px * (0.5 + 0.25 * y)))
            cv2.circle(tile, at, max(1, px // 11), pip, -1, cv2.LINE_AA)
    cv2.rectangle(tile, (0, 0), (px - 1, px - 1), (15, 15, 15), int(rng.integers(1, 4)))
    x0, y0 = round(middle[0] * WIDTH - px / 2), round(middle[1] * HEIGHT - px / 2)
    spot = out[max(y0, 0) : max(y0 + px, 0), max(x0, 0) : max(x0 + px, 0)]
    spot[:] = tile[max(-y0, 0) :, max(-x0, 0) :][: spot.shape[0], : spot.shape[1]]
