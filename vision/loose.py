"""Dice that lie beside the windows: where they are, what they show, and which lie on the round track."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations, product

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.board import VALUES
from scoring.sentences import sentence
from vision.detection.search import Missed
from vision.detection.views import PADDING, VIEW_PX, FinderView, Levels, peaks, to_map, warped_view
from vision.errors import BoardUnreadableError, VisionError
from vision.geometry import (
    COLUMNS,
    DIE_EDGE,
    FLOOR_HEIGHT,
    ROWS,
    TOP_HEIGHT,
    Float,
    Grid,
    Image8,
    Mask,
    apply_homography,
    without_doubles,
)
from vision.network import Network, dice_finder, loose_reader, reader, sigmoid, softmax, to_blob
from vision.profile import Pips, Profile
from vision.reading import DIGITS
from vision.recognition.cells import CROP_PITCH_PX, CROP_PX
from vision.recognition.dice import (
    DOUBTFUL_BELOW,
    Seen,
    best_of,
    colors_by,
    contents,
    match_of,
    probabilities,
)
from vision.table import LooseDie

USUAL_EDGE_PX = 20.0
"""Edge of a die in a view, in pixels, that the network's second map counts from, as a logarithm."""
EDGES_PX = (9.0, 44.0)  # of dice in a view that are believed
OVERLAP_PX = 96  # of neighboring views
MIN_MARK = 0.25  # of a mark that is looked at; the reader says whether it is a die
APART = 0.7  # edges; two marks nearer than this are of one die
SAME = 0.4  # edges; two marks farther apart than this may be of dice that touch
CLOSE_EDGE_PX, MOST_AGAIN = 30.0, 12  # edge of a die that is looked at again, and so many of them
SHARP_PX = (13.0, 31.0)  # of a view: edges that tell how large dice are
SPREAD = 0.25  # of the logarithms of these
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
    clear = distinct(found) if known else []
    # Beside these something is marked, too near to be one and too far for the same.
    tops = np.array([spot.top for spot in found]).reshape(-1, 2)
    away = [np.linalg.norm(tops - one.top, axis=1) / one.edge for one in clear]
    unclear = [one for one, far in zip(clear, away, strict=True) if ((far > SAME) & (far < APART)).any()]
    for spot in unclear[:MOST_AGAIN]:
        zoom = CLOSE_EDGE_PX / spot.edge
        left, top = spot.top - VIEW_PX / 2 / zoom
        view = warped_view(photo, np.array([[1 / zoom, 0, left], [0, 1 / zoom, top], [0, 0, 1]]))
        found = [one for one in found if _apart(one, spot) > 1]
        found += [one for one in spots_in(view) if _apart(one, spot) <= 1]
    return distinct(found)


def _apart(one: Spot, other: Spot) -> float:
    """Return how far one mark lies from another, in the other's edges."""
    return float(np.linalg.norm(one.top - other.top)) / other.edge


def distinct(spots: Sequence[Spot]) -> list[Spot]:
    """Return the clearest mark of each die, the clearest first."""
    places = sorted(spots, key=lambda one: -one.sure)
    tops = np.array([spot.top for spot in places]).reshape(-1, 2)
    edges = np.array([spot.edge for spot in places])
    kept: list[int] = []
    for k, spot in enumerate(places):
        away = np.linalg.norm(tops[kept] - spot.top, axis=1)
        if (away >= APART * np.minimum(edges[kept], spot.edge)).all():
            kept.append(k)
    return [places[k] for k in kept]


def _usual_edges(spots: Sequence[Spot]) -> list[float]:
    """Return the edge about which most clear marks have theirs, in pixels; nothing without marks."""
    # A large die counts for more than a small one, as its pips are marked here and there.
    if not spots:
        return []
    sizes = np.log([spot.edge for spot in spots])
    weights = np.array([spot.sure**3 * spot.edge for spot in spots])
    near = np.exp(-(((sizes[:, None] - sizes) / SPREAD) ** 2) / 2)
    return [float(np.exp(sizes[int((near @ weights).argmax())]))]


def _look(photo: Levels, zoom: float) -> list[Spot]:
    """Return the dice in a picture looked at in one size."""
    return [spot for view in _tiles(photo, zoom) for spot in spots_in(view)]


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


