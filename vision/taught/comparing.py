"""Which of the taught cards lies at a place: each that may be is laid over it and compared part by part.

Cards of a kind differ in a few small parts only, two tiles and a line of text at worst, so how well all of it
fits says little: what counts is the part that fits worst. A part where something else is drawn speaks against
a card; one where nothing is to be seen, as under glare, leaves doubt. Where a die or a favor token lies on a
card nothing fits, and what lies beside that has to tell.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import apply_homography
from vision.taught.card import Float, Image8, TaughtCard, outline, straightened
from vision.taught.locating import is_seen_card

Float32 = NDArray[np.float32]

SIZE_PX = (120, 168)
"""(width, height) in which cards are compared: what is finer is lost in photos of a table."""
CLOSER = 3  # cards that are laid over a place
STEPS, SMOOTHED_PX = 40, 5  # while a card is moved to where it fits best
GAIN_OVER_PX, BLOCK_PX, PART_PX = 61, 13, 9  # pixels of a compared picture
BLURS = (0.6, 1.0, 1.5, 2.2)  # of the taught picture, if it fits better so
FAINT, NOISE = 20.0, 100.0  # variances (of levels 0 to 255, all three colors together)
STRONG = 25.0  # strength of print from which a part says something, in levels
SEEN = 0.7  # of the strength of the known print; with less in a photo it has faded, or lies under glare
RIM_PX, LACKING_PX = 8, 2  # not looked at; so little may lack beyond the edge of a photo
INNER = (slice(RIM_PX, -RIM_PX), slice(RIM_PX, -RIM_PX))
TINY = 1e-6
HIDDEN, GRAIN_PX, SHADOW_PX = 0.2, 5, 13
"""Parts that fit worse lie under something, if as large as a grain; near it nothing is print either."""
COARSE_PX, COARSE_RIM_PX = (60, 84), 4
"""(width, height) in which print is looked at that blur and pale light leave, and what rim of it is not."""
LIGHT_PX, EVENED_PX = 10.0, 15.0  # Gaussians: what is larger is light; over these contrast is made alike


@dataclass(frozen=True, eq=False)
class Likeness:
    """How well a taught card fits at corners, 1 at best: all of it, and the worst of its parts.

    ``drawn`` is the worst of those parts in which the photo shows about as much as the card has there, and
    ``coarse`` how well the print fits that blur and pale light leave. ``lead`` is by how much whole and drawn
    are better than those of the next card of its kind, ``coarse_lead`` by how much coarse is better than that
    of any other one; None where no other one was taught. On a share of the card, ``hidden``, something
    seems to lie, or it is not in the photo; ``beside`` and ``beside_lead`` are coarse and its lead without
    that.
    """

    card: TaughtCard
    whole: float
    worst: float
    drawn: float
    corners: Float
    coarse: float = 0.0
    lead: float | None = None
    coarse_lead: float | None = None
    hidden: float = 0.0
    beside: float = 0.0
    beside_lead: float = 0.0


def likest(image_bgr: Image8, corners: Float, taught: Sequence[TaughtCard]) -> Likeness | None:
    """Return the taught card that fits best at a place in a photo, None where none can be laid over it.

    Parameters
    ----------
    image_bgr, corners
        The photo, uint8 H x W x 3 BGR, and the corners of the place, (4, 2) pixels, as one reads the card.
    taught
        What it may be.
    """
    # Cards of a kind share their frame: any of them says better where the card lies.
    nearest = _laid_over(image_bgr, corners, _closest(image_bgr, corners, taught)[0][1])
    if nearest is None:
        return None
    around = nearest[0].corners
    closest = [card for _, card in _closest(image_bgr, around, taught)[:CLOSER]]
    found = [one for card in closest if (one := _laid_over(image_bgr, around, card)) is not None]
    if not found:
        return None
    (best, shown), *others = sorted(found, key=lambda one: -one[0].whole - one[0].drawn)
    # Of blurred and burnt out cards the coarse print tells more than parts that hardly show.
    coarse, rival = _against(_closest(image_bgr, best.corners, taught), best.card)
    if rival is None:
        return replace(best, coarse=coarse)
    beside, hidden_rival = _against(_closest(image_bgr, best.corners, taught, shown), best.card)
    next_best = [one.whole + one.drawn for one, _ in others if one.card.kind == best.card.kind]
    return replace(
        best,
        coarse=coarse,
        lead=best.whole + best.drawn - max(next_best, default=0.0),
        coarse_lead=coarse - rival,
        beside=beside,
        beside_lead=beside - (hidden_rival or 0.0),
    )


def _against(fits: Sequence[tuple[float, TaughtCard]], best: TaughtCard) -> tuple[float, float | None]:
    """Return how well a card fits, and the next best one of its kind, None without any."""
    rivals = (fit for fit, card in fits if card.kind == best.kind and card is not best)
    return next(fit for fit, card in fits if card is best), next(rivals, None)


def coarse_fit(image_bgr: Image8, corners: Float, taught: Sequence[TaughtCard]) -> float:
    """Return how well the coarse print of some taught card fits at a place, 1 at best."""
    return _closest(image_bgr, corners, taught)[0][0]


def _closest(
    image_bgr: Image8, corners: Float, taught: Sequence[TaughtCard], shown: Float32 | None = None
) -> list[tuple[float, TaughtCard]]:
    """Return the taught cards, those first whose coarse print fits best at a place, with how well it does.

    Of a card only so much is ``shown`` (76, 52), 0 to 1; all of it when nothing is given.
    """
    seen = _evened(straightened(image_bgr, corners, COARSE_PX))
    if shown is None:
        fits = [(float(_small_evened(card) @ seen), card) for card in taught]
    else:
        weight = np.repeat(shown.ravel(), 3)
        seen = _unit(seen, weight)
        fits = [(float(_unit(_small_evened(card), weight) @ seen), card) for card in taught]
    return sorted(fits, key=lambda fit: -fit[0])


@lru_cache(maxsize=64)
def _small(card: TaughtCard) -> Float32:
    return np.asarray(cv2.resize(card.picture_bgr, SIZE_PX, interpolation=cv2.INTER_AREA), np.float32)


@lru_cache(maxsize=64)
def _small_evened(card: TaughtCard) -> Float32:
    return _evened(
        np.asarray(cv2.resize(card.picture_bgr, COARSE_PX, interpolation=cv2.INTER_AREA), np.uint8)
    )


def _evened(picture: Float32 | Image8) -> Float32:
    """Return the coarse print of a picture as a unit vector, however light or pale each part of it is."""
    soft = np.asarray(cv2.GaussianBlur(picture.astype(np.float32), (0, 0), 1), np.float32)
    fine = soft - np.asarray(cv2.GaussianBlur(soft, (0, 0), LIGHT_PX), np.float32)
    power = cv2.GaussianBlur((fine * fine).sum(axis=2), (0, 0), EVENED_PX)
    even = fine / np.sqrt(power + FAINT)[..., None]
    return _unit(np.asarray(even[COARSE_RIM_PX:-COARSE_RIM_PX, COARSE_RIM_PX:-COARSE_RIM_PX], np.float32))


def _laid_over(image_bgr: Image8, corners: Float, card: TaughtCard) -> tuple[Likeness, Float32] | None:
    """Return how a card fits once its corners are moved to where it fits best, and what is shown of it."""
    known = _small(card)
    gray = cv2.cvtColor(known.astype(np.uint8), cv2.COLOR_BGR2GRAY)
    stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, STEPS, 1e-4)
    try:
        _, move = cv2.findTransformECC(
            gray,
            cv2.cvtColor(straightened(image_bgr, corners, SIZE_PX), cv2.COLOR_BGR2GRAY),
            np.eye(3, dtype=np.float32),
            cv2.MOTION_HOMOGRAPHY,
            stop,
            np.full(gray.shape, 255, np.uint8),
            SMOOTHED_PX,
        )
    except cv2.error:  # it does not come to rest: nothing like this card
        return None
    rim = outline(SIZE_PX)
    to_photo = cv2.getPerspectiveTransform(rim.astype(np.float32), corners.astype(np.float32))
    better = apply_homography(np.asarray(to_photo @ move, dtype=np.float64), rim)
    if not is_seen_card(better):
        return None
    seen = straightened(image_bgr, better, SIZE_PX).astype(np.float32)
    whole, worst, drawn, shown = _fit(seen, known, _taken(image_bgr, better))
    return Likeness(card, whole, worst, drawn, better, hidden=1 - float(shown.mean())), shown


def _taken(image_bgr: Image8, corners: Float) -> NDArray[np.bool_]:
    """Return which parts of a card, (152, 104) without its rim, the photo shows whole."""
    move = cv2.getPerspectiveTransform(corners.astype(np.float32), outline(SIZE_PX).astype(np.float32))
    taken = cv2.warpPerspective(np.ones(image_bgr.shape[:2], np.uint8), move, SIZE_PX)
    wide = BLOCK_PX + PART_PX - 1 - 2 * LACKING_PX
    return np.asarray(cv2.erode(taken, np.ones((wide, wide), np.uint8))[INNER] > 0)


def _fit(seen: Float32, known: Float32, taken: NDArray[np.bool_]) -> tuple[float, float, float, Float32]:
    """Return how a picture float32 (168, 120, 3) fits a known one: the numbers of a `Likeness`.

    With them comes what is shown of the coarse print, (76, 52), 0 to 1, of parts that were ``taken``.

    Each block is compared in what is drawn in it, not in how light it is (the structure term of SSIM), after
    the contrast around it was made alike: light and shadow on a table are no part of a card.
    """
    blurred = [known, *(np.asarray(cv2.GaussianBlur(known, (0, 0), blur), np.float32) for blur in BLURS)]
    known = max(blurred, key=lambda one: _correlation(one, seen))
    ours, theirs = _variance(seen, seen), _variance(known, known)
    gain = np.sqrt((_mean(ours, GAIN_OVER_PX) + FAINT) / (_mean(theirs, GAIN_OVER_PX) + FAINT))
    theirs, both = theirs * gain**2, _variance(seen, known) * gain
    likeness = (2 * both + NOISE) / (ours + theirs + NOISE)
    likeness, ours, theirs = likeness[INNER], ours[INNER], theirs[INNER]
    strength = np.sqrt(np.maximum(ours, theirs))
    strengths = np.maximum(_mean(strength, PART_PX), 1e-6)
    parts = _mean(likeness * strength, PART_PX) / strengths
    there = _mean(np.sqrt(np.maximum(ours, 0)), PART_PX) > SEEN * _mean(
        np.sqrt(np.maximum(theirs, 0)), PART_PX
    )
    telling = (strengths > STRONG) & taken
    strength = strength * taken
    whole = float((likeness * strength).sum() / max(float(strength.sum()), 1e-6))
    worst, drawn = (float(parts[which].min(initial=1.0)) for which in (telling, telling & there))
    return whole, worst, drawn, _shown(telling & (parts < HIDDEN) | ~taken)


def _shown(hidden: NDArray[np.bool_]) -> Float32:
    """Return what is shown of the coarse print, (76, 52), where parts (152, 104) are hidden."""
    grain, shadow = (np.ones((side, side), np.uint8) for side in (GRAIN_PX, SHADOW_PX))
    dark = cv2.dilate(cv2.morphologyEx(hidden.astype(np.uint8), cv2.MORPH_OPEN, grain), shadow)
    size = (hidden.shape[1] // 2, hidden.shape[0] // 2)
    return np.asarray(1 - cv2.resize(dark.astype(np.float32), size, interpolation=cv2.INTER_AREA), np.float32)


def _variance(one: Float32, other: Float32) -> Float32:
    """Return the covariance, (H, W), of two pictures (H, W, 3) in the block around each pixel."""
    apart = _mean(one * other, BLOCK_PX) - _mean(one, BLOCK_PX) * _mean(other, BLOCK_PX)
    return np.asarray(apart.sum(axis=2), dtype=np.float32)


def _mean(values: Float32, side_px: int) -> Float32:
    return np.asarray(cv2.blur(values, (side_px, side_px)), dtype=np.float32)


def _correlation(one: Float32, other: Float32) -> float:
    """Return how two pictures of a size correlate, -1 to 1."""
    return float(_unit(one) @ _unit(other))


def _unit(picture: Float32 | Image8, weight: Float32 | None = None) -> Float32:
    """Return a picture as a vector of mean 0 and length 1, so that products are correlations."""
    flat = picture.astype(np.float32).ravel()
    if weight is None:
        flat -= flat.mean()
    else:
        flat = (flat - np.average(flat, weights=weight + TINY)) * weight
    return np.asarray(flat / max(float(np.linalg.norm(flat)), 1e-3), dtype=np.float32)
