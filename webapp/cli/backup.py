"""The command line: ``sagrada backup`` keeps everything in a folder, ``sagrada restore`` brings it back."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path

import click

from scoring.sentences import english
from webapp.cli.files import check_folder
from webapp.cli.options import Place, refusals, wrong
from webapp.storage.files import ADDRESS as PHOTOS
from webapp.storage.files import default_folder

DATABASE = "SAGRADA_DATABASE_URL"


@click.command()
@click.argument("folder", type=Place(), required=False)
def backup(folder: Path | None) -> None:
    """Keep readings, photos, games, windows, dice and cards in a new folder, also while the page is served.

    Without a name it is called sagrada-backup and the time, in this folder. Keys of https and the
    administrator's PIN are not in it.
    """
    from webapp.storage.backup import back_up  # noqa: PLC0415  only here

    _demand_sqlite("pg_dump")
    target = folder or Path(f"sagrada-backup-{datetime.now().astimezone():%Y%m%d-%H%M%S}")
    check_folder(target)
    with refusals():
        made = back_up(default_folder(), target)
    click.echo(f"{target}: windows {made.readings}, games {made.games}.")


@click.command()
@click.argument("backup", type=Place(exists=True))
def restore(backup: Path) -> None:
    """Put a backup in the place of what is there, which is moved aside and not deleted.

    It is the folder that `sagrada backup` wrote, or the file of version 1.0.0. Everything in it is opened
    before anything is changed. Stop the program first.
    """
    from webapp.storage.backup import restore as put_back  # noqa: PLC0415  only here

    _demand_sqlite("pg_restore")
    with refusals():
        made, aside = put_back(backup, default_folder())
    click.echo(f"Restored: windows {made.readings}, games {made.games}.")
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
