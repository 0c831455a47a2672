"""What would help most: why a photo of a table leaves doubts, and what to do about it in the next one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from scoring.sentences import Sentence, counted, sentence
from vision.cells.covered import blinded
from vision.cells.crops import lean_of
from vision.find.scrutiny import window_blur
from vision.geometry import CELL_CENTERS, TOP_HEIGHT, Grid, apply_homography, as_corners
from vision.markers import Helper, in_white_of
from vision.photo import Photo, brightened, in_white_light
from vision.read import PIPS_BLUR, SURE_FROM_PX, TABLE_SIDE_PX
from vision.reading import Reading
from vision.table import TableReading

Code = Literal["glare", "glare_left", "glare_right", "low_angle", "small", "blurred", "covered"]

MOST = 2  # nobody heeds more at once
# Pitches by which dice lean, here 40 degrees off the vertical. In the 43 shared photos nothing lies over the
# windows seen from lower down, and yet nine look covered somewhere; of the others none without a cover.
FLAT_FROM = 0.51
SMALL_PX = 30.0  # pixels a cell, in the photo as it is read
ASIDE = 0.5  # pitches from the window's middle by which blinded dice lie to one side of it
STEPS: dict[Code, Sentence] = {
    "glare": sentence("Stand on another side of the table."),
    "glare_right": sentence("Stand further left."),
    "glare_left": sentence("Stand further right."),
    "low_angle": sentence("Hold the phone higher above it."),
    "small": sentence("Come closer, or take two photos."),
    "blurred": sentence("Hold still and tap it to focus."),
    "covered": sentence("Take it away."),
}


@dataclass(frozen=True)
class Advice:
    """What to do about one window in the next photo.

    ``window`` is its number, from 1, and ``dice`` of how many of its spaces this would help to be sure. Of
    ``glare_left`` and ``glare_right`` the blinded dice lie on that side of the window in the picture.
    """

    code: Code
    window: int
    dice: int

    @property
    def sentence(self) -> Sentence:
        """What is wrong."""
        return _said(self.code, self.window, self.dice)

    @property
    def advice(self) -> Sentence:
        """What to do about it."""
        return STEPS[self.code]


def advise(image_bgr: NDArray[np.uint8], table: TableReading) -> tuple[Advice, ...]:
    """Return what would help most, the most helpful first; nothing where nothing is in doubt.

    What could not be read at all says itself what to do about it.

    Parameters
    ----------
    image_bgr
        The upright photo that the table was read from, or a smaller copy of it, uint8 H x W x 3, BGR.
    table
        What was read from it.
    """
    doubted = [(number, one) for number, one in enumerate(table.windows, start=1) if one.doubtful]
    if not doubted:
        return ()
    photo = Photo(image_bgr, table.size, image_bgr.shape[1] / table.size[0])
    photo = brightened(photo)  # as it was read
    photo = in_white_light(in_white_of(Helper(photo.image_bgr), photo))
    found = (_about(photo, number, one) for number, one in doubted)
    return tuple(sorted((one for one in found if one), key=lambda one: -one.dice)[:MOST])


def _about(photo: Photo, number: int, reading: Reading) -> Advice | None:
    """Return what would help most with one window."""
    height, width = photo.image_bgr.shape[:2]
    grid = Grid.from_corners(as_corners(np.array(reading.corners) * photo.scale), (width, height))
    doubtful = np.array([cell.doubtful for cell in reading.cells])
    covered = np.array([cell.covered for cell in reading.cells])
    bright = blinded(photo.image_bgr, grid) & doubtful
    unclear = int((doubtful & ~covered & ~bright).sum())
    pitch_px = grid.pitch_px / photo.scale * min(1.0, TABLE_SIDE_PX / max(photo.full_size))
    # Where no cell is large enough to be sure of, nothing else is worth the way.
    is_flat = np.linalg.norm(lean_of(grid)) > FLAT_FROM and pitch_px >= SURE_FROM_PX
    # In a copy so small that its cells are, nobody can tell whether the photo itself is blurred.
    is_blurred = grid.pitch_px >= SMALL_PX and window_blur(photo.image_bgr, grid.homography) > PIPS_BLUR
    helped: dict[Code, int] = {
        "glare": int(bright.sum()),
        # From low down a space may look covered though nothing lies over it.
        "low_angle": int((doubtful & ~bright).sum()) * bool(is_flat),
        "small": unclear * (pitch_px < SMALL_PX),
        "blurred": unclear * is_blurred,
        "covered": int((covered & ~bright).sum()),
    }
    code = max(helped, key=lambda one: helped[one])
    if not helped[code]:
        return None
    return Advice(_where(bright, grid) if code == "glare" else code, number, helped[code])


def _where(bright: NDArray[np.bool_], grid: Grid) -> Code:
    """Return on which side of a window its blinded dice lie in the picture."""
    across = apply_homography(grid.plane(TOP_HEIGHT), CELL_CENTERS)[:, 0]
    aside = float(across[bright].mean() - across.mean()) / grid.pitch_px
    if abs(aside) <= ASIDE:
        return "glare"
    return "glare_right" if aside > 0 else "glare_left"


def _said(code: Code, number: int, dice: int) -> Sentence:
    """Return what is wrong with a window."""
    match code:
        case "low_angle":
            return sentence("Window {number} was photographed at too flat an angle.", number=number)
        case "small":
            return sentence("Window {number} is small in the photo.", number=number)
        case "blurred":
            return sentence("Window {number} is blurred.", number=number)
        case "covered":
            return counted(
                "Something lies over {count} space of window {number}.",
                "Something lies over {count} spaces of window {number}.",
                dice,
                number=number,
            )
    return counted(
        "The glare of the lamp hides {count} die of window {number}.",
        "The glare of the lamp hides {count} dice of window {number}.",
        dice,
        number=number,
    )
