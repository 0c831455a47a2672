from __future__ import annotations

import json
import logging
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.webapp.conftest import RULEBOOK, SayingReader, rulebook_reading
from webapp import context, create_app, earlier_files
from webapp.database import Database
from webapp.storage import Choices, Earlier, Record, Store

ID = "JHWPZiVGtkUl2JyT"
OTHER = "abcdefghijklmnop"


def as_written(record_id: str = ID) -> dict[str, Any]:
    """Return a record as the version before the database wrote it."""
    return {
        "schema": 1,
        "id": record_id,
        "created": "2026-11-20T10:56:39+00:00",
        "revision": 7,
        "board": RULEBOOK,
        "size": [800, 600],
        "reading": rulebook_reading().to_json(),
        "failure": None,
        "turned": True,
        "checked": ["A4", "B1"],
        "choices": {"public": ["Light Shades"], "private": "R", "window": "教会", "favor": 2},
        "changed": {"A4": 2, "favor": 7},
        "earlier": {"board": RULEBOOK, "reading": {"board": RULEBOOK}, "turned": False, "checked": ["A1"]},
    }


def as_expected(record_id: str = ID) -> Record:
    """Return what `as_written` says."""
    return Record(
        id=record_id,
        created="2026-11-20T10:56:39+00:00",
        revision=7,
        board=RULEBOOK,
        size=(800, 600),
        reading=rulebook_reading().to_json(),
        turned=True,
        checked=("A4", "B1"),
        choices=Choices(("Light Shades",), "R", "教会", 2),
        changed={"A4": 2, "favor": 7},
        earlier=Earlier(RULEBOOK, {"board": RULEBOOK}, turned=False, checked=("A1",)),
    )


def put(root: Path, record: dict[str, Any] | str, record_id: str = ID) -> Path:
    """Write a file as the version before the database did, with a photo beside it."""
    folder = root / "readings" / record_id
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "photo.jpg").write_bytes(b"x")
    path = folder / "record.json"
    text = record if isinstance(record, str) else json.dumps(record, ensure_ascii=False, indent=1)
    path.write_text(text, encoding="utf-8")
    return path


def names(root: Path, record_id: str = ID) -> set[str]:
    """Return the names of the files of a reading."""
    return {path.name for path in (root / "readings" / record_id).iterdir()}


def test_a_file_goes_into_the_database_once(database: Database, tmp_path: Path) -> None:
    """A reading in a file is taken in with all that people did to it; later starts change nothing."""
    put(tmp_path, as_written())
    earlier_files.take_in(database, tmp_path)
    store = Store(database, tmp_path)
    assert store.load(ID) == as_expected()
    assert names(tmp_path) == {"photo.jpg", "record.json.imported"}
    later = store.update(ID, lambda record: replace(record, turned=False))
    earlier_files.take_in(database, tmp_path)
    assert store.load(ID) == later


def test_files_of_the_first_days_go_in_too(database: Database, tmp_path: Path) -> None:
    """A record from before readings could be undone is complete without that field."""
    first = as_written()
    del first["earlier"]
    put(tmp_path, first)
    earlier_files.take_in(database, tmp_path)
    assert Store(database, tmp_path).load(ID) == replace(as_expected(), earlier=None)


