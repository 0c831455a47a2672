"""What a window set straight must look like, whatever the finder says of it.

The finder learned from windows; of a sudoku, a shelf of tiles or a chessboard it may believe too much. A
window has bars that are darker than its cells, it ends after five columns and four rows, and where its
dice can be told it is not all blur. These are measured in a small picture of it, straight from above.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import COLUMNS, ROWS, SQUARE, apply_homography, are_inside, rectify

Float = NDArray[np.float64]
Mask = NDArray[np.bool_]

CELL_PX = 24  # pixels of a cell in the small picture, in which one cell around the window shows, too
BAR_PX = 3  # pixels along each edge of a cell that show the bars between cells
MIDDLE = slice(CELL_PX // 4, CELL_PX - CELL_PX // 4)
BLUR_AGAIN_PX = 9

# Measured on 36 rendered, 13 real and 24 sample photos and on 75 made-up pictures of other things: of the
# windows the darkest bars are 0.07 of full brightness darker and the ratio of likeness is 0.59 at most; a
# sudoku, discs on a tray and squares on white paper have bars lighter than -0.01, and where a grid goes
# on the ratio is 0.97 and more.
MIN_CONTRAST = 0.03
MAX_LIKENESS_BEYOND = 0.78
DICE_ENOUGH = 4  # with so many dice, bars may be as bright as the cells; set by hand
# With so many, what lies beyond may look like a cell: seen from low down dice hide the bars, and art with
# edges like theirs follows. Of 120 traced photos from low down four were refused for that alone.
DICE_PLENTY = 10
MIN_ASKED = 3  # cells of a side that must be in view to say that the grid goes on there

RING = np.array([[c + 0.5, r + 0.5] for r in range(-1, ROWS + 1) for c in range(-1, COLUMNS + 1)])
INNER = np.pad(np.ones((ROWS, COLUMNS), bool), 1)
SIDES = (
    (slice(0, 1), slice(1, -1)),
    (slice(-1, None), slice(1, -1)),
    (slice(1, -1), slice(0, 1)),
    (slice(1, -1), slice(-1, None)),
)


@dataclass(frozen=True)
class Scrutiny:
    """What was measured of one lattice.

    ``alike`` is how much the cells' edges look like each other, -1 to 1: a lattice that is laid across
    the real cells has less of it. ``contrast`` is how much brighter the cells are than the bars, as a
    share of full brightness; ``likeness_beyond`` how much the cells beyond one side look like those
    within, against how much these look like each other (1 where a grid just goes on); ``blur`` how
    blurred it is, 0 to 1.
    """

    alike: float
    contrast: float
    likeness_beyond: float
    blur: float

    def may_be_window(self, dice: int) -> bool:
        """Return whether nothing of this speaks against a window with so many dice in it.

        Dark dice in a pale frame are no brighter than the bars; but dice standing in rows and columns
        are more than a sudoku or a shelf of tiles has.
        """
        bars = self.contrast >= MIN_CONTRAST or dice >= DICE_ENOUGH
        return bars and (self.likeness_beyond <= MAX_LIKENESS_BEYOND or dice >= DICE_PLENTY)


def scrutinize(
    view_bgr: NDArray[np.uint8], homography: Float, to_photo: Float, size: tuple[int, int]
) -> Scrutiny:
    """Measure a lattice in a straightened view.

    Parameters
    ----------
    view_bgr
        The view, uint8 H x W x 3, BGR.
    homography
        3 x 3, board coordinates to pixels of the view.
    to_photo
        3 x 3, pixels of the view to pixels of the photo.
    size
        (width, height) of the photo in pixels.
    """
    p = CELL_PX
    to_board = np.array([[1 / p, 0, 0.5 / p - 1], [0, 1 / p, 0.5 / p - 1], [0, 0, 1]])
    warped = cv2.warpPerspective(
        view_bgr,
        homography @ to_board,
        ((COLUMNS + 2) * p, (ROWS + 2) * p),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    flat = np.asarray(warped, dtype=np.uint8)
    shown = _in_photo(to_photo @ homography, size)
    cells = _cells(flat.max(axis=2)[..., None].astype(np.float32))[..., 0][INNER & shown]
    window = np.asarray(cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY)[p:-p, p:-p], dtype=np.float32)
    alike, beyond = _likeness(flat, shown)
    return Scrutiny(alike, _contrast(cells), beyond, _blur(window))


def window_blur(image_bgr: NDArray[np.uint8], homography: Float) -> float:
    """Return how blurred a window is, 0 (sharp) to 1.

    Parameters
    ----------
    image_bgr
        Photo, uint8 H x W x 3, BGR.
    homography
        3 x 3, board coordinates to pixels of the photo.
    """
    flat = rectify(image_bgr, homography, CELL_PX, 0)
    return _blur(np.asarray(cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY), dtype=np.float32))


def _blur(grey: NDArray[np.float32]) -> float:
    """Return how blurred a window (H x W) is, 0 (sharp) to 1.

    Blurring once more takes much of the differences of neighboring pixels from a sharp picture and little
    from a blurred one (Crete et al. 2007, "The blur effect"). Whole photos are measured with scikit-image's
    `blur_effect`; to load that for each window would make the first reading take half as long again.
    """
    kept = []
    for axis, window in ((0, (1, BLUR_AGAIN_PX)), (1, (BLUR_AGAIN_PX, 1))):
        steps = np.abs(np.diff(grey, axis=axis))
        softer = np.abs(np.diff(cv2.blur(grey, window), axis=axis))
        lost = float(np.maximum(0, steps - softer).sum())
        kept.append(1 - lost / max(float(steps.sum()), 1e-6))
    return max(kept)


def _in_photo(homography: Float, size: tuple[int, int]) -> Mask:
    """Return which cells of the window and around it (6 x 7) lie in the photo, nearly whole."""
    points = apply_homography(homography, (RING[:, None] + 0.8 * SQUARE).reshape(-1, 2))
    return np.asarray(are_inside(points, size).reshape(ROWS + 2, COLUMNS + 2, 4).all(axis=2))


def _cells(flat: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the cells of a picture, shape (6, 7, CELL_PX, CELL_PX, channels)."""
    shape = (ROWS + 2, CELL_PX, COLUMNS + 2, CELL_PX, flat.shape[2])
    return flat.reshape(shape).transpose(0, 2, 1, 3, 4)


