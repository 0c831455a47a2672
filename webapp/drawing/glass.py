"""A window as stained glass: panes and dice, the rose above them, the wall, and the light that falls through.

All lengths are in units of the drawing, which is 1080 wide and 1350 high. The picture needs nothing else: no
file, no script, no style sheet; text is set in the fonts of whoever looks at it.
"""

from __future__ import annotations

import hashlib
import html
import math
import random
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from scoring import ALL_CELLS, COLUMNS, ROWS, Board, Cell, Color, Die, Restriction, WindowPattern
from scoring.sentences import minus

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
        left += [point] * (side >= 0)
        right += [point] * (side <= 0)
        following = sides[(index + 1) % len(piece)]
        if side * following < 0:
            crossing = between(point, piece[(index + 1) % len(piece)], side / (side - following))
            left.append(crossing)
            right.append(crossing)
    return left, right


WIDTH, HEIGHT = 1080, 1350

LEFT, RIGHT = 190.0, 890.0  # of the opening in the wall
TOP, SPRING, BOTTOM = 92.0, 540.0, 1108.0  # the point of the arch, where it begins, the sill
CENTER = (LEFT + RIGHT) / 2
# Of the two arcs that meet at the top.
ARCH_RADIUS = ((SPRING - TOP) ** 2 + ((RIGHT - LEFT) / 2) ** 2) / (2 * ((RIGHT - LEFT) / 2))
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
    radius = ARCH_RADIUS - inset
    # The centers of the two arcs stay where they are, so that all outlines run side by side.
    rise = math.sqrt(radius**2 - (LEFT + ARCH_RADIUS - CENTER) ** 2)
    top = (CENTER, SPRING - rise)
    return (
        f"M{pair((left, bottom))}V{number(SPRING)}{arc_to(top, radius)}"
        f"{arc_to((right, SPRING), radius)}V{number(bottom)}Z"
    )


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


FOLDS = {3: 6, 4: 8, 5: 10, 6: 12}
"""How many petals the rose has, by the card's difficulty."""
ROUNDELS: tuple[Point, Point] = ((CENTER - 262, 474.0), (CENTER + 262, 474.0))
ROUNDEL_RADIUS = 50.0
SMOOTH = 'stroke-linejoin="round"'


def glasses(board: Board) -> Names:
    """Return the names of the three glasses of the head: the commonest colors of the board first."""
    counted = Counter(die.color for _, die in board.dice())
    lot = hand(str(board), "lot").sample(list(Color), 5)  # decides between colors that are as common
    common = sorted(counted, key=lambda color: (-counted[color], lot.index(color)))
    first, second, third = ([color.value for color in common] + ["amber", "clear", "amber"])[:3]
    return first, second, third


def ground_of(names: Names) -> str:
    """Return the name of the glass around the rose: a quiet one, before which rose and panes shine."""
    return next(name for name in reversed(names) if name not in {Color.YELLOW.value, "amber"})


def head(board: Board, pattern: WindowPattern | None) -> str:
    """Return the glass and the stone bars of the head, to be clipped by the opening."""
    names = glasses(board)
    return (
        _ground(board, names)
        + _rose(board, pattern, names)
        + "".join(_roundel(center, names) for center in ROUNDELS)
    )


def _ground(board: Board, names: Names) -> str:
    """Return the glass around the rose: wedges in deep shades, led by rays from its center."""
    glazier = hand(str(board), "ground")
    chosen = ground_of(names)
    _, mid, deep = SHADES[chosen]
    other = SHADES[names[0] if chosen != names[0] else names[1]]
    left = from_left(board)
    drawn, leads, angle = [], [], -180.0
    while angle < 180:
        step = min(glazier.uniform(7, 12), 180 - angle)
        base = deep if glazier.random() < 0.76 else other[2]
        light = mid if base == deep else other[1]
        split = ROSE_RADIUS + glazier.uniform(44, 92)
        for near, far in ((ROSE_RADIUS - 8, split), (split, 420.0)):
            sides = ((near, angle), (far, angle), (far, angle + step), (near, angle + step))
            wedge = [polar(ROSE, *place) for place in sides]
            sun = sunlit(middle(wedge[:2] if far == split else wedge[:1] + wedge[3:]), left=left)
            drawn.append(filled(polygon(wedge), mix(base, light, glazier.uniform(-0.05, 0.3) + 0.55 * sun)))
            leads.append(polygon(wedge))
        angle += step
    return "".join(drawn) + outline("".join(leads), LEAD, 3)


