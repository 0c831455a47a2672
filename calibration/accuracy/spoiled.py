"""Photos of single windows with one fault each: what phones, lamps and hands do to a picture.

Every fault takes a `Shot` and random numbers, and returns another shot: the changed picture, the label that
now holds, and how much of each space is hidden. What lies over a window is painted by
`calibration.accuracy.painted`; the faults here are those of cameras and light.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.accuracy.labels import LabelCorners, PhotoLabel, WindowLabel
from scoring.cells import COLUMNS
from vision import Corners
from vision.geometry import BOARD_CORNERS, CELL_CENTERS, FLOOR_HEIGHT, TOP_HEIGHT, Grid, apply_homography

Image8 = NDArray[np.uint8]
Float = NDArray[np.float64]
Random = np.random.Generator

BLUR_CELLS = 0.1  # standard deviation of the blur
SMALL_PX = 20  # pixels a cell
WORST_JPEG = 15
NOISE = 20.0  # of 255, standard deviation
GREEN, WARM, BLUE = (0.45, 1.0, 0.45), (0.45, 0.75, 1.0), (1.0, 0.8, 0.5)  # light, as shares of B, G and R
DARK, DARK_NOISE = 0.15, 3.0
TOP_HALF, FLOOR_HALF = 0.26, 0.32  # half sides, in pitches, of what matters of a die and of an empty space


@dataclass(frozen=True, eq=False)
class Shot:
    """A picture, uint8 H x W x 3 BGR, the label of the one window in it, and what of that is hidden.

    All corners of the window are known. ``hidden`` (20,) is the share of each cell that nobody can see: of
    the top of its die, or of the hole's floor where there is none.
    """

    image_bgr: Image8
    label: PhotoLabel
    hidden: Float = field(default_factory=lambda: np.zeros(20))

    @property
    def window(self) -> WindowLabel:
        """The window's label."""
        return self.label.windows[0]

    @property
    def dice(self) -> NDArray[np.bool_]:
        """Which cells (20,) hold a die."""
        return np.array([cell.die is not None for cell in self.window.cells])

    @cached_property
    def grid(self) -> Grid:
        """The window's lattice, with its dice as high as the label says where it does."""
        height, width = self.image_bgr.shape[:2]
        grid = Grid.from_corners(cast("Corners", self.window.corners), (width, height))
        tops = cast("list[list[float]] | None", self.label.keys.get("corners_at_die_tops"))
        if tops is None:
            return grid
        # top ~ base + rise: for each corner two equations that are linear in the three numbers of the rise.
        base = np.column_stack([BOARD_CORNERS, np.ones(4)]) @ grid.homography.T
        rows = np.array([row for x, y in tops for row in ([1, 0, -x], [0, 1, -y])])
        goals = (np.array(tops) * base[:, 2:] - base[:, :2]).ravel()
        return Grid(grid.homography, np.linalg.lstsq(rows, goals, rcond=None)[0])

    def under(self, image_bgr: Image8, cover: NDArray[np.bool_]) -> Shot:
        """Return the picture with something over it, which hides what ``cover`` (H x W) marks."""
        steps = np.linspace(-1, 1, 11)
        spots = np.stack(np.meshgrid(steps, steps), -1).reshape(-1, 2)
        last = np.array(cover.shape[::-1]) - 1
        shares = []
        for center, die in zip(CELL_CENTERS, self.dice, strict=True):
            half, height = (TOP_HALF, TOP_HEIGHT) if die else (FLOOR_HALF, FLOOR_HEIGHT)
            seen = apply_homography(self.grid.plane(height), center + spots * half).round()
            x, y = np.clip(seen, 0, last).astype(int).T
            shares.append(float(cover[y, x].mean()))
        return replace(self, image_bgr=image_bgr, hidden=np.array(shares))

    def with_window(self, image_bgr: Image8, window: WindowLabel) -> Shot:
        """Return another picture with what holds of its window."""
        size = {"width": image_bgr.shape[1], "height": image_bgr.shape[0]}
        label = replace(self.label, windows=(window,), keys={**self.label.keys, **size})
        return Shot(image_bgr, label)


Fault = Callable[[Shot, Random], Shot]


def gray(image: Image8, _: Random) -> NDArray[Any]:
    """Take the colors out, as a black-and-white mode does."""
    return np.repeat(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)[..., None], 3, axis=2)


def squeezed(image: Image8, _: Random) -> NDArray[Any]:
    """Keep the photo as a JPEG of bad quality."""
    data = cv2.imencode(".jpg", image, (cv2.IMWRITE_JPEG_QUALITY, WORST_JPEG))[1]
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR))


def noisy(image: Image8, rng: Random) -> NDArray[Any]:
    """Add the noise of a small sensor in the dark."""
    return image + rng.normal(0, NOISE, image.shape)


def dark(image: Image8, rng: Random) -> NDArray[Any]:
    """Take most of the light away."""
    return DARK * image + rng.normal(0, DARK_NOISE, image.shape)


def under_light(light: tuple[float, float, float], image: Image8, _: Random) -> NDArray[Any]:
    """Light the picture by a colored lamp, given as shares of blue, green and red."""
    return np.asarray(image * np.array(light))


def blurred(shot: Shot, _: Random) -> Shot:
    """Blur by a tenth of a cell."""
    blur = cv2.GaussianBlur(shot.image_bgr, (0, 0), BLUR_CELLS * shot.window.pitch_px)
    return replace(shot, image_bgr=as_picture(blur))


def small(shot: Shot, _: Random) -> Shot:
    """Reduce the photo until its cells are tiny."""
    scale = SMALL_PX / shot.window.pitch_px
    image = cv2.resize(shot.image_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    corners = tuple((x * scale, y * scale) for x, y in cast("Corners", shot.window.corners))
    return shot.with_window(as_picture(image), replace(shot.window, corners=cast("LabelCorners", corners)))


def mirrored(shot: Shot, _: Random) -> Shot:
    """Mirror the picture, as the camera on a phone's front does."""
    last = shot.image_bgr.shape[1] - 1
    a, b, c, d = ((last - x, y) for x, y in cast("Corners", shot.window.corners))
    cells = (replace(cell, column=COLUMNS - 1 - cell.column) for cell in shot.window.cells)
    ordered = tuple(sorted(cells, key=lambda cell: (cell.row, cell.column)))
    # A mirrored card is none of the game's.
    window = replace(shot.window, cells=ordered, corners=(b, a, d, c), name=None)
    return shot.with_window(np.ascontiguousarray(shot.image_bgr[:, ::-1]), window)


def of_pixels(change: Callable[[Image8, Random], NDArray[Any]]) -> Fault:
    """Return the fault that changes the pixels alone."""
    return lambda shot, rng: replace(shot, image_bgr=as_picture(change(shot.image_bgr, rng)))


def as_picture(values: NDArray[Any]) -> Image8:
    """Return pixels as uint8, what is too dark or too bright as black or white."""
    return np.clip(np.round(values), 0, 255).astype(np.uint8)


SPOILED: Mapping[str, Fault] = {
    "gray": of_pixels(gray),
    "blur of a tenth of a cell": blurred,
    "green light": of_pixels(partial(under_light, GREEN)),
    "cells of 20 pixels": small,
    "JPEG of quality 15": of_pixels(squeezed),
    "noise": of_pixels(noisy),
    "warm lamp": of_pixels(partial(under_light, WARM)),
    "blue lamp": of_pixels(partial(under_light, BLUE)),
    "darkness": of_pixels(dark),
    "mirrored": mirrored,
}