def _contrast(cells: NDArray[np.float32]) -> float:
    """Return how much brighter the middles of cells (N, CELL_PX, CELL_PX) are than the bars around."""
    if not len(cells):
        return 0.0
    bars = np.ones((CELL_PX, CELL_PX), bool)
    bars[BAR_PX:-BAR_PX, BAR_PX:-BAR_PX] = False
    return float(cells[:, MIDDLE, MIDDLE].mean() - cells[:, bars].mean()) / 255


def _likeness(flat: NDArray[np.uint8], shown: Mask) -> tuple[float, float]:
    """Return how much the edges in the cells are alike, and those beyond one side like them against that."""
    soft = cv2.GaussianBlur(flat, (0, 0), 0.8).astype(np.float32)
    edges = [np.abs(cv2.Sobel(soft, cv2.CV_32F, *axis)).max(axis=2) for axis in ((1, 0), (0, 1))]
    drawn = _cells(np.sqrt(cv2.GaussianBlur(np.stack(edges, axis=-1), (0, 0), 1.2)))
    drawn = drawn - drawn.mean(axis=(2, 3), keepdims=True)
    drawn = drawn.reshape(*shown.shape, -1)
    drawn = drawn / (np.linalg.norm(drawn, axis=-1, keepdims=True) + 1e-6)
    within = drawn[INNER]
    total = within.sum(axis=0)
    others = total - within
    among = float(np.mean((within * others).sum(1) / (np.linalg.norm(others, axis=1) + 1e-6)))
    likeness = drawn @ (total / (np.linalg.norm(total) + 1e-6))
    beyond = [likeness[side][shown[side]] for side in SIDES]
    most = max((float(side.mean()) for side in beyond if len(side) >= MIN_ASKED), default=0.0)
    return among, most / max(among, 0.05)
