"""Where the printed helper sheet lies in a photo, and what its grays and colors say of the light."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import sheet
from vision.geometry import apply_homography, are_inside
from vision.photo import Photo, brightest_bgr

Float = NDArray[np.float64]
Image8 = NDArray[np.uint8]

SEARCH_PX = 1200
"""The longer side of the picture in which the markers are looked for, or half the photo's where that is more:
their modules are 3 mm, and those of a sheet beside a window that fills its photo then still some 4 pixels."""
MIN_SIDE_PX = 9.0  # of a marker in that picture: smaller ones are never told apart
MARKERS_ENOUGH = 2
# Of a marker's side, by which a corner may lie beside where the plane has it: of 56 drawn photos 0.02 at most
# in 40, and 0.08 in all but one of the others.
MAX_APART = 0.12

# How far a light is from white, in natural logarithms of sRGB values: red against blue, and green against
# both, which counts for more as the reader knows warm and cold light but hardly green and pink. Of 42 sample
# and real photos the brightest half percent reaches 0.36, half of them 0.08.
TINT_COUNTS = 2.5
STRONG_CAST = 0.35
# Share of the sheet's cast that the photo's own brightest places must show. Of 29 drawn photos in which one
# lamp lights the whole table it is 0.5 to 1.1; of 8 with two, in whose other light the sheet may lie, it is
# below 0.5 where the sheet's cast is strong.
CONFIRMED = 0.5
MAX_GAIN = 20.0  # in linear light; of a channel with less than a twentieth only noise would come

AROUND_MM = np.array([[0, -110], [0, 110], [-160, 0], [160, 0]], dtype=np.float64)
"""Middles of the places around the strip's own where a window may lie."""

PX_PER_MM = 4
INSET_MM = 1.5  # of a patch that is left out along its edges, where colors run into each other
MAX_SPREAD = 26.0  # steps of 255 between the quarters of a patch: more, and something lies over it
MIN_WHITE = 12.0  # steps of 255: what is darker says nothing of the light


@dataclass(frozen=True, eq=False)
class Sheet:
    """A helper sheet in a photo.

    ``homography`` (3 x 3) takes millimeters on the strip to pixels of the photo. ``colors`` (N, 3) are what
    the patches of the layout show, BGR, 0-255, and ``seen`` (N,) which of them can be seen.
    """

    homography: Float
    colors: Float
    seen: NDArray[np.bool_]

    @property
    def outline_px(self) -> Float:
        """The corners (4, 2) of the strip in pixels."""
        corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * [sheet.WIDTH_MM, sheet.HEIGHT_MM]
        return apply_homography(self.homography, corners)

    def covers(self, point: Float) -> bool:
        """Return whether a point (x, y) of the photo lies on the strip."""
        x, y = map(float, point)
        return cv2.pointPolygonTest(self.outline_px.astype(np.float32), (x, y), measureDist=False) >= 0

    @property
    def white_bgr(self) -> Float | None:
        """What white paper looks like in this light, (3,) BGR, 0-255; None where the sheet does not tell.

        Printers are not colorimetric, but paper is about white and grays are nearly gray. So the light is
        that of the paper, and the grays only have to be what they are: darker, one after the other.
        """
        steps = [self._of(color) for color in (sheet.WHITE, sheet.LIGHT, sheet.GRAY, sheet.BLACK)]
        known = [one.mean() for one in steps if one is not None]
        if steps[0] is None or len(known) < 3 or (np.diff(known) >= 0).any() or steps[0].max() < MIN_WHITE:
            return None
        return steps[0]

    def _of(self, rgb: sheet.RGB) -> Float | None:
        """Return the mean color of the patches of a color that can be seen, None without one."""
        same = np.array([patch.place.rgb == rgb for patch in sheet.PATCHES]) & self.seen
        return np.asarray(self.colors[same].mean(axis=0)) if same.any() else None


@cache
def _detector() -> cv2.aruco.ArucoDetector:
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(sheet.DICTIONARY))


def find_sheet(image_bgr: Image8) -> Sheet | None:
    """Find the printed helper sheet in a photo.

    Parameters
    ----------
    image_bgr
        Photo, uint8 H x W x 3, BGR.

    Returns
    -------
    Sheet or None
        None where fewer than two of its markers are seen, or they do not lie as on the sheet.
    """
    scale = min(1.0, max(0.5, SEARCH_PX / max(image_bgr.shape[:2])))
    small = cv2.resize(image_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    corners, numbers, _ = _detector().detectMarkers(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY))
    ours = [
        (int(number), np.asarray(found[0], dtype=np.float64))
        for found, number in zip(corners, np.ravel(numbers) if corners else (), strict=True)
        if int(number) in sheet.MARKERS and _side(found[0]) >= MIN_SIDE_PX
    ]
    if len({number for number, _ in ours}) != len(ours) or len(ours) < MARKERS_ENOUGH:
        return None
    gray = np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    points = np.concatenate([_exact(gray, (found + 0.5) / scale - 0.5) for _, found in ours])
    places = np.concatenate([sheet.marker_corners(number) for number, _ in ours])
    matrix = np.asarray(cv2.findHomography(places, points)[0], dtype=np.float64)
    if matrix.shape != (3, 3) or np.linalg.det(matrix) <= 0:
        return None
    apart = np.linalg.norm(apply_homography(matrix, places) - points, axis=1).max()
    if apart > MAX_APART * min(_side(found) for _, found in ours) / scale:
        return None
    return Sheet(matrix, *_measured(image_bgr, matrix))


