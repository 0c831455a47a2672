"""The database: a SQLite file in the data folder, or the PostgreSQL database that an address names.

Several processes may use it at the same time. Whoever changes something does so in `Database.begin`: in
SQLite such transactions queue, in PostgreSQL rows are locked by asking for them ``with_for_update``. A SQLite
database is copied before it is upgraded. One is known by its tables: what has others is refused, whatever
step it says.
"""

from __future__ import annotations

import errno
import json
import logging
import os
import secrets
import sqlite3
import threading
import weakref
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress
from dataclasses import fields, replace
from datetime import UTC, datetime
from enum import Enum
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar, Final, Generic, TypeVar, cast

import sqlalchemy as sa
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, sessionmaker
from sqlalchemy.types import TypeDecorator

from scoring import Board, Tool
from scoring.sentences import english
from vision.errors import VisionError
from vision.reading import Reading
from vision.table import CardReading, LooseDie
from webapp.domain.errors import (
    BrokenRecordError,
    BusyError,
    CompanionError,
    FullError,
    NotFoundError,
    StoreError,
)
from webapp.domain.games.codes import CODE_LENGTH, HASH_LENGTH
from webapp.domain.games.game import LONGEST_NAME, Game
from webapp.domain.record import ID_LENGTH, ID_PATTERN, Record
from webapp.domain.table_photo import TablePhoto
from webapp.storage import files as disk
from webapp.storage.files import At, PhotoFiles
from webapp.storage.own_cards import described


class Moment(TypeDecorator[datetime]):
    """A moment in UTC. SQLite has no time zones, so there it is kept without one and comes back with it."""

    impl = sa.DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: sa.Dialect) -> datetime | None:
        """Return what goes to the database; a moment without a time zone is refused."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("A moment needs its time zone.")
        moment = value.astimezone(UTC)
        return moment.replace(tzinfo=None) if dialect.name == "sqlite" else moment

    def process_result_value(self, value: datetime | None, dialect: sa.Dialect) -> datetime | None:  # noqa: ARG002  SQLAlchemy calls it so
        """Return what comes from the database, in UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Base(DeclarativeBase):
    """What all tables share: names for constraints, so that a later migration can speak of them."""

    metadata = sa.MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {datetime: Moment, dict[str, Any]: sa.JSON, list[str]: sa.JSON}  # noqa: RUF012  SQLAlchemy wants it so


class ThingRow(Base):
    """A thing and everything people did to it; its photos are files beside the database.

    ``state`` are its fields without those that have a column, in the form that ``schema`` says.
    """

    __abstract__ = True

    id: Mapped[str] = mapped_column(sa.String(ID_LENGTH), primary_key=True)
    created: Mapped[datetime]
    revision: Mapped[int]
    schema: Mapped[int]
    state: Mapped[dict[str, Any]]


class ReadingRow(ThingRow):
    """A `webapp.domain.record.Record`."""

    __tablename__ = "readings"


class TablePhotoRow(ThingRow):
    """A `webapp.domain.table_photo.TablePhoto`."""

    __tablename__ = "table_photos"


class GameRow(Base):
    """A game at the table; ``state`` is a `webapp.domain.games.game.Game` without what has a column.

    ``host`` is the SHA-256 of the token of the host's device, ``revealed`` when the windows were opened last.
    """

    __tablename__ = "games"

    code: Mapped[str] = mapped_column(sa.String(CODE_LENGTH), primary_key=True)
    created: Mapped[datetime]
    revealed: Mapped[datetime | None]
    host: Mapped[str] = mapped_column(sa.String(HASH_LENGTH), index=True)
    revision: Mapped[int]
    schema: Mapped[int]
    state: Mapped[dict[str, Any]]


