"""Draw a reading over its photo, so that a person sees at one glance what was read where.

Nothing is recognized here: everything drawn stands in the reading.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from scoring import Color
from vision.geometry import (
    CELL_CENTERS,
    COLUMNS,
    DIE_EDGE,
    ROWS,
    SQUARE,
    TOP_HEIGHT,
    Float,
    Grid,
    Image8,
    apply_homography,
)
from vision.reading import CellReading, Reading
from vision.table import LooseDie, TableReading

Bgr = tuple[int, int, int]

BLACK: Bgr = (20, 20, 20)
WHITE: Bgr = (255, 255, 255)
GREY: Bgr = (110, 110, 110)
DOUBT: Bgr = (255, 60, 255)
"""Magenta, as bright as no die is."""

BADGES: dict[Color, tuple[Bgr, Bgr]] = {
    Color.RED: ((40, 35, 200), WHITE),
    Color.YELLOW: ((50, 215, 250), BLACK),
    Color.GREEN: ((60, 130, 20), WHITE),
    Color.BLUE: ((190, 105, 15), WHITE),
    Color.PURPLE: ((125, 25, 95), WHITE),
}
"""Fill and text of a die's badge."""

# Sizes in pitches, chosen by eye on the sample photos.
LINE_WIDTH = 0.016
DOUBT_WIDTH = 0.05
TEXT_HEIGHT = 0.18
LABEL_HEIGHT = 0.2
LABEL_DISTANCE = 0.42  # of row letters and column figures from the lattice
BADGE_DISTANCE = 0.48  # of a badge from the middle of its die: just beside the top face, which ends at 0.345
DOUBT_SIDE = 0.84  # of the square around a doubtful die
CARD_PITCHES = 2.6  # how wide an objective card is
TITLE_HEIGHT, TITLE_DISTANCE = 0.4, 1.4  # of a window's number and name, and of their middle from row A

RING = 0.6 * np.array([(np.cos(a), np.sin(a)) for a in np.linspace(0, 2 * np.pi, 24, endpoint=False)])
"""Around a favor token, in its widths."""

MIN_TEXT_PX = 8
FAR_PX = 1e6
"""Drawing is cut off this far from the picture, so that coordinates stay within what OpenCV can take."""


def draw_overlay(photo_image_bgr: Image8, reading: Reading, *, scale: float | None = None) -> Image8:
    """Return a copy of the photo with the lattice, every cell's reading and the window's name on it.

    Each die carries a badge in its color, such as ``Y5``, on the edge of its top face; an empty cell has
    ``--``, a covered one ``?``. Favor tokens have rings. What to look at is framed in magenta, and its badge
    ends in ``?``.

    Parameters
    ----------
    photo_image_bgr
        Upright photo, uint8 H x W x 3, BGR. It is not changed.
    reading
        What was read from it. Its corners may lie outside the picture.
    scale
        Factor from pixels of the full-size photo, which the reading's corners are in, to pixels of
        the image; by default as the image's width compares with the reading's.
    """
    canvas = photo_image_bgr.copy()
    pen, grid = _draw_cells(canvas, reading, scale or canvas.shape[1] / reading.size[0])
    if reading.window is not None:
        _draw_window_name(pen, grid, f"{reading.window.name}, {reading.window.probability:.0%}")
    return canvas


def draw_table_overlay(photo_image_bgr: Image8, table: TableReading) -> Image8:
    """Return a copy of the photo with all windows of a table on it, each with its number.

    Each window is drawn as by `draw_overlay`, with number and card on its art. A loose die has what was read
    below it, after its round where it lies on the track; a public objective card its outline and name. What
    looks like a window or a die and could not be read has a ``?``, and all that is doubtful is in magenta.

    Parameters
    ----------
    photo_image_bgr
        Upright photo, uint8 H x W x 3, BGR. It is not changed.
    table
        What was read from it.
    """
    canvas = photo_image_bgr.copy()
    scale = canvas.shape[1] / table.size[0]
    for number, reading in enumerate(table.windows, start=1):
        pen, grid = _draw_cells(canvas, reading, scale)
        on_art = apply_homography(grid.homography, np.array([[COLUMNS / 2, -TITLE_DISTANCE]]))[0]
        name = f": {reading.window.name}" if reading.window else ""
        pen.badge(on_art, f"{number}{name}", TITLE_HEIGHT * pen.pitch_px, (BLACK, WHITE), WHITE)
    for die in table.loose_dice:
        _draw_loose(canvas, die, scale)
    _draw_cards(canvas, table, scale)
    pen = _Pen(canvas, min(canvas.shape[:2]) / 32)
    for one in table.unread:
        pen.badge(np.array(one.center) * scale, "?", pen.pitch_px, (WHITE, BLACK), DOUBT)
    return canvas


