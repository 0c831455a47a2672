"""Find the 4 x 5 lattices of windows in a photo, at any rotation and under tilt.

Two looks with one small network: first at the whole photo (where are windows, where the middles
of their cells?), then at the best one set straight (exact middles, tops of the dice, art). A
lattice is fitted to the marks each time; the network proposes, the lattice decides. `find_grid` returns the
one window meant, `find_grids` those of a whole table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.sentences import sentence
from vision.detection import lattice
from vision.detection.sighting import DICE_ENOUGH, MAX_LOOKS, Sighting, cut_sides, met_sides, sight
from vision.detection.views import (
    STRIDE,
    VIEW_PX,
    FinderView,
    Levels,
    Maps,
    from_map,
    look,
    nearer_view,
    peaks,
    straight_view,
    tilted_view,
    views_of,
    whole_view,
)
from vision.errors import BoardNotFoundError, BoardUnreadableError, VisionError, too_dark
from vision.geometry import (
    CELL_CENTERS,
    COLUMNS,
    MIDDLE_OF_BOARD,
    MIN_PITCH_PX,
    ROWS,
    SQUARE,
    USUAL_FOCAL,
    Float,
    Grid,
    Image8,
    Thing,
    apply_homography,
    estimate_rise,
    is_plausible,
    is_within,
    long_side,
    without_doubles,
)
from vision.photo import Photo

# Set by hand on the labelled photos.
DARK, BRIGHT_SHARE = 40, 0.05  # with fewer pixels brighter than this (0-255) a photo is too dark
# Of 63 photos without a window the softest measures 0.62, the next 0.56; blurred by 8 px all but one, which
# is full of noise, measure 0.67 and more.
# Blur of the window itself: five rendered ones blurred by 0.1 pitches measure 0.53 to 0.64 and are read with
# doubts that catch each mistake, by 0.14 pitches 0.67 to 0.73, and then no longer.
BLURRY = 0.65
BLUR_SIDES_PX, BLUR_AGAIN_PX = (600, 300, 150), 9

EDGES = {
    "top": sentence("at the top"),
    "right": sentence("on the right"),
    "bottom": sentence("at the bottom"),
    "left": sentence("on the left"),
}


def cut_off(sides: Sequence[str]) -> BoardUnreadableError:
    """Return the refusal of a window that goes on beyond these edges of the photo, at least one."""
    edges = list(sides[:2])
    named = EDGES[edges[0]]
    if len(edges) > 1:
        named = sentence("{first} and {second}", first=named, second=EDGES[edges[1]])
    return BoardUnreadableError(
        "board_cut_off",
        sentence("A part of the window is outside the photo: {edges}.", edges=named),
        sentence("Take the photo again with all 20 spaces and a little of the frame around them in view."),
        {"edges": edges},
    )


def several(count: int) -> BoardNotFoundError:
    """Return the refusal of a photo with ``count`` windows of which none stands out."""
    return BoardNotFoundError(
        "several_boards",
        sentence("There are several windows in this photo, and none stands out."),
        sentence("Take a photo of one window, or set the corners by hand."),
        {"windows": count},
    )


def unclear() -> BoardUnreadableError:
    """Return the reason for a place that looks like a window and in which no lattice can be found."""
    return BoardUnreadableError(
        "window_unclear",
        sentence("This looks like a window, but its spaces cannot be told apart."),
        sentence("Take a photo of it from above, or of it alone."),
    )


def nothing(image_bgr: Image8) -> BoardNotFoundError | BoardUnreadableError:
    """Return the refusal of a photo in which no window was seen, by what may have hidden it."""
    grey = np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    if int((grey > DARK).sum()) < BRIGHT_SHARE * grey.size:
        return too_dark()
    if blur(grey) > BLURRY:
        return too_blurry()
    return BoardNotFoundError(
        "board_not_found",
        sentence("No Sagrada window was found in this photo."),
        sentence(
            "Take the photo from straight above so that all four corners of the window show, or set the "
            "corners by hand."
        ),
    )


def too_blurry() -> BoardUnreadableError:
    """Return the refusal of a photo that is out of focus or shaken."""
    return BoardUnreadableError(
        "too_blurry",
        sentence("This photo is too blurry."),
        sentence(
            "Wipe the lens, hold the phone still above the window, tap the dice to focus, and take it again."
        ),
    )


def blur(grey: Image8) -> float:
    """Return how blurred a photo (H x W) is, 0 (sharp) to 1: in its details or as a whole, the worse."""
    # Loaded here, not at the top: SciPy comes with it, and most photos are not refused.
    from skimage.measure import blur_effect  # noqa: PLC0415

    found = []
    for side in BLUR_SIDES_PX:
        scale = side / max(grey.shape)
        size = (max(16, round(grey.shape[1] * scale)), max(16, round(grey.shape[0] * scale)))
        found.append(float(blur_effect(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), BLUR_AGAIN_PX)))
    return max(found)


@dataclass(frozen=True, eq=False)
class Place:
    """Something that the finder takes for a window, in one view.

    ``middle`` (x, y) and ``square_px`` are where it is and how large, in pixels of the photo; ``sure`` how
    sure the finder is, on average, ``marks`` how many middles of cells it sees there and ``tops`` how many
    tops of dice. ``cut_sides`` are the edges of the photo that cut it off, as far as that was asked.
    """

    middle: Float
    square_px: float
    sure: float
    marks: int
    tops: int
    cut_sides: tuple[str, ...] = ()


def place_of(area: lattice.Area, maps: Maps, marks: Float, tops: Float) -> Place:
    """Return what an area is in the photo; ``marks`` and ``tops`` are what the finder sees in the view."""
    view = maps.view
    ys, xs = np.nonzero(area.mask)
    spots = from_map(np.column_stack([xs, ys]).astype(np.float64))
    middle = spots.mean(axis=0)
    square = middle + SQUARE * STRIDE
    pixel = cv2.contourArea(apply_homography(view.to_photo, square).astype(np.float32))
    return Place(
        apply_homography(view.to_photo, middle[None])[0],
        area.pixels * pixel,
        float(maps.window[area.mask].mean()),
        int(lattice.in_area(area, marks).sum()),
        int(lattice.in_area(area, tops).sum()),
    )


FAR_DEG = (0, 180, 90, 270)  # where in the photo the far side of the table may be: top, bottom, right, left
STEEPER_DEG = 45.0  # how much further down the second camera looks where nothing was found
NEARER_STEEPER_DEG = (30.0, 45.0)
NEARER = 3  # places that are looked at once more so; of 216 photos the last place that helped was the third
NEARER_OF_MANY = 6  # the same where every window is wanted
NEARER_MARKS = 10  # middles of cells that must be seen in one for that
NEARER_MARKS_BESIDE = 15  # the same on a table where a window is known
FEW_MARKS, MANY = 5, 12  # the same for a look from above there, and how many places are asked
FROM_ABOVE, FROM_ABOVE_PITCH_PX = 6, 22.0  # such looks at one photo, and pixels of a pitch in them
NEARER_FROM_PX = 48  # pixels of the photo that it must be wide
NEARER_HALF = 1.2  # how much around a place is looked at, in roots of its area
SAME = 0.3  # roots of its area within which another place is the same


def worth_a_look(places: Iterable[Place], most: int, marks: int = NEARER_MARKS) -> list[Place]:
    """Return the places that seem most to be windows, each once, where so many cells seem to be."""
    worth = (one for one in places if one.square_px >= NEARER_FROM_PX**2 and one.marks >= marks)
    kept = without_doubles(
        sorted(worth, key=lambda one: -one.sure * one.marks),
        lambda one, other: bool(np.linalg.norm(one.middle - other.middle) < SAME * other.square_px**0.5),
    )
    return kept[:most]


def nearer_views(photo: Levels, place: Place) -> Iterator[FinderView]:
    """Yield a place from nearer and more steeply.

    From a chair windows are small in the picture and seen from low down, both at once.
    """
    focal = USUAL_FOCAL * long_side(photo.size)
    for steeper_deg, far_deg in product(NEARER_STEEPER_DEG, FAR_DEG):
        steep = tilted_view(photo, far_deg, steeper_deg, focal)
        yield nearer_view(photo, steep, place.middle, NEARER_HALF * place.square_px**0.5)


LIKE_A_PITCH = 0.2  # pitches by which neighboring middles of cells may be nearer or farther apart


def lattices_of(middles: Float) -> Iterator[Float]:
    """Yield where lattices of a known pitch may lie, from what may be middles of their cells.

    ``middles`` (N, 2) are in pitches. Yields matrices (3, 3) from board coordinates, for rows in both
    directions.
    """
    steps = (middles[:, None] - middles).reshape(-1, 2) @ [1, 1j]
    steps = steps[abs(abs(steps) - 1) < LIKE_A_PITCH]
    if not len(steps):
        return
    turn = float(np.angle((steps**4).sum())) / 4
    for angle in (turn, turn + np.pi / 2):
        c, s = np.cos(angle), np.sin(angle)
        back = np.array([[c, s], [-s, c]])
        own = middles @ back.T
        shift = np.angle(np.exp(2j * np.pi * (own - 0.5)).mean(axis=0)) / (2 * np.pi)
        places = np.unique(np.round(own - 0.5 - shift).astype(int), axis=0)
        corners = places - np.array([[[c, r]] for r in range(ROWS) for c in range(COLUMNS)])
        firsts, counts = np.unique(corners.reshape(-1, 2), axis=0, return_counts=True)
        move = np.eye(3)
        move[:2, :2], move[:2, 2] = back.T, back.T @ (firsts[counts.argmax()] + shift)
        if counts.max() >= NEARER_MARKS:
            yield move


Map = NDArray[np.float32]
Box = tuple[int, int, int, int]

LARGE_ENOUGH_PX = 14.0  # a pitch in a view of the photo as a whole
FIRST_SCORE = 0.75  # support - beyond + overlap for a first look to be worth a second
TRIES = 3  # fits of one area that get a second look
MAX_AREAS = 5  # areas of one view that are asked, the largest first
LINE_TRIES = 6  # suggestions that are asked whether an outer line is hidden
AT_ONCE = 3  # suggestions of the first look at a small copy that get a second one
BUDGET = 20  # suggestions of one photo that get a second look
EVERY_BUDGET = 60  # the same where every window is wanted
STEEPER_BUDGET = 20  # more of them, from nearer and steeper; of 216 photos none needed more than 26 in all
EVERY_STEEPER_BUDGET = 30  # the same where every window is wanted
ALIKE = 0.3  # pitches within which two suggestions are the same
ZOOMS = 6  # areas of one photo that are looked at again from nearer
ZOOM_BELOW_PX = 110  # view pixels: an area less wide and high than this may be a window too small to resolve
ZOOM_MIN_AREA = 12  # output pixels
ZOOM_FROM_PX = 48  # pixels of the photo: in an area less wide and high there is nothing to read
AS_ALIKE = 0.8  # how well a lattice must fit the cells against one in the same place that is no window
OVERSHADOWED = 1.2  # so many times larger must be what looks like a window beside an empty lattice
TIE = 0.92  # a window that stands out by less than this is one of several


@dataclass(frozen=True, eq=False)
class Found:
    """The window that was chosen and how many others lie whole in view."""

    grid: Grid
    other_windows: int


def find_grid(photo: Photo, *, near: bool = False) -> Found:
    """Find the window that a photo shows.

    Parameters
    ----------
    photo
        The upright photo.
    near
        Whether it is looked at from so near that a window may be a sixtieth of its width.

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
    search.look_around(near=near)
    size = search.photo.size
    whole = sorted(
        (sighting for sighting in search.seen if sighting.whole and not search.is_overshadowed(sighting)),
        key=lambda sighting: -_prominence(sighting.grid, size),
    )
    if not whole:
        of_seen = next((sides for one in search.seen if (sides := one.cut_sides)), ())
        sides = of_seen or search.cut_sides or search.met_sides
        raise cut_off(sides) if sides else nothing(search.photo.image_bgr)
    chosen = whole[0]
    rivals = [one for one in whole if _prominence(one.grid, size) > TIE * _prominence(chosen.grid, size)]
    if len(rivals) > 1 and chosen.grid.pitch_px >= MIN_PITCH_PX:
        with_dice = [one for one in rivals if one.dice >= DICE_ENOUGH]
        if len(with_dice) != 1:  # else the empty ones beside it are not what anybody means
            raise several(len(whole))
        (chosen,) = with_dice
    if (reason := unreadable(chosen)) is not None:
        raise reason
    return Found(chosen.grid, len(whole) - 1)


