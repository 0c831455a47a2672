"""Shapes and colors for the picture of a window: points, polygons, arcs, mixed colors."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

Point = tuple[float, float]
Line = tuple[Point, Point]


def number(value: float) -> str:
    """Return a number as short as a drawing needs it.

    Examples
    --------
    >>> number(12.0), number(3.14159), number(-0.04)
    ('12', '3.1', '0')
    """
    text = f"{value:.1f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def pair(point: Point) -> str:
    """Return a point as it stands in a path."""
    return f"{number(point[0])} {number(point[1])}"


def polar(center: Point, radius: float, angle: float) -> Point:
    """Return the point at ``angle`` (degrees, clockwise from the top) and ``radius`` from ``center``."""
    turn = math.radians(angle)
    return center[0] + radius * math.sin(turn), center[1] - radius * math.cos(turn)


def polygon(points: Sequence[Point]) -> str:
    """Return the path of a closed polygon."""
    return "M" + "L".join(pair(point) for point in points) + "Z"


def circle(center: Point, radius: float) -> str:
    """Return the path of a circle."""
    x, y = center
    arc = f"A{number(radius)} {number(radius)} 0 1 1"
    return f"M{pair((x, y - radius))}{arc} {pair((x, y + radius))}{arc} {pair((x, y - radius))}Z"


def filled(path: str, fill: str) -> str:
    """Return a path filled with a color or a gradient."""
    return f'<path d="{path}" fill="{fill}"/>'


def outline(path: str, color: str, thickness: float, opacity: float = 1, *, more: str = "") -> str:
    """Return a path drawn as a line; ``more`` are further attributes."""
    see_through = f' stroke-opacity="{opacity:g}"' if opacity < 1 else ""
    return (
        f'<path d="{path}" fill="none" stroke="{color}" stroke-width="{number(thickness)}"{see_through}'
        f"{' ' if more else ''}{more}/>"
    )


def arc_to(point: Point, radius: float, *, clockwise: bool = True) -> str:
    """Return the part of a path that bends to ``point`` on a circle of ``radius``."""
    return f"A{number(radius)} {number(radius)} 0 0 {int(clockwise)} {pair(point)}"


def mix(first: str, second: str, share: float) -> str:
    """Return the color between two, ``share`` (0 to 1) of the way to the second.

    Examples
    --------
    >>> mix("#000000", "#ffffff", 0.5)
    '#808080'
    """
    part = min(1.0, max(0.0, share))
    one, two = bytes.fromhex(first[1:]), bytes.fromhex(second[1:])
    return "#" + bytes(round(a + (b - a) * part) for a, b in zip(one, two, strict=True)).hex()


def tone(shades: tuple[str, str, str], share: float) -> str:
    """Return the tone of a glass, from its light (0) over its middle (0.5) to its deep shade (1)."""
    light, mid, deep = shades
    return mix(light, mid, share * 2) if share < 0.5 else mix(mid, deep, share * 2 - 1)


def between(first: Point, second: Point, share: float) -> Point:
    """Return the point on the way from one to the other."""
    return first[0] + (second[0] - first[0]) * share, first[1] + (second[1] - first[1]) * share


def middle(points: Sequence[Point]) -> Point:
    """Return the mean of the points."""
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def cut(pieces: Iterable[Sequence[Point]], lines: Iterable[Line]) -> list[list[Point]]:
    """Cut convex polygons along straight lines, as a glazier does, and return all the pieces.

    Examples
    --------
    >>> square = [(0, 0), (2, 0), (2, 2), (0, 2)]
    >>> len(cut([square], [((1, 0), (1, 2)), ((0, 1), (2, 1))]))
    4
    """
    now = [list(piece) for piece in pieces]
    for line in lines:
        now = [half for piece in now for half in _halves(piece, line) if len(half) >= 3]
    return now


def _halves(piece: Sequence[Point], line: Line) -> tuple[list[Point], list[Point]]:
    (ax, ay), (bx, by) = line
    sides = [(bx - ax) * (y - ay) - (by - ay) * (x - ax) for x, y in piece]
    left: list[Point] = []
    right: list[Point] = []
    for index, (point, side) in enumerate(zip(piece, sides, strict=True)):
        if side >= 0:
            left.append(point)
        if side <= 0:
            right.append(point)
        following = sides[(index + 1) % len(piece)]
        if side * following < 0:
            crossing = between(point, piece[(index + 1) % len(piece)], side / (side - following))
            left.append(crossing)
            right.append(crossing)
    return left, right
