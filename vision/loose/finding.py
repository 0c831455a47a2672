"""Where dice lie in a photo, in windows or out of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from vision.find import lattice
from vision.find.levels import Levels
from vision.find.views import VIEW_PX, FinderView, to_map, whole_view
from vision.geometry import apply_homography
from vision.network import dice_finder, sigmoid, to_blob

Float = NDArray[np.float64]

USUAL_EDGE_PX = 20.0
"""Edge of a die in a view, in pixels, that the network's second map counts from, as a logarithm."""
EDGES_PX = (9.0, 44.0)  # of dice in a view that are believed
OVERLAP_PX = 96  # of neighboring views
MIN_MARK = 0.25  # of a mark that is looked at; the reader says whether it is a die
APART = 0.7  # edges; two marks nearer than this are of one die
SEARCHED = (1, 2, 4)  # views a side of the photo, where nobody knows how large its dice are
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


def find_dice(photo: Levels, edges: Iterable[float]) -> list[Spot]:
    """Return every die in a picture, the clearest first.

    Parameters
    ----------
    photo
        The picture in its sizes.
    edges
        Lengths in pixels of the edges of dice in it, where they are known; else all sizes are looked for.
    """
    spots = [spot for view in _views(photo, sorted(edges)) for spot in _spots(view)]
    kept: list[Spot] = []
    for spot in sorted(spots, key=lambda one: -one.sure):
        if all(np.linalg.norm(spot.top - other.top) > APART * min(spot.edge, other.edge) for other in kept):
            kept.append(spot)
    return kept


def _views(photo: Levels, edges: list[float]) -> Iterator[FinderView]:
    """Yield overlapping views of a photo in which dice have about the usual size."""
    if edges:
        few = 1 if edges[-1] < 2 * edges[0] else 2
        zooms = {USUAL_EDGE_PX / edge for edge in (edges[len(edges) // 2], edges[0])[:few]}
    else:
        zooms = {count * (VIEW_PX - OVERLAP_PX) / max(photo.size) for count in SEARCHED}
    for zoom in sorted(min(zoom, 1.5) for zoom in zooms):
        yield from _tiles(photo, zoom)


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
    width, height = photo.size
    for left, top in product(*firsts):
        right, bottom = min(left + round(side), width), min(top + round(side), height)
        yield whole_view(photo, (left, top, right, bottom))


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