def _draw_loose(canvas: Image8, die: LooseDie, scale: float) -> None:
    """Write what was read below a loose die, after the round whose space it lies on."""
    pen = _Pen(canvas, die.size * scale / DIE_EDGE)
    below = np.array(die.center) * scale + np.array([0, BADGE_DISTANCE * pen.pitch_px])
    text = (f"{die.round}: " if die.round else "") + str(die.die) + ("?" if die.doubtful else "")
    border = DOUBT if die.doubtful else WHITE
    pen.badge(below, text, TEXT_HEIGHT * pen.pitch_px, BADGES[die.color], border)


def _draw_cards(canvas: Image8, table: TableReading, scale: float) -> None:
    """Draw the outline of every public objective card, and its name in the middle."""
    for card in table.cards:
        corners = np.array(card.corners) * scale
        width = float(np.linalg.norm(corners[1] - corners[0]))
        pen, color = _Pen(canvas, width / CARD_PITCHES), DOUBT if card.doubtful else WHITE
        pen.lines(corners, color, DOUBT_WIDTH, closed=True)
        name = card.name + ("?" if card.doubtful else "")
        pen.badge(corners.mean(axis=0), name, TEXT_HEIGHT * pen.pitch_px, (BLACK, WHITE), color)


def _draw_cells(canvas: Image8, reading: Reading, scale: float) -> tuple[_Pen, Grid]:
    """Draw lattice, labels and what was read in the cells; return what else is drawn with, and where."""
    height, width = canvas.shape[:2]
    first, second, third, fourth = ((x * scale, y * scale) for x, y in reading.corners)
    grid = Grid.from_corners((first, second, third, fourth), (width, height))
    pen = _Pen(canvas, min(grid.pitch_px, min(width, height) / 3))
    across = [[[0, y], [COLUMNS, y]] for y in range(ROWS + 1)]
    down = [[[x, 0], [x, ROWS]] for x in range(COLUMNS + 1)]
    for ends in across + down:
        pen.lines(apply_homography(grid.homography, np.array(ends, dtype=np.float64)), WHITE, LINE_WIDTH)
    _draw_labels(pen, grid)
    # What is seen in a cell lies on the die's top face or on the frame's surface.
    planes = [grid.plane(TOP_HEIGHT if cell.die else 0.0) for cell in reading.cells]
    for cell, plane, middle in zip(reading.cells, planes, CELL_CENTERS, strict=True):
        if cell.doubtful:
            frame = apply_homography(plane, middle + SQUARE * DOUBT_SIDE)
            pen.lines(frame, DOUBT, DOUBT_WIDTH, closed=True)
    for cell, plane, middle in zip(reading.cells, planes, CELL_CENTERS, strict=True):
        _draw_badge(pen, cell, plane, middle)
    if reading.tokens:
        color = DOUBT if reading.tokens.doubtful else WHITE
        for place in reading.tokens.places:
            around = RING * reading.tokens.size * scale + np.array(place) * scale
            pen.lines(around, color, LINE_WIDTH, closed=True)
    return pen, grid


