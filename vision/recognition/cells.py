"""The 20 cells of a window, cut out and looked at: crops, covers, walls."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import (
    CELL_CENTERS,
    CELL_PX,
    COLUMNS,
    FLOOR_HEIGHT,
    ROWS,
    TOP_HEIGHT,
    Float,
    Float32,
    Grid,
    Image8,
    Mask,
    apply_homography,
    edges_of,
    in_cells,
    rectify,
    tops,
    window_view,
)
from vision.network import cover_judge, sigmoid, to_blob

Complex = NDArray[np.complex128]

CROP_PX = 48
"""Side of a crop in pixels."""

CROP_PITCH_PX = 44
"""Pixels per pitch in a crop, so that a crop shows 1.09 pitches."""

FINE = 2
"""How many times as fine the crops are in which a die's value is looked for once more."""


SURE_FROM_PX = 18
"""Pixels a cell; in a smaller one the pips of a die may run into each other, and every die is in doubt. What
such dice look like together says little: on the drawn tables of the record all four windows that passed for
unknown dice were smaller, and more of their cells are right when they are read as the game's."""

LEANING = 0.45
"""Pitches by which dice must lean before `turned_alike` turns their crops."""


def lean_of(grid: Grid) -> Float:
    """Return where the tops of the dice are seen against the floors of their holes, (x, y) in pitches."""
    to_floor = np.asarray(np.linalg.inv(grid.plane(FLOOR_HEIGHT)), dtype=np.float64)
    seen = apply_homography(to_floor, apply_homography(grid.plane(TOP_HEIGHT), CELL_CENTERS))
    return np.asarray((seen - CELL_CENTERS).mean(axis=0))


def turned_alike(crops: Image8, lean: Float) -> Image8:
    """Return crops (N, S, S, 6) mirrored so that dice that lean do so upwards, and more so than sideways.

    Below its top a crop then shows the die's own front, and above it the front of the die behind. Without
    that a die whose top a lamp blinds would as soon get its neighbor's color. Dice seen from above stay.
    """
    x, y = lean
    if np.hypot(x, y) < LEANING:
        return crops
    if abs(x) > abs(y):
        crops, y = crops.transpose(0, 2, 1, 3), x
    return crops[:, ::-1] if y > 0 else crops


def cell_crops(
    image_bgr: Image8, grid: Grid, crop_px: int = CROP_PX, beyond: int = cv2.BORDER_REFLECT
) -> Image8:
    """Return the 20 cells as the reader sees them.

    A die stands proud of the frame and a hole goes below it, so each cell is cut out twice:
    channels 0-2 show the plane of the top faces, channels 3-5 that of the card (BGR each).

    Parameters
    ----------
    image_bgr
        Photo, uint8 H x W x 3, BGR.
    grid
        Where the lattice lies in it.
    crop_px
        Side of the crops; training asks for more than ``CROP_PX`` and cuts at random.
    beyond
        What is shown beyond the photo's edge, one of OpenCV's border types. Faces of dice are nearly
        symmetric, so the mirror image of the half that shows is a better guess than streaks.

    Returns
    -------
    uint8 array, 20 x crop_px x crop_px x 6, row by row.
    """
    heights = (TOP_HEIGHT, FLOOR_HEIGHT)
    seen = [_cut(image_bgr, grid.plane(height), crop_px, beyond, CROP_PITCH_PX) for height in heights]
    return np.concatenate(seen, axis=3)


def fine_crops(image_bgr: Image8, grid: Grid, crop_px: int = FINE * CROP_PX) -> Image8:
    """Return the plane of the top faces alone, twice as fine: (20, crop_px, crop_px, 3) uint8, BGR."""
    return _cut(image_bgr, grid.plane(TOP_HEIGHT), crop_px, cv2.BORDER_REFLECT, FINE * CROP_PITCH_PX)


def _cut(image_bgr: Image8, homography: Float, crop_px: int, beyond: int, pitch_px: int) -> Image8:
    margin = crop_px / pitch_px / 2
    plane = rectify(image_bgr, homography, pitch_px, margin, beyond)
    out = np.empty((ROWS * COLUMNS, crop_px, crop_px, 3), np.uint8)
    for index in range(ROWS * COLUMNS):
        row, column = divmod(index, COLUMNS)
        y = round((row + 0.5 + margin) * pitch_px - crop_px / 2)
        x = round((column + 0.5 + margin) * pitch_px - crop_px / 2)
        out[index] = plane[y : y + crop_px, x : x + crop_px]
    return out


