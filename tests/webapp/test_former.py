"""Databases of every former step, each written by the program of its time: opened, or refused with a way on.

Beside the steps of now there are those of the first two days (``early``), whose numbers were given anew.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.webapp.conftest import SayingReader, SayingTable, plain_photo
from webapp import create_app
from webapp.domain.errors import BusyError, StoreError
from webapp.storage.database import FILE_NAME, FOLDER, Database, revisions
from webapp.storage.files import SHOWN, UPRIGHT

FORMER = Path(__file__).with_name("former")
EARLY = ("early-0002", "early-0003")
STEPS = ("0001", "0002", "0003", "0004", "0005-of-1.0.0", "0006")
PAGES = ("/", "/history", "/administration", "/windows", "/dice", "/tools", "/ready", "/history/export.json")


def former(name: str, folder: Path) -> Path:
    """Write a former database to a folder, with a photo wherever it knows of one; return the database."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / FILE_NAME
    with closing(sqlite3.connect(file)) as made:
        made.executescript((FORMER / f"{name}.sql").read_text(encoding="utf-8"))
        places = [f"readings/{key}" for key, state in _states(made, "readings") if state["size"]]
        if name not in (*EARLY, "0001"):
            places += [f"tables/{key}" for key, _ in _states(made, "table_photos")]
    for place in places:
        (folder / place).mkdir(parents=True)
        for photo in (UPRIGHT, SHOWN):
            (folder / place / photo).write_bytes(plain_photo())
    return file


def _states(database: sqlite3.Connection, table: str) -> list[tuple[str, dict[str, object]]]:
    return [(key, json.loads(state)) for key, state in database.execute(f"SELECT id, state FROM {table}")]


def opened(folder: Path) -> Flask:
    """Return the program at work on a folder."""
    settings = {"TESTING": True, "SAGRADA_DATA": folder}
    return create_app(settings, reader=SayingReader(), table_reader=SayingTable())


def pages_of(file: Path) -> list[str]:
    """Return the addresses of all that a database holds, and of the pages that list it."""
    with closing(sqlite3.connect(file)) as kept:
        found = {
            path: [one for (one,) in kept.execute(f"SELECT {key} FROM {table}")]
            for path, key, table in (
                ("w", "id", "readings"),
                ("t", "id", "table_photos"),
                ("g", "code", "games"),
            )
        }
    things = [f"/{path}/{key}" for path, keys in found.items() for key in keys]
    return [*PAGES, *things, *(f"{one}.json" for one in things)]


def test_each_step_has_its_database() -> None:
    """Whoever adds a step keeps a database of the one before it."""
    assert {path.stem for path in FORMER.iterdir()} == {*EARLY, *STEPS}
    assert [step[:4] for step in STEPS] == revisions()


@pytest.mark.parametrize("step", STEPS)
def test_every_page_works_with_what_a_former_step_kept(tmp_path: Path, step: str) -> None:
    """Readings, photos of tables and games of each step since the numbers of now are shown on every page."""
    file = former(step, tmp_path)
    client: FlaskClient = opened(tmp_path).test_client()
    asked = pages_of(file)
    assert len(asked) > len(PAGES) + 2
    answers = {path: client.get(path, follow_redirects=True).status_code for path in asked}
    assert set(answers.values()) == {200}, answers
    copies = [] if step[:4] == revisions()[-1] else [f"before-{revisions()[-1]}"]
    assert [path.name[:11] for path in tmp_path.glob(f"{FOLDER}/*")] == copies


@pytest.mark.parametrize("name", EARLY)
def test_what_was_numbered_otherwise_is_refused_at_the_start(tmp_path: Path, name: str) -> None:
    """A database of the first days names a step that is another one now; its tables tell, and it stays."""
    file = former(name, tmp_path)
    with closing(sqlite3.connect(file)) as kept:
        before = list(kept.iterdump())
    for _ in range(2):
        with pytest.raises(StoreError, match=r"other tables .*table_photos.* Bring a backup back") as refused:
            opened(tmp_path)
    assert refused.value.code == "database_differs"
    with closing(sqlite3.connect(file)) as kept:
        assert list(kept.iterdump()) == before
    assert list(tmp_path.glob(f"{FOLDER}/*")) == []


def test_the_refusal_names_the_newest_copy_that_can_be_opened(tmp_path: Path) -> None:
    """Of the copies of earlier upgrades, one that would be refused as well is of no use."""
    file = former("0005-of-1.0.0", tmp_path)
    opened(tmp_path)
    (copy,) = tmp_path.glob(f"{FOLDER}/*")
    former("early-0003", tmp_path / "other").rename(copy.with_name("before-0006-newer.db"))
    with closing(sqlite3.connect(file)) as broken:
        broken.execute("DROP TABLE seats")
    with pytest.raises(StoreError, match=r"other tables .*\(seats\)") as refused:
        opened(tmp_path)
    assert f"put {copy} in its place" in str(refused.value)
    for beside in ("-wal", "-shm"):
        file.with_name(f"{FILE_NAME}{beside}").unlink(missing_ok=True)
    copy.replace(file)
    assert opened(tmp_path).test_client().get("/ready").status_code == 200


@pytest.mark.parametrize("lost", ["deeds", "seats", "table_photos"])
def test_a_database_without_a_table_of_its_step_is_refused(tmp_path: Path, lost: str) -> None:
    """Also where it is a step of the upgrade that misses it."""
    with closing(sqlite3.connect(former("0005-of-1.0.0", tmp_path))) as broken:
        broken.execute(f"DROP TABLE {lost}")
    with pytest.raises(StoreError, match=rf"other tables .*{lost}"):
        opened(tmp_path)


def test_ready_looks_into_the_database(tmp_path: Path) -> None:
    """Whoever asks whether the server is ready learns that its database lost a table, or is gone."""
    client = opened(tmp_path).test_client()
    assert client.get("/ready").status_code == 200
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as broken:
        broken.execute("ALTER TABLE games RENAME TO lost")
    assert client.get("/ready").status_code == 503
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as broken:
        broken.execute("ALTER TABLE lost RENAME TO games")
    assert client.get("/ready").status_code == 200
    (tmp_path / FILE_NAME).unlink()
    answer = client.get("/ready", headers={"Accept": "application/json"})
    assert answer.status_code == 503
    assert "sagrada serve" in answer.get_json()["error"]["next_step"]


def test_a_database_of_either_kind_is_known_by_its_tables(database: Database) -> None:
    """What may be empty, where it points and what is there only once counts; tables of others do not."""
    with database.schema_change() as connection:
        connection.exec_driver_sql("CREATE TABLE of_somebody_else (id INTEGER)")
    database.upgrade()
    database.check()
    with database.schema_change() as connection:
        connection.exec_driver_sql("ALTER TABLE seats ADD COLUMN more INTEGER")
    for look in (database.check, database.upgrade):
        with pytest.raises(StoreError, match=r"\(seats\)") as refused:
            look()
        assert refused.value.code == "database_differs"


def test_a_database_that_does_not_answer_is_not_ready(tmp_path: Path) -> None:
    """No server at that address is told as one that is busy, with which a page answers 503."""
    with pytest.raises(BusyError):
        Database(f"postgresql://me@/games?host={tmp_path}").check()
