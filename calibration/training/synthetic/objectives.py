"""Public objective cards of our own: the real ones' layout and diagrams, nothing of their artwork."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from calibration.training.synthetic import card_parts
from calibration.training.synthetic.card_parts import HEIGHT, WIDTH, Box, Float, Picture, bgr, black, place
from calibration.training.synthetic.dice import PIPS

#: Each card's points and the cells of its grid ("4 rows of 5") or the rows of its tiles.
GRIDS = {
    "Row Color Variety": ("6", "..... / RYGBP / ..... / ....."),
    "Column Color Variety": ("5", "..G.. / ..P.. / ..Y.. / ..B.."),
    "Row Shade Variety": ("5", "..... / ..... / 36124 / ....."),
    "Column Shade Variety": ("4", "..3.. / ..1.. / ..4.. / ..2.."),
    "Color Diagonals": ("#", "..... / .B..Y / B.BY. / ..YB."),
}
TILES = {
    "Light Shades": ("2", ("12",)),
    "Medium Shades": ("2", ("34",)),
    "Deep Shades": ("2", ("56",)),
    "Shade Variety": ("5", ("135", "24", "6")),
    "Color Variety": ("4", ("YBR", "GP")),
}
NAMES = (*GRIDS, *TILES)
#: Those that only a look at their pips tells apart.
SHADES = ("Light Shades", "Medium Shades", "Deep Shades")


def any_objective(rng: np.random.Generator) -> tuple[str, Float]:
    """Return the name of a public objective and a card of it."""
    name = NAMES[int(rng.integers(len(NAMES)))]
    return name, objective(rng, name)


def objective(rng: np.random.Generator, name: str) -> Float:
    """Return a public objective card of this name."""
    left, right = 0.07 + rng.normal(0, 0.012), 0.93 + rng.normal(0, 0.012)
    top, foot = 0.045 + rng.normal(0, 0.008), 0.952 + rng.normal(0, 0.008)
    sill, lintel = 0.305 + rng.normal(0, 0.014), 0.808 + rng.normal(0, 0.012)
    out, inner = card_parts.frame(rng, (left, top, right, foot))
    field = card_parts.paper(rng)
    card_parts.glass(rng, field, (left, top, right, sill), dice=rng.random() < 0.9)
    bar = max(1, round(WIDTH * rng.uniform(0.008, 0.024)))
    white = (left, sill, right, lintel)
    points, _ = (GRIDS | TILES)[name]
    if name in GRIDS:
        _grid(rng, field, white, GRIDS[name][1].split(" / "), bar)
    else:
        _tiles(rng, field, white, TILES[name][1])
    for y in (sill, lintel):
        cv2.line(field, place(left, y), place(right, y), black(rng), bar + 1)
    badge = points if rng.random() < 0.7 else str(rng.choice([*"23456#"]))
    card_parts.band(rng, field, (left, lintel, right, foot), badge)
    cv2.rectangle(field, place(left, top), place(right, foot), black(rng), max(1, bar // 2))
    out[inner] = field[inner]
    if rng.random() < 0.85:
        card_parts.arch(rng, out, (left, top, right, rng.uniform(0.4, 0.52)))
    return card_parts.finished(rng, out)


def _grid(rng: np.random.Generator, out: Picture, box: Box, cells: Sequence[str], bar: int) -> None:
    left, top, right, foot = box
    xs = np.linspace(left, right, 6)
    ys = np.linspace(top + 0.005, foot - 0.005, 5)
    inks = {code: bgr(rng, code) for code in "RYGBP"}
    style = ShadeStyle(rng)
    inset = rng.uniform(0, 0.006)
    for k, code in enumerate("".join(cells)):
        row, column = divmod(k, 5)
        x0, y0 = place(xs[column] + inset, ys[row] + inset)
        x1, y1 = place(xs[column + 1] - inset, ys[row + 1] - inset)
        if code != ".":
            tile = style.tile(rng, int(code), (x1 - x0, y1 - y0)) if code.isdigit() else inks[code]
            out[y0:y1, x0:x1] = tile
    lead = black(rng)
    for x in xs:
        cv2.line(out, place(x, top), place(x, foot), lead, bar)
    for y in ys:
        cv2.line(out, place(left, y), place(right, y), lead, bar)


def _tiles(rng: np.random.Generator, out: Picture, box: Box, rows: Sequence[str]) -> None:
    left, top, right, foot = box
    side = round(WIDTH * rng.uniform(0.145, 0.2))
    pair = len(rows[0]) == 2 and len(rows) == 1
    step_x = rng.uniform(0.155, 0.185) * 2 if pair else rng.uniform(0.155, 0.17)
    step_x = max(step_x, side / WIDTH * 0.52)
    step_y = max(rng.uniform(0.118, 0.14), side / HEIGHT * 1.03)
    middle = (top + foot) / 2 + rng.normal(0, 0.012)
    wide_rows = len(rows) > 1 and rng.random() < 0.7  # rows of a triangle lie half a step inside one another
    style = ShadeStyle(rng)
    edge = max(1, round(WIDTH * rng.uniform(0.005, 0.018)))
    lead = black(rng)
    for k, row in enumerate(rows):
        y = middle + (k - (len(rows) - 1) / 2) * step_y
        gap = step_x if len(rows) == 1 else (2 * step_x if wide_rows else 1.15 * step_x + 0.02)
        for j, code in enumerate(row):
            x = (left + right) / 2 + (j - (len(row) - 1) / 2) * gap
            x0, y0 = round(x * WIDTH - side / 2), round(y * HEIGHT - side / 2)
            fill = np.zeros((side, side, 3))
            fill[:] = style.tile(rng, int(code), (side, side)) if code.isdigit() else bgr(rng, code)
            rounded = np.zeros((side, side), np.uint8)
            r = round(side * rng.uniform(0.12, 0.26))
            cv2.rectangle(rounded, (r, 0), (side - 1 - r, side - 1), 1, -1)
            cv2.rectangle(rounded, (0, r), (side - 1, side - 1 - r), 1, -1)
            for cx in (r, side - 1 - r):
                for cy in (r, side - 1 - r):
                    cv2.circle(rounded, (cx, cy), r, 1, -1)
            core = cv2.erode(rounded, np.ones((2 * edge + 1, 2 * edge + 1), np.uint8), borderValue=0)
            spot = out[y0 : y0 + side, x0 : x0 + side]
            spot[rounded > 0] = lead
            spot[core > 0] = fill[core > 0]


class ShadeStyle:
    """How one card draws its values: tones of glass, how far apart, and which pips are dark."""

    def __init__(self, rng: np.random.Generator) -> None:
        light, dark = rng.uniform(0.8, 0.97), rng.uniform(0.13, 0.35)
        steps = np.array([0, 0.35, 0.55, 0.72, 0.82, 1.0]) if rng.random() < 0.85 else np.linspace(0, 1, 6)
        self.tones = light + (dark - light) * steps
        if rng.random() < 0.05:  # all alike
            self.tones = np.full(6, rng.uniform(0.3, 0.85))
        self.dark_to = int(rng.choice([2, 3, 3, 3, 4]))
        self.middling = rng.random() < 0.5  # 4 and 5 have gray pips
        self.shards = int(rng.integers(3, 12))
        self.lead = rng.uniform(0.015, 0.06)
        self.radius = rng.uniform(0.07, 0.105)
        self.spread = rng.uniform(0.17, 0.27)
        self.outlined = rng.random() < 0.6

    def tile(self, rng: np.random.Generator, value: int, side: tuple[int, int]) -> Picture:
        """Return the glass of a value with its pips, uint8 (height, width, 3) for side (width, height)."""
        tone = float(np.clip(self.tones[value - 1] + rng.normal(0, 0.02), 0.08, 1))
        middle = (0.0, 0.0) if value % 2 else PIPS[value][0]
        out = self._glass(rng, tone, side, middle)
        gray = (170, 215) if self.middling and value < 6 else (225, 255)
        pip = (rng.uniform(*((35, 75) if value <= self.dark_to else gray)),) * 3
        turn, across = rng.random() < 0.5, rng.random() < 0.5
        for px, py in PIPS[value]:
            x, y = (py, px) if turn else (px, py)
            x = -x if across and value in (2, 3) else x
            away = self.spread * np.array([x, y])
            at = ((np.array(side) / 2 + away * side) * 16).round().astype(int).tolist()
            radius = round(self.radius * min(side) * 16)
            if self.outlined:
                cv2.circle(out, at, radius + 12, (25, 25, 25), -1, cv2.LINE_AA, 4)
            cv2.circle(out, at, radius, pip, -1, cv2.LINE_AA, 4)
        return out

    def _glass(
        self, rng: np.random.Generator, tone: float, side: tuple[int, int], pip: tuple[float, float]
    ) -> Picture:
        """Return shards of gray glass about as light as ``tone``, lead between them, maybe out from a pip."""
        width, height = side
        # What lies nearest to a point is its shard (Voronoi); lead lies where two are about as near.
        points = rng.uniform(-0.1, 1.1, (self.shards + 1, 2)) * side
        if rng.random() < 0.6:
            turns = rng.uniform(0, 2 * np.pi, len(points))
            ring = rng.uniform(0.25, 0.6) * np.column_stack([np.cos(turns), np.sin(turns)])
            points = (0.5 + self.spread * np.array(pip) + ring) * side
        xy = np.indices((height, width))[::-1].transpose(1, 2, 0)
        away = np.linalg.norm(xy[:, :, None] - points, axis=-1)
        nearest = away.argsort(axis=-1)[..., :2]
        first, second = np.take_along_axis(away, nearest, axis=-1).transpose(2, 0, 1)
        apart = np.linalg.norm(points[nearest[..., 0]] - points[nearest[..., 1]], axis=-1)
        out = 255 * np.clip(tone + rng.uniform(-0.1, 0.1, len(points)), 0.04, 1)[nearest[..., 0]]
        out[second**2 - first**2 < self.lead * width * apart] = 25
        return np.repeat(out.astype(np.uint8)[..., None], 3, axis=-1)