def _rose(board: Board, pattern: WindowPattern | None, names: Names) -> str:
    """Return the rose that belongs to the card; without a card the dice choose one."""
    chosen = hand("glazier", pattern.name, str(pattern)) if pattern else hand(str(board), "rose")
    folds = FOLDS.get((pattern.difficulty if pattern else None) or 4, 8)
    pieces, bars = chosen.choice(KINDS)(folds, names)
    return (
        filled(circle(ROSE, INNER), LEAD)
        + "".join(filled(path, f"url(#rose-{name})") for path, name in pieces)
        + outline("".join(path for path, _ in pieces), LEAD, 4, more=SMOOTH)
        + _heart(folds, names)
        + stone(bars, 7)
        + stone(circle(ROSE, INNER + 6), 13)
    )


def _heart(folds: int, names: Names) -> str:
    """Return the middle of the rose: a small flower of amber glass."""
    light, _, deep = AMBER
    petals = "".join(petal(9, HEART - 4, 360 / folds * turn, 180 / folds) for turn in range(folds))
    return (
        filled(circle(ROSE, HEART), mix(SHADES[names[0]][2], LEAD, 0.1))
        + filled(petals, "url(#heart)")
        + outline(petals, LEAD, 2.4)
        + filled(circle(ROSE, 13), light)
        + outline(circle(ROSE, 13), LEAD, 4)
        + outline(circle(ROSE, HEART), mix(deep, LEAD, 0.75), 3)
        + stone(circle(ROSE, HEART + 2), 7)
    )


def _roundel(center: Point, names: Names) -> str:
    """Return a small round window with four foils."""
    radius = ROUNDEL_RADIUS
    foils = "".join(circle(polar(center, 0.43 * radius, 90 * turn), 0.4 * radius) for turn in range(4))
    light, mid, deep = SHADES[names[2]]
    return (
        filled(circle(center, radius), mix(deep, mid, 0.2))
        + filled(foils, mix(mid, light, 0.25))
        + outline(foils, LEAD, 3.4)
        + filled(circle(center, 0.24 * radius), SHADES[names[1]][0])
        + outline(circle(center, 0.24 * radius), LEAD, 4)
        + stone(circle(center, radius), 9)
    )


def stone(path: str, thickness: float) -> str:
    """Return a bar of stone along a path: its dark body, its face, and the edge that catches light."""
    return (
        outline(path, LEAD, thickness + 4, more=SMOOTH)
        + outline(path, "#5b5048", thickness, more=SMOOTH)
        + outline(path, "#94836f", thickness * 0.55, more=SMOOTH)
        + outline(path, "#c9b799", thickness * 0.18, more=SMOOTH)
    )


Piece = tuple[str, str]
"""A path and the name of its glass."""
Names = tuple[str, str, str]
"""The names of the three glasses to draw with."""
Drawn = tuple[list[Piece], str]
"""The pieces, the later over the earlier, and the path of the bars."""


def petal(near: float, far: float, angle: float, half: float) -> str:
    """Return the path of a petal with a round end, ``half`` degrees to each side of ``angle``."""
    share = math.sin(math.radians(half * 0.97))
    out = far / (1 + share)  # the middle of the round end, which touches ``far``
    radius = out * share
    turn = math.degrees(math.atan2(radius, out))
    side = math.hypot(out, radius)
    left, right = polar(ROSE, side, angle - turn), polar(ROSE, side, angle + turn)
    return f"M{pair(polar(ROSE, near, angle))}L{pair(left)}{arc_to(right, radius)}Z"


def _ring(count: int, name: str) -> list[Piece]:
    """Return the pieces of a ring of glass around the heart."""
    pieces = []
    for turn in range(count):
        start, end = 360 / count * turn, 360 / count * (turn + 1)
        side = f"M{pair(polar(ROSE, HEART, start))}L{pair(polar(ROSE, INNER, start))}"
        rim = f"{arc_to(polar(ROSE, INNER, end), INNER)}L{pair(polar(ROSE, HEART, end))}"
        heart = arc_to(polar(ROSE, HEART, start), HEART, clockwise=False)
        pieces.append((f"{side}{rim}{heart}Z", name))
    return pieces


def _of(name: str, paths: Iterable[str]) -> list[Piece]:
    return [(path, name) for path in paths]


def _petals(folds: int, names: Names) -> Drawn:
    """Draw round petals, with a small jewel between the ends of two."""
    first, second, third = names
    step = 360 / folds
    petals = [petal(HEART + 2, INNER - 3, step * turn, step / 2) for turn in range(folds)]
    inner = [petal(HEART + 14, INNER - 30, step * turn, step / 3.2) for turn in range(folds)]
    return [*_ring(folds, third), *_of(first, petals), *_of(second, inner)], "".join(petals)


