"""A closer look at where a window may lie: whether it is one, where exactly, and whether all is in view."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.sentences import sentence
from vision.detection import lattice
from vision.detection.views import (
    MAP_OF_VIEW,
    PADDING,
    PEAK_LEVEL,
    STRIDE,
    Levels,
    Maps,
    art_at,
    art_beside,
    dice_seen,
    from_map,
    look,
    peaks,
    straight_view,
    upright_probability,
    with_rise,
)
from vision.errors import BoardUnreadableError
from vision.geometry import (
    CELL_CENTERS,
    COLUMNS,
    MIN_PITCH_PX,
    ROWS,
    SQUARE,
    Float,
    Float32,
    Grid,
    Image8,
    Mask,
    apply_homography,
    are_inside,
    as_corners,
    edges_of,
    estimate_rise,
    homography_by_lens,
    in_cells,
    is_plausible,
    is_usual,
    rectify,
    strongest,
    window_view,
)
from vision.network import line_judge, softmax, to_blob
from vision.photo import Photo
from vision.reading import Corners

Size = tuple[int, int]
Map = NDArray[np.float32]

CELL_PX = 24  # pixels of a cell in the small picture, in which one cell around the window shows, too
BAR_PX = 3  # pixels along each edge of a cell that show the bars between cells
MIDDLE = slice(CELL_PX // 4, CELL_PX - CELL_PX // 4)
BLUR_AGAIN_PX = 9

# Measured on 36 rendered, 13 real and 24 sample photos and on 75 made-up pictures of other things: of the
# windows the darkest bars are 0.07 of full brightness darker and the ratio of likeness is 0.59 at most; a
# sudoku, discs on a tray and squares on white paper have bars lighter than -0.01, and where a grid goes
# on the ratio is 0.97 and more.
MIN_CONTRAST = 0.03
MAX_LIKENESS_BEYOND = 0.78
DICE_ENOUGH = 4  # with so many dice, bars may be as bright as the cells; set by hand
# With so many, what lies beyond may look like a cell: seen from low down dice hide the bars, and art with
# edges like theirs follows. Of 120 traced photos from low down four were refused for that alone.
DICE_PLENTY = 10
MIN_ASKED = 3  # cells of a side that must be in view to say that the grid goes on there

INNER = np.pad(np.ones((ROWS, COLUMNS), bool), 1)
SIDES = (np.s_[:1, 1:-1], np.s_[-1:, 1:-1], np.s_[1:-1, :1], np.s_[1:-1, -1:])


@dataclass(frozen=True)
class Scrutiny:
    """What was measured of one lattice.

    ``alike`` is how much the cells' edges look like each other, -1 to 1: a lattice that is laid across
    the real cells has less of it. ``contrast`` is how much brighter the cells are than the bars, as a
    share of full brightness; ``likeness_beyond`` how much the cells beyond one side look like those
    within, against how much these look like each other (1 where a grid just goes on); ``blur`` how
    blurred it is, 0 to 1.
    """

    alike: float
    contrast: float
    likeness_beyond: float
    blur: float

    def may_be_window(self, dice: int) -> bool:
        """Return whether nothing of this speaks against a window with so many dice in it.

        Dark dice in a pale frame are no brighter than the bars; but dice standing in rows and columns
        are more than a sudoku or a shelf of tiles has.
        """
        bars = self.contrast >= MIN_CONTRAST or dice >= DICE_ENOUGH
        return bars and (self.likeness_beyond <= MAX_LIKENESS_BEYOND or dice >= DICE_PLENTY)


def scrutinize(view_bgr: Image8, homography: Float, to_photo: Float, size: Size) -> Scrutiny:
    """Measure a lattice in a straightened view.

    Parameters
    ----------
    view_bgr
        The view, uint8 H x W x 3, BGR.
    homography
        3 x 3, board coordinates to pixels of the view.
    to_photo
        3 x 3, pixels of the view to pixels of the photo.
    size
        (width, height) of the photo in pixels.
    """
    p = CELL_PX
    to_board = np.array([[1 / p, 0, 0.5 / p - 1], [0, 1 / p, 0.5 / p - 1], [0, 0, 1]])
    warped = cv2.warpPerspective(
        view_bgr,
        homography @ to_board,
        ((COLUMNS + 2) * p, (ROWS + 2) * p),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    flat = np.asarray(warped, dtype=np.uint8)
    # Which cells of the window and around it (6 x 7) lie in the photo, nearly whole.
    spots = apply_homography(to_photo @ homography, (lattice.RING[:, None] + 0.8 * SQUARE).reshape(-1, 2))
    shown = np.asarray(are_inside(spots, size).reshape(ROWS + 2, COLUMNS + 2, 4).all(axis=2))
    cells = in_cells(strongest(flat)[..., None].astype(np.float32), p)[..., 0][INNER & shown]
    window = np.asarray(cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY)[p:-p, p:-p], dtype=np.float32)
    alike, beyond = _likeness(flat, shown)
    return Scrutiny(alike, _contrast(cells), beyond, _blur(window))


def window_blur(image_bgr: Image8, homography: Float) -> float:
    """Return how blurred a window is, 0 (sharp) to 1.

    Parameters
    ----------
    image_bgr
        Photo, uint8 H x W x 3, BGR.
    homography
        3 x 3, board coordinates to pixels of the photo.
    """
    flat = rectify(image_bgr, homography, CELL_PX, 0)
    return _blur(np.asarray(cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY), dtype=np.float32))


def _blur(grey: Float32) -> float:
    """Return how blurred a window (H x W) is, 0 (sharp) to 1 (Crete et al. 2007, "The blur effect")."""
    # Blurring once more takes much of the differences of neighboring pixels from a sharp picture and little
    # from a blurred one. Whole photos are measured with scikit-image's `blur_effect`; to load that for each
    # window would make the first reading take half as long again.
    kept = []
    for axis, window in ((0, (1, BLUR_AGAIN_PX)), (1, (BLUR_AGAIN_PX, 1))):
        steps = np.abs(np.diff(grey, axis=axis))
        softer = np.abs(np.diff(cv2.blur(grey, window), axis=axis))
        lost = float(np.maximum(0, steps - softer).sum())
        kept.append(1 - lost / max(float(steps.sum()), 1e-6))
    return max(kept)


def _contrast(cells: Float32) -> float:
    """Return how much brighter the middles of cells (N, CELL_PX, CELL_PX) are than the bars around."""
    if not len(cells):
        return 0.0
    bars = np.ones((CELL_PX, CELL_PX), bool)
    bars[BAR_PX:-BAR_PX, BAR_PX:-BAR_PX] = False
    return float(cells[:, MIDDLE, MIDDLE].mean() - cells[:, bars].mean()) / 255


def _likeness(flat: Image8, shown: Mask) -> tuple[float, float]:
    """Return how much the edges in the cells are alike, and those beyond one side like them against that."""
    drawn = in_cells(edges_of(flat), CELL_PX)
    drawn = drawn - drawn.mean(axis=(2, 3), keepdims=True)
    drawn = drawn.reshape(*shown.shape, -1)
    drawn = drawn / (np.linalg.norm(drawn, axis=-1, keepdims=True) + 1e-6)
    within = drawn[INNER]
    total = within.sum(axis=0)
    others = total - within
    among = float(np.mean((within * others).sum(1) / (np.linalg.norm(others, axis=1) + 1e-6)))
    likeness = drawn @ (total / (np.linalg.norm(total) + 1e-6))
    beyond = [likeness[side][shown[side]] for side in SIDES]
    most = max((float(side.mean()) for side in beyond if len(side) >= MIN_ASKED), default=0.0)
    return among, most / max(among, 0.05)


MIN_BLOCK_LINE = 0.6  # share of marked cells in each other line
# More art beside a short side of the lattice than beside the long ones, as a share of the band, and art on a
# line: more, and it is no window that lies like this.
ART_LEAD, ART_ON_LINE = 0.4, 0.4
MIRRORS = ((), (3,), (2,), (2, 3))  # axes of (1, C, H, W) along which it is turned over for a look each
SURE = 0.98  # how sure the likeliest board must be: of 803 held-back windows 688 have one, 4 a wrong one

_CELLS = np.arange(ROWS * COLUMNS).reshape(ROWS, COLUMNS)
LINES: Mapping[str, NDArray[np.intp]] = {
    "left": _CELLS[:, 0],
    "right": _CELLS[:, -1],
    "top": _CELLS[0],
    "bottom": _CELLS[-1],
}
"""The cells of the four outer lines."""


def _line_moved(x: float, y: float) -> Float:
    return np.array([[1, 0, x], [0, 1, y], [0, 0, 1.0]])


def _across(x: float, y: float) -> Float:
    """Return the board that lies a quarter turn to this one: its x along y from ``y`` on, its y against x."""
    return np.array([[0, -1, x], [1, 0, y], [0, 0, 1.0]])


WAYS: Mapping[str, Float] = {
    "left": np.stack([np.eye(3), _line_moved(1, 0), _across(5, -1), _across(5, 0)]),
    "right": np.stack([np.eye(3), _line_moved(-1, 0), _across(4, -1), _across(4, 0)]),
    "top": np.stack([np.eye(3), _line_moved(0, 1)]),
    "bottom": np.stack([np.eye(3), _line_moved(0, -1)]),
}
"""For a hidden line, the boards that have the same block: from their coordinates to those of the first."""


def side_of(paired: Mask) -> str | None:
    """Return the outer line of which no cell has a mark, where enough of all other lines have (20,)."""
    for side, cells in LINES.items():
        if not paired[cells].any():
            block = np.delete(paired, cells).reshape(
                (ROWS - 1, COLUMNS) if len(cells) == COLUMNS else (ROWS, -1)
            )
            weakest = min(block.mean(axis=0).min(), block.mean(axis=1).min())
            return side if weakest >= MIN_BLOCK_LINE else None
    return None


def way_of(photo: Levels, maps: Maps, straight: Float, side: str) -> Float | None:
    """Return the board, as one of `WAYS`, on which the hidden line lies; None where nobody can tell.

    Parameters
    ----------
    photo
        The photo.
    maps
        What the finder says of a straight view.
    straight
        3 x 3, board coordinates to pixels of the view, of a lattice with the block that shows.
    side
        Which of its lines has no marks.
    """
    boards = [straight @ way for way in WAYS[side]]
    grids = [Grid(maps.view.to_photo @ board, np.zeros(3)) for board in boards]
    lines = np.concatenate([apply_homography(one.homography, CELL_CENTERS[LINES[side]]) for one in grids])
    if not are_inside(lines, photo.size).all():
        return None  # it may as well lie beyond the picture's edge
    raised = (replace(one, rise=estimate_rise(one.homography, photo.size)) for one in grids)
    blobs = [to_blob(window_view(photo.image_bgr, grid)[None]) for grid in raised]
    judged = [[line_judge().run(np.flip(blob, axes).copy()) for axes in MIRRORS] for blob in blobs]
    scores = np.mean(judged, axis=1).ravel()
    art = np.array([_meets_art(maps, board, side, photo.size) for board in boards])
    chances = softmax(np.where(art, -np.inf, scores)) if not art.all() else np.zeros(len(boards))
    best = int(chances.argmax())
    # Cloth may look like art: that alone does not leave one side for the line.
    told = best == scores.argmax() or (~art).sum() > 1
    return WAYS[side][best] if told and chances[best] >= SURE else None


def _meets_art(maps: Maps, board: Float, side: str, size: Size) -> bool:
    """Return whether the hidden line would lie on the art, or the art beside a short side of the window."""
    above, right, below, left = art_beside(maps, board, size)
    return _is_on_art(maps, board, side, size) or max(left, right) > above + below + ART_LEAD


def _is_on_art(maps: Maps, board: Float, side: str, size: Size) -> bool:
    """Return whether an outer line of a lattice lies on the art, where a window has none."""
    line = (CELL_CENTERS[LINES[side]][:, None] + SQUARE / 2).reshape(-1, 2)
    return art_at(maps, board, line, size) > ART_ON_LINE


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
# The same, of tops beside the lattice, too, where the usual lens and height of dice do not explain it: set
# by hand, on 170 windows drawn from 50 to 60 degrees, whole and cropped.
MIN_EXPLAINED_UNUSUAL = 0.85
PLENTY_FROM_PX = 25  # pixels of a pitch: of smaller windows the finder takes tops of dice for holes
LOST, HARD, MAX_HARD = 0.1, 0.55, 2  # shares of a cell in view: nothing to read, hard to read; so many may be


@dataclass(frozen=True, eq=False)
class Sighting:
    """A lattice that was seen: its grid, which share of each cell (20,) is in view, and a closer look.

    ``dice`` is how many of its cells show the top of a die where the grid has one, ``misfit`` how far the
    finder's marks lie from the lattice (see `lattice.misfit`), ``usual`` whether the usual lens sees
    it so, with dice of the usual height. ``tops`` says which cells (20,) may show the top of a die.
    """

    grid: Grid
    in_view: Float
    size: Size
    scrutiny: Scrutiny
    dice: int
    misfit: float
    usual: bool
    tops: Mask

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
    def is_plain(self) -> bool:
        """Whether a better one need not be looked for elsewhere: else it is taken where there is none."""
        return self.usual or self.fits_well

    @property
    def whole(self) -> bool:
        """Whether something of every cell, and enough of nearly all, is in the picture."""
        return bool(self.in_view.min() >= LOST) and int((self.in_view < HARD).sum()) <= MAX_HARD

    @property
    def cut_sides(self) -> tuple[str, ...]:
        """The picture's edges that cells lie beyond, the one with the most first."""
        hidden = CELL_CENTERS[self.in_view < HARD]
        return sides_beyond(apply_homography(self.grid.homography, hidden), self.size)


