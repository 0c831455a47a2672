"""The database: a SQLite file in the data folder, or the PostgreSQL database that an address names.

Several processes may use it at the same time. Whoever changes something does so in `Database.begin`: in
SQLite such transactions queue, in PostgreSQL rows are locked by asking for them ``with_for_update``. A SQLite
database is copied before it is upgraded.
"""

from __future__ import annotations

import json
import os
import sqlite3
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Final

from sqlalchemy import URL, Connection, Engine, create_engine, event, exc, inspect, make_url, text
from sqlalchemy.orm import Session, sessionmaker

from scoring.sentences import sentence
from webapp.services.errors import BusyError, CompanionError, FullError, StoreError
from webapp.storage.files import busy, keep_reserve, locked, make_folder, make_room, reason_of, sync_folder

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

ON_CONNECT = (
    "PRAGMA foreign_keys = ON",
    "PRAGMA synchronous = FULL",  # what was answered as saved survives a power cut
    "PRAGMA secure_delete = ON",  # what people delete is overwritten in the file
)

_alembic = threading.Lock()  # Alembic keeps what it works on in variables of its module


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


class Database:
    """A database with the tables of `webapp.storage.tables`.

    Parameters
    ----------
    address
        ``postgresql://user:password@host/name`` or ``sqlite:///path``. Nothing is opened yet.

    Raises
    ------
    StoreError
        The address cannot be understood, or the package for PostgreSQL is missing.
    """

    def __init__(self, address: str | URL) -> None:
        self._url = _understood(address)
        if self._url.get_backend_name() == "sqlite":
            self._file: Path | None = Path(self._url.database or "")
            self._engine = _engine(self._url, connect_args={"timeout": PATIENCE_S})
            event.listen(self._engine, "connect", _set_up_sqlite)
            event.listen(self._engine, "begin", _begin_sqlite)
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
        return cls(URL.create("sqlite", database=str(folder.absolute() / FILE_NAME)))

    @property
    def place(self) -> str:
        """Where the database is, without its password."""
        if self._file is not None:
            return str(self._file)
        host = self._url.host or self._url.query.get("host") or "this computer"
        return f"{self._url.database} at {host}"

    def begin(self) -> AbstractContextManager[Session]:
        """Return a session in a transaction that may write: committed at the end, undone by an error.

        Within another one of this thread it is that one, which goes on.
        """
        return self._session(self._writing.begin, writes=True)

    def read(self) -> AbstractContextManager[Session]:
        """Return a session that only reads, and sees the database as it is at its first question.

        Within another session of this thread it is that one.
        """
        return self._session(self._reading, writes=False)

    def make_room(self) -> None:
        """Do what can be done so that something can be deleted on a full disk, too."""
        if self._file is not None:
            make_room(self._file.parent)

    @contextmanager
    def _session(
        self, opened: Callable[[], AbstractContextManager[Session]], *, writes: bool
    ) -> Iterator[Session]:
        """Say in the companion's words when the disk is full, or the database has no time or is gone."""
        outer: tuple[Session, bool] | None = getattr(self._open, "session", None)
        if outer is not None and (outer[1] or not writes):
            yield outer[0]
            return
        try:
            with opened() as session:
                self._open.session = (session, writes)
                try:
                    yield session
                finally:
                    self._open.session = outer
        except exc.DBAPIError as error:
            told = self._told(error)
            if told is None:
                raise
            raise told from error

    def _told(self, error: exc.DBAPIError) -> CompanionError | None:
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
        keep_reserve(self._file.parent)

    def upgrade(self) -> None:
        """Make the tables, or bring those of an earlier version up to date; all steps or none.

        Raises
        ------
        StoreError
            The database cannot be used, or a newer version of the program made it. It is as it was.
        """
        try:
            if self._file is None:
                self._upgrade()
                return
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with locked(self._file.with_name(f".{self._file.name}.lock"), UPGRADE_PATIENCE_S):
                self._file.touch(mode=0o600)  # ids are keys: only the owner may look
                self._upgrade()
            keep_reserve(self._file.parent)
        except TimeoutError as error:
            raise busy(self.place, "database") from error
        except (OSError, sqlite3.Error, exc.DBAPIError) as error:
            reason = reason_of(error.orig if isinstance(error, exc.DBAPIError) else error)
            raise StoreError(
                "database_unusable",
                sentence(
                    "The database {place} cannot be used ({reason}).",
                    place=self.place,
                    reason=" ".join(reason.split()),
                ),
                sentence(
                    "Look whether it is there and may be written to, or name another one (docs/storage.md)."
                ),
            ) from error

    def _upgrade(self) -> None:
        with self.schema_change() as connection:
            found = _revision(connection)
            steps = revisions()
            if found == steps[-1]:
                return
            if found is not None and found not in steps:
                raise StoreError(
                    "database_newer",
                    sentence(
                        "A newer version of the program made the database {place} (its step {found}).",
                        place=self.place,
                        found=found,
                    ),
                    sentence("Install that version or a newer one. Nothing was changed."),
                )
        if self._file is not None:
            if found is not None:
                keep_before(self._file, steps[-1])
            with self._engine.connect() as connection:  # not possible within a transaction
                _driver(connection).execute("PRAGMA journal_mode = WAL")
        with self.schema_change() as connection, _alembic:
            _migrate(connection)

    @contextmanager
    def schema_change(self) -> Iterator[Connection]:
        """Give a connection in a transaction that may change tables, while no other process does."""
        with self._engine.connect() as connection:
            connection = connection.execution_options(writes=True)  # noqa: PLW2901  the same one, which says what it is for
            if self._file is not None:
                connection.detach()  # foreign keys stay off in it: it is closed at the end and never reused
                # A table that is made anew would else take the rows with it that point to it.
                _driver(connection).execute("PRAGMA foreign_keys = OFF")
            with connection.begin():
                if self._file is None:
                    connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": UPGRADE_LOCK})
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


