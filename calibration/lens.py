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
from vision._decoders import Image8
from vision.find import lattice
from vision.find.levels import Levels
from vision.find.maps import look
from vision.find.tables import find_grids
from vision.find.views import straight_view
from vision.geometry import CELL_CENTERS, COLUMNS, ROWS, USUAL_FOCAL, Grid, apply_homography
from vision.lens import Lens, Size
from vision.photo import brightened, load_photo

Float = NDArray[np.float64]
Source = bytes | str | os.PathLike[str]

MAX_SIDE_PX = 2400
STEEPEST, STEP = 0.32, 0.02  # of the k1 that are tried, with the usual focal length
# Turn in degrees, scale and shift in pitches of the looks whose marks are averaged: the errors of a look are
# those of the finder's coarse map mostly. Of nine looks marks lie two thirds as far from a lattice as of one.
LOOKS = ((0.0, 1.0, 0.0), (180.0, 1.0, 0.04), (3.0, 0.92, -0.03), (177.0, 1.08, 0.02), (-3.0, 1.04, -0.05))
OUTLIER = 4.0  # times the usual distance: such a mark is not that of the cell
# The finder's errors are alike in neighboring cells and tell less than they would at random: of 14 sets of
# five path-traced photos without a bend k1 is wrong by 2.3 plain standard errors, root mean square.
ALIKE = 2.3
PASSES, SEEMING = 4, 2.0  # how often marks are set again without the bend, and from how many plain errors
MIN_MARKS = 12  # of a window
SURE = 2.5  # standard errors from which a bend is no accident: of those sets none has more than 2
HALF = np.indices((4, 5)).sum(axis=0).ravel() % 2 == 0  # every other cell


_AROUND = CELL_CENTERS - [COLUMNS / 2, ROWS / 2]
# The finder sets marks a little farther out the farther they are from a window's middle. With this share of
# the cubed distance 111 drawn windows without a bend (seeds from 78,000,000 on) have a k1 of 0.001 together,
# without it of 0.028.
MARK_PLACES = CELL_CENTERS + 0.0005 * _AROUND * (_AROUND**2).sum(axis=1, keepdims=True)


@dataclass(frozen=True, eq=False)
class Lattice:
    """The marks of a window's cells, (20, 2) in pixels of a photo of ``size``; NaN for those without one."""

    marks: Float
    size: Size

    @property
    def marked(self) -> NDArray[np.intp]:
        """Which cells have a mark."""
        return np.flatnonzero(np.isfinite(self.marks[:, 0]))

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
    pictures = []
    for source in sources:
        image = brightened(load_photo(source, max_side=MAX_SIDE_PX)).image_bgr
        pictures.append((image, find_grids(Levels(image))[0]))
    return lens_from_windows(pictures)


def lens_from_windows(pictures: Iterable[tuple[Image8, Iterable[Grid]]]) -> LensEstimate:
    """Tell a lens from windows that were found in photos, in pixels of these; raises as `lens_from_photos`.

    In a bent window the finder sets its marks where they would be in a straighter one: k1 is told as -0.24
    where it is -0.3. So where there seems to be a bend the marks are set again, in the photos without it.
    """
    marked = [
        (image, [_marks_of(levels, grid.homography) for grid in grids])
        for image, grids in pictures
        for levels in [Levels(image)]
    ]
    taken = 0.0
    for _ in range(PASSES):
        k1, error = _bend(_whole(one for _, lattices in marked for one in lattices))
        if abs(k1 - taken) < (error if taken else SEEMING * error):
            break
        taken, lens = k1, Lens(USUAL_FOCAL, k1)
        marked = [
            (image, [_marks_again(levels, one, lens) for one in lattices])
            for image, lattices in marked
            for levels in [Levels(lens.straightened(image))]
        ]
    return lens_from_lattices([one for _, lattices in marked for one in lattices])


def _marks_of(photo: Levels, homography: Float) -> Lattice:
    """Return the marks of a window in a photo, given its homography from board coordinates."""
    seen = [_look(photo, homography, *how) for how in LOOKS]
    counts = np.isfinite(seen).sum(axis=0)
    marks = np.where(counts > len(LOOKS) // 2, np.nansum(seen, axis=0) / np.maximum(counts, 1), np.nan)
    return Lattice(np.asarray(marks), photo.size)


def _marks_again(straight: Levels, before: Lattice, lens: Lens) -> Lattice:
    """Return the marks of a window in a photo, set in the straightened photo."""
    index = before.marked
    if len(index) < MIN_MARKS:
        return before
    places = lens.from_photo(before.marks[index], before.size)
    marks = _marks_of(straight, _homography(CELL_CENTERS[index], places)).marks
    return Lattice(lens.to_photo(marks, before.size), before.size)


def _homography(board: Float, points: Float) -> Float:
    return np.asarray(cv2.findHomography(board, points, 0)[0], dtype=np.float64)


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
    whole = _whole(lattices)
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


def _whole(lattices: Iterable[Lattice]) -> list[Lattice]:
    """Return the lattices with enough marks in both halves; raises where there is none."""
    whole = [
        one
        for one in lattices
        if all(np.isfinite(one.marks[half, 0]).sum() >= MIN_MARKS / 2 for half in (HALF, ~HALF))
    ]
    if not whole:
        raise CalibrationError(
            "no_window",
            "There is no window in these photos whose cells can be told.",
            "Photograph one or several windows from above so that they fill the picture to its edges.",
        )
    return whole


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
    numbers = sum(2 * len(one.marked) - 8 for one in lattices) - 1
    if square <= 0 or numbers < 1:
        return best, float("inf")
    # The cost rises by the variance of a number where k1 is off by its standard error.
    return best, float(np.sqrt(costs.min() / numbers / square))


def _cost(lattices: Sequence[Lattice], k1: float) -> float:
    return sum(float(np.nansum(_away(one, k1, one) ** 2)) for one in lattices)


def _away(fit: Lattice, k1: float, asked: Lattice) -> Float:
    """Return how far marks (20, 2) lie from a lattice fitted to marks of the same window, in pitches."""
    lens, index = Lens(USUAL_FOCAL, k1), fit.marked
    homography = _homography(MARK_PLACES[index], lens.unbent(fit.marks[index], fit.size))
    middles = lens.bent(apply_homography(homography, MARK_PLACES), fit.size)
    steps = np.diff(middles.reshape(-1, COLUMNS, 2), axis=1)
    return np.asarray((asked.marks - middles) / np.median(np.hypot(steps[..., 0], steps[..., 1])))


def _root_mean_square(away: Sequence[Float]) -> float:
    return float(np.sqrt(np.nanmean(np.concatenate(away) ** 2)))
