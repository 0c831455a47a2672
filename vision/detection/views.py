"""What the finder network looks at: a photo in several sizes, views of it, and what the network says."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np

from vision.geometry import (
    CELL_CENTERS,
    COLUMNS,
    ROWS,
    SQUARE,
    Float,
    Float32,
    Grid,
    Image8,
    Mask,
    apply_homography,
    are_inside,
    camera_inverse,
    estimate_rise,
)
from vision.network import finder, sigmoid, to_blob

PANORAMA = 2.0  # times longer than wide
PART_OF_HEIGHT = 1.2  # so wide is a part of a panorama that is looked at
MOST_PARTS = 16

SMALLEST_PX = 48  # nothing is halved to a shorter side than this


class Levels:
    """The pyramid of a photo; each level is made when it is first wanted.

    Parameters
    ----------
    image_bgr
        Photo, uint8 H x W x 3, BGR.
    """

    def __init__(self, image_bgr: Image8) -> None:
        self._images = [image_bgr]
        self._lock = threading.Lock()

    @property
    def image_bgr(self) -> Image8:
        """The photo itself."""
        return self._images[0]

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) of the photo in pixels."""
        height, width = self._images[0].shape[:2]
        return width, height

    def at(self, halvings: int) -> tuple[Image8, Float]:
        """Return the photo halved so often, or as often as it can be, and how to get there.

        Parameters
        ----------
        halvings
            How often the sides are halved, 0 or more.

        Returns
        -------
        image, to_level
            uint8 picture, and the 3 x 3 matrix from pixels of the photo to pixels of it.
        """
        with self._lock:
            while len(self._images) <= halvings:
                last = self._images[-1]
                height, width = last.shape[0] // 2, last.shape[1] // 2
                if min(height, width) < SMALLEST_PX:
                    break
                # Of an odd side the last pixel is left out: each level is exactly half of the one before.
                even = last[: 2 * height, : 2 * width]
                half = cv2.resize(even, (width, height), interpolation=cv2.INTER_AREA)
                self._images.append(np.asarray(half, dtype=np.uint8))
            level = min(halvings, len(self._images) - 1)
            image = self._images[level]
        s = 0.5**level
        return image, np.array([[s, 0, 0.5 * s - 0.5], [0, s, 0.5 * s - 0.5], [0, 0, 1.0]])


def levels_of(photo: Image8 | Levels) -> Levels:
    """Return the pyramid of a photo that may be one already."""
    return photo if isinstance(photo, Levels) else Levels(photo)


PEAK_LEVEL = 0.22  # a weaker bump in the map of cell middles is no mark

VIEW_PX = 384
"""Side of the square input of the finder network in pixels."""

PADDING = 114
"""Grey value around the photo in a view."""

STRIDE = 4
"""Input pixels per output pixel of the finder network."""

STRAIGHT_PITCH_PX = 44
"""Pixels per pitch when the window has been set straight for a second look."""

MAP_OF_VIEW = np.array([[1 / STRIDE, 0, 0.5 / STRIDE - 0.5], [0, 1 / STRIDE, 0.5 / STRIDE - 0.5], [0, 0, 1]])
"""Takes pixels of a view to pixels of the maps that the finder makes of it."""


def to_map(points: Float) -> Float:
    """Return points of a view, shape (N, 2), in pixels of the maps that the finder makes of it."""
    return (points - (STRIDE - 1) / 2) / STRIDE


def from_map(spots: Float) -> Float:
    """Return pixels of the finder's maps, shape (N, 2), as points of the view."""
    return spots * STRIDE + (STRIDE - 1) / 2


@dataclass(frozen=True, eq=False)
class FinderView:
    """A square picture for the finder and how to get back to the photo.

    ``image_bgr`` is uint8 ``VIEW_PX`` x ``VIEW_PX`` x 3; ``to_photo`` (3 x 3) takes pixels of
    the view to pixels of the photo.
    """

    image_bgr: Image8
    to_photo: Float


