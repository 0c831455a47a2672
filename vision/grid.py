"""Find the 4 x 5 lattice of a window in a photo, at any rotation and under tilt.

Two looks with one small network: first at the whole photo (where are windows, where the middles
of their cells?), then at the best one set straight (exact middles, tops of the dice, art). A
lattice is fitted to the marks each time; the network proposes, the lattice decides.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import lattice
from vision.errors import BoardNotFoundError, BoardUnreadableError, VisionError
from vision.finder_view import STRIDE, View, straight_view, tilted_view, whole_view
from vision.geometry import (
    CELL_CENTERS,
    MIN_PITCH_PX,
    USUAL_FOCAL,
    Grid,
    apply_homography,
    estimate_rise,
    is_plausible,
)
from vision.maps import Maps, look, upright_probability, with_rise
from vision.photo import Photo

Float = NDArray[np.float64]

# Set by hand between what labelled windows reach, set straight at their labelled corners (support 0.60 for a
# macro shot, else 0.76 and more; 19 or 20 marks; 0.03 beyond), and what false windows in the same photos did.
FIRST_SCORE = 0.75  # support - beyond + overlap for a first look to be worth a second
SECOND_SUPPORT = 0.5  # mean of the cell-middle map for a window to be believed
SECOND_PAIRS = 18  # cells that must show a mark when the window is set straight
SECOND_WEAKEST_LINE = 0.6  # share of marks that each row and column must have
SECOND_BEYOND = 0.2  # marks around the lattice, against those in it: more and the lattice is shifted
STEEPER_DEG = 45.0  # how much further down the second camera looks where nothing was found
TRIES = 3  # fits of one area that get a second look
MIN_LOOKS, MAX_LOOKS = 2, 3  # how often the window is set straight and fitted again
DARK = 40  # 95 of 100 pixels of a photo are darker: too dark (0-255)
BLURRY, BLUR_SIDE_PX = (
    0.58,
    600,
)  # labelled photos reach 0.50; 18 rendered ones blurred by 12 px, 0.71 and more


@dataclass(frozen=True, eq=False)
class Found:
    """The window that was chosen and how many others lie whole in view."""

    grid: Grid
    other_windows: int


def find_grid(photo: Photo) -> Found:
    """Find the window that a photo shows.

    Parameters
    ----------
    photo
        The upright photo.

    Returns
    -------
    Found
        The largest, most central window, in pixels of ``photo.image_bgr``, row A on the art's
        side as far as the picture tells.

    Raises
    ------
    BoardNotFoundError
        No window stands out.
    BoardUnreadableError
        The window is cut off by the picture's edge or too small.
    """
    image = photo.image_bgr
    cut: str | None = None
    candidates: list[Grid] = []
    for view in _views(image):
        seen, cut_here = _windows_in(view, image)
        cut = cut or cut_here
        candidates += [grid for grid in seen if not any(_same(grid, other) for other in candidates)]
        if candidates or cut:  # a closer look at the quarters is for windows that are small
            break
    if not candidates:
        candidates = _oblique_windows(image)
    if not candidates:
        raise _nothing(photo, cut)
    chosen = max(candidates, key=lambda grid: _prominence(grid, image))
    if chosen.pitch_px < MIN_PITCH_PX:
        raise BoardUnreadableError(
            "too_small",
            "The window is too small in this photo to read its dice.",
            "Go closer, so that the window fills most of the picture.",
        )
    return Found(chosen, len(candidates) - 1)


def _windows_in(view: View, image: NDArray[np.uint8]) -> tuple[list[Grid], str | None]:
    """Return the whole windows that a view shows, and the photo's edge that cuts another one."""
    size = (image.shape[1], image.shape[0])
    maps = look(view)
    found: list[Grid] = []
    cut: str | None = None
    for area in lattice.areas(maps.window):
        starts = _starts(area, maps, size)
        grid = next((grid for start in starts if (grid := refine(image, start)) is not None), None)
        if grid is None:
            cut = cut or _touched_side(area.mask, view, size)
            continue
        side = _cut_side(grid, size)
        if side is None:
            found.append(grid)
        cut = cut or side
    return found, cut


def _oblique_windows(image: NDArray[np.uint8]) -> list[Grid]:
    """Return what shows when the photo is seen as if the camera had looked down more steeply."""
    focal = USUAL_FOCAL * max(image.shape[:2])
    for far_deg in (0, 180, 90, 270):
        found, _ = _windows_in(tilted_view(image, far_deg, STEEPER_DEG, focal), image)
        if found:
            return found
    return []


def _starts(area: lattice.Area, maps: Maps, size: tuple[int, int]) -> Iterator[Float]:
    """Yield homographies of the surface, in photo pixels, that are worth a second look; best first.

    They rest on the middles of the cells or, where dice hide the holes as in a very oblique photo,
    on the tops of the dice, from which the surface lies below.
    """
    for heat in (maps.cells, maps.tops):
        marks = lattice.peaks(heat)
        for fits in (lattice.fits_to_area, lattice.fits_to_marks):
            for first in fits(area, marks, heat)[:TRIES]:
                if first.score < FIRST_SCORE:
                    continue
                start = maps.view.to_photo @ first.homography
                if heat is maps.tops:
                    start[:, 2] -= estimate_rise(start, size)
                yield start


def _prominence(grid: Grid, image: NDArray[np.uint8]) -> float:
    """Return how much a window stands out: large and near the middle."""
    size = np.array([image.shape[1], image.shape[0]])
    center = apply_homography(grid.homography, np.array([[2.5, 2.0]]))[0]
    away = float(np.linalg.norm(center / size - 0.5))
    return grid.pitch_px * (1 - 0.5 * away)


