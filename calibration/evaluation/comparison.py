"""Holding readings against labels: was the window found, and what became of each of its cells.

A window counts as located when all its labelled corners lie within `TOLERANCE_CELLS` of the reading's,
either way up: which way up is a question of its own, because scores do not depend on it. A reading that is
upside down is turned by 180 degrees before its cells are compared.

What a reader owes: every window that is whole in view and wide enough (`PhotoLabel.wide_enough_px`) is to be
located and read. A window that the photo's edge cuts off, or a narrower one, is not owed: refusing it is no
fault, and refusing a cut-off one as ``board_cut_off`` is the right answer. Whatever is read counts all the
same.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from calibration.evaluation.beside import Beside, beside, labelled_beside
from calibration.evaluation.labels import (
    REFUSAL_OF_KIND,
    TABLE,
    UNSEEN_PRINT,
    CellLabel,
    PhotoLabel,
    Point,
    Size,
    WindowLabel,
)
from scoring import Die
from scoring.board import COLUMNS, ROWS
from scoring.names import plain
from vision import Corners, Reading, TableReading, VisionError, load_photo, read_photo, read_table

Reader = Callable[[Path], Reading]
TableReader = Callable[[Path], TableReading]
Spread = Callable[..., Iterable[list["PhotoResult"]]]

TOLERANCE_CELLS = 0.5
"""How far a corner may be off, in mean distances of neighboring cells: half a cell still hits every die."""

# Which of the reading's corners answers each labelled one (top left, top right, bottom right, bottom left).
UPRIGHT = (0, 1, 2, 3)
TURNED = (2, 3, 0, 1)
# The four sides of a window as pairs of corners, with how many cells long they are.
SIDES = ((0, 1, COLUMNS), (1, 2, ROWS), (2, 3, COLUMNS), (3, 0, ROWS))


@dataclass(frozen=True)
class Location:
    """How the corners of a reading lie to the labelled ones.

    ``errors_cells`` are the distances of the labelled corners in cells (units of the mean lattice pitch in
    the photo), ``turned`` says that the reading is upside down.
    """

    errors_cells: tuple[float, ...]
    turned: bool

    @property
    def mean_error(self) -> float:
        """The mean distance of the corners, in cells."""
        return sum(self.errors_cells) / len(self.errors_cells)

    @property
    def within_tolerance(self) -> bool:
        """Whether the window counts as located."""
        return max(self.errors_cells) <= TOLERANCE_CELLS


@dataclass(frozen=True)
class CellResult:
    """One labelled cell beside what was read in it; row and column are the label's.

    ``print_truth`` is what is printed there and ``print_read`` what was read of it, in pattern notation; both
    are None where a die lies on it or nobody can tell. ``covered`` is what the reading says.
    """

    row: int
    column: int
    truth: Die | None
    read: Die | None
    confidence: float
    flagged: bool
    print_truth: str | None = None
    print_read: str | None = None
    covered: bool = False

    @property
    def right(self) -> bool:
        """Whether color, value and emptiness are all right."""
        return self.truth == self.read


@dataclass(frozen=True)
class PhotoResult:
    """What the reader made of one photo.

    ``error`` is the code of the refusal, None when there is a reading. ``window`` is the labelled window that
    was to be read: the one nearest to the reading, or without a reading the largest (None when the photo
    shows no window). ``location`` is None without a reading and without labelled corners. ``cells`` are the
    readable cells of that window, none when there is no reading, ``hidden`` those that something covers.
    ``card`` is the pattern card that the reading names. ``size`` is that of the upright photo, None when it
    is not known. ``beside`` is what became of loose dice and cards, in one of the results of a photo.
    """

    label: PhotoLabel
    seconds: float
    error: str | None = None
    window: WindowLabel | None = None
    location: Location | None = None
    cells: tuple[CellResult, ...] = ()
    card: str | None = None
    size: Size | None = None
    hidden: tuple[CellResult, ...] = ()
    beside: Beside | None = None

    @property
    def whole(self) -> bool:
        """Whether the labelled window is whole in view."""
        return self.window is not None and self.window.whole_in(self.size)

    @property
    def has_dice(self) -> bool:
        """Whether there is a die in the labelled window."""
        return self.window is not None and self.window.has_dice

    @property
    def owed(self) -> bool:
        """Whether a reader must read this window: it is whole in view and wide enough."""
        return self.whole and self.window is not None and self.window.width_px > self.label.wide_enough_px

    @property
    def counted(self) -> bool:
        """Whether the cells of this window count: it is owed, or it was read although it is not."""
        return self.window is not None and (self.owed or self.error is None)

    @property
    def rightly_refused(self) -> bool:
        """Whether the photo was refused, and with the right reason."""
        if self.label.must_be_refused:
            return self.error is not None and self.error == self.label.refusal
        return self.error == REFUSAL_OF_KIND["cut"] and self.window is not None and not self.whole

    @property
    def found(self) -> bool:
        """Whether the reading is one of the labelled window; taken as such where no corner is labelled."""
        return self.error is None and (self.location is None or self.location.within_tolerance)

    @property
    def card_right(self) -> bool:
        """Whether the reading names the labelled pattern card, accents and capitals aside."""
        name = self.window.name if self.window else None
        return bool(name and self.card and plain(name) == plain(self.card))

    @property
    def card_missed(self) -> bool:
        """Whether the window has one of the game's cards and the reading does not name it."""
        return self.window is not None and self.window.card_is_known and not self.card_right

    @property
    def wrong_cells(self) -> tuple[CellResult, ...]:
        """The cells that were read wrong; all of them when something else than the window was read."""
        return tuple(cell for cell in self.cells if not (self.found and cell.right))

    @property
    def unnoticed(self) -> tuple[CellResult, ...]:
        """The cells that were read wrong and not flagged, hidden ones too."""
        hidden = (cell for cell in self.hidden if not (self.found and cell.right))
        return tuple(cell for cell in (*self.wrong_cells, *hidden) if not cell.flagged)


