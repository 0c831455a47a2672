"""The numbers a player feels, added up over many photos."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from statistics import median
from typing import Any, cast

from calibration.accuracy.beside import Beside
from calibration.accuracy.comparison import PhotoResult
from calibration.accuracy.labels import REFUSAL_OF_KIND
from calibration.accuracy.origins import TABLES
from calibration.accuracy.reliability import Reliability
from calibration.accuracy.shares import NOTHING, Share

NOTHING_BESIDE = Beside()
BINS = 6
"""Into how many steps at most the numbers of a label key (tilt, blur) are put."""


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

    Boards are the photos that are to be read, with at least one readable cell;
    `calibration.accuracy.comparison` says which of their windows are *owed* (whole in view and wide enough)
    and which are *counted* (owed, or read although they are not). A die that nobody can read counts nowhere.

    ``located`` and ``cells`` are strict: every window with labelled corners, and every readable cell of every
    board; what was refused or not located is wrong. ``located_owed`` and ``cells_counted`` are the same of
    the windows that are owed or counted. ``cells_located`` are those of located boards. ``wrong_unflagged``
    are the wrong cells of boards that were read which a player would not be warned of. ``pattern`` are the
    printed spaces of the open cells of counted windows, ``cards_named`` the counted windows whose pattern
    card is one of the game's, ``cards_wrong`` how many of these got another card's name.
    ``cut_off_named`` are the windows cut off by the photo's edge that were read, or refused as
    ``board_cut_off``.
    ``refused`` and ``rightly_refused`` are the photos that show no whole window, the latter with the right
    reason. ``corner_error_*`` is how far the corners of located boards are off, in cells. ``reliability``
    is of all readable cells of the boards that were read. Times are None where nothing was measured.
    ``hidden_covered`` are the spaces under a finger, a card or a sleeve that are said to be covered (in a
    window that was refused none is), ``in_view_covered`` the readable ones that were read and called so.
    ``found_or_named`` are the windows of tables that were located, or named as unread with the reason;
    ``beside`` is what became of loose dice and cards.
    """

    photos: int
    boards: int
    boards_read: int
    located: Share
    located_owed: Share
    upright: Share
    cells: CellShares
    cells_located: CellShares
    cells_counted: Share
    boards_exact: Share
    boards_at_most_one_wrong: Share
    wrong_unflagged: int
    flagged: Share
    pattern: Share
    cards_named: Share
    cards_wrong: int
    cut_off_named: Share
    refused: Share
    rightly_refused: Share
    refusal_codes: Mapping[str, int]
    boards_refused: Mapping[str, int]
    reliability: Reliability
    corner_error_median: float | None
    corner_error_max: float | None
    seconds_median: float | None
    seconds_worst: float | None
    hidden_covered: Share = NOTHING
    in_view_covered: Share = NOTHING
    beside: Beside = NOTHING_BESIDE
    found_or_named: Share = NOTHING

    @property
    def wrong_unflagged_per_board(self) -> float | None:
        """How many wrong cells a board are not flagged, of the boards that were read; None of none."""
        return _rounded(self.wrong_unflagged / self.boards_read) if self.boards_read else None

    @property
    def calibration_error(self) -> float | None:
        """The expected calibration error in [0, 1], None where nothing was read."""
        return None if self.reliability.error is None else _rounded(self.reliability.error)

    def to_json(self) -> dict[str, object]:
        """Return all numbers as plain data, shares as hits and total."""
        more = {
            "wrong_unflagged_per_board": self.wrong_unflagged_per_board,
            "calibration_error": self.calibration_error,
        }
        return asdict(self) | more


