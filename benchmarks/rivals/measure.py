"""Hold the simpler rivals and the program against the same labelled photos, with the same measure."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median

import numpy as np
from numpy.typing import NDArray

from benchmarks.rivals.dice import Cells
from benchmarks.rivals.grid import find_grid
from calibration.accuracy.comparison import evaluate_photos
from calibration.accuracy.labels import PhotoLabel
from calibration.accuracy.records import origin_of
from calibration.accuracy.summary import Summary, summarize
from vision import Corners, Reading, VisionError, read_photo
from vision.cells.crops import cell_crops
from vision.cells.dice import PRINTS, CellProbabilities, cell_readings, contents, read_cells
from vision.geometry import Grid
from vision.photo import Photo, brightened, load_photo

Reader = Callable[[NDArray[np.uint8]], Cells]

PROGRAM = "the program"
GIVEN, FOUND = "given", "found"


@dataclass(frozen=True)
class Row:
    """One reader on one folder: on the labelled corners (``given``) or on the grid that was found.

    On grids found the program uses its own finder, every rival the classical grid search.
    ``seconds`` is the median processor time a photo of reading the cells, or of the whole road for `PROGRAM`
    on grids found.
    """

    reader: str
    grid: str
    summary: Summary
    with_dice: Summary
    seconds: float


@dataclass(frozen=True)
class Measured:
    """All rows of one folder, and the median processor time of the classical grid search."""

    name: str
    origin: str
    rows: tuple[Row, ...]
    grid_seconds: float

    def row(self, reader: str, grid: str) -> Row:
        """Return the row of a reader on given or found grids."""
        return next(row for row in self.rows if (row.reader, row.grid) == (reader, grid))


class Notes:
    """What each reader made of each photo, and in what processor time, by reader and grid."""

    def __init__(self) -> None:
        self.outcomes: dict[tuple[str, str], dict[str, Reading | VisionError]] = defaultdict(dict)
        self.seconds: dict[tuple[str, str], list[float]] = defaultdict(list)
        self.grid_seconds: list[float] = []

    def run(self, reader: str, grid: str, photo: str, work: Callable[[], Reading]) -> None:
        """Note the reading that ``work`` returns, or the error it ends in."""
        started = time.process_time()
        try:
            self.outcomes[reader, grid][photo] = work()
        except VisionError as error:
            self.outcomes[reader, grid][photo] = error
        self.seconds[reader, grid].append(time.process_time() - started)


def measure(folder: Path, labels: Sequence[PhotoLabel], readers: Mapping[str, Reader]) -> Measured:
    """Read each photo with the program and with all rivals, on labelled corners and on grids found."""
    notes = Notes()
    for label in labels:
        read_with_all(folder, label, readers, notes)
    return summed_up(folder, labels, notes)


def read_with_all(folder: Path, label: PhotoLabel, readers: Mapping[str, Reader], notes: Notes) -> None:
    """Read one photo in all ways and write down what came out."""
    photo = brightened(load_photo(folder / label.name))
    given = labelled_grid(label, photo)
    if given is not None:
        notes.run(PROGRAM, GIVEN, label.name, partial(_program_reading, photo, given))
    notes.run(PROGRAM, FOUND, label.name, partial(read_photo, folder / label.name))
    started = time.process_time()
    found: Grid | VisionError
    try:
        found = find_grid(photo.image_bgr)
    except VisionError as error:
        found = error
    notes.grid_seconds.append(time.process_time() - started)
    for name, reader in readers.items():
        for way, grid in ((GIVEN, given), (FOUND, found)):
            if grid is not None:
                notes.run(name, way, label.name, partial(_rival_reading, photo, grid, reader))


def summed_up(folder: Path, labels: Sequence[PhotoLabel], notes: Notes) -> Measured:
    """Hold what was read against the labels, with the measure that the program itself is held to."""
    rows = []
    for (name, way), outcomes in notes.outcomes.items():

        def recall(path: Path, outcomes: Mapping[str, Reading | VisionError] = outcomes) -> Reading:
            outcome = outcomes[path.name]
            if isinstance(outcome, VisionError):
                raise outcome
            return outcome

        chosen = [label for label in labels if label.name in outcomes]
        results = tuple(evaluate_photos(folder, chosen, recall))
        dice = [r for r in results if any(c.die for w in r.label.windows for c in w.cells)]
        seconds = round(median(notes.seconds[name, way]), 4)
        rows.append(Row(name, way, summarize(results), summarize(dice), seconds))
    grid_seconds = round(median(notes.grid_seconds), 4)
    return Measured(folder.resolve().name, origin_of(labels), tuple(rows), grid_seconds)


def labelled_grid(label: PhotoLabel, photo: Photo) -> Grid | None:
    """Return the grid of the first window whose four corners are labelled, None where there is none."""
    for window in label.windows:
        a, b, c, d = window.corners
        if a and b and c and d:
            points = ((x * photo.scale, y * photo.scale) for x, y in (a, b, c, d))
            corners: Corners = (next(points), next(points), next(points), next(points))
            return Grid.from_corners(corners, (photo.image_bgr.shape[1], photo.image_bgr.shape[0]))
    return None


def _rival_reading(photo: Photo, grid: Grid | VisionError, reader: Reader) -> Reading:
    if isinstance(grid, VisionError):
        raise grid
    return _reading(photo, grid, reader(cell_crops(photo.image_bgr, grid)))


def _program_reading(photo: Photo, grid: Grid) -> Reading:
    cells = read_cells(photo.image_bgr, grid)
    return _reading(photo, grid, Cells(cells.filled, cells.color, cells.value))


def _reading(photo: Photo, grid: Grid, cells: Cells) -> Reading:
    """Return cells as the program's own container: the measure takes nothing else."""
    prints = np.full((20, len(PRINTS)), 1 / len(PRINTS))  # the rivals do not read the card
    held = contents(CellProbabilities(cells.filled, cells.color, cells.value, prints))
    a, b, c, d = ((float(x), float(y)) for x, y in grid.corners_px / photo.scale)
    return Reading(
        size=photo.full_size,
        corners=(a, b, c, d),
        cells=cell_readings(held),
        pattern=" / ".join(["?????"] * 4),
        window=None,
        upright_probability=max(0.5, grid.upright_probability),
        other_windows=0,
        seconds=0.0,
    )