def test_a_start_that_was_cut_off_before_marking_goes_on(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What people changed in the database since is not undone by a file that is still there."""
    path = put(tmp_path, as_written())
    with monkeypatch.context() as cut:
        cut.setattr(Path, "replace", lambda *_: (_ for _ in ()).throw(OSError("power cut")))
        with pytest.raises(OSError, match="power cut"):
            earlier_files.take_in(database, tmp_path)
    assert path.exists()
    store = Store(database, tmp_path)
    later = store.update(ID, lambda record: replace(record, turned=False))
    earlier_files.take_in(database, tmp_path)
    assert not path.exists()
    assert store.load(ID) == later


def test_a_start_that_was_cut_off_while_taking_in_goes_on(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the end of the transaction nothing is taken in and no file is marked."""
    paths = [put(tmp_path, as_written(name), name) for name in (ID, OTHER)]
    row = Record.to_row
    with monkeypatch.context() as cut:
        cut.setattr(Record, "to_row", lambda record: 1 / 0 if record.id == OTHER else row(record))
        with pytest.raises(ZeroDivisionError):
            earlier_files.take_in(database, tmp_path)
    store = Store(database, tmp_path)
    assert store.load_known([ID, OTHER]) == []
    assert all(path.exists() for path in paths)
    earlier_files.take_in(database, tmp_path)
    assert store.load_known([ID, OTHER]) == [as_expected(ID), as_expected(OTHER)]


def test_many_files_go_in_batch_by_batch(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many files there are, all are taken in."""
    monkeypatch.setattr(earlier_files, "BATCH", 2)
    ids = [f"{number:016}" for number in range(5)]
    for name in ids:
        put(tmp_path, as_written(name), name)
    earlier_files.take_in(database, tmp_path)
    assert len(Store(database, tmp_path).load_known(ids)) == 5


def test_two_processes_may_take_in_at_once(
    address: str, database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever comes second finds the readings there and the files marked, and is content."""
    ids = [f"{number:016}" for number in range(20)]
    for name in ids:
        put(tmp_path, as_written(name), name)
    together = threading.Barrier(2)
    read = earlier_files._read
    failed: list[BaseException] = []

    def read_together(path: Path) -> Record | None:
        record = read(path)
        if path.parent.name == ids[-1]:
            together.wait()
        return record

    def work() -> None:
        own = Database(address)
        try:
            earlier_files.take_in(own, tmp_path)
        except BaseException as error:  # noqa: BLE001  told by the test
            failed.append(error)
        finally:
            own.close()

    monkeypatch.setattr(earlier_files, "_read", read_together)
    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert len(Store(database, tmp_path).load_known(ids)) == 20
    assert names(tmp_path, ids[0]) == {"photo.jpg", "record.json.imported"}


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "{",
        "[]",
        "null",
        "[" * 100_000,
        {"schema": 1},
        {**as_written(), "schema": 99},
        as_written(OTHER),
        {**as_written(), "revision": "7"},
        {**as_written(), "revision": 2**31},
        {**as_written(), "created": "yesterday"},
        {**as_written(), "created": "2026-11-20T10:56:39"},
        {**as_written(), "created": 5},
        {**as_written(), "reading": {"probability": float("nan")}},
    ],
)
def test_what_cannot_be_understood_stays_where_it_is(
    database: Database, tmp_path: Path, caplog: pytest.LogCaptureFixture, wrong: dict[str, Any] | str
) -> None:
    """A damaged file is left as it is and told once, without its id; the others are taken in."""
    path = put(tmp_path, wrong)
    put(tmp_path, as_written(OTHER), OTHER)
    before = path.read_bytes()
    with caplog.at_level(logging.WARNING):
        earlier_files.take_in(database, tmp_path)
    assert path.read_bytes() == before
    assert Store(database, tmp_path).load_known([ID, OTHER]) == [as_expected(OTHER)]
    (record,) = caplog.records
    assert "left where they are: 1 " in record.getMessage()
    assert ID not in caplog.text
    assert RULEBOOK not in caplog.text


def test_a_folder_of_an_earlier_version_works_on(tmp_path: Path, client: FlaskClient, app: Flask) -> None:
    """After an update every page is where it was, with its photo, and deleting leaves nothing."""
    put(tmp_path, as_written())
    assert client.get(f"/w/{ID}").status_code == 404
    new = create_app({"TESTING": True, "SAGRADA_DATA": tmp_path}, reader=SayingReader())
    with new.app_context():
        assert context.store().load(ID) == as_expected()
    browser = new.test_client()
    assert browser.get(f"/w/{ID}").status_code == 200
    assert browser.get(f"/w/{ID}/photo.jpg").data == b"x"
    assert browser.post(f"/w/{ID}/delete").status_code == 303
    assert list((tmp_path / "readings").iterdir()) == []
