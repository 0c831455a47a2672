"""Why there is no window to read: every refusal of the search, in the words that people get."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.sentences import sentence
from vision.errors import BoardNotFoundError, BoardUnreadableError

# Set by hand on the labelled photos.
DARK, BRIGHT_SHARE = 40, 0.05  # with fewer pixels brighter than this (0-255) a photo is too dark
# Of 63 photos without a window the softest measures 0.62, the next 0.56; blurred by 8 px all but one, which
# is full of noise, measure 0.67 and more.
BLURRY = 0.65
BLUR_SIDES_PX, BLUR_AGAIN_PX = (600, 300, 150), 9

EDGES = {
    "top": sentence("at the top"),
    "right": sentence("on the right"),
    "bottom": sentence("at the bottom"),
    "left": sentence("on the left"),
}


def cut_off(sides: Sequence[str]) -> BoardUnreadableError:
    """Return the refusal of a window that goes on beyond these edges of the photo, at least one."""
    edges = list(sides[:2])
    named = [EDGES[edge] for edge in edges]
    both = sentence("{first} and {second}", first=named[0], second=named[-1])
    return BoardUnreadableError(
        "board_cut_off",
        sentence(
            "A part of the window is outside the photo: {edges}.", edges=both if len(edges) > 1 else named[0]
        ),
        sentence("Take the photo again with all 20 spaces and a little of the frame around them in view."),
        {"edges": edges},
    )


def too_small() -> BoardUnreadableError:
    """Return the refusal of a window of which too few pixels are there."""
    return BoardUnreadableError(
        "too_small",
        sentence("The window is too small in this photo to read its dice."),
        sentence("Go closer, so that the window fills most of the picture."),
    )


def several(count: int) -> BoardNotFoundError:
    """Return the refusal of a photo with ``count`` windows of which none stands out."""
    return BoardNotFoundError(
        "several_boards",
        sentence(
            "There are {count} windows of about the same size in this photo, and none is in the middle.",
            count=count,
        ),
        sentence("Go closer to one window, so that it fills the picture, or set the corners of one by hand."),
        {"windows": count},
    )


def unclear() -> BoardUnreadableError:
    """Return the reason for a place that looks like a window and in which no lattice can be found."""
    return BoardUnreadableError(
        "window_unclear",
        sentence("This looks like a window, but its spaces cannot be told apart."),
        sentence("Take a photo of it from above, or of it alone."),
    )


def nothing(image_bgr: NDArray[np.uint8]) -> BoardNotFoundError | BoardUnreadableError:
    """Return the refusal of a photo in which no window was seen, by what may have hidden it."""
    grey = np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    if int((grey > DARK).sum()) < BRIGHT_SHARE * grey.size:
        return BoardUnreadableError(
            "too_dark",
            sentence("The photo is too dark to find the window."),
            sentence("Turn on a lamp or use the flash, and take the photo again."),
        )
    if blur(grey) > BLURRY:
        return too_blurry()
    return BoardNotFoundError(
        "board_not_found",
        sentence("No Sagrada window was found in this photo."),
        sentence(
            "Take the photo from above so that all four corners of the grid show, or set the corners by hand."
        ),
    )


def too_blurry() -> BoardUnreadableError:
    """Return the refusal of a photo that is out of focus or shaken."""
    return BoardUnreadableError(
        "too_blurry",
        sentence("The photo is too blurred to read a window in it."),
        sentence(
            "Wipe the lens, hold the phone still above the window, tap the dice to focus, and take it again."
        ),
    )


def blur(grey: NDArray[np.uint8]) -> float:
    """Return how blurred a photo (H x W) is, 0 (sharp) to 1: in its details or as a whole, the worse."""
    # Loaded here, not at the top: SciPy comes with it, and most photos are not refused.
    from skimage.measure import blur_effect  # noqa: PLC0415

    found = []
    for side in BLUR_SIDES_PX:
        scale = side / max(grey.shape)
        size = (max(16, round(grey.shape[1] * scale)), max(16, round(grey.shape[0] * scale)))
        found.append(float(blur_effect(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), BLUR_AGAIN_PX)))
    return max(found)
