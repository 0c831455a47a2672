"""What lies beside the windows: loose dice and objective cards, held against their labels.

The labels of a table list the dice of the draft pool and of the round track, ``pool`` (``die`` and ``center``
each) and ``track`` (with ``round``), and those that lie anywhere, ``loose`` (with ``edge`` in pixels, and
with ``owed`` false where nobody could ask for it); where somebody wrote them down its ``cards`` by their
names. Photos of loose dice have ``dice`` with boxes, as `calibration.accuracy.loose` tells; only the game's
own dice are owed there, and what lies there unlabelled is nobody's invention. A scan of one card has its
``kind`` and ``name``.

A die is found when a reading's middle is within half a die of the labelled one. A die of which the photo's
edge takes the middle, or nearly so, is not owed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from calibration.accuracy.labels import PhotoLabel, Point, Size
from calibration.accuracy.loose import EDGE, POSES
from calibration.accuracy.origins import CARD, CARD_KINDS, TABLE
from calibration.accuracy.shares import NOTHING, Share
from calibration.errors import CalibrationError
from scoring import Color, Die
from scoring.errors import ScoringError
from vision import LooseDie, TableReading

OWN_DICE = "sagrada_loose"
"""The kind of photos of loose dice that are the game's own."""

FOUND_DICE = 0.5  # how far off a reading's middle may be, in edges of the die
EDGE_DICE = 0.4  # nearer than this to the photo's edge, a die's middle is not owed
NEAR_DICE = 1.0  # of a die that is not owed, a reading may be so far off
LOOSE, PLACES = "loose", ("pool", "track")


@dataclass(frozen=True)
class DieLabel:
    """A loose die: what it shows, None where nobody knows, and its top's middle and edge in pixels."""

    color: Color | None
    value: int | None
    center: Point
    edge: float
    place: str | None = None
    round: int | None = None
    owed: bool = True

    def is_read_by(self, die: LooseDie) -> bool:
        """Whether color and value are right, as far as they are labelled."""
        return die.color is (self.color or die.color) and die.value == (self.value or die.value)

    def owed_in(self, size: Size) -> bool:
        """Whether a reader must find it, as its middle is well inside a photo of that size."""
        least = EDGE_DICE * self.edge
        return self.owed and all(
            least <= at <= end - least for at, end in zip(self.center, size, strict=True)
        )


@dataclass(frozen=True)
class Beside:
    """What became of loose dice and cards in some photos.

    ``dice_found`` is of the dice that are owed, ``dice_right`` of those found and ``dice_placed`` of those
    found that are labelled as lying in the pool or on the track, there with their round. ``dice_unnoticed``
    are found, wrong and not flagged. ``dice_invented`` counts readings where no die lies, in ``photos`` in
    which all dice are labelled. ``other_found`` and ``other_right`` are of dice of other makes, which are not
    owed. ``cards_right`` is of the labelled cards; ``cards_unnoticed`` counts readings of cards that do not
    lie there and are not flagged.
    """

    dice_found: Share = NOTHING
    dice_right: Share = NOTHING
    dice_placed: Share = NOTHING
    dice_unnoticed: Share = NOTHING
    dice_invented: int = 0
    photos: int = 0
    other_found: Share = NOTHING
    other_right: Share = NOTHING
    cards_right: Share = NOTHING
    cards_unnoticed: Share = NOTHING

    @property
    def dice_invented_per_photo(self) -> float | None:
        """How many dice a photo were read where none lies, None where nobody labelled them all."""
        return round(self.dice_invented / self.photos, 4) if self.photos else None


def labelled_beside(label: PhotoLabel) -> bool:
    """Whether the label tells anything about loose dice or cards."""
    kind = label.keys.get("kind")
    return kind == TABLE or kind in CARD_KINDS or bool(label.keys.get("dice"))