def find_at_once(image_bgr: Image8) -> Grid | None:
    """Return the grid of the one window that the first look at a photo shows plainly, None without one."""
    search = Search(Levels(image_bgr), budget=AT_ONCE)
    search.glance()
    if len(search.seen) != 1 or not search.stands:
        return None
    (sighting,) = search.seen
    plain = sighting.whole and sighting.fits_well and unreadable(sighting) is None
    return sighting.grid if plain else None


class Search:
    """What has been seen of one photo, and which suggestions have been tried.

    Parameters
    ----------
    photo
        The photo.
    every
        Whether every window is wanted; otherwise the search rests as soon as one stands.
    budget
        How many suggestions get a second look; as many as usual when nothing is given.
    brief
        Whether the outline of what looks like a window and one look at it have to do, as in the frames of a
        camera: corners may be off by some pixels, and windows seen from low down are missed.
    """

    def __init__(
        self, photo: Levels, *, every: bool = False, budget: int | None = None, brief: bool = False
    ) -> None:
        self.photo = photo
        self.seen: list[Sighting] = []
        self.places: list[Place] = []
        self.cut_sides: tuple[str, ...] = ()
        self.met_sides: tuple[str, ...] = ()
        self._budget = budget or (EVERY_BUDGET if every else BUDGET)
        self._every = every
        self._brief = brief
        self._tried: list[Float] = []
        self._plain: list[Float] = []
        self._zoomed: list[Float] = []
        self._refuted: list[Sighting] = []

    @property
    def stands(self) -> bool:
        """Whether a window has been seen that nothing larger beside it makes doubtful."""
        return any(one.is_plain and not self.is_overshadowed(one) for one in self.seen)

    @property
    def rests(self) -> bool:
        """Whether nothing more is looked for."""
        return self.stands and not self._every

    @property
    def _sees_all(self) -> bool:
        """Whether windows are so large that the photo as a whole shows all, and nothing else seems one."""
        least = LARGE_ENOUGH_PX * max(self.photo.size) / VIEW_PX
        plain = all(one.whole and one.fits_well and one.grid.pitch_px > least for one in self.seen)
        places = worth_a_look(self.places, NEARER_OF_MANY)
        return bool(self._every and self.seen and plain and all(self.explains(one.middle) for one in places))

    def glance(self) -> None:
        """Look at the photo as a whole only."""
        self._search(look(whole_view(self.photo)))

    def look_around(self, *, near: bool = False) -> None:
        """Look at all views of the photo until the search rests."""
        for view in views_of(self.photo, near=near):
            self.look_at(view)
            if self.rests or self._sees_all:  # a closer look at the quarters is for windows that are small
                return
        self._look_for_hidden_lines()
        focal = USUAL_FOCAL * long_side(self.photo.size)
        steeper = (tilted_view(self.photo, far_deg, STEEPER_DEG, focal) for far_deg in FAR_DEG)
        while not self.stands and (steep := next(steeper, None)) is not None:
            self.look_at(steep)
        self._look_from_nearer()

    def _look_for_hidden_lines(self) -> None:
        """Look again at what may be a window of which a whole outer line is hidden, where nothing else is."""
        for start in self._plain[:LINE_TRIES]:
            if self.seen or self.cut_sides:
                break
            if (sighting := sight(self.photo, start, line_hidden=True)) is not None:
                self._accept(sighting)

    def _look_from_nearer(self) -> None:
        """Look again, from nearer and more steeply, at what seems to be a window and is none yet."""
        self._budget += EVERY_STEEPER_BUDGET if self._every else STEEPER_BUDGET
        if self._every:
            self._look_from_above()
        least = NEARER_MARKS_BESIDE if self._every and self.stands else NEARER_MARKS
        for place in worth_a_look(self.places, NEARER_OF_MANY if self._every else NEARER, least):
            for view in nearer_views(self.photo, place):
                if self.rests or self.explains(place.middle):
                    break
                self.look_at(view)

    def _look_from_above(self) -> None:
        """Look from straight above at what may be other windows on the table of a known one."""
        asked: list[Float] = []
        while len(asked) < FROM_ABOVE:
            known = (one.grid for one in self.seen if one.whole and one.fits_well)
            places = worth_a_look(self.places, MANY, FEW_MARKS)
            place = next((one for one in places if self._is_open(one, asked)), None)
            if (table := next(known, None)) is None or place is None:
                return
            asked.append(place.middle)
            middle = table.to_board(place.middle)
            maps = look(straight_view(self.photo, table.homography, middle, FROM_ABOVE_PITCH_PX))
            self._search(maps)
            if not self.explains(place.middle):
                self._look_on(table, maps)

    def _look_on(self, table: Grid, maps: Maps) -> None:
        """Look for lattices with the pitch of the ``table`` of another window, which this view shows."""
        to_table = np.linalg.inv(table.homography) @ maps.view.to_photo
        for move in lattices_of(apply_homography(to_table, peaks(maps.cells))):
            start = table.homography @ move
            if self._is_new(start) and self._shows_a_window(start, plain=False):
                return

    def _is_open(self, place: Place, asked: Iterable[Float]) -> bool:
        """Return whether a place lies on no window that has been seen, and is none of those asked before."""
        near = any(np.linalg.norm(place.middle - other) < SAME * place.square_px**0.5 for other in asked)
        return not (near or any(one.whole and _is_on_frame(one.grid, place.middle) for one in self.seen))

    def explains(self, middle: Float) -> bool:
        """Return whether a point of the photo lies in a whole window that has been seen."""
        return any(one.whole and is_within(one.grid.corners_px, middle) for one in self.seen)

    def is_overshadowed(self, sighting: Sighting) -> bool:
        """Return whether an empty lattice lies beside something larger that looks like a window.

        On objective cards small windows are printed, and they may be all that is whole in view of a window
        with the cards beside it.
        """
        if sighting.dice:
            return False
        own = sighting.grid.corners_px
        least = OVERSHADOWED * cv2.contourArea(own.astype(np.float32))
        return any(one.square_px > least and not is_within(own, one.middle) for one in self.places)

    def look_at(self, view: FinderView) -> None:
        """Look for windows in a view, and from nearer where there may be small ones."""
        maps = look(view)
        self._search(maps)
        if not self.rests:
            for box in self._small_areas(maps):
                self._search(look(whole_view(self.photo, box)))

    def _search(self, maps: Maps) -> None:
        """Look for windows in what the finder says of a view."""
        marks = [(heat, peaks(heat)) for heat in (maps.cells, maps.tops)]
        for area in lattice.areas(maps.window)[:MAX_AREAS]:
            place = place_of(area, maps, marks[0][1], marks[1][1])
            self.places.append(place)
            if self._every and self.explains(place.middle):
                continue
            starts = _starts(area, maps, marks, self.photo.size, brief=self._brief)
            while len(self._tried) < self._budget and (found := next(starts, None)) is not None:
                start, plain = found
                if self._is_new(start):
                    self._plain += [start] * plain
                    if self._shows_a_window(start, plain=plain):
                        break
            if not self.rests and (self._every or not self.cut_sides) and not self.explains(place.middle):
                sides = cut_sides(maps, area, self.photo.size)
                self.places[-1] = replace(place, cut_sides=sides)
                self.cut_sides = self.cut_sides or sides
            if not self.stands and not self.met_sides:
                self.met_sides = met_sides(maps, area, self.photo.size)

    def _shows_a_window(self, start: Float, *, plain: bool) -> bool:
        """Take a second look at a suggestion and return whether a window fits it well.

        One that is not ``plain`` needs dice or the usual lens.
        """
        sighting = sight(self.photo, start, looks=1 if self._brief else MAX_LOOKS)
        if sighting is None:
            return False
        clear = plain or sighting.dice >= DICE_ENOUGH or (sighting.usual and sighting.fits_well)
        return clear and self._accept(sighting) and sighting.fits_well

    def _accept(self, sighting: Sighting) -> bool:
        """Return whether a sighting is a window, and keep it when it is a new or a better one."""
        if not sighting.is_window:
            self._refuted.append(sighting)
            return False
        # Where a lattice that fits the picture better has been found to go on, none laid across is one.
        alike = sighting.scrutiny.alike
        refuted = (one.scrutiny.alike for one in self._refuted if _same(sighting.grid, one.grid))
        if any(alike < AS_ALIKE * other for other in refuted):
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


