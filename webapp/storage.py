"""Readings: what is known of each in the database, its photos as files beside it.

A folder ``<data>/readings/<id>/`` holds ``photo.jpg`` (what the page shows) and ``upright.jpg`` (full size,
for reading again with other corners). The id is the key: it cannot be guessed, and whoever knows it may see
and change the reading.

The state in the database carries a ``schema`` number; ``MIGRATIONS`` turns an old state into the next schema
when it is loaded, so that readings of an older version stay readable.

Files and database cannot change in one step. While a reading is made or deleted a mark,
``readings/<id>.pending``, says that its folder only counts when the database knows the reading;
`Store.clean_up` removes what a crash left.
"""

from __future__ import annotations

import logging
import re
import secrets
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import Select, String, cast, delete, event, select
from sqlalchemy.orm import Session

from webapp import reading_files
from webapp.database import Database
from webapp.errors import BrokenRecordError, NotFoundError
from webapp.tables import ReadingRow

logger = logging.getLogger(__name__)

SCHEMA = 1
MIGRATIONS: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}
"""From each old schema number, what makes the record one schema newer."""

ID_PATTERN = re.compile(r"[A-Za-z0-9_-]{16}")
DAY_S = 24 * 60 * 60
EMPTY_BOARD = " / ".join(["-- -- -- -- --"] * 4)


@dataclass(frozen=True)
class Choices:
    """What the players chose, apart from their dice.

    ``public`` are names of public objectives, ``private`` a color's letter or None, ``window``
    the name of a window pattern, ``"auto"`` (the one that was read) or ``"unknown"``.
    """

    public: tuple[str, ...] = ()
    private: str | None = None
    window: str = "auto"
    favor: int = 0


@dataclass(frozen=True)
class Earlier:
    """What a reading with other corners replaced, so that it can be undone."""

    board: str
    reading: dict[str, Any]
    turned: bool
    checked: tuple[str, ...]


