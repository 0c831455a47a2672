"""What lies under an id with photos beside it: a row in the database, and files.

The files lie in a place ``<room>/<id>`` of `webapp.storage.files`. The id is the key: it cannot be guessed,
and whoever knows it may see and change the thing.

Files and database cannot change in one step. While a thing is made or deleted its place carries a mark, which
says that it only counts when the database knows the thing; `Repository.clean_up` removes what a crash left.
"""

from __future__ import annotations

import logging
import secrets
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar, cast

from sqlalchemy import Select, delete, event, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from vision.errors import VisionError
from webapp.services.errors import BrokenRecordError, BusyError, NotFoundError
from webapp.services.record import ID_LENGTH, ID_PATTERN, Record
from webapp.services.table_photo import TablePhoto
from webapp.storage.database import Database
from webapp.storage.files import At, PhotoFiles
from webapp.storage.tables import ReadingRow, TablePhotoRow, state_of

logger = logging.getLogger(__name__)

Thing = TypeVar("Thing", Record, TablePhoto)

DAY_S = 24 * 60 * 60
SCHEMA = 1
IN_COLUMNS = {"id", "created", "revision"}


class Repository(ABC, Generic[Thing]):
    """Things of one kind in a database, with their files under ``root``."""

    room: ClassVar[str]
    row: ClassVar[type[ReadingRow | TablePhotoRow]]
    made: ClassVar[type[Record | TablePhoto]]
    missing: ClassVar[str]  # the code that says that there is no such thing

    def __init__(self, database: Database, root: Path, files: PhotoFiles | None = None) -> None:
        self.root = root
        self.files = files or PhotoFiles(root)
        self._database = database

    @staticmethod
    @abstractmethod
    def _of_state(state: dict[str, Any], **columns: Any) -> Thing:  # noqa: ANN401  one of two kinds
        """Return the thing that a state and the columns beside it hold."""

    def place(self, thing_id: str) -> str:
        """Return where the files of a thing lie; an id of another shape is refused before it is a path."""
        if not ID_PATTERN.fullmatch(thing_id):
            raise NotFoundError(self.missing)
        return f"{self.room}/{thing_id}"

    def create(
        self,
        files: Mapping[str, bytes | At],
        *,
        thing_id: str | None = None,
        **fields: Any,  # noqa: ANN401
    ) -> Thing:
        """Store something new with its files and return it; ``thing_id`` is its id where that is known.

        Raises
        ------
        BusyError
            Another request stores the same photo right now.
        """
        now = datetime.now(UTC).replace(microsecond=0)
        made_id = thing_id or secrets.token_urlsafe(ID_LENGTH * 3 // 4)
        thing = cast("Thing", self.made(id=made_id, created=now.isoformat(), **fields))
        place = self.place(made_id)
        try:
            if files:
                self.files.write(place, files)
            with self._database.begin() as session:
                session.add(self.row(id=made_id, created=now, **_columns(thing)))
                session.flush()
                _when_committed(session, lambda: self.files.settle(place))
        except (FileExistsError, IntegrityError) as error:
            if thing_id is None:
                raise
            raise BusyError("photo_arrives") from error
        return thing

    def load(self, thing_id: str, *, lock: bool = False) -> Thing:
        """Return the thing, or raise `NotFoundError`.

        With ``lock`` nobody else changes it before the caller's transaction ends.
        """
        self.place(thing_id)
        with self._database.read() as session:
            return self._of_row(self._row(session, thing_id, lock=lock))

    def load_known(self, ids: Iterable[str]) -> list[Thing]:
        """Return those of the things that are still there and readable."""
        found = []
        with self._database.read():
            for thing_id in ids:
                with suppress(NotFoundError, BrokenRecordError):
                    found.append(self.load(thing_id))
        return found

    def update(self, thing_id: str, change: Callable[[Thing], Thing]) -> Thing:
        """Replace the thing by ``change(thing)``, one revision further, and return it.

        Nobody else changes it meanwhile, in this process or another one.
        """
        self.place(thing_id)
        with self._database.begin() as session:
            row = self._row(session, thing_id, lock=True)
            before = self._of_row(row)
            after = change(before)
            if after == before:
                return before
            after = replace(after, revision=before.revision + 1)
            for column, value in _columns(after).items():
                setattr(row, column, value)
            session.flush()
            return after

    def file(self, thing_id: str, name: str) -> bytes:
        """Return what is in a file of the thing, or raise `NotFoundError`."""
        try:
            return self.files.read(self.place(thing_id), name)
        except FileNotFoundError as error:
            raise NotFoundError("photo_missing") from error

    def same_file(self, thing_id: str, name: str) -> At:
        """Return a file of the thing for another one to have it, too, or raise `NotFoundError`."""
        if not self.files.has(self.place(thing_id), name):
            raise NotFoundError("photo_missing")
        return At(self.place(thing_id), name)

    def add_files(self, thing_id: str, files: Mapping[str, bytes]) -> None:
        """Keep more files of the thing, or raise `NotFoundError`."""
        try:
            self.files.add(self.place(thing_id), files)
        except FileNotFoundError as error:
            raise NotFoundError(self.missing) from error

    def remove_file(self, thing_id: str, name: str) -> None:
        """Remove a file of the thing for good, if there is one."""
        self.files.discard(self.place(thing_id), name)

    def holding(self, name: str) -> list[str]:
        """Return the ids of the things that have such a file."""
        return self.files.holding(self.room, name)

    def delete(self, thing_id: str) -> None:
        """Remove the thing and its photo for good, also one that cannot be understood any more."""
        place = self.place(thing_id)
        self._database.make_room()
        with self._database.begin() as session:
            if session.scalar(self._id(thing_id).with_for_update()) is None:
                raise NotFoundError(self.missing)
            self.files.mark(place)
            session.execute(delete(self.row).where(self.row.id == thing_id))
            _when_committed(session, lambda: self.files.remove(place))
            _when_committed(session, self._database.forget)

    def older_than(self, before: datetime) -> list[str]:
        """Return the ids of the things that were made before then."""
        with self._database.read() as session:
            return list(session.scalars(select(self.row.id).where(self.row.created < before)))

    def clean_up(self, older_than_s: float = DAY_S) -> None:
        """Remove the files that a crash left of things being made or deleted.

        A folder without a mark stays, even when the database does not know its thing: somebody may have
        named another database by mistake.
        """
        for thing_id in filter(ID_PATTERN.fullmatch, self.files.marked(self.room, older_than_s)):
            with self._database.read() as session:
                is_known = session.scalar(self._id(thing_id)) is not None
            try:
                (self.files.settle if is_known else self.files.remove)(self.place(thing_id))
            except OSError as error:  # no reason not to start; the id is a key, so it stays out of the log
                logger.warning("Files of a deleted reading cannot be removed (%s).", error.strerror)

    def _of_row(self, row: ReadingRow | TablePhotoRow) -> Thing:
        if row.schema != SCHEMA or not isinstance(row.state, dict):
            raise BrokenRecordError("broken_record")
        created = row.created.isoformat(timespec="seconds")
        try:
            return self._of_state(dict(row.state), id=row.id, created=created, revision=row.revision)
        except (KeyError, TypeError, ValueError, AttributeError, VisionError) as error:
            raise BrokenRecordError("broken_record") from error

    def _row(self, session: Session, thing_id: str, *, lock: bool = False) -> ReadingRow | TablePhotoRow:
        """Return the row of a thing, locked against other changes where that is asked for."""
        try:
            if lock:
                session.flush()  # what is asked for anew must not forget what was changed
                row = session.get(self.row, thing_id, populate_existing=True, with_for_update=True)
            else:
                row = session.get(self.row, thing_id)
        except ValueError as error:  # the state is no JSON
            raise BrokenRecordError("broken_record") from error
        if row is None:
            raise NotFoundError(self.missing)
        return cast("ReadingRow | TablePhotoRow", row)

    def _id(self, thing_id: str) -> Select[str]:
        """Return the question whether there is such a thing, readable or not."""
        return select(self.row.id).where(self.row.id == thing_id)


def _columns(thing: Record | TablePhoto) -> dict[str, Any]:
    """Return those columns of the row that a change can alter."""
    return {"revision": thing.revision, "schema": SCHEMA, "state": state_of(thing, IN_COLUMNS)}


def _when_committed(session: Session, act: Callable[[], None]) -> None:
    """Call ``act`` once, when the transaction holds for good; the end of a savepoint in it does not count."""
    todo = [act]

    def committed(session: Session) -> None:
        if todo and not session.in_nested_transaction():
            todo.pop()()

    event.listen(session, "after_commit", committed)
