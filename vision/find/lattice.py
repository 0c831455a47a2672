"""Fit the 4 x 5 lattice to the finder's maps.

The maps mark the middles of cells; a mark may be missing, doubled or not a cell at all. A
first quadrilateral comes from the outline of the window's area; then predicted middles and
marks are paired and the homography is fitted again until it rests (iterative closest point,
Besl & McKay 1992, for a plane homography).
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.find import growing
from vision.find.views import from_map, to_map
from vision.geometry import BOARD_CORNERS, CELL_CENTERS, COLUMNS, ROWS, apply_homography

Float = NDArray[np.float64]

# Set by hand while looking at the maps of labelled photos; not searched for systematically.
PEAK_LEVEL = 0.22  # a weaker bump in the map of cell middles is no mark
AREA_LEVEL = 0.5  # where the window's area ends
GATES = (0.55, 0.5, 0.42, 0.36, 0.3)  # how far a mark may lie from its prediction, in pitches
MIN_PAIRS = 10  # of 20 cells; fewer do not make a window
PLAIN_SCORE = 1.5  # a lattice with all marks that fits the area like this needs no rival
MAX_STARTS = 8  # suggestions grown from marks that are tried
REFITS = 4  # of one step, held-back windows have corners off by 0.069 pitches on average, of four by 0.065
MIN_AREA = 60  # output pixels of a window's area; smaller is noise


AROUND = np.array(
    [
        [x + 0.5, y + 0.5]
        for y in range(-1, ROWS + 1)
        for x in range(-1, COLUMNS + 1)
        if not (0 <= x < 5 and 0 <= y < 4)
    ]
)
"""Middles of the 22 cells that a lattice one ring larger would have, in board coordinates."""


@dataclass(frozen=True, eq=False)
class LatticeFit:
    """A lattice fitted in one view.

    ``homography`` takes board coordinates to view pixels. ``marks`` (20, 2) are the marks of the
    cells in view pixels, NaN for those that have none, ``cells`` (20,) is the map of cell middles at
    the predicted places and ``around`` (22,) at the places around them (see ``AROUND``), where a
    window has none. ``overlap`` is the intersection over union of the lattice and the window's area.
    All but the first two in [0, 1].
    """

    homography: Float
    marks: Float
    cells: Float
    around: Float
    overlap: float

    @property
    def support(self) -> float:
        """Mean of the map at the 20 places."""
        return float(self.cells.mean())

    @property
    def beyond(self) -> float:
        """Mean of the map around them."""
        return float(self.around.mean())

    @property
    def paired(self) -> NDArray[np.bool_]:
        """Which cells have a mark, shape (20,)."""
        return np.asarray(np.isfinite(self.marks[:, 0]))

    @property
    def pairs(self) -> int:
        """How many cells have a mark."""
        return int(self.paired.sum())

    @property
    def score(self) -> float:
        """How well lattice and maps agree, -1 to 2."""
        return self.support - self.beyond + self.overlap


@dataclass(frozen=True, eq=False)
class Area:
    """One connected window area in the maps: a mask (96 x 96) and whether it meets the border."""

    mask: NDArray[np.bool_]
    pixels: int


def peaks(heat: NDArray[np.float32], level: float = PEAK_LEVEL) -> Float:
    """Return the local maxima of a map above ``level`` in view pixels, shape (N, 2)."""
    highest = cv2.dilate(heat, np.ones((3, 3), np.uint8))
    ys, xs = np.nonzero((heat >= highest) & (heat > level))
    found = []
    height, width = heat.shape
    for y, x in zip(ys.tolist(), xs.tolist(), strict=True):
        y0, y1, x0, x1 = max(y - 1, 0), min(y + 2, height), max(x - 1, 0), min(x + 2, width)
        patch = heat[y0:y1, x0:x1].astype(np.float64)
        total = patch.sum()
        cy = (patch.sum(1) * np.arange(y0, y1)).sum() / total
        cx = (patch.sum(0) * np.arange(x0, x1)).sum() / total
        # The centroid of nine pixels of a bump leans to the middle pixel; lean back.
        found.append((x + 1.5 * (cx - x), y + 1.5 * (cy - y)))
    points = np.array(found, dtype=np.float64).reshape(-1, 2)
    return from_map(points)


def areas(window_map: NDArray[np.float32], min_pixels: int = MIN_AREA) -> list[Area]:
    """Return the connected window areas of at least ``min_pixels`` output pixels, largest first."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats((window_map > AREA_LEVEL).astype(np.uint8))
    found = [
        Area(labels == k, int(stats[k, cv2.CC_STAT_AREA]))
        for k in range(1, count)
        if stats[k, cv2.CC_STAT_AREA] >= min_pixels
    ]
    return sorted(found, key=lambda area: -area.pixels)