def with_light_pips(crops: Image8) -> Image8:
    """Return crops (N, S, S, 6) with light and dark exchanged, so that dark pips look like the game's.

    The luma (ITU-R BT.601) is turned over and hues are kept: what looks darker is lighter then, as is blue
    beside yellow.
    """
    pixels = np.ascontiguousarray(crops).reshape(1, -1, 3)
    luma = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY).astype(np.int16)[..., None]
    return np.asarray(np.clip(pixels + (255 - 2 * luma), 0, 255), dtype=np.uint8).reshape(crops.shape)


FACE = slice(10, 38)  # of a crop of 48 pixels, the part that shows a die's upper face wherever it stands
STANDING_OUT = 90  # of the 784 pixels of the face, those least like it: the pips of a two


def face_colors(crops: Image8) -> Float32:
    """Return of each crop, (N, 8), the body's color, that of what stands out, and darkest and brightest.

    All in CIELAB divided by 50, of crops (N, 48, 48, 6) uint8, BGR twice.
    """
    if not len(crops):
        return np.empty((0, 8), np.float32)
    faces = crops[:, FACE, FACE, :3].astype(np.float32) / 255
    side = faces.shape[1]
    lab = cv2.cvtColor(faces.reshape(-1, side, 3), cv2.COLOR_BGR2LAB).reshape(len(crops), -1, 3)
    body = np.median(lab, axis=1)
    far = np.argpartition(-np.linalg.norm(lab - body[:, None], axis=2), STANDING_OUT, axis=1)
    out = np.take_along_axis(lab, far[:, :STANDING_OUT, None], axis=1).mean(axis=1)
    light = np.partition(lab[..., 0], [40, -40], axis=1)[:, [40, -40]]
    return np.asarray(np.concatenate([body, out, light], axis=1) / 50, dtype=np.float32)


HIDDEN_FROM, SURE_HIDDEN_FROM, TOUCHED_FROM = 0.5, 0.8, 0.6
"""Probabilities from which a cell counts as hidden, one that is read as a die without doubt as
hidden too, and a die as one of which a part may be hidden."""
BLIND, BLINDED_FROM = 232, 0.5
"""Of 255, a pixel brighter than this in all channels shows nothing, and such a share of a die's top hides its
pips: half of the dice, as white pips are no more than a third of one."""
BESIDE_FROM = 0.15
"""The same for an empty space beside a hidden cell. Of 208 open spaces in view in 125 rendered windows with
something painted over them it takes two, of nine that are hidden and were not called so five."""


@dataclass(frozen=True, eq=False)
class Covers:
    """What the network says of the 20 cells, row by row.

    ``hidden`` (20,) is the probability that most of the die or of the space is hidden, ``touched`` (20,) that
    a part of it is, which may be a pip.
    """

    hidden: Float
    touched: Float

    def are_hidden(self, filled: Mask, sure: Mask) -> Mask:
        """Return which cells, (20,), nobody can see.

        ``filled`` (20,) are those that look like dice, ``sure`` (20,) those of them without doubt. What hides
        a cell goes on over its neighbors.
        """
        hidden = self.hidden >= np.where(sure, SURE_HIDDEN_FROM, HIDDEN_FROM)
        return np.asarray(hidden | ~filled & beside(hidden) & (self.hidden >= BESIDE_FROM))

    @property
    def are_touched(self) -> Mask:
        """Of which cells, (20,), something may be hidden."""
        return np.asarray(self.touched >= TOUCHED_FROM)

    def rotated_180(self) -> Covers:
        """Return the same cells counted from the opposite corner."""
        return Covers(self.hidden[::-1], self.touched[::-1])


def beside(cells: Mask) -> Mask:
    """Return which cells, (20,), lie above, below, left or right of one of these."""
    around = np.pad(cells.reshape(ROWS, COLUMNS), 1)
    return np.asarray(around[:-2, 1:-1] | around[2:, 1:-1] | around[1:-1, :-2] | around[1:-1, 2:]).ravel()


def blinded(image_bgr: Image8, grid: Grid) -> Mask:
    """Return of which dice, (20,), a lamp or a flash hides the top.

    Parameters
    ----------
    image_bgr
        Photo, uint8 H x W x 3, BGR.
    grid
        The lattice in it.
    """
    blind = tops(image_bgr, grid, CELL_PX).min(axis=3) >= BLIND
    return np.asarray(blind.mean(axis=(1, 2)) >= BLINDED_FROM)


def covers_of(image_bgr: Image8, grid: Grid) -> Covers:
    """Return how likely each of the 20 cells is hidden.

    Parameters
    ----------
    image_bgr
        Photo, uint8 H x W x 3, BGR.
    grid
        The lattice in it.
    """
    logits = cover_judge().run(to_blob(window_view(image_bgr, grid)[None]))
    hidden, touched = sigmoid(logits[0]).reshape(2, 20).astype(np.float64)
    return Covers(hidden, touched)


