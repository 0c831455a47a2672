"""Favor tokens, drops of clear glass that lie beside a window or on it: where they are, and whose."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from vision.detection.views import VIEW_PX, Levels, warped_view
from vision.geometry import COLUMNS, FLOOR_HEIGHT, ROWS, Float, Grid, apply_homography, is_within
from vision.loose import NEAR, Spot, distinct, spots_in
from vision.network import token_finder
from vision.objectives import quadrilaterals
from vision.reading import DIGITS, Tokens

PITCH_PX = 24.0  # in the first look; a token is about three quarters of a pitch wide
ABOUT = np.array([2.5, 0.0])  # the middle of the first look, on the board: it shows the frame's art, too
FRAME = np.array([[-0.5, -8.5], [COLUMNS + 0.5, ROWS + 0.6]])  # the frame about a lattice, in pitches
REACH = 5.0  # pitches from a frame: what lies farther off is nobody's
NEARER = 1.5  # pitches by which a window must be nearer than the next that a token is surely its own
WIDTHS = (0.45, 1.25)  # of tokens, in pitches
AROUND = 0.6  # pitches around a lattice where dice lean over and a card's difficulty is printed as dots
HINT, FAINT = 0.15, 0.25  # how clear a mark is that is worth a closer look, and one there that may be a token
CLOSE_PX, CENTRAL = 40.0, 0.4  # a pitch in a closer look; how far from its middle marks count, in its sides
MOST_LOOKS = 8
HINT_ON_FRAME, ON_FRAME = 0.4, 0.85  # the same for a mark on a frame, whose art shows glass as well
# Set on 64 windows of drawn tables held back, many of whose tokens are hard to see, and on photos.
SEEN, ONE_SEEN = 0.35, 0.55  # how clear the mark of what counts is, and of the clearest of them at least
RIGHT = (0.65, 0.2)  # how likely their number is right, and by how much more where no mark is doubtful
CARD = np.array([3.7, 3.7, 5.2, 5.2])  # sides of a card in pitches; a token on one was spent
CARD_OFF = 0.3  # by which the logarithms of its sides may be off
MOST = 6  # come with a window pattern card
SURE = 0.9  # of their number; by what is measured a person looks at each


Look = tuple[Float, float]
"""The middle of a closer look (x, y) and how far from it, to each side, marks count."""


def find_tokens(photo: Levels, grids: Sequence[Grid]) -> list[Tokens | None]:
    """Count the favor tokens of each window, in the order of these; None where none is seen.

    Parameters
    ----------
    photo
        The picture in its sizes.
    grids
        Its windows.
    """
    upright = [grid if grid.upright_probability >= 0.5 else grid.rotated_180() for grid in grids]
    owned: list[list[tuple[Spot, float]]] = [[] for _ in grids]
    shown: list[Look] = []
    for mark in distinct([spot for grid in upright for spot in _marks(photo, grid, shown)]):
        if any(_is_in(grid, mark) for grid in upright):
            continue
        away = [_away(grid, mark) for grid in upright]
        nearest = int(np.argmin(away))
        if away[nearest] < REACH and (away[nearest] > 0 or mark.sure > ON_FRAME):
            is_own = sum(one < away[nearest] + NEARER for one in away) == 1
            owned[nearest].append((mark, mark.sure if is_own else min(mark.sure, ONE_SEEN)))
    if not any(map(_counted, owned)):
        return [None] * len(grids)
    outlines = quadrilaterals(photo)
    cards = [[one for one in outlines if _is_card(one, grid)] for grid in grids]
    return [
        _counted([one for one in marks if not any(is_within(card, one[0].top) for card in own)])
        for marks, own in zip(owned, cards, strict=True)
    ]


def _marks(photo: Levels, grid: Grid, shown: list[Look]) -> Iterator[Spot]:
    """Yield what looks like a token around a window: it looks more closely where anything might be one.

    What has been shown of other windows is not looked at again, and what this one shows is added.
    """
    plane = grid.plane(FLOOR_HEIGHT)
    most = len(shown) + MOST_LOOKS
    for hint in distinct(list(_seen(photo, plane, ABOUT, PITCH_PX, HINT))):
        place = grid.to_board(hint.top, FLOOR_HEIGHT)
        if len(shown) == most:
            break
        away = _off_frame(place)
        if _is_in(grid, hint) or away >= REACH or (away == 0 and hint.sure < HINT_ON_FRAME):
            continue
        if _is_near(hint, shown):
            continue
        look = (hint.top, CENTRAL * VIEW_PX * _pitch_at(plane, place) / CLOSE_PX)
        for mark in _seen(photo, plane, place, CLOSE_PX, FAINT):
            if _is_near(mark, [look]) and not _is_near(mark, shown):
                yield mark
        shown.append(look)


def _seen(photo: Levels, plane: Float, place: Float, pitch_px: float, least: float) -> Iterator[Spot]:
    """Yield what is marked about a place of a plane, seen with so many pixels a pitch."""
    step = _pitch_at(plane, place) / pitch_px
    left, top = apply_homography(plane, place[None])[0] - step * VIEW_PX / 2
    view = warped_view(photo, np.array([[step, 0, left], [0, step, top], [0, 0, 1]]))
    return spots_in(view, token_finder(), least)


def _is_near(mark: Spot, places: Sequence[Look]) -> bool:
    """Return whether a mark lies in one of some squares, each told by its middle and half its side."""
    return any(float(np.abs(mark.top - middle).max()) < half for middle, half in places)


def _off_frame(place: Float) -> float:
    """Return how far, in pitches, a place on the board lies from the frame."""
    return float(np.linalg.norm(place - np.clip(place, *FRAME)))


def _is_card(outline: Float, grid: Grid) -> bool:
    """Return whether an outline (4, 2) is as large as a card on the table of a window."""
    corners = np.array([grid.to_board(corner, FLOOR_HEIGHT) for corner in outline])
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    return bool(np.abs(np.log(np.sort(sides) / CARD)).max() < CARD_OFF)


def _is_in(grid: Grid, mark: Spot) -> bool:
    """Return whether a mark lies in a window's lattice or just beside it."""
    place = grid.to_board(mark.top)
    return bool(((place > -AROUND) & (place < np.array([COLUMNS, ROWS]) + AROUND)).all())


