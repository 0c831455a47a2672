from __future__ import annotations

import logging
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import event, exc, inspect, text

from tests.webapp.conftest import SayingReader
from webapp import create_app
from webapp.domain.errors import StoreError
from webapp.services import context
from webapp.storage import database
from webapp.storage.database import Base, Database, ReadingRow
from webapp.storage.files import locked
from webapp.storage.readings import ReadingStore

NOW = datetime(2026, 11, 21, 10, tzinfo=UTC)
WORKER = """
import sys
from dataclasses import replace
from pathlib import Path
from webapp.storage.database import Database
from webapp.storage.readings import ReadingStore

store = ReadingStore(Database(sys.argv[1]), Path(sys.argv[2]))
for _ in range(int(sys.argv[4])):
    after = store.update(sys.argv[3], lambda record: replace(record, turned=not record.turned))
    print(after.revision, flush=True)
"""


def start(script: str, *arguments: str) -> subprocess.Popen[str]:
    """Start another process that runs ``script`` with the project in reach."""
    return subprocess.Popen(
        [sys.executable, "-c", script, *arguments],
        cwd=Path(__file__).resolve().parents[2],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def row(record_id: str = "A" * 16, **columns: object) -> ReadingRow:
    """Return a row to store."""
    return ReadingRow(**{"id": record_id, "created": NOW, "revision": 1, "schema": 1, "state": {}, **columns})


@pytest.fixture
def own_migrations(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    """Return what adds a migration after the newest one, for this test only."""
    folder = tmp_path / "migrations"
    shutil.copytree(database.MIGRATIONS, folder, ignore=shutil.ignore_patterns("__pycache__"))
    newest = database.revisions()[-1]
    monkeypatch.setattr(database, "MIGRATIONS", folder)

    def add(number: str, work: str) -> None:
        code = (
            "from alembic import op\nimport sqlalchemy as sa\n"
            f"revision = {number!r}\ndown_revision = {newest!r}\ndef upgrade():\n    {work}\n"
        )
        (folder / "versions" / f"{number}_test.py").write_text(code)

    return add


def test_migrations_make_the_tables_that_the_program_uses(address: str) -> None:
    """From an empty database all migrations together give exactly the tables of the models."""
    made = Database(address)
    made.upgrade()
    with made.schema_change() as connection:
        context = MigrationContext.configure(connection, opts={"compare_server_default": True})
        assert compare_metadata(context, Base.metadata) == []
        assert set(inspect(connection).get_table_names()) == {*Base.metadata.tables, "alembic_version"}
    made.close()


def test_migrations_are_one_line_in_the_order_of_their_numbers() -> None:
    """What the program takes for the newest step is what Alembic does, and no step has two successors."""
    config = Config()
    config.set_main_option("script_location", str(database.MIGRATIONS))
    steps = [step.revision for step in ScriptDirectory.from_config(config).walk_revisions()]
    assert database.revisions() == list(reversed(steps))


@pytest.mark.thorough
def test_migrations_can_be_written_with_alembic(tmp_path: Path) -> None:
    """Alembic's own command line finds the migrations and the database, and nothing that is missing."""
    for command in ("upgrade", "head"), ("check",):
        done = subprocess.run(
            [sys.executable, "-m", "alembic", *command],
            cwd=Path(__file__).resolve().parents[2],
            env={**os.environ, database.ADDRESS: f"sqlite:///{tmp_path / 'a.db'}"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
    assert "No new upgrade operations" in done.stdout + done.stderr


def test_an_upgrade_leaves_rows_and_logging_as_they_are(database: Database) -> None:
    """A second start finds nothing to do, and Alembic does not change what the program logs."""
    with database.begin() as session:
        session.add(row())
    logging.getLogger("webapp").disabled = False
    before = (logging.root.level, list(logging.root.handlers), logging.getLogger("alembic").level)
    database.upgrade()
    assert (logging.root.level, list(logging.root.handlers), logging.getLogger("alembic").level) == before
    assert not logging.getLogger("webapp").disabled
    with database.read() as session:
        assert session.get(ReadingRow, "A" * 16) is not None


def test_a_newer_database_is_refused(database: Database) -> None:
    """A database of a later version is left alone, and the error says what to do."""
    with database.begin() as session:
        session.add(row())
        session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StoreError, match=r"newer version.*9999.*Install that version") as refused:
        database.upgrade()
    assert refused.value.code == "database_newer"
    with database.read() as session:
        assert session.get(ReadingRow, "A" * 16) is not None
        assert session.scalar(text("SELECT version_num FROM alembic_version")) == "9999"


def test_a_failing_migration_changes_nothing(
    database: Database, own_migrations: Callable[[str, str], None]
) -> None:
    """All steps or none, in SQLite too: what a broken step did before it broke is undone."""
    before = database_tables(database)
    own_migrations(
        "9000", "op.create_table('half', sa.Column('id', sa.Integer)); op.execute('DELETE FROM nowhere')"
    )
    with pytest.raises(StoreError, match="nowhere"):
        database.upgrade()
    assert database_tables(database) == before
    with database.begin() as session:
        session.add(row())


def database_tables(database: Database) -> tuple[set[str], str | None]:
    """Return the names of the tables, and the number of the last migration."""
    with database.schema_change() as connection:
        number = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
        return set(inspect(connection).get_table_names()), number


@pytest.fixture
def pointed_to(tmp_path: Path) -> Database:
    """Return a database with a reading to which a row of another table points."""
    made = Database.in_folder(tmp_path)
    made.upgrade()
    with made.begin() as session:
        session.add(row())
        session.flush()
        session.execute(
            text("CREATE TABLE child (reading VARCHAR REFERENCES readings(id) ON DELETE CASCADE)")
        )
        session.execute(text("INSERT INTO child VALUES (:id)"), {"id": "A" * 16})
    return made


def test_a_table_made_anew_keeps_the_rows_that_point_to_it(
    pointed_to: Database, own_migrations: Callable[[str, str], None]
) -> None:
    """SQLite changes a column by making the table anew; rows that depend on it must outlive that."""
    own_migrations(
        "9000",
        "with op.batch_alter_table('readings', recreate='always') as table: "
        "table.alter_column('revision', type_=sa.BigInteger())",
    )
    pointed_to.upgrade()
    with pointed_to.begin() as session:
        assert session.scalar(text("SELECT count(*) FROM child")) == 1
        session.execute(text("DELETE FROM readings"))  # foreign keys are on again
        assert session.scalar(text("SELECT count(*) FROM child")) == 0


def test_a_migration_that_leaves_rows_pointing_nowhere_is_undone(
    pointed_to: Database, own_migrations: Callable[[str, str], None]
) -> None:
    """Foreign keys are off while a migration runs, so they are checked at its end."""
    own_migrations("9000", "op.execute('DELETE FROM readings')")
    with pytest.raises(RuntimeError, match="child"):
        pointed_to.upgrade()
    with pointed_to.read() as session:
        assert session.get(ReadingRow, "A" * 16) is not None


@pytest.mark.thorough
def test_two_processes_may_start_with_an_empty_database(address: str) -> None:
    """Both make sure that the tables are there, and only one makes them."""
    script = "import sys; from webapp.storage.database import Database; Database(sys.argv[1]).upgrade()"
    started = [start(script, address) for _ in range(3)]
    told = [process.communicate() for process in started]
    assert [(process.returncode, error) for process, (_, error) in zip(started, told, strict=True)] == [
        (0, "")
    ] * 3
    made = Database(address)
    assert database_tables(made)[1] == database.revisions()[-1]
    made.close()


@pytest.mark.thorough
def test_changes_of_two_processes_are_all_kept(address: str, database: Database, tmp_path: Path) -> None:
    """Two processes and this one change one reading at the same time, and no change is lost."""
    store = ReadingStore(database, tmp_path)
    made = store.create({})
    started = [start(WORKER, address, str(tmp_path), made.id, "40") for _ in range(2)]
    for process in started:  # both are at work
        assert process.stdout is not None
        assert process.stdout.readline(), process.communicate()[1]
    for _ in range(10):
        store.update(made.id, lambda record: replace(record, turned=not record.turned))
    for process in started:
        assert process.communicate()[1] == ""
    assert store.load(made.id).revision == 1 + 2 * 40 + 10


@pytest.mark.thorough
def test_a_killed_process_leaves_a_readable_database(
    address: str, database: Database, tmp_path: Path
) -> None:
    """Killed in the middle of writing, what was told as saved is there and the next change works."""
    store = ReadingStore(database, tmp_path)
    made = store.create({})
    process = start(WORKER, address, str(tmp_path), made.id, "100000")
    assert process.stdout is not None
    for _ in range(20):
        saved = int(process.stdout.readline())
    process.kill()
    told = process.stdout.read()  # not communicate(), which forgets the lines that were read ahead
    process.communicate()
    saved = max([saved, *map(int, re.findall(r"(\d+)\n", told))])
    after = ReadingStore(Database(address), tmp_path).update(
        made.id, lambda record: replace(record, turned=not record.turned)
    )
    assert after.revision in (saved + 1, saved + 2)  # the last one may be saved and not told
    assert after.turned is (after.revision % 2 == 0)
    if address.startswith("sqlite"):
        with database.read() as session:
            assert session.scalar(text("PRAGMA integrity_check")) == "ok"


def test_a_reader_sees_one_moment(database: Database) -> None:
    """What is written while somebody reads shows in the next look, not in the middle of this one."""
    with database.begin() as session:
        session.add(row(revision=1))
    with database.read() as reading:
        assert reading.scalar(text("SELECT revision FROM readings")) == 1
        with database.begin() as session:
            session.get_one(ReadingRow, "A" * 16).revision = 2
        assert reading.scalar(text("SELECT revision FROM readings")) == 1
    with database.read() as reading:
        assert reading.scalar(text("SELECT revision FROM readings")) == 2


def test_moments_come_back_in_utc(database: Database) -> None:
    """A moment is the same moment again, in UTC, and one without a time zone is refused."""
    there = NOW.astimezone(timezone(timedelta(hours=9)))
    with database.begin() as session:
        session.add(row(created=there))
    with database.read() as session:
        created = session.get_one(ReadingRow, "A" * 16).created
    assert (created, created.utcoffset()) == (NOW, timedelta(0))
    with pytest.raises(exc.StatementError, match="time zone"), database.begin() as session:
        session.add(row("B" * 16, created=NOW.replace(tzinfo=None)))


def test_errors_tell_nothing_of_what_people_play(database: Database) -> None:
    """An error of the database names no id and no content, so that none comes into a log."""
    with database.begin() as session:
        session.add(row())
    with pytest.raises(exc.IntegrityError) as refused, database.begin() as session:
        session.add(row(state={"private": "PURPLE"}))
    assert "PURPLE" not in str(refused.value)


def test_a_sqlite_database_is_set_up_for_several_writers(tmp_path: Path) -> None:
    """Write-ahead log, foreign keys, patience, synced commits; and only its owner may read the file."""
    made = Database.in_folder(tmp_path / "new" / "100% mine?#")
    made.upgrade()
    expected = {
        "journal_mode": "wal",
        "foreign_keys": 1,
        "busy_timeout": 10_000,
        "synchronous": 2,
        "secure_delete": 1,
    }
    with made.read() as session:
        assert {name: session.scalar(text(f"PRAGMA {name}")) for name in expected} == expected
    file = tmp_path / "new" / "100% mine?#" / "sagrada.db"
    assert made.place == str(file)
    if os.name == "posix":
        assert file.stat().st_mode & 0o077 == 0
        assert file.parent.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("content", [b"This is no database, but a text of somebody.\n" * 100, None])
def test_what_is_no_database_is_left_alone(tmp_path: Path, content: bytes | None) -> None:
    """A file or folder of that name is told and not written over."""
    file = tmp_path / "sagrada.db"
    if content is None:
        file.mkdir()
    else:
        file.write_bytes(content)
    with pytest.raises(StoreError, match="cannot be used") as refused:
        Database.in_folder(tmp_path).upgrade()
    assert refused.value.code == "database_unusable"
    assert file.is_dir() if content is None else file.read_bytes() == content


def test_a_database_that_another_process_holds_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who waits in vain for another process that brings the database up to date is told so."""
    monkeypatch.setattr(database, "UPGRADE_PATIENCE_S", 0)
    made = Database.in_folder(tmp_path)
    with locked(tmp_path / ".sagrada.db.lock"), pytest.raises(StoreError) as refused:
        made.upgrade()
    assert refused.value.code == "database_busy"


@pytest.mark.parametrize(
    "wrong",
    ["mysql://me:hunter2@host/x", "postgresql://me:hunter2@host:port:hunter2/x", "sqlite:///:memory:"],
)
def test_an_address_that_makes_no_sense_is_refused(wrong: str) -> None:
    """The error shows how to write an address, and not the one that was given: it may hold a password."""
    with pytest.raises(StoreError, match="Write SAGRADA_DATABASE_URL as postgresql://") as refused:
        Database(wrong)
    assert refused.value.code == "database_address"
    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize("scheme", ["postgres", "postgresql+psycopg2"])
def test_postgresql_is_reached_by_every_usual_scheme(
    scheme: str, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    """All ways to write the address take the same driver, and the password is told nowhere."""
    query = f"host={tmp_path}&password=hunter2"
    made = Database(f"{scheme}://me:hunter2@/games?{query}")
    with caplog.at_level(logging.DEBUG), pytest.raises(StoreError, match="cannot be used") as refused:
        made.upgrade()
    assert refused.value.code == "database_unusable"
    assert "games at" in str(refused.value)
    assert "hunter2" not in str(refused.value) + caplog.text


def test_without_its_package_postgresql_is_told_as_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has no psycopg is told how to get it."""
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreError, match="pip install") as refused:
        Database("postgresql://host/games")
    assert refused.value.code == "database_driver"


def test_the_application_uses_the_database_that_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reader: SayingReader
) -> None:
    """The setting comes before the environment, and the environment before the file in the data folder."""
    named, by_environment, folder = tmp_path / "a.db", tmp_path / "b.db", tmp_path / "data"
    settings = {"TESTING": True, "SAGRADA_DATA": folder}

    def place(**more: str) -> str:
        app = create_app({**settings, **more}, reader=reader)
        with app.app_context():
            return context.kept().database.place

    assert place() == str(folder / "sagrada.db")
    monkeypatch.setenv("SAGRADA_DATABASE_URL", f"sqlite:///{by_environment}")
    assert place() == str(by_environment)
    assert place(SAGRADA_DATABASE_URL=f"sqlite:///{named}") == str(named)
    monkeypatch.setenv("SAGRADA_DATABASE_URL", "")
    assert place() == str(folder / "sagrada.db")


def test_writers_in_sqlite_queue_from_the_start(tmp_path: Path) -> None:
    """A transaction that may write takes the lock at its first step, one that reads does not."""
    made = Database.in_folder(tmp_path)
    made.upgrade()
    said: list[str] = []
    event.listen(
        made._engine, "before_cursor_execute", lambda _c, _cursor, statement, *_rest: said.append(statement)
    )
    with made.begin() as session:
        session.get(ReadingRow, "A" * 16)
    with made.read() as session:
        session.get(ReadingRow, "A" * 16)
    assert [statement for statement in said if statement.startswith("BEGIN")] == ["BEGIN IMMEDIATE", "BEGIN"]