def _wheel(folds: int, names: Names) -> Drawn:
    """Draw spokes with pointed lights between them, and a ring of roundels."""
    first, second, third = names
    step = 360 / folds
    small = min(29.0, 0.92 * 140 * math.pi / folds)
    at = INNER - small - 3
    lights, wide = [], step * 0.35
    for turn in range(folds):
        angle, reach = step * turn, at - small * 0.72
        foot_left, foot_right = polar(ROSE, HEART + 2, angle - wide), polar(ROSE, HEART + 2, angle + wide)
        left, right = polar(ROSE, reach - 22, angle - wide), polar(ROSE, reach - 22, angle + wide)
        tip = polar(ROSE, reach, angle)
        lights.append(
            f"M{pair(foot_left)}L{pair(left)}{arc_to(tip, 60)}{arc_to(right, 60)}L{pair(foot_right)}Z"
        )
    rounds, eyes = (
        [circle(polar(ROSE, at, step * (turn + 0.5)), size) for turn in range(folds)]
        for size in (small, small * 0.5)
    )
    pieces = [*_ring(folds, second), *_of(first, lights), *_of(third, rounds), *_of("amber", eyes)]
    return pieces, "".join(rounds)


def _star(folds: int, names: Names) -> Drawn:
    """Draw a star of kites."""
    first, second, third = names
    step = 360 / folds
    waist = 0.5 * (HEART + INNER)
    pieces: list[Piece] = []
    bars = []
    for angle in (step * turn for turn in range(folds)):
        left, right = polar(ROSE, waist, angle - step / 2), polar(ROSE, waist, angle + step / 2)
        tip, root = polar(ROSE, INNER - 1, angle), polar(ROSE, HEART, angle)
        beyond = arc_to(polar(ROSE, INNER - 1, angle + step), INNER - 1)
        pieces += [
            (polygon([root, left, tip]), first),
            (polygon([root, tip, right]), second),
            (polygon([root, right, polar(ROSE, HEART, angle + step)]), third),
            (f"M{pair(right)}L{pair(tip)}{beyond}Z", third),
        ]
        bars.append(polygon([root, left, tip, right]))
    return pieces, "".join(bars)


def _swirl(folds: int, names: Names) -> Drawn:
    """Draw flames that turn around the heart."""
    step = 360 / folds
    pieces: list[Piece] = []
    bars = []
    for turn in range(folds):
        start, end = step * turn, step * (turn + 1)
        edge = f"M{pair(polar(ROSE, HEART, start))}{arc_to(polar(ROSE, INNER, start + 44), 130)}"
        back = arc_to(polar(ROSE, HEART, end), 130, clockwise=False)
        flame = f"{edge}{arc_to(polar(ROSE, INNER, end + 44), INNER)}{back}Z"
        half = start + step * 0.52
        tongue = f"M{pair(polar(ROSE, HEART, half))}{arc_to(polar(ROSE, INNER, half + 44), 130)}"
        pieces.append((flame, names[0]))
        pieces.append((f"{tongue}{arc_to(polar(ROSE, INNER, end + 44), INNER)}{back}Z", names[1 + turn % 2]))
        bars.append(edge)
    return pieces, "".join(bars)


def _foils(folds: int, names: Names) -> Drawn:
    """Draw large round foils, each with a flower's eye."""
    first, second, third = names
    lobes = folds // 2 + 2
    step = 360 / lobes
    share = math.sin(math.pi / lobes)  # so that each foil touches its neighbors
    seat = INNER / (1 + share)
    size = seat * share - 1
    rounds, middles, eyes = (
        [circle(polar(ROSE, seat, step * turn), size * part) for turn in range(lobes)]
        for part in (1, 0.62, 0.24)
    )
    pieces = [*_ring(lobes, third), *_of(first, rounds), *_of(second, middles), *_of("amber", eyes)]
    return pieces, "".join(rounds)


KINDS: tuple[Callable[[int, Names], Drawn], ...] = (_petals, _wheel, _star, _swirl, _foils)
_L, _M, _H = 28, 50, 72
PIPS = {
    1: [(_M, _M)],
    2: [(_H, _L), (_L, _H)],
    3: [(_H, _L), (_M, _M), (_L, _H)],
    4: [(_L, _L), (_H, _L), (_L, _H), (_H, _H)],
    5: [(_L, _L), (_H, _L), (_M, _M), (_L, _H), (_H, _H)],
    6: [(_L, 25), (_H, 25), (_L, _M), (_H, _M), (_L, 75), (_H, 75)],
}
"""Centers of the pips of each value on a face of 100 x 100."""
CUTS: dict[Color, list[Line]] = {
    # The cuts differ from color to color, as on the page, so that color is never the only carrier.
    Color.RED: [((0.0, 0.62), (0.62, 0.0)), ((0.38, 1.0), (1.0, 0.38))],
    Color.YELLOW: [((0.5, 0), (0, 0.5)), ((0, 0.5), (0.5, 1)), ((0.5, 1), (1, 0.5)), ((1, 0.5), (0.5, 0))],
    Color.GREEN: [((0, 0.36), (1, 0.36)), ((0, 0.64), (1, 0.64))],
    Color.BLUE: [((0.36, 0), (0.36, 1)), ((0.64, 0), (0.64, 1))],
    Color.PURPLE: [((0, 0), (1, 1)), ((1, 0), (0, 1))],
}
QUARRIES: list[Line] = [
    ((0.0, 0.5), (0.5, 0.0)),
    ((0.0, 1.0), (1.0, 0.0)),
    ((0.5, 1.0), (1.0, 0.5)),
    ((0.0, 0.5), (0.5, 1.0)),
    ((0.0, 0.0), (1.0, 1.0)),
    ((0.5, 0.0), (1.0, 0.5)),
]
"""The cuts of clear glass: small squares that stand on their corner."""
UNSTEADY = 0.035  # how far a cut strays from where it is meant, in panes
PIP_RADIUS = 0.082 * PANE
JEWEL, PAINTED = 0.48, 0.54  # how wide a printed color and a printed value are, in panes