# Sum of likeness and strength. Of 491 open spaces of rendered, real and sample photos and of photos from low
# angles the least is 0.88; 36 below a drawn finger have 0.8 at most, of eight behind traced ones five.
# Beside a cell that is hidden more is asked: of 37 open spaces in view there only two have less than 1.
HIDDEN_BELOW, HIDDEN_BESIDE_BELOW = 0.84, 0.95


@dataclass(frozen=True, eq=False)
class Walls:
    """What edges the cells show, row by row.

    ``likeness`` (20,) is how much those of a cell look like those of the others, -1 to 1; ``strength`` (20,)
    how strong they are against those of the cell in the middle of the 20.
    """

    likeness: Float
    strength: Float

    def are_hidden(self, beside: Mask) -> Mask:
        """Return which cells, (20,), show none of the walls that all have.

        ``beside`` (20,) are those that lie by a hidden one.
        """
        return np.asarray(self.likeness + self.strength < np.where(beside, HIDDEN_BESIDE_BELOW, HIDDEN_BELOW))

    def rotated_180(self) -> Walls:
        """Return the same cells counted from the opposite corner."""
        return Walls(self.likeness[::-1], self.strength[::-1])


def walls_of(image_bgr: Image8, grid: Grid) -> Walls:
    """Compare the edges of the 20 cells, seen straight from above.

    Parameters
    ----------
    image_bgr
        Photo, uint8 H x W x 3, BGR.
    grid
        The lattice in it.
    """
    flat = rectify(image_bgr, grid.homography, CELL_PX, 0)
    cells = in_cells(edges_of(flat).astype(np.float64), CELL_PX).reshape(20, -1, 2)
    strength = cells.mean(axis=(1, 2))
    shape = (cells - cells.mean(axis=1, keepdims=True)).reshape(20, -1)
    shape /= np.linalg.norm(shape, axis=1, keepdims=True) + 1e-6
    others = shape.sum(axis=0) - shape
    likeness = (shape * others).sum(axis=1) / (np.linalg.norm(others, axis=1) + 1e-6)
    return Walls(likeness, strength / max(float(np.median(strength)), 1e-6))


TOP_CELL_PX, RIM_PX = 32, 2  # of a cell, and of a die's top what is left out: its edges
MOST_COLORED = 80
"""The percentile of a die's pixels that counts, by their color: pips and glare have none on any die."""

COLORLESS_BELOW = 0.2
"""A die with less than this share of the color that the window's dice have has none. Of the dice in 118
labelled photos, rendered and real, the palest has 0.27 of it."""

FEWEST_DICE = 4
"""With fewer dice nobody can say what color the window's dice have."""


def colorless(image_bgr: Image8, grid: Grid, filled: Mask) -> Mask:
    """Return which dice, (20,), have no color, where others have.

    Parameters
    ----------
    image_bgr
        Photo, uint8 H x W x 3, BGR.
    grid
        The lattice in it.
    filled
        (20,), whether a die lies in the cell.
    """
    if filled.sum() < FEWEST_DICE:
        return np.zeros(len(filled), dtype=bool)
    faces = tops(image_bgr, grid, TOP_CELL_PX)[:, RIM_PX:-RIM_PX, RIM_PX:-RIM_PX]
    bgr = faces.reshape(len(faces), -1, 3).astype(np.float32) / 255
    _, a, b = np.moveaxis(cv2.cvtColor(bgr, cv2.COLOR_BGR2LAB), 2, 0)
    color = np.percentile(np.hypot(a, b), MOST_COLORED, axis=1)
    return np.asarray(filled & (color < COLORLESS_BELOW * np.median(color[filled])))


PIP_PX = 3
"""Side of a square that is smaller than a stripe of light and as large as what a pip leaves at its rim."""
DARK = 8.0
"""Of 255, what is added before a logarithm is taken, so that noise in black does not count."""
DIRECTIONS = 12
BESIDE_AN_EDGE = 0.025, 0.135
"""Pitches from an edge of light between which its two sides are compared."""
PLACES = np.arange(-2, 3) / 12
"""Pitches from the middle of a top at which an edge is looked for, in each direction."""

