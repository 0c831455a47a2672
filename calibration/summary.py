"""The numbers a player feels, added up over many photos."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from statistics import median
from typing import Any, Self

from calibration.evaluate import PhotoResult
from scoring.names import plain

BINS = 6
"""Into how many steps at most the numbers of a label key (tilt, blur) are put."""


@dataclass(frozen=True)
class Share:
    """So many of so many."""

    hits: int
    total: int

    @property
    def ratio(self) -> float | None:
        """The share in [0, 1], None of nothing."""
        return self.hits / self.total if self.total else None


@dataclass(frozen=True)
class CellShares:
    """How many cells are right.

    ``right`` counts color, value and emptiness together, ``occupied`` whether the cell was rightly taken for
    empty or not, ``color`` and ``value`` the dice whose color or value was read right, of all true dice.
    """

    right: Share
    occupied: Share
    color: Share
    value: Share


@dataclass(frozen=True)
class Summary:
    """How good the reader is on a set of photos.

    Boards are the photos that are to be read, with at least one readable cell. ``cells`` counts every
    labelled cell of every board, and as wrong those of a board that was refused or not located;
    ``cells_located`` only those of located boards. ``wrong_unflagged_per_board`` is what a player would not
    be warned of, of the boards that were read. ``corner_error_*`` is how far the corners of located boards
    are off, in cells.
    """

    photos: int
    boards: int
    located: Share
    upright: Share
    cells: CellShares
    cells_located: CellShares
    boards_exact: Share
    boards_at_most_one_wrong: Share
    wrong_unflagged_per_board: float | None
    flagged: Share
    corner_error_median: float | None
    corner_error_max: float | None
    cards_named: Share
    refused: Share
    refusal_codes: Mapping[str, int]
    boards_refused: Mapping[str, int]
    seconds_median: float
    seconds_worst: float

    @property
    def upside_down(self) -> int:
        """How many located boards were read upside down."""
        return self.upright.total - self.upright.hits

    def to_json(self) -> dict[str, object]:
        """Return all numbers as plain data, shares as hits and total."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Return the summary that `to_json` wrote."""
        values = dict(data)
        for name in SHARES:
            values[name] = Share(**data[name])
        for name in ("cells", "cells_located"):
            values[name] = CellShares(**{part: Share(**share) for part, share in data[name].items()})
        return cls(**values)


SHARES = tuple(f.name for f in fields(Summary) if f.type == Share.__name__)


def summarize(results: Iterable[PhotoResult]) -> Summary:
    """Add up ``results``."""
    results = tuple(results)
    boards = [r for r in results if not r.label.must_be_refused and r.window and r.window.readable_cells]
    others = [r for r in results if r.label.must_be_refused]
    read = [r for r in boards if r.error is None]
    found = [r for r in boards if r.found]
    located = [r for r in found if r.location is not None]
    with_corners = [r for r in boards if r.window and any(r.window.corners)]
    with_card = [r for r in boards if r.window and r.window.name]
    errors = [error for r in located if r.location for error in r.location.errors_cells]
    unflagged = sum(not cell.flagged for r in read for cell in r.wrong_cells)
    seconds = [r.seconds for r in results]
    return Summary(
        photos=len(results),
        boards=len(boards),
        located=Share(len(located), len(with_corners)),
        upright=Share(sum(not r.location.turned for r in located if r.location), len(located)),
        cells=_cell_shares(boards),
        cells_located=_cell_shares(found),
        boards_exact=Share(sum(not r.wrong_cells for r in found), len(boards)),
        boards_at_most_one_wrong=Share(sum(len(r.wrong_cells) <= 1 for r in found), len(boards)),
        wrong_unflagged_per_board=_rounded(unflagged / len(read)) if read else None,
        flagged=Share(sum(cell.flagged for r in read for cell in r.cells), sum(len(r.cells) for r in read)),
        corner_error_median=_rounded(median(errors)) if errors else None,
        corner_error_max=_rounded(max(errors)) if errors else None,
        cards_named=Share(sum(_card_right(r) for r in with_card), len(with_card)),
        refused=Share(sum(r.error is not None for r in others), len(others)),
        refusal_codes=_count(r.error for r in others),
        boards_refused=_count(r.error for r in boards),
        seconds_median=_rounded(median(seconds)) if seconds else 0.0,
        seconds_worst=_rounded(max(seconds, default=0.0)),
    )


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


def _cell_shares(results: Sequence[PhotoResult]) -> CellShares:
    cells = [cell for r in results if r.found for cell in r.cells]
    truths = [cell.die for r in results if r.window for cell in r.window.readable_cells]
    dice = sum(die is not None for die in truths)
    both = [(cell.truth, cell.read) for cell in cells if cell.truth is not None and cell.read is not None]
    return CellShares(
        right=Share(sum(cell.right for cell in cells), len(truths)),
        occupied=Share(sum((c.truth is None) == (c.read is None) for c in cells), len(truths)),
        color=Share(sum(truth.color is read.color for truth, read in both), dice),
        value=Share(sum(truth.value == read.value for truth, read in both), dice),
    )


def _count(codes: Iterable[str | None]) -> dict[str, int]:
    return dict(sorted(Counter(code for code in codes if code is not None).items()))


def _card_right(result: PhotoResult) -> bool:
    window = result.window
    return bool(window and window.name and result.card and plain(window.name) == plain(result.card))


def _rounded(number: float) -> float:
    return round(number, 4)
