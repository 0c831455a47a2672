"""Find and read every public objective card in a photo of a table."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.sentences import sentence
from vision.errors import BoardNotFoundError, BoardUnreadableError
from vision.geometry import BOARD_CORNERS, Grid, apply_homography, as_corners
from vision.objectives.finding import is_card_shaped, likely_places, overlap
from vision.objectives.telling import Told, tell
from vision.photo import Photo
from vision.reading import DIGITS, Point
from vision.table import CardReading, Unread

Float = NDArray[np.float64]

# Set by hand on drawn cards that nothing was learned from.
IS_ONE = 0.99  # how sure it has to be that a place is a public objective card at all
DOUBTFUL_BELOW = 0.98
SHARED = 0.5  # share of the smaller of two cards that lies under the other; with more they are one
NAMED = 0.7  # with less confidence no name is said
SURE_PLACE = 0.6  # how sure the finder and the reader have to be of a card that cannot be told


def find_objectives(
    photo: Photo, grids: Sequence[Grid]
) -> tuple[tuple[CardReading, ...], tuple[Unread, ...]]:
    """Find and read the public objective cards in a photo.

    Parameters
    ----------
    photo
        The upright photo.
    grids
        The windows with dice in it, in pixels of ``photo.image_bgr``: no card lies in one.

    Returns
    -------
    cards, unread
        In pixels of the upright full-size photo; ``unread`` are cards that cannot be told.
    """
    cards: list[tuple[Told, Float]] = []
    unread: list[Unread] = []
    for place in likely_places(photo.image_bgr):
        if any(_in_window(place.corners, grid) for grid in grids):
            continue
        told = tell(photo.image_bgr, place.corners)
        if told.is_objective < IS_ONE or not is_card_shaped(told.corners):
            continue
        if any(overlap(told.corners, other) > SHARED for _, other in cards):
            continue  # the outline of this card, or a part of it, was there before
        if told.confidence >= NAMED:
            cards.append((told, told.corners))
        elif min(place.sure, told.is_objective) >= SURE_PLACE:
            unread.append(Unread(unclear(), _middle(told.corners, photo), "card"))
    read = tuple(_reading(told, photo) for told, _ in cards)
    return read, tuple(one for one in unread if not any(lies_on(card, one.center) for card in read))


def named_at(image_bgr: NDArray[np.uint8], corners: Float) -> str | None:
    """Return the public objective that lies at corners (4, 2) of a photo, uint8 H x W x 3 BGR, if any."""
    told = tell(image_bgr, corners)
    return told.name if told.is_objective >= IS_ONE and told.confidence >= NAMED else None


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
    return cv2.pointPolygonTest(np.array(card.corners, dtype=np.float32), point, measureDist=False) >= 0


def _in_window(corners: Float, grid: Grid) -> bool:
    """Return whether a place is a window, or a part of it, rather than a card beside or on its frame."""
    middle = apply_homography(np.asarray(np.linalg.inv(grid.homography)), corners.mean(0)[None])[0]
    inside = apply_homography(grid.homography, BOARD_CORNERS).astype(np.float32)
    return (
        bool((middle > 0).all() and (middle < [5, 4]).all())
        or overlap(corners, inside.astype(np.float64)) > 0.5
    )


def _reading(told: Told, photo: Photo) -> CardReading:
    corners = as_corners(photo.in_full_size(told.corners).round(1))
    confidence = round(told.confidence, DIGITS)
    return CardReading(told.name, confidence, told.confidence < DOUBTFUL_BELOW, corners)


def _middle(corners: Float, photo: Photo) -> Point:
    x, y = photo.in_full_size(corners.mean(0)[None])[0].round(1).tolist()
    return x, y


def _area(corners: Float) -> float:
    return float(cv2.contourArea(corners.astype(np.float32)))
