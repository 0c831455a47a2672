"""Five drawings of a rose window. Each gives the pieces of glass and the path of the bars of stone."""

from __future__ import annotations

import math
from collections.abc import Callable

from webapp.artwork.plan import HEART, INNER, ROSE
from webapp.artwork.shapes import arc_to, circle, pair, polar, polygon

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


def _sector(near: float, far: float, start: float, end: float) -> str:
    """Return a piece of a ring."""
    return (
        f"M{pair(polar(ROSE, near, start))}L{pair(polar(ROSE, far, start))}"
        f"{arc_to(polar(ROSE, far, end), far)}L{pair(polar(ROSE, near, end))}"
        f"{arc_to(polar(ROSE, near, start), near, clockwise=False)}Z"
    )


def _petals(folds: int, names: Names) -> Drawn:
    """Draw round petals, with a small jewel between the ends of two."""
    first, second, third = names
    step = 360 / folds
    pieces = [(_sector(HEART, INNER, step * turn, step * (turn + 1)), third) for turn in range(folds)]
    petals = [petal(HEART + 2, INNER - 3, step * turn, step / 2) for turn in range(folds)]
    inner = [petal(HEART + 14, INNER - 30, step * turn, step / 3.2) for turn in range(folds)]
    pieces += [(petal, first) for petal in petals]
    pieces += [(petal, second) for petal in inner]
    return pieces, "".join(petals)


def _wheel(folds: int, names: Names) -> Drawn:
    """Draw spokes with pointed lights between them, and a ring of roundels."""
    first, second, third = names
    step = 360 / folds
    small = min(29.0, 0.92 * 140 * math.pi / folds)
    at = INNER - small - 3
    pieces = [(_sector(HEART, INNER, step * turn, step * (turn + 1)), second) for turn in range(folds)]
    lights, wide = [], step * 0.35
    for turn in range(folds):
        angle, reach = step * turn, at - small * 0.72
        foot_left, foot_right = polar(ROSE, HEART + 2, angle - wide), polar(ROSE, HEART + 2, angle + wide)
        left, right = polar(ROSE, reach - 22, angle - wide), polar(ROSE, reach - 22, angle + wide)
        tip = polar(ROSE, reach, angle)
        lights.append(
            f"M{pair(foot_left)}L{pair(left)}{arc_to(tip, 60)}{arc_to(right, 60)}L{pair(foot_right)}Z"
        )
    rounds = [circle(polar(ROSE, at, step * (turn + 0.5)), small) for turn in range(folds)]
    eyes = [circle(polar(ROSE, at, step * (turn + 0.5)), small * 0.5) for turn in range(folds)]
    pieces += [(light, first) for light in lights]
    pieces += [(one, third) for one in rounds] + [(eye, "amber") for eye in eyes]
    return pieces, "".join(rounds)


def _star(folds: int, names: Names) -> Drawn:
    """Draw a star of kites."""
    first, second, third = names
    step = 360 / folds
    waist = 0.5 * (HEART + INNER)
    pieces: list[Piece] = []
    bars = []
    for turn in range(folds):
        angle = step * turn
        left, right = polar(ROSE, waist, angle - step / 2), polar(ROSE, waist, angle + step / 2)
        tip, root = polar(ROSE, INNER - 1, angle), polar(ROSE, HEART, angle)
        beyond = polar(ROSE, INNER - 1, angle + step)
        pieces.append((polygon([root, left, tip]), first))
        pieces.append((polygon([root, tip, right]), second))
        pieces.append((polygon([polar(ROSE, HEART, angle), right, polar(ROSE, HEART, angle + step)]), third))
        pieces.append((f"M{pair(right)}L{pair(tip)}{arc_to(beyond, INNER - 1)}Z", third))
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
    pieces = [(_sector(HEART, INNER, step * turn, step * (turn + 1)), third) for turn in range(lobes)]
    rounds = [circle(polar(ROSE, seat, step * turn), size) for turn in range(lobes)]
    middles = [circle(polar(ROSE, seat, step * turn), size * 0.62) for turn in range(lobes)]
    eyes = [circle(polar(ROSE, seat, step * turn), size * 0.24) for turn in range(lobes)]
    pieces += [(one, first) for one in rounds]
    pieces += [(one, second) for one in middles]
    pieces += [(one, "amber") for one in eyes]
    return pieces, "".join(rounds)


KINDS: tuple[Callable[[int, Names], Drawn], ...] = (
    _petals,
    _wheel,
    _star,
    _swirl,
    _foils,
)
