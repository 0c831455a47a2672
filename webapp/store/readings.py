"""Readings: what is known of each in the database, its photos as files beside it.

A folder ``<data>/readings/<id>/`` holds ``photo.jpg`` (what the page shows) and ``upright.jpg`` (full size,
for reading again with other corners). The id is the key: it cannot be guessed, and whoever knows it may see
and change the reading.

The state in the database carries a ``schema`` number, so that one of another version is not guessed at.

Files and database cannot change in one step. While a reading is made or deleted a mark,
``readings/<id>.pending``, says that its folder only counts when the database knows the reading;
`Store.clean_up` removes what a crash left.
"""

from __future__ import annotations

import json
import logging
import secrets
import shutil
import time
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import Select, String, cast, delete, event, select
from sqlalchemy.orm import Session

from scoring import Board, Color, PublicObjective
from vision.errors import VisionError
from vision.reading import Reading
from webapp.companion.changes import with_card_renamed
from webapp.companion.errors import BrokenRecordError, NotFoundError
from webapp.companion.record import ID_LENGTH, ID_PATTERN, Choices, Earlier, Failure, Record
from webapp.store.database import Database
from webapp.store.disk import write_whole
from webapp.store.tables import ReadingRow, state_of

logger = logging.getLogger(__name__)

SCHEMA = 1
IN_COLUMNS = {"id", "created", "revision"}
MARK = ".pending"
DAY_S = 24 * 60 * 60


