"""What dice of another make look like: learned from photos, kept as a file that people can read.

A profile does not say what a color looks like under some lamp, as the reader sees all dice of a window
together: each dye has a place among the others (`vision.recognition.dice`), which hardly depends on the
light. Its CIELAB color is for people.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from math import isfinite
from typing import Any

from scoring import Color
from scoring.names import GIVE_A_NAME, NOTHING_SHOWS, has_control, tidied
from scoring.sentences import sentence
from vision.errors import VisionError

SCHEMA, MIXED_SCHEMA = 1, 2
"""What files are written as, the latter those with mixed pips, which programs of before do not know; those of
a later program are refused and left alone."""
SIGNATURE = 16  # numbers that place a dye among the others
LONGEST_NAME = 60


class Pips(StrEnum):
    """Whether pips are lighter or darker than their die, or lighter than some dice and darker than others."""

    LIGHT = "light"
    DARK = "dark"
    MIXED = "mixed"


class How(StrEnum):
    """What dice were learned from."""

    WINDOW = "window"
    LOOSE = "loose"
    CORRECTIONS = "corrections"


@dataclass(frozen=True)
class Dye:
    """One color of dice.

    ``lab`` is what upper faces look like in the light they were learned in, CIELAB for D65 (2 degrees),
    told for people; ``signature`` is where the dye stands among others. ``dice`` is how many it was learned
    from; of a dye of none the game's own is kept.
    """

    lab: tuple[float, float, float]
    signature: tuple[float, ...]
    dice: int


@dataclass(frozen=True)
class Source:
    """One photo that dice were learned from: ``when`` is a time in ISO 8601, ``dice`` how many were named."""

    how: How
    when: str
    dice: int


@dataclass(frozen=True)
class Quality:
    """What the profile did for dice held back from learning.

    Of ``dice`` so many were right ``before``, with what was there then, and ``after``.
    """

    dice: int
    before: int
    after: int


@dataclass(frozen=True)
class Profile:
    """Dice of one make, ready to be read.

    ``dyes`` has all five colors. ``reader`` names the networks it was made with; with others it is useless.
    ``revision`` counts changes. ``light`` is the CIELAB color of what is white in the photos, where that is
    known. ``familiar`` says that the reader tells these dyes by itself, so that its word counts, too;
    ``values_known`` that enough values were named to know that it reads them: else dice that look strange
    stay in doubt.
    """

    name: str
    pips: Pips
    dyes: Mapping[Color, Dye]
    reader: str
    revision: int = 1
    sources: tuple[Source, ...] = ()
    quality: Quality | None = None
    light: tuple[float, float, float] | None = None
    familiar: bool = False
    values_known: bool = False

    def renamed(self, name: str) -> Profile:
        """Return the same dice under another name, or raise as `checked_name` does."""
        return replace(self, name=checked_name(name))

    def to_json(self) -> dict[str, object]:
        """Return the profile as it stands in its file."""
        return {
            "sagrada_profile": MIXED_SCHEMA if self.pips is Pips.MIXED else SCHEMA,
            "name": self.name,
            "revision": self.revision,
            "pips": self.pips.value,
            "dyes": {
                color.word: {"lab": list(dye.lab), "dice": dye.dice, "signature": list(dye.signature)}
                for color, dye in self.dyes.items()
            },
            "familiar": self.familiar,
            "values_known": self.values_known,
            "light": None if self.light is None else list(self.light),
            "lessons": [asdict(one) for one in self.sources],  # the key that files of 1.0.0 have
            "quality": self.quality and asdict(self.quality),
            "reader": self.reader,
        }

    def __str__(self) -> str:
        """Return the text of the file."""
        return json.dumps(self.to_json(), ensure_ascii=False, indent=1) + "\n"

    @classmethod
    def parse(cls, text: str) -> Profile:
        """Return the profile that a file holds.

        Raises
        ------
        VisionError
            It is no profile (``profile_damaged``), or one of a later program (``profile_newer``).
        """
        try:
            data = json.loads(text)
            schema = _count(data["sagrada_profile"])
        except (KeyError, RecursionError, TypeError, ValueError) as error:
            raise _damaged() from error
        if schema > MIXED_SCHEMA:
            raise VisionError(
                "profile_newer",
                sentence("This profile was written by a later version of the program."),
                sentence("Update the program; the file was left as it is."),
            )
        try:
            return cls._of(data)
        except (AttributeError, KeyError, OverflowError, TypeError, ValueError) as error:
            raise _damaged() from error

    @classmethod
    def _of(cls, data: Mapping[str, Any]) -> Profile:
        quality, light = data["quality"], data["light"]
        return cls(
            name=checked_name(data["name"]),
            pips=Pips(data["pips"]),
            dyes={color: _dye_of(data["dyes"][color.word]) for color in Color},
            reader=str(data["reader"]),
            revision=_count(data["revision"]),
            sources=tuple(
                Source(How(one["how"]), str(one["when"]), _count(one["dice"])) for one in data["lessons"]
            ),
            quality=quality and Quality(*(_count(quality[key]) for key in ("dice", "before", "after"))),
            light=None if light is None else _lab(light),
            familiar=bool(data["familiar"]),
            values_known=data["values_known"] is True,
        )


def checked_name(name: str) -> str:
    """Return a name for a profile as it is kept, see `scoring.names.tidied`, or raise a `VisionError`.

    Codes: ``bad_profile_name``, and ``hidden_name`` where nothing of it can be seen.
    """
    typed, name = name, tidied(name)
    if not name and typed.strip(" "):
        raise VisionError("hidden_name", NOTHING_SHOWS, GIVE_A_NAME)
    if not name or len(name) > LONGEST_NAME or has_control(name):
        raise VisionError(
            "bad_profile_name",
            sentence("A profile needs a name of 1 to {most} characters.", most=LONGEST_NAME),
            sentence("Give it another name, such as that of the table it is for."),
        )
    return name


def _damaged() -> VisionError:
    return VisionError(
        "profile_damaged",
        sentence("This is no profile of dice, or it is damaged."),
        sentence("Take a file that was exported here, or learn the dice anew from a photo."),
    )


def _dye_of(data: Mapping[str, Any]) -> Dye:
    signature = tuple(map(_number, data["signature"]))
    if len(signature) != SIGNATURE:
        raise ValueError(signature)
    return Dye(_lab(data["lab"]), signature, _count(data["dice"]))


def _lab(data: Any) -> tuple[float, float, float]:  # noqa: ANN401  data from anywhere
    lightness, a, b = map(_number, data)
    return lightness, a, b


def _number(data: Any) -> float:  # noqa: ANN401  data from anywhere
    if isinstance(data, bool) or not isfinite(data) or abs(data) > 1e4:
        raise ValueError(data)
    return float(data)


def _count(data: Any) -> int:  # noqa: ANN401  data from anywhere
    if type(data) is not int or not 0 <= data < 10**9:
        raise ValueError(data)
    return data
