"""How well spaces that nobody can see are told from empty ones.

``python -m calibration.accuracy.hidden FOLDER...`` reads each labelled photo of one window as it is and with
each of the faults of `calibration.accuracy.painted` painted over it. Printed are, for each fault, how many
photos are refused, how many of the spaces that are hidden are ``covered`` and how many at least flagged, how
many of those in view are covered and how many flagged, and how many cells a window are wrong unflagged.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.accuracy.labels import WindowLabel, load_labels
from calibration.accuracy.painted import FAULTS, Fault, Picture
from vision import Reading, VisionError, load_photo, read_photo
from vision.geometry import BOARD_CORNERS, Grid, apply_homography, as_corners

HIDDEN_FROM, IN_VIEW_BELOW = 0.6, 0.05
"""Shares of a cell that a cover must hide for it to be hidden, and at most for it to be in view."""

QUALITY = 92  # of the JPEG that the changed photo is stored as
LONG_SIDE = 1000
"""Pixels of the long side that a photo is reduced to before anything is painted over it."""


@dataclass(eq=False)
class Tally:
    """What was counted of one fault; cells as (photo, row, column)."""

    photos: int = 0
    refused: list[str] = field(default_factory=list)
    hidden: int = 0
    missed: list[tuple[str, int, int]] = field(default_factory=list)
    unflagged: list[tuple[str, int, int]] = field(default_factory=list)
    in_view: int = 0
    false_alarms: list[tuple[str, int, int]] = field(default_factory=list)
    flags: int = 0
    wrong: list[tuple[str, int, int]] = field(default_factory=list)

    def line(self, name: str) -> str:
        """Return the figures as one line of a table."""
        read = max(self.photos - len(self.refused), 1)
        covered = 1 - len(self.missed) / max(self.hidden, 1)
        flagged = 1 - len(self.unflagged) / max(self.hidden, 1)
        return (
            f"{name:22} {self.photos:4} {len(self.refused):4}   {self.hidden:5} {covered:7.1%} {flagged:7.1%}"
            f"   {self.in_view:5} {len(self.false_alarms) / max(self.in_view, 1):7.2%}"
            f" {self.flags / max(self.in_view, 1):7.2%}   {len(self.wrong) / read:6.3f}"
        )


HEAD = (
    f"{'fault':22} {'read':>4} {'ref.':>4}   {'hid.':>5} {'covered':>7} {'flagged':>7}"
    f"   {'seen':>5} {'covered':>7} {'flagged':>7}   wrong unflagged a window"
)


def boards_of(folder: Path) -> Iterator[tuple[str, WindowLabel, Picture, Grid]]:
    """Yield name, label, picture and lattice of the photos of a folder that show one whole window."""
    for label in load_labels(folder):
        if label.must_be_refused or len(label.windows) != 1:
            continue
        board = label.windows[0]
        if any(corner is None for corner in board.corners) or not all(c.readable for c in board.cells):
            continue
        photo = load_photo(folder / label.name)
        scale = min(1.0, LONG_SIDE / max(photo.image_bgr.shape))
        small = cv2.resize(photo.image_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        shrink = np.diag([scale * photo.scale] * 2 + [1.0])
        corners = apply_homography(shrink, np.array(board.corners, dtype=np.float64))
        grid = Grid.from_corners(as_corners(corners), (small.shape[1], small.shape[0]))
        tops = label.keys.get("corners_at_die_tops")
        if tops is not None:
            grid = _with_tops(grid, apply_homography(shrink, np.array(tops, dtype=np.float64)))
        yield label.name, board, np.asarray(small, dtype=np.uint8), grid


def _with_tops(grid: Grid, tops: NDArray[np.float64]) -> Grid:
    """Return the grid with the rise that the labelled corners (4, 2) at the dice's tops speak for."""
    # top ~ base + rise: for each corner two equations that are linear in the three numbers of the rise.
    base = np.column_stack([BOARD_CORNERS, np.ones(4)]) @ grid.homography.T
    rows, goals = [], []
    for (x, y), (a, b, c) in zip(tops, base, strict=True):
        rows += [[1, 0, -x], [0, 1, -y]]
        goals += [x * c - a, y * c - b]
    rise = np.linalg.lstsq(np.array(rows), np.array(goals), rcond=None)[0]
    return Grid(grid.homography, rise)


def read_fault(fault: Fault) -> Reading | None:
    """Read a changed photo; None when it is refused."""
    data = cv2.imencode(".jpg", fault.image_bgr, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()
    try:
        return read_photo(data)
    except VisionError:
        return None


def count(tally: Tally, name: str, board: WindowLabel, grid: Grid, fault: Fault) -> None:
    """Read a changed photo and count what became of its cells."""
    tally.photos += 1
    reading = read_fault(fault)
    if reading is None:
        tally.refused.append(name)
        return
    middles = apply_homography(grid.homography, np.array([[0.5, 0.5], [4.5, 3.5]]))
    corner = np.array(reading.corners[0])
    if np.linalg.norm(corner - middles[0]) > np.linalg.norm(corner - middles[1]):
        reading = reading.rotated_180()
    for truth, cell, share in zip(board.cells, reading.cells, fault.hidden.tolist(), strict=True):
        place = (name, cell.row, cell.column)
        if share >= HIDDEN_FROM:
            tally.hidden += 1
            if not cell.covered:
                tally.missed.append(place)
            if not cell.doubtful:
                tally.unflagged.append(place)
        elif share <= IN_VIEW_BELOW:
            tally.in_view += 1
            tally.flags += cell.doubtful
            if cell.covered:
                tally.false_alarms.append(place)
        if cell.die != truth.die and not cell.doubtful:
            tally.wrong.append(place)


def measure(
    folders: list[Path], faults: list[str], keep: Path | None = None, every: int = 1
) -> dict[str, Tally]:
    """Return the figures of each fault over all photos; changed photos that went wrong are kept as PNG."""
    tallies = {name: Tally() for name in faults}
    boards = [one for folder in folders for one in boards_of(folder)]
    for number, (photo, board, image_bgr, grid) in enumerate(boards[::every]):
        dice = np.array([cell.die is not None for cell in board.cells])
        for name in faults:
            seed = [number, list(FAULTS).index(name)]
            fault = FAULTS[name](np.random.default_rng(seed), image_bgr, grid, dice)
            tally = tallies[name]
            before = _troubles(tally)
            count(tally, photo, board, grid, fault)
            if keep and _troubles(tally) != before:
                _keep(keep / f"{name.replace(' ', '_')}_{Path(photo).stem}.png", fault.image_bgr)
    return tallies


def _troubles(tally: Tally) -> tuple[int, ...]:
    return len(tally.refused), len(tally.missed), len(tally.false_alarms), len(tally.wrong)


def _keep(path: Path, image_bgr: NDArray[np.uint8]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(path), image_bgr)


def main() -> None:
    """Measure, and print the table and what went wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+", help="folders with a labels.json")
    parser.add_argument("--fault", action="append", choices=list(FAULTS), help="only this one")
    parser.add_argument("--keep", type=Path, help="a folder for the pictures that went wrong")
    parser.add_argument("--every", type=int, default=1, help="only every so many-th photo")
    args = parser.parse_args()
    tallies = measure(args.folders, args.fault or list(FAULTS), args.keep, args.every)
    lines = [HEAD, *(tally.line(name) for name, tally in tallies.items())]
    for name, tally in tallies.items():
        for what in ("refused", "missed", "unflagged", "false_alarms", "wrong"):
            lines += [f"{name}: {what}: {one}" for one in getattr(tally, what)]
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