def _beyond(points: Float, right: float, bottom: float) -> dict[str, Mask]:
    """Return which points (N, 2) lie beyond each edge of a picture that ends there."""
    x, y = points.T
    return {"left": x < 0, "right": x > right, "top": y < 0, "bottom": y > bottom}


def sides_beyond(points: Float, size: Size) -> tuple[str, ...]:
    """Return the edges of a picture that points (N, 2) lie beyond, the one with the most first."""
    counts = {side: there.sum() for side, there in _beyond(points, *size).items()}
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


def sight(
    photo: Levels, start: Float, *, line_hidden: bool = False, looks: int = MAX_LOOKS
) -> Sighting | None:
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
    looks
        How often it is fitted at most. After one its corners may be off by some pixels.
    """
    if (rested := _rest(photo, start, 0.0 if line_hidden else COVERED_WEAKEST_LINE, looks)) is None:
        return None
    maps, straight, again, fitted, misfit = rested
    size, weakest = photo.size, _weakest_line(fitted.paired, np.ones(20, bool))
    # With more lenses to choose from a wrong lattice fits one of them more often: then nearly all cells must
    # be marked and many dice be where they belong, or it must fit well.
    usual = is_usual(again, size) and weakest >= MIN_WEAKEST_LINE
    if misfit > (MAX_MISFIT if usual or fitted.pairs >= lattice.PLAIN_PAIRS else GOOD_MISFIT):
        return None
    if any(_is_on_art(maps, straight, side, size) for side in LINES):
        return None
    scrutiny = scrutinize(maps.view.image_bgr, straight, maps.view.to_photo, size)
    grid, rises_as_usual = with_rise(maps, Grid(again, estimate_rise(again, size)), size)
    usual = usual and rises_as_usual
    grid = replace(grid, upright_probability=upright_probability(maps, straight, size))
    if grid.upright_probability < 0.5:
        grid = grid.rotated_180()
    explained, marked = dice_seen(maps, grid, PEAK_LEVEL, margin=0.0 if usual else 1.0)
    least = MIN_EXPLAINED * marked if usual else max(MIN_EXPLAINED_UNUSUAL * marked, DICE_PLENTY)
    if misfit > GOOD_MISFIT and explained.sum() < least:
        return None
    # Among dice an open space that lies beyond the picture's edge may be none at all.
    in_view = shares_in_view(grid, size, explained if explained.any() else None)
    dice = int(dice_seen(maps, grid)[0].sum())
    sighting = Sighting(grid, in_view, size, scrutiny, dice, misfit, usual, explained)
    above, right, below, left = art_beside(maps, straight, size)
    complete = sighting.whole and weakest >= MIN_WEAKEST_LINE
    if not complete and max(left, right) > above + below + ART_LEAD:
        return None  # four of the five cells beside the art, counted as the four of a column
    return sighting


def _rest(
    photo: Levels, start: Float, least_line: float, most: int
) -> tuple[Maps, Float, Float, lattice.LatticeFit, float] | None:
    """Fit a lattice until it rests: its view, the lattice there and in the photo, its fit and its misfit."""
    size = photo.size
    if not is_plausible(start, size):
        return None
    again = start
    for looks in range(1, most + 1):
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
        if believed and (moved < SETTLED or looks > 1 or looks == most):
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
    """Return a fit in a straight view, the lattice there and whether it is a window; None if none can be."""
    to_photo = maps.view.to_photo
    fitted = lattice.fit(np.linalg.inv(to_photo) @ start, peaks(cells), cells, None)
    if fitted is None:
        return None
    # Of a cell that the picture's edge cuts, the finder marks what is left of it.
    uncut = shares_in_view(Grid(to_photo @ fitted.homography, np.zeros(3)), size) == 1
    straight = lattice.refit(fitted, uncut)
    if not is_plausible(to_photo @ straight, size):
        index = np.flatnonzero(fitted.paired & uncut)
        marks = apply_homography(to_photo, fitted.marks[index])
        seen = homography_by_lens(CELL_CENTERS[index], marks, size) if len(index) > 3 else None
        if seen is None or not is_plausible(seen, size):
            return None
        straight = np.linalg.inv(to_photo) @ seen
    return fitted, straight, believable(fitted, to_photo @ straight, size, least_line)


def _with_tops(maps: Maps, homography: Float, size: Size) -> Map:
    """Return the map of the cells' middles with what the tops of dice say of the holes under them."""
    # Seen from low down a row of dice hides the next row's holes, but all of the tops show. They are moved to
    # the surface by what its tilt says of the rise, the same for all that stand.
    grid = Grid(homography, estimate_rise(homography, size))
    to_photo = maps.view.to_photo
    sink = np.linalg.inv(to_photo) @ homography @ np.linalg.inv(grid.plane(1.0)) @ to_photo
    shape = maps.tops.shape[::-1]
    lowered = cv2.warpPerspective(maps.tops, MAP_OF_VIEW @ sink @ np.linalg.inv(MAP_OF_VIEW), shape)
    near = cv2.dilate(lowered, np.ones((7, 7), np.uint8)) > PEAK_LEVEL  # one mark a cell
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
    covered = share >= COVERED_MARKED and weakest >= least_line
    return bool(covered and fitted.cells[marked].mean() >= COVERED_SUPPORT)


