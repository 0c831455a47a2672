"""The command line: ``sagrada backup`` keeps everything in one file, ``sagrada restore`` brings it back."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from webapp.cli.options import refusals
from webapp.store.disk import default_folder
from webapp.store.photo_files import ADDRESS as PHOTOS

if TYPE_CHECKING:
    from webapp.store.backup import Contents

FILE = click.Path(path_type=Path, dir_okay=False)


@click.command()
@click.argument("file", type=FILE, required=False)
def backup(file: Path | None) -> None:
    """Keep readings, photos, games, windows, dice and cards in one file, also while the page is served.

    Without a name it is called sagrada-backup and the time, in this folder. Keys of https and the
    administrator's PIN are not in it.
    """
    from webapp.store.backup import back_up  # noqa: PLC0415  only here

    _demand_sqlite("pg_dump")
    target = file or Path(f"sagrada-backup-{datetime.now().astimezone():%Y%m%d-%H%M%S}.zip")
    if not target.absolute().parent.is_dir():
        raise click.UsageError(f"There is no folder {target.parent} to put the backup into.")
    with refusals():
        made = back_up(default_folder(), target)
    click.echo(f"{target}: {_counts(made)}, {made.size / 1e6:.1f} MB.")


@click.command()
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
def restore(file: Path) -> None:
    """Put a backup in the place of what is there, which is moved aside and not deleted.

    Everything in the file is checked before anything is changed. Stop the program first.
    """
    from webapp.store.backup import restore as put_back  # noqa: PLC0415  only here

    _demand_sqlite("pg_restore")
    with refusals():
        made, aside = put_back(file, default_folder())
    click.echo(f"Back as of {made.made}: {_counts(made)}.")
    if aside is not None:
        click.echo(f"What was there before is in {aside}: remove it when you need it no more.")


def _counts(made: Contents) -> str:
    return f"windows {made.readings}, games {made.games}"


def _demand_sqlite(tool: str) -> None:
    if os.environ.get("SAGRADA_DATABASE_URL"):
        raise click.UsageError(
            f"SAGRADA_DATABASE_URL names a database of its own: use {tool} for it, and copy the data folder."
        )
    if os.environ.get(PHOTOS):
        raise click.UsageError(
            f"{PHOTOS} names storage of its own: copy that with its own means, and the data folder."
        )
