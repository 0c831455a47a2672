"""Several photos of one table, or two of one window, become one: what one shows better counts.

Nothing that was read is lost. Whether the photos are of one table at all only their windows can tell; what
speaks against it is said, and the windows of all photos stay.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from operator import attrgetter

from scoring import Color
from scoring.board import ALL_CELLS
from scoring.sentences import sentence
from vision.errors import VisionError
from vision.reading import DIGITS, Alternative, CellReading, Reading
from vision.recognition.dice import DOUBTFUL_BELOW, FAR_DOUBTFUL_BELOW, MAX_ALTERNATIVES, MIN_ALTERNATIVE
from vision.table import CardReading, TableReading, Unread, What

MOST_WINDOWS = 4
"""A game has at most four players."""

# Set by hand. Two windows of one game agree on few spaces: a die is one of thirty. Of two readings of one
# window, one or two cells may differ, and more where somebody moved dice in between.
ENOUGH_CELLS = 6  # seen without doubt in both, to tell whether they are the same
SAME_SHARE = 2 / 3  # of these agree
NEARLY_ALL = 18  # cells that are alike, doubtful or not, where too few are without doubt
HALF = 10  # that suffices where a person said that it is the same window
SURE_OF_CARD = 0.9
INDEPENDENT = 0.65
"""How much two looks count together: at 1 as if neither knew of the other, at 0.5 as much as one alone.

Measured on 329 pairs of views, of 111 rendered photos, with lamps painted on the dice: of what two doubts
agree on so surely that the doubt ends, 1 of 26 is wrong at 0.65, 7 of 49 at 0.75 and 10 of 57 at 1."""
HELD_POSSIBLE = 0.1
"""How likely a look in doubt must hold what another one is sure of. There, of those less likely 7 of 33 are
wrong, of the others 12 of 487."""

UNKNOWN_PRINT = "?"


@dataclass(frozen=True)
class MergedTable:
    """What several photos show together.

    ``table`` holds the windows of all photos, each as it was read best; corners, centers and sizes are in
    pixels of the photo that a thing was read from. ``window_photos``, ``card_photos`` and ``unread_photos``
    say for each thing which photo that is, from 0, ``dice_photo`` for all loose dice. ``doubts`` say why the
    photos may not be of one table.
    """

    table: TableReading
    window_photos: tuple[int, ...]
    dice_photo: int
    card_photos: tuple[int, ...]
    unread_photos: tuple[int, ...]
    doubts: tuple[VisionError, ...] = ()


def merge_tables(tables: Sequence[TableReading]) -> MergedTable:
    """Return what the photos of one table show together; their order does not matter.

    Parameters
    ----------
    tables
        The reading of each photo, at least one. The windows keep the order of the photo that shows most of
        them, with those that only others show behind.
    """
    order = sorted(range(len(tables)), key=lambda index: _rank_of(tables[index]))
    ordered = [tables[index] for index in order]
    sightings = _same_windows(ordered)
    best = [_best_first(ordered, sighting) for sighting in sightings]
    windows = tuple(replace(_fused(readings), other_windows=len(best) - 1) for _, readings in best)
    cards: dict[str, tuple[int, CardReading]] = {}
    for photo, one in enumerate(ordered):
        for card in one.cards:
            if card.name not in cards or card.confidence > cards[card.name][1].confidence:
                cards[card.name] = photo, card
    seen = [(len(one.loose_dice), sum(die.confidence for die in one.loose_dice)) for one in ordered]
    dice = seen.index(max(seen))
    unread = [
        *_still_unread(ordered, "window", len(windows), lambda one: len(one.windows)),
        *((dice, one) for one in ordered[dice].unread if one.what == "die"),
        *_still_unread(ordered, "card", len(cards), lambda one: len(one.cards)),
    ]
    table = TableReading(
        size=ordered[0].size,
        windows=windows,
        unread=tuple(one for _, one in unread),
        seconds=round(sum(one.seconds for one in tables), 3),
        loose_dice=ordered[dice].loose_dice,
        cards=tuple(card for _, card in cards.values()),
    )
    return MergedTable(
        table,
        window_photos=tuple(order[photo] for photo, _ in best),
        dice_photo=order[dice],
        card_photos=tuple(order[photo] for photo, _ in cards.values()),
        unread_photos=tuple(order[photo] for photo, _ in unread),
        doubts=tuple(_doubts(ordered, sightings, windows)),
    )


def merge_readings(first: Reading, second: Reading) -> Reading:
    """Return what two photos of one window show together, with the corners and the way up of the first.

    A cell that only one of them is sure of is as that one says, and one that is covered in one photo as the
    other shows it. Where they contradict each other, both sure or one sure of what the other holds hardly
    possible, the cell is doubtful, with both as what it may be. Where both are in doubt but agree, and both
    doubts are about how sure the reader is and nothing else, they are surer together.

    Raises
    ------
    VisionError
        The photos show different windows (``different_windows``).
    """
    likeness = _likeness(first, second)
    if not (likeness.same or likeness.same_if_told):
        raise VisionError(
            "different_windows",
            sentence("This photo shows another window, or dice were moved in between."),
            sentence("Take one more of the same window, or correct the dice by hand."),
        )
    other = _turned_back(second) if likeness.turned else second
    fused = _fused([first, other])
    limit = FAR_DOUBTFUL_BELOW if first.profile or other.profile else DOUBTFUL_BELOW
    surest = max(first, other, key=lambda one: abs(one.upright_probability - 0.5))
    return replace(
        fused,
        cells=tuple(
            made if one.covered or its.covered else _together(one, its, made, limit)
            for one, its, made in zip(first.cells, other.cells, fused.cells, strict=True)
        ),
        upright_probability=surest.upright_probability,
        unlike_dice=first.unlike_dice and other.unlike_dice,
    )


Sighting = dict[int, int]
"""One window: the photos that show it, each with the window's index there."""