def panes(board: Board, pattern: WindowPattern | None) -> str:
    """Return the twenty panes, without the leads between them and without pips."""
    drawn, left = [], from_left(board)
    for cell in ALL_CELLS:
        die, glazier = board[cell], hand(str(board), str(cell))
        if die is not None:
            drawn.append(_colored(cell, die, glazier, left=left))
        else:
            drawn += [_clear(cell, glazier, left=left), _printed(cell, pattern[cell] if pattern else None)]
    return "".join(drawn)


def pips(board: Board) -> str:
    """Return the pips of all dice: roundels of bright glass, each in a ring of lead."""
    return "".join(
        f'<circle class="pip" cx="{number(x)}" cy="{number(y)}" r="{number(PIP_RADIUS)}"'
        f' fill="url(#pip-{die.color.value})" stroke="{LEAD}" stroke-width="4.6"/>'
        for cell, die in board.dice()
        for x, y in _spots(cell, die.value, 1.0)
    )


def leads() -> str:
    """Return the leads between the panes, with the light on their round backs."""
    (left, top), (right, bottom) = corners(ALL_CELLS[0])[0], corners(ALL_CELLS[-1])[2]
    across = "".join(f"M{pair((left, top + row * PANE))}H{number(right)}" for row in range(ROWS + 1))
    down = "".join(f"M{pair((left + column * PANE, top))}V{number(bottom)}" for column in range(COLUMNS + 1))
    ends = 'stroke-linecap="square"'
    backs = ((LEAD, 11), ("#2f2c33", 6), ("#6c6870", 1.6))
    return "".join(outline(across + down, color, thickness, more=ends) for color, thickness in backs)


def _colored(cell: Cell, die: Die, glazier: random.Random, *, left: bool) -> str:
    """Return the glass of a die. A low value is a light shade, a high one a deep shade."""
    quad = corners(cell)
    bands = cut([quad], _astray(CUTS[die.color], quad, glazier))
    drawn = []
    for band in bands:
        shade = 0.30 + 0.07 * die.value + glazier.uniform(-0.1, 0.1)
        for facet in cut([band], [_across(band, glazier), _across(band, glazier)]):
            share = shade + glazier.uniform(-0.1, 0.1) - 0.42 * sunlit(middle(facet), left=left)
            drawn.append(filled(polygon(facet), tone(GLASS[die.color], share)))
    drawn.append(filled(polygon(quad), f"url(#glow-{die.color.value})"))
    drawn.append(outline("".join(map(polygon, bands)), mix(GLASS[die.color][2], LEAD, 0.72), 3.4))
    return "".join(drawn)


def _clear(cell: Cell, glazier: random.Random, *, left: bool) -> str:
    """Return clear glass in small squares."""
    quad = corners(cell)
    pieces = cut([quad], _astray(QUARRIES, quad, glazier, 0.0))
    drawn = []
    for piece in pieces:
        share = glazier.uniform(0.4, 0.95) - 0.5 * sunlit(middle(piece), left=left)
        drawn.append(filled(polygon(piece), tone(CLEAR, share)))
    return "".join(drawn) + outline("".join(map(polygon, pieces)), "#26303a", 2.2, 0.8)


def _printed(cell: Cell, restriction: Restriction) -> str:
    """Return what the card prints on an empty space: a jewel of its color, or its value painted small."""
    if restriction is None:
        return ""
    if isinstance(restriction, Color):
        light, mid, deep = GLASS[restriction]
        quad = _small(cell, JEWEL)
        bands = cut([quad], _astray(CUTS[restriction], quad, hand("jewel"), 0.0))
        glass = "".join(
            filled(polygon(band), mix(light, mid, 0.4 + 0.6 * index / len(bands)))
            for index, band in enumerate(bands)
        )
        cuts = outline("".join(map(polygon, bands)), mix(deep, LEAD, 0.4), 2)
        return glass + cuts + outline(polygon(quad), LEAD, 5)
    quad = _small(cell, PAINTED)
    return (
        filled(polygon(quad), "#b7c9cf")
        + outline(polygon(quad), LEAD, 4)
        + "".join(
            f'<circle class="printed" cx="{number(x)}" cy="{number(y)}" r="5" fill="#26333c"/>'
            for x, y in _spots(cell, restriction, PAINTED)
        )
    )


