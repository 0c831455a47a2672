"""How the reader stands up to one fault at a time.

``python -m calibration.accuracy.faults FOLDER [--every N] [--fault NAME] [--misses]``

Labelled photos of single windows are changed by one fault at a time: what phones and lamps do to a picture
(`calibration.accuracy.spoiled`), and what hands and cards hide of it (`calibration.accuracy.painted`). Each
is read, and a table tells what became of it. What counts is what a player is not warned of: a fault may cost
spaces, and even the reading, as long as it says so. The same photo always gets the same fault.
"""

from __future__ import annotations

import argparse
import sys
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from calibration.accuracy.comparison import CellResult, PhotoResult, evaluate
from calibration.accuracy.labels import PhotoLabel, load_labels
from calibration.accuracy.painted import PAINTED
from calibration.accuracy.report import Table
from calibration.accuracy.shares import Share
from calibration.accuracy.spoiled import SPOILED, Fault, Shot
from vision import load_photo, read_photo

GOAL = 0.05
"""Wrong and unflagged cells a window that was read, under each fault."""

HIDDEN_FROM, IN_VIEW_BELOW = 0.6, 0.05
"""Shares of a space that lie under something for it to be hidden, and at most for it to be in view."""

FAULTS: Mapping[str, Fault] = {"nothing": lambda shot, _: shot, **PAINTED, **SPOILED}
"""Each fault by its name; the first is a photo as it is."""

HEAD = (
    "fault",
    "windows read",
    "refused as",
    "wrong and unflagged a window",
    f"<= {GOAL:g}",
    "hidden spaces covered",
    "spaces in view covered",
    "flags on these, a window",
)

Read = tuple[Shot, PhotoResult]
"""A photo with a fault, and what the reader made of it."""


def single_windows(folder: Path, every: int = 1) -> tuple[PhotoLabel, ...]:
    """Return the labels of the photos that show one whole window in plain view, each N-th."""
    labels = [label for label in load_labels(folder) if len(label.windows) == 1 and not label.must_be_refused]
    plain = (one for one in labels if None not in one.windows[0].corners)
    return tuple(one for one in plain if all(cell.readable for cell in one.windows[0].cells))[::every]


def spoiled(shot: Shot, fault: str) -> Shot:
    """Return a photo with a fault, always the same one for a photo."""
    seed = [zlib.crc32(text.encode()) for text in (shot.label.name, fault)]
    return FAULTS[fault](shot, np.random.default_rng(seed))


def read_spoiled(folder: Path, labels: Iterable[PhotoLabel], faults: Sequence[str]) -> dict[str, list[Read]]:
    """Read every photo under every fault, and hold what was read against what is there."""
    found: dict[str, list[Read]] = {name: [] for name in faults}
    for label in labels:
        plain = Shot(load_photo(folder / label.name, max_side=None).image_bgr, label)
        for name in faults:
            shot = spoiled(plain, name)
            data = cv2.imencode(".png", shot.image_bgr, (cv2.IMWRITE_PNG_COMPRESSION, 1))[1].tobytes()
            found[name].append((shot, evaluate(shot.label, partial(read_photo, data))))
    return found


def wrong_a_window(found: Sequence[Read]) -> float:
    """Return how many cells a window that was read are wrong and not flagged, 0 where none was read."""
    read = [result for _, result in found if result.error is None]
    return sum(len(result.unnoticed) for result in read) / max(len(read), 1)


def row_of(name: str, found: Sequence[Read]) -> tuple[str, ...]:
    """Return the figures of one fault; those of spaces are of the windows that were located."""
    results = [result for _, result in found]
    read = sum(result.error is None for result in results)
    hidden: list[CellResult] = []
    in_view: list[CellResult] = []
    for shot, result in found:
        cells = list(zip(result.cells, shot.hidden.tolist(), strict=True)) if result.found else []
        hidden += [cell for cell, share in cells if share >= HIDDEN_FROM]
        in_view += [cell for cell, share in cells if share <= IN_VIEW_BELOW]
    covered, alarms = (Share.of(cell.covered for cell in cells) for cells in (hidden, in_view))
    codes = Counter(result.error for result in results if result.error)
    wrong = wrong_a_window(found)
    return (
        name,
        f"{read} of {len(results)}",
        ", ".join(f"{code} x {count}" for code, count in sorted(codes.items())),
        f"{wrong:.3f}" if read else "-",
        "yes" if wrong <= GOAL else "NO",
        f"{covered}  {covered.percent()}" if hidden else "-",
        f"{alarms}  {alarms.percent(2)}" if in_view else "-",
        f"{sum(cell.flagged for cell in in_view) / read:.2f}" if read else "-",
    )


def misses_text(found: Iterable[Read]) -> str:
    """Return a line for each photo in which something is wrong that nobody is warned of."""
    lines = []
    for _, result in found:
        cells = [f"{c.read or '--'} for {c.truth or '--'} ({c.confidence:.2f})" for c in result.unnoticed]
        lines += [f"  {result.label.name}: {', '.join(cells)}"] if cells else []
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit status is 1 when a fault misses its goal."""
    parser = argparse.ArgumentParser(
        prog="python -m calibration.accuracy.faults",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take only each N-th photo")
    parser.add_argument("--fault", action="append", choices=FAULTS, help="only this one; repeat it")
    parser.add_argument("--misses", action="store_true", help="list what is wrong and unflagged")
    options = parser.parse_args(arguments)
    labels = single_windows(options.folder, options.every)
    found = read_spoiled(options.folder, labels, options.fault or tuple(FAULTS))
    sys.stdout.write(Table(HEAD, [row_of(name, reads) for name, reads in found.items()]).text + "\n")
    if options.misses:
        for name, reads in found.items():
            if lines := misses_text(reads):
                sys.stdout.write(f"\n{name}\n{lines}\n")
    return int(any(wrong_a_window(reads) > GOAL for reads in found.values()))


if __name__ == "__main__":
    sys.exit(main())
