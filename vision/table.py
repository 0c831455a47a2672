"""What one photo shows of a whole table: windows, loose dice, objective cards, and what could not be read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any, Literal, Self, get_args

from scoring import Color, Die, PublicObjective, Tool
from scoring.game.setup import ROUNDS
from vision.errors import VisionError
from vision.reading import Alternative, Corners, Point, Reading, Stored, as_probability

Place = Literal["pool", "track"]
What = Literal["window", "die", "card"]
CardKind = Literal["public_objective", "tool"]
CARDS: Mapping[CardKind, type[PublicObjective | Tool]] = {"public_objective": PublicObjective, "tool": Tool}
"""The cards of each kind, which ``CardReading.name`` names."""


def _point(data: Any) -> Point:  # noqa: ANN401  data from anywhere
    x, y = map(float, data)
    if not (isfinite(x) and isfinite(y)):
        raise ValueError(data)
    return x, y


@dataclass(frozen=True)
class LooseDie(Stored):
    """A die that lies in no window.

    ``center`` is the middle (x, y) of its top face and ``size`` the length of its edge there, both in pixels
    of the upright photo. ``confidence`` and ``alternatives`` are as those of a cell. ``place`` is None where
    it cannot be told whether it lies in the draft pool or on the round track; ``round`` (1 to 10) is that of
    a die on the track.
    """

    color: Color
    value: int
    confidence: float
    doubtful: bool
    alternatives: tuple[Alternative, ...]
    center: Point
    size: float
    place: Place | None = None
    round: int | None = None

    @property
    def die(self) -> Die:
        """The die as the rules see it."""
        return Die(self.color, self.value)

    def to_json(self) -> dict[str, object]:
        """Return it as in ``sagrada read --all --json``."""
        return {
            "color": self.color.value,
            "value": self.value,
            "confidence": self.confidence,
            "doubtful": self.doubtful,
            "alternatives": [other.to_json() for other in self.alternatives],
            "center": list(self.center),
            "size": self.size,
            "place": self.place,
            "round": self.round,
        }

    @classmethod
    def _of(cls, data: Mapping[str, Any]) -> Self:
        die, size = Die(Color(data["color"]), data["value"]), float(data["size"])
        place, number = data["place"], data["round"]
        if not 0 <= size < float("inf"):
            raise ValueError(size)
        if place not in {None, *get_args(Place)} or number not in {None, *range(1, ROUNDS + 1)}:
            raise ValueError(place, number)
        return cls(
            color=die.color,
            value=die.value,
            confidence=as_probability(data["confidence"]),
            doubtful=bool(data["doubtful"]),
            alternatives=tuple(map(Alternative.from_json, data["alternatives"])),
            center=_point(data["center"]),
            size=size,
            place=place,
            round=None if number is None else int(number),
        )


@dataclass(frozen=True)
class CardReading(Stored):
    """A public objective card in view; tool cards stand only in what earlier versions stored.

    ``name`` is the card's own; ``corners`` are the card's in pixels of the upright photo: top left, top
    right, bottom right, bottom left as one reads it. A doubtful one is for a person to confirm.
    """

    name: str
    confidence: float
    doubtful: bool
    corners: Corners
    kind: CardKind = "public_objective"

    def to_json(self) -> dict[str, object]:
        """Return it as in ``sagrada read --all --json``."""
        return {
            "kind": self.kind,
            "name": self.name,
            "confidence": self.confidence,
            "doubtful": self.doubtful,
            "corners": [list(corner) for corner in self.corners],
        }

    @classmethod
    def _of(cls, data: Mapping[str, Any]) -> Self:
        kind: CardKind = data["kind"]
        name = CARDS[kind](data["name"]).value
        a, b, c, d = map(_point, data["corners"])
        return cls(name, as_probability(data["confidence"]), bool(data["doubtful"]), (a, b, c, d), kind)


@dataclass(frozen=True)
class Unread:
    """What cannot be read though it is in view: why, and its middle (x, y) in pixels of the upright photo."""

    reason: VisionError
    center: Point
    what: What = "window"

    def to_json(self) -> dict[str, object]:
        """Return it as in ``sagrada read --all --json``."""
        return {"what": self.what, **self.reason.to_json(), "center": list(self.center)}


@dataclass(frozen=True)
class TableReading:
    """Everything read from one photo of a table.

    ``size`` is (width, height) of the upright photo in pixels. ``windows`` and ``unread`` stand clockwise
    around its middle, each from the one nearest the bottom edge; there may be none.
    """

    size: tuple[int, int]
    windows: tuple[Reading, ...]
    unread: tuple[Unread, ...]
    seconds: float
    loose_dice: tuple[LooseDie, ...] = ()
    cards: tuple[CardReading, ...] = ()

    @property
    def objectives(self) -> tuple[CardReading, ...]:
        """The public objective cards."""
        return tuple(card for card in self.cards if card.kind == "public_objective")

    @property
    def tools(self) -> tuple[CardReading, ...]:
        """The tool cards, which earlier versions could be taught."""
        return tuple(card for card in self.cards if card.kind == "tool")

    @property
    def track(self) -> tuple[LooseDie, ...]:
        """The dice on the round track, by round where that can be told."""
        on_it = (die for die in self.loose_dice if die.place == "track")
        return tuple(sorted(on_it, key=lambda die: die.round or 0))

    def to_json(self) -> dict[str, object]:
        """Return the table as in ``sagrada read --all --json``, without the photo's name."""
        return {
            "seconds": self.seconds,
            "size": list(self.size),
            "windows": [
                {"number": number, **one.to_json()} for number, one in enumerate(self.windows, start=1)
            ],
            "loose_dice": [die.to_json() for die in self.loose_dice],
            "cards": [card.to_json() for card in self.cards],
            "unread": [one.to_json() for one in self.unread],
        }
