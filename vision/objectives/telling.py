"""Which public objective a card is: the closer look, at the card set straight."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.geometry import apply_homography
from vision.network import card_reader, shade_reader, softmax, to_blob
from vision.objectives.finding import is_card_shaped
from vision.objectives.views import CARD_IN_CROP, FIRST_TILES, STRIP, photo_from_crop, set_straight

Float = NDArray[np.float64]

NAMES = (
    "Row Color Variety",
    "Column Color Variety",
    "Row Shade Variety",
    "Column Shade Variety",
    "Color Diagonals",
    "Light Shades",
    "Medium Shades",
    "Deep Shades",
    "Shade Variety",
    "Color Variety",
)
"""The cards in the order of the card reader's first outputs; the one after them means anything else."""
OTHER = len(NAMES)
SHIFT_PX = 100.0  # pixels of the crop for each unit by which the reader says that a corner is off
SURE = 0.8  # how sure one direction has to be of a public objective, so that the other is not tried
TILES = 0.3  # how sure it has to be a card with tiles for a closer look at them
LOOKS = 2  # each with the corners that the one before has set right


@dataclass(frozen=True, eq=False)
class Told:
    """What the closer look says of a place: probabilities (11,) of the cards, and its corners (4, 2)."""

    shares: NDArray[np.float32]
    corners: Float

    @property
    def name(self) -> str:
        """The likeliest public objective."""
        return NAMES[int(self.shares[:OTHER].argmax())]

    @property
    def confidence(self) -> float:
        """How sure it is to be that card, 0 to 1."""
        return float(self.shares[:OTHER].max())

    @property
    def is_objective(self) -> float:
        """How sure it is to be a public objective card at all, 0 to 1."""
        return float(self.shares[:OTHER].sum())


def tell(image_bgr: NDArray[np.uint8], corners: Float) -> Told:
    """Return what a card is whose corners, (4, 2) pixels of a photo uint8 H x W x 3 BGR, are about known.

    Where it is no public objective as it lies it is tried upside down, too, as the corners may be counted
    from the wrong one.
    """
    told = _look(image_bgr, corners)
    if told.is_objective < SURE:
        told = max(told, _look(image_bgr, np.roll(corners, 2, axis=0)), key=lambda one: one.is_objective)
    for _ in range(LOOKS - 1):
        if is_card_shaped(told.corners):
            again = _look(image_bgr, told.corners)
            told = Told((told.shares + again.shares) / np.float32(2), again.corners)
    return told


def _look(image_bgr: NDArray[np.uint8], corners: Float) -> Told:
    """Look once, from corners in reading order."""
    crop = set_straight(image_bgr, corners)
    output = card_reader().run(to_blob(crop[None]))[0]
    shares = softmax(output[: OTHER + 1])
    tiles = slice(FIRST_TILES, OTHER)
    if shares[tiles].sum() > TILES:
        # The reader tells tiles from grids; which tiles they are takes a look at each pip.
        which = softmax(shade_reader().run(to_blob(crop[STRIP][None]))[0])
        shares[tiles] = shares[tiles].sum() * which
    shifts = SHIFT_PX * output[OTHER + 1 :].reshape(4, 2).astype(np.float64)
    return Told(shares, apply_homography(photo_from_crop(corners), CARD_IN_CROP + shifts))
