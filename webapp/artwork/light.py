"""The colors that fade: gradients of glass, stone and light, and the shapes that cut the drawing off."""

from __future__ import annotations

from webapp.artwork.plan import (
    AMBER,
    BOTTOM,
    GLASS,
    HEART,
    INNER,
    LEFT,
    RIGHT,
    ROSE,
    SHADES,
    TRANSOM,
    WIDTH,
    arch,
)
from webapp.artwork.shapes import mix, number

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
    return (
        _straight("stone", to_the_sun, [(0, "#a08f79", 1), (0.5, "#75695c", 1), (1, "#4a423e", 1)])
        + _straight("reveal", to_the_sun, [(0, "#d2bf9f", 1), (0.5, "#5f554c", 1), (1, "#231f22", 1)])
        + _round("wall", 'cy=".42" r=".75"', [(0, "#3b3440", 1), (0.6, "#211d29", 1), (1, "#121018", 1)])
        + _straight(
            "sun",
            f'x1="{sun}" y1="0" x2="{away}" y2="1"',
            [(0, SUN, 0.12), (0.42, SUN, 0), (0.6, NIGHT, 0), (1, NIGHT, 0.2)],
        )
    )


def _around_the_rose(radius: float) -> str:
    x, y = ROSE
    return f'gradientUnits="userSpaceOnUse" cx="{number(x)}" cy="{number(y)}" r="{number(radius)}"'


def _round(name: str, where: str, stops: list[Stop]) -> str:
    return f'<radialGradient id="{name}" {where}>{_stops(stops)}</radialGradient>'


def _straight(name: str, where: str, stops: list[Stop]) -> str:
    return f'<linearGradient id="{name}" {where}>{_stops(stops)}</linearGradient>'


def _stops(stops: list[Stop]) -> str:
    return "".join(
        f'<stop offset="{offset:g}" stop-color="{color}" stop-opacity="{opacity:g}"/>'
        for offset, color, opacity in stops
    )
