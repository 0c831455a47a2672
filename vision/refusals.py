"""Why there is no window to read: every refusal of the search, in the words that people get."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import BoardNotFoundError, BoardUnreadableError

# Set by hand on the labelled photos.
DARK, BRIGHT_SHARE = 40, 0.05  # with fewer pixels brighter than this (0-255) a photo is too dark
BLURRY = 0.55  # sharp and readable photos reach 0.50; six rendered ones blurred by 8 px, 0.61 and more
BLUR_SIDES_PX, BLUR_AGAIN_PX = (600, 300, 150), 9


def cut_off(sides: Sequence[str]) -> BoardUnreadableError:
    """Return the refusal of a window that goes on beyond these edges of the photo, at least one."""
    edges = " and ".join(sides[:2]) + (" edges" if len(sides) > 1 else " edge")
    return BoardUnreadableError(
        "board_cut_off",
        f"The window is cut off at the {edges} of the photo.",
        "Take the photo again with all 20 spaces and a little of the frame around them in view.",
    )


def too_small() -> BoardUnreadableError:
    """Return the refusal of a window of which too few pixels are there."""
    return BoardUnreadableError(
        "too_small",
        "The window is too small in this photo to read its dice.",
        "Go closer, so that the window fills most of the picture.",
    )


def several(count: int) -> BoardNotFoundError:
    """Return the refusal of a photo with ``count`` windows of which none stands out."""
    return BoardNotFoundError(
        "several_boards",
        f"There are {count} windows of about the same size in this photo, and none is in the middle.",
        "Go closer to one window, so that it fills the picture, or set the corners of one by hand.",
    )


def nothing(image_bgr: NDArray[np.uint8]) -> BoardNotFoundError | BoardUnreadableError:
    """Return the refusal of a photo in which no window was seen, by what may have hidden it."""
    grey = np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    if int((grey > DARK).sum()) < BRIGHT_SHARE * grey.size:
        return BoardUnreadableError(
            "too_dark",
            "The photo is too dark to find the window.",
            "Turn on a lamp or use the flash, and take the photo again.",
        )
    if blur(grey) > BLURRY:
        return too_blurry()
    return BoardNotFoundError(
        "board_not_found",
        "No Sagrada window was found in this photo.",
        "Take the photo from above so that all four corners of the grid show, or set the corners by hand.",
    )


def too_blurry() -> BoardUnreadableError:
    """Return the refusal of a photo that is out of focus or shaken."""
    return BoardUnreadableError(
        "too_blurry",
        "The photo is too blurred to read a window in it.",
        "Wipe the lens, hold the phone still above the window, tap the dice to focus, and take it again.",
    )


def blur(grey: NDArray[np.uint8]) -> float:
    """Return how blurred a photo (H x W) is, 0 (sharp) to 1: in its details or as a whole, the worse."""
    found = []
    for side in BLUR_SIDES_PX:
        scale = side / max(grey.shape)
        size = (max(16, round(grey.shape[1] * scale)), max(16, round(grey.shape[0] * scale)))
        small = cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
        found.append(blur_of(small.astype(np.float32), BLUR_AGAIN_PX))
    return max(found)


def blur_of(grey: NDArray[np.float32], again_px: int) -> float:
    """Return how blurred a picture (H x W) is at its own size, 0 (sharp) to 1.

    Blurring once more, by ``again_px`` pixels, takes much of the differences of neighboring pixels
    from a sharp picture and little from a blurred one (Crete et al. 2007, "The blur effect").
    """
    kept = []
    for axis, window in ((0, (1, again_px)), (1, (again_px, 1))):
        steps = np.abs(np.diff(grey, axis=axis))
        softer = np.abs(np.diff(cv2.blur(grey, window), axis=axis))
        lost = float(np.maximum(0, steps - softer).sum())
        kept.append(1 - lost / max(float(steps.sum()), 1e-6))
    return max(kept)