def spots_in(view: FinderView, finder: Network | None = None, least: float = MIN_MARK) -> Iterator[Spot]:
    """Yield the dice in one view, or what another finder with the same maps marks."""
    heat, *rest = (finder or dice_finder()).run(to_blob(view.image_bgr[None]))[0]
    marks = sigmoid(heat)
    zoom = float(view.to_photo[0, 0])
    for point in peaks(marks, least):
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


def _warped(photo: Levels, to_photo: Float, step: float, side: int, border: int) -> Image8:
    """Return a square in pixels that a matrix (3, 3) takes to the photo's, each ``step`` of these wide."""
    image, to_level = photo.at(max(0, round(np.log2(max(step, 1)))))
    seen = cv2.warpAffine(
        image,
        (to_level @ to_photo)[:2],
        (side, side),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=border,
        borderValue=(PADDING,) * 3,
    )
    return np.asarray(seen, dtype=np.uint8)


MOST_LEANING = 0.95  # of the way from the lower to the upper face, in edges, as far as it tells the tilt


def dice_crops(photo: Levels, spots: Sequence[Spot], turn: float) -> Image8:
    """Return loose dice as the reader of cells sees its own, uint8 N x 48 x 48 x 6.

    Channels 0-2 show the plane of the upper face, 3-5 that of the table (BGR each), both as from straight
    above: how far the faces lie apart in the photo tells how the table is tilted.

    Parameters
    ----------
    photo
        The picture in its sizes. Beyond its edge is its mirror image.
    spots
        Where the dice are.
    turn
        Angle by which all are turned, in radians.
    """
    out = np.empty((len(spots), CROP_PX, CROP_PX, 6), np.uint8)
    for k, spot in enumerate(spots):
        lean = float(np.linalg.norm(spot.up)) / spot.edge
        squeezed = float(np.sqrt(1 - min(lean, MOST_LEANING) ** 2))
        up = spot.up / np.linalg.norm(spot.up) if lean > 0 else np.array([0.0, -1.0])
        flat = np.eye(2) - (1 - squeezed) * np.outer(up, up)
        step = spot.edge / DIE_EDGE / CROP_PITCH_PX  # pixels of the photo a pixel of the crop
        c, s = np.cos(turn), np.sin(turn)
        to_photo = np.eye(3)
        to_photo[:2, :2] = step * flat @ np.array([[c, -s], [s, c]])
        for plane, middle in enumerate((spot.top, spot.top - spot.up)):
            to_photo[:2, 2] = middle - to_photo[:2, :2] @ np.full(2, (CROP_PX - 1) / 2)
            seen = _warped(photo, to_photo, step, CROP_PX, cv2.BORDER_REFLECT)
            out[k, ..., 3 * plane : 3 * plane + 3] = seen
    return out


ALIKE_TURN = 1.6  # how many times larger or smaller than it was marked a die may be by where it lies
NEAR = 0.05  # pitches, a step on the plane that is short enough to be straight
HELD_UPRIGHT = (0.35, 0.6)  # edges by which dice lean upwards in photos taken across a table
ENOUGH = 6  # dice that tell how the direction changes over the photo; fewer tell one for all


def settled(spots: Sequence[Spot], grids: Sequence[Grid]) -> tuple[list[Spot], ...]:
    """Return dice with their ways up and edges set right, as all lie on one table, in each way that may be.

    Where windows were found, the nearest one's plane tells both. Where none was, what the marks say of
    the ways up is smoothed over the photo, or else they lean as in a camera held upright. Marks of another
    size than dice have there are left out.
    """
    if grids:
        middles = [grid.corners_px.mean(axis=0) for grid in grids]
        nearest = (int(np.argmin([_away(middle, spot) for middle in middles])) for spot in spots)
        placed = (_on_plane(spot, grids[k]) for spot, k in zip(spots, nearest, strict=True))
        return ([spot for spot in placed if spot],)
    spots = _of_one_size(spots)
    held = ([replace(spot, up=np.array([0, -lean * spot.edge])) for spot in spots] for lean in HELD_UPRIGHT)
    return _smoothed(spots), *held


def _away(place: Float, spot: Spot) -> float:
    return float(np.linalg.norm(place - spot.top))


