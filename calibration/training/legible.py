"""Which dice of a drawn photo show their value, to whoever looks: a lamp may burn a face out, pips and all.

The same photo is drawn again with pips of the opposite color, which differs from it where pips are, and
without pips, which differs from it where they are seen.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray
from skimage.color import rgb2lab

from calibration.training.synthetic.dice import DieLook
from calibration.training.synthetic.scene import Scene, Window
from vision.geometry import CELL_CENTERS, DIE_EDGE, apply_homography

SEEN_FROM = 8.0
"""How far colors lie apart that are seen as two in a photo, in CIE 1976. Between large even patches an eye
tells 2.3 apart (Mahy, Van Eycken and Oosterlinck 1994); what JPEG makes of one color differs by up to 5."""
LEAST_SHOWN = 0.4  # share of the pips of a face: a blur takes some of each
FLAT = 0.75  # of a top face, inside its rounded edges

Float = NDArray[np.float64]


def burnt_out(scene: Scene, look: DieLook, drawn: Callable[[DieLook], Scene]) -> NDArray[np.bool_]:
    """Return which of the 20 cells have a die whose value the photo does not show; figures always do.

    ``drawn`` draws the same photo with dice of another look.
    """
    if look.digits:
        return np.zeros(len(CELL_CENTERS), dtype=bool)
    opposite = np.where(look.pip_color.mean() < 0.5, 0.95, 0.05).astype(np.float32) * np.ones(3, np.float32)
    own, other, bare = (
        _lab(drawing)
        for drawing in (
            scene,
            drawn(replace(look, pip_color=opposite)),
            drawn(replace(look, pip_radius=0.0)),
        )
    )
    pips = np.linalg.norm(own - other, axis=2) >= SEEN_FROM
    seen = pips & (np.linalg.norm(own - bare, axis=2) >= SEEN_FROM)
    return np.array([_is_burnt(scene.windows[0], k, look, pips, seen) for k in range(len(CELL_CENTERS))])


def _lab(scene: Scene) -> Float:
    return np.asarray(rgb2lab(scene.image_bgr[..., ::-1]), dtype=np.float64)


def _is_burnt(
    window: Window, index: int, look: DieLook, pips: NDArray[np.bool_], seen: NDArray[np.bool_]
) -> bool:
    if window.dice[index] == "--":
        return False
    square = CELL_CENTERS[index] + FLAT * DIE_EDGE / 2 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    face = np.zeros(pips.shape, np.uint8)
    cv2.fillConvexPoly(face, apply_homography(window.top, square).round().astype(np.int32), 1)
    inside = face > 0
    # Of a half-edge of 1 the face has 4 FLAT², and each pip pi times its radius squared.
    share = int(window.dice[index][1]) * np.pi * look.pip_radius**2 / (4 * FLAT**2)
    return bool((seen & inside).sum() < LEAST_SHOWN * share * inside.sum())
