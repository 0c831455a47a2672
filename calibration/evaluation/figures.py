"""The figures that count: how each is counted, what it is to reach, and whether it is worse than it was.

Boards are the windows that are to be read, with at least one readable cell. `PhotoResult` says which of them
are *owed* (whole in view and wide enough) and which are *counted* (owed, or read although they are not). A
die that nobody can read counts nowhere.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from statistics import median

from calibration.evaluation.beside import Beside
from calibration.evaluation.comparison import CellResult, PhotoResult
from calibration.evaluation.labels import REFUSAL_OF_KIND, TABLE
from calibration.evaluation.reliability import NOTHING, Reliability, Share
from scoring import Die

BINS = 6
"""Into how many steps at most the numbers of a label key (tilt, blur) are put."""

Value = Share | float | None


class Photos:
    """The results of many photos, sorted by what is asked of them."""

    def __init__(self, results: Iterable[PhotoResult]) -> None:
        self.results = tuple(results)
        self.to_refuse = [r for r in self.results if r.label.must_be_refused]
        self.boards = [
            r for r in self.results if not r.label.must_be_refused and r.window and r.window.readable_cells
        ]
        self.read = [r for r in self.boards if r.error is None]
        self.found = [r for r in self.boards if r.found]
        self.located = [r for r in self.found if r.location is not None]
        self.with_corners = [r for r in self.boards if r.window and any(r.window.corners)]
        self.counted = [r for r in self.boards if r.counted]
        self.with_card = [r for r in self.counted if r.window and r.window.card_is_known]

    @cached_property
    def truths(self) -> list[Die | None]:
        """What the readable cells of all boards hold."""
        return [cell.die for r in self.boards if r.window for cell in r.window.readable_cells]

    @cached_property
    def cells(self) -> list[CellResult]:
        """The readable cells of the boards that were found."""
        return [cell for r in self.found for cell in r.cells]

    @cached_property
    def dice(self) -> list[tuple[Die, Die]]:
        """The dice of found boards that were read as dice: what they are, and what was read."""
        return [(c.truth, c.read) for c in self.cells if c.truth is not None and c.read is not None]

    def of_dice(self, right: Callable[[Die, Die], bool]) -> Share:
        """Return how many of all dice were read right in some respect."""
        hits = sum(right(truth, read) for truth, read in self.dice)
        return Share(hits, sum(die is not None for die in self.truths))

    def cells_right(self, boards: Sequence[PhotoResult]) -> Share:
        """Return how many readable cells of some boards are right; of what was not found none is."""
        cells = [cell for r in boards if r.found for cell in r.cells]
        total = sum(len(r.window.readable_cells) for r in boards if r.window)
        return Share(sum(cell.right for cell in cells), total)

    def prints_right(self) -> Share:
        """Return how many printed spaces of open cells were read right; of what was not read none is."""
        opened = [c for r in self.counted if r.window for c in r.window.readable_cells if c.die is None]
        read = [cell for r in self.counted if r.found for cell in r.cells if cell.print_truth is not None]
        right = sum(cell.print_read == cell.print_truth for cell in read)
        return Share(right, sum(cell.print is not None for cell in opened))

    def beside(self, of: Callable[[Beside], Share]) -> Share:
        """Return one figure of what lies beside the windows, added up."""
        return sum((of(r.beside) for r in self.results if r.beside), NOTHING)


@dataclass(frozen=True)
class Figure:
    """One figure: ``count`` says how many of how many, under ``key`` in records, ``what`` for people.

    ``goals`` holds for some sections of photos what it is to reach. ``at_least`` says whether more is better;
    ``per`` makes it a number for each (so many wrong dice a board) instead of a share. ``slack`` is how much
    worse it may be than its record. A ``detail`` stands in reports, not in documents.
    """

    key: str
    what: str
    count: Callable[[Photos], Share] | None
    goals: Mapping[str, float] = field(default_factory=dict)
    at_least: bool = True
    per: bool = False
    slack: float = 0.0
    detail: bool = False

    def of(self, summary: Summary) -> Value:
        """Return the figure of a summary: a share, a number, None where nothing is measured."""
        if self.count is None:
            return summary.reliability.error
        share = summary.figures.get(self.key, NOTHING)
        return share if share.total else None

    def reaches(self, value: Value, limit: float) -> bool:
        """Whether a value is as good as the limit, or better; nothing measured misses nothing."""
        number = number_of(value)
        if number is None:
            return True
        return number >= limit if self.at_least else number <= limit

    def goal_in(self, section: str) -> str:
        """Return the goal for people, "" where there is none."""
        limit = self.goals.get(section)
        if limit is None:
            return ""
        number = f"{limit:g}" if self.per else _percent(limit)
        return number if self.at_least and limit == 1 else f"{'≥' if self.at_least else '≤'} {number}"

    def text(self, value: Value) -> str:
        """Return a value for people: shares with their counts, "-" of nothing."""
        number = number_of(value)
        if number is None:
            return "-"
        text = f"{number:.3f}" if self.per else _percent(number)
        return f"{text} of {value.total}" if isinstance(value, Share) and not self.per else text


FIGURES = (
    Figure(
        "located_owed",
        "windows located (whole and wide enough)",
        lambda p: Share.of(r.found for r in p.with_corners if r.owed),
        {"rendered": 1, "real": 1, "rendered tables": 1},
    ),
    Figure(
        "located",
        "windows located, of all",
        lambda p: Share(len(p.located), len(p.with_corners)),
        detail=True,
    ),
    Figure(
        "found_or_named",
        "windows of tables located, or named as unread",
        lambda p: Share.of(
            r.found or r.error not in (None, REFUSAL_OF_KIND["none"])
            for r in p.with_corners
            if r.label.kind == TABLE
        ),
        {"rendered tables": 1, "real tables": 1},
    ),
    Figure(
        "upright",
        "windows the right way up",
        lambda p: Share.of(not r.location.turned for r in p.located if r.location),
        detail=True,
    ),
    Figure(
        "cells_right",
        "cells right",
        lambda p: p.cells_right(p.counted),
        {"rendered": 0.998, "real": 0.98, "rendered tables": 0.995},
    ),
    Figure(
        "cells_strict",
        "cells right, refused windows as wrong",
        lambda p: p.cells_right(p.boards),
        {"rendered low angles": 0.97},
    ),
    Figure(
        "colors", "colors of dice right", lambda p: p.of_dice(lambda a, b: a.color is b.color), detail=True
    ),
    Figure(
        "values", "values of dice right", lambda p: p.of_dice(lambda a, b: a.value == b.value), detail=True
    ),
    Figure(
        "occupied",
        "cells rightly empty or not",
        lambda p: Share(sum((c.truth is None) == (c.read is None) for c in p.cells), len(p.truths)),
        detail=True,
    ),
    Figure(
        "exact",
        "windows without a mistake",
        lambda p: Share(sum(not r.wrong_cells for r in p.found), len(p.boards)),
        {"rendered": 0.96},
    ),
    Figure(
        "unnoticed",
        "wrong dice not flagged, a window",
        lambda p: Share(sum(len(r.unnoticed) for r in p.read), len(p.read)),
        {"rendered": 0.02, "real": 0.1, "rendered tables": 0.02},
        at_least=False,
        per=True,
    ),
    Figure(
        "flagged",
        "cells flagged as doubtful",
        lambda p: Share.of(cell.flagged for r in p.read for cell in r.cells),
        {"rendered": 0.03, "real": 0.1},
        at_least=False,
    ),
    Figure(
        "cards_named",
        "pattern card named",
        lambda p: Share.of(r.card_right for r in p.with_card),
        {"rendered": 0.98, "real": 1},
    ),
    Figure(
        "cards_wrong",
        "pattern card named wrongly",
        lambda p: Share.of(r.card is not None and not r.card_right for r in p.with_card),
        at_least=False,
    ),
    Figure("prints", "printed spaces of open cells right", lambda p: p.prints_right()),
    Figure(
        "cut_off_named",
        "cut-off windows read, or said to be cut off",
        lambda p: Share.of(r.rightly_refused or r.found for r in p.boards if not r.whole),
    ),
    Figure(
        "refused",
        "no window: refused",
        lambda p: Share.of(r.error is not None for r in p.to_refuse),
        detail=True,
    ),
    Figure(
        "rightly_refused",
        "no window: refused with the right reason",
        lambda p: Share.of(r.rightly_refused for r in p.to_refuse),
        {"rendered": 1},
    ),
    Figure(
        "hidden_covered",
        "hidden spaces said to be covered",
        lambda p: Share(
            sum(cell.covered for r in p.found for cell in r.hidden),
            sum(len(r.window.hidden_cells) for r in p.boards if r.window),
        ),
        {"rendered covered": 0.98},
    ),
    Figure(
        "in_view_covered",
        "spaces in view said to be covered",
        lambda p: Share.of(cell.covered for r in p.read for cell in r.cells),
        {"rendered covered": 0.003},
        at_least=False,
    ),
    Figure(
        "loose_found",
        "loose dice found",
        lambda p: p.beside(lambda b: b.dice_found),
        {"rendered tables": 0.99, "real": 0.95},
    ),
    Figure(
        "loose_right",
        "loose dice right, of those found",
        lambda p: p.beside(lambda b: b.dice_right),
        {"rendered tables": 0.99},
    ),
    Figure(
        "loose_unnoticed",
        "loose dice wrong and not flagged, of those found",
        lambda p: p.beside(lambda b: b.dice_unnoticed),
        {"real": 0},
        at_least=False,
    ),
    Figure(
        "loose_placed",
        "loose dice placed right (pool, round of the track)",
        lambda p: p.beside(lambda b: b.dice_placed),
    ),
    Figure(
        "loose_invented",
        "loose dice read where none lies, a photo",
        lambda p: p.beside(lambda b: b.dice_invented),
        {"rendered tables": 0, "real cards": 0},
        at_least=False,
        per=True,
    ),
    Figure("other_found", "dice of other makes found", lambda p: p.beside(lambda b: b.other_found)),
    Figure(
        "other_right",
        "dice of other makes right, of those found",
        lambda p: p.beside(lambda b: b.other_right),
    ),
    Figure(
        "objectives_right",
        "objective cards right",
        lambda p: p.beside(lambda b: b.cards_right),
        {"real cards": 0.98, "rendered tables": 0.9},
    ),
    Figure(
        "objectives_unnoticed",
        "objective cards read wrong and not flagged",
        lambda p: p.beside(lambda b: b.cards_unnoticed),
        {"real cards": 0, "rendered tables": 0},
        at_least=False,
    ),
    Figure(
        "calibration_error",
        "expected calibration error",
        None,
        {"rendered": 0.005, "synthetic": 0.005},
        at_least=False,
        slack=0.0005,  # the last digits of a confidence differ between processors
    ),
)
"""All in their order. The goals were set beforehand."""


@dataclass(frozen=True)
class Summary:
    """How good the reader is on a set of photos: each of `FIGURES` that measures anything, by its key.

    A photo of a table counts as often in ``photos`` as it has windows. ``reliability`` is of all readable
    cells of the boards that were read. ``refusals`` counts the codes of refused photos.
    ``corners_off_cells`` is how far the corners of located boards are off, ``seconds`` how long photos took:
    median and worst, None where nothing was measured or sets were pooled.
    """

    photos: int
    figures: Mapping[str, Share]
    reliability: Reliability
    refusals: Mapping[str, int]
    corners_off_cells: tuple[float, float] | None = None
    seconds: tuple[float, float] | None = None


def summarize(results: Iterable[PhotoResult]) -> Summary:
    """Add up ``results``."""
    photos = Photos(results)
    counted = {one.key: one.count(photos) for one in FIGURES if one.count is not None}
    errors = [error for r in photos.located if r.location for error in r.location.errors_cells]
    return Summary(
        photos=len(photos.results),
        figures={key: share for key, share in counted.items() if share.total},
        reliability=Reliability.of(
            (cell.confidence, r.found and cell.right) for r in photos.read for cell in r.cells
        ),
        refusals=dict(sorted(Counter(r.error for r in photos.results if r.error is not None).items())),
        corners_off_cells=_median_and_worst(errors),
        seconds=_median_and_worst([r.seconds for r in photos.results]),
    )


def pooled(summaries: Sequence[Summary]) -> Summary:
    """Return several sets of photos as one; what cannot be added up (medians, worst cases) is None."""
    keys = dict.fromkeys(key for one in summaries for key in one.figures)
    return Summary(
        photos=sum(one.photos for one in summaries),
        figures={key: sum((one.figures.get(key, NOTHING) for one in summaries), NOTHING) for key in keys},
        reliability=Reliability.merged([one.reliability for one in summaries]),
        refusals=dict(sum((Counter(one.refusals) for one in summaries), Counter())),
    )


def worse_figures(now: Summary, before: Summary) -> tuple[str, ...]:
    """Say what is worse than ``before``; times are left out, they differ between machines."""
    worse = []
    for figure in FIGURES:
        new, old = figure.of(now), figure.of(before)
        was, slack = number_of(old), -figure.slack if figure.at_least else figure.slack
        lost = new is None and was is not None and figure.at_least
        if lost or not figure.reaches(new, (was or 0.0) + slack):
            worse.append(f"{figure.what}: {figure.text(new)}, was {figure.text(old)}")
    return tuple(worse)


def group_by(results: Iterable[PhotoResult], key: str) -> dict[str, tuple[PhotoResult, ...]]:
    """Split ``results`` by what their labels say under ``key``, in a readable order.

    Numbers of many different values are put into at most `BINS` steps of round width ("10 to 20"); photos
    whose label lacks the key go under ``"-"``.
    """
    results = tuple(results)
    values = [r.label.keys.get(key) for r in results]
    numbers = [float(v) for v in values if isinstance(v, int | float) and not isinstance(v, bool)]
    present = [v for v in values if v is not None]
    step = _step(numbers) if len(numbers) == len(present) and len(set(numbers)) > BINS else None
    groups: dict[tuple[bool, float, str], list[PhotoResult]] = {}
    for result, value in zip(results, values, strict=True):
        groups.setdefault(_place(value, step), []).append(result)
    return {name: tuple(groups[missing, order, name]) for missing, order, name in sorted(groups)}


def _place(value: object, step: float | None) -> tuple[bool, float, str]:
    """Return how a group sorts (missing last, then by number) and what it is called."""
    if value is None:
        return True, 0.0, "-"
    if isinstance(value, bool):
        return False, float(value), "yes" if value else "no"
    if not isinstance(value, int | float):
        return False, 0.0, str(value)
    if step is None:
        return False, float(value), f"{value:g}"
    low = math.floor(value / step) * step
    return False, low, f"{low:g} to {low + step:g}"


def _step(numbers: Sequence[float]) -> float:
    """Return the smallest of 1, 2, 5, 10, ... (times a power of ten) that makes at most `BINS` bins."""
    low, high = min(numbers), max(numbers)
    power = 10.0 ** math.floor(math.log10((high - low) / BINS))
    for factor in (1, 2, 5, 10, 20):
        step = factor * power
        if math.floor(high / step) - math.floor(low / step) < BINS:
            break
    return step


def number_of(value: Value) -> float | None:
    """Return a value as a plain number, None of nothing."""
    return value.ratio if isinstance(value, Share) else value


def _median_and_worst(numbers: Sequence[float]) -> tuple[float, float] | None:
    return (round(median(numbers), 4), round(max(numbers), 4)) if numbers else None


def _percent(ratio: float) -> str:
    """Return a share with two digits behind the point, without zeros at the end."""
    return f"{100 * ratio:.2f}".rstrip("0").rstrip(".") + " %"