def unreadable(sighting: Sighting) -> VisionError | None:
    """Return why a window that has been seen whole cannot be read, None when it can."""
    if sighting.grid.pitch_px < MIN_PITCH_PX:
        return BoardUnreadableError(
            "too_small",
            sentence("The window is too small in this photo."),
            sentence("Go closer, so that the window fills the photo."),
        )
    return too_blurry() if sighting.scrutiny.blur > BLURRY else None


def _starts(
    area: lattice.Area, maps: Maps, marks: list[tuple[Map, Float]], size: tuple[int, int], *, brief: bool
) -> Iterator[tuple[Float, bool]]:
    """Yield homographies of the surface worth a second look, and whether a phone could see them as marked."""
    # They rest on the middles of the cells or, where dice hide the holes as in a very oblique photo, on the
    # tops of the dice, from which the surface lies below. Where no phone could see the marks like this, their
    # perspective is left out, and only dice can make that a window.
    ways = (lattice.fits_to_area, lattice.fits_to_marks)
    for heat, spots in marks[:1] if brief else marks:
        for fits in ways[:1] if brief else ways:
            for first in fits(area, spots, heat)[:TRIES]:
                if first.score < FIRST_SCORE and first.pairs < lattice.PLAIN_PAIRS:
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
    away = float(np.linalg.norm(_middle(grid) / np.array(size) - 0.5))
    return grid.pitch_px * (1 - 0.5 * away)


