"""The committed record of how good the reader is, and holding a new measurement against it.

``python -m calibration write FOLDER...``
    measures the reader on each folder and rewrites its record, and all pages made of the records;
``python -m calibration scenes [--count N]``
    does the same on synthetic scenes that nothing was learned from (a second or two each);
``python -m calibration tables [--count N]``
    does the same on synthetic tables with windows and loose dice (two to four seconds each);
``python -m calibration pages``
    rewrites the pages alone, after a cause was written down in ``causes.toml``;
``python -m calibration check FOLDER...``
    measures and fails when a figure is worse than its record.

The pages are ``calibration/accuracy/results/README.md`` and the figures and plot in ``docs/accuracy.md``.
"""

from __future__ import annotations

import argparse
import dataclasses
import sys
from collections.abc import Sequence
from pathlib import Path

from calibration.accuracy.comparison import evaluate_photos
from calibration.accuracy.goals import worse_figures
from calibration.accuracy.labels import load_labels
from calibration.accuracy.pages import DOCUMENT, refreshed, reliability_picture, results_page
from calibration.accuracy.records import (
    CAUSES,
    RECORDS,
    Evaluation,
    evaluation_of,
    evaluations_of,
    read_causes,
    read_record,
    read_records,
    record_path,
    unmatched_causes,
    write_record,
)
from calibration.errors import CalibrationError

HELD_BACK = {
    "scenes": ("synthetic", "held_back_results", 400),
    "tables": ("synthetic tables", "held_back_tables", 120),
}
"""What is drawn by a command: the name of its record, the function that draws and reads it, and how many
pictures are usual.

The 8,000 cells of the scenes are enough to see a calibration error of half a percent.
"""


def main(
    arguments: Sequence[str] | None = None, records: Path = RECORDS, document: Path | None = DOCUMENT
) -> int:
    """Run the command; the exit status is 1 when a figure is worse or a miss has no cause written down."""
    parser = argparse.ArgumentParser(
        prog="python -m calibration",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("command", choices=("write", *HELD_BACK, "pages", "check"))
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--count", type=int, help="how many synthetic scenes or tables to draw")
    options = parser.parse_args(arguments)
    if (options.command in {"write", "check"}) != bool(options.folders):
        parser.error("write and check need folders of photos, the others take none")
    try:
        return _run(options.command, options.folders, options.count, records, document)
    except CalibrationError as error:
        parser.error(str(error))


def _run(
    command: str, folders: Sequence[Path], count: int | None, records: Path, document: Path | None
) -> int:
    if command == "check":
        worse = [line for folder in folders for line in _worse(folder, records)]
        sys.stdout.write("\n".join(worse or ["Nothing is worse than recorded."]) + "\n")
        return 1 if worse else 0
    for folder in folders:
        for evaluation in _measured(folder):
            write_record(evaluation, record_path(evaluation, records))
    if command in HELD_BACK:
        from calibration.training import held_back  # noqa: PLC0415  installed packages are without it

        name, function, usual = HELD_BACK[command]
        drawn = evaluation_of(name, getattr(held_back, function)(count or usual))
        write_record(dataclasses.replace(drawn, misses=()), record_path(drawn, records))
    _write_pages(records, document)
    missing = unmatched_causes(read_records(records), read_causes(records / CAUSES.name))
    sys.stdout.write("\n".join((*missing, f"Written: the records and pages in {records}.")) + "\n")
    return 1 if missing else 0


def _measured(folder: Path) -> tuple[Evaluation, ...]:
    return evaluations_of(folder.resolve().name, evaluate_photos(folder, load_labels(folder)))


def _worse(folder: Path, records: Path) -> list[str]:
    """Return what is worse in a folder than its record says."""
    lines = []
    for evaluation in _measured(folder):
        path = record_path(evaluation, records)
        if path.exists():
            worse = worse_figures(evaluation.summary, read_record(path).summary)
            lines += [f"{evaluation.name}: {line}" for line in worse]
        else:
            lines.append(f"{evaluation.name}: there is no record to compare with; write one first")
    return lines


def _write_pages(records: Path, document: Path | None) -> None:
    evaluations = read_records(records)
    page = results_page(evaluations, read_causes(records / CAUSES.name))
    (records / "README.md").write_text(page, encoding="utf-8")
    if document is not None and document.is_file():
        text = refreshed(document.read_text(encoding="utf-8"), evaluations)
        document.write_text(text, encoding="utf-8")
        picture = document.parent / "pictures" / "reliability.svg"
        picture.write_text(reliability_picture(evaluations), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
