"""What a camera sees while somebody aims: where the windows are, and the one thing to do before the photo.

No die is read, and the finder looks at the frame as a whole only, and once at what seems a window. Of 211
frames of 640 pixels half took one core 40 ms or less (a run of the finder: 8.5), 95 % less than 60, the worst
77; frames of tables, whose windows are all wanted, 116 at most.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from scoring.sentences import Sentence, counted, sentence
from vision.advice import KINDS, tilt_deg
from vision.detection.search import (
    BRIGHT_SHARE,
    DARK,
    FEW_MARKS,
    LARGE_ENOUGH_PX,
    Search,
    windows_of,
    worth_a_look,
)
from vision.detection.sighting import Sighting
from vision.detection.views import VIEW_PX, Levels
from vision.geometry import COLUMNS, ROWS, Image8, as_corners, rectify, strongest
from vision.reading import Corners
from vision.recognition.cells import blinded

FRAME_PX = 640  # the longest side of a frame
TRIES, TRIES_OF_TABLE = 1, 3  # lattices that are looked at closely, once each
CLOSE_PX = 16  # pixels a cell in a frame: 32 in a photo of 1280 pixels, where 30 are enough to read
FLAT_CELL_PX, LIGHTEST = 12, 98  # how the light of a window is measured; a percentile


class Hint(StrEnum):
    """The one thing to do."""

    NO_WINDOW = "no_window"
    CUT_OFF = "cut_off"
    CLOSER = "closer"
    TILT = "tilt"
    DARK = "dark"
    BLURRED = "blurred"
    GLARE = "glare"
    GOOD = "good"


SENTENCES = {
    Hint.NO_WINDOW: sentence("Point at a window"),
    Hint.CUT_OFF: sentence("Show the whole window"),
    Hint.CLOSER: sentence("Come closer"),
    Hint.TILT: sentence("Hold it flatter above the window"),
    Hint.DARK: sentence("More light"),
    Hint.BLURRED: sentence("Hold still…"),
    Hint.GOOD: sentence("Good: hold still…"),
}


@dataclass(frozen=True)
class Look:
    """What a frame shows: the corners of each whole window in its pixels, and the one thing to do.

    ``dice`` is how many a lamp hides.
    """

    windows: tuple[Corners, ...]
    hint: Hint
    dice: int = 0

    @property
    def is_ready(self) -> bool:
        """Whether nothing speaks against a photo, but that the camera may move."""
        return self.hint is Hint.GOOD

    @property
    def sentence(self) -> Sentence:
        """The hint as people read it."""
        if self.hint is not Hint.GLARE:
            return SENTENCES[self.hint]
        return counted(
            "A lamp shines in one die: move a little",
            "A lamp shines in {count} dice: move a little",
            self.dice,
        )


def look_at(image_bgr: Image8, *, every: bool = False) -> Look:
    """Return what a frame shows.

    Parameters
    ----------
    image_bgr
        The frame, uint8 H x W x 3, BGR, its longer side `FRAME_PX` pixels.
    every
        Whether a photo of the table is wanted; otherwise the hint is about the largest window alone.
    """
    tries = TRIES_OF_TABLE if every else TRIES
    search = Search(Levels(image_bgr), every=every, budget=tries, brief=True)
    search.glance()
    seen = windows_of(search.seen)
    whole = sorted((one for one in seen if one.whole), key=lambda one: -one.grid.pitch_px)
    outlines = tuple(as_corners(one.grid.corners_px) for one in whole)
    if not whole:
        return Look((), _of_none(search))
    if every and (len(whole) < len(seen) or search.cut_sides):
        return Look(outlines, Hint.CUT_OFF)
    hints = (_of_window(search.photo, one) for one in (whole if every else whole[:1]))
    hint, dice = next((one for one in hints if one[0] is not Hint.GOOD), (Hint.GOOD, 0))
    return Look(outlines, hint, dice)


def _of_none(search: Search) -> Hint:
    """Return what to do where no whole window was seen."""
    if search.seen or search.cut_sides or search.met_sides:
        return Hint.CUT_OFF
    if places := worth_a_look(search.places, 1, FEW_MARKS):  # it is one that is seen from too far or too low
        pitch_px = (places[0].square_px / (ROWS * COLUMNS)) ** 0.5
        is_far = pitch_px < LARGE_ENOUGH_PX * max(search.photo.size) / VIEW_PX
        return Hint.CLOSER if is_far else Hint.TILT
    is_dark = (strongest(search.photo.image_bgr) > DARK).mean() < BRIGHT_SHARE
    return Hint.DARK if is_dark else Hint.NO_WINDOW


def _of_window(photo: Levels, window: Sighting) -> tuple[Hint, int]:
    """Return what to do for a window that is whole in view, and how many of its dice a lamp hides."""
    grid = window.grid
    if grid.pitch_px < CLOSE_PX:
        return Hint.CLOSER, 0
    if tilt_deg(grid) > KINDS["tilt"].fair:
        return Hint.TILT, 0
    flat = rectify(photo.image_bgr, grid.homography, FLAT_CELL_PX, 0)
    if 100 * np.percentile(strongest(flat), LIGHTEST) / 255 < KINDS["light"].fair:
        return Hint.DARK, 0
    if 100 * window.scrutiny.blur > KINDS["sharpness"].fair:
        return Hint.BLURRED, 0
    # An empty space may be as bright: of 15 such in frames none counts, of 63 dice painted white 58 do.
    if hidden := int((blinded(photo.image_bgr, grid) & window.tops).sum()):
        return Hint.GLARE, hidden
    return Hint.GOOD, 0
