"""Where the window lies in the photo: its plane, and the planes above and below it.

Board coordinates count pitches: x from 0 (left edge of column 1) to 5, y from 0 (upper edge of
row A) to 4. A horizontal plane at another height than the frame's surface has almost the same
homography: only the last column differs, by the height times one vector (Hartley & Zisserman,
Multiple View Geometry, 2nd ed., section 8.1: H = K [r1 r2 t + z r3]).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading import Corners

Float = NDArray[np.float64]
Float32 = NDArray[np.float32]
Image8 = NDArray[np.uint8]
Mask = NDArray[np.bool_]
Thing = TypeVar("Thing")

ROWS, COLUMNS = 4, 5
MIN_PITCH_PX = 9.0  # pixels per pitch; smaller dice cannot be read
SHARPER = 1.5  # how much finer a photo may be than what is made of it without being averaged first
BOARD_CORNERS = np.array([[0, 0], [COLUMNS, 0], [COLUMNS, ROWS], [0, ROWS]], dtype=np.float64)

SQUARE = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2  # corners of a cell around its middle
MIDDLE_OF_BOARD = np.array([COLUMNS, ROWS]) / 2
#: Middles of the 20 cells in board coordinates, shape (20, 2), row by row.
CELL_CENTERS = np.array([[c + 0.5, r + 0.5] for r in range(ROWS) for c in range(COLUMNS)])

DIE_EDGE = 0.69
"""Edge of a die in pitches: 12 mm of about 17."""

TOP_HEIGHT = 1.0
"""Height of the dice's top faces over the frame's surface, in the unit of ``Grid.rise``."""

FLOOR_HEIGHT = -0.22
"""Height of the card under the holes in the same unit: about -0.12 of 0.55 pitch."""


def apply_homography(homography: Float, points: Float) -> Float:
    """Map points, shape (N, 2), by a 3 x 3 homography."""
    mapped = points @ homography[:, :2].T + homography[:, 2]
    return mapped[:, :2] / mapped[:, 2:]


def are_inside(points: Float, size: tuple[int, int]) -> Mask:
    """Return which points, shape (N, 2), lie in a picture of (width, height) pixels."""
    x, y = points.T
    return np.asarray((x >= 0) & (y >= 0) & (x <= size[0] - 1) & (y <= size[1] - 1))


def strongest(pixels: NDArray[Any]) -> NDArray[Any]:
    """Return the strongest of the three channels of each pixel, (H, W) of (H, W, 3)."""
    first, second, third = np.moveaxis(pixels, -1, 0)  # NumPy's own maximum along so short an axis is slow
    return np.asarray(np.maximum(np.maximum(first, second), third))


def is_within(outline: Float, point: Iterable[float]) -> bool:
    """Return whether a point (x, y) lies in an outline, shape (N, 2), or on it."""
    x, y = map(float, point)
    return cv2.pointPolygonTest(outline.astype(np.float32), (x, y), measureDist=False) >= 0


def without_doubles(things: Iterable[Thing], are_same: Callable[[Thing, Thing], bool]) -> list[Thing]:
    """Return things without those that are the same as an earlier one."""
    kept: list[Thing] = []
    for one in things:
        if not any(are_same(one, other) for other in kept):
            kept.append(one)
    return kept


def as_corners(points: Float) -> Corners:
    """Return four points, shape (4, 2), as the corners of a reading."""
    a, b, c, d = ((float(x), float(y)) for x, y in points)
    return a, b, c, d


@dataclass(frozen=True, eq=False)
class Grid:
    """The 4 x 5 lattice in a photo.

    ``homography`` (3 x 3) takes board coordinates on the frame's surface to pixels of the
    upright photo. ``rise`` (3,) is what to add to its last column to reach the plane of the
    dice's top faces, for the homography as it is scaled here. ``upright_probability`` is how
    sure it is that row A is on the art's side.
    """

    homography: Float
    rise: Float
    upright_probability: float = 1.0

    @classmethod
    def from_corners(cls, corners: Corners, size: tuple[int, int]) -> Grid:
        """Make a grid from the four corners, in pixels and board order, and the photo's size."""
        ends = np.array(corners, dtype=np.float32)
        homography = cv2.getPerspectiveTransform(BOARD_CORNERS.astype(np.float32), ends).astype(np.float64)
        return cls(homography, estimate_rise(homography, size))

    def plane(self, height: float) -> Float:
        """Return the homography of the plane at ``height`` (0 surface, 1 tops of the dice)."""
        lifted = self.homography.copy()
        lifted[:, 2] += height * self.rise
        return lifted

    def to_board(self, point: Float, height: float = 0.0) -> Float:
        """Return where a point (x, y) of the photo is in board coordinates, on the plane at ``height``."""
        to_board = np.asarray(np.linalg.inv(self.plane(height)), dtype=np.float64)
        return np.asarray(apply_homography(to_board, point[None])[0])

    @property
    def corners_px(self) -> Float:
        """The corners on the frame's surface, shape (4, 2), in board order."""
        return apply_homography(self.homography, BOARD_CORNERS)

    @property
    def pitch_px(self) -> float:
        """Mean distance of neighboring cells in pixels."""
        centers = apply_homography(self.homography, CELL_CENTERS).reshape(ROWS, COLUMNS, 2)
        across = np.linalg.norm(np.diff(centers, axis=1), axis=-1)
        down = np.linalg.norm(np.diff(centers, axis=0), axis=-1)
        return float(np.concatenate([across.ravel(), down.ravel()]).mean())

    def seen_by(self, to_picture: Float) -> Grid:
        """Return the same lattice in a picture that a 3 x 3 matrix takes the photo's pixels to."""
        return Grid(to_picture @ self.homography, to_picture @ self.rise, self.upright_probability)

    def rotated_180(self) -> Grid:
        """Return the same lattice counted from the opposite corner."""
        turn = np.array([[-1, 0, COLUMNS], [0, -1, ROWS], [0, 0, 1.0]])
        return Grid(self.homography @ turn, self.rise, 1 - self.upright_probability)


