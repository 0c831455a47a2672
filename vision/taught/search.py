"""Name every taught card in a photo of a table, together with what the diagrams of objective cards said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.geometry import as_corners
from vision.objectives.finding import overlap
from vision.objectives.outlines import outlines_in
from vision.photo import Photo
from vision.reading import DIGITS
from vision.table import CardReading
from vision.taught.card import Float, TaughtCard
from vision.taught.comparing import Likeness, likest, way_up
from vision.taught.locating import is_seen_card, located

# Set on drawn tables with scans of one printing, taught and left out, read by the other printing's (seeds 100
# to 111; `calibration.accuracy.taught_cards` measures on others). Of 130 cards that nobody had taught the
# worst part fitted by 0.33 at most, of 132 that were taught by 0.8 in the middle.
NAMED_WHOLE, NAMED_DRAWN, SURE_WHOLE, SURE_WORST = 0.7, 0.35, 0.8, 0.5
SURENESS = ((-0.5, 0.35, SURE_WORST, 0.8), (0.5, 0.9, 0.98, 0.999))
"""How well the worst part fits, and how sure the name of the card is then."""
PROBABLE = 0.35  # correlation with some taught card from which an outline is looked at
MOST_OUTLINES = 12
SHARED = 0.5  # share of the smaller of two cards that lies under the other; with more they are one


def find_taught(
    photo: Photo, taught: Sequence[TaughtCard], read: Sequence[CardReading] = ()
) -> tuple[CardReading, ...]:
    """Return all cards in a photo: the taught ones, and those that were read already.

    Parameters
    ----------
    photo
        The upright photo.
    taught
        The cards that were taught; with none nothing is looked for.
    read
        The public objectives that were read by their diagrams, in pixels of the upright full-size photo.

    Returns
    -------
    tuple of CardReading
        In pixels of the upright full-size photo. Where diagram and taught card agree, the surer one counts;
        where both are sure and disagree, both are returned, in doubt.
    """
    if not taught:
        return tuple(read)
    found: list[Likeness] = []
    for corners in _places(photo, taught, read):
        one = likest(photo.image_bgr, corners, taught)
        if one is None or one.whole < NAMED_WHOLE or one.drawn < NAMED_DRAWN:
            continue
        rivals = [other for other in found if overlap(one.corners, other.corners) > SHARED]
        if all(one.worst > other.worst for other in rivals):
            found = [*(other for other in found if other not in rivals), one]
    return _together(read, [_reading(one, photo) for one in found])


def _places(photo: Photo, taught: Sequence[TaughtCard], read: Sequence[CardReading]) -> list[Float]:
    """Return where cards may lie, as one reads them: by features, by diagrams, and by outlines."""
    places = located(photo.image_bgr, taught)
    places += [np.array(card.corners, dtype=np.float64) * photo.scale for card in read]
    outlines = []
    for quad in outlines_in(photo.image_bgr):
        if any(overlap(quad, other) > SHARED for other in places):
            continue
        ways = [np.roll(quad, turn, axis=0) for turn in (0, 1)]
        fits = [way_up(photo.image_bgr, way, taught) for way in ways if is_seen_card(way)]
        outlines += [max(fits, key=lambda fit: fit[0])] if fits else []
    likely = sorted((one for one in outlines if one[0] > PROBABLE), key=lambda one: -one[0])
    return places + [corners for _, corners in likely[:MOST_OUTLINES]]


def _reading(one: Likeness, photo: Photo) -> CardReading:
    sure = one.whole >= SURE_WHOLE and one.worst >= SURE_WORST
    confidence = round(float(np.interp(one.worst, *SURENESS)), DIGITS)
    corners = as_corners((one.corners / photo.scale).round(1))
    return CardReading(one.card.name, confidence, not sure, corners, one.card.kind)


def _together(read: Sequence[CardReading], taught: Sequence[CardReading]) -> tuple[CardReading, ...]:
    """Return what diagrams and taught cards say together; no card is in it twice but where they disagree."""
    out = list(read)
    for card in sorted(taught, key=lambda one: -one.confidence):
        same = [one for one in out if _is_same_place(one, card)]
        twin = [one for one in out if one.name == card.name and one not in same]
        if not same:
            # A game has each card once: of two with a name, a person has to look at the less sure one.
            out.append(replace(card, doubtful=card.doubtful or bool(twin)))
        elif same[0].name == card.name:
            out[out.index(same[0])] = max(same[0], card, key=lambda one: (not one.doubtful, one.confidence))
        elif same[0].doubtful and not card.doubtful:
            out[out.index(same[0])] = card
        elif not card.doubtful:
            out[out.index(same[0])] = replace(same[0], doubtful=True)
            out.append(replace(card, doubtful=True))
        elif same[0].doubtful:
            out.append(card)
    return tuple(out)


def _is_same_place(one: CardReading, other: CardReading) -> bool:
    a, b = (np.array(card.corners, dtype=np.float64) for card in (one, other))
    return overlap(a, b) > SHARED
