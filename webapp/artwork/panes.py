"""The twenty panes: a die is a piece of colored glass with its pips, an empty space is clear glass."""

from __future__ import annotations

import random
from collections.abc import Iterator

from scoring import ALL_CELLS, COLUMNS, ROWS, Board, Cell, Color, Die, Restriction, WindowPattern
from webapp.artwork.plan import CLEAR, GLASS, LEAD, PANE, corners, from_left, hand, sunlit
from webapp.artwork.shapes import (
    Line,
    Point,
    between,
    cut,
    filled,
    middle,
    mix,
    number,
    outline,
    pair,
    polygon,
    tone,
)

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
PIP = 0.082 * PANE
JEWEL, PAINTED = 0.48, 0.54  # how wide a printed color and a printed value are, in panes


def panes(board: Board, pattern: WindowPattern | None) -> str:
    """Return the twenty panes, without the leads between them and without pips."""
    drawn = []
    for cell in ALL_CELLS:
        die, glazier, left = board[cell], hand(str(board), str(cell)), from_left(board)
        if die is not None:
            drawn.append(_colored(cell, die, glazier, left=left))
        else:
            drawn.append(
                _clear(cell, glazier, left=left) + _printed(cell, pattern[cell] if pattern else None)
            )
    return "".join(drawn)


def pips(board: Board) -> str:
    """Return the pips of all dice: roundels of bright glass, each in a ring of lead."""
    return "".join(
        f'<circle class="pip" cx="{number(x)}" cy="{number(y)}" r="{number(PIP)}"'
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
        fills = [mix(light, mid, 0.4 + 0.6 * index / len(bands)) for index in range(len(bands))]
        glass = "".join(filled(polygon(band), fill) for band, fill in zip(bands, fills, strict=True))
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
