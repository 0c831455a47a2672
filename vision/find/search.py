"""Find the 4 x 5 lattices of windows in a photo, at any rotation and under tilt.

Two looks with one small network: first at the whole photo (where are windows, where the middles
of their cells?), then at the best one set straight (exact middles, tops of the dice, art). A
lattice is fitted to the marks each time; the network proposes, the lattice decides.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import VisionError
from vision.find import lattice, partial, refusals, steeper
from vision.find.levels import Levels
from vision.find.maps import Maps, look
from vision.find.places import Place, place_of
from vision.find.scrutiny import DICE_ENOUGH
from vision.find.sighting import Sighting, sight
from vision.find.views import STRIDE, FinderView, views_of, whole_view
from vision.geometry import (
    CELL_CENTERS,
    MIN_PITCH_PX,
    Grid,
    apply_homography,
    estimate_rise,
    is_plausible,
)
from vision.photo import Photo

Float = NDArray[np.float64]
Map = NDArray[np.float32]
Box = tuple[int, int, int, int]

FIRST_SCORE = 0.75  # support - beyond + overlap for a first look to be worth a second
PLAIN_PAIRS = 19  # so many cells with a mark are worth it, however ragged the area around them
TRIES = 3  # fits of one area that get a second look
MAX_AREAS = 5  # areas of one view that are asked, the largest first
LINE_TRIES = 6  # suggestions that are asked whether an outer line is hidden
BUDGET = 20  # suggestions of one photo that get a second look
EVERY_BUDGET = 60  # the same where every window is wanted
STEEPER_BUDGET = (
    20  # more of them, from nearer and more steeply; of 216 photos none needed more than 26 in all
)
EVERY_STEEPER_BUDGET = 30  # the same where every window is wanted
ALIKE = 0.3  # pitches within which two suggestions are the same
ZOOMS = 6  # areas of one photo that are looked at again from nearer
ZOOM_BELOW_PX = 110  # view pixels: an area less wide and high than this may be a window too small to resolve
ZOOM_MIN_AREA = 12  # output pixels
ZOOM_FROM_PX = 48  # pixels of the photo: in an area less wide and high there is nothing to read
# Blur of the window itself: five rendered ones blurred by 0.1 pitches measure 0.53 to 0.64 and are read with
# doubts that catch each mistake, by 0.14 pitches 0.67 to 0.73, and then no longer.
BLURRY = 0.65
AS_ALIKE = 0.8  # how well a lattice must fit the cells against one in the same place that is no window
OVERSHADOWED = 1.2  # so many times larger must be what looks like a window beside an empty lattice
TIE = 0.92  # a window that stands out by less than this is one of several


@dataclass(frozen=True, eq=False)
class Found:
    """The window that was chosen and how many others lie whole in view."""

    grid: Grid
    other_windows: int


def find_grid(photo: Photo) -> Found:
    """Find the window that a photo shows.

    Parameters
    ----------
    photo
        The upright photo.

    Returns
    -------
    Found
        The largest, most central window, in pixels of ``photo.image_bgr``, row A on the art's
        side as far as the picture tells.

    Raises
    ------
    BoardNotFoundError
        There is no window, or none that stands out.
    BoardUnreadableError
        The window is cut off by the picture's edge or too small.
    """
    search = Search(Levels(photo.image_bgr))
    search.look_around()
    return _choose(search)


class Search:
    """What has been seen of one photo, and which suggestions have been tried.

    Parameters
    ----------
    photo
        The photo.
    every
        Whether every window is wanted; otherwise the search rests as soon as one stands.
    """

    def __init__(self, photo: Levels, *, every: bool = False) -> None:
        self.photo = photo
        self.seen: list[Sighting] = []
        self.places: list[Place] = []
        self.cut_sides: tuple[str, ...] = ()
        self.met_sides: tuple[str, ...] = ()
        self._budget = EVERY_BUDGET if every else BUDGET
        self._every = every
        self._tried: list[Float] = []
        self._plain: list[Float] = []
        self._zoomed: list[Float] = []
        self._refuted: list[Sighting] = []

    @property
    def stands(self) -> bool:
        """Whether a window has been seen that nothing larger beside it makes doubtful."""
        return any(not self.is_overshadowed(sighting) for sighting in self.seen)

    @property
    def rests(self) -> bool:
        """Whether nothing more is looked for."""
        return self.stands and not self._every

    def look_around(self) -> None:
        """Look at all views of the photo until the search rests."""
        for view in views_of(self.photo):
            self.look_at(view)
            if self.rests:  # a closer look at the quarters is for windows that are small
                return
        self._look_for_hidden_lines()
        self._look_until_one_stands(steeper.views(self.photo))
        self._look_from_nearer()

    def _look_until_one_stands(self, views: Iterator[FinderView]) -> None:
        while not self.stands and (view := next(views, None)) is not None:
            self.look_at(view)

    def _look_for_hidden_lines(self) -> None:
        """Look again at what may be a window of which a whole outer line is hidden, where nothing else is."""
        for start in self._plain[:LINE_TRIES]:
            if self.seen or self.cut_sides:
                break
            sighting = sight(self.photo, start, line_hidden=True)
            if sighting is not None:
                self._accept(sighting)

    def _look_from_nearer(self) -> None:
        """Look again, from nearer and more steeply, at what seems to be a window and is none yet."""
        self._budget += EVERY_STEEPER_BUDGET if self._every else STEEPER_BUDGET
        for place in steeper.worth_a_look(self.places, every=self._every):
            for view in steeper.nearer_views(self.photo, place):
                if self.rests or self.explains(place.middle):
                    break
                self.look_at(view)

    def explains(self, middle: Float) -> bool:
        """Return whether a point of the photo lies in a whole window that has been seen."""
        return any(
            cv2.pointPolygonTest(one.grid.corners_px.astype(np.float32), (x, y), measureDist=False) >= 0
            for x, y in [map(float, middle)]
            for one in self.seen
            if one.whole
        )

    def is_overshadowed(self, sighting: Sighting) -> bool:
        """Return whether an empty lattice lies beside something larger that looks like a window.

        On objective cards small windows are printed, and they may be all that is whole in view of a window
        with the cards beside it.
        """
        if sighting.dice:
            return False
        own = sighting.grid.corners_px.astype(np.float32)
        return any(
            place.square_px > OVERSHADOWED * cv2.contourArea(own)
            and cv2.pointPolygonTest(own, (float(x), float(y)), measureDist=False) < 0
            for place in self.places
            for x, y in [place.middle]
        )

    def look_at(self, view: FinderView) -> None:
        """Look for windows in a view, and from nearer where there may be small ones."""
        maps = look(view)
        self._search(maps)
        if not self.rests:
            for box in self._small_areas(maps):
                self._search(look(whole_view(self.photo, box)))

    def _search(self, maps: Maps) -> None:
        """Look for windows in what the finder says of a view."""
        marks = [(heat, lattice.peaks(heat)) for heat in (maps.cells, maps.tops)]
        for area in lattice.areas(maps.window)[:MAX_AREAS]:
            place = place_of(area, maps, marks[0][1])
            self.places.append(place)
            if self._every and self.explains(place.middle):
                continue
            for start, plain in _starts(area, maps, marks, self.photo.size):
                if len(self._tried) >= self._budget:
                    break
                if self._is_new(start):
                    self._plain += [start] * plain
                    sighting = sight(self.photo, start)
                    if sighting is None or not (plain or sighting.dice >= DICE_ENOUGH):
                        continue
                    if self._accept(sighting) and sighting.fits_well:
                        break
            if not self.rests and (self._every or not self.cut_sides):
                cut_sides = partial.cut_sides(maps, area, self.photo.size)
                self.places[-1] = replace(place, cut_sides=cut_sides)
                self.cut_sides = self.cut_sides or cut_sides
            if not self.stands and not self.met_sides:
                self.met_sides = partial.met_sides(maps, area, self.photo.size)

    def _accept(self, sighting: Sighting) -> bool:
        """Return whether a sighting is a window, and keep it when it is a new or a better one.

        Where a lattice that fits the picture better has been found to go on, none laid across is one.
        """
        if not sighting.is_window:
            self._refuted.append(sighting)
            return False
        if any(
            _same(sighting.grid, other.grid) and sighting.scrutiny.alike < AS_ALIKE * other.scrutiny.alike
            for other in self._refuted
        ):
            return False
        rival = next((k for k, other in enumerate(self.seen) if _same(sighting.grid, other.grid)), None)
        if rival is None:
            self.seen.append(sighting)
        elif is_better(sighting, self.seen[rival]):
            self.seen[rival] = sighting
        return True

    def _small_areas(self, maps: Maps) -> Iterator[Box]:
        """Yield boxes of the photo, each once, around areas too small for their cells to be told apart."""
        width, height = self.photo.size
        for area in lattice.areas(maps.window, ZOOM_MIN_AREA):
            ys, xs = np.nonzero(area.mask)
            corners = np.array([[xs.min(), ys.min()], [xs.max() + 1, ys.max() + 1]]) * float(STRIDE)
            (x0, y0), (x1, y1) = apply_homography(maps.view.to_photo, corners)
            wide = max(x1 - x0, y1 - y0)
            if (corners[1] - corners[0]).max() > ZOOM_BELOW_PX or wide < ZOOM_FROM_PX:
                continue
            middle = np.array([x0 + x1, y0 + y1]) / 2
            if any(np.linalg.norm(middle - other) < 0.5 * wide for other in self._zoomed):
                continue
            if len(self._zoomed) >= ZOOMS:
                return
            self._zoomed.append(middle)
            left, top = (max(0, int(v - wide)) for v in middle)
            yield left, top, min(width, int(middle[0] + wide)), min(height, int(middle[1] + wide))

    def _is_new(self, start: Float) -> bool:
        """Return whether a suggestion differs from all before it, and count it."""
        middles = apply_homography(start, CELL_CENTERS)
        pitch = float(np.linalg.norm(middles[4] - middles[0])) / 4
        if self._tried:
            tried = np.array(self._tried)
            apart = [np.linalg.norm(way - middles, axis=2).max(axis=1) for way in (tried, tried[:, ::-1])]
            if np.minimum(*apart).min() < ALIKE * pitch:
                return False
        self._tried.append(middles)
        return True


def _choose(search: Search) -> Found:
    """Return the window that stands out, or raise what speaks against it."""
    size = search.photo.size
    whole = sorted(
        (sighting for sighting in search.seen if sighting.whole and not search.is_overshadowed(sighting)),
        key=lambda sighting: -_prominence(sighting.grid, size),
    )
    if not whole:
        of_seen = next((sides for one in search.seen if (sides := one.cut_sides)), ())
        sides = of_seen or search.cut_sides or search.met_sides
        raise refusals.cut_off(sides) if sides else refusals.nothing(search.photo.image_bgr)
    chosen = whole[0]
    rivals = [one for one in whole if _prominence(one.grid, size) > TIE * _prominence(chosen.grid, size)]
    if len(rivals) > 1 and chosen.grid.pitch_px >= MIN_PITCH_PX:
        with_dice = [one for one in rivals if one.dice >= DICE_ENOUGH]
        if len(with_dice) != 1:  # else the empty ones beside it are not what anybody means
            raise refusals.several(len(whole))
        (chosen,) = with_dice
    if (reason := unreadable(chosen)) is not None:
        raise reason
    return Found(chosen.grid, len(whole) - 1)


def unreadable(sighting: Sighting) -> VisionError | None:
    """Return why a window that has been seen whole cannot be read, None when it can."""
    if sighting.grid.pitch_px < MIN_PITCH_PX:
        return refusals.too_small()
    return refusals.too_blurry() if sighting.scrutiny.blur > BLURRY else None


def _starts(
    area: lattice.Area, maps: Maps, marks: list[tuple[Map, Float]], size: tuple[int, int]
) -> Iterator[tuple[Float, bool]]:
    """Yield homographies of the surface, in photo pixels, that are worth a second look; best first.

    They rest on the middles of the cells or, where dice hide the holes as in a very oblique photo,
    on the tops of the dice, from which the surface lies below. The flag says that a phone could see the
    marks like this; without it their perspective was left out, and only dice can make that a window.
    """
    for heat, spots in marks:
        for fits in (lattice.fits_to_area, lattice.fits_to_marks):
            for first in fits(area, spots, heat)[:TRIES]:
                if first.score < FIRST_SCORE and first.pairs < PLAIN_PAIRS:
                    continue
                start = maps.view.to_photo @ first.homography
                plain = is_plausible(start, size)
                if not plain:
                    start = maps.view.to_photo @ lattice.without_perspective(first)
                if heat is maps.tops:
                    start[:, 2] -= estimate_rise(start, size)
                if is_plausible(start, size):
                    yield start, plain


def _prominence(grid: Grid, size: tuple[int, int]) -> float:
    """Return how much a window stands out: large and near the middle."""
    center = apply_homography(grid.homography, np.array([[2.5, 2.0]]))[0]
    away = float(np.linalg.norm(center / np.array(size) - 0.5))
    return grid.pitch_px * (1 - 0.5 * away)


def is_better(new: Sighting, old: Sighting) -> bool:
    """Return whether a second lattice in the same place takes the place of one that fits its marks badly."""
    return not old.fits_well and new.whole and new.scrutiny.alike > old.scrutiny.alike


def _same(a: Grid, b: Grid) -> bool:
    middles = [apply_homography(g.homography, np.array([[2.5, 2.0]]))[0] for g in (a, b)]
    return bool(np.linalg.norm(middles[0] - middles[1]) < 1.5 * max(a.pitch_px, b.pitch_px))