# On all labelled photos the cosine stays below 0.05 and the ratio within 0.92 to 1.15.
MAX_SKEW_COSINE, MAX_SIDE_RATIO = 0.25, 1.4
USUAL_FOCAL = 1.05  # focal length of a usual phone in long sides of the photo, 51 degrees
# Pitches by which tops stand over the surface, as the marks say of 16 windows seen from low down.
USUAL_HEIGHT = 0.5
FOCALS = (USUAL_FOCAL, 0.75, 1.6, 2.4)  # and of its wide and its long lenses, or of a picture cut smaller


PANORAMA = 2.5  # so many times longer than high is a photo made of several, each about 4 : 3


def long_side(size: tuple[int, int]) -> float:
    """Return the longer side, in pixels, of what a camera saw at once of a photo of (width, height)."""
    return max(size) if max(size) < PANORAMA * min(size) else min(size) * 4 / 3


def is_plausible(homography: Float, size: tuple[int, int]) -> bool:
    """Return whether a phone could see a lattice of squares like this.

    Parameters
    ----------
    homography
        3 x 3, board coordinates to pixels.
    size
        (width, height) of the photo in pixels.
    """
    return _focal_of(homography, size) is not None


def is_usual(homography: Float, size: tuple[int, int]) -> bool:
    """Return whether the usual lens sees a lattice like this, for parameters as those of `is_plausible`."""
    return _focal_of(homography, size) == USUAL_FOCAL * long_side(size)


def _focal_of(homography: Float, size: tuple[int, int]) -> float | None:
    """Return the first usual focal length, in pixels, through which a lattice is one of squares."""
    # Seen through the inverse of the camera matrix the two directions of a square lattice are at right angles
    # and of one length (Zhang 2000, the two constraints on a homography).
    for focal in np.array(FOCALS) * long_side(size):
        seen = camera_inverse(size, focal, _place_of(homography)) @ homography
        a, b = seen[:, 0], seen[:, 1]
        lengths = np.linalg.norm(a), np.linalg.norm(b)
        if min(lengths) < 1e-12:
            return None
        cosine = abs(a @ b) / (lengths[0] * lengths[1])
        if cosine < MAX_SKEW_COSINE and 1 / MAX_SIDE_RATIO < lengths[0] / lengths[1] < MAX_SIDE_RATIO:
            return float(focal)
    return None


def homography_by_lens(board: Float, pixels: Float, size: tuple[int, int]) -> Float | None:
    """Return the homography that fits marks best of those through which a phone sees a lattice of squares.

    In a small window a pixel's error of a mark makes more perspective than there is. A camera that is known
    leaves six numbers to the marks, a homography eight. They are found for each usual lens (Collins and
    Bartoli 2014, "Infinitesimal plane-based pose estimation"); None where none can be.

    Parameters
    ----------
    board, pixels
        Where at least four marks are, (N, 2) each: in board coordinates and in pixels of the photo.
    size
        (width, height) of the photo in pixels.
    """
    flat = np.column_stack([board - MIDDLE_OF_BOARD, np.zeros(len(board))])
    found: list[tuple[float, Float]] = []
    for focal in np.array(FOCALS) * long_side(size):
        camera = np.linalg.inv(camera_inverse(size, focal, pixels.mean(axis=0)))
        done, turn, shift = cv2.solvePnP(flat, pixels, camera, None, flags=cv2.SOLVEPNP_IPPE)
        if done:
            turn, shift = cv2.solvePnPRefineLM(flat, pixels, camera, None, turn, shift)
            pose = np.column_stack([cv2.Rodrigues(turn)[0][:, :2], shift])
            pose[:, 2] -= pose[:, :2] @ MIDDLE_OF_BOARD
            homography = np.asarray(camera @ pose, dtype=np.float64)
            found.append((float(np.linalg.norm(apply_homography(homography, board) - pixels)), homography))
    return min(found, key=lambda one: one[0], default=(0.0, None))[1]


