"""What would help most: why a photo of a table leaves doubts, and what to do about it in the next one.

What is wrong with each window is for `vision.doctor` to judge; here stands what is told of a whole table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from scoring.sentences import Sentence, counted, sentence
from vision.checks import KINDS, STAND_ASIDE, TOLD_LATER, Verdict
from vision.doctor import examine
from vision.read import TABLE_SIDE_PX
from vision.reading import Reading
from vision.table import TableReading

Code = Literal[
    "glare",
    "glare_left",
    "glare_right",
    "low_angle",
    "small",
    "blurred",
    "covered",
    "dark",
    "burnt_out",
    "hazy",
    "tinted",
    "alike",
]

MOST = 2  # nobody heeds more at once
CHECKS: Mapping[Code, str] = {
    "glare": "glare",
    "glare_left": "glare",
    "glare_right": "glare",
    "low_angle": "tilt",
    "small": "size",
    "blurred": "sharpness",
    "covered": "covered",
    "dark": "light",
    "burnt_out": "clipping",
    "hazy": "contrast",
    "tinted": "cast",
    "alike": "separation",
}
"""The check of the doctor's that each comes from."""
SIDES: Mapping[str, Code] = {"left": "glare_left", "right": "glare_right"}
SAID: Mapping[Code, Sentence] = {
    "low_angle": sentence("Window {number} was photographed at too flat an angle.", number=TOLD_LATER),
    "small": sentence("Window {number} is small in the photo.", number=TOLD_LATER),
    "blurred": sentence("Window {number} is blurred.", number=TOLD_LATER),
    "dark": sentence("Window {number} has too little light.", number=TOLD_LATER),
    "burnt_out": sentence("Window {number} is burnt out by too much light.", number=TOLD_LATER),
    "hazy": sentence("Window {number} looks hazy.", number=TOLD_LATER),
    "tinted": sentence("Window {number} lies in colored light.", number=TOLD_LATER),
    "alike": sentence("The colors of the dice in window {number} look too much alike.", number=TOLD_LATER),
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
        side = next((side for side, code in SIDES.items() if code == self.code), "")
        return STAND_ASIDE.get(side, KINDS[CHECKS[self.code]].step)


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
    doubted = ((number, one) for number, one in enumerate(table.windows, start=1) if one.doubtful)
    found = (_about(image_bgr, number, replace(one, size=table.size)) for number, one in doubted)
    return tuple(sorted((one for one in found if one), key=lambda one: -one.dice)[:MOST])


def _about(image_bgr: NDArray[np.uint8], number: int, reading: Reading) -> Advice | None:
    """Return what would help most with one window."""
    for check in examine(image_bgr, reading, TABLE_SIDE_PX):
        if check.doubts and check.verdict is not Verdict.GOOD:
            code = next(code for code, one in CHECKS.items() if one == check.code)
            return Advice(SIDES.get(check.side, code), number, check.doubts)
    return None


def _said(code: Code, number: int, dice: int) -> Sentence:
    """Return what is wrong with a window."""
    if code == "covered":
        return counted(
            "Something lies over {count} space of window {number}.",
            "Something lies over {count} spaces of window {number}.",
            dice,
            number=number,
        )
    if code in SAID:
        return replace(SAID[code], things=(("number", number),))
    return counted(
        "The glare of the lamp hides {count} die of window {number}.",
        "The glare of the lamp hides {count} dice of window {number}.",
        dice,
        number=number,
    )