def _small(cell: Cell, size: float) -> list[Point]:
    """Return the corners of a square of ``size`` panes in the middle of a pane."""
    center = middle(corners(cell))
    return [between(center, corner, size) for corner in corners(cell)]


def _spots(cell: Cell, value: int, size: float) -> Iterator[Point]:
    """Yield the centers of the pips of a value in a pane, on a face of ``size`` panes."""
    x, y = middle(corners(cell))
    for across, down in PIPS[value]:
        yield x + (across - 50) / 100 * size * PANE, y + (down - 50) / 100 * size * PANE


def _astray(
    lines: list[Line], quad: list[Point], glazier: random.Random, most: float = UNSTEADY
) -> list[Line]:
    """Return the cuts laid over a pane, each a little off."""

    def at(point: Point) -> Point:
        across = point[0] + glazier.uniform(-most, most)
        down = point[1] + glazier.uniform(-most, most)
        return between(between(quad[0], quad[1], across), between(quad[3], quad[2], across), down)

    return [(at(first), at(second)) for first, second in lines]


def _across(piece: list[Point], glazier: random.Random) -> Line:
    """Return a cut across a piece of glass, at some angle."""
    x, y = middle(piece)
    across, down = glazier.uniform(-1, 1), glazier.uniform(-1, 1)
    return (x - across, y - down), (x + across, y + down)


NIGHT, SUN, PIP = "#0a0618", "#fff6d8", "#fffdf2"

Stop = tuple[float, str, float]
"""Where along a gradient, which color, how opaque."""


def definitions(*, from_left: bool) -> str:
    """Return the gradients and clips that the drawing refers to."""
    parts = [_clips()]
    for color, (light, mid, deep) in GLASS.items():
        pip: list[Stop] = [(0, PIP, 1), (0.55, mix(PIP, light, 0.3), 1), (1, mix(light, mid, 0.1), 1)]
        glow: list[Stop] = [(0, light, 0.4), (0.5, light, 0.06), (1, deep, 0.55)]
        at = ".38" if from_left else ".62"
        parts.append(_round(f"pip-{color.value}", 'cx=".42" cy=".38" r=".7"', pip))
        parts.append(_round(f"glow-{color.value}", f'cx="{at}" cy=".34" r=".78"', glow))
    for name, (light, mid, deep) in SHADES.items():
        rose: list[Stop] = [(0.2, light, 1), (0.62, mid, 1), (1, mix(mid, deep, 0.7), 1)]
        parts.append(_round(f"rose-{name}", _around_the_rose(INNER), rose))
        halo: list[Stop] = [(0, mid, 1), (0.35, mid, 0.62), (0.7, mid, 0.16), (1, mid, 0)]
        parts.append(_round(f"halo-{name}", "", halo))
    parts.append(_round("heart", _around_the_rose(HEART), [(0, "#fffbe8", 1), (1, AMBER[1], 1)]))
    parts.append(_stone_and_sky(from_left=from_left))
    return f"<defs>{''.join(parts)}</defs>"


def _clips() -> str:
    """Return the opening of the wall, its head, and all that is above the sill."""
    head = f'x="{number(LEFT)}" width="{number(RIGHT - LEFT)}" height="{number(TRANSOM)}"'
    return (
        f'<clipPath id="opening"><path d="{arch()}"/></clipPath>'
        f'<clipPath id="above"><rect {head}/></clipPath>'
        f'<clipPath id="above-sill"><rect width="{WIDTH}" height="{number(BOTTOM)}"/></clipPath>'
    )


def _stone_and_sky(*, from_left: bool) -> str:
    """Return the gradients of the stone, the wall and the sun."""
    sun, away = (0, 1) if from_left else (1, 0)
    to_the_sun = f'x1="{away}" x2="{sun}"'  # the sun lights the far side of the stone
    rays: list[Stop] = [(0, SUN, 0.12), (0.42, SUN, 0), (0.6, NIGHT, 0), (1, NIGHT, 0.2)]
    return (
        _straight("stone", to_the_sun, [(0, "#a08f79", 1), (0.5, "#75695c", 1), (1, "#4a423e", 1)])
        + _straight("reveal", to_the_sun, [(0, "#d2bf9f", 1), (0.5, "#5f554c", 1), (1, "#231f22", 1)])
        + _round("wall", 'cy=".42" r=".75"', [(0, "#3b3440", 1), (0.6, "#211d29", 1), (1, "#121018", 1)])
        + _straight("sun", f'x1="{sun}" y1="0" x2="{away}" y2="1"', rays)
    )