def _weakest_line(paired: Mask, seen: Mask) -> float:
    """Return the smallest share of marked cells in a row or column, among those in view."""
    shown, marked = seen.reshape(ROWS, COLUMNS), (paired & seen).reshape(ROWS, COLUMNS)
    counts = np.concatenate([shown.sum(0), shown.sum(1)])
    marks = np.concatenate([marked.sum(0), marked.sum(1)])
    asked = counts >= MIN_LINE
    return float((marks[asked] / counts[asked]).min()) if asked.any() else 0.0


# Set by hand, on rendered photos cropped through the window and on photos of loose dice.
MIN_CELLS = 6
MIN_FILLED = 0.85  # share of the places that show as a whole, first to last row and column, with marks
MIN_BEYOND = 2  # places of a lattice of 5 x 4 that must lie beyond the photo's edge, or it is whole
MIN_EXPLAINED_BY_PART = 0.75  # share of the marks in the area that lie on the lattice
MAX_RESIDUAL = 0.1  # root mean square distance of the marks from the lattice, in pitches
MIN_OVERLAP = 0.6  # intersection over union of the lattice's cells and the window's area
LOW_LEVEL = 0.15  # marks of cells that the picture's edge cuts are weak
# Set by hand, on 193 hard scenes (calibration.training), photos of loose dice and one real photo.
MIN_TOPS = 6  # marks of dice that an area needs to be taken for a part of a window without a lattice
TOP_LEVEL = 0.3
MIN_SURE = 0.8  # how sure the finder is of such an area, on average
MIN_MET = 0.45  # share of the area's own length along an edge of the photo over which it meets the edge
MAX_SHARE = 0.3  # of the view; what fills more of it is seen well enough to show a lattice if it has one
REACH = 2  # pixels of the map within which an area meets the edge
SHOWN = 0.7  # side of the square, in pitches, that shows of a cell that shows as a whole


