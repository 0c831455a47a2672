"""The head of the window: a rose whose drawing is chosen by the card, among glass and two small roundels."""

from __future__ import annotations

from collections import Counter

from scoring import Board, Color, WindowPattern
from webapp.artwork.plan import (
    AMBER,
    CENTER,
    HEART,
    INNER,
    LEAD,
    ROSE,
    ROSE_RADIUS,
    SHADES,
    from_left,
    hand,
    sunlit,
)
from webapp.artwork.roses import KINDS, Names, petal
from webapp.artwork.shapes import Point, circle, filled, middle, mix, outline, polar, polygon

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
            wedge = [
                polar(ROSE, near, angle),
                polar(ROSE, far, angle),
                polar(ROSE, far, angle + step),
                polar(ROSE, near, angle + step),
            ]
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