def _around_the_rose(radius: float) -> str:
    x, y = ROSE
    return f'gradientUnits="userSpaceOnUse" cx="{number(x)}" cy="{number(y)}" r="{number(radius)}"'


def _gradient(kind: str, name: str, where: str, stops: list[Stop]) -> str:
    told = "".join(
        f'<stop offset="{offset:g}" stop-color="{color}" stop-opacity="{opacity:g}"/>'
        for offset, color, opacity in stops
    )
    return f'<{kind}Gradient id="{name}" {where}>{told}</{kind}Gradient>'


_round, _straight = partial(_gradient, "radial"), partial(_gradient, "linear")


JOINER = "\u200d"  # holds the parts of an emoji together
NO_BREAK = "\u00a0"
MOST_SIGNS = 200  # of a line
MOST_MARKS = 3  # accents on one letter; more only make a mess of the picture
ELLIPSIS = "…"

# Widths of signs in a serif font, in sizes of the font: a little more than most fonts need.
WIDE, CAPITAL, MIDDLE, NARROW = 1.02, 0.80, 0.62, 0.36
NARROW_SIGNS = frozenset("ijltfr.,:;!|'’`()[]-·Iїіј ")
WIDE_LETTERS = frozenset("mwMWЖШЩЮЫФжшщюыфмт@%—…&")


def plain_line(text: str) -> str:
    """Return ``text`` as one line without anything that cannot be seen."""
    return " ".join(_visible(unicodedata.normalize("NFC", text)).split())[:MOST_SIGNS].strip(JOINER + " ")


def _visible(text: str) -> str:
    """Return ``text`` without signs that cannot be seen or that make a mess of a picture."""
    kept: list[str] = []
    marks = 0
    for sign in text:
        kind = unicodedata.category(sign)
        marks = marks + 1 if kind in {"Mn", "Me"} else 0
        if sign.isspace() and sign != NO_BREAK:
            kept.append(" ")
            continue
        # Controls, halves of a pair, private and missing signs.
        is_allowed = kind not in {"Cc", "Cf", "Cs", "Co"} and (ord(sign) & 0xFFFE) != 0xFFFE
        if sign == JOINER or (is_allowed and marks <= MOST_MARKS):
            kept.append(sign)
    return "".join(kept)


def escaped(text: str) -> str:
    """Return ``text`` safe between and inside the tags of XML."""
    return html.escape(_visible(text))


def width(text: str) -> float:
    """Return about how wide ``text`` is, in sizes of the font."""
    return sum(map(_sign_width, text))


def _sign_width(sign: str) -> float:
    if sign == JOINER or unicodedata.category(sign) in {"Mn", "Me"}:
        return 0.0
    if unicodedata.east_asian_width(sign) in {"W", "F"} or sign in WIDE_LETTERS or ord(sign) > 0xFFFF:
        return WIDE
    if sign in NARROW_SIGNS:
        return NARROW
    return CAPITAL if sign.isupper() else MIDDLE


def fitted(text: str, room: float, largest: float, smallest: float) -> tuple[str, float]:
    """Return ``text`` and the size at which it fits into ``room``; too long a text ends in an ellipsis.

    Examples
    --------
    >>> fitted("Anna", 800, 60, 40)
    ('Anna', 60)
    >>> fitted("A very long name", 200, 60, 40)
    ('A very…', 40)
    """
    text = plain_line(text)
    wanted = width(text)
    if wanted * largest <= room:
        return text, largest
    if wanted * smallest <= room:
        return text, room / wanted
    kept = text
    while kept and (width(kept) + WIDE) * smallest > room:
        kept = _without_last(kept)
    return kept.rstrip() + ELLIPSIS, smallest


def _without_last(text: str) -> str:
    """Take off the last letter with its accents, or the last emoji with its parts."""
    kept = text[:-1]
    while kept and (kept[-1] == JOINER or unicodedata.category(text[len(kept)]) in {"Mn", "Me"}):
        kept = kept[:-1]
    return kept


def file_stem(player: str, total: int | None) -> str:
    """Return the name of the picture's file, without its ending, such as ``sagrada-anna-40``."""
    letters = "".join(sign if sign.isalnum() else " " for sign in plain_line(player).lower())
    words = ["sagrada", *letters[:40].split()]
    if total is not None:
        words += ["minus"] * (total < 0) + [str(abs(total))]
    return "-".join(words)


SERIF = (
    "'Iowan Old Style','Palatino Linotype',Palatino,'Book Antiqua','Hiragino Mincho ProN','Yu Mincho',"
    "'Noto Serif CJK JP','Noto Serif',Georgia,serif"
)
MARGIN = 118.0  # of the words, in line with the stone of the arch
BASE, SECOND_BASE = 1252.0, 1300.0
PALE, SOFT, GOLD = "#f6ecd6", "#b9ab98", "#ffd98a"