def _understood(address: str | URL) -> URL:
    """Return the address as SQLAlchemy wants it. A wrong one is not repeated: it may hold a password."""
    url = None
    if isinstance(address, str) and address.startswith("postgres://"):  # as many hosts write it
        address = address.replace("postgres://", "postgresql://", 1)
    try:
        url = make_url(address)
        backend = url.get_backend_name()
    except (exc.ArgumentError, exc.NoSuchModuleError, ValueError):
        backend = ""
    if url is not None and backend == "postgresql":
        return url.set(drivername="postgresql+psycopg")
    if url is not None and backend == "sqlite" and url.database and url.database != ":memory:":
        return url.set(drivername="sqlite")
    raise StoreError(
        "database_address",
        sentence("The address of the database cannot be understood."),
        sentence(
            "Write {variable} as postgresql://user:password@host/name or sqlite:///path/to/file.db.",
            variable=ADDRESS,
        ),
    )


def _engine(url: URL, **options: Any) -> Engine:  # noqa: ANN401
    try:
        return create_engine(
            url,
            # JSON has no NaN, and PostgreSQL refuses it; so that SQLite does, too.
            json_serializer=partial(json.dumps, allow_nan=False, separators=(",", ":")),
            hide_parameters=True,  # what people play stands in no error and no log
            **options,
        )
    except ModuleNotFoundError as error:
        raise StoreError(
            "database_driver",
            sentence("PostgreSQL needs the package psycopg, which is not installed."),
            sentence("Install it with: {command}", command='pip install "psycopg[binary]"'),
        ) from error


def _driver(connection: Connection) -> Any:  # noqa: ANN401  the driver's connections share no type
    """Return the driver's own connection, which begins no transaction by itself."""
    return connection.connection.dbapi_connection


def _set_up_sqlite(connection: Any, _record: object) -> None:  # noqa: ANN401
    connection.isolation_level = None  # `_begin_sqlite` begins transactions, not the driver
    for pragma in ON_CONNECT:
        connection.execute(pragma)


def _begin_sqlite(connection: Connection) -> None:
    # A transaction that writes takes the lock at once: two that read first and write then could only fail.
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _revision(connection: Connection) -> str | None:
    """Return the number of the last migration that was run, None in an empty database."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    number: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return number


def _migrate(connection: Connection) -> None:
    from alembic import command  # noqa: PLC0415  only needed where something is to be done, and takes its time
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
