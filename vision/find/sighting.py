"""Look at a suggested lattice again, set straight: is it a window, does all of it lie in the picture."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.find import lattice
from vision.find.hidden_line import ART_LEAD, side_of, way_of
from vision.find.levels import Levels
from vision.find.maps import Maps, art_beside, dice_seen, look, upright_probability, with_rise
from vision.find.scrutiny import DICE_PLENTY, Scrutiny, scrutinize
from vision.find.views import MAP_OF_VIEW, straight_view
from vision.geometry import (
    CELL_CENTERS,
    COLUMNS,
    ROWS,
    Grid,
    apply_homography,
    are_inside,
    estimate_rise,
    is_plausible,
    is_usual,
)

Float = NDArray[np.float64]
Mask = NDArray[np.bool_]
Size = tuple[int, int]
Map = NDArray[np.float32]

# Set by hand between what labelled windows reach, set straight at their labelled corners (support 0.60 for a
# macro shot, else 0.76 and more; 19 or 20 marks; 0.03 beyond), and what false windows in the same photos did.
MIN_SUPPORT = 0.5  # mean of the cell-middle map for a window to be believed
MIN_MARKED = 0.9  # share of the cells in view that must show a mark
MIN_WEAKEST_LINE = 0.6  # the same for each row and column
# The same where something lies over a window. Of every row and column one cell must show, or nobody could
# tell on which side the hidden one lies. Of 91 rendered photos with a painted finger, card or sleeve over up
# to six spaces 62 were found with the bounds above alone, 83 with less, none of them in a wrong place.
COVERED_SUPPORT, COVERED_MARKED, COVERED_WEAKEST_LINE = 0.55, 0.65, 0.19
MAX_BEYOND = 0.2  # marks around the lattice, against those in it: more and the lattice is shifted
MIN_SEEN = 10  # cells that must be in view to speak of a window at all
MIN_LINE = 3  # cells in view that make a row or column worth asking
MAX_LOOKS = 3
SETTLED = 0.2  # pitches by which the corners may move in a look that needs no other one
EDGE = 0.1  # pitches: a cell whose middle is nearer to the picture's edge may or may not have a mark
HALF_HOLE = 0.36  # half the side of a hole, in pitches
# Of 72 rendered, 14 real and 23 sample windows the marks lie 0.02 pitches from the lattice, 0.053 at most,
# but for one close-up from low down, where two lattices fit alike (0.085) and only one is right. Lattices
# laid across sheets of colored squares have 0.16 and more.
GOOD_MISFIT, MAX_MISFIT = 0.065, 0.12
# Share of the marked tops that lie where a lattice has its dice. Of held-back windows with a misfit above
# the first bound those in place have 0.86 and more, one in a wrong place 0.62.
MIN_EXPLAINED = 0.8
PLENTY_FROM_PX = 25  # pixels of a pitch: of smaller windows the finder takes tops of dice for holes
LOST, HARD, MAX_HARD = 0.1, 0.55, 2  # shares of a cell in view: nothing to read, hard to read; so many may be


@dataclass(frozen=True, eq=False)
class Sighting:
    """A lattice that was seen: its grid, which share of each cell (20,) is in view, and a closer look.

    ``dice`` is how many of its cells show the top of a die where the grid has one, ``misfit`` how far the
    finder's marks lie from the lattice (see `lattice.misfit`).
    """

    grid: Grid
    in_view: Float
    size: Size
    scrutiny: Scrutiny
    dice: int
    misfit: float

    @property
    def is_window(self) -> bool:
        """Whether nothing in the picture speaks against a window."""
        near = self.grid.pitch_px >= PLENTY_FROM_PX
        return self.scrutiny.may_be_window(self.dice if near else min(self.dice, DICE_PLENTY - 1))

    @property
    def fits_well(self) -> bool:
        """Whether no other lattice needs to be looked at in its place."""
        return self.misfit <= GOOD_MISFIT

    @property
    def whole(self) -> bool:
        """Whether something of every cell, and enough of nearly all, is in the picture."""
        return bool(self.in_view.min() >= LOST) and int((self.in_view < HARD).sum()) <= MAX_HARD

    @property
    def cut_sides(self) -> tuple[str, ...]:
        """The picture's edges that cells lie beyond, the one with the most first."""
        hidden = CELL_CENTERS[self.in_view < HARD]
        return sides_beyond(apply_homography(self.grid.homography, hidden), self.size)


