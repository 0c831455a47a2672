"""Underexposed photos, made as bright as the networks know them."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from vision.errors import BoardUnreadableError
from vision.photo import Photo

# Set by hand. A sample photo at 50, 25, 15 and 12 % of its light (white about 28) is read without a mistake.
DIM_WHITE = 110  # a photo whose brightest parts stay below this is brightened (0-255)
GOAL_WHITE = 210
NO_LIGHT = 16  # below this there are only a few steps between black and white
EVERY = 8  # pixels skipped when looking for the brightest parts


def brightened(photo: Photo) -> Photo:
    """Return the photo, brightened when its brightest half percent is still dim.

    Raises
    ------
    BoardUnreadableError
        The photo is so dark that nothing can be told apart (``too_dark``).
    """
    brightest = np.sort(photo.image_bgr[::EVERY, ::EVERY].max(axis=2), axis=None)
    white = float(brightest[int(0.995 * (brightest.size - 1))])
    if white < NO_LIGHT:
        raise BoardUnreadableError(
            "too_dark",
            "The photo is too dark to see a window.",
            "Turn on a lamp or use the flash, and take the photo again.",
        )
    if white >= DIM_WHITE:
        return photo
    brighter = cv2.convertScaleAbs(photo.image_bgr, alpha=GOAL_WHITE / white)
    return replace(photo, image_bgr=np.asarray(brighter, dtype=np.uint8))
