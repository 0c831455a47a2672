"""Charts as SVG: lines over time, bars, and bars made of parts.

They have no colors of their own: style sheets give them to the classes, in light and dark. What a color tells
is told by a shape, a dash or a number, too. All words and written numbers come with the data.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from scoring.sentences import minus
from webapp.drawing.glass import ELLIPSIS, escaped, number, pair, width

WIDTH = 420.0
LETTER = 13.0
SERIES = 5  # as many differ in color, dash and mark
LEFT, TOP, HEIGHT, BELOW = 34.0, 16.0, 190.0, 26.0
LABEL_ROOM = 104.0
LINE_OF_LABELS = 16.0
ROW, BAR = 52.0, 18.0


@dataclass(frozen=True)
class Dot:
    """A value at a place of the line, and what it says when pointed at."""

    at: int
    value: float
    says: str


@dataclass(frozen=True)
class Series:
    """A line of a chart: what stands at its end, and which of the looks it has."""

    label: str
    look: int
    dots: tuple[Dot, ...]


@dataclass(frozen=True)
class Part:
    """A part of a bar, negative ones to the left: ``written`` is its value, ``kind`` its class."""

    kind: str
    value: float
    written: str


@dataclass(frozen=True)
class Bar:
    """A row of a chart: what it is about, its value as it is written, and its parts."""

    label: str
    written: str
    parts: tuple[Part, ...]


def lines(series: Sequence[Series], *, first: str, last: str, title: str) -> str:
    """Return lines over time; ``first`` and ``last`` stand below the ends of the axis."""
    dots = [dot for one in series for dot in one.dots]
    low, high, step = _scale([dot.value for dot in dots])
    most = max(*(dot.at for dot in dots), 1)
    right = WIDTH - LABEL_ROOM

    def x(at: float) -> float:
        return LEFT + 8 + (right - LEFT - 8) * at / most

    def y(value: float) -> float:
        return TOP + HEIGHT * (high - value) / (high - low)

    drawn = []
    for mark in range(round((high - low) / step) + 1):
        value = low + mark * step
        drawn.append(f'<path class="chart-grid" d="M{number(LEFT)} {number(y(value))}H{number(right + 4)}"/>')
        drawn.append(_text(LEFT - 6, y(value) + 4, minus(round(value)), "chart-soft", "end"))
    drawn.append(_text(LEFT + 2, TOP + HEIGHT + 22, first, "chart-soft", "start"))
    if last:
        drawn.append(_text(right + 4, TOP + HEIGHT + 22, last, "chart-soft", "end"))
    ends = _apart([y(one.dots[-1].value) for one in series])
    for one, end in zip(series, ends, strict=True):
        points = [(x(dot.at), y(dot.value)) for dot in one.dots]
        path = "L".join(map(pair, points))
        marks = "".join(
            f"<g><title>{escaped(dot.says)}</title>{_mark(one.look, *point)}</g>"
            for dot, point in zip(one.dots, points, strict=True)
        )
        px, py = points[-1]
        to_label = f"M{number(px + 6)} {number(py)}L{number(right + 12)} {number(end)}"
        label = _text(right + 15, end + 4.5, _short(one.label, LABEL_ROOM - 16), "chart-label", "start")
        drawn.append(
            f'<g class="look-{one.look}"><path class="chart-line" d="M{path}"/>'
            f'<path class="chart-lead" d="{to_label}"/>{marks}{label}</g>'
        )
    return _chart(TOP + HEIGHT + BELOW + 4, title, drawn)


def bars(rows: Sequence[Bar], *, title: str) -> str:
    """Return a bar for each row, with the parts one after the other and negative ones left of the zero."""
    left = max(sum(-part.value for part in row.parts if part.value < 0) for row in rows)
    right = max(sum(part.value for part in row.parts if part.value > 0) for row in rows)
    room = WIDTH - 8
    scale = room / max(left + right, 1)
    zero = 4 + left * scale
    drawn = []
    for place, row in enumerate(rows):
        top = place * ROW
        drawn.append(_text(4, top + 16, _short(row.label, WIDTH * 0.62), "chart-label", "start"))
        drawn.append(_text(WIDTH - 4, top + 16, row.written, "chart-number", "end"))
        drawn.append(
            f'<rect class="chart-room" x="4" y="{number(top + 24)}" width="{number(room)}" '
            f'height="{number(BAR)}" rx="4"/>'
        )
        ahead, behind = zero, zero
        for part in row.parts:
            long = abs(part.value) * scale
            if long < 0.5:
                continue
            behind -= long if part.value < 0 else 0
            start = ahead if part.value > 0 else behind
            ahead += long if part.value > 0 else 0
            drawn.append(_part(part, start, top + 24, long))
        if left:
            drawn.append(
                f'<path class="chart-zero" d="M{number(zero)} {number(top + 20)}v{number(BAR + 8)}"/>'
            )
    return _chart(len(rows) * ROW, title, drawn)


def _part(part: Part, x: float, y: float, long: float) -> str:
    """Return a part of a bar, with its value in it where there is room."""
    inner = max(long - 1.5, 0.5)
    box = f'x="{number(x)}" y="{number(y)}" width="{number(inner)}" height="{number(BAR)}"'
    words = ""
    if part.written and long > width(part.written) * LETTER * 0.9 + 6:
        words = _text(x + inner / 2, y + 13.5, part.written, "chart-within", "middle")
    hint = f"<title>{escaped(part.written)}</title>" if part.written else ""
    return f'<g class="part-{part.kind}">{hint}<rect class="chart-part" {box} rx="3"/>{words}</g>'


def _chart(height: float, title: str, drawn: Sequence[str]) -> str:
    box = f"0 0 {number(WIDTH)} {number(height)}"
    head = f'<svg class="chart" viewBox="{box}" role="img" aria-label="{escaped(title)}">'
    return head + "".join(drawn) + "</svg>"


def _text(x: float, y: float, words: str, kind: str, anchor: str) -> str:
    at = f'x="{number(x)}" y="{number(y)}"'
    return f'<text {at} class="{kind}" text-anchor="{anchor}">{escaped(words)}</text>'


def _mark(look: int, x: float, y: float) -> str:
    """Return the mark of a look: circle, square, triangle, diamond or cross."""
    at = f"M{pair((x, y))}"
    shapes = (
        f'<circle class="chart-mark" cx="{number(x)}" cy="{number(y)}" r="4.5"/>',
        f'<path class="chart-mark" d="{at}m-4.2-4.2h8.4v8.4h-8.4z"/>',
        f'<path class="chart-mark" d="{at}m0-5.4l5.2 9.2h-10.4z"/>',
        f'<path class="chart-mark" d="{at}m0-6l5.6 6l-5.6 6l-5.6-6z"/>',
        f'<path class="chart-mark chart-cross" d="{at}m-4-4l8 8m0-8l-8 8"/>',
    )
    return shapes[look % SERIES]


def _scale(values: Sequence[float]) -> tuple[float, float, float]:
    """Return the lowest and highest value of an axis, and the step between its lines.

    Examples
    --------
    >>> _scale([22, 58])
    (20, 60, 10)
    >>> _scale([40])
    (39, 41, 1)
    """
    low, high = min(values), max(values)
    wanted = max(high - low, 4) / 4
    step = next(one for one in (1, 2, 5, 10, 20, 25, 50, 100, 1000) if one >= wanted * 0.8)
    bottom, top = math.floor(low / step) * step, math.ceil(high / step) * step
    if bottom == top:
        return bottom - step, top + step, step
    return bottom, top, step


def _apart(wanted: Sequence[float]) -> list[float]:
    """Return places for labels near those wanted, in the same order, with room for each."""
    order = sorted(range(len(wanted)), key=lambda one: wanted[one])
    places = list(wanted)
    lowest = TOP + HEIGHT - (len(order) - 1) * LINE_OF_LABELS
    before = -math.inf
    for rank, one in enumerate(order):
        places[one] = min(max(wanted[one], before + LINE_OF_LABELS), lowest + rank * LINE_OF_LABELS)
        before = places[one]
    return places


def _short(text: str, room: float) -> str:
    """Return a label cut off where it would be too wide."""
    if width(text) * LETTER <= room:
        return text
    while text and width(text + ELLIPSIS) * LETTER > room:
        text = text[:-1]
    return text.rstrip() + ELLIPSIS