def camera_inverse(size: tuple[int, int], focal: float, near: Float | None = None) -> Float:
    """Return the inverse of the camera matrix whose principal point is the photo's middle.

    A panorama is put together of photos: its principal point is the one of them that has what lies ``near``
    an (x, y) most in its middle.
    """
    middle = np.array(size) / 2
    if near is not None:
        reach = np.minimum(long_side(size) / 2, middle)
        middle = np.clip(near, reach, np.maximum(np.array(size) - reach, reach))
    return np.array([[1 / focal, 0, -middle[0] / focal], [0, 1 / focal, -middle[1] / focal], [0, 0, 1.0]])


def _place_of(homography: Float) -> Float:
    """Return where the middle of a lattice lies, (2,)."""
    return apply_homography(homography, MIDDLE_OF_BOARD[None]).reshape(2)


def estimate_rise(
    homography: Float, size: tuple[int, int], *, height: float = USUAL_HEIGHT, focal: float | None = None
) -> Float:
    """Estimate where the plane of the dice's tops lies from the surface's homography alone.

    The photo's middle is taken as principal point and the focal length, unless given in
    pixels, as that of a usual phone, or of a longer lens where the surface asks for one.

    Parameters
    ----------
    homography
        3 x 3, board coordinates to pixels.
    size
        (width, height) of the photo in pixels.
    height
        Height of the top faces over the surface in pitches.
    focal
        Focal length in pixels.
    """
    focal = focal or _focal_of(homography, size) or USUAL_FOCAL * long_side(size)
    k_inverse = camera_inverse(size, focal, _place_of(homography))
    b = k_inverse @ homography
    scale = np.sqrt(np.linalg.norm(b[:, 0]) * np.linalg.norm(b[:, 1]))
    b = b / scale
    if b[2, 2] < 0:
        b, scale = -b, -scale
    normal = np.cross(b[:, 0], b[:, 1])  # points away from the camera: x right, y down
    normal = -normal / np.linalg.norm(normal)
    return np.asarray(np.linalg.inv(k_inverse) @ normal * height * scale, dtype=np.float64)


def rectify(
    image_bgr: Image8, homography: Float, pitch_px: int, margin: float, beyond: int = cv2.BORDER_REPLICATE
) -> Image8:
    """Return the board seen straight from above.

    Parameters
    ----------
    image_bgr
        Photo, uint8 H x W x 3, BGR.
    homography
        3 x 3, board coordinates to pixels of the photo.
    pitch_px
        Pixels per pitch in the result.
    margin
        Pitches shown around the lattice.
    beyond
        What is shown beyond the photo's edge, one of OpenCV's border types.

    Returns
    -------
    uint8 array of ((4 + 2 margin) pitch_px) x ((5 + 2 margin) pitch_px) x 3, BGR.
    """
    centers = apply_homography(homography, CELL_CENTERS).reshape(ROWS, COLUMNS, 2)
    steps = np.linalg.norm(np.diff(centers, axis=1), axis=-1)
    outer = apply_homography(homography, BOARD_CORNERS + 2 * SQUARE * margin)
    source, to_source = averaged(
        image_bgr, outer.min(0) - 2, outer.max(0) + 2, float(np.median(steps)) / pitch_px
    )
    from_result = np.array(
        [[1 / pitch_px, 0, 0.5 / pitch_px - margin], [0, 1 / pitch_px, 0.5 / pitch_px - margin], [0, 0, 1]]
    )
    size = (round((COLUMNS + 2 * margin) * pitch_px), round((ROWS + 2 * margin) * pitch_px))
    result = cv2.warpPerspective(
        source,
        to_source @ homography @ from_result,
        size,
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=beyond,
    )
    return np.asarray(result, dtype=np.uint8)


