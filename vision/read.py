"""The whole road from the bytes of a photo to a reading: of the one window meant, or of a whole table."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

import cv2
import numpy as np

from scoring import WINDOW_PATTERNS, WindowPattern
from vision.detection.search import Found, find_at_once, find_grid, find_grids
from vision.detection.sighting import HARD, grid_from_corners, shares_in_view, window_blur
from vision.detection.views import Levels
from vision.errors import BoardNotFoundError, VisionError
from vision.geometry import (
    BOARD_CORNERS,
    FLOOR_HEIGHT,
    MARGIN,
    SQUARE,
    TOP_HEIGHT,
    Float,
    Grid,
    Image8,
    apply_homography,
    as_corners,
    reduced,
)
from vision.loose import find_loose, unclear_die
from vision.objectives import diagram_of, find_objectives, lies_on, only_a_card
from vision.photo import (
    ColorOrder,
    Photo,
    Source,
    brightened,
    check_colors,
    in_white_light,
    load_photo,
    load_small,
)
from vision.profile import Profile
from vision.reading import DIGITS, CellReading, Corners, Point, Reading, Tokens
from vision.recognition.cards import (
    match_pattern,
    open_pattern,
    unclear_prints,
    unprinted,
    upright_in_photo,
    weighed_by_rules,
)
from vision.recognition.cells import (
    CROP_PITCH_PX,
    FINE,
    SURE_FROM_PX,
    beside,
    blinded,
    colorless,
    covers_of,
    lean_of,
    striped,
    walls_of,
)
from vision.recognition.dice import (
    DOUBTFUL_BELOW,
    UNLIKE_FROM,
    CellProbabilities,
    cell_readings,
    contents,
    looked_closer,
    read_cells,
    to_look_closer_at,
    without_fronts,
)
from vision.table import LooseDie, TableReading, Unread
from vision.tokens import find_tokens

View: TypeAlias = tuple[Grid, Image8, Grid]
"""A grid in the photo, pixels that show it (H x W x 3, uint8, BGR), and the same grid in these."""

EVEN = 0.5
"""How sure it can be what a cell holds that nobody can see."""

SURE_OF_CARD = 0.99
"""How sure the card of an empty window must be that no objective card is looked for in it. Of the grids on
scans of objective cards none is named a window pattern card."""

WINDOW_SIDE_PX, TABLE_SIDE_PX = 2400, 4096
"""The longest side of a photo as it is read. One window fills its photo; of a whole table a window is a small
part, and 12 megapixels are read as they are: of drawn tables in 3600 x 2700 pixels, with windows of 22 to 45
pixels a cell, 22 of 48 windows are found, and reduced to 2400 pixels 19."""

SMALL_SIDE_PX = 1000
"""The longest side, at least, of the copy of a large JPEG in which a window is looked for first: one that
fills its photo has 60 pixels a cell there, more than its cells are read with."""

FINE_ENOUGH_PX = 66
"""Pixels a cell from which a doubtful die is looked at closer. Of 322 in drawn windows held back 36 are wrong
by the reader alone, 52 with a closer look at each, 35 with one at those that are so large and do not lean."""

SMALL_SHARE = 0.1
"""Of a photo: a window that fills less may be one of a whole table, which is looked over for others then."""

AROUND = BOARD_CORNERS + 2 * SQUARE * (MARGIN + 0.5)
HEIGHTS = (FLOOR_HEIGHT, 0.0, TOP_HEIGHT)
"""Between these heights, the corners of what is looked at of a window and around it."""

PIPS_BLUR = 0.55
"""So blurred, three or five pips look like one. Measured of the whole window: rendered, real and sample
photos have 0.46 at most, and blurred by a twentieth of a cell 0.55, where nothing is mistaken. Of those
blurred by more, all with a mistake that was not flagged have 0.59 and more; of 32 mistakes 31 were ones."""


def read_photo(
    source: Source,
    corners: Corners | None = None,
    windows: Iterable[WindowPattern] | None = None,
    profile: Profile | Iterable[Profile] | None = None,
    *,
    color_order: ColorOrder = "BGR",
    mirrored: bool = False,
) -> Reading:
    """Read the window that a photo shows.

    Parameters
    ----------
    source
        The photo: the path of its file (JPEG, PNG, WebP, HEIC or AVIF), the file's bytes or the file, open
        for reading bytes; a NumPy array (H x W x 3, uint8) or a Pillow image; or a `Photo`, loaded already.
    corners
        The lattice's four corners, set by hand, in pixels of the upright full-size photo; then
        nothing is searched. Which of them is the board's top left is found out.
    windows
        The window pattern cards it can be; those of the game when nothing is given.
    profile
        What dice of another make look like, or several of which the one that fits is taken. Dice that are
        like those of none are read as the game's.
    color_order
        Of an array: ``"BGR"``, as OpenCV has it, or ``"RGB"``.
    mirrored
        Whether the photo is mirrored, as front cameras take it. Then left and right are exchanged before it
        is read, and all places are those in the photo that was turned back so.

    Returns
    -------
    Reading

    Raises
    ------
    VisionError
        The photo cannot be read; the error says why and what to do about it.
    TypeError
        The source is nothing that can be a photo.
    """
    started = time.perf_counter()
    cards, profiles = _cards(windows), _profiles(profile)
    if mirrored:
        source = load_photo(source, max_side=WINDOW_SIDE_PX, color_order=color_order, mirrored=True)
    if corners is None:
        source, small = load_small(source, SMALL_SIDE_PX)
        if small is not None and (reading := _read_at_once(small, cards, profiles)) is not None:
            return replace(reading, seconds=_since(started))
    photo = in_good_light(load_photo(source, max_side=WINDOW_SIDE_PX, color_order=color_order))
    if corners is None:
        photo, found = _found(photo)
        grid, other_windows = found.grid, found.other_windows
        if not other_windows and _share(grid, photo) < SMALL_SHARE:
            other_windows = max(0, len(find_grids(Levels(photo.image_bgr))[0]) - 1)
    else:
        by_hand = photo.from_full_size(np.array(corners, dtype=np.float64))
        grid, other_windows = grid_from_corners(photo, as_corners(by_hand)), 0
    (reading,) = (_read_best(photo, views, cards, profiles) for views in _closer(photo, [grid]))
    if corners is None and _is_bare(reading) and not _is_named(reading):
        # The diagram of an objective card looks like an empty window; nothing else is worth the search.
        for card in find_objectives(photo, ())[0]:
            if diagram_of(card, photo, grid):
                raise only_a_card(card)
    (tokens,) = _tokens(photo, [grid])
    return replace(reading, other_windows=other_windows, tokens=tokens, seconds=_since(started))


def read_table(
    source: Source,
    windows: Iterable[WindowPattern] | None = None,
    progress: Callable[[int, Reading | None], None] | None = None,
    profile: Profile | Iterable[Profile] | None = None,
    *,
    color_order: ColorOrder = "BGR",
    mirrored: bool = False,
) -> TableReading:
    """Read every window and every public objective card that a photo of a table shows.

    Parameters
    ----------
    source, windows, profile, color_order, mirrored
        As for `read_photo`.
    progress
        What to call as the reading goes on: with how many windows will be read and None as soon as that is
        known, then with the same number and the reading of each window, clockwise as in the result. Its
        ``other_windows`` is 0 yet, and an empty window that turns out to be the print of an objective card
        is left out of the result. Whatever this raises ends the reading and goes through to the caller.

    Returns
    -------
    TableReading
        Also of a photo in which there is no window. All windows look mirrored where one does, unless more
        of them fit their cards surely as they are.

    Raises
    ------
    VisionError
        The file is no photo, or so dark that nothing can be told apart.
    TypeError
        The source is nothing that can be a photo.
    """
    started = time.perf_counter()
    cards, profiles = _cards(windows), _profiles(profile)
    photo = in_good_light(
        load_photo(source, max_side=TABLE_SIDE_PX, color_order=color_order, mirrored=mirrored)
    )
    levels = Levels(photo.image_bgr)
    grids, missed = find_grids(levels)
    if progress is not None:
        progress(len(grids), None)
    readings = []
    for views, tokens in zip(_closer(photo, grids), _tokens(photo, grids, levels), strict=True):
        begun = time.perf_counter()
        reading = _read_best(photo, views, cards, profiles)
        readings.append(replace(reading, tokens=tokens, seconds=_since(begun)))
        if progress is not None:
            progress(len(grids), readings[-1])
    bare = [_is_bare(reading) and not _is_named(reading) for reading in readings]
    filled = [grid for grid, is_bare in zip(grids, bare, strict=True) if not is_bare]
    objectives, unclear = find_objectives(photo, filled, levels)
    if grids:  # loose dice are those of the windows, where these are of a profile
        used = [one.profile for one in readings if one.profile]
        profiles = tuple(one for one in profiles if used and one.name == max(used, key=used.count))
    loose = find_loose(levels, grids, missed, profiles)
    # An empty window may be the grid that is printed on a card, and a card's tiles look like dice.
    kept = [
        reading
        for grid, reading, is_bare in zip(grids, readings, bare, strict=True)
        if not (is_bare and any(diagram_of(card, photo, grid) for card in objectives))
    ]
    unread = [
        Unread(one.reason, photo.place_in_full_size(one.middle)) for one in loose.windows if one.is_named
    ]
    unread += [Unread(unclear_die(), photo.place_in_full_size(middle), "die") for middle in loose.unread]
    dice = (_die_in_full_size(die, photo) for die in loose.dice)
    # A card that is its own mirror image is named either way.
    told = sum(one.mirrored for one in kept)
    mirrored = told > 0 and told >= sum(map(_is_named, kept))
    return TableReading(
        photo.full_size,
        tuple(replace(one, other_windows=len(kept) - 1, mirrored=mirrored) for one in kept),
        tuple(
            one for one in (*unread, *unclear) if not any(lies_on(card, one.center) for card in objectives)
        ),
        _since(started),
        tuple(die for die in dice if not any(lies_on(card, die.center) for card in objectives)),
        objectives,
    )


def _found(photo: Photo) -> tuple[Photo, Found]:
    """Return the window in a photo; one of very many pixels is looked at from nearer where none is seen."""
    try:
        return photo, find_grid(photo)
    except BoardNotFoundError as error:
        finer = photo.finer(TABLE_SIDE_PX)
        if finer is None or error.code != "board_not_found":
            raise
    finer = in_good_light(finer)
    return finer, find_grid(finer, near=True)


def in_good_light(photo: Photo) -> Photo:
    """Return the photo, bright enough to read and in white light; raise a `VisionError` otherwise."""
    photo = brightened(photo)
    check_colors(photo)
    return in_white_light(photo)


def _cards(windows: Iterable[WindowPattern] | None) -> tuple[WindowPattern, ...]:
    return tuple(WINDOW_PATTERNS.values() if windows is None else windows)


def _profiles(profile: Profile | Iterable[Profile] | None) -> tuple[Profile, ...]:
    return (profile,) if isinstance(profile, Profile) else tuple(profile or ())


def _is_bare(reading: Reading) -> bool:
    """Return whether no die was read in a window."""
    return not any(cell.die for cell in reading.cells)


def _is_named(reading: Reading) -> bool:
    """Return whether its prints are surely those of a window pattern card, which no objective card has."""
    return reading.window is not None and reading.window.probability >= SURE_OF_CARD


def _since(started: float) -> float:
    return round(time.perf_counter() - started, 3)


def _die_in_full_size(die: LooseDie, photo: Photo) -> LooseDie:
    size = _in_full_size(die.center, die.size, photo)
    return replace(die, center=photo.place_in_full_size(np.array(die.center)), size=size)


def _tokens(photo: Photo, grids: Sequence[Grid], levels: Levels | None = None) -> list[Tokens | None]:
    """Return the favor tokens beside each window, in pixels of the full-size photo."""
    return [
        one
        and replace(
            one,
            places=tuple(photo.place_in_full_size(np.array(place)) for place in one.places),
            size=_in_full_size(one.places[0], one.size, photo),
        )
        for one in find_tokens(levels or Levels(photo.image_bgr), grids)
    ]


def _in_full_size(place: Point, length: float, photo: Photo) -> float:
    """Return how long something is, in pixels of the full-size photo, that lies at a place of the picture."""
    sides = photo.in_full_size(np.array(place) + np.array([[-0.5, 0], [0.5, 0]]) * length)
    return round(float(np.linalg.norm(sides[1] - sides[0])), 1)


def _share(grid: Grid, photo: Photo) -> float:
    """Return how much of a photo a window fills."""
    height, width = photo.image_bgr.shape[:2]
    return float(cv2.contourArea(grid.corners_px.astype(np.float32)) / (width * height))


def _read_at_once(
    small: Photo, cards: tuple[WindowPattern, ...], profiles: tuple[Profile, ...]
) -> Reading | None:
    """Return what a window holds that is plain to see in a small copy of its photo, None without one."""
    try:
        photo = in_good_light(small)
    except VisionError:  # what is wrong is told by the photo itself
        return None
    grid = find_at_once(photo.image_bgr)
    if grid is None or grid.pitch_px < CROP_PITCH_PX:
        return None
    reading = _read(photo, grid, photo.image_bgr, grid, cards, profiles)
    return None if _is_bare(reading) else replace(reading, tokens=_tokens(photo, [grid])[0])


def _closer(photo: Photo, grids: Sequence[Grid]) -> Iterator[list[View]]:
    """Yield for each grid the pixels to read it from: finer ones where it is small, if there are any.

    What was small is looked for once more in the finer pixels, so that there may be two views.
    """
    small = [k for k, grid in enumerate(grids) if grid.pitch_px < CROP_PITCH_PX]
    areas = [_area(grids[k]) for k in small]
    times = max((CROP_PITCH_PX / grids[k].pitch_px for k in small), default=1.0)
    parts = dict(zip(small, photo.closer(areas, times) if small else (), strict=False))
    for k, grid in enumerate(grids):
        part, to_part = parts.get(k, (photo.image_bgr, np.eye(3)))
        views = [(grid, part, grid.seen_by(to_part))]
        if k in parts and (again := find_at_once(part)) is not None:
            views.append((again.seen_by(np.asarray(np.linalg.inv(to_part), np.float64)), part, again))
        yield views


def _finest(photo: Photo, grid: Grid, image_bgr: Image8, close: Grid) -> tuple[Image8, Grid]:
    """Return the pixels in which doubtful dice are looked at once more: finer ones, if there are any."""
    if close.pitch_px < FINE_ENOUGH_PX:
        for part, to_part in photo.closer([_area(grid)], FINE * CROP_PITCH_PX / grid.pitch_px):
            return part, grid.seen_by(to_part)
    return image_bgr, close


def _area(grid: Grid) -> Float:
    """Return the corners, (12, 2), of what is looked at of a window and around it."""
    return np.concatenate([apply_homography(grid.plane(z), AROUND) for z in HEIGHTS])


def _read_best(
    photo: Photo, views: Iterable[View], cards: tuple[WindowPattern, ...], profiles: tuple[Profile, ...]
) -> Reading:
    """Return the reading of a window by the view of it that leaves the least doubt."""
    readings = [_read(photo, *view, cards, profiles) for view in views]

    def doubt(reading: Reading) -> tuple[int, float]:
        cells = reading.cells
        return sum(cell.doubtful for cell in cells), -sum(cell.confidence for cell in cells)

    return min(readings, key=doubt)


def _read(
    photo: Photo,
    grid: Grid,
    image_bgr: Image8,
    close: Grid,
    cards: tuple[WindowPattern, ...],
    profiles: tuple[Profile, ...],
) -> Reading:
    """Return what lies in the cells of one grid; the other windows are not counted, nor the seconds.

    The cells are read from ``image_bgr``, in which the grid is ``close``: the photo or a finer part of it.
    """
    # Nothing looks at more pixels than these.
    image_bgr, to_part = reduced(image_bgr, _area(close), int(close.pitch_px / (FINE * CROP_PITCH_PX)))
    close = close.seen_by(to_part)
    cells = read_cells(image_bgr, close, profiles)
    doubted = to_look_closer_at(cells, lean_of(close))
    if doubted.any():
        pixels, finest = _finest(photo, grid, image_bgr, close)
        if finest.pitch_px >= FINE_ENOUGH_PX:
            cells = looked_closer(cells, doubted, pixels, finest)
    cells = without_fronts(cells, lean_of(close))
    covers, walls, bright = covers_of(image_bgr, close), walls_of(image_bgr, close), blinded(image_bgr, close)
    match = match_pattern(cells, upright_in_photo(grid.upright_probability, grid.corners_px), cards)
    if match.turned_probability > 0.5:
        grid, close, cells = grid.rotated_180(), close.rotated_180(), cells.rotated_180()
        covers, walls, bright = covers.rotated_180(), walls.rotated_180(), bright[::-1]
    in_view = shares_in_view(grid, photo.shows)
    # Beside what looks like a cover: an empty space shows the walls of its hole and its print.
    filled = cells.filled >= 0.5
    sure = contents(cells).max(axis=1) >= DOUBTFUL_BELOW
    hidden = covers.are_hidden(filled, filled & sure) & (in_view >= HARD)
    hidden |= bright & ~sure
    white = bright & beside(hidden & bright)
    hidden |= ~filled & (white | walls.are_hidden(beside(hidden)) | unprinted(cells, match))
    doubts = (in_view < HARD) | filled & (covers.are_touched | (close.pitch_px < SURE_FROM_PX))
    doubts |= (cells.match is None) & colorless(image_bgr, close, filled)
    blurred = window_blur(image_bgr, close.homography) > PIPS_BLUR
    stripes = striped(image_bgr, close, filled)
    readings = tuple(
        _doubted(cell, cells, doubt=doubt, covered=is_hidden, blurred=blurred, crossed=is_crossed)
        for cell, doubt, is_hidden, is_crossed in zip(
            cell_readings(weighed_by_rules(cells, cards)),
            doubts.tolist(),
            hidden.tolist(),
            stripes.tolist(),
            strict=True,
        )
    )
    return Reading(
        size=photo.full_size,
        corners=as_corners(photo.in_full_size(grid.corners_px).round(1)),
        cells=readings,
        pattern=open_pattern(cells, match.prints),
        window=match.guess and replace(match.guess, probability=round(match.guess.probability, DIGITS)),
        upright_probability=round(max(match.turned_probability, 1 - match.turned_probability), DIGITS),
        other_windows=0,
        seconds=0.0,
        unclear_prints=unclear_prints(cells),
        unlike_dice=cells.strangeness >= UNLIKE_FROM,
        profile=cells.match.profile.name if cells.match else None,
        mirrored=match.mirrored,
    )


def _doubted(
    cell: CellReading, cells: CellProbabilities, *, doubt: bool, covered: bool, blurred: bool, crossed: bool
) -> CellReading:
    """Return a cell with a doubt where nobody can have seen it or know its die, however sure the network."""
    if covered:
        return replace(cell, doubtful=True, covered=True, confidence=min(cell.confidence, EVEN))
    if cells.strangeness >= UNLIKE_FROM or (blurred and cell.value == 1) or crossed:
        cell = replace(cell, doubtful=True, confidence=min(cell.confidence, EVEN))
    unsure = cell.die is not None and cell.confidence < cells.dice_doubtful_below
    return replace(cell, doubtful=cell.doubtful or doubt or unsure)
