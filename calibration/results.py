"""The committed record of how good the reader is, and holding a new measurement against it.

``python -m calibration.results write FOLDER...``
    measures the reader on each folder and rewrites its record, and all pages made of the records;
``python -m calibration.results scenes [--count N]``
    does the same on synthetic scenes that nothing was learned from (a second or two each);
``python -m calibration.results pages``
    rewrites the pages alone, after a cause was written down in ``causes.toml``;
``python -m calibration.results check FOLDER...``
    measures and fails when a figure is worse than its record.

The pages are ``calibration/results/README.md`` and the blocks of figures in ``docs/accuracy.md``.
"""

from __future__ import annotations

import argparse
import dataclasses
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from calibration.accuracy import DOCUMENT, refreshed
from calibration.causes import read_causes, unmatched
from calibration.evaluate import PhotoResult, evaluate_photos
from calibration.held_back import held_back_results
from calibration.labels import load_labels
from calibration.page import results_page
from calibration.records import (
    RECORDS,
    evaluation_of,
    read_record,
    read_records,
    worse_figures,
    write_record,
)

SCENES = "synthetic"
"""The record of the synthetic scenes."""

SCENE_COUNT = 400
"""8,000 cells: enough to see a calibration error of half a percent."""


def main(
    arguments: Sequence[str] | None = None, records: Path = RECORDS, document: Path | None = DOCUMENT
) -> int:
    """Run the command; the exit status is 1 when a figure is worse or a miss has no cause written down."""
    parser = argparse.ArgumentParser(
        prog="python -m calibration.results",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("command", choices=("write", "scenes", "pages", "check"))
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--count", type=int, default=SCENE_COUNT, help="how many synthetic scenes to draw")
    options = parser.parse_args(arguments)
    if (options.command in {"write", "check"}) != bool(options.folders):
        parser.error("write and check need folders of photos, scenes and pages take none")
    if options.command == "check":
        return _tell([line for folder in options.folders for line in _worse(folder, records)])
    for folder in options.folders:
        write_record(evaluation_of(_name(folder), _measured(folder)), records / f"{_name(folder)}.json")
    if options.command == "scenes":
        drawn = evaluation_of(SCENES, held_back_results(options.count))
        write_record(dataclasses.replace(drawn, misses=()), records / f"{SCENES}.json")
    _write_pages(records, document)
    missing = unmatched(read_records(records), read_causes(records / "causes.toml"))
    sys.stdout.write("\n".join((*missing, f"Written: the records and pages in {records}.")) + "\n")
    return 1 if missing else 0


def _name(folder: Path) -> str:
    return folder.resolve().name


def _measured(folder: Path) -> Iterable[PhotoResult]:
    return evaluate_photos(folder, load_labels(folder))


def _worse(folder: Path, records: Path) -> list[str]:
    """Return what is worse in a folder than its record says."""
    path = records / f"{_name(folder)}.json"
    if not path.exists():
        return [f"{_name(folder)}: there is no record to compare with; write one first"]
    now = evaluation_of(_name(folder), _measured(folder))
    return [f"{now.name}: {line}" for line in worse_figures(now.summary, read_record(path).summary)]


def _tell(worse: Sequence[str]) -> int:
    sys.stdout.write("\n".join(worse or ["Nothing is worse than recorded."]) + "\n")
    return 1 if worse else 0


def _write_pages(records: Path, document: Path | None) -> None:
    evaluations = read_records(records)
    page = results_page(evaluations, read_causes(records / "causes.toml"))
    (records / "README.md").write_text(page, encoding="utf-8")
    if document is not None and document.is_file():
        text = refreshed(document.read_text(encoding="utf-8"), evaluations)
        document.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
