"""``sagrada evaluate``: how good the reader is on labelled photos."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from scoring.names import find_name
from scoring.sentences import sentence
from webapp.cli.files import check_folder
from webapp.cli.options import AS_JSON, JOBS, LANG, echo_json, refusals, spoken, wrong
from webapp.cli.photo import reading_ahead

RECORD = click.Path(path_type=Path, dir_okay=False, writable=True)


@click.command()
@click.argument(
    "folders",
    metavar="FOLDER...",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    nargs=-1,
    required=True,
)
@click.option(
    "--by", "key", metavar="KEY", help="Split the figures by a key of the labels, such as light or tilt."
)
@click.option("--misses", is_flag=True, help="List everything that was read wrong.")
@click.option(
    "--write",
    "record",
    type=RECORD,
    metavar="FILE",
    help="Also write figures and misses to a JSON file (one folder only).",
)
@JOBS
@LANG
@AS_JSON
def evaluate(
    folders: tuple[Path, ...],
    jobs: int,
    key: str | None,
    record: Path | None,
    *,
    misses: bool,
    as_json: bool,
) -> None:
    """Measure the reader on folders of photos with a labels.json.

    A folder without one stands for the folders in it that have one. Rendered and real photos are told apart,
    each figure beside its goal where there is one. Workers of a cluster have to see the folders, too.
    """
    if record is not None:
        check_folder(record)
    from calibration import (  # noqa: PLC0415  OpenCV takes its time
        CalibrationError,
        Report,
        evaluate_photos,
        labelled_folders,
        load_labels,
        write_record,
    )

    try:
        labels = {path: load_labels(path) for folder in folders for path in labelled_folders(folder)}
    except CalibrationError as error:
        raise click.UsageError(error.text(spoken())) from error
    if record is not None and len(labels) != 1:
        raise wrong(sentence("{option} keeps the figures of one folder: name one.", option="--write"))
    if key is not None:
        with refusals():
            keys = {key for photos in labels.values() for label in photos for key in label.keys}
            key = find_name(key, sorted(keys), "key")
    results = []
    with reading_ahead(jobs, sum(map(len, labels.values()))) as ahead:
        for folder, photos in labels.items():
            with click.progressbar(
                evaluate_photos(folder.resolve(), photos, spread=ahead.map if ahead else map),
                length=len(photos),
                label=f"Reading {folder.name}",
                file=sys.stderr,
                hidden=not sys.stderr.isatty(),
            ) as progress:
                results.append((folder.resolve().name, tuple(progress)))
    report = Report.of(results, key)
    if record is not None:
        write_record(report.evaluations[0], record)
    if as_json:
        echo_json(report.to_json(with_misses=misses))
    else:
        click.echo(report.text(with_misses=misses))