def _on_plane(spot: Spot, grid: Grid) -> Spot | None:
    """Return a die as it stands on a window's plane (beyond its horizon: as it was), None if no die can."""
    plane = grid.plane(TOP_HEIGHT)
    middle = grid.to_board(spot.top, TOP_HEIGHT)
    beside = middle + NEAR * np.array([[1, 0], [0, 1]])
    steps = (apply_homography(plane, beside) - spot.top) / NEAR
    # The direction that is not foreshortened tells the edge.
    edge = DIE_EDGE * float(np.linalg.svd(steps, compute_uv=False)[0])
    up = spot.top - apply_homography(grid.plane(FLOOR_HEIGHT), middle[None])[0]
    if np.linalg.norm(up) > edge:
        return spot
    return replace(spot, up=up, edge=edge) if 1 / ALIKE_TURN < edge / spot.edge < ALIKE_TURN else None


def _of_one_size(spots: Sequence[Spot]) -> list[Spot]:
    """Return the dice whose edges change evenly over the photo, each half of the way to that."""
    if len(spots) < ENOUGH:
        return list(spots)
    sizes = np.log([[spot.edge] for spot in spots])
    even = _even(spots, sizes, np.array([spot.sure**2 for spot in spots]))
    return [
        replace(spot, edge=float(np.exp((size + usual) / 2)))
        for spot, size, usual in zip(spots, sizes[:, 0], even[:, 0], strict=True)
        if abs(size - usual) < np.log(ALIKE_TURN)
    ]


def _smoothed(spots: Sequence[Spot]) -> list[Spot]:
    """Return dice with ways up that change evenly over the photo."""
    if not spots:
        return []
    leans = np.array([spot.up / spot.edge for spot in spots])
    even = np.tile(np.median(leans, axis=0), (len(spots), 1))
    if len(spots) >= ENOUGH:
        even = _even(spots, leans, np.ones(len(spots)))
    return [replace(spot, up=lean * spot.edge) for spot, lean in zip(spots, even, strict=True)]


def _even(spots: Sequence[Spot], values: Float, counts: Float) -> Float:
    """Return values (N, K) of dice as they change evenly over a photo (least absolute errors, reweighted)."""
    tops = np.array([spot.top for spot in spots])
    places = np.column_stack([np.ones(len(spots)), (tops - tops.mean(0)) / (np.ptp(tops) + 1)])
    weights = counts
    for _ in range(8):
        root = np.sqrt(weights)[:, None]
        even = places @ np.linalg.lstsq(places * root, values * root, rcond=None)[0]
        weights = counts / np.maximum(np.linalg.norm(values - even, axis=1), 0.02)
    return np.asarray(even)


UNHEARD = 1e-4  # probability that a reading leaves what it rules out
SUREST = 0.98  # pips alone speak for a top at most so surely, as those of a front are read, too
LEAST = 0.02  # so that one die that cannot be read does not outweigh all others
GROUP = 20
"""Dice of a photo that are read together, as they lie in one light."""
TURNS_DEG = (0, 15, 30, 45, 60, 75)
"""Loose dice lie at any angle, those in a window hardly turned: at one of these they look like such."""


def read_best(
    photo: Levels, ways: Sequence[Sequence[Spot]], profile: Profile | None = None
) -> tuple[Sequence[Spot], Float]:
    """Return the dice in that of several ways up in which they are read most surely, and `read_dice` of them.

    The clearest of them decide.
    """
    if len(ways) == 1 or not ways[0]:
        return ways[0], _read(photo, ways[0], profile)
    clearest = sorted(range(len(ways[0])), key=lambda k: -ways[0][k].sure)[:GROUP]

    def surety(spots: Sequence[Spot]) -> float:
        some = [spots[k] for k in clearest]
        best = read_dice(photo, some, profile)[:, 1:].max(axis=1)
        return float(np.log(best + LEAST) @ np.array([spot.sure for spot in some]))

    chosen = max(ways, key=surety)
    return chosen, _read(photo, chosen, profile)


def _read(photo: Levels, spots: Sequence[Spot], profile: Profile | None) -> Float:
    """Return the probabilities of all that dice may be, (N, 31): of the game's by their sides, too."""
    tops = read_dice(photo, spots, profile)
    return tops if profile else agreed(tops, read_whole(photo, spots))