@dataclass(frozen=True)
class Record:
    """One reading and everything people did to it.

    ``board`` is the board as it stands, in board notation and in the orientation shown.
    ``reading`` is what the reader said, as ``Reading.to_json`` gives it, and is never altered;
    ``turned`` says that the board is shown turned by 180 degrees from it. ``size`` is the width
    and height of the upright photo in pixels, None without a photo. ``failure`` says why the
    photo could not be read. ``checked`` are the cells a person looked at. ``changed`` maps each
    changed field to the revision that changed it last. ``earlier`` is what stood before the photo
    was read again with corners set by hand, None when it was not. ``card_before`` is the window card
    that was chosen by hand for an earlier photo of the same window and that this photo does not show.
    ``for_card`` says that the photo was taken for nothing but the window card in it, so that it goes when the
    card is kept; see `Store.remove_left_cards` for those that are not.
    """

    id: str
    created: str
    revision: int = 1
    board: str = EMPTY_BOARD
    size: tuple[int, int] | None = None
    reading: dict[str, Any] | None = None
    failure: dict[str, str] | None = None
    turned: bool = False
    checked: tuple[str, ...] = ()
    choices: Choices = field(default_factory=Choices)
    changed: dict[str, int] = field(default_factory=dict)
    earlier: Earlier | None = None
    card_before: str | None = None
    for_card: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return the record as it is stored."""
        return {"schema": SCHEMA, **asdict(self)}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Record:
        """Return the record stored as ``data``, brought to the newest schema first."""
        try:
            data = dict(data)
            schema = data.pop("schema")
            while schema != SCHEMA:
                data = MIGRATIONS[schema](data)
                schema += 1
            choices = {**data["choices"], "public": tuple(data["choices"]["public"])}
            size = tuple(data["size"]) if data["size"] else None
            earlier = data.get("earlier")  # records of the first days have none
            if earlier:
                earlier = Earlier(**{**earlier, "checked": tuple(earlier["checked"])})
            return cls(
                **{
                    **data,
                    "choices": Choices(**choices),
                    "size": size,
                    "earlier": earlier,
                    "checked": tuple(data["checked"]),
                }
            )
        except (KeyError, TypeError, ValueError) as error:
            raise BrokenRecordError("broken_record") from error

    @classmethod
    def from_row(cls, row: ReadingRow) -> Record:
        """Return the record that a row holds, brought to the newest schema first."""
        if not isinstance(row.state, dict):
            raise BrokenRecordError("broken_record")
        created = row.created.isoformat(timespec="seconds")
        return cls.from_json(
            {**row.state, "schema": row.schema, "id": row.id, "created": created, "revision": row.revision}
        )

    def to_row(self) -> ReadingRow:
        """Return the record as a row of the database."""
        return ReadingRow(id=self.id, created=datetime.fromisoformat(self.created), **self.to_columns())

    def to_columns(self) -> dict[str, Any]:
        """Return those columns of the row that a change can alter."""
        state = self.to_json()
        del state["id"], state["created"]
        return {"revision": state.pop("revision"), "schema": state.pop("schema"), "state": state}


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
            id=secrets.token_urlsafe(12),
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            **fields,
        )
        folder = self.folder(record.id)
        if files:
            reading_files.write(folder, files)
        with self._transaction(session) as own:
            own.add(record.to_row())
            own.flush()
            _when_committed(own, lambda: reading_files.mark_of(folder).unlink(missing_ok=True))
        return record

    def load(self, record_id: str, *, session: Session | None = None, lock: bool = False) -> Record:
        """Return the reading, or raise `NotFoundError`.

        With ``lock`` nobody else changes it before the caller's transaction ends.
        """
        self.folder(record_id)
        if session is not None:
            return Record.from_row(_row(session, record_id, lock=lock))
        with self._database.read() as own:
            return Record.from_row(_row(own, record_id))

    def load_known(self, record_ids: Iterable[str]) -> list[Record]:
        """Return those of the readings that are still there and readable."""
        found = []
        with self._database.read() as session:
            for record_id in record_ids:
                try:
                    found.append(self.load(record_id, session=session))
                except (NotFoundError, BrokenRecordError):
                    continue
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
            before = Record.from_row(row)
            after = change(before)
            if after == before:
                return before
            after = replace(after, revision=before.revision + 1)
            for column, value in after.to_columns().items():
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
                reading_files.mark_of(folder).touch(mode=0o600)
            own.execute(delete(ReadingRow).where(ReadingRow.id == record_id))
            _when_committed(own, lambda: reading_files.remove(folder))
            _when_committed(own, self._database.forget)

    def clean_up(self, older_than_s: float = DAY_S) -> None:
        """Remove the files that a crash left of readings being made or deleted.

        A folder without a mark stays, even when the database does not know its reading: somebody may have
        named another database by mistake.
        """
        self.remove_left_cards(older_than_s)
        for mark in (self.root / "readings").glob(f"*{reading_files.MARK}"):
            folder = mark.with_suffix("")
            if not ID_PATTERN.fullmatch(folder.name):
                continue
            try:
                if time.time() - mark.stat().st_mtime >= older_than_s:
                    self._settle(folder)
            except FileNotFoundError:
                continue  # another process that starts right now was quicker
            except OSError as error:  # no reason not to start; the id is a key and not told
                logger.warning("Files of a deleted reading cannot be removed (%s).", error.strerror)

    def remove_left_cards(self, older_than_s: float = DAY_S) -> None:
        """Remove the photos that were taken only for a window card which nobody went on to keep."""
        before = datetime.now(UTC) - timedelta(seconds=older_than_s)
        # Spelled as `webapp.database` writes JSON.
        marked = cast(ReadingRow.state, String).contains('"for_card":true')
        with self._database.read() as session:
            ids = session.scalars(select(ReadingRow.id).where(ReadingRow.created < before, marked)).all()
        for record_id in ids:
            try:
                # Somebody may go on with it right now.
                with suppress(NotFoundError, BrokenRecordError), self._database.begin() as session:
                    if Record.from_row(_row(session, record_id, lock=True)).for_card:
                        self.delete(record_id, session=session)
            except OSError as error:
                logger.warning("The photo of a card cannot be removed (%s).", error.strerror)

    def _settle(self, folder: Path) -> None:
        """Take the mark from a folder that the database knows, and remove one that it does not."""
        with self._database.read() as session:
            known = session.scalar(_id(folder.name)) is not None
        if known:
            reading_files.mark_of(folder).unlink(missing_ok=True)
        else:
            reading_files.remove(folder)

    @contextmanager
    def _transaction(self, session: Session | None) -> Iterator[Session]:
        """Give the caller's transaction, or one of our own that ends with the block."""
        if session is not None:
            yield session
            return
        with self._database.begin() as own:
            yield own


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
