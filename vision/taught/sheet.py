"""The cards that lie side by side in a photo, to be named and taught."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.geometry import as_corners
from vision.objectives import find_objectives, named_at
from vision.objectives.finding import in_common, overlap
from vision.objectives.outlines import outlines_in
from vision.photo import Photo
from vision.reading import Corners
from vision.table import CardReading
from vision.taught.card import Float, TaughtCard, width_of
from vision.taught.locating import is_seen_card
from vision.taught.search import find_taught

ASPECT = (1.15, 1.75)  # of long to short sides; a card of the game has 1.4, seen from about above
LEAST_SHARE = 0.08  # of the photo's longer side that the width of a card has at least
LIKE_OTHERS = 0.6  # of the middle width of all cards: what is smaller is a part of one
SAME, SHARED = 0.75, 0.3  # of area: outlines that are one; those that overlap more are not side by side
SCAN = (1.3, 1.5)  # height to width of a picture that may be the scan of one card


@dataclass(frozen=True)
class OnSheet:
    """A card to be named: its corners in pixels of the upright full-size photo, and what it seems to be.

    A proposal is for a person to confirm.
    """

    corners: Corners
    proposal: str | None = None


def cards_on(photo: Photo, taught: Sequence[TaughtCard] = ()) -> tuple[OnSheet, ...]:
    """Return the cards that lie side by side in a photo, in reading order.

    The photo is held so that the cards are upright: of an outline the uppermost side is the card's top. What
    diagrams or taught cards tell knows better, and proposes a name.
    """
    known = find_taught(photo, taught, find_objectives(photo, ())[0])
    height, width = photo.image_bgr.shape[:2]
    whole = np.array([[0, 0], [width - 1, 0], [width - 1, height - 1], [0, height - 1]], dtype=np.float64)
    quads = [_upright(quad) for quad in outlines_in(photo.image_bgr) if in_common(quad, whole) < SAME]
    found = [_Place(_outlined(np.array(card.corners) * photo.scale, quads), card) for card in known]
    least = LEAST_SHARE * max(width, height)
    fits = [quad for quad in quads if is_seen_card(quad) and _aspect(quad) and width_of(quad) >= least]
    if fits:
        usual = float(np.median([width_of(quad) for quad in _largest_apart(fits, found)] or [least]))
        fits = [quad for quad in fits if width_of(quad) >= LIKE_OTHERS * usual]
    found += [_Place(quad) for quad in _largest_apart(fits, found)]
    if not found and SCAN[0] < height / width < SCAN[1]:
        found = [_Place(whole)]
    return tuple(
        OnSheet(
            as_corners((one.corners / photo.scale).round(1)),
            one.card.name if one.card else named_at(photo.image_bgr, one.corners),
        )
        for one in _in_reading_order(found)
    )


@dataclass(frozen=True, eq=False)
class _Place:
    corners: Float
    card: CardReading | None = None


def _outlined(corners: Float, quads: Sequence[Float]) -> Float:
    """Return the outline that a card with about these corners has, the corners themselves without one.

    Where its edges stand out from the table they are where the card ends; diagrams only tell about where.
    """
    near = max(quads, key=lambda quad: in_common(quad, corners), default=corners)
    if in_common(near, corners) < SAME:
        return corners
    return min(
        (np.roll(near, k, axis=0) for k in range(4)), key=lambda way: float(np.abs(way - corners).max())
    )


def _upright(quad: Float) -> Float:
    """Return an outline, (4, 2) clockwise, from the upper left one of its corners."""
    return np.roll(quad, -int(quad.sum(axis=1).argmin()), axis=0)


def _aspect(quad: Float) -> bool:
    a, b, c, d = quad
    tall = float(np.linalg.norm(d - a) + np.linalg.norm(c - b)) / 2
    return ASPECT[0] < tall / width_of(quad) < ASPECT[1]


def _largest_apart(quads: Sequence[Float], known: Sequence[_Place]) -> list[Float]:
    """Return outlines that share no ground, with each other or with known cards, the largest first."""
    apart: list[Float] = []
    for quad in sorted(quads, key=lambda one: -width_of(one)):
        if not any(overlap(quad, other) > SHARED for other in [*apart, *(one.corners for one in known)]):
            apart.append(quad)
    return apart


def _in_reading_order(places: Sequence[_Place]) -> list[_Place]:
    """Return places row by row from the top, each row from the left."""
    left = sorted(places, key=lambda one: float(one.corners[:, 1].mean()))
    ordered: list[_Place] = []
    while left:
        foot = float(left[0].corners[:, 1].max())
        row = [one for one in left if float(one.corners[:, 1].mean()) < foot]
        ordered += sorted(row, key=lambda one: float(one.corners[:, 0].mean()))
        left = [one for one in left if one not in row]
    return ordered