def cut_sides(maps: Maps, area: lattice.Area, size: Size) -> tuple[str, ...]:
    """Return the edges of the photo that cut the window of this area off; none without evidence.

    The marks are those of the cells or, where dice hide the holes as in a very oblique photo, those of
    the dice's tops.

    Parameters
    ----------
    maps
        The finder's maps of a view of the photo.
    area
        One of the window areas in them.
    size
        (width, height) of the photo in pixels.
    """
    height, width = area.mask.shape
    spots = np.indices((height, width)).reshape(2, -1)[::-1].T.astype(np.float64)
    in_photo = are_inside(apply_homography(maps.view.to_photo, from_map(spots)), size).reshape(height, width)
    for heat in (maps.cells, maps.tops):
        marks = peaks(heat, LOW_LEVEL)
        marks = marks[lattice.in_area(area, marks)]
        if len(marks) < MIN_CELLS:
            continue
        grown: list[set[int]] = []
        for seed in lattice.seeds(marks):
            numbered = lattice.grow(marks, seed)
            if (covered := set(numbered.values())) in grown:
                continue
            grown.append(covered)
            enough = len(numbered) >= max(MIN_CELLS, MIN_EXPLAINED_BY_PART * len(marks))
            if enough and (sides := _cut_sides_of(numbered, marks, maps, area, in_photo, size)):
                return sides
    return ()