def _away(grid: Grid, mark: Spot) -> float:
    """Return how far, in pitches, a mark lies from a window's frame; infinitely if no token is so large."""
    plane, place = grid.plane(FLOOR_HEIGHT), grid.to_board(mark.top, FLOOR_HEIGHT)
    if not WIDTHS[0] < mark.edge / _pitch_at(plane, place) < WIDTHS[1]:
        return np.inf
    return _off_frame(place)


def _pitch_at(plane: Float, place: Float) -> float:
    """Return how long a pitch is, in pixels, at a place of a plane, where it is not foreshortened."""
    here, *beside = apply_homography(plane, place + NEAR * np.array([[0, 0], [1, 0], [0, 1]]))
    return float(np.linalg.svd((np.array(beside) - here) / NEAR, compute_uv=False)[0])


def _counted(marks: Sequence[tuple[Spot, float]]) -> Tokens | None:
    """Return those marks that are clear; all of them together tell how sure their number is."""
    seen = sorted(((sure, spot) for spot, sure in marks if sure >= SEEN), key=lambda one: -one[0])[:MOST]
    if not seen or seen[0][0] < ONE_SEEN:
        return None
    confidence = RIGHT[0] + RIGHT[1] * float(np.prod([max(sure, 1 - sure) for _, sure in marks]))
    places = tuple((float(spot.top[0]), float(spot.top[1])) for _, spot in seen)
    size = float(np.mean([spot.edge for _, spot in seen]))
    return Tokens(places, size, round(confidence, DIGITS), confidence < SURE)