def summarize(results: Iterable[PhotoResult]) -> Summary:
    """Add up ``results``."""
    results = tuple(results)
    boards = [r for r in results if not r.label.must_be_refused and r.window and r.window.readable_cells]
    others = [r for r in results if r.label.must_be_refused]
    read = [r for r in boards if r.error is None]
    found = [r for r in boards if r.found]
    located = [r for r in found if r.location is not None]
    with_corners = [r for r in boards if r.window and any(r.window.corners)]
    owed = [r for r in with_corners if r.owed]
    counted = [r for r in boards if r.counted]
    with_card = [r for r in counted if r.window and r.window.card_is_known]
    cut = [r for r in boards if not r.whole]
    errors = [error for r in located if r.location for error in r.location.errors_cells]
    seconds = [r.seconds for r in results]
    cells_read = [(r, cell) for r in read for cell in r.cells]
    return Summary(
        photos=len(results),
        boards=len(boards),
        boards_read=len(read),
        located=Share(len(located), len(with_corners)),
        located_owed=Share.of(r.found for r in owed),
        upright=Share.of(not r.location.turned for r in located if r.location),
        cells=_cell_shares(boards),
        cells_located=_cell_shares(found),
        cells_counted=_cell_shares(counted).right,
        boards_exact=Share(sum(not r.wrong_cells for r in found), len(boards)),
        boards_at_most_one_wrong=Share(sum(len(r.wrong_cells) <= 1 for r in found), len(boards)),
        wrong_unflagged=sum(len(r.unnoticed) for r in read),
        flagged=Share.of(cell.flagged for _, cell in cells_read),
        pattern=_pattern_share(counted),
        cards_named=Share.of(r.card_right for r in with_card),
        cards_wrong=sum(r.card is not None and not r.card_right for r in with_card),
        cut_off_named=Share.of(r.rightly_refused or r.found for r in cut),
        refused=Share.of(r.error is not None for r in others),
        rightly_refused=Share.of(r.rightly_refused for r in others),
        refusal_codes=_count(r.error for r in others),
        boards_refused=_count(r.error for r in boards),
        reliability=Reliability.of((cell.confidence, r.found and cell.right) for r, cell in cells_read),
        corner_error_median=_rounded(median(errors)) if errors else None,
        corner_error_max=_rounded(max(errors)) if errors else None,
        seconds_median=_rounded(median(seconds)) if seconds else None,
        seconds_worst=_rounded(max(seconds)) if seconds else None,
        hidden_covered=Share(
            sum(cell.covered for r in found for cell in r.hidden),
            sum(len(r.window.hidden_cells) for r in boards if r.window),
        ),
        in_view_covered=Share.of(cell.covered for _, cell in cells_read),
        found_or_named=Share.of(
            r.found or r.error not in (None, REFUSAL_OF_KIND["none"])
            for r in with_corners
            if r.label.group == TABLES
        ),
        beside=_added([NOTHING_BESIDE, *(r.beside for r in results if r.beside)]),
    )


def pooled(summaries: Sequence[Summary]) -> Summary:
    """Return several sets of photos as one; what cannot be added up (medians, worst cases) is None."""
    return cast("Summary", _added(summaries))


def _added(parts: Sequence[Any]) -> Any:  # noqa: ANN401  whatever a summary is made of
    """Return the same figure of several sets as one: a number, counts of codes, or what is made of such."""
    one = parts[0]
    match one:
        case int():
            return sum(parts)
        case Mapping():
            return dict(sorted(sum(map(Counter, parts), Counter()).items()))
        case Reliability():
            return Reliability.merged(parts)
        case Share() | CellShares() | Summary() | Beside():
            names = [f.name for f in fields(one)]
            return type(one)(*(_added([getattr(part, name) for part in parts]) for name in names))
    return None


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


def _pattern_share(results: Sequence[PhotoResult]) -> Share:
    """Return how many printed spaces of open cells were read right; of what was not read none is."""
    right = total = 0
    for result in results:
        opened = [cell for cell in result.window.readable_cells if cell.die is None] if result.window else []
        total += sum(cell.print is not None for cell in opened)
        right += sum(
            cell.print_truth is not None and cell.print_read == cell.print_truth
            for cell in result.cells
            if result.found
        )
    return Share(right, total)


def _rounded(number: float) -> float:
    return round(number, 4)
