"""What would make a photo better: what is wrong with it, how much, and one thing to do about each.

This is the one judge of photos: `vision.advice` says of a table what it says of its windows. Whatever is in
the way is a `Check` with a number; the most helpful come first.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from scoring import WindowPattern
from scoring.sentences import ENGLISH, Sentence, Words, sentence
from vision import measures
from vision.cells.covered import blinded
from vision.errors import VisionError
from vision.find.refusals import BLURRY
from vision.find.scrutiny import window_blur
from vision.geometry import CELL_CENTERS, DIE_EDGE, TOP_HEIGHT, Grid, apply_homography, as_corners
from vision.photo import DIM_WHITE, Photo, brightened, in_white_light, load_photo
from vision.read import PIPS_BLUR, SURE_FROM_PX, WINDOW_SIDE_PX, read_photo
from vision.reading import Reading

SMALL_PX = 30.0
"""Pixels a cell, in the photo as it is read, from which nobody needs to come closer."""
ASIDE = 0.5  # pitches from the window's middle by which blinded dice lie to one side of it


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
    number ``fair`` on it could be better, from ``bad`` on it is bad; where ``bad`` is less than ``fair``, so is
    what is worse. What ``follows`` from something else is said after it where both are in the way.
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


# The bounds were set on 24 drawn windows with each fault alone (seeds from 78,000,000 on, see
# `calibration.training.held_back_doctor`), where unspoiled ones have at most 32 % of blur, 6 of cast and 5 %
# clipped, and at least 70 % of contrast and 18 of separation; angle, size and blur are those by which the
# reader itself doubts. CHECK
KINDS: Mapping[str, Kind] = {
    "sharpness": Kind(
        "%",
        sentence("Blur: {number} %"),
        sentence("Hold still and tap it to focus."),
        36,
        100 * PIPS_BLUR,
    ),
    "light": Kind(
        "%",
        sentence("Brightness of the lightest parts: {number} %"),
        sentence("Turn on another lamp, or go nearer to one."),
        100 * DIM_WHITE / 255,
        15,
    ),
    "clipping": Kind(
        "%",
        sentence("Burnt out by light: {number} % of a die"),
        sentence("Tap a bright die, so that the phone takes less light, and switch off the flash."),
        8,
        15,
    ),
    "contrast": Kind(
        "%",
        sentence("Contrast: {number} %"),
        sentence("Wipe the lens, and keep lamps and windows out of its sight."),
        50,
        35,
        ("clipping", "sharpness"),
    ),
    "size": Kind(
        "pixels_per_die",
        sentence("Size of a die: {number} pixels"),
        sentence("Come closer, or take two photos."),
        SMALL_PX * DIE_EDGE,
        SURE_FROM_PX * DIE_EDGE,
    ),
    # 40 degrees: nothing lies over the windows of the shared photos seen from lower down, and yet nine of them
    # look covered somewhere; of the others none without a cover.
    "tilt": Kind(
        "degrees",
        sentence("Angle from straight above: {number}°"),
        sentence("Hold the phone higher above it."),
        40,
        50,
        ("size",),  # where no cell is large enough to be sure of, nothing else is worth the way
    ),
    "cast": Kind(
        "delta_e_2000",
        sentence("Color of the light: {number} ΔE from white"),
        sentence("Use daylight or a white lamp."),
        15,
        20,
        ("sharpness", "size"),
    ),
    "separation": Kind(
        "delta_e_2000",
        sentence("The two most alike colors of dice: {number} ΔE apart"),
        sentence("Use more and whiter light, and no filter."),
        12,
        7,
        ("sharpness", "light", "clipping", "contrast", "size", "cast"),
    ),
    "glare": Kind(
        "dice",
        sentence("Dice hidden by the glare of a lamp: {number}"),
        sentence("Stand on another side of the table."),
        0.5,
        1,
        ("clipping",),
    ),
    "covered": Kind(
        "spaces",
        sentence("Spaces with something over them: {number}"),
        sentence("Take it away."),
        0.5,
        1,
        ("tilt", "size"),  # from low down a space may look covered though nothing lies over it
    ),
}
WHOLE: Mapping[str, Kind] = {
    "sharpness": replace(KINDS["sharpness"], fair=58, bad=100 * BLURRY),
    "light": KINDS["light"],
    "clipping": replace(
        KINDS["clipping"], label=sentence("Burnt out by light: {number} % of the photo"), fair=30, bad=50
    ),
    "contrast": KINDS["contrast"],
    "cast": replace(KINDS["cast"], fair=20, bad=27),
}
"""What can be told of a photo in which no window was found."""
BEHIND = {"too_blurry": "sharpness", "too_dark": "light", "too_small": "size", "no_colors": "separation"}
"""What is behind a refusal of the reader's."""
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

    def to_json(self, words: Words = ENGLISH) -> dict[str, object]:
        """Return the check as in ``sagrada doctor --json``; without a next step where all is good."""
        return {
            "code": self.code,
            "number": round(self.number, 1),
            "unit": self.kind.unit,
            "verdict": self.verdict.value,
            "message": words.say(self.sentence),
            "next_step": None if self.verdict is Verdict.GOOD else words.say(self.advice),
        }


