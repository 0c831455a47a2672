"""What bends a household's photos: the lens, told from windows or from a printed chessboard.

The middles of a window's cells are a plane grid. Through a lens that bends nothing a homography takes them to
the photo, so the right lens is the one without whose bend homographies fit all windows best; Devernay &
Faugeras (Straight lines have to be straight, 2001) do the same with edges. This tells the bend at each place
of the photo, but not the focal length: a longer lens that bends more looks the same. The usual one is taken,
and photos are set straight alike.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import CalibrationError
from vision.find import lattice
from vision.find.levels import Levels
from vision.find.maps import look
from vision.find.tables import find_grids
from vision.find.views import straight_view
from vision.geometry import CELL_CENTERS, COLUMNS, USUAL_FOCAL, Grid, apply_homography
from vision.lens import Lens, Size
from vision.photo import brightened, load_photo

Float = NDArray[np.float64]
Source = bytes | str | os.PathLike[str]

MAX_SIDE_PX = 2400
STEEPEST, STEP, FINE_STEP = 0.3, 0.02, 0.002  # of the k1 that are tried, with the usual focal length
# Turn in degrees, scale and shift in pitches of the looks whose marks are averaged: the errors of a look are
# those of the finder's coarse map mostly. Of nine looks marks lie two thirds as far from a lattice as of one.
LOOKS = ((0.0, 1.0, 0.0), (180.0, 1.0, 0.04), (3.0, 0.92, -0.03), (177.0, 1.08, 0.02), (-3.0, 1.04, -0.05))
OUTLIER = 4.0  # times the usual distance: such a mark is not that of the cell
# The finder's errors are alike in neighboring cells and tell less than they would at random: a k1 from one
# drawn window is wrong by 1.7 of its standard errors, root mean square.
ALIKE = 1.7
SURE = 3.0  # standard errors from which a bend is no accident
HALF = np.indices((4, 5)).sum(axis=0).ravel() % 2 == 0  # every other cell


@dataclass(frozen=True, eq=False)
class Lattice:
    """The marks of a window's cells, (20, 2) in pixels of a photo of ``size``; NaN for those without one."""

    marks: Float
    size: Size

    def only(self, cells: NDArray[np.bool_]) -> Lattice:
        """Return the lattice without the marks of other cells than these (20,)."""
        return Lattice(np.where(cells[:, None], self.marks, np.nan), self.size)


@dataclass(frozen=True)
class LensEstimate:
    """A lens and how well it is known.

    ``standard_error`` is that of its k1. ``error_before`` and ``error_after`` are how far marks lie from
    where they should, root mean square, without and with the lens: of windows in pitches, for marks that the
    lens was not told from, of chessboards in thousandths of the photo's long side. ``patterns`` is how many
    windows or chessboards it rests on. Only where it ``helps`` photos should be set straight.
    """

    lens: Lens
    standard_error: float
    error_before: float
    error_after: float
    patterns: int

    @property
    def helps(self) -> bool:
        """Whether the bend is no accident, and marks fit better with it."""
        return abs(self.lens.k1) > SURE * self.standard_error and self.error_after < self.error_before

    def to_json(self) -> dict[str, object]:
        """Return the estimate as plain data."""
        return {
            "lens": self.lens.to_json(),
            "standard_error": round(self.standard_error, 4),
            "error_before": round(self.error_before, 4),
            "error_after": round(self.error_after, 4),
            "patterns": self.patterns,
            "helps": self.helps,
        }


def lens_from_photos(sources: Iterable[Source]) -> LensEstimate:
    """Tell a lens from photos, taken through it, of one window or several.

    Raises
    ------
    VisionError
        A photo cannot be used.
    CalibrationError
        There is no window in the photos (``no_window``).
    """
    lattices = []
    for source in sources:
        levels = Levels(brightened(load_photo(source, max_side=MAX_SIDE_PX)).image_bgr)
        lattices += [marks_of(levels, grid) for grid in find_grids(levels)[0]]
    return lens_from_lattices(lattices)


