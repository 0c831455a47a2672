"""Readings as earlier versions kept them, in a file ``record.json`` each: they go into the database once."""

from __future__ import annotations

import json
import logging
from contextlib import suppress
from datetime import datetime
from itertools import islice
from pathlib import Path

from sqlalchemy import exc
from sqlalchemy.orm import Session

from webapp.database import Database
from webapp.errors import BrokenRecordError
from webapp.storage import ID_PATTERN, Record

FILE_NAME = "record.json"
TAKEN_NAME = "record.json.imported"
BATCH = 200  # files a transaction: few waits for the disk, and little in memory
LARGEST_REVISION = 2**31 - 1  # what the column holds in PostgreSQL

logger = logging.getLogger(__name__)


def take_in(database: Database, root: Path) -> None:
    """Put the readings that lie in files under ``root`` into the database, and mark their files as taken in.

    Cut off at any moment, the next start goes on: a file is only marked when the database holds its reading.
    What cannot be understood stays where it is.
    """
    folder = root / "readings"
    files = iter(sorted(folder.glob(f"*/{FILE_NAME}")))
    taken = left = 0
    while batch := list(islice(files, BATCH)):
        readable = {path: record for path in batch if (record := _read(path)) is not None}
        with database.begin() as session:
            for record in readable.values():
                _add(session, record)
        for path in readable:
            with suppress(FileNotFoundError):  # another process that starts right now was quicker
                path.replace(path.with_name(TAKEN_NAME))
        taken += len(readable)
        left += sum(path.exists() for path in batch if path not in readable)
    if taken:
        logger.info("Readings in files that went into the database: %d.", taken)
    if left:  # ids are keys, so none is told
        logger.warning(
            "Readings under %s that cannot be understood and were left where they are: %d (those with a %s).",
            folder,
            left,
            FILE_NAME,
        )


def _read(path: Path) -> Record | None:
    """Return the reading in the file, None when it cannot be understood or is not that of its folder."""
    try:
        record = Record.from_json(json.loads(path.read_text(encoding="utf-8")))
        created = datetime.fromisoformat(record.created)
        json.dumps(record.to_json(), allow_nan=False)  # the database takes no NaN
    except (OSError, ValueError, TypeError, RecursionError, BrokenRecordError):
        return None
    if record.id != path.parent.name or not ID_PATTERN.fullmatch(record.id) or created.tzinfo is None:
        return None
    if type(record.revision) is not int or not 0 < record.revision <= LARGEST_REVISION:
        return None
    return record


def _add(session: Session, record: Record) -> None:
    """Store the reading, unless it is there: from a start that was cut off, or by another process."""
    try:
        with session.begin_nested():
            session.add(record.to_row())
    except exc.IntegrityError:
        pass
