"""The pictures of loose dice, set straight as if they stood in the cells of a window."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cells.crops import CROP_PITCH_PX, CROP_PX
from vision.find.levels import Levels
from vision.geometry import DIE_EDGE
from vision.loose.finding import Spot

MOST_LEANING = 0.95  # of the way from the lower to the upper face, in edges, as far as it tells the tilt


def dice_crops(photo: Levels, spots: Sequence[Spot], turn: float) -> NDArray[np.uint8]:
    """Return loose dice as the reader of cells sees its own, uint8 N x 48 x 48 x 6.

    Channels 0-2 show the plane of the upper face, 3-5 that of the table (BGR each), both as from straight
    above: how far the faces lie apart in the photo tells how the table is tilted.

    Parameters
    ----------
    photo
        The picture in its sizes. Beyond its edge is its mirror image.
    spots
        Where the dice are.
    turn
        Angle by which all are turned, in radians.
    """
    out = np.empty((len(spots), CROP_PX, CROP_PX, 6), np.uint8)
    for k, spot in enumerate(spots):
        lean = float(np.linalg.norm(spot.up)) / spot.edge
        squeezed = float(np.sqrt(1 - min(lean, MOST_LEANING) ** 2))
        up = spot.up / np.linalg.norm(spot.up) if lean > 0 else np.array([0.0, -1.0])
        flat = np.eye(2) - (1 - squeezed) * np.outer(up, up)
        step = spot.edge / DIE_EDGE / CROP_PITCH_PX  # pixels of the photo a pixel of the crop
        c, s = np.cos(turn), np.sin(turn)
        to_photo = np.eye(3)
        to_photo[:2, :2] = step * flat @ np.array([[c, -s], [s, c]])
        image, to_level = photo.at(max(0, round(np.log2(max(step, 1)))))
        for plane, middle in enumerate((spot.top, spot.top - spot.up)):
            to_photo[:2, 2] = middle - to_photo[:2, :2] @ np.full(2, (CROP_PX - 1) / 2)
            out[k, ..., 3 * plane : 3 * plane + 3] = cv2.warpAffine(
                image,
                (to_level @ to_photo)[:2],
                (CROP_PX, CROP_PX),
                flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
                borderMode=cv2.BORDER_REFLECT,
            )
    return out
