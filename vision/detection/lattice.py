"""Fit the 4 x 5 lattice of a window to the marks that the finder network sees."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detection.views import from_map, to_map
from vision.geometry import BOARD_CORNERS, CELL_CENTERS, COLUMNS, ROWS, Float, Float32, Mask, apply_homography

# Set by hand while looking at the maps of labelled photos; not searched for systematically.
AREA_LEVEL = 0.5  # where the window's area ends
GATES = (0.55, 0.5, 0.42, 0.36, 0.3)  # how far a mark may lie from its prediction, in pitches
MIN_PAIRS = 10  # of 20 cells; fewer do not make a window
PLAIN_SCORE = 1.2  # a lattice with all marks that fits the area like this needs no rival
PLAIN_PAIRS = 19  # so many cells with a mark are worth a look, however ragged the area around them
MAX_STARTS = 8  # suggestions grown from marks that are tried
REFITS = 4  # of one step, held-back windows have corners off by 0.069 pitches on average, of four by 0.065
MIN_AREA = 60  # output pixels of a window's area; smaller is noise


RING = np.array([[x + 0.5, y + 0.5] for y in range(-1, ROWS + 1) for x in range(-1, COLUMNS + 1)])
"""Middles of the cells of a lattice that is one ring larger, in board coordinates."""
AROUND = RING[((RING < 0) | (RING > [COLUMNS, ROWS])).any(axis=1)]
"""The 22 of them that the lattice itself does not have."""


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
    def paired(self) -> Mask:
        """Which cells have a mark, shape (20,)."""
        return np.asarray(np.isfinite(self.marks[:, 0]))

    @property
    def pairs(self) -> int:
        """How many cells have a mark."""
        return int(self.paired.sum())

    @property
    def score(self) -> float:
        """How well lattice and maps agree, -1 to 2."""
        return self.support - float(self.around.mean()) + self.overlap


@dataclass(frozen=True, eq=False)
class Area:
    """One connected window area in the maps: a mask (96 x 96) and how many pixels of it are set."""

    mask: Mask
    pixels: int


def areas(window_map: Float32, min_pixels: int = MIN_AREA) -> list[Area]:
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
        quads.insert(0, cv2.approxPolyN(hull, 4, ensure_convex=True).reshape(-1, 2).astype(np.float64))
    return [from_map(_clockwise(quad)) for quad in quads if len(quad) == 4]


def _clockwise(quad: Float) -> Float:
    backwards = cv2.contourArea(quad.astype(np.float32), oriented=True) < 0
    return quad[::-1] if backwards else quad


Solved = dict[bytes, Float | None]
"""The homography that each way to pair marks with cells asks for: first homographies often pair alike."""


def fit(
    start: Float, marks: Float, heat: Float32, area: Mask | None, solved: Solved | None = None
) -> LatticeFit | None:
    """Fit a lattice from a first homography; None when too few cells have a mark.

    ``solved`` keeps what was solved for the same marks.
    """
    solved = {} if solved is None else solved
    homography = start
    before = b""
    for gate in GATES:
        predicted = apply_homography(homography, CELL_CENTERS)
        if not np.isfinite(predicted).all():
            return None
        index, spot, farthest = _pair(predicted, marks, gate)
        if len(index) < MIN_PAIRS:
            return None
        pairs = np.concatenate([index, spot]).tobytes()
        if pairs not in solved:
            solved[pairs] = _solve(CELL_CENTERS[index], marks[spot])
        if (better := solved[pairs]) is None:
            return None
        homography = better
        # The same pairs again, all near: narrower gates would change nothing.
        if pairs == before and farthest < GATES[-1]:
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


def refit(fitted: LatticeFit, trusted: Mask) -> Float:
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


def fits_to_area(area: Area, marks: Float, heat: Float32) -> list[LatticeFit]:
    """Fit lattices to one area, five cells along either direction of its outlines; best first."""
    found, solved = [], Solved()
    for quad in outlines(area):
        sides = _steps(np.roll(quad, -1, axis=0) - quad)
        turns = (0, 1) if sides[0] + sides[2] > sides[1] + sides[3] else (1, 0)
        for turn in turns:
            corners = np.roll(quad, turn, axis=0).astype(np.float32)
            start = cv2.getPerspectiveTransform(BOARD_CORNERS.astype(np.float32), corners)
            lattice = fit(np.asarray(start, dtype=np.float64), marks, heat, area.mask, solved)
            if lattice is not None:
                found.append(lattice)
                if lattice.pairs == ROWS * COLUMNS and lattice.score > PLAIN_SCORE:
                    return found[::-1]
    return sorted(found, key=lambda lattice: -lattice.score)


def fits_to_marks(area: Area, marks: Float, heat: Float32) -> list[LatticeFit]:
    """Fit lattices grown from the marks in an area, whatever its outline; best first."""
    grown = starts(marks[in_area(area, marks)])[:MAX_STARTS]
    solved = Solved()
    fits = (fit(start, marks, heat, area.mask, solved) for start in grown)
    return sorted((found for found in fits if found is not None), key=lambda lattice: -lattice.score)


def in_area(area: Area, marks: Float) -> Mask:
    """Return which marks lie in an area or just beside it."""
    wide = cv2.dilate(area.mask.astype(np.uint8), np.ones((5, 5), np.uint8))
    spots = np.clip(np.round(to_map(marks)).astype(int), 0, len(wide) - 1)
    return np.asarray(wide[spots[:, 1], spots[:, 0]] > 0)


def _pair(predicted: Float, marks: Float, gate: float) -> tuple[NDArray[np.intp], NDArray[np.intp], float]:
    """Pair cells with their nearest marks within ``gate`` pitches, and say how far the farthest lies."""
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
    """Return the homography of the pairs, robust against a few wrong ones; None where they tell none."""
    # The direct linear transform with normalized points (Hartley & Zisserman 4.1).
    found, _ = cv2.findHomography(board, pixels, cv2.RHO if len(board) > 15 else 0, 6.0)
    if found is None:
        return None
    homography = np.asarray(found, dtype=np.float64)
    center, spread = pixels.mean(0), pixels.std() + 1e-9
    x, y = ((pixels - center) / spread).T
    u, v = ((board - [2.5, 2.0]) / 1.5).T
    one, zero = np.ones_like(u), np.zeros_like(u)
    across = np.stack([u, v, one, zero, zero, zero, -x * u, -x * v, -x], 1)
    down = np.stack([zero, zero, zero, u, v, one, -y * u, -y * v, -y], 1)
    equations = np.concatenate([across, down])
    to_unit = np.array([[1 / 1.5, 0, -2.5 / 1.5], [0, 1 / 1.5, -2 / 1.5], [0, 0, 1]])
    to_pixels = np.array([[spread, 0, center[0]], [0, spread, center[1]], [0, 0, 1]])
    for _ in range(REFITS):  # far pairs count less (Cauchy weights at 2 px)
        residual = _steps(apply_homography(homography, board) - pixels)
        weights = 1 / np.sqrt(1 + (residual / 2.0) ** 2)
        rows = equations * np.concatenate([weights, weights])[:, None]
        _, values, vectors = cv2.eigen(rows.T @ rows)  # three times as fast as NumPy's; the least comes last
        refitted = to_pixels @ vectors[-1].reshape(3, 3) @ to_unit
        depth = refitted[2] @ [2.5, 2, 1]
        if values[-2, 0] < 1e-12 or abs(depth) <= 1e-12:
            return None
        homography = np.asarray(refitted / depth)
    return homography


def _sample(homography: Float, board: Float, heat: Float32) -> Float:
    """Return the map near board points, 0 outside of the view."""
    points = to_map(apply_homography(homography, board))
    soft = cv2.dilate(heat, np.ones((3, 3), np.uint8))
    xs, ys = np.round(np.clip(points, -9, 999)).astype(int).T
    inside = (xs >= 0) & (ys >= 0) & (xs < heat.shape[1]) & (ys < heat.shape[0])
    values = np.zeros(len(points))
    values[inside] = soft[ys[inside], xs[inside]]
    return values


def _overlap(homography: Float, area: Mask | None) -> float:
    if area is None:
        return 0.0
    own = drawn(apply_homography(homography, BOARD_CORNERS), area.shape)
    return float((own & area).sum() / max((own | area).sum(), 1))


def drawn(quad: Float, shape: tuple[int, ...]) -> Mask:
    """Return a map of this shape with a quadrilateral, (4, 2) in pixels of the view, filled."""
    filled = np.zeros(shape, np.uint8)
    sixteenths = np.round(np.clip(to_map(quad), -900, 900) * 16).astype(np.int32)
    cv2.fillConvexPoly(filled, sixteenths, 1, cv2.LINE_8, 4)
    return filled > 0


Index = tuple[int, int]

SEEDS = 5  # marks from which growing is tried
SYMMETRY = 0.15  # how far from straight across a neighbor's counterpart may be, of their distance
REACH = 0.42  # how far a mark may lie from where its neighbors predict it, in steps
RENUMBER = 0.3  # how far from a whole number a mark's place may be, in steps
MIN_GROWN = 9
FARTHEST = 12  # places further from the seed than this are no neighbors any more
STEPS: tuple[Index, ...] = ((1, 0), (-1, 0), (0, 1), (0, -1))


def starts(marks: Float) -> list[Float]:
    """Return homographies (board coordinates to view pixels) that the marks suggest, best first.

    Parameters
    ----------
    marks
        Middles of cells in view pixels, shape (N, 2); some may be missing or false.
    """
    found: list[tuple[int, Float]] = []
    if len(marks) < MIN_GROWN:
        return []
    for seed in seeds(marks):
        numbered = grow(marks, seed)
        if len(numbered) >= MIN_GROWN:
            found += _pieces(numbered, marks)
    return [homography for _, homography in sorted(found, key=lambda pair: -pair[0])]


def seeds(marks: Float) -> list[int]:
    """Return the marks from which growing is worth trying: those amid the most regular neighbors.

    In a lattice each neighbor has another one straight across.
    """
    apart = np.linalg.norm(marks[:, None] - marks[None], axis=-1)
    near = apart.argsort(axis=1)[:, 1:9]
    across = 2 * marks[:, None] - marks[near]
    missing = np.linalg.norm(across[:, :, None] - marks[None, None], axis=-1).min(axis=2)
    regular = (missing < SYMMETRY * np.take_along_axis(apart, near, axis=1)).sum(axis=1)
    away = np.linalg.norm(marks - np.median(marks, axis=0), axis=1)
    return [int(seed) for seed in np.lexsort((away, -regular))[:SEEDS]]


def grow(marks: Float, seed: int) -> dict[Index, int]:
    """Return the place of each mark that grows from a seed; the first steps go to its nearest neighbors."""
    offsets = marks - marks[seed]
    near = np.linalg.norm(offsets, axis=1).argsort()[1:9]
    first = offsets[near[0]]
    crossing = [
        k
        for k in near[1:]
        if abs(_cross(first, offsets[k])) > 0.6 * np.linalg.norm(first) * np.linalg.norm(offsets[k])
    ]
    if not crossing:
        return {}
    second = offsets[crossing[0]]
    if _cross(first, second) < 0:  # keep the board's sense of turning: x right, y down
        second = -second
    axes = {(1, 0): first, (-1, 0): -first, (0, 1): second, (0, -1): -second}
    numbered: dict[Index, int] = {(0, 0): seed}
    taken = {seed}
    queue: list[Index] = [(0, 0)]
    while queue:
        i, j = queue.pop(0)
        here = marks[numbered[i, j]]
        for di, dj in STEPS:
            there = (i + di, j + dj)
            if there in numbered:
                continue
            behind = numbered.get((i - di, j - dj))
            step = axes[di, dj] if behind is None else here - marks[behind]
            distance = np.linalg.norm(marks - here - step, axis=1)
            k = int(distance.argmin())
            if k not in taken and distance[k] < REACH * np.linalg.norm(step):
                numbered[there] = k
                taken.add(k)
                queue.append(there)
    return numbered


def _cross(a: Float, b: Float) -> float:
    return float(a[0] * b[1] - a[1] * b[0])


def plane_of(numbered: dict[Index, int], marks: Float) -> Float | None:
    """Return the homography from lattice numbers to view pixels."""
    index = np.array(list(numbered), dtype=np.float64)
    found, _ = cv2.findHomography(index, marks[list(numbered.values())], cv2.RANSAC, 8.0)
    to_view = np.asarray(found, dtype=np.float64)  # NaN where there is none
    return to_view if to_view.shape == (3, 3) and abs(np.linalg.det(to_view)) > 1e-9 else None


def _pieces(numbered: dict[Index, int], marks: Float) -> list[tuple[int, Float]]:
    """Return (marks covered, homography) for each 5 x 4 and 4 x 5 piece of the numbered marks."""
    to_view = plane_of(numbered, marks)
    if to_view is None:
        return []
    # Where perspective outran the steps, the plane of the first numbers reaches the other marks.
    places = apply_homography(np.asarray(np.linalg.inv(to_view)), marks)
    whole = np.round(places)
    close = np.flatnonzero(np.linalg.norm(places - whole, axis=1) < RENUMBER)
    numbered = {(int(whole[k, 0]), int(whole[k, 1])): int(k) for k in close}
    to_view = plane_of(numbered, marks) if len(numbered) >= MIN_GROWN else None
    if to_view is None:
        return []
    index = np.array([place for place in numbered if max(map(abs, place)) <= FARTHEST])
    if len(index) < MIN_GROWN:
        return []
    low, high = index.min(0), index.max(0)
    found = []
    for turned in (False, True):
        wide, tall = (ROWS, COLUMNS) if turned else (COLUMNS, ROWS)
        # How many marks each piece covers, from sums over a table of the numbered places; a piece may
        # reach beyond them all.
        table = np.zeros((high[0] - low[0] + 2 * wide, high[1] - low[1] + 2 * tall))
        table[index[:, 0] - low[0] + wide, index[:, 1] - low[1] + tall] = 1
        sums = np.pad(table, ((1, 0), (1, 0))).cumsum(0).cumsum(1)
        covered = sums[wide:, tall:] - sums[:-wide, tall:] - sums[wide:, :-tall] + sums[:-wide, :-tall]
        for i, j in np.argwhere(covered >= MIN_GROWN).tolist():
            i0, j0 = i + int(low[0]) - wide, j + int(low[1]) - tall
            if turned:  # columns run along j, rows against i
                to_index = np.array([[0, -1, i0 + wide - 0.5], [1, 0, j0 - 0.5], [0, 0, 1]])
            else:
                to_index = np.array([[1, 0, i0 - 0.5], [0, 1, j0 - 0.5], [0, 0, 1.0]])
            homography = to_view @ to_index
            if np.isfinite(apply_homography(homography, CELL_CENTERS)).all():
                found.append((int(covered[i, j]), homography))
    return found
