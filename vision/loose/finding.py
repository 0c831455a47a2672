"""Where dice lie in a photo, in windows or out of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from vision.find import lattice
from vision.find.levels import Levels
from vision.find.views import VIEW_PX, FinderView, to_map, warped_view
from vision.geometry import apply_homography
from vision.network import dice_finder, sigmoid, to_blob

Float = NDArray[np.float64]

USUAL_EDGE_PX = 20.0
"""Edge of a die in a view, in pixels, that the network's second map counts from, as a logarithm."""
EDGES_PX = (9.0, 44.0)  # of dice in a view that are believed
OVERLAP_PX = 96  # of neighboring views
MIN_MARK = 0.25  # of a mark that is looked at; the reader says whether it is a die
APART = 0.7  # edges; two marks nearer than this are of one die
SAME = 0.4  # edges; two marks farther apart than this may be of dice that touch
CLOSE_EDGE_PX, MOST_AGAIN = 30.0, 12  # edge of a die that is looked at again, and so many of them
SHARP_PX, SPREAD = (
    (13.0, 31.0),
    0.25,
)  # of a view: edges that tell how large dice are, and their logarithms' spread
ALIKE = 2.0  # how much larger or smaller than that others may be
FINEST = 1.5  # the photo is not enlarged more than this
SEARCHED = (0.5, 1, 2, 4)  # views a side of the photo, to see how large its dice are
MOST_VIEWS = 40


@dataclass(frozen=True, eq=False)
class Spot:
    """A die in the picture: the middle of its upper face (x, y), the way there from its lower one, its edge.

    All in pixels. ``sure`` is how clear its mark is, 0 to 1.
    """

    top: Float
    up: Float
    edge: float
    sure: float


def find_dice(photo: Levels, edges: Sequence[float]) -> list[Spot]:
    """Return every die in a picture, the clearest first.

    Parameters
    ----------
    photo
        The picture in its sizes.
    edges
        Lengths in pixels of the edges of dice in it, where they are known; else all sizes are looked for.
    """
    found: list[Spot] = []
    known = bool(edges)
    if not known:
        for count in SEARCHED:
            zoom = count * (VIEW_PX - OVERLAP_PX) / max(photo.size)
            low, high = (size / zoom for size in SHARP_PX)
            found += [spot for spot in _look(photo, zoom) if low < spot.edge < high]
        edges = _usual_edges(found)
    if not edges:
        return []
    smallest, *_, largest = sorted([*edges, *edges])
    asked = {float(np.median(edges)), *([smallest] if largest > ALIKE * smallest else [])}
    found += [spot for edge in asked for spot in _look(photo, min(USUAL_EDGE_PX / edge, FINEST))]
    found = [spot for spot in found if smallest / ALIKE < spot.edge < largest * ALIKE]
    for spot in _unclear(_distinct(found), found)[:MOST_AGAIN] if known else []:
        zoom = CLOSE_EDGE_PX / spot.edge
        left, top = spot.top - VIEW_PX / 2 / zoom
        view = warped_view(photo, np.array([[1 / zoom, 0, left], [0, 1 / zoom, top], [0, 0, 1]]))
        found = [one for one in found if _apart(one, spot) > 1]
        found += [one for one in _spots(view) if _apart(one, spot) <= 1]
    return _distinct(found)


def _apart(one: Spot, other: Spot) -> float:
    """Return how far one mark lies from another, in the other's edges."""
    return float(np.linalg.norm(one.top - other.top)) / other.edge


def _distinct(spots: Sequence[Spot]) -> list[Spot]:
    """Return the clearest mark of each die, the clearest first."""
    kept: list[Spot] = []
    for spot in sorted(spots, key=lambda one: -one.sure):
        if all(_apart(spot, other) >= APART * min(1, spot.edge / other.edge) for other in kept):
            kept.append(spot)
    return kept


def _unclear(kept: Sequence[Spot], found: Sequence[Spot]) -> list[Spot]:
    """Return the dice beside which something is marked, too near to be one and too far for the same."""
    return [one for one in kept if any(SAME < _apart(other, one) < APART for other in found)]


def _usual_edges(spots: Sequence[Spot]) -> list[float]:
    """Return the edge about which most clear marks have theirs, in pixels, or nothing where there are none.

    A large die counts for more than a small one, as its pips are marked here and there.
    """
    if not spots:
        return []
    sizes = np.log([spot.edge for spot in spots])
    weights = np.array([spot.sure**3 * spot.edge for spot in spots])
    near = np.exp(-(((sizes[:, None] - sizes) / SPREAD) ** 2) / 2)
    return [float(np.exp(sizes[int((near @ weights).argmax())]))]


def _look(photo: Levels, zoom: float) -> list[Spot]:
    """Return the dice in a picture looked at in one size."""
    return [spot for view in _tiles(photo, zoom) for spot in _spots(view)]


def _tiles(photo: Levels, zoom: float) -> Iterator[FinderView]:
    """Yield the views at one size that cover the photo, none where they would be too many."""
    side, overlap = VIEW_PX / zoom, OVERLAP_PX / zoom
    counts = [max(1, int(np.ceil((length - overlap) / (side - overlap)))) for length in photo.size]
    if counts[0] * counts[1] > MOST_VIEWS:
        return
    firsts = [
        np.linspace(0, max(length - side, 0), count).astype(int).tolist()
        for length, count in zip(photo.size, counts, strict=True)
    ]
    for left, top in product(*firsts):
        yield warped_view(photo, np.array([[1 / zoom, 0, left], [0, 1 / zoom, top], [0, 0, 1]]))


def _spots(view: FinderView) -> Iterator[Spot]:
    """Yield the dice in one view."""
    heat, *rest = dice_finder().run(to_blob(view.image_bgr[None]))[0]
    marks = sigmoid(heat)
    zoom = float(view.to_photo[0, 0])
    for point in lattice.peaks(marks, MIN_MARK):
        x, y = np.clip(np.round(to_map(point)), 0, marks.shape[0] - 1).astype(int)
        size, right, down = (float(one[y, x]) for one in rest)
        edge = USUAL_EDGE_PX * float(np.exp(size))
        if EDGES_PX[0] < edge < EDGES_PX[1]:
            yield Spot(
                apply_homography(view.to_photo, point[None])[0],
                np.array([right, down]) * edge * zoom,
                edge * zoom,
                float(marks[y, x]),
            )