def _side(corners: NDArray[np.floating]) -> float:
    """Return the shortest side of a marker, (4, 2)."""
    return float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).min())


def _exact(gray: Image8, corners: Float) -> Float:
    """Return the corners of a marker as the photo itself shows them, within half a module."""
    half = int(np.clip(0.4 * _side(corners) / sheet.MODULES, 1, 12))
    ends = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 30, 0.02)
    start = corners.astype(np.float32)[:, None]
    exact = cv2.cornerSubPix(gray, start.copy(), (half, half), (-1, -1), ends)
    moved = np.linalg.norm(exact - start, axis=2) <= half
    return np.where(moved, exact[:, 0], start[:, 0]).astype(np.float64)


def _measured(image_bgr: Image8, homography: Float) -> tuple[Float, NDArray[np.bool_]]:
    """Return the color (N, 3) of each patch, and which (N,) are seen and of one color."""
    k = PX_PER_MM
    to_photo = homography @ np.array([[1 / k, 0, 0.5 / k], [0, 1 / k, 0.5 / k], [0, 0, 1]])
    flat = cv2.warpPerspective(
        image_bgr,
        to_photo,
        (round(sheet.WIDTH_MM * k), round(sheet.HEIGHT_MM * k)),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
    )
    size = (image_bgr.shape[1], image_bgr.shape[0])
    colors, seen = [], []
    for patch in sheet.PATCHES:
        one = patch.place
        x0, x1 = one.x + INSET_MM, one.x + one.width - INSET_MM
        y0, y1 = one.y + INSET_MM, one.y + one.height - INSET_MM
        pixels = flat[round(y0 * k) : round(y1 * k), round(x0 * k) : round(x1 * k)].reshape(-1, 3)
        low, middle, high = np.quantile(pixels, (0.25, 0.5, 0.75), axis=0)
        corners = apply_homography(homography, np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]]))
        colors.append(middle)
        seen.append(bool((high - low).max() <= MAX_SPREAD and are_inside(corners, size).all()))
    return np.array(colors), np.array(seen)


class Helper:
    """The helper sheet of one photo, which is looked for when it is first asked for.

    Parameters
    ----------
    image_bgr
        The photo, bright enough to read, uint8 H x W x 3, BGR.
    """

    def __init__(self, image_bgr: Image8) -> None:
        self._image_bgr = image_bgr

    @cached_property
    def sheet(self) -> Sheet | None:
        """The sheet, None where there is none."""
        return find_sheet(self._image_bgr)

    def places(self) -> Iterator[Float]:
        """Yield homographies (3 x 3) from pitches around places beside the sheet to pixels of the photo.

        They are of the table's plane; frames stand a third of a pitch above it.
        """
        if self.sheet is None:
            return
        height, width = self._image_bgr.shape[:2]
        matrix, k = self.sheet.homography, sheet.PITCH_MM
        middles = AROUND_MM + np.array([sheet.WIDTH_MM, sheet.HEIGHT_MM]) / 2
        for x, y in middles.tolist():
            place = matrix @ np.array([[k, 0, x], [0, k, y], [0, 0, 1]])
            before_camera = place[2, 2] * matrix[2, 2] > 0
            if before_camera and are_inside(apply_homography(place, np.zeros((1, 2))), (width, height)).all():
                yield np.asarray(place)


def in_white_of(helper: Helper, photo: Photo) -> Photo:
    """Return the photo as in white light where the sheet's paper tells that its own is far from that.

    One gain a channel, in linear light. The printed colors help no further: with a matrix fitted to all
    patches, drawn windows come no nearer to their colors in white light (docs/accuracy.md).
    """
    own = _cast(brightest_bgr(photo))
    if np.linalg.norm(own) < CONFIRMED * STRONG_CAST or helper.sheet is None:
        return photo
    white = helper.sheet.white_bgr
    if white is None:
        return photo
    cast = _cast(white)
    strength = float(np.linalg.norm(cast))
    if strength < STRONG_CAST or own @ cast < CONFIRMED * strength**2:
        return photo
    linear = _linear(white / 255)
    gains = np.minimum(linear.max() / np.maximum(linear, 1e-6), MAX_GAIN)
    steps = _srgb(np.clip(_linear(np.arange(256)[:, None] / 255) * gains, 0, 1)) * 255
    table = steps.round().astype(np.uint8)[None]
    mended = np.asarray(cv2.LUT(photo.image_bgr, table), dtype=np.uint8)
    return replace(photo, image_bgr=mended, was_colored=True)


def _cast(white_bgr: Float) -> Float:
    """Return how far what should be white is from it, (2,): warmth, and tint as it counts."""
    blue, green, red = np.log(np.maximum(white_bgr, 1.0))
    return np.array([red - blue, TINT_COUNTS * (green - (red + blue) / 2)])


def _linear(srgb: Float) -> Float:
    """Return linear light from sRGB values, both from 0 to 1 (IEC 61966-2-1)."""
    return np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)


def _srgb(linear: Float) -> Float:
    """Return the opposite of `_linear`."""
    return np.where(linear <= 0.0031308, linear * 12.92, 1.055 * linear ** (1 / 2.4) - 0.055)
