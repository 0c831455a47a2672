"""Photos through lenses that bend: ``python -m calibration.training.held_back_lens [--count N] [--told N]``.

Prints two Markdown tables. The first says for each bend how windows are read as they are, with the lens
told from five other photos where that is said to help, and with the true one. The second says how well k1 is
told from one window, from a table, from five photos and from eight chessboards. All is drawn from seeds that
nothing was learned from; pictures of a pinhole camera are bent, with the true places bent along.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import count, islice

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.accuracy.comparison import PhotoResult, evaluate
from calibration.accuracy.labels import PhotoLabel
from calibration.chessboard import lens_from_chessboard
from calibration.errors import CalibrationError
from calibration.lens import LensEstimate, lens_from_windows
from calibration.training.dataset import SIZES
from calibration.training.held_back import TABLE_SIZES, file_of, label_of, window_entry
from calibration.training.synthetic import scene, tables
from calibration.training.synthetic.wide import bent, chessboard_view
from vision import Lens, VisionError, read_photo
from vision.find.levels import Levels
from vision.find.search import find_grid
from vision.find.tables import find_grids
from vision.geometry import BOARD_CORNERS, CELL_CENTERS, USUAL_FOCAL, Grid, apply_homography, are_inside
from vision.photo import Photo

FIRST_SEED, FIRST_TABLE, FIRST_BOARD = 75_000_000, 76_000_000, 77_000_000
BENDS = (-0.3, -0.1, 0.0, 0.1)
SMALLEST_PX = 17.0  # of a pitch, as in `calibration.training.dataset`
PHOTOS, BOARDS, WINDOWS = 5, 8, (2, 3, 4)
BOARD_SIZE = (800, 600)
ONE_WINDOW, A_TABLE, SEVERAL, BOARDS_ALONE = SOURCES = (
    "one window",
    "a table",
    f"{PHOTOS} photos",
    f"{BOARDS} chessboards",
)

OFF = "worst corner off, mean (most), pitches"
K1_OFF = "k1 off, mean, root mean square"

Image = NDArray[np.uint8]


def scenes(lens: Lens, first_seed: int = FIRST_SEED) -> Iterator[tuple[PhotoLabel, Image]]:
    """Yield photos of one whole window each, without end, labelled as in a labels.json."""
    for seed in count(first_seed):
        rng = np.random.default_rng(seed)
        size = SIZES[int(rng.integers(len(SIZES)))]
        drawn = scene.render(rng, size=lens.straight_size(size))
        if len(drawn.windows) != 1:
            continue
        (window,) = drawn.windows
        corners = lens.to_photo(apply_homography(window.base, BOARD_CORNERS), size)
        tops = lens.to_photo(apply_homography(window.top, CELL_CENTERS), size)
        pitch = np.linalg.norm(np.roll(corners, 1, axis=0) - corners, axis=1).sum() / 18
        if are_inside(tops, size).all() and pitch > SMALLEST_PX:
            image = bent(drawn.image_bgr, lens, size)
            entry = window_entry(window) | {"corners_tl_tr_br_bl": corners.tolist()}
            yield label_of(seed, image, **entry), image


def read_with(lens: Lens | None, photos: Iterable[tuple[PhotoLabel, Image]]) -> list[PhotoResult]:
    """Read photos with a lens, or as they are."""
    return [evaluate(label, partial(read_photo, file_of(image), lens=lens)) for label, image in photos]


def _found(images: Iterable[Image]) -> Iterator[tuple[Image, list[Grid]]]:
    """Yield pictures with the one window in them, where it is found."""
    for image in images:
        try:
            yield image, [find_grid(Photo(image, (image.shape[1], image.shape[0]), 1.0)).grid]
        except VisionError:
            continue


def line_of(k1: float, lens: str, results: Sequence[PhotoResult]) -> str:
    """Return the line of the first table for some photos."""
    read = [one for one in results if one.found]
    worst = [max(one.location.errors_cells) for one in read if one.location]
    cells = [cell for one in results for cell in one.cells]
    wrong, unnoticed = (
        sum(len(getattr(one, key)) for one in results) for key in ("wrong_cells", "unnoticed")
    )
    flagged = sum(cell.flagged for cell in cells)
    off = f"{np.mean(worst):.3f} ({max(worst):.2f})" if worst else "-"
    found = f"{len(read)} of {len(results)}"
    return f"| {k1:+.2f} | {lens} | {found} | {off} | {wrong} of {len(cells)} | {unnoticed} | {flagged} |"


def told(k1: float, source: str, number: int) -> LensEstimate | None:
    """Return what one set of drawn photos tells of a lens with this k1; None where they tell nothing."""
    lens = Lens(USUAL_FOCAL, k1)
    try:
        if source == BOARDS_ALONE:
            rng = np.random.default_rng(FIRST_BOARD + number)
            views = [file_of(chessboard_view(rng, lens, BOARD_SIZE)) for _ in range(BOARDS)]
            return lens_from_chessboard(views, (9, 6))
        if source == A_TABLE:
            image = _table(lens, number)
            return lens_from_windows([(image, find_grids(Levels(image))[0])])
        photos = PHOTOS if source == SEVERAL else 1
        first = FIRST_SEED + 500_000 + 1000 * number
        return lens_from_windows(_found(image for _, image in islice(scenes(lens, first), photos)))
    except CalibrationError:
        return None


def _table(lens: Lens, number: int) -> Image:
    """Return a photo of a drawn table with two to four windows."""
    for seed in count(FIRST_TABLE + 1000 * number):
        rng = np.random.default_rng(seed)
        size = TABLE_SIZES[int(rng.integers(len(TABLE_SIZES)))]
        table = tables.render(rng, size=lens.straight_size(size))
        if len(table.windows) in WINDOWS:
            return bent(table.image_bgr, lens, size)
    raise AssertionError


def line_of_told(k1: float, source: str, found: Sequence[LensEstimate | None]) -> str:
    """Return the line of the second table for what was told from some sets of photos."""
    made = [one for one in found if one is not None]
    if not made:
        return f"| {k1:+.2f} | {source} | 0 of {len(found)} | - | - | 0 | - |"
    # A lens of another focal length that bends alike has another k1.
    alike = np.array([(USUAL_FOCAL / one.lens.focal) ** 2 for one in made])
    off = np.array([one.lens.k1 for one in made]) * alike - k1
    errors = np.array([one.standard_error for one in made]) * alike
    kept = np.array([one.helps for one in made])
    left = np.where(kept, off, -k1)
    rms = [np.sqrt((numbers**2).mean()) for numbers in (off, left)]
    return (
        f"| {k1:+.2f} | {source} | {len(made)} of {len(found)} | {off.mean():+.3f}, {rms[0]:.3f} "
        f"| {np.median(errors):.3f} | {kept.sum()} | {rms[1]:.3f} |"
    )


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--count", type=int, default=40, help="windows to read with each bend")
    parser.add_argument("--told", type=int, default=4, help="sets of photos to tell each bend from")
    parser.add_argument("--bends", type=float, nargs="+", default=BENDS, help="the k1 that are measured")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    out = partial(print, file=sys.stdout, flush=True)
    if options.count:
        out(f"| k1 | lens | windows read | {OFF} | cells wrong | not flagged | flagged |")
        out("|---:|---|---:|---:|---:|---:|---:|")
    for k1 in options.bends if options.count else ():
        lens = Lens(USUAL_FOCAL, k1)
        photos = list(islice(scenes(lens), options.count))
        out(line_of(k1, "none", read_with(None, photos)))
        made = told(k1, SEVERAL, 0)
        used = made.lens if made and made.helps else None
        name = f"told from {SEVERAL}" + ("" if used else ", not used")
        out(line_of(k1, name, read_with(used, photos)))
        if k1:
            out(line_of(k1, "true", read_with(lens, photos)))
    if options.told:
        out(f"\n| k1 | told from | told | {K1_OFF} | its standard error | said to help | bend left |")
        out("|---:|---|---:|---:|---:|---:|---:|")
    for k1 in options.bends if options.told else ():
        for source in SOURCES:
            out(line_of_told(k1, source, [told(k1, source, number) for number in range(options.told)]))


if __name__ == "__main__":
    main()