def beside(label: PhotoLabel, table: TableReading | None, size: Size) -> Beside:
    """Hold what was read beside the windows against the label; None stands for a photo that was refused."""
    read = table.loose_dice if table else ()
    dice = tuple(dice_of(label))
    pairs, left = _paired(dice, read, size)
    owed = [(one, die) for one, die in pairs if one.owed_in(size)]
    found = [(one, die) for one, die in owed if die is not None]
    right = [one.is_read_by(die) for one, die in found]
    seen, shown_right = Share(len(found), len(owed)), Share.of(right)
    found_cards = _cards(label, table)
    if label.keys.get("dice") and label.keys.get("kind") != OWN_DICE:
        return replace(found_cards, other_found=seen, other_right=shown_right)
    all_labelled = not label.keys.get("dice")
    return replace(
        found_cards,
        dice_found=seen,
        dice_right=shown_right,
        dice_placed=Share.of(
            (one.place, one.round) == (die.place, die.round) for one, die in found if one.place
        ),
        dice_unnoticed=Share.of(not (one.is_read_by(die) or die.doubtful) for one, die in found),
        dice_invented=len(left) if all_labelled else 0,
        photos=int(all_labelled),
    )


def dice_of(label: PhotoLabel) -> Iterator[DieLabel]:
    """Yield the labelled loose dice of a photo.

    Raises
    ------
    CalibrationError
        One of them is malformed.
    """
    try:
        for place in (*PLACES, LOOSE):
            for entry in _entries(label.keys.get(place)):
                yield _lying(label, None if place == LOOSE else place, entry)
        for entry in _entries(label.keys.get("dice")):
            yield _boxed(str(label.keys.get("kind")), entry)
    except (KeyError, TypeError, ValueError, ScoringError) as error:
        message = f"{label.name}: a loose die is malformed ({error})."
        raise CalibrationError("bad_label", message, "Mend labels.json and try again.") from error


def _entries(found: object) -> list[Mapping[str, Any]]:
    return found if isinstance(found, list) else []


def _lying(label: PhotoLabel, place: str | None, entry: Mapping[str, Any]) -> DieLabel:
    die = Die.parse(entry["die"])
    x, y = (float(number) for number in entry["center"])
    edge = float(entry["edge"]) if "edge" in entry else _edge_at(label, (x, y))
    return DieLabel(die.color, die.value, (x, y), edge, place, entry.get("round"), entry.get("owed", True))


def _edge_at(label: PhotoLabel, center: Point) -> float:
    """Return the edge of a die in pixels, by the nearest window."""
    windows = [window for window in label.windows if None not in window.corners]
    if not windows:
        raise ValueError("no window tells how large a die is")

    def away(corners: Iterable[Point | None]) -> float:
        known = [point for point in corners if point is not None]
        return math.dist([sum(axis) / len(known) for axis in zip(*known, strict=True)], center)

    return EDGE * min(windows, key=lambda window: away(window.corners)).pitch_px


def _boxed(kind: str, entry: Mapping[str, Any]) -> DieLabel:
    x0, y0, x1, y1 = (float(number) for number in entry["bbox"])
    edge, center = POSES[kind].top((x0, y0, x1, y1))
    color = Color(entry["color"]) if entry.get("color") else None
    return DieLabel(color, entry.get("value"), center, edge)


def _paired(
    dice: Iterable[DieLabel], read: Iterable[LooseDie], size: Size
) -> tuple[list[tuple[DieLabel, LooseDie | None]], list[LooseDie]]:
    """Return each labelled die with what was read there, the nearest first, and what was read elsewhere."""
    dice, left = list(dice), list(read)
    reach = [one.edge * (FOUND_DICE if one.owed_in(size) else NEAR_DICE) for one in dice]
    near = sorted(
        (math.dist(one.center, die.center) / one.edge, i, k)
        for i, one in enumerate(dice)
        for k, die in enumerate(left)
        if math.dist(one.center, die.center) <= reach[i]
    )
    chosen: dict[int, int] = {}
    for _, i, k in near:
        if i not in chosen and k not in chosen.values():
            chosen[i] = k
    pairs = [(one, left[chosen[i]] if i in chosen else None) for i, one in enumerate(dice)]
    return pairs, [die for k, die in enumerate(left) if k not in chosen.values()]


def _cards(label: PhotoLabel, table: TableReading | None) -> Beside:
    """Return how the cards were read, nothing where nobody labelled them."""
    if label.keys.get("kind") in CARD_KINDS:
        names = {str(label.keys["name"])} if label.keys.get("kind") == CARD else set()
    elif isinstance(label.keys.get("cards"), list):
        names = {str(name) for name in _entries(label.keys["cards"])}
    else:
        return Beside()
    read = table.cards if table else ()
    return Beside(
        cards_right=Share.of(name in {card.name for card in read} for name in sorted(names)),
        cards_unnoticed=Share.of(not (card.name in names or card.doubtful) for card in read),
    )
