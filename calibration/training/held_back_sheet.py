"""What the printed helper sheet brings: ``python -m calibration.training.held_back_sheet``.

Under each light of `calibration.training.synthetic.sheets` it draws windows with the sheet beside them, and
the same photos without it, reads both, and prints as a Markdown table what became of them, and how far the
colors of the window are from those of the same photo in white light (CIEDE2000, mean over the lattice)
before and after the white of the sheet was taken. Nothing was learned from these seeds, or tuned on them.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray
from skimage.color import deltaE_ciede2000, rgb2lab

from calibration.accuracy.comparison import PhotoResult, evaluate
from calibration.training.held_back import file_of, label_of, window_entry
from calibration.training.synthetic import sheets
from calibration.training.synthetic.scene import Scene
from vision import Photo, read_photo
from vision.geometry import BOARD_CORNERS, apply_homography
from vision.markers import Helper, in_white_of
from vision.photo import brightened

FIRST_SEED = 84_000_000
PHOTOS = 10  # of each row
EVERY = 5  # pixels of the window of which one is compared


class Row(NamedTuple):
    """Photos of a kind: the light, from and to how far from straight above, how near, and how large."""

    light: str
    tilts_deg: tuple[float, float] = (0.0, 35.0)
    near: float = 1.0
    size_px: float = 1.0

    @property
    def name(self) -> str:
        """What the table calls it."""
        low, high = self.tilts_deg
        return f"{self.light}{', small' * (self.near < 1)}{f', from {low:g} to {high:g}°' * (low > 0)}"


ROWS = (
    *map(Row, (*sheets.LIGHTS, "mixed")),
    Row("white", (45.0, 60.0)),
    Row("white", (55.0, 72.0), near=0.6, size_px=1.6),
)


@dataclass(frozen=True)
class SheetResult:
    """What became of one photo without the sheet and with it, and how far its colors were off, twice."""

    without: PhotoResult
    beside: PhotoResult
    seen: bool
    before: float
    after: float


def read_one(seed: int, row: Row) -> SheetResult:
    """Draw a window of a row, with and without the sheet, and read both photos."""
    drawn = sheets.beside(seed, row.light, tilts_deg=row.tilts_deg, near=row.near, size_px=row.size_px)
    scene = drawn.with_sheet
    height, width = scene.image_bgr.shape[:2]
    photo = brightened(Photo(scene.image_bgr, (width, height), 1.0))
    helper = Helper(photo.image_bgr)
    white = brightened(Photo(drawn.white.image_bgr, (width, height), 1.0)).image_bgr
    inside = np.zeros((height, width), np.uint8)
    outline = apply_homography(scene.windows[0].base, BOARD_CORNERS)
    cv2.fillConvexPoly(inside, outline.round().astype(np.int32), 1)
    before, after = (
        _apart(one.image_bgr[inside > 0], white[inside > 0]) for one in (photo, in_white_of(helper, photo))
    )
    return SheetResult(
        _read(seed, drawn.without), _read(seed, scene), helper.sheet is not None, before, after
    )


def _read(seed: int, scene: Scene) -> PhotoResult:
    label = label_of(seed, scene.image_bgr, **window_entry(scene.windows[0]))
    return evaluate(label, partial(read_photo, file_of(scene.image_bgr)))


def _apart(colors_bgr: NDArray[np.uint8], others_bgr: NDArray[np.uint8]) -> float:
    """Return the mean difference of pixels (N, 3) in CIEDE2000."""
    one, other = (rgb2lab(pixels[None, ::EVERY, ::-1] / 255) for pixels in (colors_bgr, others_bgr))
    return float(np.mean(deltaE_ciede2000(one, other)))


def read_row(row: Row, count: int) -> Iterator[SheetResult]:
    """Read the photos of one row."""
    first = FIRST_SEED + 1000 * ROWS.index(row)
    return (read_one(first + number, row) for number in range(count))


def line_of(name: str, results: Iterable[SheetResult]) -> str:
    """Return the line of the table for some photos."""
    found = list(results)
    pairs = [_figures([one.without for one in found]), _figures([one.beside for one in found])]
    figures = [f"{one}, {other}" for one, other in zip(*pairs, strict=True)]
    before, after = (np.mean([one.before for one in found]), np.mean([one.after for one in found]))
    parts = (
        name,
        f"{sum(one.seen for one in found)} of {len(found)}",
        *figures,
        f"{before:.1f}, {after:.1f}",
    )
    return f"| {' | '.join(parts)} |"


def _figures(photos: list[PhotoResult]) -> tuple[str, ...]:
    """Return how many windows were read, and of their cells how many right, flagged, wrong and unflagged."""
    cells = [cell for one in photos for cell in one.cells]
    wrong = sum(len(one.wrong_cells) for one in photos)
    return (
        str(sum(one.error is None for one in photos)),
        f"{len(cells) - wrong} of {len(cells)}",
        str(sum(cell.flagged for cell in cells)),
        str(sum(len(one.unnoticed) for one in photos)),
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--photos", type=int, default=PHOTOS, help="how many photos of each row")
    options = parser.parse_args()
    out = partial(print, file=sys.stdout, flush=True)
    out("| light | sheet seen | windows read | cells right | flagged | wrong, not flagged | colors off |")
    out("|---|---:|---:|---:|---:|---:|---:|")
    for row in ROWS:
        out(line_of(row.name, read_row(row, options.photos)))


if __name__ == "__main__":
    main()