def is_better(new: Sighting, old: Sighting) -> bool:
    """Return whether a second lattice in the same place takes the place of one that fits its marks badly."""
    if old.fits_well or not new.whole:
        return False
    if new.is_plain != old.is_plain:
        return (new.dice, new.is_plain) > (old.dice, old.is_plain)
    return new.scrutiny.alike > old.scrutiny.alike


def _same(a: Grid, b: Grid) -> bool:
    return bool(np.linalg.norm(_middle(a) - _middle(b)) < 1.5 * max(a.pitch_px, b.pitch_px))


RIM, ART = 0.5, 8.4  # of a frame around the lattice and above it, in pitches
# Set by hand, on the two real photos that show tables from a chair and on rendered tables: of places without
# a lattice only these are named.
MIN_SURE, MIN_MARKS = 0.8, 12
MIN_TOPS = 18  # the two have 36 and 37; art of cards, round tracks and loose dice 16 at most
MIN_SHARE = 0.5  # of the smallest window that was seen: a place smaller than this is dice in a row, or a card
HALF_DIAGONAL = 0.75  # of a lattice of 4 x 5, against the root of its area
# The grid printed on an objective card is a fifth as large as a window, and its print may look like a die or
# two; in one photo of a table the nearest window is rarely more than three times as large as the farthest.
PRINTED = 0.25


