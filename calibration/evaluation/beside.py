"""What lies beside the windows: loose dice and objective cards, held against their labels.

A die is found when a reading's middle is within half a die of the labelled one. A die of which the photo's
edge takes the middle, or nearly so, is not owed. In data sets of loose dice only the game's own are owed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

from calibration.evaluation.labels import CARD_KINDS, OWN_DICE, TABLE, DieLabel, PhotoLabel, Size
from calibration.evaluation.reliability import NOTHING, Share
from vision import LooseDie, TableReading

FOUND_DICE = 0.5  # how far off a reading's middle may be, in edges of the die
EDGE_DICE = 0.4  # nearer than this to the photo's edge, a die's middle is not owed
NEAR_DICE = 1.0  # of a die that is not owed, a reading may be so far off


@dataclass(frozen=True)
class Beside:
    """What became of loose dice and cards in a photo.

    ``dice_found`` is of the dice that are owed, ``dice_right`` of those found and ``dice_placed`` of those
    found that are labelled as lying in the pool or on the track, there with their round. ``dice_unnoticed``
    are found, wrong and not flagged. ``dice_invented`` counts readings where no die lies, of the ``photos``
    in which all dice are labelled. ``other_found`` and ``other_right`` are of dice of other makes, which are
    not owed. ``cards_right`` is of the labelled cards; ``cards_unnoticed`` counts readings of cards that do
    not lie there and are not flagged.
    """

    dice_found: Share = NOTHING
    dice_right: Share = NOTHING
    dice_placed: Share = NOTHING
    dice_unnoticed: Share = NOTHING
    dice_invented: Share = NOTHING
    other_found: Share = NOTHING
    other_right: Share = NOTHING
    cards_right: Share = NOTHING
    cards_unnoticed: Share = NOTHING


def labelled_beside(label: PhotoLabel) -> bool:
    """Whether the label tells anything about loose dice or cards."""
    return label.kind == TABLE or label.kind in CARD_KINDS or bool(label.dice)


def beside(label: PhotoLabel, table: TableReading | None, size: Size) -> Beside:
    """Hold what was read beside the windows against the label; None stands for a photo that was refused."""
    pairs, left = _paired(label.dice, table.loose_dice if table else (), size)
    owed = [(one, die) for one, die in pairs if owed_in(one, size)]
    found = [(one, die) for one, die in owed if die is not None]
    seen, right = Share(len(found), len(owed)), Share.of(_is_right(one, die) for one, die in found)
    cards = Beside()
    if label.cards is not None:
        read = table.cards if table else ()
        cards = Beside(
            cards_right=Share.of(name in {card.name for card in read} for name in label.cards),
            cards_unnoticed=Share.of(not (card.name in label.cards or card.doubtful) for card in read),
        )
    boxes = bool(label.keys.get("dice"))
    if boxes and label.kind != OWN_DICE:
        return replace(cards, other_found=seen, other_right=right)
    # Of real tables nobody labelled every die; a scan of a card has none.
    all_labelled = not boxes and (label.origin != "real" or label.kind in CARD_KINDS)
    return replace(
        cards,
        dice_found=seen,
        dice_right=right,
        dice_placed=Share.of(
            (one.place, one.round or die.round) == (die.place, die.round) for one, die in found if one.place
        ),
        dice_unnoticed=Share.of(not (_is_right(one, die) or die.doubtful) for one, die in found),
        dice_invented=Share(len(left), 1) if all_labelled else NOTHING,
    )


def owed_in(die: DieLabel, size: Size) -> bool:
    """Whether a reader must find a die, as its middle is well inside a photo of that size."""
    least = EDGE_DICE * die.edge
    return die.owed and all(least <= at <= end - least for at, end in zip(die.center, size, strict=True))


def _is_right(label: DieLabel, die: LooseDie) -> bool:
    """Return whether color and value are right, as far as they are labelled."""
    return die.color is (label.color or die.color) and die.value == (label.value or die.value)


def _paired(
    dice: tuple[DieLabel, ...], read: Iterable[LooseDie], size: Size
) -> tuple[list[tuple[DieLabel, LooseDie | None]], list[LooseDie]]:
    """Return each labelled die with what was read there, the nearest first, and what was read elsewhere."""
    left = list(read)
    near = sorted(
        (math.dist(one.center, die.center) / one.edge, i, k)
        for i, one in enumerate(dice)
        for k, die in enumerate(left)
    )
    chosen: dict[int, int] = {}
    for away, i, k in near:
        reach = FOUND_DICE if owed_in(dice[i], size) else NEAR_DICE
        if away <= reach and i not in chosen and k not in chosen.values():
            chosen[i] = k
    pairs = [(one, left[chosen[i]] if i in chosen else None) for i, one in enumerate(dice)]
    return pairs, [die for k, die in enumerate(left) if k not in chosen.values()]
