"""Copies of a SQLite database, which may be in use."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from webapp.store.disk import make_folder, sync_folder

FOLDER = "backups"
MOST_COPIES = 3


def copy_database(source: Path, target: Path) -> None:
    """Write the database as it is at one moment to a new file, with SQLite's own means.

    Raises
    ------
    OSError, sqlite3.Error
        It cannot be read, or there is no room for the copy: then there is none.
    """
    target.touch(mode=0o600)
    try:
        with closing(sqlite3.connect(source)) as opened, closing(sqlite3.connect(target)) as copy:
            opened.backup(copy)
    except BaseException:
        target.unlink(missing_ok=True)
        raise


def keep_before(database: Path, step: str) -> Path:
    """Keep a copy of a database that is about to be brought to a step; the newest few copies stay."""
    folder = database.parent / FOLDER
    make_folder(folder)
    now = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    made = folder / f"before-{step}-{now}.db"
    copy_database(database, made)
    sync_folder(folder)
    for old in sorted(folder.glob("before-*.db"), key=lambda path: path.stat().st_mtime_ns)[:-MOST_COPIES]:
        old.unlink(missing_ok=True)
    return made
