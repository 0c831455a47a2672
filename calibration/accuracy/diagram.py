"""A reliability diagram, written as SVG by hand: how sure the reader was, and how often it was right.

In each of the equal bins of confidence a bar shows the share of readings that are right; the diagonal is
where it would be if confidence meant what it says (Guo et al. 2017). Bars of few readings are pale, as they
may stand anywhere by chance; the number of readings stands below each bar.
"""

from __future__ import annotations

from collections.abc import Mapping

from calibration.accuracy.reliability import Bin, Reliability

SIDE = 300
"""Length of both axes in SVG units."""

LEFT, TOP, BOTTOM, GAP = 52, 44, 74, 44
FEW = 25
"""A bin of fewer readings than this is drawn pale."""

BAR, PALE, INK, SOFT = "#2f6f8f", "#b9cfd9", "#222222", "#888888"
PAPER = "#ffffff"
NAMESPACE = "http://www.w3.org/2000/svg"


def reliability_svg(panels: Mapping[str, Reliability]) -> str:
    """Return an SVG picture with a diagram for each of ``panels``, side by side, under its title."""
    width = len(panels) * (LEFT + SIDE + GAP)
    height = TOP + SIDE + BOTTOM
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    parts = [
        f'<svg xmlns="{NAMESPACE}" {size} font-family="sans-serif" font-size="11" fill="{INK}">',
        f'<rect width="{width}" height="{height}" fill="{PAPER}"/>',
    ]
    for index, (title, reliability) in enumerate(panels.items()):
        parts += _panel(index * (LEFT + SIDE + GAP) + LEFT, title, reliability)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _panel(left: int, title: str, reliability: Reliability) -> list[str]:
    error = reliability.error
    said = "nothing read" if error is None else f"calibration error {100 * error:.2f} %"
    base = TOP + SIDE
    parts = [
        f'<text x="{left}" y="18" font-size="14" font-weight="bold">{title}</text>',
        f'<text x="{left}" y="35" fill="{SOFT}">{reliability.cells} cells, {said}</text>',
    ]
    step = SIDE / len(reliability.bins)
    for index, one in enumerate(reliability.bins):
        parts += _bar(left + index * step, step, one)
    parts += [
        f'<path d="M{left} {base}L{left + SIDE} {TOP}" stroke="{SOFT}" stroke-dasharray="4 3"/>',
        f'<path d="M{left} {TOP}V{base}H{left + SIDE}" stroke="{INK}" fill="none"/>',
        f'<text x="{left + SIDE / 2:g}" y="{base + 66}" text-anchor="middle">how sure the reader was</text>',
        f'<text {_upwards(left - 38, TOP + SIDE / 2)} text-anchor="middle">how often it was right</text>',
    ]
    for share in (0, 0.5, 1):
        y = base - share * SIDE
        parts.append(f'<text x="{left - 6}" y="{y + 4:g}" text-anchor="end">{100 * share:g} %</text>')
        x = left + share * SIDE
        parts.append(f'<text x="{x:g}" y="{base + 50}" text-anchor="middle">{100 * share:g} %</text>')
    return parts


def _bar(x: float, step: float, one: Bin) -> list[str]:
    """Return the bar of one bin, and below it how many readings it holds."""
    base = TOP + SIDE
    place = _upwards(x + step / 2 + 4, base + 6)
    count = f'<text {place} text-anchor="end" font-size="9" fill="{SOFT}">{one.cells}</text>'
    if not one.cells:
        return [count]
    tall = SIDE * one.right / one.cells
    color = PALE if one.cells < FEW else BAR
    size = f'width="{step - 2:.1f}" height="{tall:.1f}"'
    return [f'<rect x="{x + 1:.1f}" y="{base - tall:.1f}" {size} fill="{color}"/>', count]


def _upwards(x: float, y: float) -> str:
    """Return what lets a text begin at a point and run upwards."""
    return f'transform="translate({x:.1f} {y:.1f}) rotate(-90)"'
