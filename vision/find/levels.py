"""A photo at full size and halved again and again, so that no look has to reduce the whole of it."""

from __future__ import annotations

import threading

import cv2
import numpy as np
from numpy.typing import NDArray

SMALLEST_PX = 48  # nothing is halved to a shorter side than this


class Levels:
    """The pyramid of a photo; each level is made when it is first wanted.

    Parameters
    ----------
    image_bgr
        Photo, uint8 H x W x 3, BGR.
    """

    def __init__(self, image_bgr: NDArray[np.uint8]) -> None:
        self._images = [image_bgr]
        self._lock = threading.Lock()

    @property
    def image_bgr(self) -> NDArray[np.uint8]:
        """The photo itself."""
        return self._images[0]

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) of the photo in pixels."""
        height, width = self._images[0].shape[:2]
        return width, height

    def at(self, halvings: int) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
        """Return the photo halved so often, or as often as it can be, and how to get there.

        Parameters
        ----------
        halvings
            How often the sides are halved, 0 or more.

        Returns
        -------
        image, to_level
            uint8 picture, and the 3 x 3 matrix from pixels of the photo to pixels of it.
        """
        with self._lock:
            while len(self._images) <= halvings:
                last = self._images[-1]
                height, width = last.shape[0] // 2, last.shape[1] // 2
                if min(height, width) < SMALLEST_PX:
                    break
                # Of an odd side the last pixel is left out: each level is exactly half of the one before.
                even = last[: 2 * height, : 2 * width]
                half = cv2.resize(even, (width, height), interpolation=cv2.INTER_AREA)
                self._images.append(np.asarray(half, dtype=np.uint8))
            level = min(halvings, len(self._images) - 1)
            image = self._images[level]
        s = 0.5**level
        return image, np.array([[s, 0, 0.5 * s - 0.5], [0, s, 0.5 * s - 0.5], [0, 0, 1.0]])


def levels_of(photo: NDArray[np.uint8] | Levels) -> Levels:
    """Return the pyramid of a photo that may be one already."""
    return photo if isinstance(photo, Levels) else Levels(photo)
