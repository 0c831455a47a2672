"""The plan of the picture: how large it is, where the opening and its panes are, which colors there are.

All lengths are in units of the drawing, which is 1080 wide and 1350 high.
"""

from __future__ import annotations

import hashlib
import math
import random

from scoring import Board, Cell, Color
from webapp.artwork.shapes import Point, arc_to, number, pair

WIDTH, HEIGHT = 1080, 1350

LEFT, RIGHT = 190.0, 890.0  # of the opening in the wall
TOP, SPRING, BOTTOM = 92.0, 540.0, 1108.0  # the point of the arch, where it begins, the sill
CENTER = (LEFT + RIGHT) / 2
BORDER = 20.0  # the strip of small glass around the panes
PANE = (RIGHT - LEFT - 2 * BORDER) / 5
PANES_TOP = BOTTOM - BORDER - 4 * PANE
TRANSOM = SPRING  # the stone beam between the head and the panes
ROSE: Point = (CENTER, 344.0)
ROSE_RADIUS = 176.0
INNER = ROSE_RADIUS - 15  # the glass of the rose within its ring of stone
HEART = 50.0

LEAD = "#0d0c11"
GLASS = {
    # light, middle and deep: the dyes of the dice with the sun behind them
    Color.RED: ("#ff7048", "#db221f", "#6f0815"),
    Color.YELLOW: ("#ffe985", "#f8b51b", "#ad5f06"),
    Color.GREEN: ("#5fe39a", "#0f9a52", "#044330"),
    Color.BLUE: ("#6ccbff", "#1878d6", "#08307c"),
    Color.PURPLE: ("#d388f6", "#8430b6", "#360c60"),
}
CLEAR = ("#c9dbe0", "#8fa9b6", "#4c6475")
AMBER = ("#ffe9b0", "#e2ab4e", "#8f5a1c")
SHADES = {color.value: glass for color, glass in GLASS.items()} | {"amber": AMBER, "clear": CLEAR}
"""Light, middle and deep of each glass by its name: a color's letter, amber or clear."""


def arch(inset: float = 0.0) -> str:
    """Return the path of the opening, made larger (below zero) or smaller by ``inset`` on all sides."""
    left, right, bottom = LEFT + inset, RIGHT - inset, BOTTOM - max(0.0, inset)
    radius = arch_radius() - inset
    # The centers of the two arcs stay where they are, so that all outlines run side by side.
    rise = math.sqrt(radius**2 - (LEFT + arch_radius() - CENTER) ** 2)
    top = (CENTER, SPRING - rise)
    return (
        f"M{pair((left, bottom))}V{number(SPRING)}{arc_to(top, radius)}"
        f"{arc_to((right, SPRING), radius)}V{number(bottom)}Z"
    )


def arch_radius() -> float:
    """Return the radius of the two arcs that meet at the top."""
    half, rise = (RIGHT - LEFT) / 2, SPRING - TOP
    return (rise**2 + half**2) / (2 * half)


def corners(cell: Cell) -> list[Point]:
    """Return the corners of a pane: top left, top right, bottom right, bottom left."""
    row, column = cell
    x, y = LEFT + BORDER + column * PANE, PANES_TOP + row * PANE
    return [(x, y), (x + PANE, y), (x + PANE, y + PANE), (x, y + PANE)]


def from_left(board: Board) -> bool:
    """Tell from which side the sun comes."""
    return hand(str(board), "sun").random() < 0.5


def sunlit(point: Point, *, left: bool) -> float:
    """Return how much sun (0 to 1) falls through the glass at ``point``: most in two shafts."""
    side = 1 if left else -1
    across = (point[0] - CENTER) * side
    down = point[1] - TOP
    near = 1 - min(1.0, math.hypot(across + 300, down * 0.75) / 860)
    slant = across - down * 0.42
    shafts = math.exp(-(((slant + 300) / 95) ** 2)) + 0.75 * math.exp(-(((slant + 40) / 60) ** 2))
    return min(1.0, 0.62 * near + 0.5 * shafts)


def hand(*seed: str) -> random.Random:
    """Return the unsteady hand of the glazier: always the same for the same seed."""
    return random.Random(hashlib.sha256("|".join(seed).encode()).digest())  # noqa: S311  for a drawing