@dataclass(frozen=True, eq=False)
class Missed:
    """What looks like a window and is not read: why, its middle (x, y) and its size, in pixels."""

    reason: VisionError
    middle: Float
    square_px: float
    is_window: bool = True  # rather than a heap of dice, or their track
    is_named: bool = True  # rather than left out of the reading, as art looks like this, too

    def covers(self, point: Float) -> bool:
        """Return whether a point may lie in it, whichever way it is turned."""
        return bool(np.linalg.norm(point - self.middle) < HALF_DIAGONAL * self.square_px**0.5)


def find_grids(photo: Levels) -> tuple[tuple[Grid, ...], tuple[Missed, ...]]:
    """Find every window of a table.

    Parameters
    ----------
    photo
        The upright photo in its sizes.

    Returns
    -------
    grids, missed
        In its pixels, each clockwise around its middle from the one nearest the bottom
        edge. None of them is no error.
    """
    search = Search(photo, every=True)
    search.look_around()
    grids: list[Grid] = []
    missed: list[Missed] = []
    for sighting in windows_of(search.seen):
        reason = unreadable(sighting) if sighting.whole else cut_off(sighting.cut_sides)
        if reason is None:
            grids.append(sighting.grid)
        else:
            middle = _in_picture(_middle(sighting.grid), search.photo.size)
            missed.append(Missed(reason, middle, 20 * sighting.grid.pitch_px**2))
    missed += _unexplained(search, missed)
    size = search.photo.size
    return tuple(clockwise(grids, _middle, size)), tuple(clockwise(missed, lambda one: one.middle, size))


