"""A finished window as stained glass: a picture to keep and to share, drawn as SVG.

The same window always gives the same picture. What the glazier's hand does differently each time (how a
pane is cut, from which side the sun comes) is decided by the dice themselves, the drawing of the rose by
the card. The picture needs nothing else: no file, no script, no style sheet; text is set in the fonts of
the system. It uses no filters either: they are slow on a phone, and browsers differ in them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from scoring import Board, WindowPattern
from scoring.sentences import minus
from webapp.artwork import light, panes, tracery, wall
from webapp.artwork.plan import HEIGHT, LEAD, WIDTH, arch, from_left
from webapp.artwork.shapes import number
from webapp.artwork.text import escaped, fitted

SERIF = (
    "'Iowan Old Style','Palatino Linotype',Palatino,'Book Antiqua','Hiragino Mincho ProN','Yu Mincho',"
    "'Noto Serif CJK JP','Noto Serif',Georgia,serif"
)
MARGIN = 118.0  # of the words, in line with the stone of the arch
BASE, SECOND_BASE = 1252.0, 1300.0
PALE, SOFT, GOLD = "#f6ecd6", "#b9ab98", "#ffd98a"


@dataclass(frozen=True)
class Labels:
    """What is written, in the language of whoever asked for the picture.

    ``points`` is the word after the total, ``card`` the name of the window card or "", ``title`` and
    ``description`` are for people who cannot see the picture.
    """

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
        light.definitions(from_left=left),
        wall.wall(art.board),
        wall.cast(art.board, from_left=left),
        wall.frame(),
        wall.glow(art.board),
        '<g clip-path="url(#opening)">',
        f'<path d="{arch()}" fill="{LEAD}"/>',
        f'<g clip-path="url(#above)">{tracery.head(art.board, art.pattern)}</g>',
        panes.panes(art.board, art.pattern),
        wall.light(art.board),
        panes.leads(),
        panes.pips(art.board),
        wall.border(art.board),
        "</g>",
        wall.sill(),
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