def views_of(photo: Levels, *, near: bool = False) -> Iterator[FinderView]:
    """Yield the whole photo and, for a window that is small in it, overlapping quarters.

    Of a panorama a quarter would be as flat: parts of its whole height lie side by side. With ``near`` the
    parts are half as long as quarters, for one in very many pixels.
    """
    yield whole_view(photo)
    width, height = photo.size
    longer, shorter = max(photo.size), min(photo.size)
    if longer > PANORAMA * shorter:
        side = round(PART_OF_HEIGHT * shorter)
        parts = min(MOST_PARTS, math.ceil((longer - side) / (side / 2)) + 1)
        for start in np.linspace(0, longer - side, parts).astype(int).tolist():
            end = start + side
            box = (start, 0, end, height) if width > height else (0, start, width, end)
            yield whole_view(photo, box)
        return
    share, parts = (0.3, 5) if near else (0.6, 3)
    w, h = round(width * share), round(height * share)
    for y in np.linspace(0, height - h, parts).astype(int).tolist():
        for x in np.linspace(0, width - w, parts).astype(int).tolist():
            yield whole_view(photo, (x, y, x + w, y + h))


def whole_view(photo: Image8 | Levels, box: tuple[int, int, int, int] | None = None) -> FinderView:
    """Return the photo, or the box (x0, y0, x1, y1) of it, fitted into the view's square."""
    levels = levels_of(photo)
    width, height = levels.size
    x0, y0, x1, y1 = box or (0, 0, width, height)
    scale = VIEW_PX / max(x1 - x0, y1 - y0)
    w, h = max(1, round((x1 - x0) * scale)), max(1, round((y1 - y0) * scale))
    image, to_level = levels.at(int(np.log2(max(1 / scale, 1))))
    # The box in pixels of the level, to whole ones; the view takes exactly these.
    k = to_level[0, 0]
    left, top = int(x0 * k), int(y0 * k)
    part = image[top : max(round(y1 * k), top + 1), left : max(round(x1 * k), left + 1)]
    flag = cv2.INTER_AREA if scale < k else cv2.INTER_LINEAR
    out = np.full((VIEW_PX, VIEW_PX, 3), PADDING, np.uint8)
    out[:h, :w] = cv2.resize(part, (w, h), interpolation=flag)
    sx, sy = part.shape[1] / w / k, part.shape[0] / h / k
    to_photo = np.array([[sx, 0, left / k + 0.5 * sx - 0.5], [0, sy, top / k + 0.5 * sy - 0.5], [0, 0, 1.0]])
    return FinderView(out, to_photo)


def straight_view(
    photo: Image8 | Levels,
    homography: Float,
    middle: Float | tuple[float, float] = (COLUMNS / 2, ROWS / 2),
    pitch_px: float = STRAIGHT_PITCH_PX,
) -> FinderView:
    """Return the board, as ``homography`` (board coordinates to photo) has it, from straight above.

    In the middle of the view is that of the board, or another place of its plane. A pitch there has
    ``pitch_px`` pixels.
    """
    p, half = pitch_px, (VIEW_PX - 1) / 2 / pitch_px
    to_board = np.array([[1 / p, 0, middle[0] - half], [0, 1 / p, middle[1] - half], [0, 0, 1]])
    to_photo = homography @ to_board
    return warped_view(levels_of(photo), to_photo)