def outlines(area: Area) -> list[Float]:
    """Return quadrilaterals around an area, clockwise, in view pixels, each of shape (4, 2)."""
    contours, _ = cv2.findContours(area.mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    hull = cv2.convexHull(max(contours, key=cv2.contourArea))
    quads = [cv2.boxPoints(cv2.minAreaRect(hull)).astype(np.float64)]
    if len(hull) > 4:
        tight = cv2.approxPolyN(hull, 4, ensure_convex=True).reshape(-1, 2).astype(np.float64)
        quads.insert(0, tight)
    return [from_map(_clockwise(quad)) for quad in quads if len(quad) == 4]


def _clockwise(quad: Float) -> Float:
    backwards = cv2.contourArea(quad.astype(np.float32), oriented=True) < 0
    return quad[::-1] if backwards else quad


def fit(
    start: Float, marks: Float, heat: NDArray[np.float32], area: NDArray[np.bool_] | None
) -> LatticeFit | None:
    """Fit a lattice from a first homography; None when too few cells have a mark."""
    homography = start
    before: NDArray[np.intp] | None = None
    for gate in GATES:
        predicted = apply_homography(homography, CELL_CENTERS)
        if not np.isfinite(predicted).all():
            return None
        index, spot, farthest = _pair(predicted, marks, gate)
        if len(index) < MIN_PAIRS:
            return None
        better = _solve(CELL_CENTERS[index], marks[spot])
        if better is None:
            return None
        homography = better
        pairs = np.concatenate([index, spot])
        # The same pairs again, all near: narrower gates would change nothing.
        if before is not None and np.array_equal(before, pairs) and farthest < GATES[-1]:
            break
        before = pairs
    spots = np.full((ROWS * COLUMNS, 2), np.nan)
    spots[index] = marks[spot]
    return LatticeFit(
        homography,
        marks=spots,
        cells=_sample(homography, CELL_CENTERS, heat),
        around=_sample(homography, AROUND, heat),
        overlap=_overlap(homography, area),
    )


def misfit(homography: Float, marks: Float) -> float:
    """Return how far the marks (20, 2; NaN for none) lie from a lattice, root mean square in pitches."""
    predicted = apply_homography(homography, CELL_CENTERS)
    cells = predicted.reshape(ROWS, COLUMNS, 2)
    pitch = float(np.median(_steps(np.diff(cells, axis=1))))
    away = _steps(predicted - marks) / max(pitch, 1e-9)
    return float(np.sqrt(np.nanmean(away**2)))


def refit(fitted: LatticeFit, trusted: NDArray[np.bool_]) -> Float:
    """Return the homography that the marks of the trusted cells (20,) ask for."""
    index = np.flatnonzero(trusted & fitted.paired)
    better = _solve(CELL_CENTERS[index], fitted.marks[index]) if len(index) >= MIN_PAIRS else None
    return fitted.homography if better is None else better


def without_perspective(fitted: LatticeFit) -> Float:
    """Return the affine map that comes nearest to a lattice's marks.

    In a small window a pixel's error of a mark makes more perspective than there is: this starts better then.
    """
    index = np.flatnonzero(fitted.paired)
    board = np.column_stack([CELL_CENTERS[index], np.ones(len(index))])
    rows, *_ = np.linalg.lstsq(board, fitted.marks[index], rcond=None)
    return np.vstack([rows.T, [0.0, 0.0, 1.0]])


def fits_to_area(area: Area, marks: Float, heat: NDArray[np.float32]) -> list[LatticeFit]:
    """Fit lattices to one area, five cells along either direction of its outlines; best first."""
    found = []
    for quad in outlines(area):
        sides = _steps(np.roll(quad, -1, axis=0) - quad)
        turns = (0, 1) if sides[0] + sides[2] > sides[1] + sides[3] else (1, 0)
        for turn in turns:
            corners = np.roll(quad, turn, axis=0).astype(np.float32)
            start = cv2.getPerspectiveTransform(BOARD_CORNERS.astype(np.float32), corners)
            lattice = fit(np.asarray(start, dtype=np.float64), marks, heat, area.mask)
            if lattice is not None:
                found.append(lattice)
            if lattice is not None and lattice.pairs == ROWS * COLUMNS and lattice.score > PLAIN_SCORE:
                return found[::-1]
    return sorted(found, key=lambda lattice: -lattice.score)


def fits_to_marks(area: Area, marks: Float, heat: NDArray[np.float32]) -> list[LatticeFit]:
    """Fit lattices grown from the marks in an area, whatever its outline; best first."""
    starts = growing.starts(marks[in_area(area, marks)])[:MAX_STARTS]
    fits = (fit(start, marks, heat, area.mask) for start in starts)
    return sorted((found for found in fits if found is not None), key=lambda lattice: -lattice.score)


def in_area(area: Area, marks: Float) -> NDArray[np.bool_]:
    """Return which marks lie in an area or just beside it."""
    wide = cv2.dilate(area.mask.astype(np.uint8), np.ones((5, 5), np.uint8))
    spots = np.clip(np.round(to_map(marks)).astype(int), 0, len(wide) - 1)
    return np.asarray(wide[spots[:, 1], spots[:, 0]] > 0)


def _pair(predicted: Float, marks: Float, gate: float) -> tuple[NDArray[np.intp], NDArray[np.intp], float]:
    """Pair each predicted middle with its nearest mark within ``gate`` pitches, one to one.

    Returns the cells, their marks, and how far the farthest of these lies, in pitches.
    """
    if not len(marks):
        return np.empty(0, np.intp), np.empty(0, np.intp), 0.0
    cells = predicted.reshape(ROWS, COLUMNS, 2)
    across, down = _steps(cells[:, 1:] - cells[:, :-1]), _steps(cells[1:] - cells[:-1])
    across = np.concatenate([across[:, :1], (across[:, 1:] + across[:, :-1]) / 2, across[:, -1:]], 1)
    down = np.concatenate([down[:1], (down[1:] + down[:-1]) / 2, down[-1:]])
    pitch = np.minimum(across, down).ravel()
    distance = _steps(predicted[:, None] - marks[None])
    nearest = distance.argmin(1)
    away = distance[np.arange(len(predicted)), nearest]
    mutual = distance.argmin(0)[nearest] == np.arange(len(predicted))
    index = np.flatnonzero(mutual & (away < gate * pitch + 1.0))
    farthest = float((away[index] / np.maximum(pitch[index], 1e-9)).max(initial=0))
    return index, nearest[index], farthest


def _steps(differences: Float) -> Float:
    """Return the lengths of vectors, shape (..., 2)."""
    return np.asarray(np.hypot(differences[..., 0], differences[..., 1]))


def _solve(board: Float, pixels: Float) -> Float | None:
    """Return the homography of the pairs, robust against a few wrong ones."""
    homography, _ = cv2.findHomography(board, pixels, cv2.RHO if len(board) > 15 else 0, 6.0)
    if homography is None:
        return None
    # Weighted refits: far pairs count less (Cauchy weights at 2 px).
    exact: Float | None = np.asarray(homography, dtype=np.float64)
    equations = _Equations(board, pixels)
    for _ in range(REFITS):
        if exact is None:
            return None
        residual = _steps(apply_homography(exact, board) - pixels)
        exact = equations.solved(1 / np.sqrt(1 + (residual / 2.0) ** 2))
    return exact


class _Equations:
    """The direct linear transform (Hartley & Zisserman 4.1) of pairs with normalized points."""

    def __init__(self, board: Float, pixels: Float) -> None:
        self._center, self._spread = pixels.mean(0), pixels.std() + 1e-9
        x, y = ((pixels - self._center) / self._spread).T
        u, v = ((board - [2.5, 2.0]) / 1.5).T
        one, zero = np.ones_like(u), np.zeros_like(u)
        self._rows = np.concatenate(
            [
                np.stack([u, v, one, zero, zero, zero, -x * u, -x * v, -x], 1),
                np.stack([zero, zero, zero, u, v, one, -y * u, -y * v, -y], 1),
            ]
        )

    def solved(self, weights: Float) -> Float | None:
        """Return the homography for weights of the pairs, None where they do not tell one."""
        rows = self._rows * np.concatenate([weights, weights])[:, None]
        values, vectors = np.linalg.eigh(rows.T @ rows)
        if values[1] < 1e-12:
            return None
        h = vectors[:, 0].reshape(3, 3)
        center, spread = self._center, self._spread
        to_unit = np.array([[1 / 1.5, 0, -2.5 / 1.5], [0, 1 / 1.5, -2 / 1.5], [0, 0, 1]])
        to_pixels = np.array([[spread, 0, center[0]], [0, spread, center[1]], [0, 0, 1]])
        homography = to_pixels @ h @ to_unit
        depth = homography[2] @ [2.5, 2, 1]
        return np.asarray(homography / depth) if abs(depth) > 1e-12 else None


def _sample(homography: Float, board: Float, heat: NDArray[np.float32]) -> Float:
    """Return the map near board points, 0 outside of the view."""
    points = to_map(apply_homography(homography, board))
    soft = cv2.dilate(heat, np.ones((3, 3), np.uint8))
    xs, ys = np.round(np.clip(points, -9, 999)).astype(int).T
    inside = (xs >= 0) & (ys >= 0) & (xs < heat.shape[1]) & (ys < heat.shape[0])
    values = np.zeros(len(points))
    values[inside] = soft[ys[inside], xs[inside]]
    return values


def _overlap(homography: Float, area: NDArray[np.bool_] | None) -> float:
    if area is None:
        return 0.0
    own = drawn(apply_homography(homography, BOARD_CORNERS), area.shape)
    return float((own & area).sum() / max((own | area).sum(), 1))


def drawn(quad: Float, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Return a map of this shape with a quadrilateral, (4, 2) in pixels of the view, filled."""
    filled = np.zeros(shape, np.uint8)
    sixteenths = np.round(np.clip(to_map(quad), -900, 900) * 16).astype(np.int32)
    cv2.fillConvexPoly(filled, sixteenths, 1, cv2.LINE_8, 4)
    return filled > 0