def met_sides(maps: Maps, area: lattice.Area, size: Size) -> tuple[str, ...]:
    """Return the edges of the photo that something full of dice, taken for a window, runs into.

    This is weaker evidence than that of `cut_sides`: for photos in which nothing better is found. The edge
    that is met over the largest share of the area comes first.

    Parameters
    ----------
    maps
        The finder's maps of a view of the photo.
    area
        One of the window areas in them.
    size
        (width, height) of the photo in pixels.
    """
    to_photo = maps.view.to_photo
    if to_photo[2, :2].any():
        return ()  # in a tilted view what lies near fills so much that a heap looks as if it ended
    tops = peaks(maps.tops, TOP_LEVEL)
    shown = (maps.view.image_bgr[::STRIDE, ::STRIDE] != PADDING).any(axis=2)
    if (
        lattice.in_area(area, tops).sum() < MIN_TOPS
        or maps.window[area.mask].mean() < MIN_SURE
        or area.pixels > MAX_SHARE * shown.sum()
    ):
        return ()
    ys, xs = np.nonzero(area.mask)
    spots = from_map(np.column_stack([xs, ys]).astype(np.float64))
    points = apply_homography(to_photo, spots)
    reach = REACH * np.abs(apply_homography(to_photo, spots + STRIDE) - points)
    met: dict[str, float] = {}
    for axis, names in ((0, ("left", "right")), (1, ("top", "bottom"))):
        along = points[:, 1 - axis]
        gaps = (points[:, axis], size[axis] - 1 - points[:, axis])
        for name, gap in zip(names, gaps, strict=True):
            there = along[gap < reach[:, axis]]
            share = np.ptp(there) / max(np.ptp(along), 1.0) if len(there) else 0.0
            if share >= MIN_MET:
                met[name] = float(share)
    if {"left", "right"} <= met.keys() or {"top", "bottom"} <= met.keys():
        return ()
    return tuple(sorted(met, key=lambda name: -met[name]))