def refine(image: NDArray[np.uint8], homography: Float) -> Grid | None:
    """Set the window straight, fit it again, and once more; None when it turns out to be none."""
    size = (image.shape[1], image.shape[0])
    if not is_plausible(homography, size):
        return None
    again = homography
    for looks in range(1, MAX_LOOKS + 1):
        maps = look(straight_view(image, again))
        back = np.linalg.inv(maps.view.to_photo)
        fitted = lattice.fit(back @ again, lattice.peaks(maps.cells), maps.cells, None)
        if fitted is None:
            return None
        again = maps.view.to_photo @ fitted.homography
        again = again / (again[2] @ [2.5, 2, 1])
        if not is_plausible(again, size):
            return None
        straight = fitted.homography
        believed = _believable(fitted)
        if believed and looks >= MIN_LOOKS:
            break
    if not believed:
        return None
    grid = with_rise(maps, Grid(again, estimate_rise(again, size)), size)
    grid = replace(grid, upright_probability=upright_probability(maps, straight))
    return grid if grid.upright_probability >= 0.5 else grid.rotated_180()


def _believable(fitted: lattice.Lattice) -> bool:
    """Return whether a lattice in a straightened view is a whole window."""
    return (
        fitted.pairs >= SECOND_PAIRS
        and fitted.support >= SECOND_SUPPORT
        and fitted.weakest_line >= SECOND_WEAKEST_LINE
        and fitted.beyond <= SECOND_BEYOND * fitted.support
    )


def _views(image: NDArray[np.uint8]) -> list[View]:
    """Return the whole photo and, for a window that is small in it, overlapping quarters."""
    height, width = image.shape[:2]
    w, h = round(width * 0.6), round(height * 0.6)
    boxes = [
        (x, y, x + w, y + h)
        for y in (0, (height - h) // 2, height - h)
        for x in (0, (width - w) // 2, width - w)
    ]
    return [whole_view(image), *(whole_view(image, box) for box in boxes)]


def _cut_side(grid: Grid, size: tuple[int, int]) -> str | None:
    """Return the picture's edge that cuts the window: a cell's middle, die or floor, lies beyond it."""
    surface = apply_homography(grid.homography, CELL_CENTERS)
    tops = apply_homography(grid.plane(1.0), CELL_CENTERS)
    # A die leans out of its hole: the cell is in view when either of the two is.
    out = {
        "left": np.maximum(surface[:, 0], tops[:, 0]).min() < 0,
        "right": np.minimum(surface[:, 0], tops[:, 0]).max() > size[0],
        "top": np.maximum(surface[:, 1], tops[:, 1]).min() < 0,
        "bottom": np.minimum(surface[:, 1], tops[:, 1]).max() > size[1],
    }
    return next((side for side, beyond in out.items() if beyond), None)


def _touched_side(mask: NDArray[np.bool_], view: View, size: tuple[int, int]) -> str | None:
    """Return the edge of the photo that a window's area runs into, None when it meets none."""
    ys, xs = np.nonzero(mask)
    points = apply_homography(
        view.to_photo, np.column_stack([xs, ys]).astype(np.float64) * STRIDE + (STRIDE - 1) / 2
    )
    slack = 1.5 * STRIDE * abs(view.to_photo[0, 0])
    counts = {
        "left": int((points[:, 0] < slack).sum()),
        "right": int((points[:, 0] > size[0] - slack).sum()),
        "top": int((points[:, 1] < slack).sum()),
        "bottom": int((points[:, 1] > size[1] - slack).sum()),
    }
    side = max(counts, key=lambda name: counts[name])
    return side if counts[side] >= 4 else None


def _blur(grey: NDArray[np.float64]) -> float:
    """Return how blurred a photo is, 0 (sharp) to 1, by Crete et al. 2007 (see scikit-image)."""
    from skimage.measure import blur_effect  # noqa: PLC0415 - slow to import, wanted for failures only

    scale = BLUR_SIDE_PX / max(grey.shape)
    size = (max(16, round(grey.shape[1] * scale)), max(16, round(grey.shape[0] * scale)))
    small = cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
    return float(blur_effect(small))  # type: ignore[no-untyped-call]


def _same(a: Grid, b: Grid) -> bool:
    middles = [apply_homography(g.homography, np.array([[2.5, 2.0]]))[0] for g in (a, b)]
    return bool(np.linalg.norm(middles[0] - middles[1]) < 1.5 * max(a.pitch_px, b.pitch_px))


def _nothing(photo: Photo, cut: str | None) -> VisionError:
    """Return the error that names best why there is no window to read."""
    if cut is not None:
        return BoardUnreadableError(
            "board_cut_off",
            f"The window is cut off at the {cut} edge of the photo.",
            "Take the photo again with all 20 spaces and a little of the frame around them in view.",
        )
    grey = photo.image_bgr.mean(axis=2)
    if float(np.percentile(grey, 95)) < DARK:
        return BoardUnreadableError(
            "too_dark",
            "The photo is too dark to find the window.",
            "Turn on a lamp or use the flash, and take the photo again.",
        )
    if _blur(grey) > BLURRY:
        return BoardUnreadableError(
            "too_blurry",
            "The photo is too blurred to find the window.",
            "Wipe the lens, hold the phone still, tap on the dice to focus, and take the photo again.",
        )
    return BoardNotFoundError(
        "board_not_found",
        "No Sagrada window was found in this photo.",
        "Take the photo from above so that all four corners of the grid show, or set the corners by hand.",
    )
