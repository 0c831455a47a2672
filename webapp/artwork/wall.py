"""What is around the glass: the wall, the molded stone of the arch, the sill, and the light on them."""

from __future__ import annotations

from scoring import ALL_CELLS, COLUMNS, ROWS, Board, Die
from webapp.artwork.plan import (
    AMBER,
    BORDER,
    BOTTOM,
    HEIGHT,
    LEAD,
    LEFT,
    PANES_TOP,
    RIGHT,
    SHADES,
    SPRING,
    TOP,
    TRANSOM,
    WIDTH,
    arch,
    arch_radius,
    corners,
    hand,
)
from webapp.artwork.shapes import Point, middle, mix, number, outline, pair, polar
from webapp.artwork.tracery import glasses, ground_of, stone

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
    radius = arch_radius()
    for center, turn in (((LEFT + radius, SPRING), -1), ((RIGHT - radius, SPRING), 1)):
        for step in range(7):
            angle = turn * (90 - step * 12.2)
            near, far = polar(center, radius, angle), polar(center, radius + FRAME, angle)
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
    return f'<g fill="#fffbe6">{"".join(streaks)}</g><path d="{arch()}" fill="url(#sun)"/>'


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
