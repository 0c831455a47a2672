"""The colors of dice's upper faces, in crops as the reader sees them."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

FACE = slice(10, 38)  # of a crop of 48 pixels, the part that shows a die's upper face wherever it stands
STANDING_OUT = 90  # of the 784 pixels of the face, those least like it: the pips of a two


def face_colors(crops: NDArray[np.uint8]) -> NDArray[np.float32]:
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
    light = np.sort(lab[..., 0], axis=1)[:, [40, -40]]
    return np.asarray(np.concatenate([body, out, light], axis=1) / 50, dtype=np.float32)
