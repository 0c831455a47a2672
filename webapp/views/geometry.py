"""Where the cells of the window lie in the photo, for drawing over it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from scoring import ALL_CELLS, COLUMNS, ROWS

Point = tuple[float, float]


def grid_points(corners: Sequence[Sequence[float]]) -> list[list[Point]]:
    """Return the 5 x 6 crossing points of the grid lines, in pixels of the upright photo.

    ``corners`` are the lattice corners in board order (top left, top right, bottom right, bottom
    left). The projective map from the unit square to a quadrilateral has a closed form (Heckbert,
    "Fundamentals of Texture Mapping and Image Warping", 1989, section 2.2.3).
    """
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = ((float(x), float(y)) for x, y in corners)
    dx1, dx2, dx3 = x1 - x2, x3 - x2, x0 - x1 + x2 - x3
    dy1, dy2, dy3 = y1 - y2, y3 - y2, y0 - y1 + y2 - y3
    area = dx1 * dy2 - dx2 * dy1
    g = (dx3 * dy2 - dx2 * dy3) / area if area else 0.0
    h = (dx1 * dy3 - dx3 * dy1) / area if area else 0.0
    a, b = x1 - x0 + g * x1, x3 - x0 + h * x3
    d, e = y1 - y0 + g * y1, y3 - y0 + h * y3

    def at(u: float, v: float) -> Point:
        w = g * u + h * v + 1
        return (a * u + b * v + x0) / w, (d * u + e * v + y0) / w

    return [[at(c / COLUMNS, r / ROWS) for c in range(COLUMNS + 1)] for r in range(ROWS + 1)]


def cell_outlines(corners: Sequence[Sequence[float]], inset: float = 0.08) -> list[list[Point]]:
    """Return the four outline points of each of the 20 cells, row by row, drawn in by ``inset``."""
    grid = grid_points(corners)
    outlines = []
    for row, column in ALL_CELLS:
        quad = [grid[row + down][column + right] for down, right in ((0, 0), (0, 1), (1, 1), (1, 0))]
        cx, cy = sum(x for x, _ in quad) / 4, sum(y for _, y in quad) / 4
        keep = 1 - 2 * inset
        outlines.append([(cx + (x - cx) * keep, cy + (y - cy) * keep) for x, y in quad])
    return outlines


@dataclass(frozen=True)
class View:
    """How much of a photo is shown, and which way up.

    ``angle`` is a multiple of 90 degrees, clockwise; ``turn`` the SVG transform that does it about
    the middle of the photo; ``crop`` the part to show after that, as an SVG view box.
    """

    angle: int
    turn: str
    crop: str


def view(size: tuple[int, int], corners: Sequence[Sequence[float]] | None, margin: float = 0.75) -> View:
    """Return the view that shows the window upright and large, with ``margin`` cells around it.

    Without ``corners`` the whole photo is shown as it is.
    """
    width, height = size
    if corners is None:
        return View(0, "", f"0 0 {width} {height}")
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = corners
    # The direction in which the rows run, at the top and at the bottom edge together.
    tilt = math.degrees(math.atan2(y1 - y0 + y2 - y3, x1 - x0 + x2 - x3))
    angle = -90 * round(tilt / 90) % 360
    cos, sin = ((1, 0), (0, 1), (-1, 0), (0, -1))[angle // 90]
    cx, cy = width / 2, height / 2
    turned = [
        (cx + cos * (x - cx) - sin * (y - cy), cy + sin * (x - cx) + cos * (y - cy)) for x, y in corners
    ]
    half_w, half_h = (cx, cy) if angle % 180 == 0 else (cy, cx)
    xs, ys = [x for x, _ in turned], [y for _, y in turned]
    space = margin * max((max(xs) - min(xs)) / COLUMNS, (max(ys) - min(ys)) / ROWS)
    left, right = max(cx - half_w, min(xs) - space), min(cx + half_w, max(xs) + space)
    top, bottom = max(cy - half_h, min(ys) - space), min(cy + half_h, max(ys) + space)
    crop = f"{left:.1f} {top:.1f} {max(1.0, right - left):.1f} {max(1.0, bottom - top):.1f}"
    return View(angle, f"rotate({angle} {cx} {cy})", crop)


CLOSE_UP = 1.5
"""How much a close-up shows, in widths of the outline: the space, and a die that leans over its edge."""


def close_up(outline: Sequence[Point], angle: int) -> View:
    """Return the view that shows one space of the photo, turned by ``angle`` degrees as the window is.

    ``outline`` are the four outline points of the space in pixels of the upright photo.
    """
    cx, cy = sum(x for x, _ in outline) / 4, sum(y for _, y in outline) / 4
    sides = [math.dist(outline[k], outline[(k + 1) % 4]) for k in range(4)]
    half = max(1.0, CLOSE_UP * max(sides) / 2)
    crop = f"{cx - half:.1f} {cy - half:.1f} {2 * half:.1f} {2 * half:.1f}"
    return View(angle, f"rotate({angle} {cx:.1f} {cy:.1f})", crop)
