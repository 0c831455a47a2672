"""A full disk, and a database that has no time: nothing is lost, everybody is told, and room can be made."""

from __future__ import annotations

import errno
import sqlite3
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import event, exc

from tests.webapp.conftest import plain_photo
from webapp.domain.errors import BusyError, CompanionError, FullError
from webapp.services import context
from webapp.storage import files, own_cards
from webapp.storage.database import FILE_NAME, Database
from webapp.storage.files import write_whole

BROWSER = {"Accept": "text/html"}


class FullDisk:
    """Stands for a disk on which nothing more can be written as long as it ``is_full``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.is_full = False

    def usage(self, _: Path) -> SimpleNamespace:
        """Return what is free."""
        return SimpleNamespace(free=0 if self.is_full else 10**12)

    def write(self, path: Path, content: bytes) -> None:
        """Write a file, or refuse."""
        if self.is_full:
            raise OSError(errno.ENOSPC, "No space left on device", str(path))
        write_whole(path, content)


@pytest.fixture
def full(tmp_path: Path, app: Flask, monkeypatch: pytest.MonkeyPatch) -> FullDisk:
    """Return the disk of the application."""
    made = FullDisk(tmp_path)
    monkeypatch.setattr(files, "write_whole", made.write)
    monkeypatch.setattr(own_cards, "write_whole", made.write)
    monkeypatch.setattr("webapp.storage.files.shutil.disk_usage", made.usage)
    return made


def photo() -> dict[str, tuple[BytesIO, str]]:
    """Return a form with a photo."""
    return {"photo": (BytesIO(plain_photo()), "a.jpg")}


def fill(app: Flask) -> None:
    """Let the database have no page more than it has; a free one would still be used."""
    with app.app_context():
        engine = context.kept().database._engine
    engine.dispose()
    with sqlite3.connect(str(engine.url.database)) as own:
        own.execute("VACUUM")
        pages = own.execute("PRAGMA page_count").fetchone()[0]

    def limit(connection: sqlite3.Connection, _record: object) -> None:
        connection.execute(f"PRAGMA max_page_count = {pages}")

    event.listen(engine, "connect", limit)


def test_a_photo_on_a_full_disk_is_refused_in_words(
    client: FlaskClient, full: FullDisk, tmp_path: Path
) -> None:
    """Who sends a photo or a window learns that the disk is full and what to do, and nothing half is left."""
    full.is_full = True
    mine = {"name": "Mine", "difficulty": 3, "pattern": "1.... / ..... / ..... / ....."}
    for answer in (client.post("/readings.json", data=photo()), client.post("/windows/new", json=mine)):
        assert (answer.status_code, answer.get_json()["error"]["code"]) == (507, "disk_full")
    assert files.is_full(OSError(errno.EDQUOT, "quota"))
    assert not files.is_full(OSError(errno.EACCES, "rights"))
    page = client.post("/readings", data=photo(), headers=BROWSER)
    assert page.status_code == 507
    assert "The disk of the computer that serves this page is full" in page.text
    assert not list((tmp_path / "readings").iterdir())


def test_changes_in_a_full_database_are_refused_in_words(app: Flask, client: FlaskClient) -> None:
    """A change for which there is no room is told, and the window stays as it was."""
    made = client.post("/by-hand", json={"board": "R1" + " --" * 4 + " / -- -- -- -- --" * 3}).get_json()
    fill(app)
    answers = [client.post("/by-hand", json={}) for _ in range(400)]
    assert {one.status_code for one in answers} == {201, 507}
    assert answers[-1].get_json()["error"]["code"] == "disk_full"
    assert client.get(made["links"]["self"] + ".json").get_json()["board"] == made["board"]


def test_deleting_makes_room_on_a_full_disk(
    app: Flask, client: FlaskClient, tmp_path: Path, full: FullDisk
) -> None:
    """When the disk is full the reserve is given up, a photo can be deleted, and the reserve comes back."""
    made = client.post("/readings.json", data=photo()).get_json()
    reserve = tmp_path / files.RESERVE
    reserve.unlink()  # tests have an empty one
    files.keep_reserve(tmp_path)
    assert reserve.stat().st_size == files.RESERVE_BYTES
    full.is_full = True
    with app.app_context():
        context.kept().database.make_room()
    assert not reserve.exists()
    assert client.post(made["links"]["self"] + "/delete", json={}).status_code == 204
    assert not list((tmp_path / "readings").iterdir())
    full.is_full = False
    other = client.post("/by-hand", json={}).get_json()
    assert client.post(other["links"]["self"] + "/delete", json={}).status_code == 204
    assert reserve.exists()


def test_without_a_reserve_copies_of_photos_make_room(
    client: FlaskClient, app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that was full from the start has no reserve: smaller copies go, and the photos are shown."""
    links = [client.post("/readings.json", data=photo()).get_json()["links"] for _ in range(2)]
    copies = list(tmp_path.glob(f"readings/*/{files.SHOWN}"))
    assert len(copies) == 2
    (tmp_path / files.RESERVE).unlink()
    free = lambda _: SimpleNamespace(free=sum(not one.exists() for one in copies) * files.ENOUGH_BYTES)  # noqa: E731
    monkeypatch.setattr("webapp.storage.files.shutil.disk_usage", free)
    with app.app_context():
        context.kept().database.make_room()
    assert sum(one.exists() for one in copies) == 1
    for link in links:
        assert client.get(link["self"] + "/photo.jpg").status_code == 200
        assert client.post(link["self"] + "/delete", json={}).status_code == 204
    assert not list((tmp_path / "readings").iterdir())


def test_a_database_that_somebody_holds_is_told(
    app: Flask, client: FlaskClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While another program holds the database nothing is saved; that is told, and when to come again."""
    with app.app_context():
        engine = context.kept().database._engine
    engine.dispose()
    event.listen(engine, "connect", lambda one, _: one.execute("PRAGMA busy_timeout = 1"))
    with sqlite3.connect(tmp_path / FILE_NAME) as other:
        other.execute("BEGIN IMMEDIATE")
        answer = client.post("/by-hand", json={})
        page = client.post("/by-hand", headers=BROWSER)
    assert (answer.status_code, answer.get_json()["error"]["code"]) == (503, "database_busy")
    assert int(answer.headers["Retry-After"]) > 0
    assert (page.status_code, "Try again in a moment" in page.text) == (503, True)


@pytest.mark.parametrize(
    ("state", "means"),
    [("53100", FullError), ("53300", BusyError), ("57P01", BusyError), (None, BusyError), ("23505", None)],
    ids=["disk full", "too many connections", "shutting down", "gone", "a mistake of ours"],
)
def test_what_postgresql_says_is_understood(state: str | None, means: type[CompanionError] | None) -> None:
    """A full disk, a database that is gone for a moment, and a mistake of the program are told apart."""

    class Said(Exception):  # noqa: N818  as the driver's
        sqlstate = state

    told = Database("postgresql://nobody@nowhere/nothing")._told(exc.OperationalError("", {}, Said()))
    assert type(told) is (means or type(None))