def tilted_view(photo: Image8 | Levels, far_deg: float, tilt_deg: float, focal: float) -> FinderView:
    """Return the photo as a camera in the same place would see it that looks down more steeply.

    A window photographed from the table's edge looks nearly as from above in it.

    Parameters
    ----------
    photo
        Photo, uint8 H x W x 3, BGR, or its levels.
    far_deg
        Where in the photo the far side of the table is: 0 top, 90 right, 180 bottom, 270 left.
    tilt_deg
        How much further down the second camera looks, in degrees.
    focal
        Focal length of the photo in pixels.
    """
    levels = levels_of(photo)
    width, height = levels.size
    lens_inverse = camera_inverse(levels.size, focal)
    far = np.deg2rad(far_deg)
    turn, _ = cv2.Rodrigues(np.array([np.cos(far), np.sin(far), 0.0]) * np.deg2rad(tilt_deg))
    xs, ys = np.meshgrid(np.linspace(0, width, 9), np.linspace(0, height, 9))
    rays = np.stack([xs.ravel(), ys.ravel(), np.ones(xs.size)], 1) @ (turn @ lens_inverse).T
    # What lies more than 70 degrees off the new axis would fill the view with a few stretched pixels.
    rays = rays[rays[:, 2] > 0.34 * np.linalg.norm(rays, axis=1)]
    seen = rays[:, :2] / rays[:, 2:]
    low, high = seen.min(0), seen.max(0)
    scale = VIEW_PX / (high - low).max()
    fit = np.array([[scale, 0, -low[0] * scale], [0, scale, -low[1] * scale], [0, 0, 1]])
    to_photo = np.linalg.inv(fit @ turn @ lens_inverse)
    return warped_view(levels, to_photo)


def nearer_view(photo: Levels, whole: FinderView, middle: Float, half: float) -> FinderView:
    """Return a part of a view, enlarged: ``half`` pixels of the photo around a ``middle`` (x, y) of it."""
    box = np.clip(middle + half * SQUARE * 2, 0, np.array(photo.size) - 1.0)
    in_view = apply_homography(np.asarray(np.linalg.inv(whole.to_photo)), box)
    low, high = in_view.min(axis=0), in_view.max(axis=0)
    scale = (high - low).max() / VIEW_PX
    part = np.array([[scale, 0, low[0]], [0, scale, low[1]], [0, 0, 1]])
    return warped_view(photo, whole.to_photo @ part)


def warped_view(levels: Levels, to_photo: Float) -> FinderView:
    """Return the view whose pixels ``to_photo`` takes to the photo; grey beyond the photo."""
    corners = np.array([[0, 0, 1], [VIEW_PX, 0, 1], [VIEW_PX, VIEW_PX, 1], [0, VIEW_PX, 1.0]]) @ to_photo.T
    # A warp looks at four pixels only: start from the level that is about as fine as the view.
    area = cv2.contourArea((corners[:, :2] / corners[:, 2:]).astype(np.float32))
    shrink = float(np.sqrt(max(area, 1.0))) / VIEW_PX
    image, to_level = levels.at(max(0, round(np.log2(max(shrink, 1)))))
    out = cv2.warpPerspective(
        image,
        to_level @ to_photo,
        (VIEW_PX, VIEW_PX),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderValue=(PADDING, PADDING, PADDING),
    )
    return FinderView(np.asarray(out, dtype=np.uint8), to_photo)


# How far the marks of the dice's tops may pull the rise from what the surface's tilt says, in view
# pixels. Set by hand, not fitted.
RISE_SIGMA_PX, RISE_SIGMA_DEPTH, MARK_SIGMA_PX = 5.0, 0.03, 1.5
MAX_PULL = 0.35  # pitches by which the marks may move the tops from there
RISES = (1.0, 1.4, 1.7)  # times the usual rise: where marks are looked for; lower down lie prints, not tops
RISE_LEAD = 3  # marks of dice by which another one must explain more
TOP_LEVEL = 0.3  # marks of tops that are weaker say nothing about the rise
UNSEEN_ART, UNSEEN_SPOTS = 0.2, 6  # art where nobody sees, and as how many of 128 spots of a side it counts
DIE_LEVEL, DIE_GATE = 0.5, 0.3  # how clear a mark of a die's top is, and how near, in pitches; set by hand


