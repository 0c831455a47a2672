"""A classical grid search: blobs of many thresholds, a lattice grown from four of them, no network.

The steps: (1) blobs that could be a die or a slot, from local and global thresholds of brightness and
saturation; (2) four blobs that make a small square give a homography, which takes in blob after blob
that lies where it expects one (the hypotheses of RANSAC, all of them instead of some); (3) every 5 x 4 part
of the lattice that holds many blobs may be the window, and is fitted again; (4) the best is the one whose
cells hold blobs, whose surroundings hold few, and whose bars are darker than the cells beside them.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.sentences import sentence
from vision.errors import BoardNotFoundError, BoardUnreadableError
from vision.geometry import (
    CELL_CENTERS,
    COLUMNS,
    ROWS,
    Grid,
    apply_homography,
    estimate_rise,
    is_plausible,
    rectify,
)

Float = NDArray[np.float64]
Image8 = NDArray[np.uint8]

# Chosen by looking at blobs and lattices of the 72 rendered photos; not searched for systematically.
LONG_SIDE_PX = 1000
MIN_SIDE_PX, MAX_SIDE_SHARE = 7, 0.16
MIN_FILL, MAX_ASPECT = 0.62, 1.9
GATE = 0.25
REACH = 6
MIN_CELLS, MAX_AROUND = 13, 7
MIN_DARK_BARS, MIN_DARK_CROSSINGS, MAX_RESIDUAL, MIN_RATING = 0.65, 0.5, 0.14, 27.0
BLOB_HEIGHT = 0.5
PITCH_PX = 24


@dataclass(frozen=True, eq=False)
class Blobs:
    """Middles (N, 2) and sides (N,) of blobs in pixels, most often found first."""

    middles: Float
    sides: Float


def find_blobs(image_bgr: Image8) -> Blobs:
    """Return what could be dice or slots: compact, squarish spots that stand out at some threshold."""
    brightness = cv2.medianBlur(image_bgr.max(axis=2), 3)
    saturation = cv2.medianBlur(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2HSV)[..., 1], 3)
    found: list[tuple[float, float, float]] = []
    for channel in (brightness, saturation):
        masks = [(channel > level).astype(np.uint8) for level in range(40, 250, 14)]
        for block in (31, 61, 121, 201):
            local = cv2.adaptiveThreshold(
                channel, 1, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, block, -4
            )
            masks += [local, cv2.morphologyEx(local, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))]
        for mask in masks:
            found += _squarish(mask, max(image_bgr.shape) * MAX_SIDE_SHARE)
    return _merged(np.array(found, dtype=np.float64).reshape(-1, 3))


def _squarish(mask: Image8, max_side: float) -> list[tuple[float, float, float]]:
    spots = []
    contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    for contour in contours:
        _, _, width, height = cv2.boundingRect(contour)
        if min(width, height) < MIN_SIDE_PX or max(width, height) > 1.5 * max_side:
            continue
        hull = cv2.convexHull(contour)
        (cx, cy), (a, b), _ = cv2.minAreaRect(hull)
        short, long = min(a, b), max(a, b)
        compact = cv2.contourArea(hull) > MIN_FILL * a * b and cv2.contourArea(contour) > 0.5 * a * b
        if short >= MIN_SIDE_PX and long < min(MAX_ASPECT * short, max_side) and compact:
            spots.append((cx, cy, float(np.sqrt(a * b))))
    return spots


def _merged(spots: Float) -> Blobs:
    """Make one blob of the same spot found at several thresholds (like ``cv2.SimpleBlobDetector``)."""
    groups: list[list[Float]] = []
    means = np.empty((0, 3))
    for spot in spots:
        if len(means):
            near = np.linalg.norm(means[:, :2] - spot[:2], axis=1) < 0.2 * means[:, 2]
            alike = near & (np.abs(np.log(means[:, 2] / spot[2])) < 0.3)
            if alike.any():
                k = int(alike.argmax())
                groups[k].append(spot)
                means[k] = np.median(groups[k], axis=0)
                continue
        groups.append([spot])
        means = np.vstack([means, spot])
    often = np.argsort([-len(group) for group in groups], kind="stable")
    often = np.array([k for k in often if len(groups[k]) >= 2][:400], dtype=int)
    return Blobs(means[often, :2], means[often, 2])


@dataclass(frozen=True, eq=False)
class Lattice:
    """A window: the homography from board coordinates to pixels, and what holds it.

    ``cells`` counts the cells with a blob, ``around`` the places of a ring around them that hold one, and
    ``residual`` is how far the blobs lie from their places, in pitches.
    """

    homography: Float
    cells: int
    around: int
    residual: float

    @property
    def score(self) -> float:
        """How much the lattice looks like a window: cells held, less what goes on beyond."""
        return self.cells - 0.4 * self.around


class LatticeSearch:
    """Grows lattices over the blobs of one photo."""

    def __init__(self, blobs: Blobs, size: tuple[int, int]) -> None:
        self.points, self.sides, self.size = blobs.middles, blobs.sides, size

    def squares(self) -> list[tuple[int, int, int, int]]:
        """Return fours of blobs that could be neighboring cells: here, right, below, and both."""
        found = []
        for i, (point, side) in enumerate(zip(self.points, self.sides, strict=True)):
            steps = self.points - point
            length = np.linalg.norm(steps, axis=1)
            alike = np.abs(np.log(self.sides / side)) < 0.5
            near = np.flatnonzero(alike & (length > 1.05 * side) & (length < 2.1 * side))
            near = near[np.argsort(length[near])][:10]
            for j, k in itertools.permutations(near.tolist(), 2):
                a, b = steps[j], steps[k]
                sine = (a[0] * b[1] - a[1] * b[0]) / length[j] / length[k]  # positive: no mirror image
                if sine < 0.8 or not 0.6 < length[j] / length[k] < 1.7:
                    continue
                off = np.linalg.norm(self.points - (point + a + b), axis=1)
                fourth = int((off + 99 * (np.abs(np.log(self.sides / side)) > 0.5)).argmin())
                if off[fourth] < 0.2 * min(length[j], length[k]):
                    found.append((i, j, k, fourth))
        return found

    def grow(self, square: tuple[int, int, int, int]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return lattice places (N, 2) as column and row, and the blobs (N,) on them, from one square."""
        places = {(0, 0): square[0], (1, 0): square[1], (0, 1): square[2], (1, 1): square[3]}
        usual = float(np.median(self.sides[list(square)]))
        fitting = np.flatnonzero(np.abs(np.log(self.sides / usual)) < 0.5)
        while True:
            at = np.array(list(places), dtype=np.float64)
            homography = _fitted(at, self.points[list(places.values())])
            if homography is None:
                break
            beside = {
                (x + dx, y + dy)
                for x, y in places
                for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))
                if abs(x + dx) <= REACH and abs(y + dy) <= REACH
            }
            fresh = sorted(beside - set(places))
            goals = np.array(fresh, dtype=np.float64)
            predicted = apply_homography(homography, goals)
            pitch = np.linalg.norm(
                apply_homography(homography, goals + np.array([1.0, 0.0])) - predicted, axis=1
            )
            distance = np.linalg.norm(predicted[:, None] - self.points[fitting][None], axis=-1)
            nearest = distance.argmin(1)
            good = np.flatnonzero(distance[np.arange(len(fresh)), nearest] < GATE * pitch)
            used = set(places.values())
            before = len(places)
            for k in good[np.argsort(distance[good, nearest[good]] / pitch[good])].tolist():
                blob = int(fitting[nearest[k]])
                if blob not in used:
                    places[fresh[k]] = blob
                    used.add(blob)
            if len(places) == before:
                break
        return np.array(list(places)), np.array(list(places.values()))

    def windows(self, at: NDArray[np.int64], blobs: NDArray[np.int64]) -> list[Lattice]:
        """Return the windows a lattice may hold: 5 x 4 places lying or standing, where many have a blob."""
        found = []
        low, high = at.min(axis=0), at.max(axis=0)
        for columns, rows in ((COLUMNS, ROWS), (ROWS, COLUMNS)):
            for x0, y0 in itertools.product(
                range(low[0] - 1, max(high[0] - columns, low[0]) + 3),
                range(low[1] - 1, max(high[1] - rows, low[1]) + 3),
            ):
                x, y = at[:, 0] - x0, at[:, 1] - y0
                inside = (x >= 0) & (x < columns) & (y >= 0) & (y < rows)
                if inside.sum() < MIN_CELLS:
                    continue
                ring = (x >= -1) & (x <= columns) & (y >= -1) & (y <= rows) & ~inside
                board = at[inside] - [x0, y0] + 0.5
                if columns == ROWS:  # a quarter turn lays a standing window down
                    board = np.column_stack([board[:, 1], ROWS - board[:, 0]])
                homography = _fitted(board, self.points[blobs[inside]])
                if homography is not None and is_plausible(homography, self.size):
                    off = apply_homography(homography, board) - self.points[blobs[inside]]
                    pitch = Grid(homography, np.zeros(3)).pitch_px
                    residual = float(np.linalg.norm(off, axis=1).mean() / pitch)
                    found.append(Lattice(homography, int(inside.sum()), int(ring.sum()), residual))
        return found

    def best(self, limit: int = 24) -> list[Lattice]:
        """Return the most window-like lattices, best first."""
        found: list[Lattice] = []
        seen: list[frozenset[int]] = []
        for square in self.squares():
            corners = frozenset(square)
            if any(corners <= other for other in seen):
                continue
            at, blobs = self.grow(square)
            seen.append(frozenset(blobs.tolist()))
            if len(blobs) >= MIN_CELLS:
                found += self.windows(at, blobs)
        return sorted(found, key=lambda lattice: -lattice.score)[:limit]


