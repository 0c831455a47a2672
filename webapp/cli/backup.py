"""The command line: ``sagrada backup`` keeps everything in one file, ``sagrada restore`` brings it back."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path

import click

from scoring.sentences import english
from webapp.cli.files import check_folder
from webapp.cli.options import refusals, wrong
from webapp.storage.files import ADDRESS as PHOTOS
from webapp.storage.files import default_folder

DATABASE = "SAGRADA_DATABASE_URL"


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False), required=False)
def backup(file: Path | None) -> None:
    """Keep readings, photos, games, windows, dice and cards in one file, also while the page is served.

    Without a name it is called sagrada-backup and the time, in this folder. Keys of https and the
    administrator's PIN are not in it.
    """
    from webapp.storage.backup import back_up  # noqa: PLC0415  only here

    _demand_sqlite("pg_dump")
    target = file or Path(f"sagrada-backup-{datetime.now().astimezone():%Y%m%d-%H%M%S}.zip")
    check_folder(target)
    with refusals():
        made = back_up(default_folder(), target)
    click.echo(f"{target}: windows {made.readings}, games {made.games}, {made.size / 1e6:.1f} MB.")


@click.command()
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
def restore(file: Path) -> None:
    """Put a backup in the place of what is there, which is moved aside and not deleted.

    Everything in the file is checked before anything is changed. Stop the program first.
    """
    from webapp.storage.backup import restore as put_back  # noqa: PLC0415  only here

    _demand_sqlite("pg_restore")
    with refusals():
        made, aside = put_back(file, default_folder())
    click.echo(f"Restored as of {made.made}: windows {made.readings}, games {made.games}.")
    if aside is not None:
        click.echo(f"What was there before is in {aside}: remove it when you need it no more.")


def _demand_sqlite(tool: str) -> None:
    if os.environ.get(DATABASE):
        named = english(
            "{variable} names a database of its own: use {tool} for it, and copy the data folder.",
            variable=DATABASE,
            tool=tool,
        )
        raise wrong(named)
    if os.environ.get(PHOTOS):
        named = english(
            "{variable} names storage of its own: copy that with its own means, and the data folder.",
            variable=PHOTOS,
        )
        raise wrong(named)