@dataclass(frozen=True, eq=False)
class Maps:
    """The finder's maps of one view, each 96 x 96 in [0, 1].

    Middles of cells on the frame, middles of the dice's tops, the window's area, the art above it.
    """

    view: FinderView
    cells: Float32
    tops: Float32
    window: Float32
    art: Float32

    @cached_property
    def _marks(self) -> dict[float, Float]:
        return {}

    def top_marks(self, level: float) -> Float:
        """Return the peaks of the dice's tops above a level, in view pixels, (N, 2)."""
        if level not in self._marks:
            self._marks[level] = peaks(self.tops, level)
        return self._marks[level]


def look(view: FinderView) -> Maps:
    """Run the finder on a view."""
    return Maps(view, *sigmoid(finder().run(to_blob(view.image_bgr[None])))[0])


def with_rise(maps: Maps, grid: Grid, size: tuple[int, int]) -> tuple[Grid, bool]:
    """Return the grid with the plane of the dice's tops moved to where their marks lie.

    Seen from low down, the tops may lie over other cells than the usual rise says: another one is taken where
    it explains more dice. Whether it is the usual one, is said beside it.
    """
    usual = estimate_rise(grid.homography, size)
    marks = maps.top_marks(TOP_LEVEL)
    if not len(marks):
        return replace(grid, rise=usual), True
    raised = [_raised(maps, replace(grid, rise=times * usual), marks) for times in RISES]

    def explained(one: Grid) -> int:  # what is plain to see counts twice
        return sum(int(dice_seen(maps, one, level)[0].sum()) for level in (TOP_LEVEL, DIE_LEVEL))

    best = max(raised, key=lambda one: explained(one) + RISE_LEAD * (one is raised[0]))
    return best, best is raised[0]


def _raised(maps: Maps, grid: Grid, marks: Float) -> Grid:
    """Return the grid with its rise moved to marks of tops (N, 2) of a view.

    Linear least squares for the three numbers of the rise, held by those that it has as far as
    the marks leave it open.
    """
    back = np.linalg.inv(maps.view.to_photo)
    base = back @ grid.homography
    prior = back @ grid.rise
    scale = base[2] @ [2.5, 2, 1]
    base, prior = base / scale, prior / scale
    rise = prior
    sigma = np.array([RISE_SIGMA_PX, RISE_SIGMA_PX, RISE_SIGMA_DEPTH])
    # A view pixel moves with the first two numbers directly and with depth times its distance.
    for gate in (0.4, 0.25):
        lifted = base.copy()
        lifted[:, 2] += rise
        predicted = apply_homography(lifted, CELL_CENTERS)
        distance = np.linalg.norm(predicted[:, None] - marks[None], axis=-1)
        near = distance.argmin(1)
        index = np.flatnonzero(distance[np.arange(20), near] < gate * STRAIGHT_PITCH_PX)
        if not len(index):
            break
        board = np.column_stack([CELL_CENTERS[index], np.ones(len(index))]) @ base.T
        x, y = marks[near[index]].T
        one, zero = np.ones_like(x), np.zeros_like(x)
        rows = np.concatenate([np.stack([one, zero, -x], 1), np.stack([zero, one, -y], 1)])
        goal = np.concatenate([x * board[:, 2] - board[:, 0], y * board[:, 2] - board[:, 1]])
        # Work relative to the view's middle so that depth and shift are nearly independent.
        middle = base @ [2.5, 2, 1]
        to_middle = np.array([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, 1.0]])
        rows_m, prior_m = rows @ np.linalg.inv(to_middle), to_middle @ prior
        left = np.concatenate([rows_m / MARK_SIGMA_PX, np.diag(1 / sigma)])
        right = np.concatenate([goal / MARK_SIGMA_PX, prior_m / sigma])
        solved, *_ = np.linalg.lstsq(left, right, rcond=None)
        rise = np.linalg.inv(to_middle) @ solved
    lifted = [base + np.column_stack([np.zeros((3, 2)), one]) for one in (rise, prior)]
    away = np.diff([apply_homography(one, CELL_CENTERS).mean(axis=0) for one in lifted], axis=0)
    if np.linalg.norm(away) > MAX_PULL * STRAIGHT_PITCH_PX:  # marks of something else
        rise = prior
    return replace(grid, rise=maps.view.to_photo @ rise * scale)