def marks_of(photo: Levels, grid: Grid) -> Lattice:
    """Return the marks of a window that was found in a photo."""
    seen = [_look(photo, grid.homography, *how) for how in LOOKS]
    counts = np.isfinite(seen).sum(axis=0)
    marks = np.where(counts > len(LOOKS) // 2, np.nansum(seen, axis=0) / np.maximum(counts, 1), np.nan)
    return Lattice(np.asarray(marks), photo.size)


def _look(photo: Levels, homography: Float, turn_deg: float, scale: float, shift: float) -> Float:
    """Return the marks (20, 2) that the finder sets in a look at a window, turned, scaled and shifted."""
    moved = np.vstack([cv2.getRotationMatrix2D((2.5, 2.0), turn_deg, scale), [0, 0, 1]])
    moved[:2, 2] += shift
    maps = look(straight_view(photo, homography @ moved))
    start = np.asarray(np.linalg.inv(maps.view.to_photo) @ homography, dtype=np.float64)
    fitted = lattice.fit(start, lattice.peaks(maps.cells), maps.cells, None)
    if fitted is None:
        return np.full((len(CELL_CENTERS), 2), np.nan)
    return apply_homography(maps.view.to_photo, fitted.marks)


def lens_from_lattices(lattices: Sequence[Lattice]) -> LensEstimate:
    """Tell a lens from the marks of windows in photos taken through it.

    Whether it helps is seen on what it was not told from: on each window with a lens from the others, or
    where there are only one or two, on each half of their cells with lens and place from the other half.

    Raises
    ------
    CalibrationError
        There is no window (``no_window``).
    """
    whole = [
        one
        for one in lattices
        if np.isfinite(one.marks[HALF, 0]).sum() > 5 < np.isfinite(one.marks[~HALF, 0]).sum()
    ]
    if not whole:
        raise CalibrationError(
            "no_window",
            "There is no window in these photos whose cells can be told.",
            "Photograph one or several windows from above so that they fill the picture to its edges.",
        )
    k1, error = _bend(whole)
    if len(whole) > 2:
        folds = [([*whole[:k], *whole[k + 1 :]], [(one, one)]) for k, one in enumerate(whole)]
    else:
        halves = [
            ([one.only(cells) for one in whole], [one.only(~cells) for one in whole])
            for cells in (HALF, ~HALF)
        ]
        folds = [(fit, list(zip(fit, asked, strict=True))) for fit, asked in halves]
    bends = [(_bend(fit)[0], asked) for fit, asked in folds]
    return LensEstimate(
        Lens(USUAL_FOCAL, round(k1, 4)),
        error * ALIKE,
        _root_mean_square([_away(a, 0.0, b) for _, asked in bends for a, b in asked]),
        _root_mean_square([_away(a, bend, b) for bend, asked in bends for a, b in asked]),
        len(whole),
    )


def _bend(lattices: Sequence[Lattice]) -> tuple[float, float]:
    """Return the k1 with which lattices fit best, with the usual focal length, and its standard error."""
    kept = lattices
    for _ in range(2):
        coarse = np.arange(-STEEPEST, STEEPEST + STEP / 2, STEP)
        near = coarse[np.argmin([_cost(kept, k1) for k1 in coarse])]
        low, high = max(near - STEP, -STEEPEST), min(near + STEP, STEEPEST)
        fine = np.linspace(low, high, 21)
        costs = np.array([_cost(kept, k1) for k1 in fine])
        square, slope, _ = np.polyfit(fine - near, costs, 2)
        best = (
            float(fine[costs.argmin()])
            if square <= 0
            else float(np.clip(near - slope / (2 * square), low, high))
        )
        away = [np.hypot(*_away(one, best, one).T) for one in kept]
        usual = float(np.nanmedian(np.concatenate(away)))
        kept = [one.only(far <= OUTLIER * usual) for one, far in zip(kept, away, strict=True)]
    numbers = sum(2 * int(np.isfinite(one.marks[:, 0]).sum()) - 8 for one in lattices) - 1
    if square <= 0 or numbers < 1:
        return best, float("inf")
    # The cost rises by the variance of a number where k1 is off by its standard error.
    return best, float(np.sqrt(costs.min() / numbers / square))


def _cost(lattices: Sequence[Lattice], k1: float) -> float:
    return sum(float(np.nansum(_away(one, k1, one) ** 2)) for one in lattices)


def _away(fit: Lattice, k1: float, asked: Lattice) -> Float:
    """Return how far marks (20, 2) lie from a lattice fitted to marks of the same window, in pitches."""
    lens, index = Lens(USUAL_FOCAL, k1), np.flatnonzero(np.isfinite(fit.marks[:, 0]))
    straight = lens.unbent(fit.marks[index], fit.size)
    homography, _ = cv2.findHomography(CELL_CENTERS[index], straight, 0)
    middles = lens.bent(apply_homography(np.asarray(homography, dtype=np.float64), CELL_CENTERS), fit.size)
    steps = np.diff(middles.reshape(-1, COLUMNS, 2), axis=1)
    return np.asarray((asked.marks - middles) / np.median(np.hypot(steps[..., 0], steps[..., 1])))


def _root_mean_square(away: Sequence[Float]) -> float:
    return float(np.sqrt(np.nanmean(np.concatenate(away) ** 2)))
