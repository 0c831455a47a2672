"""One card that was shown: its picture and the local features by which it is found again."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.sentences import sentence
from vision.errors import BoardUnreadableError, VisionError
from vision.table import CARDS, CardKind

Float = NDArray[np.float64]
Image8 = NDArray[np.uint8]

PICTURE_PX = (300, 420)
"""(width, height) of the picture that is kept of a card: fine enough for a card of 300 pixels in a photo."""
LEAST_WIDTH_PX = 100.0  # with fewer pixels the writing on a card is gone, and cards of a kind look alike
MOST_FEATURES, LEAST_FEATURES = 500, 60
CONTRAST = 0.02  # half of what SIFT asks for by itself: the print of tool cards is pale
FEATURE_BYTES = 128


@dataclass(frozen=True, eq=False)
class TaughtCard:
    """A card that somebody showed and named.

    Parameters
    ----------
    name
        The card's name in the game's English.
    kind
        What kind of card that is.
    picture_bgr
        The card seen straight from above, uint8 (420, 300, 3), BGR.
    points
        Where its local features lie, float32 (N, 4): x and y in pixels of the picture, size in pixels, angle
        in radians.
    descriptors
        What they look like, uint8 (N, 128), as SIFT describes them.
    """

    name: str
    kind: CardKind
    picture_bgr: Image8
    points: NDArray[np.float32]
    descriptors: NDArray[np.uint8]


def kind_of(name: str) -> CardKind:
    """Return the kind of the card that the game's English calls ``name``; raises `ValueError` without one."""
    for kind, cards in CARDS.items():
        if name in {card.value for card in cards}:
            return kind
    raise ValueError(name)


def learn_card(image_bgr: Image8, corners: Float, name: str) -> TaughtCard:
    """Return what is kept of a card.

    Parameters
    ----------
    image_bgr
        The photo it lies in, uint8 H x W x 3, BGR.
    corners
        Its corners in pixels of that, (4, 2): top left, top right, bottom right, bottom left as one reads it.
    name
        Its name in the game's English, a public objective's or a tool's.

    Raises
    ------
    VisionError
        There is no such card (``bad_card_name``).
    BoardUnreadableError
        It is too small (``too_small``), or there is too little on it to know it again (``card_featureless``).
    """
    try:
        kind = kind_of(name)
    except ValueError as error:
        raise VisionError(
            "bad_card_name",
            sentence("{name} is no card of the game.", name=name),
            sentence("Choose the name of a public objective or of a tool."),
        ) from error
    if width_of(corners) < LEAST_WIDTH_PX:
        raise BoardUnreadableError(
            "too_small",
            sentence("The card is too small in the photo to be known again."),
            sentence("Go closer, so that each card is at least a tenth as wide as the photo."),
        )
    picture = straightened(image_bgr, corners, PICTURE_PX)
    points, descriptors = features(picture, MOST_FEATURES)
    if len(points) < LEAST_FEATURES:
        raise BoardUnreadableError(
            "card_featureless",
            sentence("There is too little to see on this card to know it again."),
            sentence("Turn the card's front up, and take the photo sharp and without glare."),
        )
    return TaughtCard(name, kind, picture, points, descriptors)


def features(image_bgr: Image8, most: int) -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
    """Return the features of a picture, uint8 H x W x 3 BGR: points and descriptors as of a `TaughtCard`."""
    gray = cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY)
    finder = cv2.SIFT.create(nfeatures=most, contrastThreshold=CONTRAST)
    found, looks = finder.detectAndCompute(gray, None)
    points = [(*one.pt, one.size, np.deg2rad(one.angle)) for one in found]
    # SIFT may keep one or two more than it was asked for: as good as the last.
    return (
        np.array(points, dtype=np.float32).reshape(-1, 4)[:most],
        looks.astype(np.uint8)[:most] if found else np.zeros((0, FEATURE_BYTES), np.uint8),
    )


def straightened(image_bgr: Image8, corners: Float, size: tuple[int, int]) -> Image8:
    """Return a card seen straight from above, uint8 (height, width, 3) BGR for a size (width, height)."""
    source, to_source = image_bgr, corners.astype(np.float64)
    shrink = size[0] / max(width_of(corners), 1.0)
    if shrink < 0.8:  # a warp looks at four pixels only and would alias
        pad = 4 / shrink
        low = np.clip(np.floor(corners.min(0) - pad), 0, None).astype(int)
        high = np.ceil(corners.max(0) + pad).astype(int)
        part = image_bgr[low[1] : high[1], low[0] : high[0]]
        if min(part.shape[:2]) > 2:
            w, h = max(2, round(part.shape[1] * shrink)), max(2, round(part.shape[0] * shrink))
            source = np.asarray(cv2.resize(part, (w, h), interpolation=cv2.INTER_AREA), np.uint8)
            to_source = (corners - low + 0.5) * [w / part.shape[1], h / part.shape[0]] - 0.5
    move = cv2.getPerspectiveTransform(to_source.astype(np.float32), outline(size).astype(np.float32))
    return np.asarray(
        cv2.warpPerspective(source, move, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE),
        dtype=np.uint8,
    )


def outline(size: tuple[int, int]) -> Float:
    """Return the corners, (4, 2) pixels, of a picture of (width, height): those of its outermost pixels."""
    right, foot = size[0] - 0.5, size[1] - 0.5
    return np.array([[-0.5, -0.5], [right, -0.5], [right, foot], [-0.5, foot]])


def width_of(corners: Float) -> float:
    """Return the mean length of the upper and the lower edge of corners (4, 2)."""
    return float(np.linalg.norm(corners[1] - corners[0]) + np.linalg.norm(corners[2] - corners[3])) / 2