@dataclass(frozen=True, eq=False)
class _Pen:
    """Draws on one picture; ``pitch_px`` is what lines and letters are measured by."""

    canvas: Image8
    pitch_px: float

    def lines(self, points: Float, color: Bgr, width: float, *, closed: bool = False) -> None:
        """Draw a line through ``points``, shape (N, 2), ``width`` pitches wide with a dark edge."""
        core = max(1, round(width * self.pitch_px))
        path = [np.round(np.clip(points, -FAR_PX, FAR_PX) * 8).astype(np.int32)]
        for stroke, thickness in ((BLACK, core + max(2, core)), (color, core)):
            cv2.polylines(self.canvas, path, closed, stroke, thickness, cv2.LINE_AA, shift=3)

    def badge(self, middle: Float, text: str, text_px: float, colors: tuple[Bgr, Bgr], border: Bgr) -> None:
        """Write ``text`` in a box around ``middle``; ``colors`` are those of the box and of the text."""
        font, size_px = cv2.FontFace("sans"), max(MIN_TEXT_PX, round(text_px))
        wide, high = self.text_size(text, size_px)
        pad = max(2, round(0.22 * size_px))
        box = (wide + 2 * pad, high + 2 * pad)
        height, width = self.canvas.shape[:2]
        x0, y0 = (round(v) for v in np.clip(middle - np.array(box) / 2, -FAR_PX, FAR_PX))
        if x0 + box[0] < 0 or y0 + box[1] < 0 or x0 >= width or y0 >= height:
            return
        edge = max(1, round(0.09 * size_px))
        # what would be cut by the picture's edge moves in, so that it can be read
        x0 = min(max(x0, 2 * edge), width - box[0] - 2 * edge)
        y0 = min(max(y0, 2 * edge), height - box[1] - 2 * edge)
        x1, y1 = x0 + box[0], y0 + box[1]
        for grow, color in ((2 * edge, BLACK), (edge, border), (0, colors[0])):
            cv2.rectangle(self.canvas, (x0 - grow, y0 - grow), (x1 + grow, y1 + grow), color, cv2.FILLED)
        cv2.putText(self.canvas, text, (x0 + pad, y1 - pad), colors[1], font, size_px, 700)

    def text_size(self, text: str, size_px: int) -> tuple[int, int]:
        """Return width and height in pixels of ``text`` above the line that it stands on."""
        x, y, wide, high = cv2.getTextSize((0, 0), text, (0, 0), cv2.FontFace("sans"), size_px, 700)
        return wide + x, -y if y < 0 else high


def _draw_labels(pen: _Pen, grid: Grid) -> None:
    """Write A to D beside the rows and 1 to 5 over the columns, as near as the picture's edge allows."""
    rows = [(letter, (-LABEL_DISTANCE, row + 0.5)) for row, letter in enumerate("ABCD")]
    columns = [(str(column + 1), (column + 0.5, -LABEL_DISTANCE)) for column in range(COLUMNS)]
    text_px = LABEL_HEIGHT * pen.pitch_px
    edge = text_px * 0.8
    room = np.array(pen.canvas.shape[1::-1]) - edge
    for text, place in rows + columns:
        wanted = apply_homography(grid.homography, np.array([place]))[0]
        middle = np.clip(wanted, edge, room)
        if np.linalg.norm(middle - wanted) < pen.pitch_px:
            pen.badge(middle, text, text_px, (WHITE, BLACK), WHITE)


def _draw_badge(pen: _Pen, cell: CellReading, plane: Float, middle: Float) -> None:
    """Write what was read on that side of the die, or of the empty cell, that lies lowest in the picture."""
    die, doubt = cell.die, "?" if cell.doubtful else ""
    sides = np.array([[0, 1], [1, 0], [0, -1], [-1, 0]]) * BADGE_DISTANCE
    lowest = max(apply_homography(plane, middle + sides), key=lambda point: float(point[1]))
    outline = apply_homography(plane, middle + SQUARE).astype(np.float32)
    pen.badge(
        lowest,
        "?" if cell.covered else f"{die or '--'}{doubt}",
        TEXT_HEIGHT * min(cv2.contourArea(outline) ** 0.5, 2 * pen.pitch_px),
        BADGES[die.color] if die else (GREY, WHITE),
        DOUBT if cell.doubtful else WHITE,
    )


def _draw_window_name(pen: _Pen, grid: Grid, text: str) -> None:
    """Write the window's name into the corner of the picture farthest from the lattice, if one is free."""
    height, width = pen.canvas.shape[:2]
    text_px = max(MIN_TEXT_PX, round(LABEL_HEIGHT * pen.pitch_px))
    wide, high = pen.text_size(text, text_px)
    if wide > 0.9 * width:
        text_px = max(MIN_TEXT_PX, int(text_px * 0.9 * width / wide))
        wide, high = pen.text_size(text, text_px)
    inset_x, inset_y = wide / 2 + text_px, high / 2 + text_px
    places = [np.array([x, y]) for y in (inset_y, height - inset_y) for x in (inset_x, width - inset_x)]
    lattice = grid.corners_px.astype(np.float32)
    free = [-cv2.pointPolygonTest(lattice, (float(x), float(y)), measureDist=True) for x, y in places]
    if max(free) > 0:
        pen.badge(places[int(np.argmax(free))], text, text_px, (BLACK, WHITE), WHITE)