def _fitted(board: Float, pixels: Float) -> Float | None:
    """Return the homography of the pairs, an affine map for few of them (stiffer), robust for many."""
    if len(board) < 8:
        affine, *_ = np.linalg.lstsq(np.column_stack([board, np.ones(len(board))]), pixels, rcond=None)
        return np.vstack([affine.T, [0, 0, 1]])
    found, _ = cv2.findHomography(board, pixels, cv2.RANSAC if len(board) > 11 else 0, 5.0)
    return np.asarray(found, dtype=np.float64) if np.size(found) == 9 else None


def dark_bars(image_bgr: Image8, homography: Float) -> float:
    """Return the share of the 49 bars beside the cells that are dark all along, compared with the cell."""
    p, margin = PITCH_PX, PITCH_PX // 2
    wide = rectify(image_bgr, homography, p, 0.5).max(axis=2)
    bright = cv2.blur(wide, (3, 3)).astype(np.float64)
    tiles = bright[margin:-margin, margin:-margin].reshape(ROWS, p, COLUMNS, p).swapaxes(1, 2)
    cells = np.pad(np.percentile(tiles.reshape(ROWS, COLUMNS, -1), 70, axis=2), 1, constant_values=255)
    darker = []
    for lines, levels in ((bright, cells), (bright.T, cells.T)):
        for r, c in itertools.product(range(levels.shape[0] - 2), range(levels.shape[1] - 1)):
            y, x = margin + r * p, margin + c * p
            bar = np.percentile(lines[y + 6 : y + 18, x - 8 : x + 9], 80, axis=0).min()
            darker.append(bar < 0.85 * levels[r + 1, c : c + 2].min())
    return float(np.mean(darker))