def _cut_sides_of(
    numbered: dict[lattice.Index, int],
    marks: Float,
    maps: Maps,
    area: lattice.Area,
    in_photo: Mask,
    size: Size,
) -> tuple[str, ...]:
    places = np.array(list(numbered), dtype=np.float64)
    low, high = places.min(0), places.max(0)
    wide, tall = (int(n) for n in high - low + 1)
    if min(wide, tall) < 2 or min(wide, tall) > ROWS or max(wide, tall) > COLUMNS:
        return ()
    to_view = lattice.plane_of(numbered, marks)
    if to_view is None or not is_plausible(maps.view.to_photo @ to_view, size):
        return ()
    to_photo = maps.view.to_photo @ to_view
    span = np.meshgrid(*(np.arange(a, b + 1) for a, b in zip(low, high, strict=True)))
    every = np.stack(span, -1).reshape(-1, 2)
    shown = np.all(
        [are_inside(apply_homography(to_photo, every + corner), size) for corner in SHOWN * SQUARE], axis=0
    )
    if len(numbered) < MIN_FILLED * shown.sum():
        return ()
    off = np.linalg.norm(apply_homography(to_view, places) - marks[list(numbered.values())], axis=1)
    middle = places.mean(0)
    steps = apply_homography(to_view, middle + np.array([[0, 0], [1, 0], [0, 1.0]]))
    pitch = min(np.linalg.norm(steps[1] - steps[0]), np.linalg.norm(steps[2] - steps[0]))
    if (
        np.sqrt((off**2).mean()) > MAX_RESIDUAL * pitch
        or _overlap(to_view, low, high, area, in_photo) < MIN_OVERLAP
    ):
        return ()
    # A corner of the window that lies beyond the edge speaks as plainly as a row or column that is not there.
    spots = apply_homography(to_photo, every)
    beyond = spots[~are_inside(spots, size)]
    corner = sides_beyond(beyond, size) if len(beyond) >= MIN_BEYOND else ()
    return tuple(dict.fromkeys((*_sides(to_photo, low, high, size), *corner)))


