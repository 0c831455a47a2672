"""Photos of single windows with one fault each: what phones, lamps and hands do to a picture.

Every fault takes a `Shot` and random numbers, and returns another shot: with the changed picture, and with
the label that now holds. What a finger or a flash spot hides is `hidden` there, what they hide in part
unreadable.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.accuracy.labels import CellLabel, LabelCorners, PhotoLabel, WindowLabel
from scoring.cells import COLUMNS, ROWS
from vision.geometry import apply_homography

Image8 = NDArray[np.uint8]
Float = NDArray[np.float64]
Random = np.random.Generator

BLUR_CELLS = 0.1  # standard deviation of the blur
SMALL_PX = 20  # pixels a cell
WORST_JPEG = 15
NOISE = 20.0  # of 255, standard deviation
GREEN, WARM, BLUE = (0.45, 1.0, 0.45), (0.45, 0.75, 1.0), (1.0, 0.8, 0.5)  # light, as shares of B, G and R
DARK, DARK_NOISE = 0.15, 3.0
SKIN_BGR = (115, 150, 205)
FINGER_CELLS = 0.66  # radius of a thumb that hides a cell whole
SPOT_CELLS, SPOT_RIM_CELLS = 0.38, 0.55  # a flash spot: blank so far out, and gone there
HIDDEN, IN_VIEW = 0.85, 0.05  # shares of a cell: covered so much nobody can read it, so little anybody can
CELL_SAMPLES = 15  # a side


@dataclass(frozen=True, eq=False)
class Shot:
    """A picture, uint8 H x W x 3 BGR, and the label of the one window in it, whose corners are all known."""

    image_bgr: Image8
    label: PhotoLabel

    @property
    def window(self) -> WindowLabel:
        """The window's label."""
        return self.label.windows[0]

    @property
    def cell_px(self) -> float:
        """How wide a cell is, in pixels."""
        return self.window.pitch_px

    def with_window(self, image_bgr: Image8, window: WindowLabel) -> Shot:
        """Return another picture with what holds of its window."""
        size = {"width": image_bgr.shape[1], "height": image_bgr.shape[0]}
        label = replace(self.label, windows=(window,), keys={**self.label.keys, **size})
        return Shot(image_bgr, label)


Fault = Callable[[Shot, Random], Shot]


def finger(shot: Shot, random: Random) -> Shot:
    """Lay a finger over a corner space, from outside the window."""
    row, column = int(random.choice([0, ROWS - 1])), int(random.choice([0, COLUMNS - 1]))
    corner = np.array([column + 0.5, row + 0.5])
    outward = (corner - np.array([COLUMNS / 2, ROWS / 2])) / np.array([COLUMNS / 2, ROWS / 2])
    outward += random.normal(0, 0.25, 2)
    tip, far = apply_homography(_plane(shot), np.array([corner - 0.1 * outward, corner + outward]))
    along = (far - tip) / np.linalg.norm(far - tip)
    radius = FINGER_CELLS * shot.cell_px
    height, width = shot.image_bgr.shape[:2]
    y, x = np.mgrid[:height, :width].astype(np.float32)
    past = (x - tip[0]) * along[0] + (y - tip[1]) * along[1]
    aside = (x - tip[0]) * -along[1] + (y - tip[1]) * along[0]
    off = np.hypot(np.minimum(past, 0), aside) / radius
    alpha = np.clip((1 - off) * radius / 1.5, 0, 1)
    bright = np.percentile(shot.image_bgr.max(axis=2), 95) / 235
    skin = np.array(SKIN_BGR) * random.uniform(0.7, 1.1) * bright
    shading = 0.55 + 0.45 * np.sqrt(np.clip(1 - off**2, 0, 1)) * (1 + 0.15 * aside / radius)
    shadow = 1 - 0.35 * cv2.GaussianBlur(alpha, (0, 0), 0.25 * shot.cell_px)
    drawn = shot.image_bgr * shadow[..., None]
    drawn += alpha[..., None] * (shading[..., None] * skin - drawn)
    return _covered(shot, drawn, alpha)


def flash_spot(shot: Shot, random: Random) -> Shot:
    """Let a flash blind the top of one die."""
    cells = [cell for cell in shot.window.cells if cell.die]
    if not cells:
        return shot
    cell = cells[int(random.integers(len(cells)))]
    middle = np.array([[cell.column + 0.5, cell.row + 0.5]])
    (center,) = apply_homography(_plane(shot, tops=True), middle)
    height, width = shot.image_bgr.shape[:2]
    y, x = np.mgrid[:height, :width].astype(np.float32)
    off = np.hypot(x - center[0], y - center[1]) / shot.cell_px
    light = np.clip((SPOT_RIM_CELLS - off) / (SPOT_RIM_CELLS - SPOT_CELLS), 0, 1)
    drawn = shot.image_bgr + light[..., None] * (255.0 - shot.image_bgr)
    hidden = replace(cell, readable=False, hidden=True)
    changed = tuple(hidden if one is cell else one for one in shot.window.cells)
    return shot.with_window(_bytes(drawn), replace(shot.window, cells=changed))


def gray(shot: Shot, _: Random) -> Shot:
    """Take the colors out, as a black-and-white mode does."""
    values = cv2.cvtColor(shot.image_bgr, cv2.COLOR_BGR2GRAY)
    return replace(shot, image_bgr=np.repeat(np.asarray(values, dtype=np.uint8)[..., None], 3, axis=2))


