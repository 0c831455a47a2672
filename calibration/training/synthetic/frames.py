"""Window frames seen from above, float32 BGR in [0, 1] at ``SCALE`` pixels a pitch."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.training.synthetic.dice import PIPS, bgr_of
from calibration.training.synthetic.textures import SCALE, name_line, noise

Float = NDArray[np.float32]


def glass(rng: np.random.Generator, height: int, width: int, pieces: int) -> Float:
    """Return stained glass: Voronoi pieces with dark leads."""
    points = rng.uniform(0, 1, (pieces, 2)) * [width, height]
    hue = rng.uniform(0, 360)
    spread = rng.choice([25, 60, 180])
    hues = (hue + rng.uniform(-spread, spread, pieces)) % 360
    colors = bgr_of(np.stack([hues, rng.uniform(0.3, 1, pieces), rng.uniform(0.2, 1, pieces)], -1))
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
    hue = (rng.choice(hues, count) + rng.normal(0, 8, count)) % 360
    hsv = np.stack([hue, rng.uniform(0.4, 1, count), rng.uniform(0.15, 1, count)], -1).astype(np.float32)
    pale = rng.random(count) < rng.uniform(0, 0.3)
    hsv[pale, 1], hsv[pale, 2] = hsv[pale, 1] * 0.4, 0.9
    out = bgr_of(hsv)[nearest]
    leads = np.zeros((height, width), np.uint8)
    leads[:, 1:] |= nearest[:, 1:] != nearest[:, :-1]
    leads[1:] |= nearest[1:] != nearest[:-1]
    if rng.random() < 0.7:
        leads = cv2.dilate(leads, np.ones((2, 2), np.uint8)).astype(np.uint8)
    out[leads > 0] *= rng.uniform(0.05, 0.4)
    return out


def frame(rng: np.random.Generator, *, rose: bool = False) -> tuple[Float, Float, tuple[float, float]]:
    """Return a window frame from above, its alpha, and where in it board point (0, 0) is, in pitches."""
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
            inset, ink = int((0.04 + 0.08 * k) * SCALE), (stone * rng.uniform(0.5, 1.4)).tolist()
            cv2.rectangle(out, (inset, inset), (w - inset, h - inset), ink, 2)
    _art(rng, out, int(above * SCALE), w, rose=rose)
    oy, ox = int(above * SCALE), int(left * SCALE)
    pad = int(rng.uniform(0.0, 0.12) * SCALE)
    grid_tone = rng.uniform(0.02, 0.3) if rng.random() < 0.85 else tone * 0.8
    area = (slice(max(oy - pad, 0), oy + 4 * SCALE + pad), slice(max(ox - pad, 0), ox + 5 * SCALE + pad))
    out[area] = grid_tone * np.clip(1 + rng.normal(0, 0.05, 3), 0.5, 1.5)
    if rng.random() < 0.4:
        near, far = (area[1].start, area[0].start), (area[1].stop, area[0].stop)
        cv2.rectangle(out, near, far, (stone * 1.3).clip(0, 1).tolist(), 2)
    if below > 0.45:  # the card's name and its difficulty show below the grid
        y0 = oy + int((4 + rng.uniform(0.1, 0.2)) * SCALE)
        y1 = min(y0 + int(0.4 * SCALE), h - 4)
        if rng.random() < 0.7:
            cv2.rectangle(out, (ox, y0), (ox + 5 * SCALE, y1), (0.1, 0.1, 0.1), -1)
        name_line(rng, out, (ox, y0), (ox + 5 * SCALE, y1))
    alpha = np.ones((h, w), np.float32)
    hole = rng.uniform(0.68, 0.86) if rng.random() < 0.5 else rng.uniform(0.7, 0.76)
    radius = rng.uniform(0, 0.05)
    cut = radius * SCALE
    for r, c in np.ndindex(4, 5):
        hx, hy = ox + (c + 0.5 - hole / 2) * SCALE, oy + (r + 0.5 - hole / 2) * SCALE
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
            across, up = np.abs(x - half) + width * 0.5, (rise - y) * width / rise * 0.87
            outside = (y < rise) & (across**2 + up**2 > width**2)
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
            middle = (side + radius * (2 * k + 1), max(above - radius, 0))
            cv2.circle(mask, middle, radius, 255, -1)
            if rng.random() < 0.5:
                cv2.circle(mask, middle, int(radius * 0.7), 0, 2)
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
    """Draw a rose window of glass, whose round panes look like dice, about a ``center`` (x, y), in place."""
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