WHOLE_PX, WHOLE_EDGE_PX = 96, 35.0  # of a crop that shows a die with its sides, and of its edge there
WHOLE_BELOW = 0.35  # edges from the middle of its top to that of the crop
FROM_ABOVE = 0.15  # edges by which dice lean in a photo from above, where none of their sides is below


def whole_dice(photo: Levels, spots: Sequence[Spot], side: int = WHOLE_PX, above: float = 0.0) -> Image8:
    """Return dice with their sides, uint8 N x side x side x 3 BGR, turned so that their way up is upwards.

    ``above`` is by how many edges higher they are looked for.
    """
    out = np.empty((len(spots), side, side, 3), np.uint8)
    for k, spot in enumerate(spots):
        lean, step = float(np.linalg.norm(spot.up)), spot.edge / WHOLE_EDGE_PX
        up = spot.up / lean if lean > FROM_ABOVE * spot.edge else np.array([0.0, -1.0])
        to_photo = np.eye(3)
        to_photo[:2, :2] = step * np.array([[-up[1], -up[0]], [up[0], -up[1]]])
        middle = spot.top + (above - WHOLE_BELOW) * spot.edge * up
        to_photo[:2, 2] = middle - to_photo[:2, :2] @ np.full(2, (side - 1) / 2)
        out[k] = _warped(photo, to_photo, step, side, cv2.BORDER_CONSTANT)
    return out


ABOVE = (0.0, 0.06, -0.06)
"""Edges by which each is looked for higher: of 4,195 dice held back 729 are wrong, 739 by the first alone."""


def read_whole(photo: Levels, spots: Sequence[Spot]) -> Float:
    """Return the probabilities of all that dice seen whole may be, (N, 31), the first of no top.

    A front that looks at the camera, or a die that is printed, has a face with pips, too; what is around it
    tells. Each die is shown at three heights, as it is and in a mirror.
    """
    held = [np.empty((0, 31))]
    for first in range(0, len(spots), GROUP):
        views = [whole_dice(photo, spots[first : first + GROUP], above=above) for above in ABOVE]
        looks = [loose_reader().run(to_blob(one)) for view in views for one in (view, view[:, :, ::-1])]
        logits = np.mean(looks, axis=0)
        there = sigmoid(logits[:, :1])
        dice = softmax(logits[:, 1:6])[:, :, None] * softmax(logits[:, 6:])[:, None]
        held.append(np.hstack([1 - there, there * dice.reshape(len(dice), -1)]))
    return np.concatenate(held)


WHOLE = 0.75  # weight of a die seen whole against its top alone: on 2,000 held-back dice 0.7 to 0.9 fit best


def agreed(tops: Float, whole: Float) -> Float:
    """Return the probabilities (N, 31) of dice whose tops were read alone and which were seen whole.

    That a top is marked is as likely as the odds of both together: how surely pips are read, and what lies
    around. Of the dice a weighted geometric mean counts: where the two contradict each other little is sure.
    """
    seen_whole = whole[:, 1:] / (1 - whole[:, :1] + UNHEARD) + UNHEARD
    dice = (tops[:, 1:] + UNHEARD) ** (1 - WHOLE) * seen_whole**WHOLE
    read, seen = np.minimum(tops[:, 1:].max(axis=1, keepdims=True), SUREST), 1 - whole[:, :1]
    there = read * seen / (read * seen + (1 - read) * (1 - seen))
    return np.hstack([1 - there, there * dice / dice.sum(axis=1, keepdims=True)])


def read_dice(photo: Levels, spots: Sequence[Spot], profile: Profile | None = None) -> Float:
    """Return the probabilities of all that may lie in some places, (N, 31), in the order of ``CONTENTS``.

    The reader of cells reads them, each turned in steps; the turn at which it is surest counts. With a
    ``profile`` they are taken for its dice.
    """
    pips = profile.pips if profile else Pips.LIGHT
    # By turns, dice and contents.
    every = np.stack([_held(crops, pips, profile) for crops in _turned(photo, spots)])
    surest = every[:, :, 1:].max(axis=2).argmax(axis=0)
    return np.asarray(every[surest, np.arange(len(spots))])