def blurred(shot: Shot, _: Random) -> Shot:
    """Blur by a tenth of a cell."""
    return replace(
        shot, image_bgr=_bytes(cv2.GaussianBlur(shot.image_bgr, (0, 0), BLUR_CELLS * shot.cell_px))
    )


def small(shot: Shot, _: Random) -> Shot:
    """Reduce the photo until its cells are tiny."""
    scale = SMALL_PX / shot.cell_px
    image = cv2.resize(shot.image_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    points = [(x * scale, y * scale) for x, y in _corners(shot.window)]
    corners = cast("LabelCorners", tuple(points))
    return shot.with_window(np.asarray(image, dtype=np.uint8), replace(shot.window, corners=corners))


def squeezed(shot: Shot, _: Random) -> Shot:
    """Keep the photo as a JPEG of bad quality."""
    data = cv2.imencode(".jpg", shot.image_bgr, (cv2.IMWRITE_JPEG_QUALITY, WORST_JPEG))[1]
    image = cv2.imdecode(data, cv2.IMREAD_COLOR)
    return shot if image is None else replace(shot, image_bgr=np.asarray(image, dtype=np.uint8))


def noisy(shot: Shot, random: Random) -> Shot:
    """Add the noise of a small sensor in the dark."""
    return replace(shot, image_bgr=_bytes(shot.image_bgr + random.normal(0, NOISE, shot.image_bgr.shape)))


def dark(shot: Shot, random: Random) -> Shot:
    """Take most of the light away."""
    noise = random.normal(0, DARK_NOISE, shot.image_bgr.shape)
    return replace(shot, image_bgr=_bytes(DARK * shot.image_bgr + noise))


def mirrored(shot: Shot, _: Random) -> Shot:
    """Mirror the picture, as the camera on a phone's front does."""
    last = shot.image_bgr.shape[1] - 1
    top_left, top_right, bottom_right, bottom_left = ((last - x, y) for x, y in _corners(shot.window))
    corners = (top_right, top_left, bottom_left, bottom_right)
    cells = (replace(cell, column=COLUMNS - 1 - cell.column) for cell in shot.window.cells)
    ordered = tuple(sorted(cells, key=lambda cell: (cell.row, cell.column)))
    # A mirrored card is none of the game's.
    window = replace(shot.window, cells=ordered, corners=corners, name=None)
    return shot.with_window(np.ascontiguousarray(shot.image_bgr[:, ::-1]), window)


def under(light: tuple[float, float, float]) -> Fault:
    """Return the fault of a colored light, given as shares of blue, green and red."""

    def lit(shot: Shot, _: Random) -> Shot:
        return replace(shot, image_bgr=_bytes(shot.image_bgr * np.array(light)))

    return lit


FAULTS: Mapping[str, Fault] = {
    "none": lambda shot, _: shot,
    "finger over a corner": finger,
    "flash spot on a die": flash_spot,
    "gray": gray,
    "blur of a tenth of a cell": blurred,
    "green light": under(GREEN),
    "cells of 20 pixels": small,
    "JPEG of quality 15": squeezed,
    "noise": noisy,
    "warm lamp": under(WARM),
    "blue lamp": under(BLUE),
    "darkness": dark,
    "mirrored": mirrored,
}
"""Each fault by its name; the first is a photo as it is."""


def _covered(shot: Shot, drawn: Float, alpha: NDArray[np.float32]) -> Shot:
    """Return a shot over which something was laid with ``alpha`` (H x W), 1 where nothing shows through."""
    cells = tuple(_under(cell, shot, alpha) for cell in shot.window.cells)
    return shot.with_window(_bytes(drawn), replace(shot.window, cells=cells))


def _under(cell: CellLabel, shot: Shot, alpha: NDArray[np.float32]) -> CellLabel:
    steps = (np.arange(CELL_SAMPLES) + 0.5) / CELL_SAMPLES
    points = np.array([(cell.column + x, cell.row + y) for y in steps for x in steps])
    shares = []
    for tops in (False, cell.die is not None):
        spots = apply_homography(_plane(shot, tops=tops), points).round().astype(int)
        x, y = np.clip(spots, 0, np.array(alpha.shape[::-1]) - 1).T
        shares.append(float(alpha[y, x].mean()))
    if min(shares) >= HIDDEN:
        return replace(cell, readable=False, hidden=True)
    return cell if max(shares) <= IN_VIEW else replace(cell, die=None, readable=False)


def _plane(shot: Shot, *, tops: bool = False) -> Float:
    """Return the homography from board coordinates to the picture, on the frame or at the dice's tops."""
    board = np.array([(0, 0), (COLUMNS, 0), (COLUMNS, ROWS), (0, ROWS)], dtype=np.float32)
    corners = shot.label.keys.get("corners_at_die_tops") if tops else None
    points = np.array(corners if corners is not None else _corners(shot.window), dtype=np.float32)
    return np.asarray(cv2.getPerspectiveTransform(board, points), dtype=np.float64)


def _corners(window: WindowLabel) -> list[tuple[float, float]]:
    return [point for point in window.corners if point is not None]


def _bytes(values: NDArray[Any]) -> Image8:
    return np.clip(np.round(values), 0, 255).astype(np.uint8)