@dataclass(frozen=True)
class Labels:
    """What is written; ``title`` and ``description`` are for people who cannot see the picture."""

    points: str = "points"
    card: str = ""
    title: str = ""
    description: str = ""


@dataclass(frozen=True)
class Artwork:
    """What a picture shows. ``date`` is written as it is given; ``total`` None leaves the points out."""

    board: Board
    pattern: WindowPattern | None = None
    player: str = ""
    total: int | None = None
    labels: Labels = field(default_factory=Labels)
    date: str = ""


def draw(art: Artwork) -> str:
    """Return the picture as a whole SVG file.

    Examples
    --------
    >>> from scoring import Die
    >>> picture = draw(Artwork(Board.empty().replace(0, 0, Die.parse("R3"))))
    >>> picture.startswith("<svg"), picture.count('class="pip"')
    (True, 3)
    """
    left = from_left(art.board)
    parts = (
        definitions(from_left=left),
        wall(art.board),
        cast(art.board, from_left=left),
        frame(),
        glow(art.board),
        '<g clip-path="url(#opening)">',
        filled(arch(), LEAD),
        f'<g clip-path="url(#above)">{head(art.board, art.pattern)}</g>',
        panes(art.board, art.pattern),
        light(art.board),
        leads(),
        pips(art.board),
        border(art.board),
        "</g>",
        sill(),
        _words(art),
    )
    title, description = escaped(art.labels.title), escaped(art.labels.description)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}"'
        f' viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-labelledby="title description">'
        f'<title id="title">{title}</title><desc id="description">{description}</desc>{"".join(parts)}</svg>'
    )


def _words(art: Artwork) -> str:
    """Return name and card on the left, the points on the right."""
    total = "" if art.total is None else minus(art.total)
    right = WIDTH - MARGIN
    room = right - MARGIN - (220 if total else 0)
    name = art.player or art.labels.card
    beside = [art.labels.card if art.player else "", art.date]
    title, size = fitted(name, room, 66, 40)
    line, small = fitted(" · ".join(part for part in beside if part), room, 30, 24)
    points, little = fitted(art.labels.points if total else "", 200, 28, 18)
    return (
        _text((MARGIN, BASE), title, size, PALE)
        + _text((MARGIN, SECOND_BASE), line, small, SOFT)
        + _text((right, BASE), total, 104, GOLD, anchor="end")
        + _text((right, SECOND_BASE), points, little, SOFT, anchor="end")
    )


def _text(place: tuple[float, float], text: str, size: float, fill: str, *, anchor: str = "start") -> str:
    if not text:
        return ""
    x, y = place
    return (
        f'<text x="{number(x)}" y="{number(y)}" font-family="{SERIF}" font-size="{number(size)}"'
        f' fill="{fill}" text-anchor="{anchor}">{escaped(text)}</text>'
    )


FRAME = 50.0  # how far the molded stone reaches around the opening
SILL = 30.0
EDGE = "#17141a"


def wall(board: Board) -> str:
    """Return the wall of large stones, hardly lit."""
    mason = hand(str(board), "wall")
    blocks, joints, y = [], [], -20.0
    while y < BOTTOM:
        height = mason.uniform(84, 104)
        joints.append(f"M0 {number(y)}H{WIDTH}")
        x = -mason.uniform(0, 180)
        while x < WIDTH:
            wide = mason.uniform(150, 230)
            color, most = mason.choice((("#ffe9d0", 0.05), ("#000000", 0.12)))
            blocks.append(
                f'<rect x="{number(x)}" y="{number(y)}" width="{number(wide)}" height="{number(height)}"'
                f' fill="{color}" opacity="{most * mason.random():.3f}"/>'
            )
            x += wide
            joints.append(f"M{number(x)} {number(y)}v{number(height)}")
        y += height
    path = "".join(joints)
    return (
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="url(#wall)"/>{"".join(blocks)}'
        + outline(path, "#0c0a10", 3, 0.5)
        + f'<g transform="translate(0 2.4)">{outline(path, "#8d8090", 1.4, 0.14)}</g>'
    )


def glow(board: Board) -> str:
    """Return the colored light that the glass throws on the stone around it."""
    head = SHADES[ground_of(glasses(board))][1]
    around = "".join(outline(arch(-34), head, wide, 0.05) for wide in (24, 48, 72, 96, 120))
    sides = []
    for row in range(ROWS):
        for column, x in ((0, LEFT - 22), (COLUMNS - 1, RIGHT + 22)):
            y = middle(corners((row, column)))[1]
            sides.append(_halo(board[row, column], (x, y), (132, 124), 0.64))
    return f'<g clip-path="url(#above-sill)">{around}{"".join(sides)}</g>'