def straight(photo: Levels, spots: Sequence[Spot]) -> Image8:
    """Return dice as the reader sees those of a window, (N, 48, 48, 6) uint8, turned so that it is surest.

    Their pips may be light or dark.
    """
    turned = np.stack(list(_turned(photo, spots)))
    ways = (Pips.LIGHT, Pips.DARK)
    looks = [[_held(crops, pips)[:, 1:].max(axis=1) for pips in ways] for crops in turned]
    surest = np.array(looks).max(axis=1).argmax(axis=0)
    return np.asarray(turned[surest, np.arange(len(spots))], dtype=np.uint8)


def profile_of(photo: Levels, spots: Sequence[Spot], profiles: Sequence[Profile]) -> Profile | None:
    """Return which of some profiles has dice like the clearest of these, None where none has."""
    clearest = sorted(spots, key=lambda spot: -spot.sure)[:GROUP]
    if not profiles or not clearest:
        return None
    match = match_of(_seen(straight(photo, clearest)), profiles, strange=False)
    return match.profile if match else None


def _turned(photo: Levels, spots: Sequence[Spot]) -> Iterator[Image8]:
    """Yield the crops of dice, turned in steps."""
    return (dice_crops(photo, spots, np.deg2rad(turn)) for turn in TURNS_DEG)


def _seen(crops: Image8) -> Seen:
    """Return what the reader makes of at most `GROUP` crops; fewer are repeated."""
    every = crops[np.resize(np.arange(len(crops)), GROUP)]
    return Seen(every, *reader().run_both(to_blob(every)))


def _held(crops: Image8, pips: Pips, profile: Profile | None = None) -> Float:
    """Return the probabilities of all that crops may show, (N, 31)."""
    held = [np.empty((0, 31))]
    for first in range(0, len(crops), GROUP):
        part = crops[first : first + GROUP]
        seen = _seen(part)
        # Loose dice look strange to what knows dice in windows, so that this alone makes them no odd ones.
        plain = profile is None and pips is Pips.LIGHT
        cells = probabilities(seen.logits if plain else seen.logits_for(pips))
        if profile is not None:
            cells = replace(cells, color=colors_by(seen, profile, alone=True))
        held.append(contents(cells)[: len(part)])
    return np.concatenate(held)


Lab = NDArray[np.float32]

ROUNDS = 10
FEWEST = 4  # dice in a row that are no accident
STEP = (0.85, 2.6)  # edges from one space of the track to the next
SPACES = (1, 2, 3)  # from one die to the next, the nearer first
STRAY = 0.4  # steps by which a die may lie off the place where its row goes on
BESIDE = 1.3  # steps: with other dice so near, a row is part of a heap
# The track's paper reaches farther on the side of its numbers. In steps, set by hand on drawn tracks.
BESIDE_ROW, WIDER = 0.6, 0.25  # where paper shows beside the dice
FAR = (-2.6, -2.4, -2.2, 2.2, 2.4, 2.6)  # where the table shows
BEFORE = (1.4, 1.6, 1.8, 2.0)  # where the table shows before the first space
AROUND_ROW = 3.0  # so far around the row none of these lies
UNLIKE = 12.0  # in Lab: paper and table that differ less are not told apart


def row_of(spots: Sequence[Spot]) -> dict[int, int]:
    """Return which dice lie on a round track: their indices, each with the number of its space along the row.

    Spaces between two dice may seem empty, as dice that were not found leave them. Without a row, nothing.
    """
    feet = np.array([spot.top - spot.up for spot in spots]).reshape(-1, 2)
    edges = np.array([spot.edge for spot in spots])
    best: dict[int, int] = {}
    for i, j in permutations(range(len(spots)), 2):
        step = feet[j] - feet[i]
        if STEP[0] < np.linalg.norm(step) / edges[[i, j]].mean() < STEP[1]:
            row = _continued(feet, {i: 0, j: 1})
            if len(row) > len(best) and max(row.values()) < ROUNDS and _stands_alone(feet, list(row)):
                best = row
    return best if len(best) >= FEWEST else {}