def dice_seen(maps: Maps, grid: Grid, level: float = DIE_LEVEL, margin: float = 0.0) -> tuple[Mask, int]:
    """Return in which cells (20,) of a grid the top of a die is marked, and how many marks lie in it.

    So many pitches around it count as well.
    """
    tops: Float = np.linalg.inv(maps.view.to_photo) @ grid.plane(1.0)
    marks = maps.top_marks(level)
    if not len(marks):
        return np.zeros(20, bool), 0
    away = np.linalg.norm(apply_homography(tops, CELL_CENTERS)[:, None] - marks[None], axis=-1).min(axis=1)
    board = apply_homography(np.asarray(np.linalg.inv(tops), dtype=np.float64), marks)
    within = ((board > -margin) & (board < np.array([COLUMNS, ROWS]) + margin)).all(axis=1)
    return np.asarray(away < DIE_GATE * STRAIGHT_PITCH_PX), int(within.sum())


def upright_probability(maps: Maps, homography: Float, size: tuple[int, int]) -> float:
    """Return the probability that row A is on the art's side, from the art map alone."""
    above, _, below, _ = art_beside(maps, homography, size)
    return float(1 / (1 + np.exp(-8 * (above - below))))


def art_beside(maps: Maps, homography: Float, size: tuple[int, int]) -> tuple[float, float, float, float]:
    """Return how much art there is above, right of, below and left of a lattice in the view, each 0 to 1.

    Only what lies in the photo, of (width, height) pixels, speaks for or against it.
    """
    along, away = np.linspace(0.06, 0.94, 16), np.linspace(0.3, 1.2, 8)
    t, d = (grid.ravel() for grid in np.meshgrid(along, away))
    bands = ((COLUMNS * t, -d), (COLUMNS + d, ROWS * t), (COLUMNS * t, ROWS + d), (-d, ROWS * t))
    above, right, below, left = (art_at(maps, homography, np.column_stack(band), size) for band in bands)
    return above, right, below, left


def art_at(maps: Maps, homography: Float, board: Float, size: tuple[int, int]) -> float:
    """Return the mean of the art at points of the board, as far as they are in view and in the photo."""
    seen = apply_homography(homography, board)
    spots = np.round(to_map(seen)).astype(int)
    within = ((spots >= 0) & (spots < maps.art.shape[0])).all(1)
    spots = spots[within & are_inside(apply_homography(maps.view.to_photo, seen), size)]
    art = float(maps.art[spots[:, 1], spots[:, 0]].sum())
    return (art + UNSEEN_ART * UNSEEN_SPOTS) / (len(spots) + UNSEEN_SPOTS)


ROUND = np.indices((3, 3)).reshape(2, 9, 1)  # rows and columns of nine pixels, from the one at the top left


def peaks(heat: Float32, level: float = PEAK_LEVEL) -> Float:
    """Return the local maxima of a map above ``level`` in view pixels, shape (N, 2)."""
    highest = cv2.dilate(heat, np.ones((3, 3), np.uint8))
    ys, xs = np.nonzero((heat >= highest) & (heat > level))
    around = np.pad(heat.astype(np.float64), 1)[ys + ROUND[0], xs + ROUND[1]]  # 9 x N, 0 beyond the map
    offsets = (ROUND - 1).reshape(2, 9) @ around / around.sum(axis=0)
    # The centroid of nine pixels of a bump leans to the middle pixel; lean back.
    return from_map(np.column_stack([xs, ys]) + 1.5 * offsets[::-1].T)
