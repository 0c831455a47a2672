"""What may be in the way of reading a photo, each with the bounds of its number and one thing to do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from scoring.sentences import ENGLISH, Sentence, Words, sentence
from vision.cells.crops import SURE_FROM_PX
from vision.find.refusals import BLURRY
from vision.geometry import DIE_EDGE
from vision.photo import DIM_WHITE
from vision.read import PIPS_BLUR

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
# each (`TUNED_ON` in `calibration.training.held_back_doctor`). Those without one have at most 31 % of blur,
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
        sentence("Burnt out by light: {number}% of a die", number=TOLD_LATER),
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
        ("clipping", "sharpness"),
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
        ("sharpness", "light", "clipping", "contrast", "size", "cast"),
    ),
    "glare": Kind(
        "dice",
        sentence("Dice hidden by the glare of a lamp: {number}", number=TOLD_LATER),
        sentence("Stand on another side of the table."),
        0.5,
        1.5,
        ("clipping",),
    ),
    "covered": Kind(
        "spaces",
        sentence("Spaces with something over them: {number}", number=TOLD_LATER),
        sentence("Take it away."),
        0.5,
        1.5,
        ("tilt", "size", "clipping"),  # from low down a space may look covered though nothing lies over it
    ),
}
WHOLE: Mapping[str, Kind] = {
    "sharpness": replace(KINDS["sharpness"], fair=63, bad=100 * BLURRY),
    "light": KINDS["light"],
    "clipping": replace(
        KINDS["clipping"],
        label=sentence("Burnt out by light: {number}% of the photo", number=TOLD_LATER),
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
