"""Public objective cards in a photo: where they lie, and which they are, by their diagrams."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.sentences import sentence
from vision.detection.views import FinderView, Levels, levels_of
from vision.errors import BoardNotFoundError, BoardUnreadableError
from vision.geometry import (
    BOARD_CORNERS,
    COLUMNS,
    ROWS,
    SHARPER,
    Float,
    Float32,
    Grid,
    Image8,
    apply_homography,
    as_corners,
    averaged,
    is_within,
    strongest,
    without_doubles,
)
from vision.network import card_finder, card_reader, shade_reader, sigmoid, softmax, to_blob
from vision.photo import Photo
from vision.reading import DIGITS, Point
from vision.table import CardReading, Unread

WORK_PX = 640  # longer side of the picture in which outlines are looked for
MIN_WIDTH_PX = 18.5  # of the shorter sides there
FULL = 0.9  # share of its hull that an outline has to fill, and of the quadrilateral that the hull has to
RATIO = (0.8, 2.6)  # of long to short sides, seen at a slant
LEVELS = (50, 80, 110, 140, 170, 200)
SAME = 0.06  # sides by which two outlines differ at most that are one
SMALL = 4  # how much smaller than a crop a card is looked at here
# Set on drawn cards: how much more saturated the glass is than the field, and how much paler the field is.
COLORFUL, PALER = 12.0, -10.0


def outlined(photo: Levels) -> list[tuple[Float, float]]:
    """Return outlines that may be public objective cards, with how well they look so, the best first.

    Each is (4, 2) in pixels of the photo, from its top left as one reads it.
    """
    small, scale = _small(photo)
    found: list[tuple[Float, float]] = []
    for quad in without_doubles(_quads(small), _is_same):
        best = max((_looks_like_one(small, np.roll(quad, turn, axis=0)), turn) for turn in _ways(quad))
        if best[0] > 0:
            corners = np.roll(quad, best[1], axis=0)
            found.append(((corners + 0.5) / scale - 0.5, best[0]))
    return sorted(found, key=lambda one: -one[1])


def quadrilaterals(photo: Levels) -> list[Float]:
    """Return the outlines with four corners, (4, 2) each, in a photo, in its pixels."""
    small, scale = _small(photo)
    return [(quad + 0.5) / scale - 0.5 for quad in without_doubles(_quads(small), _is_same)]


def _small(photo: Levels) -> tuple[Image8, float]:
    """Return a picture in which outlines are looked for, and its scale."""
    scale = min(1.0, WORK_PX / max(photo.size))
    return _resized(photo, scale), scale


def _resized(photo: Levels, scale: float) -> Image8:
    """Return a photo, or a smaller copy of it."""
    width, height = photo.size
    size = max(1, round(width * scale)), max(1, round(height * scale))
    image, to_level = photo.at(int(np.log2(1 / scale)))
    if image.shape[1::-1] == size:
        return image
    flag = cv2.INTER_AREA if to_level[0, 0] > SHARPER * scale else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(image, size, interpolation=flag), dtype=np.uint8)


def _quads(image_bgr: Image8) -> Iterator[Float]:
    """Yield the quadrilaterals in a picture, (4, 2) each, clockwise."""
    soft = cv2.GaussianBlur(image_bgr, (0, 0), 1.2)
    gray = cv2.cvtColor(soft, cv2.COLOR_BGR2GRAY)
    lab = cv2.cvtColor(soft, cv2.COLOR_BGR2LAB)
    edges = np.asarray(cv2.Canny(gray, 30, 80), dtype=np.uint8)
    for channel in (1, 2):
        edges = np.maximum(edges, cv2.Canny(lab[..., channel], 20, 50)).astype(np.uint8)
    wide = cv2.dilate(edges, np.ones((3, 3), np.uint8))
    masks = [wide, 255 - wide]
    masks += [np.asarray(gray > level, dtype=np.uint8) for level in LEVELS]
    height, width = gray.shape
    rim = np.concatenate([part.reshape(-1, 3) for part in (lab[:4], lab[-4:], lab[:, :4], lab[:, -4:])])
    off = strongest(cv2.absdiff(lab, np.full_like(lab, np.median(rim, axis=0))))
    masks += [np.asarray(off > level, dtype=np.uint8) for level in (12, 25, 45)]
    yield _corners_of(width, height)  # a scan
    for mask in masks:
        for contour in cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)[0]:
            if len(contour) >= 4 and cv2.contourArea(contour) > MIN_WIDTH_PX**2:
                quad = _as_quad(np.asarray(contour, dtype=np.int32))
                if quad is not None:
                    yield quad


def _corners_of(width: int, height: int) -> Float:
    return (BOARD_CORNERS / [COLUMNS, ROWS]) * [width - 1, height - 1]


def _as_quad(contour: NDArray[np.int32]) -> Float | None:
    """Return the quadrilateral that a contour is, or None."""
    hull = cv2.convexHull(contour)
    area = cv2.contourArea(hull)
    if cv2.contourArea(contour) < FULL * area:
        return None
    around = cv2.arcLength(hull, closed=True)
    for share in (0.02, 0.035, 0.05, 0.07):
        found = cv2.approxPolyDP(hull, share * around, closed=True)
        if len(found) <= 4:
            break
    if len(found) != 4 or not FULL < cv2.contourArea(found) / area < 1 / FULL:
        return None
    quad = found.reshape(4, 2).astype(np.float64)
    if cv2.contourArea(found, oriented=True) < 0:
        quad = quad[::-1]
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    return quad if sides.min() >= MIN_WIDTH_PX else None


def _ways(quad: Float) -> tuple[int, ...]:
    """Return by how many corners a quadrilateral may have to be turned to be read."""
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    ratio = float((sides[1] + sides[3]) / (sides[0] + sides[2]))
    upright, across = (RATIO[0] < one < RATIO[1] for one in (ratio, 1 / ratio))
    return (0, 2) * upright + (1, 3) * across or (0,)


def _looks_like_one(image_bgr: Image8, corners: Float) -> float:
    """Return how much more colorful the upper third is than the field below; 0 of what is no card."""
    goal = (CARD_IN_CROP / SMALL).astype(np.float32)
    move = cv2.getPerspectiveTransform(corners.astype(np.float32), goal)
    crop = cv2.warpPerspective(
        image_bgr, move, (CROP_PX[0] // SMALL, CROP_PX[1] // SMALL), flags=cv2.INTER_LINEAR
    )
    low, high = (255 - strongest(255 - crop)).astype(np.float64), strongest(crop).astype(np.float64)
    strong = high - low
    glass, field = (slice(5, 12), slice(7, 25)), (slice(15, 33), slice(6, 26))
    colorful = float(np.mean(strong[glass]) - np.median(strong[field]))
    paler = float(np.median(low[field]) - np.mean(low[glass]))
    return colorful + paler if colorful > COLORFUL and paler > PALER else 0.0


def _is_same(one: Float, other: Float) -> bool:
    side = float(np.linalg.norm(other[1] - other[0]) + np.linalg.norm(other[2] - other[1])) / 2
    if np.linalg.norm(one.mean(0) - other.mean(0)) > SAME * side:
        return False
    return min(float(np.abs(np.roll(one, k, axis=0) - other).max()) for k in range(4)) < SAME * side


VIEW_PX = 384
"""Side of the square that the card finder looks at, in pixels."""
STRIDE = 8
"""Pixels of the view for each of the card finder's maps."""
PADDING = 114
"""Gray value around the photo in a view."""
PART = 0.6
"""Share of the photo's sides that a part shows; parts overlap, so that no small card is cut by all."""
SMALL_PX = 192
"""Longer side of the whole photo in the first view: no card is larger there than what was learned from."""
LARGE_PX = 300
"""From this longer side on a photo is looked at in parts, too: in the whole a card may be too small."""

