"""What can be measured of a photo: how sharp, bright, near, level and colorful it is.

Plain numbers, each in the unit of its name in `vision.checks`, which say what they mean. Light and colors
are those that the camera saw, before the reader helps them along, and of a window they are taken from its
dice where it has any.
"""

from __future__ import annotations

from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring import Color
from vision.cells.crops import lean_of
from vision.find.refusals import blur
from vision.geometry import COLUMNS, FLOOR_HEIGHT, ROWS, TOP_HEIGHT, USUAL_HEIGHT, Grid, rectify, tops
from vision.reading import Reading

Float = NDArray[np.float64]
Image8 = NDArray[np.uint8]

CELL_PX = 24  # pixels of a cell in the straightened window
PIP_PX = 8  # of the 256 pixels of a die's top; a pip has at least as many
BURNT = 250  # of 255: a pixel that has two channels as bright as this tells nothing of its color
LIGHTEST, DARKEST = 98, 2  # percentiles, so that a few pixels do not count
FEWEST_DICE = 3  # from so many on, their pips say what white looks like in this light
SAMPLE_PX = 600  # longest side of a whole photo for what needs no detail


def tilt_deg(grid: Grid) -> float:
    """Return how far from straight above a window is seen, in degrees."""
    leaning = float(np.linalg.norm(lean_of(grid)))
    return float(np.degrees(np.arctan2(leaning, USUAL_HEIGHT * (TOP_HEIGHT - FLOOR_HEIGHT))))


def light_of(image_bgr: Image8) -> dict[str, float]:
    """Return light, contrast, clipping (percent each) and cast (CIEDE2000) of a picture, uint8 BGR.

    Light is how bright the lightest parts are, contrast how much darker than these the darkest are, clipping
    the share of pixels that are burnt out, and cast how far the color of the lightest parts is from white.
    """
    lightest = float(np.percentile(image_bgr.max(axis=2), LIGHTEST))
    grey = cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY)
    low, high = np.percentile(grey, [DARKEST, LIGHTEST])
    return {
        "light": 100 * lightest / 255,
        "contrast": 100 * float(high - low) / max(float(high), 1),
        "clipping": 100 * float(_burnt(image_bgr).mean()),
        "cast": _from_white(np.percentile(image_bgr.reshape(-1, 3), LIGHTEST, axis=0)),
    }


def of_whole(image_bgr: Image8) -> dict[str, float]:
    """Return what can be known of a photo, uint8 BGR, in which no window was found."""
    scale = min(1.0, SAMPLE_PX / max(image_bgr.shape[:2]))
    size = tuple(max(1, round(side * scale)) for side in image_bgr.shape[1::-1])
    small = np.asarray(cv2.resize(image_bgr, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    grey = np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    return {"sharpness": 100 * blur(grey), **light_of(small)}


def of_window(image_bgr: Image8, read_bgr: Image8, grid: Grid, reading: Reading) -> dict[str, float]:
    """Return tilt, light and colors of a window.

    Parameters
    ----------
    image_bgr, read_bgr
        The photo as the camera took it and as it was read, uint8 H x W x 3, BGR.
    grid
        The lattice in it.
    reading
        What was read there.
    """
    measured = {
        "tilt": tilt_deg(grid),
        **light_of(rectify(image_bgr, grid.homography, CELL_PX, 0)),
    }
    seen = [k for k, cell in enumerate(reading.cells) if cell.color and not cell.covered]
    if len(seen) >= FEWEST_DICE:
        faces = _faces(image_bgr, grid)[seen]
        measured["clipping"] = 100 * float(np.median(_burnt(faces).mean(axis=1)))
        measured["cast"] = _from_white(_white(faces))
    bodies = _lab(np.median(_faces(read_bgr, grid), axis=1))
    colors = np.array([reading.cells[k].color for k in seen])
    dyes = [np.median(bodies[seen][colors == color], axis=0) for color in Color if (colors == color).any()]
    if len(dyes) > 1:
        measured["separation"] = min(_difference(a, b) for a, b in combinations(dyes, 2))
    return measured


def _faces(image_bgr: Image8, grid: Grid) -> Image8:
    """Return the pixels of the dice's tops, (20, P, 3) BGR."""
    return tops(image_bgr, grid, CELL_PX).reshape(ROWS * COLUMNS, -1, 3)


def _burnt(pixels: Image8) -> NDArray[np.bool_]:
    """Return which pixels (..., 3) are burnt out."""
    return np.asarray(np.sort(pixels, axis=-1)[..., 1] >= BURNT)


def _white(faces: Image8) -> Float:
    """Return the color of white in this light, (3,) BGR, as the pips of dice (N, P, 3) show it.

    A pip is never quite clean of its die's color; those of dice of several colors together are.
    """
    light = faces.astype(np.float64).sum(axis=2)
    brightest = np.argsort(light, axis=1)[:, -PIP_PX:]
    pips = np.take_along_axis(faces, brightest[..., None], axis=1).mean(axis=1)
    return np.asarray(np.median(pips / np.maximum(pips.mean(axis=1, keepdims=True), 1), axis=0))


def _from_white(bgr: Float) -> float:
    """Return how far a color (3,) BGR, made as bright as white is in a photo, is from gray in CIEDE2000."""
    lab = _lab(230 * bgr / max(float(bgr.max()), 1e-6))
    return _difference(lab, lab * [1, 0, 0])


def _difference(lab: Float, other: Float) -> float:
    """Return how different two colors, (3,) CIELAB, look: CIEDE2000, of which a person sees one or two."""
    from skimage.color import deltaE_ciede2000  # noqa: PLC0415  SciPy comes with it: most photos need none

    return float(deltaE_ciede2000(lab, other))


def _lab(bgr: Float) -> Float:
    """Return colors (..., 3) BGR from 0 to 255 in CIELAB."""
    from skimage.color import rgb2lab  # noqa: PLC0415  see above

    return np.asarray(rgb2lab(np.asarray(bgr)[..., ::-1] / 255), dtype=np.float64)
