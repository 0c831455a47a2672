"""Photos through a lens that bends: the picture of a pinhole camera, bent, and where things are in it."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.lens import Lens


def bent(straight_bgr: NDArray[np.uint8], lens: Lens, size: tuple[int, int]) -> NDArray[np.uint8]:
    """Return what a camera takes through a lens.

    Parameters
    ----------
    straight_bgr
        What it would take without the bend, uint8 BGR, as large as `Lens.straight_size` says.
    lens
        The lens. `Lens.to_photo` says where points of the straight picture are in the photo.
    size
        (width, height) of the photo in pixels.
    """
    if straight_bgr.shape[1::-1] != lens.straight_size(size):
        raise ValueError(straight_bgr.shape)
    xs, ys = np.meshgrid(np.arange(size[0]), np.arange(size[1]))
    spots = lens.from_photo(np.stack([xs.ravel(), ys.ravel()], -1).astype(np.float64), size)
    spots = spots.reshape(size[1], size[0], 2).astype(np.float32)
    return np.asarray(cv2.remap(straight_bgr, spots, None, cv2.INTER_CUBIC), dtype=np.uint8)