@dataclass(frozen=True)
class Examination:
    """All that was found out about a photo: its checks, the most helpful first, and why it was refused."""

    checks: tuple[Check, ...]
    reading: Reading | None = None
    refusal: VisionError | None = None

    @property
    def in_the_way(self) -> tuple[Check, ...]:
        """The checks that are not good, the most helpful first."""
        return tuple(one for one in self.checks if one.verdict is not Verdict.GOOD)

    @property
    def cause(self) -> str | None:
        """The code of what is most in the way, None when nothing is, or only the refusal can say it."""
        if self.refusal is not None and self.refusal.code in BEHIND:
            return BEHIND[self.refusal.code]
        return self.in_the_way[0].code if self.in_the_way else None

    def to_json(self, words: Words = ENGLISH) -> dict[str, object]:
        """Return the examination as in ``sagrada doctor --json``, without the photo's name."""
        refused = {} if self.refusal is None else {"error": self.refusal.to_json(words)}
        return {**refused, "cause": self.cause, "checks": [one.to_json(words) for one in self.checks]}


def diagnose(
    source: bytes | str | os.PathLike[str], windows: Iterable[WindowPattern] | None = None
) -> Examination:
    """Read a photo of one window, and say what would make it better.

    Parameters
    ----------
    source, windows
        As for `vision.read_photo`.

    Raises
    ------
    PhotoError
        The file is no photo. One in which no window can be read is examined with what can be known of it.
    """
    photo = load_photo(source, max_side=WINDOW_SIDE_PX)
    try:
        reading = read_photo(source, windows=windows)
    except VisionError as refusal:
        return Examination(examine(photo.image_bgr), refusal=refusal)
    return Examination(examine(photo.image_bgr, reading), reading)


def examine(
    image_bgr: NDArray[np.uint8], reading: Reading | None = None, side_px: int = WINDOW_SIDE_PX
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
    """
    if reading is None:
        numbers = measures.of_whole(image_bgr)
        return _ordered(Check(code, WHOLE[code], number) for code, number in numbers.items())
    photo = Photo(image_bgr, reading.size, image_bgr.shape[1] / reading.size[0])
    read_bgr = in_white_light(brightened(photo)).image_bgr
    height, width = image_bgr.shape[:2]
    grid = Grid.from_corners(as_corners(np.array(reading.corners) * photo.scale), (width, height))
    doubtful = np.array([cell.doubtful for cell in reading.cells])
    covered = np.array([cell.covered for cell in reading.cells])
    bright = blinded(read_bgr, grid) & doubtful
    die_px = DIE_EDGE * grid.pitch_px / photo.scale * min(1.0, side_px / max(reading.size))
    numbers = {
        **measures.of_window(image_bgr, read_bgr, grid, reading),
        "size": die_px,
        "glare": float(bright.sum()),
        "covered": float((covered & ~bright).sum()),
    }
    # In a copy so small that its cells are, nobody can tell whether the photo itself is blurred.
    if grid.pitch_px >= SMALL_PX:
        numbers["sharpness"] = 100 * window_blur(read_bgr, grid.homography)
    doubts = {
        "glare": int(bright.sum()),
        "covered": int((covered & ~bright).sum()),
        "tilt": int((doubtful & ~bright).sum()),
    }
    unclear = int((doubtful & ~covered & ~bright).sum())
    return _ordered(
        Check(
            code,
            KINDS[code],
            number,
            doubts.get(code, unclear),
            _side(bright, grid) if code == "glare" else "",
        )
        for code, number in numbers.items()
    )


def _ordered(found: Iterable[Check]) -> tuple[Check, ...]:
    """Return checks, the most helpful first: what explains most doubts, and of these the worst."""
    checks = tuple(found)
    in_the_way = {one.code for one in checks if one.verdict is not Verdict.GOOD}

    def key(check: Check) -> tuple[bool, bool, int, float]:
        is_good = check.code not in in_the_way
        follows = not in_the_way.isdisjoint(check.kind.follows)
        return is_good, follows, -check.doubts, -check.kind.severity(check.number)

    return tuple(sorted(checks, key=key))


def _side(bright: NDArray[np.bool_], grid: Grid) -> str:
    """Return on which side of a window its blinded dice lie in the picture."""
    if not bright.any():
        return ""
    across = apply_homography(grid.plane(TOP_HEIGHT), CELL_CENTERS)[:, 0]
    aside = float(across[bright].mean() - across.mean()) / grid.pitch_px
    if abs(aside) <= ASIDE:
        return ""
    return "right" if aside > 0 else "left"