class Store:
    """The readings in a database, with their photos under one folder.

    Every method that looks into the database also works within a transaction of the caller, given as
    ``session``; what it does then holds when that is committed.
    """

    def __init__(self, database: Database, root: Path) -> None:
        self.root = root
        self._database = database

    def folder(self, record_id: str) -> Path:
        """Return the folder of a reading; an id of another shape is refused before it is a path."""
        if not ID_PATTERN.fullmatch(record_id):
            raise NotFoundError("reading_missing")
        return self.root / "readings" / record_id

    def create(self, files: dict[str, bytes], *, session: Session | None = None, **fields: Any) -> Record:  # noqa: ANN401
        """Store a new reading with its files and return it."""
        record = Record(
            id=secrets.token_urlsafe(ID_LENGTH * 3 // 4),
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            **fields,
        )
        folder = self.folder(record.id)
        if files:
            _write(folder, files)
        with self._transaction(session) as own:
            created = datetime.fromisoformat(record.created)
            own.add(ReadingRow(id=record.id, created=created, **_columns(record)))
            own.flush()
            _when_committed(own, lambda: _mark_of(folder).unlink(missing_ok=True))
        return record

    def load(self, record_id: str, *, session: Session | None = None, lock: bool = False) -> Record:
        """Return the reading, or raise `NotFoundError`.

        With ``lock`` nobody else changes it before the caller's transaction ends.
        """
        self.folder(record_id)
        with self._database.read() if session is None else nullcontext(session) as own:
            return _record(_row(own, record_id, lock=lock))

    def load_known(self, record_ids: Iterable[str], *, session: Session | None = None) -> list[Record]:
        """Return those of the readings that are still there and readable."""
        found = []
        with self._database.read() if session is None else nullcontext(session) as own:
            for record_id in record_ids:
                with suppress(NotFoundError, BrokenRecordError):
                    found.append(self.load(record_id, session=own))
        return found

    def update(
        self, record_id: str, change: Callable[[Record], Record], *, session: Session | None = None
    ) -> Record:
        """Replace the reading by ``change(reading)``, one revision further, and return it.

        Nobody else changes the reading meanwhile, in this process or another one.
        """
        self.folder(record_id)
        with self._transaction(session) as own:
            row = _row(own, record_id, lock=True)
            before = _record(row)
            after = change(before)
            if after == before:
                return before
            after = replace(after, revision=before.revision + 1)
            for column, value in _columns(after).items():
                setattr(row, column, value)
            own.flush()
            return after

    def file(self, record_id: str, name: str) -> Path:
        """Return the path of a file of the reading, or raise `NotFoundError`."""
        path = self.folder(record_id) / name
        if not path.is_file():
            raise NotFoundError("photo_missing")
        return path

    def delete(self, record_id: str, *, session: Session | None = None) -> None:
        """Remove the reading and its photo for good, also one that cannot be understood any more."""
        folder = self.folder(record_id)
        with self._transaction(session) as own:
            if own.scalar(_id(record_id).with_for_update()) is None:
                raise NotFoundError("reading_missing")
            if folder.is_dir():
                _mark_of(folder).touch(mode=0o600)
            own.execute(delete(ReadingRow).where(ReadingRow.id == record_id))
            _when_committed(own, lambda: _remove(folder))
            _when_committed(own, self._database.forget)

    def clean_up(self, older_than_s: float = DAY_S) -> None:
        """Remove the files that a crash left of readings being made or deleted.

        A folder without a mark stays, even when the database does not know its reading: somebody may have
        named another database by mistake.
        """
        self.remove_left_cards(older_than_s)
        for mark in (self.root / "readings").glob(f"*{MARK}"):
            folder = mark.with_suffix("")
            if not ID_PATTERN.fullmatch(folder.name):
                continue
            try:
                if time.time() - mark.stat().st_mtime >= older_than_s:
                    self._settle(folder)
            except FileNotFoundError:
                continue  # another process that starts right now was quicker
            except OSError as error:  # no reason not to start; the id is a key, so it stays out of the log
                logger.warning("Files of a deleted reading cannot be removed (%s).", error.strerror)

    def remove_left_cards(self, older_than_s: float = DAY_S) -> None:
        """Remove the photos that were taken only for a window card which nobody went on to keep."""
        before = datetime.now(UTC) - timedelta(seconds=older_than_s)
        # Spelled as `webapp.store.database` writes JSON.
        marked = cast(ReadingRow.state, String).contains('"for_card":true')
        with self._database.read() as session:
            ids = session.scalars(select(ReadingRow.id).where(ReadingRow.created < before, marked)).all()
        for record_id in ids:
            try:
                # Somebody may go on with it right now.
                with suppress(NotFoundError, BrokenRecordError), self._database.begin() as session:
                    if _record(_row(session, record_id, lock=True)).for_card:
                        self.delete(record_id, session=session)
            except OSError as error:
                logger.warning("The photo of a card cannot be removed (%s).", error.strerror)

    def rename_card(self, old: str, new: str) -> None:
        """Let the readings on a window card call it by its new name."""
        written = json.dumps(old)[1:-1]  # as it stands in the text of a state
        wanted = select(ReadingRow.id).where(
            cast(ReadingRow.state, String).contains(written, autoescape=True)
        )
        with self._database.read() as session:
            ids = session.scalars(wanted).all()
        for record_id in ids:
            with suppress(NotFoundError, BrokenRecordError):  # somebody may delete it right now
                self.update(record_id, lambda newest: with_card_renamed(newest, old, new))

    def _settle(self, folder: Path) -> None:
        """Take the mark from a folder that the database knows, and remove one that it does not."""
        with self._database.read() as session:
            known = session.scalar(_id(folder.name)) is not None
        if known:
            _mark_of(folder).unlink(missing_ok=True)
        else:
            _remove(folder)

    def _transaction(self, session: Session | None) -> AbstractContextManager[Session]:
        """Give the caller's transaction, or one of our own that ends with the block."""
        return self._database.begin() if session is None else nullcontext(session)


def _row(session: Session, record_id: str, *, lock: bool = False) -> ReadingRow:
    """Return the row of a reading, locked against other changes where that is asked for."""
    try:
        if lock:
            session.flush()  # what is asked for anew must not forget what was changed
            row = session.get(ReadingRow, record_id, populate_existing=True, with_for_update=True)
        else:
            row = session.get(ReadingRow, record_id)
    except ValueError as error:  # the state is no JSON
        raise BrokenRecordError("broken_record") from error
    if row is None:
        raise NotFoundError("reading_missing")
    return row


def _id(record_id: str) -> Select[str]:
    """Return the question whether there is such a reading, readable or not."""
    return select(ReadingRow.id).where(ReadingRow.id == record_id)


def _when_committed(session: Session, act: Callable[[], None]) -> None:
    """Call ``act`` once, when the transaction holds for good; the end of a savepoint in it does not count."""
    todo = [act]

    def committed(session: Session) -> None:
        if todo and not session.in_nested_transaction():
            todo.pop()()

    event.listen(session, "after_commit", committed)


# --- The files of a reading ------------------------------------------------------------------------


def _mark_of(folder: Path) -> Path:
    """Return the file that says that a folder only counts when the database knows its reading."""
    return folder.with_name(folder.name + MARK)


def _write(folder: Path, files: dict[str, bytes]) -> None:
    """Write the files of a reading that is being made: all, or none when one cannot be written."""
    folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    _mark_of(folder).touch(mode=0o600)
    try:
        folder.mkdir(mode=0o700)
        for name, content in files.items():
            write_whole(folder / name, content)
    except BaseException:
        _remove(folder)
        raise


def _remove(folder: Path) -> None:
    """Remove a folder, then its mark: whoever is cut off in between leaves the mark."""
    if folder.is_dir():
        shutil.rmtree(folder)
    _mark_of(folder).unlink(missing_ok=True)


# --- Records as rows -------------------------------------------------------------------------------


def _columns(record: Record) -> dict[str, Any]:
    """Return those columns of the row that a change can alter."""
    return {"revision": record.revision, "schema": SCHEMA, "state": state_of(record, IN_COLUMNS)}


def _record(row: ReadingRow) -> Record:
    """Return the record that a row holds."""
    if row.schema != SCHEMA or not isinstance(row.state, dict):
        raise BrokenRecordError("broken_record")
    try:
        state = dict(row.state)
        reading, failure, earlier = state.pop("reading"), state.pop("failure"), state.pop("earlier")
        choices, size = dict(state.pop("choices")), state.pop("size")
        private = choices.pop("private")
        return Record(
            id=row.id,
            created=row.created.isoformat(timespec="seconds"),
            revision=row.revision,
            board=Board.parse(state.pop("board")),
            size=(size[0], size[1]) if size else None,
            reading=Reading.from_json(reading) if reading else None,
            failure=Failure(**failure) if failure else None,
            checked=tuple(state.pop("checked")),
            choices=Choices(
                public=tuple(PublicObjective(name) for name in choices.pop("public")),
                private=Color(private) if private else None,
                **choices,
            ),
            earlier=Earlier(
                Board.parse(earlier["board"]),
                Reading.from_json(earlier["reading"]),
                earlier["turned"],
                tuple(earlier["checked"]),
            )
            if earlier
            else None,
            **state,
        )
    except (KeyError, TypeError, ValueError, AttributeError, VisionError) as error:
        raise BrokenRecordError("broken_record") from error
