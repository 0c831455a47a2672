"""What would make a photo better: what is in the way of reading it, how much, and one thing to do about each.

`examine` judges the photo of one window by plain measures (how sharp, bright, near, level and
colorful it is); `advise` says what would help the windows of a table most. Light and colors are those that
the camera saw, before the reader corrects them; of a window they are measured on its dice, if it has any.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations
from typing import Literal

import cv2
import numpy as np

from scoring import Color
from scoring.sentences import Sentence, counted, sentence
from vision.detection.search import BLURRY, blur
from vision.detection.sighting import window_blur
from vision.geometry import (
    CELL_CENTERS,
    COLUMNS,
    DIE_EDGE,
    FLOOR_HEIGHT,
    ROWS,
    TOP_HEIGHT,
    USUAL_HEIGHT,
    Float,
    Grid,
    Image8,
    Mask,
    apply_homography,
    as_corners,
    rectify,
    tops,
)
from vision.photo import DIM_WHITE, Photo, brightened, in_white_light
from vision.read import PIPS_BLUR, TABLE_SIDE_PX, WINDOW_SIDE_PX
from vision.reading import Reading
from vision.recognition.cells import SURE_FROM_PX, blinded, lean_of, striped
from vision.table import TableReading

# --- measures ----------------------------------------------------------------------------------------


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


def _light_of(image_bgr: Image8) -> dict[str, float]:
    """Return light, contrast, clipping (percent each) and cast (CIEDE2000) of a picture, uint8 BGR."""
    lightest = float(np.percentile(image_bgr.max(axis=2), LIGHTEST))
    grey = cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY)
    low, high = np.percentile(grey, [DARKEST, LIGHTEST])
    return {
        "light": 100 * lightest / 255,
        "contrast": 100 * float(high - low) / max(float(high), 1),
        "clipping": 100 * float(_burnt(image_bgr).mean()),
        "cast": _from_white(np.percentile(image_bgr.reshape(-1, 3), LIGHTEST, axis=0)),
    }


def _of_whole(image_bgr: Image8) -> dict[str, float]:
    """Return what can be known of a photo, uint8 BGR, in which no window was found."""
    scale = min(1.0, SAMPLE_PX / max(image_bgr.shape[:2]))
    size = tuple(max(1, round(side * scale)) for side in image_bgr.shape[1::-1])
    small = np.asarray(cv2.resize(image_bgr, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    grey = np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    return {"sharpness": 100 * blur(grey), **_light_of(small)}


def _of_window(image_bgr: Image8, read_bgr: Image8, grid: Grid, reading: Reading) -> dict[str, float]:
    """Return tilt, light and colors of a window in a photo as the camera took it and as it was read."""
    measured = {"tilt": tilt_deg(grid), **_light_of(rectify(image_bgr, grid.homography, CELL_PX, 0))}
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


def _burnt(pixels: Image8) -> Mask:
    """Return which pixels (..., 3) are burnt out."""
    return np.asarray(np.sort(pixels, axis=-1)[..., 1] >= BURNT)


def _white(faces: Image8) -> Float:
    """Return the color of white in this light, (3,) BGR, as the pips of dice (N, P, 3) show it."""
    # A pip is never quite clean of its die's color; those of dice of several colors together are.
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


# --- what may be in the way -----------------------------------------------------------------------------

SMALL_PX = 30.0
"""Pixels a cell, in the photo as it is read, from which nobody needs to come closer."""

TOLD_LATER = 0
"""What stands in a sentence until its number is known."""


class Verdict(StrEnum):
    """How much something is in the way, in the order of its words."""

    GOOD = "good"
    FAIR = "could_be_better"
    BAD = "bad"

    @property
    def label(self) -> Sentence:
        """What people call it."""
        return VERDICTS[self]


VERDICTS: Mapping[Verdict, Sentence] = {
    Verdict.GOOD: sentence("good"),
    Verdict.FAIR: sentence("could be better"),
    Verdict.BAD: sentence("bad"),
}


@dataclass(frozen=True)
class Kind:
    """What can be in the way of reading a photo.

    ``label`` says it with its ``{number}``, ``unit`` is that of the number, ``step`` what to do. From the
    number ``fair`` on it could be better, from ``bad`` on it is bad; where ``bad`` is the smaller one, less
    is worse. What ``follows`` from something else is said after it where that is as bad.
    """

    unit: str
    label: Sentence
    step: Sentence
    fair: float
    bad: float
    follows: tuple[str, ...] = ()

    def severity(self, number: float) -> float:
        """Return how bad a number is: below 0 good, from 1 on bad."""
        return (number - self.fair) / (self.bad - self.fair)


# The bounds of light, colors and the first of blur were set on 24 drawn windows without a fault and ten with
# each fault. Those without one have at most 31 % of blur,
# 11 of cast and 9 % burnt out, and at least 61 % of contrast and 11 of separation. Angle, size and the second
# bound of blur are near those by which the reader itself doubts. The first of blur was then
# raised from 33 to 36: of 72 rendered photos that are read without a doubt a dozen lie between.
KINDS: Mapping[str, Kind] = {
    "sharpness": Kind(
        "%",
        sentence("Blur: {number}%", number=TOLD_LATER),
        sentence("Hold still and tap it to focus."),
        36,
        100 * PIPS_BLUR,
    ),
    "light": Kind(
        "%",
        sentence("Brightness of the lightest parts: {number}%", number=TOLD_LATER),
        sentence("Turn on another lamp, or go nearer to one."),
        100 * DIM_WHITE / 255,
        15,
    ),
    "clipping": Kind(
        "%",
        sentence("Overexposed: {number}%", number=TOLD_LATER),
        sentence("Tap a bright die, so that the phone takes less light, and switch off the flash."),
        12,
        25,
    ),
    "contrast": Kind(
        "%",
        sentence("Contrast: {number}%", number=TOLD_LATER),
        sentence("Wipe the lens, and keep lamps and windows out of its sight."),
        50,
        35,
        ("clipping", "sharpness", "stripes"),
    ),
    "size": Kind(
        "pixels_per_die",
        sentence("Size of a die: {number} pixels", number=TOLD_LATER),
        sentence("Come closer, or take two photos."),
        SMALL_PX * DIE_EDGE,
        SURE_FROM_PX * DIE_EDGE,
    ),
    # 40 degrees: nothing lies over the windows of the shared photos seen from lower down, and yet nine of
    # them look covered somewhere; of the others none without a cover.
    "tilt": Kind(
        "degrees",
        sentence("Angle from straight above: about {number}°", number=TOLD_LATER),
        sentence("Hold the phone higher above it."),
        40,
        45,
        ("size",),  # where no cell is large enough to be sure of, nothing else is worth the way
    ),
    "cast": Kind(
        "delta_e_2000",
        sentence("Color of the light: {number} ΔE from white", number=TOLD_LATER),
        sentence("Use daylight or a white lamp."),
        15,
        20,
        ("sharpness", "size"),
    ),
    "separation": Kind(
        "delta_e_2000",
        sentence("The two most alike colors of dice: {number} ΔE apart", number=TOLD_LATER),
        sentence("Use more and whiter light, and no filter."),
        10,
        7,
        ("sharpness", "light", "clipping", "contrast", "size", "cast", "stripes"),
    ),
    "glare": Kind(
        "dice",
        sentence("Dice hidden by the glare of a lamp: {number}", number=TOLD_LATER),
        sentence("Stand on another side of the table."),
        0.5,
        1.5,
        ("clipping",),
    ),
    "stripes": Kind(
        "dice",
        sentence("Dice crossed by stripes of light and shade: {number}", number=TOLD_LATER),
        sentence("Draw the curtain, or shade the window with your body."),
        0.5,
        1.5,
    ),
    "covered": Kind(
        "spaces",
        sentence("Spaces with something over them: {number}", number=TOLD_LATER),
        sentence("Take it away."),
        0.5,
        1.5,
        # From low down a space may look covered though nothing lies over it.
        ("tilt", "size", "clipping", "stripes"),
    ),
}
WHOLE: Mapping[str, Kind] = {
    "sharpness": replace(KINDS["sharpness"], fair=63, bad=100 * BLURRY),
    "light": KINDS["light"],
    "clipping": replace(
        KINDS["clipping"],
        fair=30,
        bad=50,
    ),
    "cast": replace(KINDS["cast"], fair=20, bad=27),
}
"""What can be told of a photo in which no window was found; the contrast of a bare table means nothing."""
STAND_ASIDE = {"left": sentence("Stand further right."), "right": sentence("Stand further left.")}


@dataclass(frozen=True)
class Check:
    """One thing that may be in the way of reading a photo.

    ``number`` is in the unit of its ``kind``. ``doubts`` is of how many spaces a better photo in this respect
    would help to be sure. ``side`` is where in the picture dice lie that are hidden by glare, ``"left"`` or
    ``"right"``, "" where it is both or neither.
    """

    code: str
    kind: Kind
    number: float
    doubts: int = 0
    side: str = ""

    @property
    def verdict(self) -> Verdict:
        """How much it is in the way."""
        severity = self.kind.severity(self.number)
        return Verdict.GOOD if severity < 0 else Verdict.FAIR if severity < 1 else Verdict.BAD

    @property
    def sentence(self) -> Sentence:
        """What was measured."""
        return replace(self.kind.label, things=(("number", f"{self.number:.0f}"),))

    @property
    def advice(self) -> Sentence:
        """What to do about it."""
        return STAND_ASIDE.get(self.side, self.kind.step)


# --- one window ------------------------------------------------------------------------------------------

ASIDE = 0.5  # pitches from the window's middle by which blinded dice lie to one side of it


def examine(
    image_bgr: Image8, reading: Reading | None = None, side_px: int = WINDOW_SIDE_PX
) -> tuple[Check, ...]:
    """Return what is in the way of reading a photo, the most helpful first, and then what is good.

    Parameters
    ----------
    image_bgr
        The upright photo, or a smaller copy of it, uint8 H x W x 3, BGR.
    reading
        What was read in it; None when nothing was.
    side_px
        The longest side of a photo as it is read.

    Raises
    ------
    BoardUnreadableError
        The photo is one that the reader refuses for its light, so that no reading can be of it.
    """
    if reading is None:
        numbers = _of_whole(image_bgr)
        return _ordered(Check(code, kind, numbers[code]) for code, kind in WHOLE.items())
    photo = Photo(image_bgr, reading.size, image_bgr.shape[1] / reading.size[0])
    read_bgr = in_white_light(brightened(photo)).image_bgr
    height, width = image_bgr.shape[:2]
    grid = Grid.from_corners(as_corners(np.array(reading.corners) * photo.scale), (width, height))
    doubtful = np.array([cell.doubtful for cell in reading.cells])
    covered = np.array([cell.covered for cell in reading.cells])
    bright = blinded(read_bgr, grid) & doubtful
    filled = np.array([cell.die is not None for cell in reading.cells])
    crossed = striped(read_bgr, grid, filled) & filled & doubtful
    die_px = DIE_EDGE * grid.pitch_px / photo.scale * min(1.0, side_px / max(reading.size))
    doubts = {
        "glare": int(bright.sum()),
        "covered": int((covered & ~bright).sum()),
        "stripes": int(crossed.sum()),
        "tilt": int((doubtful & ~bright).sum()),
        "clipping": int(doubtful.sum()),
    }
    numbers = {**_of_window(image_bgr, read_bgr, grid, reading), "size": die_px}
    numbers |= {code: float(doubts[code]) for code in ("glare", "covered", "stripes")}
    # In a copy so small that its cells are, nobody can tell whether the photo itself is blurred.
    if grid.pitch_px >= SMALL_PX:
        numbers["sharpness"] = 100 * window_blur(read_bgr, grid.homography)
    unclear = int((doubtful & ~covered & ~bright).sum())
    sides = {"glare": _side(bright, grid)}
    return _ordered(
        Check(code, KINDS[code], number, doubts.get(code, unclear), sides.get(code, ""))
        for code, number in numbers.items()
    )


def _ordered(found: Iterable[Check]) -> tuple[Check, ...]:
    """Return checks, the most helpful first: the worst, and of these what explains most doubts."""
    checks = tuple(found)
    bad = {one.code: list(Verdict).index(one.verdict) for one in checks}

    def key(check: Check) -> tuple[bool, bool, int, int, float]:
        own = bad[check.code]
        follows = any(bad.get(cause, 0) >= own for cause in check.kind.follows)
        return not own, follows, -own, -check.doubts, -check.kind.severity(check.number)

    return tuple(sorted(checks, key=key))


def _side(bright: Mask, grid: Grid) -> str:
    """Return on which side of a window its blinded dice lie in the picture."""
    across = apply_homography(grid.plane(TOP_HEIGHT), CELL_CENTERS)[:, 0]
    aside = float(across[bright].mean() - across.mean()) / grid.pitch_px if bright.any() else 0.0
    return "right" if aside > ASIDE else "left" if aside < -ASIDE else ""


# --- a table ------------------------------------------------------------------------------------------------

Code = Literal[
    "glare",
    "glare_left",
    "glare_right",
    "low_angle",
    "small",
    "blurred",
    "covered",
    "striped",
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
    "striped": "stripes",
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
    "striped": sentence("Stripes of light and shade lie over window {number}.", number=TOLD_LATER),
    "dark": sentence("Window {number} has too little light.", number=TOLD_LATER),
    "burnt_out": sentence("Window {number} is overexposed.", number=TOLD_LATER),
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
        if self.code in SAID:
            return replace(SAID[self.code], things=(("number", self.window),))
        if self.code == "covered":
            return counted(
                "Something lies over {count} space of window {number}.",
                "Something lies over {count} spaces of window {number}.",
                self.dice,
                number=self.window,
            )
        return counted(
            "The glare of the lamp hides {count} die of window {number}.",
            "The glare of the lamp hides {count} dice of window {number}.",
            self.dice,
            number=self.window,
        )

    @property
    def advice(self) -> Sentence:
        """What to do about it."""
        side = next((side for side, code in SIDES.items() if code == self.code), "")
        return STAND_ASIDE.get(side, KINDS[CHECKS[self.code]].step)


def advise(image_bgr: Image8, table: TableReading) -> tuple[Advice, ...]:
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
    found = (_first_of(image_bgr, number, replace(one, size=table.size)) for number, one in doubted)
    return tuple(sorted(filter(None, found), key=lambda one: -one.dice)[:MOST])


def _first_of(image_bgr: Image8, number: int, reading: Reading) -> Advice | None:
    """Return what would help most with one window."""
    for check in examine(image_bgr, reading, TABLE_SIDE_PX):
        if check.doubts and check.verdict is not Verdict.GOOD:
            code = next(code for code, one in CHECKS.items() if one == check.code)
            return Advice(SIDES.get(check.side, code), number, check.doubts)
    return None