def clockwise(
    things: Iterable[Thing], middle: Callable[[Thing], Float], size: tuple[int, int]
) -> list[Thing]:
    """Return things clockwise around the middle of a picture from the one nearest the bottom edge.

    Parameters
    ----------
    things
        Any number of them.
    middle
        Where each of them lies, (x, y) in pixels.
    size
        (width, height) of the picture in pixels.
    """
    ordered = sorted(things, key=lambda one: (-float(middle(one)[1]), float(middle(one)[0])))

    def angle(one: Thing) -> float:
        x, y = middle(one) - np.array(size) / 2
        return float(np.arctan2(y, x))  # y points down, so this grows clockwise

    first = angle(ordered[0]) if ordered else 0.0
    return sorted(ordered, key=lambda one: (angle(one) - first) % (2 * np.pi))


def windows_of(seen: Iterable[Sighting]) -> list[Sighting]:
    """Return the sightings without those that lie in a better one, and without grids printed on cards."""
    best_first = sorted(seen, key=lambda sighting: (not sighting.whole, sighting.misfit))
    kept = without_doubles(best_first, lambda one, other: _lie_in_each_other(one.grid, other.grid))
    largest = max((one.grid.pitch_px for one in kept if one.dice), default=0.0)
    return [one for one in kept if one.dice >= DICE_ENOUGH or one.grid.pitch_px**2 > PRINTED * largest**2]