def evaluate_photos(
    folder: Path,
    labels: Iterable[PhotoLabel],
    reader: Reader = read_photo,
    table_reader: TableReader = read_table,
    spread: Spread = map,
) -> Iterator[PhotoResult]:
    """Read each labelled photo of ``folder`` and hold it against its label; of a table each of its windows.

    ``reader`` takes the path of a photo and returns a reading or raises a `VisionError`, which counts as a
    refusal; any other exception is a fault of the reader and goes through. ``table_reader`` does the same for
    tables. Real photos of several windows are read twice, for the one window meant and as tables. ``spread``
    does what ``map`` does, perhaps with several photos at a time, as the executors of `concurrent.futures`.
    """
    work = partial(_of_photo, folder, reader, table_reader)
    return (result for results in spread(work, labels) for result in results)


def _of_photo(
    folder: Path, reader: Reader, table_reader: TableReader, label: PhotoLabel
) -> list[PhotoResult]:
    path = folder / label.name
    as_table = partial(table_reader, path)
    if label.kind == TABLE:
        return list(evaluate_table(label, as_table))
    result = evaluate(label, partial(reader, path))
    size = result.size or _size_of(path)
    found = beside(label, _table(as_table)[0], size) if size and labelled_beside(label) else None
    results = [replace(result, size=size, beside=found)]
    if label.origin == "real" and len(label.windows) > 1:
        results += evaluate_table(replace(label, keys={**label.keys, "kind": TABLE}), as_table)
    return results


def evaluate(label: PhotoLabel, read: Callable[[], Reading]) -> PhotoResult:
    """Read one photo and hold it against its label, as `evaluate_photos` does."""
    started = time.perf_counter()
    try:
        reading = read()
    except VisionError as error:
        seconds = time.perf_counter() - started
        largest = max(label.windows, key=lambda window: _mean_pitch(window.corners), default=None)
        return PhotoResult(label, seconds, error.code, largest, size=label.size)
    return compare(label, reading, time.perf_counter() - started)


def evaluate_table(label: PhotoLabel, read: Callable[[], TableReading]) -> Iterator[PhotoResult]:
    """Read a table and hold each of its labelled windows against the reading that lies there.

    A window that no reading lies in counts as refused, with the reason that the table names for it. The time
    is shared out among the windows.
    """
    started = time.perf_counter()
    table, refusal = _table(read)
    seconds = (time.perf_counter() - started) / max(len(label.windows), 1)
    size = table.size if table else label.size
    found = beside(label, table, size) if size and labelled_beside(label) else None
    each = (replace(label, windows=(window,)) for window in label.windows)
    results = [_of_table(one, table, refusal, seconds) for one in each]
    first, *others = results or [PhotoResult(label, seconds, refusal if table is None else None, size=size)]
    yield replace(first, beside=found)
    yield from others