def sides_beyond(points: Float, size: Size) -> tuple[str, ...]:
    """Return the edges of a picture that points (N, 2) lie beyond, the one with the most first."""
    counts = {
        "left": (points[:, 0] < 0).sum(),
        "right": (points[:, 0] > size[0]).sum(),
        "top": (points[:, 1] < 0).sum(),
        "bottom": (points[:, 1] > size[1]).sum(),
    }
    return tuple(side for side in sorted(counts, key=lambda side: -counts[side]) if counts[side])


def shares_in_view(grid: Grid, shows: Size | Callable[[Float], Mask], dice: Mask | None = None) -> Float:
    """Return which share of each cell (20,) lies in a picture.

    ``shows`` is its (width, height) in pixels, or says which points (N, 2) it shows.

    A die leans out of its hole in an oblique photo: of the hole and the die's top, the better counts.
    ``dice`` (20,) says in which cells one may stand, without it in all; of the others the hole counts.
    """
    steps = (np.arange(7) - 3) / 3.5 * HALF_HOLE
    spots = np.stack(np.meshgrid(steps, steps), -1).reshape(-1, 2)
    board = (CELL_CENTERS[:, None] + spots[None]).reshape(-1, 2)
    planes = (apply_homography(grid.plane(height), board) for height in (0.0, 1.0))
    hole, top = (
        (shows(points) if callable(shows) else are_inside(points, shows)).reshape(20, -1).mean(1)
        for points in planes
    )
    return np.asarray(np.where(True if dice is None else dice, np.maximum(hole, top), hole))


def sight(photo: Levels, start: Float, *, line_hidden: bool = False) -> Sighting | None:
    """Set a lattice straight and fit it again until it rests; None when the finder sees no window then.

    What the picture itself says about it is in the sighting's scrutiny.

    Parameters
    ----------
    photo
        The photo.
    start
        Homography from board coordinates to pixels of the photo, right to a quarter of a pitch or so.
    line_hidden
        Whether a whole outer row or column may be hidden; then `hidden_line` says which.
    """
    rested = _rest(photo, start, 0.0 if line_hidden else COVERED_WEAKEST_LINE)
    if rested is None:
        return None
    maps, straight, again, fitted, misfit = rested
    size, weakest = photo.size, _weakest_line(fitted.paired, np.ones(20, bool))
    # With more lenses to choose from a wrong lattice fits one of them more often.
    if misfit > (MAX_MISFIT if is_usual(again, size) and weakest >= MIN_WEAKEST_LINE else GOOD_MISFIT):
        return None
    scrutiny = scrutinize(maps.view.image_bgr, straight, maps.view.to_photo, size)
    grid = with_rise(maps, Grid(again, estimate_rise(again, size)), size)
    grid = replace(grid, upright_probability=upright_probability(maps, straight, size))
    if grid.upright_probability < 0.5:
        grid = grid.rotated_180()
    explained, marked = dice_seen(maps, grid, lattice.PEAK_LEVEL)
    if misfit > GOOD_MISFIT and explained.sum() < MIN_EXPLAINED * marked:
        return None
    # Among dice an open space that lies beyond the picture's edge may be none at all.
    in_view = shares_in_view(grid, size, explained if explained.any() else None)
    sighting = Sighting(grid, in_view, size, scrutiny, int(dice_seen(maps, grid)[0].sum()), misfit)
    above, right, below, left = art_beside(maps, straight, size)
    complete = sighting.whole and weakest >= MIN_WEAKEST_LINE
    if not complete and max(left, right) > above + below + ART_LEAD:
        return None  # four of the five cells beside the art, counted as the four of a column
    return sighting


def _rest(
    photo: Levels, start: Float, least_line: float
) -> tuple[Maps, Float, Float, lattice.LatticeFit, float] | None:
    """Fit a lattice again and again until it rests.

    Returns the maps of the last straight view, the lattice in it and in the photo, the fit that it comes from
    and how far that is from its marks, or None when it is not to be believed.
    """
    size = photo.size
    if not is_plausible(start, size):
        return None
    again = start
    for looks in range(1, MAX_LOOKS + 1):
        maps = look(straight_view(photo, again))
        back = np.linalg.inv(maps.view.to_photo)
        fit = _fit_to(maps.cells, maps, again, size, least_line)
        if fit is None or not fit[2]:
            by_tops = _fit_to(_with_tops(maps, again, size), maps, again, size, least_line)
            fit = by_tops if by_tops is not None and (fit is None or by_tops[2]) else fit
        if fit is None:
            return None
        fitted, straight, believed = fit
        moved = _moved(back @ again, straight)
        again = maps.view.to_photo @ straight
        again = again / (again[2] @ [2.5, 2, 1])
        if believed and (moved < SETTLED or looks > 1):
            misfit = lattice.misfit(straight, fitted.marks)
            if not least_line:
                side = side_of(fitted.paired)
                way = way_of(photo, maps, straight, side) if side and misfit <= GOOD_MISFIT else None
                return None if way is None else (maps, straight @ way, again @ way, fitted, misfit)
            return maps, straight, again, fitted, misfit
    return None


