"""The helper sheet that people print: markers, grays and colors at known places, in millimeters.

This layout is what is drawn (`webapp.artwork.sheet`, the synthetic scenes) and what is looked for
(`vision.markers`), so both always agree. Coordinates are those of the strip that is cut out of the page: x to
the right, y down, from its top left corner. All are multiples of half a millimeter, so that at an even number
of pixels a millimeter every edge falls between two pixels.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

RGB = tuple[int, int, int]

WIDTH_MM, HEIGHT_MM = 170.0, 50.0
"""Of the strip: as long as a window is tall, so that its plane is known well, and narrow beside it."""

DICTIONARY = cv2.aruco.DICT_4X4_50
MODULE_MM = 3.0
MODULES = 6  # along a side of a marker: four bits and a black border around them
MARKER_MM = MODULES * MODULE_MM
MARKERS = {3: (4.0, 4.0), 11: (148.0, 4.0), 24: (148.0, 28.0), 42: (4.0, 28.0)}
"""Top left corners of the markers by their number. In 52 labelled photos without a sheet the detector takes
something for marker 17 or 37 four times, never for one of these."""

PITCH_MM = 17.0
"""From cell to cell of a window."""

INK: RGB = (0, 0, 0)


@dataclass(frozen=True)
class Rectangle:
    """A rectangle: its top left corner, width and height in millimeters, and its color in sRGB, 0-255."""

    x: float
    y: float
    width: float
    height: float
    rgb: RGB

    def moved(self, x: float, y: float, scale: float = 1.0) -> Rectangle:
        """Return it as a part of something that is drawn ``scale`` times as large at ``x`` and ``y``."""
        width, height = self.width * scale, self.height * scale
        return Rectangle(x + self.x * scale, y + self.y * scale, width, height, self.rgb)


@dataclass(frozen=True)
class Patch:
    """A place of one color, to measure; ``neutral`` where it is the paper or a gray."""

    place: Rectangle
    neutral: bool


WHITE, LIGHT, GRAY, BLACK = (255, 255, 255), (190, 190, 190), (115, 115, 115), (0, 0, 0)
_BARS: tuple[RGB, ...] = (
    LIGHT,
    (200, 40, 45),  # red, yellow, green, blue and purple about as the game's dice are
    (240, 200, 40),
    (30, 140, 75),
    GRAY,
    BLACK,
    (225, 180, 150),  # skin, pale and dark
    GRAY,
    (30, 105, 175),
    (125, 60, 145),
    (140, 90, 65),
    LIGHT,
)
_FIRST_MM, _BAR_MM, _STEP_MM, _TOP_MM = 28.0, 8.0, 9.5, 4.0


def _patches() -> tuple[Patch, ...]:
    """Return the paper between the markers, and bars: squares might be taken for dice or for spaces."""
    tall = HEIGHT_MM - 2 * _TOP_MM
    whites = [Rectangle(x, _TOP_MM + MARKER_MM, MARKER_MM, 6.0, WHITE) for x in (4.0, 148.0)]
    bars = [
        Rectangle(_FIRST_MM + k * _STEP_MM, _TOP_MM, _BAR_MM, tall, color) for k, color in enumerate(_BARS)
    ]
    return tuple(Patch(place, len(set(place.rgb)) == 1) for place in (*whites, *bars))


PATCHES = _patches()


def marker_corners(number: int) -> NDArray[np.float64]:
    """Return the corners (4, 2) of a marker in millimeters, clockwise from its top left."""
    return np.array(MARKERS[number]) + np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * MARKER_MM


@cache
def shapes() -> tuple[Rectangle, ...]:
    """Return all ink of the strip, what lies over something after it; of a marker the black modules."""
    dictionary = cv2.aruco.getPredefinedDictionary(DICTIONARY)
    drawn = []
    for number, (x, y) in MARKERS.items():
        for row, bits in enumerate(cv2.aruco.generateImageMarker(dictionary, number, MODULES)):
            # Neighbors in a row are one piece, or printers leave hairlines between them.
            edges = np.flatnonzero(np.diff(np.concatenate([[0], bits == 0, [0]]).astype(int)))
            drawn += [
                Rectangle(
                    x + start * MODULE_MM,
                    y + row * MODULE_MM,
                    (stop - start) * MODULE_MM,
                    MODULE_MM,
                    INK,
                )
                for start, stop in edges.reshape(-1, 2).tolist()
            ]
    return (*drawn, *(one.place for one in PATCHES if one.place.rgb != WHITE))


def painted(
    rectangles: Iterable[Rectangle], size_mm: tuple[float, float], px_per_mm: int
) -> NDArray[np.uint8]:
    """Return rectangles on white paper, uint8 H x W x 3, BGR.

    Parameters
    ----------
    rectangles
        In millimeters from the paper's top left corner.
    size_mm
        (width, height) of the paper.
    px_per_mm
        Pixels of a millimeter.
    """
    width, height = (round(side * px_per_mm) for side in size_mm)
    paper = np.full((height, width, 3), 255, np.uint8)
    for one in rectangles:
        x0, y0, x1, y1 = (
            round(side * px_per_mm) for side in (one.x, one.y, one.x + one.width, one.y + one.height)
        )
        paper[y0:y1, x0:x1] = one.rgb[::-1]
    return paper