def _continued(feet: Float, row: dict[int, int]) -> dict[int, int]:
    """Return a row with all dice that go on where it points to, step by step."""
    while True:
        *_, before, last = row
        step = (feet[last] - feet[before]) / (row[last] - row[before])
        if len(row) > 2:  # dice lie anyhow on their spaces: two steps say more than one
            earlier = list(row)[-3]
            step = (feet[last] - feet[earlier]) / (row[last] - row[earlier])
        for spaces in SPACES:
            off = np.linalg.norm(feet - (feet[last] + spaces * step), axis=1)
            off[list(row)] = np.inf
            nearest = int(off.argmin())
            if off[nearest] < STRAY * spaces * np.linalg.norm(step):
                row[nearest] = row[last] + spaces
                break
        else:
            return row


def _stands_alone(feet: Float, chain: list[int]) -> bool:
    """Return whether no other die lies beside a row."""
    others = np.delete(feet, chain, axis=0)
    if not len(others):
        return True
    step = np.linalg.norm(feet[chain[-1]] - feet[chain[0]]) / (len(chain) - 1)
    inner = feet[chain[1:-1]]
    away = np.linalg.norm(others[:, None] - inner[None], axis=-1)
    return bool((away > BESIDE * step).mean() > 0.99) if len(inner) else True


def starts_first(image_bgr: Image8, row: Sequence[Spot]) -> bool | None:
    """Return whether a row of dice begins at round 1, not at its other end; None where that cannot be told.

    The numbers stand upright above their spaces, 1 at the left, on the wider side of the paper.

    Parameters
    ----------
    image_bgr
        The picture, uint8 H x W x 3, BGR.
    row
        The dice of the track, along it, in pixels of the picture.
    """
    feet = np.array([spot.top - spot.up for spot in row])
    along = (feet[-1] - feet[0]) / (len(feet) - 1)
    above = np.array([along[1], -along[0]])  # to the left of the way, as y points down
    step = float(np.linalg.norm(along))
    # Only what lies around the row is looked at.
    first_px = np.maximum(feet.min(axis=0) - AROUND_ROW * step, 0).astype(int)
    end_px = np.maximum(feet.max(axis=0) + AROUND_ROW * step, 0).astype(int)
    feet = feet - first_px
    part = image_bgr[first_px[1] : end_px[1], first_px[0] : end_px[0]]
    soft = cv2.GaussianBlur(part, (0, 0), max(0.06 * step, 0.8))
    lab = cv2.cvtColor(soft, cv2.COLOR_BGR2LAB).astype(np.float32)
    between = (feet[1:] + feet[:-1]) / 2
    table = np.median(np.concatenate([_seen_on_track(lab, between, far * above)[0] for far in FAR]), axis=0)
    beside = [
        np.median(_seen_on_track(lab, between, near * above)[0], axis=0) for near in (-BESIDE_ROW, BESIDE_ROW)
    ]
    paper = max(beside, key=lambda color: float(np.linalg.norm(color - table)))
    if np.linalg.norm(paper - table) < UNLIKE:
        return None
    wide = [_reach(lab, between, side, paper, table) for side in (above, -above)]
    if abs(wide[0] - wide[1]) < WIDER:
        return None
    first = wide[0] > wide[1]
    start, back = (feet[0], -along) if first else (feet[-1], along)
    before = _seen_on_track(lab, start + np.array(BEFORE)[:, None] * back, np.zeros(2))[0]
    on_paper = np.linalg.norm(before - paper, axis=1) < np.linalg.norm(before - table, axis=1)
    # A row whose paper goes on before it has lost its first dice: who knows how many.
    return None if len(row) < ROUNDS and on_paper.mean() > 0.5 else first


def _reach(lab: Lab, between: Float, side: Float, paper: Lab, table: Lab) -> float:
    """Return how far the paper reaches to one side of the dice before the table begins, in steps."""
    for step in np.arange(BESIDE_ROW, max(FAR), 0.07).tolist():
        seen, inside = _seen_on_track(lab, between, step * side)
        on_paper = np.linalg.norm(seen - paper, axis=1) < np.linalg.norm(seen - table, axis=1)
        if (on_paper & inside).mean() < 0.5:
            return float(step)
    return max(FAR)