def cast(board: Board, *, from_left: bool) -> str:
    """Return the light of the dice on the floor, away from the sun."""
    side = 1 if from_left else -1
    spots = []
    for cell in ALL_CELLS:
        x, y = middle(corners(cell))
        down = BOTTOM + 40 + (y - PANES_TOP) * 0.46
        spots.append(_halo(board[cell], (x + side * (down - BOTTOM) * 0.42, down), (116, 66), 0.32))
    return "".join(spots)


def _halo(die: Die | None, center: Point, radii: tuple[float, float], strength: float) -> str:
    """Return a spot of light that fades to its edge; that of clear glass is faint."""
    name, opacity = (die.color.value, strength) if die else ("clear", 0.3 * strength)
    return (
        f'<ellipse cx="{number(center[0])}" cy="{number(center[1])}" rx="{number(radii[0])}"'
        f' ry="{number(radii[1])}" fill="url(#halo-{name})" opacity="{opacity:.2f}"/>'
    )


def frame() -> str:
    """Return the molded stone around the opening, with the joints between its blocks."""
    face = f'<path d="{arch(-FRAME)}" fill="url(#stone)" stroke="{EDGE}" stroke-width="3"/>'
    return (
        f'<path d="{arch(-FRAME - 10)}" fill="#0c0a10" opacity=".55"/>{face}'
        + outline(_joints(), "#241f22", 2.6, 0.7)
        + outline(arch(-FRAME + 5), "#d9c8aa", 2, 0.3)
        + outline(arch(-30), "#1d191c", 7, 0.75)
        + outline(arch(-26.5), "#e2d2b4", 2, 0.4)
        + outline(arch(-9), "url(#reveal)", 18)
        + outline(arch(-17), EDGE, 3, 0.8)
        + outline(arch(-1), LEAD, 5)
    )


def _joints() -> str:
    """Return the path of the joints: level on the sides, towards the center of each arc above."""
    joints = []
    for step in range(1, 9):
        y = number(SPRING + step * (BOTTOM - SPRING) / 8.4)
        joints.append(f"M{number(LEFT)} {y}h{number(-FRAME)}M{number(RIGHT)} {y}h{number(FRAME)}")
    for center, turn in (((LEFT + ARCH_RADIUS, SPRING), -1), ((RIGHT - ARCH_RADIUS, SPRING), 1)):
        for step in range(7):
            angle = turn * (90 - step * 12.2)
            near, far = polar(center, ARCH_RADIUS, angle), polar(center, ARCH_RADIUS + FRAME, angle)
            joints.append(f"M{pair(near)}L{pair(far)}")
    return "".join(joints)


def border(board: Board) -> str:
    """Return the strip of beads along the opening, and the stone beam below the head."""
    _, mid, deep = SHADES[glasses(board)[0]]
    path = arch(BORDER / 2)
    round_ends = 'stroke-linecap="round" stroke-dasharray="0 34"'
    return (
        outline(path, LEAD, BORDER)
        + outline(path, mix(AMBER[1], AMBER[2], 0.35), 10)
        + outline(path, AMBER[0], 4, 0.5)
        + outline(path, LEAD, 16, more=round_ends)
        + outline(path, mix(mid, deep, 0.25), 10.5, more=round_ends)
        + outline(path, LEAD, 12, more='stroke-dasharray="3 31" stroke-dashoffset="-15.5"')
        + stone(f"M{number(LEFT)} {number(TRANSOM)}H{number(RIGHT)}", 26)
    )


def light(board: Board) -> str:
    """Return the streaks of old glass, and the sun that falls in from one side."""
    glazier = hand(str(board), "streaks")
    streaks = []
    for _ in range(46):
        start = (glazier.uniform(LEFT, RIGHT), glazier.uniform(TOP, BOTTOM - 80))
        sway, length, wide = glazier.uniform(-26, 26), glazier.uniform(70, 210), glazier.uniform(3, 9)
        streaks.append(
            f'<path d="M{pair(start)}q{pair((sway, length / 2))} {pair((sway / 3, length))}'
            f'q{pair((sway + wide, -length / 2))} {pair((-sway / 3, -length))}Z"'
            f' opacity="{glazier.uniform(0.05, 0.16):.2f}"/>'
        )
    return f'<g fill="#fffbe6">{"".join(streaks)}</g>' + filled(arch(), "url(#sun)")


def sill() -> str:
    """Return the stone below the opening, with its shadow."""
    overhang = FRAME + 22
    x, wide = number(LEFT - overhang), number(RIGHT - LEFT + 2 * overhang)
    top = number(BOTTOM - 2)
    return (
        f'<rect x="{x}" y="{number(BOTTOM + SILL)}" width="{wide}" height="16" fill="#08070b" opacity=".6"/>'
        f'<rect x="{x}" y="{top}" width="{wide}" height="{number(SILL)}" fill="url(#stone)" stroke="{EDGE}"'
        ' stroke-width="3"/>'
        f'<rect x="{x}" y="{top}" width="{wide}" height="7" fill="#e6d7ba" opacity=".6"/>'
    )