def _rank_of(table: TableReading) -> tuple[int, float, str]:
    """Return how photos are sorted, whatever the order in which they are given: the fullest first."""
    doubtful = sum(len(one.doubtful) for one in table.windows)
    return -len(table.windows), doubtful, json.dumps(table.to_json())


def _same_windows(tables: Sequence[TableReading]) -> list[Sighting]:
    """Return the windows of all photos, those that are the same put together, the surest pairs first."""
    seen = [(photo, index) for photo, table in enumerate(tables) for index in range(len(table.windows))]
    sighting_of: dict[tuple[int, int], Sighting] = {(photo, index): {photo: index} for photo, index in seen}
    pairs = []
    for a, b in combinations(seen, 2):
        if a[0] != b[0]:  # the windows of one photo are different ones
            likeness = _likeness(tables[a[0]].windows[a[1]], tables[b[0]].windows[b[1]])
            if likeness.same:
                pairs.append((likeness.rank, a, b))
    for _, a, b in sorted(pairs, key=lambda pair: (-pair[0][0], -pair[0][1], pair[1:])):
        one, other = sighting_of[a], sighting_of[b]
        if one is other or one.keys() & other.keys():
            continue
        one |= other
        for photo, index in other.items():
            sighting_of[photo, index] = one
    return list({id(sighting_of[key]): sighting_of[key] for key in seen}.values())


@dataclass(frozen=True)
class _Likeness:
    """How two readings agree: in so many cells both are sure and alike, in so many sure and different.

    ``alike`` counts the cells that are alike, doubtful or not; ``turned`` says that one is upside down.
    """

    agreeing: int
    different: int
    alike: int
    turned: bool = False

    @property
    def same(self) -> bool:
        """Whether both show the same window."""
        compared = self.agreeing + self.different
        if compared < ENOUGH_CELLS:
            return self.different == 0 and self.alike >= NEARLY_ALL
        return self.agreeing >= SAME_SHARE * compared

    @property
    def same_if_told(self) -> bool:
        """Whether both may show the same window, as somebody said, where nearly all is in doubt."""
        few = self.agreeing + self.different < ENOUGH_CELLS
        return few and self.different <= self.agreeing and self.alike >= HALF

    @property
    def rank(self) -> tuple[int, int]:
        """The more, the likelier that both show the same window."""
        return self.agreeing - self.different, self.alike


