"""Cards for tests of what is taught: drawn with fixed seeds, laid side by side, and on tables."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.training.held_back_taught import photo_of, sheet
from calibration.training.synthetic import objectives, other_cards
from scoring import Tool
from vision.taught import TaughtCard, cards_on, learn_card

Picture = NDArray[np.uint8]
TOOLS = tuple(tool.value for tool in list(Tool)[:4])
OBJECTIVES = ("Light Shades", "Row Color Variety")
NAMES = (*TOOLS, *OBJECTIVES)


@cache
def drawn(name: str) -> Picture:
    """Return a drawn card, uint8 (420, 300, 3) BGR."""
    rng = np.random.default_rng([77, NAMES.index(name)])
    card = objectives.objective(rng, name) if name in OBJECTIVES else other_cards.tool(rng)
    return np.asarray(np.clip(card * 255, 0, 255), np.uint8)


@cache
def side_by_side() -> Picture:
    """Return a photo of all the cards side by side, in the order of their names."""
    return sheet([drawn(name) for name in NAMES])


@cache
def taught() -> tuple[TaughtCard, ...]:
    """Return the cards as that photo teaches them."""
    image = side_by_side()
    found = cards_on(photo_of(image))
    return tuple(
        learn_card(image, np.array(one.corners), name) for one, name in zip(found, NAMES, strict=True)
    )


def on_table(name: str, *, ground: int = 90, width_px: int = 200) -> tuple[Picture, NDArray[np.float64]]:
    """Return a photo of one card that lies turned and seen at a slant, and its corners, (4, 2) pixels."""
    corners = np.array([[0, 0], [1, 0.1], [0.84, 1.4], [-0.16, 1.2]]) * width_px + [260, 120]
    image = np.full((600, 800, 3), ground, np.uint8)
    card = cv2.GaussianBlur(drawn(name), (0, 0), 1.0)
    height, width = card.shape[:2]
    edges = np.array([[-0.5, -0.5], [width - 0.5, -0.5], [width - 0.5, height - 0.5], [-0.5, height - 0.5]])
    move = cv2.getPerspectiveTransform(edges.astype(np.float32), corners.astype(np.float32))
    cv2.warpPerspective(card, move, (800, 600), dst=image, borderMode=cv2.BORDER_TRANSPARENT)
    return image, corners


def file_of(image_bgr: Picture) -> bytes:
    """Return the bytes of a JPEG."""
    return cv2.imencode(".jpg", image_bgr, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()