def _overlap(to_view: Float, low: Float, high: Float, area: lattice.Area, shown: Mask) -> float:
    """Return how well cells in the photo and the window's area agree; one more towards an edge is allowed."""
    best = 0.0
    for grown in ((0, 0, 0, 0), (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)):
        (x0, y0), (x1, y1) = low - 0.5 - grown[:2], high + 0.5 + grown[2:]
        quad = apply_homography(to_view, np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]]))
        cells = lattice.drawn(quad, area.mask.shape) & shown
        best = max(best, float((cells & area.mask).sum() / max((cells | area.mask).sum(), 1)))
    return best


def _sides(to_photo: Float, low: Float, high: Float, size: Size) -> tuple[str, ...]:
    """Return the photo's edges beyond which the next row or column of cells lies."""
    beyond: list[str] = []
    columns, rows = np.arange(low[0], high[0] + 1), np.arange(low[1], high[1] + 1)
    for axis, others in ((0, rows), (1, columns)):
        across = int(high[axis] - low[axis] + 1)
        if across == COLUMNS or (across == ROWS and len(others) == COLUMNS):
            continue  # all of it is there in this direction
        for next_place in (low[axis] - 1, high[axis] + 1):
            row = np.full((len(others), 2), next_place)
            row[:, 1 - axis] = others
            outside = _beyond(apply_homography(to_photo, row), size[0] - 1, size[1] - 1)
            side = max(outside, key=lambda name: int(outside[name].sum()))
            if outside[side].mean() > 0.5 and side not in beyond:
                beyond.append(side)
    return tuple(beyond)


MAX_OUTSIDE = 5  # cells whose middle may lie beyond the picture's edge
SNAP = 0.6  # pitches: a window whose corners all lie within this of those set by hand is the one meant