def _likeness(a: Reading, b: Reading) -> _Likeness:
    """Compare two readings, either way up."""
    ways = [_compared(a, b), replace(_compared(a, b.rotated_180()), turned=True)]
    return max(ways, key=lambda way: way.rank)


def _compared(a: Reading, b: Reading) -> _Likeness:
    agreeing = different = alike = 0
    for one, other, one_print, other_print in zip(a.cells, b.cells, _prints(a), _prints(b), strict=True):
        same = one.die == other.die and (
            one.die is not None or UNKNOWN_PRINT in (one_print, other_print) or one_print == other_print
        )
        alike += same
        if not (one.doubtful or other.doubtful):
            agreeing += same
            different += not same
    return _Likeness(agreeing, different, alike)


def _prints(reading: Reading) -> str:
    return reading.pattern.replace(" / ", "")


def _best_first(tables: Sequence[TableReading], sighting: Sighting) -> tuple[int, list[Reading]]:
    """Return the photo that shows a window best, and its readings, the best first and all the same way up."""
    found = ((photo, tables[photo].windows[index]) for photo, index in sighting.items())
    (photo, best), *others = sorted(found, key=lambda one: (_quality(one[1]), one[0]))
    turned = [_turned_back(other) if _likeness(best, other).turned else other for _, other in others]
    return photo, [best, *turned]


def _turned_back(reading: Reading) -> Reading:
    """Return a reading the other way up, without the card, which was named for the way it was read."""
    return replace(reading.rotated_180(), window=None)


def _quality(reading: Reading) -> tuple[int, int, float]:
    """Return what is wrong with a reading: the less, the better."""
    covered = sum(cell.covered for cell in reading.cells)
    return covered, len(reading.doubtful), -sum(cell.confidence for cell in reading.cells)


def _fused(readings: Sequence[Reading]) -> Reading:
    """Return the best of several readings of one window, with what only the others see."""
    best, *others = readings
    cells, prints, unclear = list(best.cells), list(_prints(best)), set(best.unclear_prints)
    for number, place in enumerate(ALL_CELLS):
        sure = [other for other in others if not other.cells[number].doubtful]
        seen = [other for other in others if cells[number].covered and not other.cells[number].covered]
        if cells[number].doubtful and (better := sure or seen):
            source = max(better, key=lambda other: other.cells[number].confidence)
            cells[number] = source.cells[number]
            prints[number] = _prints(source)[number]
            unclear = (unclear - {place}) | ({place} & set(source.unclear_prints))
        rivals = [other.cells[number] for other in sure if other.cells[number].die != cells[number].die]
        if rivals:
            cells[number] = _contested(cells[number], rivals)
    windows = (one.window for one in readings if one.window)
    rows = (prints[start : start + 5] for start in range(0, 20, 5))
    return replace(
        best,
        cells=tuple(cells),
        pattern=" / ".join("".join(row) for row in rows),
        window=max(windows, key=attrgetter("probability"), default=None),
        unclear_prints=tuple(sorted(unclear)),
    )


def _contested(cell: CellReading, rivals: Sequence[CellReading]) -> CellReading:
    """Return a cell that other photos contradict, so that one of them is wrong."""
    said = {(one.color, one.value): one.confidence for one in rivals}
    total = cell.confidence + sum(said.values())
    others = [Alternative(*content, round(share / total, DIGITS)) for content, share in said.items()]
    others += [one for one in cell.alternatives if (one.color, one.value) not in said]
    confidence = round(cell.confidence / total, DIGITS)
    return replace(cell, doubtful=True, confidence=confidence, alternatives=tuple(others))


