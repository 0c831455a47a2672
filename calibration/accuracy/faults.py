"""How the reader stands up to one fault at a time.

``python -m calibration.accuracy.faults FOLDER [--every N]``

Labelled photos of single windows are changed by one fault at a time (`calibration.accuracy.spoiled` makes
them), each is read, and a table tells what became of it. What counts is what a player is not warned of: a
fault may cost cells, and even the reading, as long as it says so.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from calibration.accuracy.comparison import PhotoResult, evaluate
from calibration.accuracy.goals import figure_text
from calibration.accuracy.labels import PhotoLabel, WindowLabel, load_labels
from calibration.accuracy.report import Table
from calibration.accuracy.spoiled import FAULTS, Shot
from calibration.accuracy.summary import Summary, summarize
from vision import load_photo, read_photo

GOAL = 0.05
"""Wrong and unflagged cells a window that was read, under each fault."""


def single_windows(folder: Path, every: int = 1) -> tuple[PhotoLabel, ...]:
    """Return the labels of the photos that show one whole window with all corners labelled, each N-th."""
    labels = [label for label in load_labels(folder) if len(label.windows) == 1]
    return tuple(label for label in labels if label.refusal is None and _is_plain(label.windows[0]))[::every]


def _is_plain(window: WindowLabel) -> bool:
    return None not in window.corners and not window.hidden_cells


def spoiled_results(
    folder: Path, labels: Iterable[PhotoLabel], faults: Sequence[str]
) -> dict[str, list[PhotoResult]]:
    """Read every photo under every fault, and hold what was read against what is there."""
    results: dict[str, list[PhotoResult]] = {name: [] for name in faults}
    for number, label in enumerate(labels):
        plain = Shot(load_photo(folder / label.name, max_side=None).image_bgr, label)
        for name in faults:
            shot = FAULTS[name](plain, np.random.default_rng(number))
            result = evaluate(shot.label, partial(read_photo, _file_of(shot)))
            results[name].append(result)
    return results


def _file_of(shot: Shot) -> bytes:
    """Return the picture as a file that holds it as it is, quickly."""
    done, data = cv2.imencode(".png", shot.image_bgr, (cv2.IMWRITE_PNG_COMPRESSION, 1))
    if not done:
        raise ValueError(shot.label.name)
    return data.tobytes()


def faults_table(summaries: Mapping[str, Summary]) -> Table:
    """Return a row for each fault, what nobody is warned of beside its goal."""
    head = (
        "fault",
        "windows read",
        "cells right",
        "wrong and unflagged a window",
        f"<= {GOAL:g}",
        "flagged a window",
        "hidden spaces covered",
        "others covered",
        "refused as",
    )
    return Table(head, [(name, *_row(summary)) for name, summary in summaries.items()])


def _row(s: Summary) -> tuple[str, ...]:
    unnoticed = s.wrong_unflagged_per_board
    flagged = f"{s.flagged.hits / s.boards_read:.2f}" if s.boards_read else "-"
    return (
        f"{s.boards_read} of {s.boards}",
        figure_text(s.cells_located.right),
        figure_text(unnoticed, percent=False),
        "NO" if unnoticed is not None and unnoticed > GOAL else "yes",
        flagged,
        str(s.hidden_covered),
        s.in_view_covered.percent(2),
        ", ".join(f"{code} x {count}" for code, count in s.boards_refused.items()),
    )


def misses_text(results: Iterable[PhotoResult]) -> str:
    """Return a line for each photo in which something is wrong that nobody is warned of."""
    lines = []
    for result in results:
        cells = [
            f"{cell.read or '--'} for {cell.truth or '--'} ({cell.confidence:.2f})"
            for cell in result.unnoticed
        ]
        if cells:
            lines.append(f"  {result.label.name}: {', '.join(cells)}")
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
    parser.add_argument("--fault", action="append", choices=sorted(FAULTS), help="only this one; repeat it")
    parser.add_argument("--misses", action="store_true", help="list what is wrong and unflagged")
    options = parser.parse_args(arguments)
    labels = single_windows(options.folder, options.every)
    results = spoiled_results(options.folder, labels, options.fault or tuple(FAULTS))
    summaries = {name: summarize(found) for name, found in results.items()}
    sys.stdout.write(faults_table(summaries).text + "\n")
    if options.misses:
        for name, found in results.items():
            sys.stdout.write(f"\n{name}\n{misses_text(found)}\n")
    return int(any((s.wrong_unflagged_per_board or 0.0) > GOAL for s in summaries.values()))


if __name__ == "__main__":
    sys.exit(main())
