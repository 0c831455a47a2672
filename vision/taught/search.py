"""Name every taught card in a photo of a table, together with what the diagrams of objective cards said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from scoring import PublicObjective
from vision.geometry import as_corners
from vision.objectives.finding import overlap
from vision.objectives.outlines import outlines_in
from vision.photo import Photo
from vision.reading import DIGITS
from vision.table import CardReading
from vision.taught.card import Float, TaughtCard
from vision.taught.comparing import Likeness, coarse_fit, likest
from vision.taught.locating import is_seen_card, located, matched
from vision.taught.plane import on_table

# Set on drawn tables with scans of one printing, taught and left out, read by the other printing's (seeds
# 5300000 to 5300007; `calibration.training.held_back_taught` measures on others). What lies under glare or is
# burnt out fits its card badly, but still better than any other: so led 145 of 156 such cards, and 5 of 156
# that nobody had taught. Where no other card of the kind is taught nothing can lead, and the fit has to do.
SURE_WHOLE, SURE_WORST, SURE_HIDDEN = 0.8, 0.5, 0.1
SHADES = {PublicObjective.LIGHT_SHADES, PublicObjective.MEDIUM_SHADES, PublicObjective.DEEP_SHADES}
SURE_AMONG_FEW = 0.9  # these differ in a few pips: a blurred one that nobody taught fitted another by 0.85
LED_WHOLE, LED_DRAWN, LEAD = 0.6, 0.2, 0.2
# Set on seeds 9700000 to 9700047. Of 469 cards there that nobody had taught 6 lead so; without COARSE_LEAD
# it was 34. What is blurred or burnt out fits hardly better as a whole than in its worst part, another card
# that is plain to see much better.
COARSE_LEAD = 0.02
DIM_DRAWN, DIM_OFF, DIM_COARSE, DIM_LEAD = 0.0, 0.6, 0.6, 0.25
ALONE_WHOLE, ALONE_DRAWN = 0.7, 0.35
LEAST_HIDDEN, MOST_HIDDEN, BESIDE, BESIDE_LEAD = 0.03, 0.5, 0.88, 0.1
"""Of a card on which something lies. Set on 672 cards of seeds 9700000 to 9700039 with a die or one to four
tokens drawn on them: 401 in place of 16 are named, for 4 more of 1,344 that nobody had taught."""
SURENESS = ((-0.5, 0.35, SURE_WORST, 0.8), (0.5, 0.9, 0.98, 0.999))
"""How well the worst part fits, and how sure the name of the card is then."""
PROBABLE = 0.3  # correlation with some taught card from which a place is looked at
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
    matches = matched(photo.image_bgr, taught)
    places = located(matches)
    places += [np.array(card.corners, dtype=np.float64) * photo.scale for card in read]
    found = _named(photo, places, taught)
    # A place that features found wrongly, such as between two cards, must not hide the outline of a card.
    found += _named(photo, _probable(photo, taught, outlines_in(photo.image_bgr), found, range(4)), taught)
    # Of what is blurred or burnt out the other cards say how large it is and how it lies.
    further = on_table(matches, [one.corners for one in found])
    found += _named(photo, _probable(photo, taught, further, found), taught)
    untaught = {shade.value for shade in SHADES} - {card.name for card in taught}
    return _together(read, [_reading(one, photo, shades=not untaught) for one in found])


def _named(photo: Photo, places: Sequence[Float], taught: Sequence[TaughtCard]) -> list[Likeness]:
    """Return the cards that can be named at places; where several lie over each other, the likeliest."""
    found: list[Likeness] = []
    for corners in places:
        if any(_is_sure(other) and overlap(corners, other.corners) > SHARED for other in found):
            continue
        one = likest(photo.image_bgr, corners, taught)
        if one is None or not _is_likely(one):
            continue
        rivals = [other for other in found if overlap(one.corners, other.corners) > SHARED]
        if all(one.worst > other.worst for other in rivals):
            found = [*(other for other in found if other not in rivals), one]
    return found


def _probable(
    photo: Photo,
    taught: Sequence[TaughtCard],
    places: Sequence[Float],
    known: Sequence[Likeness],
    turns: Sequence[int] = (0,),
) -> list[Float]:
    """Return those of places, turned by so many corners, in which a card may lie, as one reads it.

    Where cards are ``known`` already no other one lies.
    """
    free = [one for one in places if not any(overlap(one, other.corners) > SHARED for other in known)]
    fits = []
    for corners in free:
        ways = [np.roll(corners, turn, axis=0) for turn in turns]
        seen = [(coarse_fit(photo.image_bgr, way, taught), way) for way in ways if is_seen_card(way)]
        fits += [max(seen, key=lambda fit: fit[0])] if seen else []
    likely = sorted((one for one in fits if one[0] > PROBABLE), key=lambda one: -one[0])
    return [corners for _, corners in likely[:MOST_OUTLINES]]


def _is_likely(one: Likeness) -> bool:
    if one.lead is None:
        return one.whole >= ALONE_WHOLE and one.drawn >= ALONE_DRAWN
    led = one.whole >= LED_WHOLE and one.drawn >= LED_DRAWN and one.lead >= LEAD
    coarse_lead = one.coarse_lead or 0.0
    dim = one.drawn >= max(DIM_DRAWN, one.whole - DIM_OFF) and one.coarse >= DIM_COARSE
    told = (led and coarse_lead >= COARSE_LEAD) or (dim and coarse_lead >= DIM_LEAD) or _is_sure(one)
    return told or _is_seen_beside(one)


def _is_seen_beside(one: Likeness) -> bool:
    """Return whether what shows of a card beside something that lies on it tells which one it is."""
    partly = LEAST_HIDDEN <= one.hidden <= MOST_HIDDEN
    return partly and one.beside >= BESIDE and one.beside_lead >= BESIDE_LEAD


def _is_sure(one: Likeness) -> bool:
    return one.whole >= SURE_WHOLE and one.worst >= SURE_WORST and one.hidden <= SURE_HIDDEN


def _reading(one: Likeness, photo: Photo, *, shades: bool) -> CardReading:
    """Return a card as it is told; ``shades``: all cards that look much alike were taught."""
    shade = one.card.name in {shade.value for shade in SHADES}
    may_be_other = shade and not shades and one.worst < SURE_AMONG_FEW
    confidence = round(float(np.interp(one.worst, *SURENESS)), DIGITS)
    corners = as_corners((one.corners / photo.scale).round(1))
    return CardReading(one.card.name, confidence, may_be_other or not _is_sure(one), corners, one.card.kind)


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
