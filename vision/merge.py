"""Several photos of one table become one: a window seen twice counts once, and the better reading wins.

Nothing that was read is lost. Whether the photos are of one table at all only their windows can tell; what
speaks against it is said, and the windows of all photos stay.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from operator import attrgetter

from scoring.board import ALL_CELLS
from scoring.sentences import sentence
from vision.errors import VisionError
from vision.reading import Reading
from vision.table import CardReading, TableReading, Unread, What

MOST_WINDOWS = 4
"""A game has at most four players."""

# Set by hand. Two windows of one game agree on few spaces: a die is one of thirty. Of two readings of one
# window, one or two cells may differ, and more where somebody moved dice in between.
ENOUGH_CELLS = 6  # seen without doubt in both, to tell whether they are the same
SAME_SHARE = 2 / 3  # of these agree
NEARLY_ALL = 18  # cells that are alike, doubtful or not, where too few are without doubt
SURE_OF_CARD = 0.9

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
    turned = [other.rotated_180() if _likeness(best, other).turned else other for _, other in others]
    return photo, [best, *turned]


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
        if cells[number].doubtful and sure:
            source = max(sure, key=lambda other: other.cells[number].confidence)
            cells[number] = source.cells[number]
            prints[number] = _prints(source)[number]
            unclear = (unclear - {place}) | ({place} & set(source.unclear_prints))
        if any(other.cells[number].die != cells[number].die for other in sure):
            cells[number] = replace(cells[number], doubtful=True)  # both were sure, and one is wrong
    windows = (one.window for one in readings if one.window)
    rows = (prints[start : start + 5] for start in range(0, 20, 5))
    return replace(
        best,
        cells=tuple(cells),
        pattern=" / ".join("".join(row) for row in rows),
        window=max(windows, key=attrgetter("probability"), default=None),
        unclear_prints=tuple(sorted(unclear)),
    )


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