def _table(read: Callable[[], TableReading]) -> tuple[TableReading | None, str]:
    """Return what was read of a table and the code with which a window counts as refused that was not."""
    try:
        return read(), REFUSAL_OF_KIND["none"]
    except VisionError as error:
        return None, error.code


def _of_table(label: PhotoLabel, table: TableReading | None, refusal: str, seconds: float) -> PhotoResult:
    """Return what became of a table's window, the one of ``label``; one that is unread keeps its reason."""
    held = (compare(label, reading, seconds) for reading in (table.windows if table else ()))
    if found := next((result for result in held if result.found), None):
        return found
    (window,) = label.windows
    middle, reach = window.middle, ROWS / 2 * (_mean_pitch(window.corners) or math.inf)
    for one in table.unread if table else ():
        if one.what == "window" and middle and math.dist(one.center, middle) <= reach:
            refusal = one.reason.code
    return PhotoResult(label, seconds, refusal, window, size=table.size if table else label.size)


def compare(label: PhotoLabel, reading: Reading, seconds: float) -> PhotoResult:
    """Return what is right and wrong in ``reading`` of the photo that ``label`` describes."""
    card = reading.window.name if reading.window else None
    if not label.windows:
        return PhotoResult(label, seconds, card=card, size=reading.size)
    windows = [(window, locate(reading.corners, window)) for window in label.windows]
    window, location = min(windows, key=lambda pair: pair[1].mean_error if pair[1] else math.inf)
    if location is None:  # no labelled corners: whichever way up more dice agree
        ways = (_compare_cells(window.readable_cells, one) for one in (reading, reading.rotated_180()))
        upright, upside_down = (sum(cell.right for cell in cells) for cells in ways)
    if location.turned if location else upside_down > upright:
        reading = reading.rotated_180()
    cells, hidden = (_compare_cells(some, reading) for some in (window.readable_cells, window.hidden_cells))
    return PhotoResult(label, seconds, None, window, location, cells, card, reading.size, hidden)


def locate(corners: Corners, window: WindowLabel) -> Location | None:
    """Return how ``corners`` (pixels) lie to those of ``window``, either way up; None when it has none."""
    if not any(window.corners):
        return None
    pitch = _mean_pitch(window.corners) or _mean_pitch(corners)
    ways = [
        Location(
            errors_cells=tuple(
                math.dist(corners[index], point) / pitch if pitch else math.inf
                for index, point in zip(order, window.corners, strict=True)
                if point is not None
            ),
            turned=order is TURNED,
        )
        for order in (UPRIGHT, TURNED)
    ]
    return min(ways, key=lambda way: way.mean_error)


def _compare_cells(cells: Iterable[CellLabel], reading: Reading) -> tuple[CellResult, ...]:
    prints = reading.pattern.replace(" / ", "")
    results = []
    for cell in cells:
        read, print_read = reading.cell(cell.row, cell.column), prints[COLUMNS * cell.row + cell.column]
        results.append(
            CellResult(
                row=cell.row,
                column=cell.column,
                truth=cell.die,
                read=read.die,
                confidence=read.confidence,
                flagged=read.doubtful,
                print_truth=cell.print if cell.die is None else None,
                print_read=None if print_read == UNSEEN_PRINT else print_read,
                covered=read.covered,
            )
        )
    return tuple(results)


def _size_of(path: Path) -> Size | None:
    """Return width and height of an upright photo, None when it cannot be decoded."""
    try:
        return load_photo(path).full_size
    except VisionError:
        return None


def _mean_pitch(corners: tuple[Point | None, ...]) -> float:
    """Mean distance of neighboring cells in pixels, 0 when no side of the window has both its ends."""
    pitches = [
        math.dist(start, end) / cells
        for start, end, cells in ((corners[i], corners[j], cells) for i, j, cells in SIDES)
        if start is not None and end is not None
    ]
    return sum(pitches) / len(pitches) if pitches else 0.0