CROP_PX = (128, 176)
"""(width, height) of a card set straight in pixels, with a little of what is around it."""
CARD_IN_CROP = np.array([[7.5, 9.0], [119.5, 9.0], [119.5, 166.0], [7.5, 166.0]])
"""The card's corners there, as one reads it."""
CARD_WIDTH_PX = 112
"""How wide it is there."""
FIRST_TILES = 5
"""The first of the cards with tiles, in the order of the card reader's outputs."""
STRIP = (slice(70, 122), slice(12, 116))
"""The part of a crop, rows and columns, by which cards with tiles are told apart."""


def views_of(photo: Levels) -> Iterator[FinderView]:
    """Yield the whole photo, small and larger, and the parts of a large one."""
    width, height = photo.size
    # Reduced once to what the parts need: no view then averages over the whole photo again.
    small = _resized(photo, min(1.0, VIEW_PX / (PART * max(width, height))))
    size = small.shape[1], small.shape[0]
    to_photo = np.diag([width / size[0], height / size[1], 1.0])
    for side_px in (SMALL_PX, VIEW_PX):
        yield _view(small, (0, 0, *size), to_photo, side_px)
    if max(width, height) >= LARGE_PX:
        w, h = round(PART * size[0]), round(PART * size[1])
        for y in (0, size[1] - h):
            for x in (0, size[0] - w):
                yield _view(small, (x, y, x + w, y + h), to_photo, VIEW_PX)