def _fit_to(
    cells: Map, maps: Maps, start: Float, size: Size, least_line: float
) -> tuple[lattice.LatticeFit, Float, bool] | None:
    """Fit a lattice to marks in a straight view; None where nobody could see it like this.

    Returns the fit, the lattice in the view and whether it is a window.
    """
    to_photo = maps.view.to_photo
    fitted = lattice.fit(np.linalg.inv(to_photo) @ start, lattice.peaks(cells), cells, None)
    if fitted is None:
        return None
    # Of a cell that the picture's edge cuts, the finder marks what is left of it.
    uncut = shares_in_view(Grid(to_photo @ fitted.homography, np.zeros(3)), size) == 1
    straight = lattice.refit(fitted, uncut)
    if not is_plausible(to_photo @ straight, size):
        return None
    return fitted, straight, believable(fitted, to_photo @ straight, size, least_line)


def _with_tops(maps: Maps, homography: Float, size: Size) -> Map:
    """Return the map of the cells' middles with what the tops of dice say of the holes under them.

    Seen from low down a row of dice hides the next row's holes, but all of the tops show. They are moved
    to the surface by what its tilt says of the rise, the same for all that stand.
    """
    grid = Grid(homography, estimate_rise(homography, size))
    sink = (
        np.linalg.inv(maps.view.to_photo) @ homography @ np.linalg.inv(grid.plane(1.0)) @ maps.view.to_photo
    )
    shape = maps.tops.shape[::-1]
    lowered = cv2.warpPerspective(maps.tops, MAP_OF_VIEW @ sink @ np.linalg.inv(MAP_OF_VIEW), shape)
    near = cv2.dilate(lowered, np.ones((7, 7), np.uint8)) > lattice.PEAK_LEVEL  # one mark a cell
    return np.asarray(np.where(near, lowered, maps.cells), dtype=np.float32)


def _moved(before: Float, after: Float) -> float:
    """Return how far the farthest cell moved between two fits in a straight view, in pitches."""
    a, b = apply_homography(before, CELL_CENTERS), apply_homography(after, CELL_CENTERS)
    pitch = np.linalg.norm(b[COLUMNS - 1] - b[0]) / (COLUMNS - 1)
    return float(np.linalg.norm(a - b, axis=1).max() / pitch)


def believable(fitted: lattice.LatticeFit, homography: Float, size: Size, least_line: float) -> bool:
    """Return whether a lattice in a straightened view is a window, as far as it is in the picture.

    Parameters
    ----------
    fitted
        The lattice in the view.
    homography
        The same in the photo.
    size
        (width, height) of the photo in pixels.
    least_line
        The least share of each row and column that must show a mark, where something lies over others.
    """
    middles = apply_homography(homography, CELL_CENTERS)
    pitch = float(np.median(np.linalg.norm(np.diff(middles.reshape(ROWS, COLUMNS, 2), axis=1), axis=-1)))
    low, high = np.full(2, EDGE * pitch), np.array(size) - 1 - EDGE * pitch
    seen = ((middles > low) & (middles < high)).all(axis=1)
    if seen.sum() < MIN_SEEN:
        return False
    around = fitted.around[are_inside(apply_homography(homography, lattice.AROUND), size)]
    support = float(fitted.cells[seen].mean())
    if float(around.mean() if len(around) else 0) > MAX_BEYOND * support:
        return False
    marked = np.asarray(fitted.paired & seen)
    share, weakest = marked.sum() / seen.sum(), _weakest_line(fitted.paired, np.asarray(seen))
    if share >= MIN_MARKED and support >= MIN_SUPPORT and weakest >= MIN_WEAKEST_LINE:
        return True
    return bool(
        share >= COVERED_MARKED
        and weakest >= least_line
        and float(fitted.cells[marked].mean()) >= COVERED_SUPPORT
    )


def _weakest_line(paired: Mask, seen: Mask) -> float:
    """Return the smallest share of marked cells in a row or column, among those in view."""
    shown, marked = seen.reshape(ROWS, COLUMNS), (paired & seen).reshape(ROWS, COLUMNS)
    counts = np.concatenate([shown.sum(0), shown.sum(1)])
    marks = np.concatenate([marked.sum(0), marked.sum(1)])
    asked = counts >= MIN_LINE
    return float((marks[asked] / counts[asked]).min()) if asked.any() else 0.0