def _seen_on_track(lab: Lab, spots: Float, shift: Float) -> tuple[Lab, Mask]:
    """Return the colors (N, 3) at places (N, 2) that are moved, and which of these lie in the picture."""
    places, last = spots + shift, np.array(lab.shape[1::-1]) - 1
    at = np.clip(places, 0, last).astype(int)
    return lab[at[:, 1], at[:, 0]], np.asarray(((places >= 0) & (places <= last)).all(axis=1))


AROUND = 0.35  # pitches around a lattice: a die nearer to it stands in it
MIN_DIE = 0.5  # how sure it must be that there is a die at all
READABLE = 0.3  # a die less sure than this is named as unread
CLEAR_MARK = 0.5  # a die whose mark is less clear is doubtful
NAMED_MARK = 0.6  # what cannot be read is named from here on
# Of 198 marks of dice on drawn tables held back all had more as mark times reading, of 91 others 42.
EVIDENCE = 0.22
ROUGHLY_APART, APART_ALIKE = 0.6, 0.9  # edges, measured roughly, between dice; between those of one color
APART_IN_HEAP = 0.84  # the latter where no window tells how dice lean, which is taken for too little then
FRONT, FRONT_ACROSS = (0.4, 1.05), 0.5  # edges to the middle of the side below a top, and to either side
ART, SURE_ON_ART = 9.5, 0.97  # pitches of a frame above its lattice, and how sure a die on it must be
MOST_IN_POOL = 9  # two dice a player and one more (rulebook, "Start of the round"), four players at most


@dataclass(frozen=True, eq=False)
class LooseDice:
    """The loose dice of a photo and the middles of those that cannot be read, in pixels of the picture.

    ``windows`` are those that looked like one and are not read, without what turned out to be the track.
    """

    dice: tuple[LooseDie, ...]
    unread: tuple[Float, ...]
    windows: tuple[Missed, ...]


def unclear_die() -> VisionError:
    """Return the error for a die that cannot be read."""
    return BoardUnreadableError(
        "die_unclear",
        sentence("A loose die cannot be read."),
        sentence("Say what it shows, or photograph it from nearer."),
    )


def find_loose(
    photo: Levels, grids: Sequence[Grid], missed: Sequence[Missed], profiles: Sequence[Profile] = ()
) -> LooseDice:
    """Find and read the dice that lie in none of a table's windows, the clearest first.

    Parameters
    ----------
    photo
        The picture in its sizes.
    grids, missed
        Its windows, and what looks like one and is not read: the dice in windows are not loose.
    profiles
        What the dice may look like: that of the windows, or several of which one may fit.
    """
    edges = [grid.pitch_px * DIE_EDGE for grid in grids]
    marks = find_dice(photo, edges)
    marks = [mark for mark in marks if not any(_lies_on(mark, grid, AROUND) for grid in grids)]
    ways = settled(marks, grids)
    profile = profiles[0] if grids and profiles else profile_of(photo, ways[0], profiles)
    spots, held = read_best(photo, ways, profile)
    there = [k for k in range(len(spots)) if _is_die(spots[k], held[k])]
    there = _surest_apart(spots, held, there, APART_ALIKE if grids else APART_IN_HEAP)
    there = _without_glass(spots, held, there, grids)
    spots, held = [spots[k] for k in there], held[there]
    row = row_of(spots)
    on_track = _rounds(photo, row, spots)
    track = [spots[k] for k in row]  # what looks like a window there is the track
    missed = [one for one in missed if not any(_away(one.middle, die) < die.edge for die in track)]
    dice: list[LooseDie] = []
    pool: list[LooseDie] = []
    unread: list[Float] = []
    for k, (spot, shares) in enumerate(zip(spots, held, strict=True)):
        around = [one for one in missed if one.covers(spot.top)] if k not in on_track else []
        if around and (grids or any(one.is_window for one in around)):
            continue  # beside a window that is read, a place like a window is no pool
        die = _die(spot, shares)
        if die is None:
            unread.append(spot.top)
        elif k in on_track:
            dice.append(replace(die, place="track", round=on_track[k]))
        else:
            (dice if around else pool).append(die)
    # Of more than a pool can hold, what is doubtful may be beads or glass.
    drafted = pool if len(pool) <= MOST_IN_POOL else [die for die in pool if not die.doubtful]
    if len(drafted) <= MOST_IN_POOL:
        pool = [replace(die, place="pool") if die in drafted else die for die in pool]
    return LooseDice((*dice, *pool), tuple(unread), tuple(missed))