def grid_from_corners(photo: Photo, corners_px: Corners) -> Grid:
    """Return the grid for four corners set by hand, in pixels of ``photo.image_bgr``.

    The corners may come in any order; which of them is the board's top left comes from what the
    picture shows inside. A finger is not exact: where a window is seen that nearly has these
    corners, its own are taken, else those set by hand as they are.

    Raises
    ------
    BoardUnreadableError
        The corners do not span a convex quadrilateral, or one that is tiny or beside the photo.
    """
    points = _clockwise(np.array(corners_px, dtype=np.float64))
    levels = Levels(photo.image_bgr)
    # Five cells along the first side, or along the second; half a turn is the art's to tell.
    ways = (as_corners(np.roll(points, turn, axis=0)) for turn in (0, 1))
    set_by_hand = [Grid.from_corners(way, levels.size) for way in ways]
    _check_size_and_place(set_by_hand[0], levels.size)
    seen = [
        (_apart(grid, sighting.grid), sighting.grid)
        for grid in set_by_hand
        if (sighting := sight(levels, grid.homography)) is not None and sighting.is_window
    ]
    apart, nearest = min(seen, key=lambda pair: pair[0], default=(np.inf, set_by_hand[0]))
    return nearest if apart < SNAP else _as_they_are(levels, set_by_hand)


def _as_they_are(photo: Levels, grids: list[Grid]) -> Grid:
    """Return which of the two ways to lay the five columns shows more cells, the art's side up."""
    found: list[tuple[float, Grid]] = []
    for grid in grids:
        maps = look(straight_view(photo, grid.homography))
        straight = np.linalg.inv(maps.view.to_photo) @ grid.homography
        fitted = lattice.fit(straight, peaks(maps.cells), maps.cells, None)
        support = 0.0 if fitted is None else fitted.support * fitted.pairs / 20
        upright = upright_probability(maps, straight, photo.size)
        lifted = replace(with_rise(maps, grid, photo.size)[0], upright_probability=upright)
        found.append((support + 0.2 * abs(upright - 0.5), lifted if upright >= 0.5 else lifted.rotated_180()))
    return max(found, key=lambda pair: pair[0])[1]


def _apart(a: Grid, b: Grid) -> float:
    """Return how far the corners of two grids are apart at most, either way up, in pitches."""
    ours, theirs = a.corners_px, b.corners_px
    return min(
        float(np.linalg.norm(ours - np.roll(theirs, half, axis=0), axis=1).max()) / a.pitch_px
        for half in (0, 2)
    )


def _check_size_and_place(grid: Grid, size: Size) -> None:
    """Refuse corners between which there are no dice to see."""
    if grid.pitch_px < MIN_PITCH_PX:
        raise BoardUnreadableError(
            "too_small",
            sentence("The window is too small in this photo."),
            sentence("Go closer, so that the window fills the photo."),
        )
    middles = apply_homography(grid.homography, CELL_CENTERS)
    outside = ((middles < 0) | (middles > np.array(size))).any(axis=1)
    if outside.sum() > MAX_OUTSIDE:
        raise BoardUnreadableError(
            "bad_corners",
            sentence("These four corners do not make a window."),
            sentence("Put each point on one corner of the grid, clockwise from the top left."),
        )


def _clockwise(points: Float) -> Float:
    """Return four points in clockwise order as seen, starting nearest the top left."""
    center = points.mean(0)
    order = np.argsort(np.arctan2(points[:, 1] - center[1], points[:, 0] - center[0]))
    sides = points[order]
    edges = np.roll(sides, -1, axis=0) - sides
    following = np.roll(edges, -1, axis=0)
    turns = edges[:, 0] * following[:, 1] - edges[:, 1] * following[:, 0]
    if (turns <= 0).any() or abs(turns).min() < 16:
        raise BoardUnreadableError(
            "bad_corners",
            sentence("These four corners do not make a window."),
            sentence("Put each point on one corner of the grid, clockwise from the top left."),
        )
    start = int(sides.sum(1).argmin())
    return np.roll(sides, -start, axis=0)