def dark_crossings(image_bgr: Image8, homography: Float) -> float:
    """Return the share of the 12 places where bars cross that are darker than the four cells' middles.

    On a checked cloth a lattice goes through every second square: these are like what lies at the crossings.
    """
    p, half = PITCH_PX, PITCH_PX // 2
    bright = cv2.blur(rectify(image_bgr, homography, p, 0.0).max(axis=2), (3, 3)).astype(np.float64)
    darker = []
    for y, x in itertools.product(range(p, ROWS * p, p), range(p, COLUMNS * p, p)):
        corners = itertools.product((y - half, y + half), (x - half, x + half))
        middles = [np.median(bright[v - 5 : v + 6, u - 5 : u + 6]) for v, u in corners]
        crossing = np.percentile(bright[y - 4 : y + 5, x - 4 : x + 5], 25)
        darker.append(crossing < 0.9 * np.mean(middles))
    return float(np.mean(darker))


def art_lean(image_bgr: Image8, homography: Float) -> float:
    """Return how much more colorful the side above row A is than that below row D, -1 to 1."""
    depth = round(1.2 * PITCH_PX)
    wide = cv2.cvtColor(rectify(image_bgr, homography, PITCH_PX, 1.5), cv2.COLOR_BGR2LAB).astype(np.float64)
    sides = wide[:, 2 * PITCH_PX : -2 * PITCH_PX, 1:]
    above, below = (s.reshape(-1, 2).std(axis=0).sum() for s in (sides[:depth], sides[-depth:]))
    return float((above - below) / (above + below + 1e-9))


def find_grid(image_bgr: Image8) -> Grid:
    """Return the grid of the window that stands out most.

    Raises
    ------
    VisionError
        No lattice of blobs looks like a window, or the one that does is not whole in the picture.
    """
    scale = min(1.0, LONG_SIDE_PX / max(image_bgr.shape[:2]))
    small = np.asarray(
        cv2.resize(image_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), dtype=np.uint8
    )
    size = (small.shape[1], small.shape[0])
    rated = [
        (lattice.score + 20 * bars - 60 * lattice.residual, lattice)
        for lattice in LatticeSearch(find_blobs(small), size).best()
        if lattice.around <= MAX_AROUND
        and lattice.residual < MAX_RESIDUAL
        and (bars := dark_bars(small, lattice.homography)) >= MIN_DARK_BARS
        and dark_crossings(small, lattice.homography) >= MIN_DARK_CROSSINGS
    ]
    rating, best = max(rated, key=lambda pair: pair[0], default=(0.0, None))
    if best is None or rating < MIN_RATING:
        raise BoardNotFoundError(
            "board_not_found",
            sentence("No lattice of dice and slots was found."),
            sentence("Take the photo from straight above."),
        )
    middles = apply_homography(best.homography, CELL_CENTERS)
    if (middles < 0).any() or (middles > np.array(size)).any():
        raise BoardUnreadableError(
            "board_cut_off",
            sentence("The window is cut off."),
            sentence("Take the photo with all 20 spaces in view."),
        )
    homography = np.diag([1 / scale, 1 / scale, 1.0]) @ best.homography
    rise = estimate_rise(homography, (image_bgr.shape[1], image_bgr.shape[0]))
    homography[:, 2] -= BLOB_HEIGHT * rise  # the middle of a die as seen lies above the frame's surface
    lean = art_lean(image_bgr, homography)
    grid = Grid(homography, rise, float(1 / (1 + np.exp(-12 * abs(lean)))))
    return grid if lean >= 0 else replace(grid.rotated_180(), upright_probability=grid.upright_probability)