def _is_die(spot: Spot, shares: Float) -> bool:
    """Return whether a mark is a die: what is faint and not read is none."""
    best = float(shares[1:].max())
    if shares[0] > 1 - MIN_DIE:
        return False
    dice = shares[1:].reshape(-1, len(VALUES))
    told = float(max(dice.sum(axis=0).max(), dice.sum(axis=1).max()))  # its value or its color
    return spot.sure >= NAMED_MARK if best < READABLE else spot.sure * told >= EVIDENCE


def _without_glass(
    spots: Sequence[Spot], held: Float, there: Sequence[int], grids: Sequence[Grid]
) -> list[int]:
    """Return the dice without pieces of glass: on art a die is what is sure, or stands in the track's row."""
    glass = {
        k
        for k in there
        if held[k, 1:].max() < SURE_ON_ART and any(_lies_on(spots[k], grid, ART) for grid in grids)
    }
    clear = [k for k in there if k not in glass]
    rows = [[some[k] for k in row_of([spots[one] for one in some])] for some in (clear, there) if glass]
    return sorted({*clear, *max(rows, key=len, default=[])})


def _surest_apart(spots: Sequence[Spot], held: Float, there: Sequence[int], alike: float) -> list[int]:
    """Return the dice without those too near a surer one: side faces look like tops."""
    colors = held[:, 1:].argmax(axis=1) // len(VALUES)

    def are_same(one: int, other: int) -> bool:
        near = alike if colors[one] == colors[other] else ROUGHLY_APART
        if near == alike and held[one, 1:].max() < DOUBTFUL_BELOW and _is_front(spots[one], spots[other]):
            return True
        return _distance(spots[one], spots[other]) / spots[other].edge <= near

    surest = sorted(there, key=lambda k: -spots[k].sure * spots[k].edge * float(held[k, 1:].max()))
    return without_doubles(surest, are_same)


def _is_front(one: Spot, other: Spot) -> bool:
    """Return whether a mark lies where the side of another die is seen that looks at the camera."""
    away, rise = (other.top - one.top) / other.edge, float(np.linalg.norm(other.up))
    up = other.up / max(rise, 1e-9)
    across = abs(float(away[0] * up[1] - away[1] * up[0]))
    return bool(FRONT[0] < away @ up < FRONT[1] and across < FRONT_ACROSS)


def _distance(one: Spot, other: Spot) -> float:
    """Return how far two dice lie apart, in pixels, as seen from straight above."""
    away, rise = other.top - one.top, float(np.linalg.norm(other.up))
    along, lean = float(away @ other.up) / max(rise, 1e-9), rise / other.edge
    across = float(away @ away - along**2)
    return float(np.sqrt(max(across, 0) + along**2 / max(1 - lean**2, 0.1)))


def _lies_on(spot: Spot, grid: Grid, above: float) -> bool:
    """Return whether a die lies on a window's lattice, or ``above`` pitches over it."""
    x, y = grid.to_board(spot.top, TOP_HEIGHT)
    return bool(-AROUND < x < COLUMNS + AROUND and -above < y < ROWS + AROUND)


def _rounds(photo: Levels, row: dict[int, int], spots: Sequence[Spot]) -> dict[int, int | None]:
    """Return the rounds of the dice on the track, by their index."""
    first = starts_first(photo.image_bgr, [spots[k] for k in row]) if row else None
    if first is None:
        return dict.fromkeys(row)
    last = max(row.values())
    return {k: 1 + (number if first else last - number) for k, number in row.items()}


def _die(spot: Spot, shares: Float) -> LooseDie | None:
    """Return what a die most likely shows, None where that is not known."""
    best, color, value, alternatives = best_of(shares.tolist())
    if color is None or value is None or best < READABLE:
        return None
    return LooseDie(
        color=color,
        value=value,
        confidence=round(best, DIGITS),
        doubtful=best < DOUBTFUL_BELOW or spot.sure < CLEAR_MARK,
        alternatives=alternatives,
        center=(float(spot.top[0]), float(spot.top[1])),
        size=spot.edge,
    )