def _together(one: CellReading, other: CellReading, made: CellReading, limit: float) -> CellReading:
    """Return a cell that both photos show, of which ``made`` is the surer look.

    Two that are in doubt may be as sure together as ``limit``, which ends the doubt.
    """
    if one.doubtful != other.doubtful:
        sure, unsure = (other, one) if one.doubtful else (one, other)
        possible = _shares(unsure).get((sure.color, sure.value), 0.0) >= HELD_POSSIBLE
        return made if possible else _contested(sure, [unsure])
    if not one.doubtful or one == other:  # the same look twice tells nothing new
        return made
    shares, its_shares = _shares(one), _shares(other)
    odds = {
        content: (shares.get(content, MIN_ALTERNATIVE) * its_shares.get(content, MIN_ALTERNATIVE))
        ** INDEPENDENT
        for content in {**shares, **its_shares}
    }
    unlisted = [max(0.0, 1 - sum(some.values())) for some in (shares, its_shares)]
    total = sum(odds.values()) + math.prod(unlisted) ** INDEPENDENT
    (content, odd), *rest = sorted(odds.items(), key=lambda pair: -pair[1])
    confidence = round(odd / total, DIGITS)
    # One that was sure enough is in doubt for another reason, such as a finger beside it: that stays.
    settled = one.die == other.die and max(one.confidence, other.confidence) < limit <= confidence
    return replace(
        one,
        color=content[0],
        value=content[1],
        confidence=confidence,
        doubtful=not settled,
        alternatives=tuple(
            Alternative(*content, round(odd / total, DIGITS)) for content, odd in rest[:MAX_ALTERNATIVES]
        ),
    )


def _shares(cell: CellReading) -> dict[tuple[Color | None, int | None], float]:
    """Return how likely a cell holds what, as far as the reading lists it."""
    listed = {(one.color, one.value): one.probability for one in cell.alternatives}
    return {(cell.color, cell.value): cell.confidence, **listed}


def _still_unread(
    tables: Sequence[TableReading], what: What, read: int, count: Callable[[TableReading], int]
) -> Iterator[tuple[int, Unread]]:
    """Yield what could not be read, of the photo that shows most of its kind, unless others show as many."""
    missed = [[one for one in table.unread if one.what == what] for table in tables]
    numbers = [count(table) + len(some) for table, some in zip(tables, missed, strict=True)]
    if max(numbers) > read:
        photo = numbers.index(max(numbers))
        yield from ((photo, one) for one in missed[photo])


def _doubts(
    tables: Sequence[TableReading], sightings: Sequence[Sighting], windows: Sequence[Reading]
) -> Iterator[VisionError]:
    """Yield what speaks against it that all photos are of one table."""
    for (one, a), (other, b) in combinations(zip(sightings, windows, strict=True), 2):
        if one.keys() & other.keys() or not (a.window and b.window):
            continue
        name, sure = a.window.name, min(a.window.probability, b.window.probability)
        if name == b.window.name and sure >= SURE_OF_CARD:
            said = sentence(
                "{window} has other dice in one photo than in another. "
                "They show different tables, or dice were moved in between.",
                window=name,
            )
            yield VisionError("different_tables", said, ONE_TABLE, {"window": name})
    if len(windows) > MOST_WINDOWS >= max(len(table.windows) for table in tables):
        said = sentence(
            "Together these photos show {count} windows, but a game has four at most. "
            "They may show different tables.",
            count=len(windows),
        )
        yield VisionError("different_tables", said, ONE_TABLE, {"windows": len(windows)})
    elif _fall_apart([photo for photo, table in enumerate(tables) if table.windows], sightings):
        said = sentence("Some of these photos have no window in common. They may show different tables.")
        yield VisionError("different_tables", said, ONE_TABLE)


ONE_TABLE = sentence(
    "Merge only photos of one table, each with a window that another one shows too, "
    "and read the others on their own."
)


def _fall_apart(photos: Sequence[int], sightings: Sequence[Sighting]) -> bool:
    """Return whether the photos are in two or more heaps that share no window."""
    reached, left = set(photos[:1]), set(photos[1:])
    while more := {photo for one in sightings if reached & one.keys() for photo in one} & left:
        reached |= more
        left -= more
    return bool(left)
