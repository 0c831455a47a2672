"""The committed record of how good the reader is, and holding a new measurement against it.

``python -m calibration.results write FOLDER...`` measures the reader on each folder and rewrites the record
and the table in ``calibration/results/``; ``python -m calibration.results check FOLDER...`` measures and
fails when a figure is worse than its record.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from calibration.evaluate import evaluate_photos
from calibration.labels import load_labels
from calibration.records import RECORDS, evaluation_of, read_record, worse_figures, write_record
from calibration.tables import results_page


def main(arguments: Sequence[str] | None = None, records: Path = RECORDS) -> int:
    """Run ``write`` or ``check`` on the named folders; the exit status is 1 when a figure is worse."""
    parser = argparse.ArgumentParser(prog="python -m calibration.results", description=__doc__)
    parser.add_argument("command", choices=("write", "check"))
    parser.add_argument("folders", nargs="+", type=Path)
    options = parser.parse_args(arguments)
    worse: list[str] = []
    for folder in options.folders:
        name = folder.resolve().name
        evaluation = evaluation_of(name, evaluate_photos(folder, load_labels(folder)))
        path = records / f"{name}.json"
        if options.command == "write":
            write_record(evaluation, path)
        elif not path.exists():
            worse.append(f"{name}: there is no record to compare with; write one first")
        else:
            before = read_record(path)
            worse += [f"{name}: {sentence}" for sentence in worse_figures(evaluation.summary, before.summary)]
    if options.command == "write":
        (records / "README.md").write_text(
            results_page([read_record(path) for path in sorted(records.glob("*.json"))]), encoding="utf-8"
        )
        sys.stdout.write(f"Written: {records / 'README.md'} and the records beside it.\n")
        return 0
    sys.stdout.write("\n".join(worse or ["Nothing is worse than recorded."]) + "\n")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
