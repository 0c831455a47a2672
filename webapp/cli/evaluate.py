"""``sagrada evaluate``: how good the reader is on labelled photos."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from scoring.names import find_name
from webapp.cli.files import check_folder, read, written
from webapp.cli.options import AS_JSON, JOBS, Place, echo_json, refusals, spoken
from webapp.cli.photo import reading_ahead

if TYPE_CHECKING:
    from calibration.evaluation.labels import PhotoLabel

FOLDER = Place(file_okay=False)


@click.command()
@click.argument(
    "folders",
    metavar="FOLDER...",
    type=Place(exists=True, file_okay=False),
    nargs=-1,
    required=True,
)
@click.option(
    "--by", "key", metavar="KEY", help="Split the figures by a key of the labels, such as light or tilt."
)
@click.option("--misses", is_flag=True, help="List everything that was read wrong.")
@click.option(
    "--write", type=FOLDER, metavar="DIR", help="Also keep figures and misses there, as JSON files."
)
@click.option(
    "--check", type=FOLDER, metavar="DIR", help="Fail where a figure is worse than it is kept there."
)
@JOBS
@AS_JSON
def evaluate(
    folders: tuple[Path, ...],
    jobs: int,
    key: str | None,
    write: Path | None,
    check: Path | None,
    *,
    misses: bool,
    as_json: bool,
) -> None:
    """Measure the reader on folders of photos with a labels.json.

    A folder without one stands for the folders in it that have one. Rendered and real photos are told apart,
    each figure beside its goal where there is one. Workers of a cluster have to see the folders, too.
    """
    if write is not None:
        check_folder(write)  # before any time is spent
    from calibration.errors import CalibrationError  # noqa: PLC0415  OpenCV takes its time
    from calibration.evaluation import (  # noqa: PLC0415  see above
        Report,
        evaluate_photos,
        labelled_folders,
        load_labels,
        worse_than_recorded,
        write_records,
    )

    labels: dict[Path, tuple[PhotoLabel, ...]] = {}
    try:
        for folder in folders:
            with read(folder):
                labels |= {path: load_labels(path) for path in labelled_folders(folder)}
    except CalibrationError as error:
        raise click.UsageError(error.text(spoken())) from error
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
    if as_json:
        echo_json(report.to_json(with_misses=misses))
    else:
        click.echo(report.text(with_misses=misses))
    if write is not None:
        with written(write):
            write_records(report.evaluations, write)
    if check is not None:
        with read(check):
            worse = worse_than_recorded(report.evaluations, check)
        if worse:
            click.echo("\n".join(worse), err=True)
            sys.exit(1)