def averaged(image_bgr: Image8, low: Float, high: Float, shrink: float) -> tuple[Image8, Float]:
    """Return what a warp looks at in a photo ``shrink`` times finer than its result, and the way there.

    It sees four pixels only and would alias: the part from ``low`` to ``high`` (x, y) is averaged first.
    """
    if shrink <= SHARPER:
        return image_bgr, np.eye(3)
    height, width = image_bgr.shape[:2]
    first = np.clip(np.floor(low), 0, [width - 2, height - 2]).astype(int)
    last = np.clip(np.ceil(high), first + 2, [width, height]).astype(int)
    (x0, y0), (x1, y1) = first.tolist(), last.tolist()
    w, h = max(2, round((x1 - x0) / shrink)), max(2, round((y1 - y0) / shrink))
    part = cv2.resize(image_bgr[y0:y1, x0:x1], (w, h), interpolation=cv2.INTER_AREA)
    sx, sy = w / (x1 - x0), h / (y1 - y0)
    to_part = np.array([[sx, 0, (0.5 - x0) * sx - 0.5], [0, sy, (0.5 - y0) * sy - 0.5], [0, 0, 1]])
    return np.asarray(part, dtype=np.uint8), to_part


def edges_of(flat: Image8) -> Float32:
    """Return how strong the edges across and down are in a small picture, (H, W, 2), softened."""
    soft = cv2.GaussianBlur(flat, (0, 0), 0.8).astype(np.float32)
    edges = [strongest(np.abs(cv2.Sobel(soft, cv2.CV_32F, *axis))) for axis in ((1, 0), (0, 1))]
    return np.sqrt(cv2.GaussianBlur(np.stack(edges, axis=-1), (0, 0), 1.2))


def in_cells(flat: NDArray[Any], cell_px: int) -> NDArray[Any]:
    """Return the cells (rows, columns, S, S, C) of a straight picture (H, W, C)."""
    height, width, channels = flat.shape
    return flat.reshape(height // cell_px, cell_px, width // cell_px, cell_px, channels).swapaxes(1, 2)


def tops(image_bgr: Image8, grid: Grid, cell_px: int) -> Image8:
    """Return the upper faces of the dice in the 20 cells, seen straight, (20, S, S, 3) uint8, BGR.

    Parameters
    ----------
    image_bgr
        Photo, uint8 H x W x 3, BGR.
    grid
        The lattice in it.
    cell_px
        Pixels of a cell, of which a face takes `DIE_EDGE`.
    """
    flat = rectify(image_bgr, grid.plane(TOP_HEIGHT), cell_px, 0)
    edge = round(cell_px * (1 - DIE_EDGE) / 2)
    return in_cells(flat, cell_px).reshape(-1, cell_px, cell_px, 3)[:, edge:-edge, edge:-edge]


CELL_PX, MARGIN = 24, 1.0
"""Pixels of a pitch, and pitches that are shown around the lattice."""


def window_view(image_bgr: Image8, grid: Grid, margin: float = MARGIN) -> Image8:
    """Return a window with what is around it, seen straight from above at two heights.

    Fingers, sleeves and cards come from outside and go on over the bars between the cells; so the window
    is looked at as a whole. Beyond the photo's edge it is black.

    Parameters
    ----------
    image_bgr
        Photo, uint8 H x W x 3, BGR.
    grid
        The lattice in it.
    margin
        Pitches shown around the lattice; training asks for more than `MARGIN` and cuts at random.

    Returns
    -------
    uint8 array, 144 x 168 x 6: the plane of the dice's tops in channels 0-2, that of the card in 3-5 (BGR).
    """
    planes = [grid.plane(height) for height in (TOP_HEIGHT, FLOOR_HEIGHT)]
    outer = [apply_homography(plane, BOARD_CORNERS + 2 * SQUARE * margin) for plane in planes]
    small, to_small = reduced(image_bgr, np.concatenate(outer), int(grid.pitch_px / CELL_PX))
    flat = [rectify(small, to_small @ plane, CELL_PX, margin, cv2.BORDER_CONSTANT) for plane in planes]
    return np.concatenate(flat, axis=2)


def reduced(image_bgr: Image8, points: Float, factor: int) -> tuple[Image8, Float]:
    """Return the part of a photo about some points (N, 2), smaller by a whole factor, and the way there.

    To average once by a whole factor costs a third of what it costs for each plane by any. The way is a
    3 x 3 matrix from pixels of the photo; all of it, and no copy, is returned for a factor below 2.
    """
    if factor < 2:
        return image_bgr, np.eye(3)
    height, width = image_bgr.shape[:2]
    low = np.clip(points.min(0) - 2 * factor, 0, [width - factor, height - factor]).astype(int)
    high = np.clip(points.max(0) + 2 * factor, low + factor, [width, height]).astype(int)
    wide, tall = ((high - low) // factor).tolist()
    (x, y), f = low.tolist(), factor
    part = image_bgr[y : y + tall * f, x : x + wide * f]
    small = cv2.resize(part, (wide, tall), interpolation=cv2.INTER_AREA)
    to_small = np.array([[1 / f, 0, (0.5 - x) / f - 0.5], [0, 1 / f, (0.5 - y) / f - 0.5], [0, 0, 1]])
    return np.asarray(small, dtype=np.uint8), to_small