def _view(image_bgr: Image8, box: tuple[int, int, int, int], to_photo: Float, side_px: int) -> FinderView:
    """Return a box (x0, y0, x1, y1) of an image with a longer side of ``side_px`` in the square."""
    x0, y0, x1, y1 = box
    scale = side_px / max(x1 - x0, y1 - y0)
    w, h = max(1, round((x1 - x0) * scale)), max(1, round((y1 - y0) * scale))
    out = np.full((VIEW_PX, VIEW_PX, 3), PADDING, np.uint8)
    flag = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    out[:h, :w] = cv2.resize(image_bgr[y0:y1, x0:x1], (w, h), interpolation=flag)
    sx, sy = (x1 - x0) / w, (y1 - y0) / h
    # Edges go to edges; pixel centers, not corners, are at whole numbers.
    to_edges = np.array([[sx, 0, x0 + 0.5 * sx], [0, sy, y0 + 0.5 * sy], [0, 0, 1.0]])
    back = np.array([[1, 0, -0.5], [0, 1, -0.5], [0, 0, 1.0]])
    return FinderView(out, back @ to_photo @ to_edges)


def set_straight(photo: Image8 | Levels, corners: Float) -> Image8:
    """Return a card seen straight from above, uint8 (176, 128, 3) BGR.

    Parameters
    ----------
    photo
        The photo, uint8 H x W x 3, BGR, or its sizes.
    corners
        The card's corners in pixels, shape (4, 2), the one that shall be top left first, clockwise. Beyond
        the photo its edge goes on.
    """
    across = float(np.linalg.norm(corners[1] - corners[0]) + np.linalg.norm(corners[2] - corners[3])) / 2
    image, to_level = levels_of(photo).at(int(np.log2(max(across / CARD_WIDTH_PX, 1))))
    there = apply_homography(to_level, corners)
    pad = 0.2 * float(np.ptp(there, axis=0).max())
    shrink = across * to_level[0, 0] / CARD_WIDTH_PX
    source, to_source = averaged(image, there.min(0) - pad, there.max(0) + pad, shrink)
    crop = cv2.warpPerspective(
        source,
        to_source @ photo_from_crop(there),
        CROP_PX,
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(crop, dtype=np.uint8)


def photo_from_crop(corners: Float) -> Float:
    """Return the homography (3, 3) from a card set straight to the photo, where its corners are (4, 2)."""
    found = cv2.getPerspectiveTransform(CARD_IN_CROP.astype(np.float32), corners.astype(np.float32))
    return np.asarray(found, dtype=np.float64)


LIKELY = 0.25  # how sure the finder has to be of a place for a closer look
MOST_OUTLINES = 6  # outlines that look best
OUTLINED = 0.6  # how sure a place with an outline counts
MOST = 10  # places looked at closely in one photo
UNIT_PX = 64.0  # the size whose logarithm is 0 in the finder's maps
SCAN = (0.69, 0.74)  # short to long side of a picture that may be the scan of a card, which has 0.714
SAME_CARD = 0.75  # share of the area of both that two places have in common where both are one


@dataclass(frozen=True, eq=False)
class Place:
    """Where a card may lie: corners (4, 2) in pixels of the photo, as one reads it, and how sure that is."""

    corners: Float
    sure: float


def likely_places(photo: Levels) -> list[Place]:
    """Return where in a photo public objective cards may lie, the surest first."""
    places = [place for view in views_of(photo) for place in _marked(view)]
    # What has an outline comes first: its corners are better known.
    outlines = [Place(corners, OUTLINED) for corners, _ in outlined(photo)[:MOST_OUTLINES]]
    marked = sorted(places, key=lambda place: -place.sure)
    return distinct([*_whole_picture(photo.size), *outlines, *marked])[:MOST]


def _whole_picture(size: tuple[int, int]) -> list[Place]:
    """Return the whole picture as a place where it is shaped like a card: a scan may be nothing else."""
    width, height = size
    if not SCAN[0] < min(size) / max(size) < SCAN[1]:
        return []
    return [Place(np.roll(_corners_of(width, height), int(width > height), axis=0), OUTLINED)]


def distinct(places: Iterable[Place]) -> list[Place]:
    """Return the places without those that are about the same as an earlier one."""
    return without_doubles(places, lambda one, other: in_common(one.corners, other.corners) > SAME_CARD)


def overlap(one: Float, other: Float) -> float:
    """Return the share of the smaller of two convex outlines, (4, 2) each, that lies in the other."""
    a, b = one.astype(np.float32), other.astype(np.float32)
    smaller = min(cv2.contourArea(a), cv2.contourArea(b))
    return float(cv2.intersectConvexConvex(a, b)[0]) / max(smaller, 1e-6)


def in_common(one: Float, other: Float) -> float:
    """Return the area that two convex outlines, (4, 2) each, have in common, as a share of both together."""
    a, b = one.astype(np.float32), other.astype(np.float32)
    shared = float(cv2.intersectConvexConvex(a, b)[0])
    return shared / max(cv2.contourArea(a) + cv2.contourArea(b) - shared, 1e-6)


def is_card_shaped(corners: Float) -> bool:
    """Return whether corners (4, 2) are those of a convex outline, clockwise, not much longer than wide."""
    sides = np.roll(corners, -1, axis=0) - corners
    turns = sides[:, 0] * np.roll(sides[:, 1], -1) - sides[:, 1] * np.roll(sides[:, 0], -1)
    lengths = np.linalg.norm(sides, axis=1)
    return bool((turns > 0).all() and lengths.min() > 0.25 * lengths.max())


def _marked(view: FinderView) -> list[Place]:
    """Return the cards that the finder marks in a view."""
    maps = card_finder().run(to_blob(view.image_bgr[None]))[0]
    heat = sigmoid(maps[0])
    peaks = (heat == cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat > LIKELY)
    places = []
    for row, column in np.argwhere(peaks).tolist():
        size, shifts = UNIT_PX * np.exp(float(np.clip(maps[1, row, column], -4, 2))), maps[2:, row, column]
        middle = STRIDE * np.array([column, row]) + (STRIDE - 1) / 2
        corners = apply_homography(view.to_photo, middle + size * shifts.reshape(4, 2).astype(np.float64))
        if is_card_shaped(corners):
            places.append(Place(corners, float(heat[row, column])))
    return places


NAMES = (
    "Row Color Variety",
    "Column Color Variety",
    "Row Shade Variety",
    "Column Shade Variety",
    "Color Diagonals",
    "Light Shades",
    "Medium Shades",
    "Deep Shades",
    "Shade Variety",
    "Color Variety",
)
"""The cards in the order of the card reader's first outputs; the one after them means anything else."""
OTHER = len(NAMES)
SHIFT_PX = 100.0  # pixels of the crop for each unit by which the reader says that a corner is off
SURE = 0.8  # how sure one direction has to be of a public objective, so that the other is not tried
TILES = 0.3  # how sure it has to be a card with tiles for a closer look at them
LOOKS = 2  # each with the corners that the one before has set right


@dataclass(frozen=True, eq=False)
class Told:
    """What the closer look says of a place: probabilities (11,) of the cards, and its corners (4, 2)."""

    shares: Float32
    corners: Float

    @property
    def name(self) -> str:
        """The likeliest public objective."""
        return NAMES[int(self.shares[:OTHER].argmax())]

    @property
    def confidence(self) -> float:
        """How sure it is to be that card, 0 to 1."""
        return float(self.shares[:OTHER].max())

    @property
    def is_objective(self) -> float:
        """How sure it is to be a public objective card at all, 0 to 1."""
        return float(self.shares[:OTHER].sum())


def tell(photo: Levels, corners: Float) -> Told:
    """Return what a card is whose corners, (4, 2) pixels of a photo, are about known.

    Where it is no public objective as it lies it is tried upside down, too, as the corners may be counted
    from the wrong one.
    """
    told = _look(photo, corners)
    if told.is_objective < SURE:
        told = max(told, _look(photo, np.roll(corners, 2, axis=0)), key=lambda one: one.is_objective)
    for _ in range(LOOKS - 1):
        if is_card_shaped(told.corners):
            again = _look(photo, told.corners)
            told = Told((told.shares + again.shares) / np.float32(2), again.corners)
    return told


def _look(photo: Levels, corners: Float) -> Told:
    """Look once, from corners in reading order."""
    crop = set_straight(photo, corners)
    output = card_reader().run(to_blob(crop[None]))[0]
    shares = softmax(output[: OTHER + 1])
    tiles = slice(FIRST_TILES, OTHER)
    if shares[tiles].sum() > TILES:
        # The reader tells tiles from grids; which tiles they are takes a look at each pip.
        which = softmax(shade_reader().run(to_blob(crop[STRIP][None]))[0])
        shares[tiles] = shares[tiles].sum() * which
    shifts = SHIFT_PX * output[OTHER + 1 :].reshape(4, 2).astype(np.float64)
    return Told(shares, apply_homography(photo_from_crop(corners), CARD_IN_CROP + shifts))


# Set by hand on drawn cards that nothing was learned from.
IS_ONE = 0.99  # how sure it has to be that a place is a public objective card at all
DOUBTFUL_BELOW = 0.98
SHARED = 0.5  # share of the smaller of two cards that lies under the other; with more they are one
NAMED = 0.7  # with less confidence no name is said
SURE_PLACE = 0.6  # how sure the finder and the reader have to be of a card that cannot be told


def find_objectives(
    photo: Photo, grids: Sequence[Grid], levels: Levels | None = None
) -> tuple[tuple[CardReading, ...], tuple[Unread, ...]]:
    """Find and read the public objective cards in a photo.

    Parameters
    ----------
    photo
        The upright photo.
    grids
        The windows with dice in it, in pixels of ``photo.image_bgr``: no card lies in one.
    levels
        That picture in its sizes, where there are some already.

    Returns
    -------
    cards, unread
        In pixels of the upright full-size photo; ``unread`` are cards that cannot be told.
    """
    cards: list[Told] = []
    unread: list[Unread] = []
    levels = levels or Levels(photo.image_bgr)
    for place in likely_places(levels):
        if any(_in_window(place.corners, grid) for grid in grids):
            continue
        told = tell(levels, place.corners)
        if told.is_objective < IS_ONE or not is_card_shaped(told.corners):
            continue
        if any(overlap(told.corners, other.corners) > SHARED for other in cards):
            continue  # the outline of this card, or a part of it, was there before
        if told.confidence >= NAMED:
            cards.append(told)
        elif min(place.sure, told.is_objective) >= SURE_PLACE:
            unread.append(Unread(unclear(), photo.place_in_full_size(told.corners.mean(0)), "card"))
    read = tuple(_reading(told, photo) for told in cards)
    return read, tuple(one for one in unread if not any(lies_on(card, one.center) for card in read))


def unclear() -> BoardUnreadableError:
    """Return the reason for a card that is a public objective, but not to be told which."""
    return BoardUnreadableError(
        "card_unclear",
        sentence("This looks like a public objective card, but not clear enough to tell which."),
        sentence("Go closer, so that the card and the picture on it are sharp and free of glare."),
    )


def only_a_card(card: CardReading) -> BoardNotFoundError:
    """Return the refusal of a photo in which the diagram of a card was taken for a window."""
    return BoardNotFoundError(
        "board_not_found",
        sentence("This is a public objective card, not a window."),
        sentence("Take a photo of the window itself."),
        {"card": card.name},
    )


def diagram_of(card: CardReading, photo: Photo, grid: Grid) -> bool:
    """Return whether a grid is not a window but the diagram printed on a card."""
    corners = photo.from_full_size(np.array(card.corners, dtype=np.float64))
    return overlap(corners, grid.corners_px) > 0.8 and _area(grid.corners_px) < 0.6 * _area(corners)


def lies_on(card: CardReading, point: Point) -> bool:
    """Return whether a point, in pixels of the upright photo, lies on a card."""
    return is_within(np.array(card.corners), point)


def _in_window(corners: Float, grid: Grid) -> bool:
    """Return whether a place is a window, or a part of it, rather than a card beside or on its frame."""
    middle = grid.to_board(corners.mean(0))
    inside = (middle > 0).all() and (middle < [COLUMNS, ROWS]).all()
    return bool(inside) or overlap(corners, grid.corners_px) > 0.5


def _reading(told: Told, photo: Photo) -> CardReading:
    corners = as_corners(photo.in_full_size(told.corners).round(1))
    confidence = round(told.confidence, DIGITS)
    return CardReading(told.name, confidence, told.confidence < DOUBTFUL_BELOW, corners)


def _area(corners: Float) -> float:
    return float(cv2.contourArea(corners.astype(np.float32)))