def _lie_in_each_other(a: Grid, b: Grid) -> bool:
    """Return whether the middle of one lattice lies in the other, so that both cannot be windows."""
    inside = (one.to_board(_middle(other)) for one, other in ((a, b), (b, a)))
    return any(0 < x < COLUMNS and 0 < y < ROWS for x, y in inside)


def _unexplained(search: Search, missed: Iterable[Missed]) -> list[Missed]:
    """Return what the finder takes for windows where none has been seen, the surest first."""
    found: list[Missed] = []
    taken = [one.middle for one in missed]
    seen = [cv2.contourArea(one.grid.corners_px.astype(np.float32)) for one in search.seen]
    for place in sorted(search.places, key=lambda place: -place.sure):
        named = place.cut_sides or (
            place.sure >= MIN_SURE
            and place.marks >= MIN_MARKS
            and place.square_px >= MIN_SHARE * min(seen, default=0.0)
        )
        near = any(np.linalg.norm(place.middle - other) < place.square_px**0.5 for other in taken)
        on_frame = any(_is_on_frame(one.grid, place.middle) for one in search.seen)
        if named and not near and not on_frame:
            reason = cut_off(place.cut_sides) if place.cut_sides else unclear()
            middle = _in_picture(place.middle, search.photo.size)
            is_cut = bool(place.cut_sides)
            is_named = is_cut or place.tops >= MIN_TOPS
            found.append(Missed(reason, middle, place.square_px, is_window=is_cut, is_named=is_named))
            taken.append(place.middle)
    return found


def _is_on_frame(grid: Grid, point: Float) -> bool:
    """Return whether a point of the photo lies on the lattice of a window, its rim, or the art above."""
    x, y = grid.to_board(point)
    return bool(-RIM < x < COLUMNS + RIM and -ART < y < ROWS + RIM)


def _middle(grid: Grid) -> Float:
    return np.asarray(apply_homography(grid.homography, MIDDLE_OF_BOARD[None])[0])


def _in_picture(point: Float, size: tuple[int, int]) -> Float:
    return np.asarray(np.clip(point, 0, np.array(size) - 1.0))