class SeatRow(Base):
    """A player of a game, with the window that belongs to the seat; ``place`` counts along the table from 0.

    ``token`` is the SHA-256 of the token of the player's device, the same in the next game of these people;
    ``former`` are those of the devices that had the seat before. ``link`` is the SHA-256 of the secret that
    brings the seat to another device.
    """

    __tablename__ = "seats"

    game: Mapped[str] = mapped_column(sa.ForeignKey("games.code", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    place: Mapped[int]
    name: Mapped[str] = mapped_column(sa.String(LONGEST_NAME))
    token: Mapped[str] = mapped_column(sa.String(HASH_LENGTH), index=True)
    record_id: Mapped[str] = mapped_column(sa.ForeignKey("readings.id", ondelete="CASCADE"), unique=True)
    ready: Mapped[bool]
    link: Mapped[str | None] = mapped_column(sa.String(HASH_LENGTH))
    link_expires: Mapped[datetime | None]
    former: Mapped[list[str]]


class PlayerRow(Base):
    """A player who is remembered; ``id`` is a `webapp.domain.games.game.player_id`.

    ``picture`` is a small JPEG, which only those load who show it; ``picture_mark`` is its SHA-256.
    """

    __tablename__ = "players"

    id: Mapped[str] = mapped_column(sa.String(HASH_LENGTH), primary_key=True)
    name: Mapped[str] = mapped_column(sa.String(LONGEST_NAME))
    seen: Mapped[datetime]
    color: Mapped[str | None] = mapped_column(sa.String(1))
    picture: Mapped[bytes | None] = mapped_column(sa.LargeBinary, deferred=True)
    picture_mark: Mapped[str | None] = mapped_column(sa.String(HASH_LENGTH))


class OwnerRow(Base):
    """Which device added a window card or dice that all games share: the SHA-256 of its token."""

    __tablename__ = "owners"

    kind: Mapped[str] = mapped_column(sa.String(12), primary_key=True)
    name: Mapped[str] = mapped_column(sa.String(200), primary_key=True)
    owner: Mapped[str] = mapped_column(sa.String(HASH_LENGTH))


def state_of(kept: Record | TablePhoto | Game, without: Collection[str]) -> dict[str, Any]:
    """Return what a ``state`` holds: all fields but those with a column, as plain JSON."""
    state = {one.name: getattr(kept, one.name) for one in fields(kept) if one.name not in without}
    plain: dict[str, Any] = json.loads(json.dumps(state, default=_plain))
    return plain


def _plain(thing: Any) -> object:  # noqa: ANN401  dataclasses share no type
    """Return a thing of the game by its value or in notation, and what has fields by these."""
    if isinstance(thing, Tool) and not thing.is_printed:
        return described(thing)
    if isinstance(thing, Enum):
        return thing.value
    if isinstance(thing, Reading | LooseDie | CardReading):
        return thing.to_json()
    if isinstance(thing, Board):
        return str(thing)
    return {one.name: getattr(thing, one.name) for one in fields(thing)}


FOLDER = "backups"
MOST_COPIES = 3
FILE_NAME = "sagrada.db"
ADDRESS = "SAGRADA_DATABASE_URL"
MIGRATIONS = Path(__file__).resolve().parent / "migrations"

PATIENCE_S = 10  # for another writer, who needs milliseconds
UPGRADE_PATIENCE_S = 120.0  # for another process that brings the database up to date
UPGRADE_LOCK: Final = 0x5A_67_61_64_61  # the advisory lock in PostgreSQL; any number that is always the same

PASSING = ("SQLITE_BUSY", "SQLITE_LOCKED")
# PostgreSQL: too many connections, shutting down or starting, no lock, two that waited for each other.
PASSING_STATES = frozenset({"53300", "57P01", "57P02", "57P03", "55P03", "40001", "40P01"})
DISK_FULL = "53100"
NO_SUCH = ("SQLITE_ERROR", "42")  # table or column of which a step speaks

ON_CONNECT = (
    "PRAGMA foreign_keys = ON",
    "PRAGMA synchronous = FULL",  # what was answered as saved survives a power cut
    "PRAGMA secure_delete = ON",  # what people delete is overwritten in the file
)

_alembic = threading.RLock()  # Alembic keeps what it works on in variables of its module


def copy_database(source: Path, target: Path) -> None:
    """Write the database as it is at one moment to a new file, with SQLite's own means; all of it or none."""
    target.touch(mode=0o600)
    try:
        with closing(sqlite3.connect(source)) as opened, closing(sqlite3.connect(target)) as copy:
            opened.backup(copy)
    except BaseException:
        target.unlink(missing_ok=True)
        raise


@contextmanager
def kept_before(database: Path, step: str) -> Iterator[Path]:
    """Keep a copy of a database while it is brought to a step, and the newest few copies after that.

    Where that fails the copy goes again: the database is as it was.
    """
    folder = database.parent / FOLDER
    disk.make_folder(folder)
    now = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    made = folder / f"before-{step}-{now}.db"
    copy_database(database, made)
    disk.sync_folder(folder)
    try:
        yield made
    except BaseException:
        made.unlink()
        raise
    for old in copies(database)[MOST_COPIES:]:
        old.unlink(missing_ok=True)


def copies(database: Path) -> list[Path]:
    """Return the copies that were kept of a database, the newest first."""
    kept = (database.parent / FOLDER).glob("before-*.db")
    return sorted(kept, key=lambda path: path.stat().st_mtime_ns, reverse=True)


@contextmanager
def tried(file: Path) -> Iterator[Database]:
    """Open a copy of a database in a file, brought up to date, which is thrown away; the file stays as it is.

    It raises what `Database.upgrade` raises, or `sqlite3.Error`.
    """
    with TemporaryDirectory(dir=file.parent, prefix=".tried-") as scratch:
        copy_database(file, Path(scratch) / FILE_NAME)
        opened = Database.in_folder(Path(scratch))
        try:
            opened.upgrade()
            yield opened
        finally:
            opened.close()


def _opens(file: Path) -> bool:
    with suppress(StoreError, OSError, sqlite3.Error), tried(file):
        return True
    return False


class Database:
    """The database at ``postgresql://user:password@host/name`` or ``sqlite:///path``; nothing is opened yet.

    It raises a `StoreError` when the address cannot be understood, or the package for PostgreSQL is missing.
    """

    def __init__(self, address: str | sa.URL) -> None:
        self._url = _understood(address)
        if self._url.get_backend_name() == "sqlite":
            self._file: Path | None = Path(self._url.database or "")
            self._engine = _engine(self._url, connect_args={"timeout": PATIENCE_S})
            sa.event.listen(self._engine, "connect", _set_up_sqlite)
            sa.event.listen(self._engine, "begin", _begin_sqlite)
            reading = self._engine
        else:
            self._file = None
            self._engine = _engine(
                self._url, pool_pre_ping=True, connect_args={"connect_timeout": PATIENCE_S}
            )
            # As in SQLite: a reader sees one moment, whatever is written meanwhile.
            reading = self._engine.execution_options(
                isolation_level="REPEATABLE READ", postgresql_readonly=True
            )
        writing = self._engine.execution_options(writes=True)
        self._reading = sessionmaker(reading, expire_on_commit=False)
        self._writing = sessionmaker(writing, expire_on_commit=False)
        self._open = threading.local()  # the session that this thread is in
        self.close = weakref.finalize(self, self._engine.dispose)
        """Close all connections; it is called by itself when nobody needs the database any more."""

    @classmethod
    def in_folder(cls, folder: Path) -> Database:
        """Return the SQLite database in ``folder``."""
        return cls(sa.URL.create("sqlite", database=str(folder.absolute() / FILE_NAME)))

    @property
    def place(self) -> str:
        """Where the database is, without its password."""
        if self._file is not None:
            return str(self._file)
        host = self._url.host or self._url.query.get("host") or "this computer"
        return f"{self._url.database} at {host}"

    def begin(self) -> AbstractContextManager[Session]:
        """Return a session in a transaction that may write: committed at the end, undone by an error."""
        return self._session(self._writing.begin, writes=True)

    def read(self) -> AbstractContextManager[Session]:
        """Return a session that only reads, and sees the database as it is at its first question."""
        return self._session(self._reading, writes=False)

    def make_room(self) -> None:
        """Do what can be done so that something can be deleted on a full disk, too."""
        if self._file is not None:
            disk.make_room(self._file.parent)

    @contextmanager
    def _session(
        self, opened: Callable[[], AbstractContextManager[Session]], *, writes: bool
    ) -> Iterator[Session]:
        """Say in the companion's words when the disk is full, or the database has no time or is gone."""
        outer: tuple[Session, bool] | None = getattr(self._open, "session", None)
        if outer is not None and (outer[1] or not writes):
            yield outer[0]  # a session within another one of this thread is that one, which goes on
            return
        try:
            with opened() as session:
                self._open.session = (session, writes)
                try:
                    yield session
                finally:
                    self._open.session = outer
        except sa.exc.DBAPIError as error:
            told = self._told(error)
            if told is None:
                raise
            raise told from error

    def _told(self, error: sa.exc.DBAPIError) -> CompanionError | None:
        """Return what an error of the driver means to people, None where it is a mistake of ours."""
        name, state = getattr(error.orig, "sqlite_errorname", ""), getattr(error.orig, "sqlstate", "")
        if name.startswith(("SQLITE_FULL", "SQLITE_IOERR")) or state == DISK_FULL:
            return FullError("disk_full")
        gone = self._file is None and (error.connection_invalidated or state is None)
        if name.startswith(PASSING) or gone or state in PASSING_STATES:
            return BusyError("database_busy")
        return None

    def forget(self) -> None:
        """Empty SQLite's log of what was deleted, unless somebody reads at this moment."""
        if self._file is None:
            return
        with self._engine.connect() as connection:
            driver = _driver(connection)
            driver.execute("PRAGMA busy_timeout = 0")
            driver.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            driver.execute(f"PRAGMA busy_timeout = {PATIENCE_S * 1000}")
        disk.keep_reserve(self._file.parent)

    def upgrade(self) -> None:
        """Make the tables, or bring those of an earlier version up to date; all steps or none.

        It raises a `StoreError` when the database cannot be used, a newer version of the program made it, or
        its tables are not those of its step.
        """
        with self._telling():
            if self._file is None:
                self._upgrade()
                return
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            disk.make_room(self._file.parent, below=disk.ENOUGH_BYTES)
            with disk.locked(self._file.with_name(f".{self._file.name}.lock"), UPGRADE_PATIENCE_S):
                self._file.touch(mode=0o600)  # ids are keys: only the owner may look
                self._upgrade()
            disk.keep_reserve(self._file.parent)

    def check(self) -> None:
        """Raise a `StoreError` or a `BusyError` when the database does not answer or has other tables."""
        with self._telling(), self.read() as session:
            if self._file is not None and not self._file.is_file():  # it is open still, and gone all the same
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
            self._demand_tables(session.connection())

    @contextmanager
    def _telling(self) -> Iterator[None]:
        """Say in a `StoreError` why the database cannot be used."""
        try:
            yield
        except TimeoutError as error:
            raise disk.busy(self.place, "database") from error
        except (OSError, sqlite3.Error, sa.exc.DBAPIError) as error:
            driver = error.orig if isinstance(error, sa.exc.DBAPIError) else error
            reason = disk.reason_of(driver)
            state = getattr(driver, "sqlite_errorname", None) or getattr(driver, "sqlstate", None) or ""
            if state.startswith(NO_SUCH):
                raise self._differs(" ".join(reason.split())) from error
            raise StoreError(
                "database_unusable",
                english(
                    "The database {place} cannot be used ({reason}).",
                    place=self.place,
                    reason=" ".join(reason.split()),
                ),
                english("Check that it exists and can be written to, or name another one (docs/running.md)."),
            ) from error

    def _upgrade(self) -> None:
        with self.schema_change() as connection:
            found = _revision(connection)
            steps = revisions()
            if found == steps[-1]:
                self._demand_tables(connection)
                return
            if found is not None and found not in steps:
                raise StoreError(
                    "database_newer",
                    english(
                        "A newer version of the program made the database {place} (its step {found}).",
                        place=self.place,
                        found=found,
                    ),
                    english("Install that version or a newer one. Nothing was changed."),
                )
        if self._file is not None:
            with self._engine.connect() as connection:  # not possible within a transaction
                _driver(connection).execute("PRAGMA journal_mode = WAL")
        kept = nullcontext() if self._file is None or found is None else kept_before(self._file, steps[-1])
        with kept, self.schema_change() as connection, _alembic:
            _migrate(connection)
            self._demand_tables(connection)

    def _demand_tables(self, connection: sa.Connection) -> None:
        """Raise a `StoreError` unless the tables are those that the program uses; others do not matter."""
        found, wanted = sa.MetaData(), Base.metadata
        found.reflect(connection, only=lambda name, _: name in wanted.tables)
        odd = {name for name, _ in _parts_of(found) ^ _parts_of(wanted)}
        if odd:
            raise self._differs(", ".join(sorted({name.split(".")[0] for name in odd})))

    def _differs(self, what: str) -> StoreError:
        """Return the refusal of other tables, which names the newest copy that could take their place."""
        copy = next(filter(_opens, copies(self._file)), None) if self._file is not None else None
        back = english("Bring a backup back (docs/running.md), or go on with the version that made it.")
        if copy is not None:
            back = english(
                "Move that file away, with its -wal and -shm, and put {copy} in its place, which this "
                "version can open; or bring a backup back (docs/running.md).",
                copy=str(copy),
            )
        return StoreError(
            "database_differs",
            english(
                "The database {place} has other tables than this version makes ({what}): it is damaged, or "
                "of a version before 1.0.0. Nothing was changed.",
                place=self.place,
                what=what,
            ),
            back,
        )

    @contextmanager
    def schema_change(self) -> Iterator[sa.Connection]:
        """Give a connection in a transaction that may change tables, while no other process does."""
        with self._engine.connect() as connection:
            connection = connection.execution_options(writes=True)  # noqa: PLW2901  the same one, which says what it is for
            if self._file is not None:
                connection.detach()  # foreign keys stay off in it: it is closed at the end and never reused
                # A table that is made anew would else take the rows with it that point to it.
                _driver(connection).execute("PRAGMA foreign_keys = OFF")
            with connection.begin():
                if self._file is None:
                    connection.execute(sa.text("SELECT pg_advisory_xact_lock(:key)"), {"key": UPGRADE_LOCK})
                yield connection
                if self._file is not None:
                    broken = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
                    if broken is not None:
                        raise RuntimeError(f"The migration leaves rows of {broken[0]} that point nowhere.")


def from_environment() -> Database | None:
    """Return the database that ``SAGRADA_DATABASE_URL`` names, None when it names none."""
    address = os.environ.get(ADDRESS)
    return Database(address) if address else None


def revisions() -> list[str]:
    """Return the numbers of all migrations, the newest last."""
    return sorted(path.name.split("_")[0] for path in (MIGRATIONS / "versions").glob("[0-9]*.py"))


def _understood(address: str | sa.URL) -> sa.URL:
    """Return the address as SQLAlchemy wants it. A wrong one is not repeated: it may hold a password."""
    if isinstance(address, str) and address.startswith("postgres://"):  # as many hosts write it
        address = address.replace("postgres://", "postgresql://", 1)
    with suppress(sa.exc.ArgumentError, sa.exc.NoSuchModuleError, ValueError):
        url = sa.make_url(address)
        backend = url.get_backend_name()
        if backend == "postgresql":
            return url.set(drivername="postgresql+psycopg")
        if backend == "sqlite" and url.database and url.database != ":memory:":
            return url.set(drivername="sqlite")
    raise StoreError(
        "database_address",
        english("The address of the database cannot be understood."),
        english(
            "Write {variable} as postgresql://user:password@host/name or sqlite:///path/to/file.db.",
            variable=ADDRESS,
        ),
    )


def _engine(url: sa.URL, **options: Any) -> sa.Engine:  # noqa: ANN401
    try:
        return sa.create_engine(
            url,
            # JSON has no NaN, and PostgreSQL refuses it; so that SQLite does, too.
            json_serializer=partial(json.dumps, allow_nan=False, separators=(",", ":")),
            hide_parameters=True,  # what people play stands in no error and no log
            **options,
        )
    except ModuleNotFoundError as error:
        raise StoreError(
            "database_driver",
            english("PostgreSQL needs the package psycopg, which is not installed."),
            english("Install it with: {command}", command='pip install "psycopg[binary]"'),
        ) from error


def _driver(connection: sa.Connection) -> Any:  # noqa: ANN401  the driver's connections share no type
    """Return the driver's own connection, which begins no transaction by itself."""
    return connection.connection.dbapi_connection


def _set_up_sqlite(connection: Any, _record: object) -> None:  # noqa: ANN401
    connection.isolation_level = None  # `_begin_sqlite` begins transactions, not the driver
    for pragma in ON_CONNECT:
        connection.execute(pragma)


def _begin_sqlite(connection: sa.Connection) -> None:
    # A transaction that writes takes the lock at once: two that read first and write then could only fail.
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _parts_of(metadata: sa.MetaData) -> set[tuple[str, object]]:
    """Return what the program counts on in tables: columns, where they point, and what is there only once."""
    columns = [one for table in metadata.tables.values() for one in table.columns]
    return {
        (str(one), (one.nullable, one.primary_key, *(key.target_fullname for key in one.foreign_keys)))
        for one in columns
    } | {
        (str(one.columns[0]), "unique")
        for table in metadata.tables.values()
        for one in table.constraints
        if isinstance(one, sa.UniqueConstraint)
    }


def _revision(connection: sa.Connection) -> str | None:
    """Return the number of the last migration that was run, None in an empty database."""
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    number: str | None = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
    return number


def _migrate(connection: sa.Connection) -> None:
    from alembic import command  # noqa: PLC0415  only needed where something is to be done, and takes its time
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


logger = logging.getLogger(__name__)

Thing = TypeVar("Thing", Record, TablePhoto)

DAY_S = 24 * 60 * 60
SCHEMA = 1
IN_COLUMNS = {"id", "created", "revision"}


class Repository(ABC, Generic[Thing]):
    """Things of one kind in a database, with their files under ``root``."""

    room: ClassVar[str]
    row: ClassVar[type[ThingRow]]
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

    def create(self, files: Mapping[str, bytes | At], *, thing_id: str | None = None, **fields: Any) -> Thing:  # noqa: ANN401
        """Store something new with its files and return it; ``thing_id`` is its id where that is known.

        It raises a `BusyError` when another request stores the same photo right now.
        """
        now = datetime.now(UTC).replace(microsecond=0)
        made_id = thing_id or secrets.token_urlsafe(ID_LENGTH * 3 // 4)
        thing = cast("Thing", self.made(id=made_id, created=now.isoformat(), **fields))
        place = self.place(made_id)
        try:
            if files:
                self.files.write(place, files)
            with self._database.begin() as session:
                session.add(_put(self.row(id=made_id, created=now), thing))
                session.flush()
                _when_committed(session, lambda: self.files.settle(place))
        except (FileExistsError, sa.exc.IntegrityError) as error:
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
            _put(row, after)
            session.flush()
            return after

    def file(self, thing_id: str, name: str) -> bytes:
        """Return what is in a file of the thing, or raise `NotFoundError`."""
        at = self._standing(thing_id, name)
        try:
            return self.files.read(at.place, at.name)
        except FileNotFoundError as error:
            raise NotFoundError("photo_missing") from error

    def same_file(self, thing_id: str, name: str) -> At:
        """Return a file of the thing for another one to have it, too, or raise `NotFoundError`."""
        at = self._standing(thing_id, name)
        if not self.files.has(at.place, at.name):
            raise NotFoundError("photo_missing")
        return at

    def _standing(self, thing_id: str, name: str) -> At:
        """Return a file; where the photo as it is shown made room on a full disk, the photo itself."""
        place = self.place(thing_id)
        gone = name == disk.SHOWN and not self.files.has(place, name)
        return At(place, disk.UPRIGHT if gone else name)

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
            session.execute(sa.delete(self.row).where(self.row.id == thing_id))
            _when_committed(session, lambda: self.files.remove(place))
            _when_committed(session, self._database.forget)

    def older_than(self, before: datetime) -> list[str]:
        """Return the ids of the things that were made before then."""
        with self._database.read() as session:
            return list(session.scalars(sa.select(self.row.id).where(self.row.created < before)))

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

    def _of_row(self, row: ThingRow) -> Thing:
        if row.schema != SCHEMA or not isinstance(row.state, dict):
            raise BrokenRecordError("broken_record")
        created = row.created.isoformat(timespec="seconds")
        try:
            return self._of_state(dict(row.state), id=row.id, created=created, revision=row.revision)
        except (KeyError, TypeError, ValueError, AttributeError, VisionError) as error:
            raise BrokenRecordError("broken_record") from error

    def _row(self, session: Session, thing_id: str, *, lock: bool = False) -> ThingRow:
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
        return row

    def _id(self, thing_id: str) -> sa.Select[str]:
        """Return the question whether there is such a thing, readable or not."""
        return sa.select(self.row.id).where(self.row.id == thing_id)


def _put(row: ThingRow, thing: Record | TablePhoto) -> ThingRow:
    row.revision, row.schema, row.state = thing.revision, SCHEMA, state_of(thing, IN_COLUMNS)
    return row


def _when_committed(session: Session, act: Callable[[], None]) -> None:
    """Call ``act`` once, when the transaction holds for good; the end of a savepoint in it does not count."""
    todo = [act]

    def committed(session: Session) -> None:
        if todo and not session.in_nested_transaction():
            todo.pop()()

    sa.event.listen(session, "after_commit", committed)