STRIPED_FROM, STRIPED_DICE, ONE_WAY_DICE = 0.4, 3, 5
"""From so strong a step, in logarithms of what pixels say, on so many dice stripes of light may lie over a
window, on more dice where all get lighter the same way; shade of 20 % of the light makes a step of 0.73."""
PARALLEL_FROM, ONE_WAY_FROM = 0.6, 0.9
"""From when on such edges are parallel, and get lighter one way: from 0 to 1, the mean resultant length of
twice their directions and of their directions. Of 127 readings with a wrong die without a flag under drawn
stripes of 10 to 20 %, looked at for this, one is not told. Of 15 windows without stripes that have such
steps, real, rendered and drawn, eleven have 0.55 at most of the former, and the others 3 dice that get
lighter one way: sides of dice that lean, each as it lies or all alike."""
MANY_DICE, MANY_PARALLEL_FROM = 12, 0.4
"""So many dice with such steps need be less parallel: edges across the dice's own sides add to those of the
stripes. Of 531 windows without stripes, labelled and drawn, one has that."""
CROSSED_FROM, MOST_CELLS = 0.17, 15
"""From so strong a step on an edge of the stripes counts as crossing a die or a space; where so many are
crossed all are doubted, as the lattice may lie a line beside the window then."""
SIDES_FROM = 0.7
"""Pitches by which dice lean so that the sides of many are taken for a top in the shade."""


@cache
def _edges(side: int) -> tuple[Float, Complex]:
    """Return weights, (60, side ** 2), that take one side of an edge from the other, and its ways, (60,).

    Ways are complex numbers of length 1, x + yi. There is an edge in each direction and place.
    """
    y, x = (np.mgrid[:side, :side] - (side - 1) / 2) / TOP_CELL_PX
    near, far = BESIDE_AN_EDGE
    weights = []
    ways = np.exp(1j * np.pi * np.arange(DIRECTIONS) / DIRECTIONS)
    for way in ways:
        across = x * way.real + y * way.imag
        for place in PLACES:
            one, other = ((near <= d) & (d < far) for d in (across - place, place - across))
            weights.append((one / one.sum() - other / other.sum()).ravel())
    return np.array(weights), np.repeat(ways, len(PLACES))


def light_steps(image_bgr: Image8, grid: Grid) -> Complex:
    """Return the strongest straight edge of light on the tops of the 20 dice, (20,) complex numbers.

    Their length is how strong it is, as a logarithm, and x + yi the way in which it gets lighter. Shade takes
    brightness and color from a die's body by one factor; a pip or a mirrored lamp is brighter and has less
    color. So what counts is the smaller of the steps of brightness and of color, where both go the same way.

    Parameters
    ----------
    image_bgr
        Photo, uint8 H x W x 3, BGR.
    grid
        The lattice in it.
    """
    faces = tops(image_bgr, grid, TOP_CELL_PX)
    side = faces.shape[1]
    weights, ways = _edges(side - 2 * RIM_PX)
    pixels = faces.reshape(-1, side, 3)
    light = pixels.max(axis=2)
    color = light - pixels.min(axis=2)
    square, within = np.ones((PIP_PX, PIP_PX), np.uint8), slice(RIM_PX, -RIM_PX)
    steps = []
    for seen, how in ((light, cv2.MORPH_OPEN), (color, cv2.MORPH_CLOSE)):  # without pips
        plain = cv2.morphologyEx(seen, how, square).reshape(faces.shape[:3])[:, within, within]
        steps.append(np.log(plain.reshape(len(faces), -1) + DARK) @ weights.T)
    both = np.maximum(np.minimum(*steps), 0) + np.minimum(np.maximum(*steps), 0)
    best = np.abs(both).argmax(axis=1)
    return np.asarray(both[np.arange(len(both)), best] * ways[best])


def striped(image_bgr: Image8, grid: Grid, filled: Mask) -> Mask:
    """Return which cells, (20,), hard edges of light cross, where stripes of light lie over the window.

    One die may look so by its make or a shadow; stripes, as blinds throw them, cross several, are parallel
    and mostly get light and dark in turn. Where dice lean much their sides look like shade; then none is.

    Parameters
    ----------
    image_bgr
        Photo, uint8 H x W x 3, BGR.
    grid
        The lattice in it.
    filled
        (20,), whether a die lies in the cell.
    """
    none = np.zeros(len(filled), dtype=bool)
    if filled.sum() < STRIPED_DICE or np.hypot(*lean_of(grid)) >= SIDES_FROM:
        return none
    steps = light_steps(image_bgr, grid)
    strength = np.abs(steps)
    strong = filled & (strength >= STRIPED_FROM)
    if strong.sum() < STRIPED_DICE:
        return none
    ways = steps[strong] / strength[strong]
    if abs((ways**2).mean()) < (MANY_PARALLEL_FROM if len(ways) >= MANY_DICE else PARALLEL_FROM):
        return none
    if len(ways) < ONE_WAY_DICE and abs(ways.mean()) >= ONE_WAY_FROM:
        return none
    crossed = strength >= CROSSED_FROM
    return np.asarray(crossed | (crossed.sum() >= MOST_CELLS))
