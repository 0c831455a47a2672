"""All data in one file and back, also while people go on; copies before an upgrade; power cuts."""

from __future__ import annotations

import hashlib
import json
import shutil
import sqlite3
import threading
import zipfile
from collections.abc import Callable
from contextlib import closing, suppress
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from tests.profiles import profile_of
from tests.webapp.commands import sagrada
from tests.webapp.conftest import SayingReader, SayingTable, plain_photo, upload
from webapp import create_app
from webapp.domain.errors import StoreError
from webapp.storage import backup
from webapp.storage import database as copies
from webapp.storage.backup import IN_USE, MANIFEST, back_up, restore
from webapp.storage.database import FILE_NAME, Database, revisions
from webapp.storage.files import locked

WINDOW = {"name": "Ours", "pattern": " / ".join(["....."] * 4), "difficulty": 4}


def opened(folder: Path) -> Flask:
    """Return the program at work on a folder."""
    settings = {"TESTING": True, "SAGRADA_DATA": folder}
    return create_app(settings, reader=SayingReader(), table_reader=SayingTable())


@pytest.fixture
def data_folder(app: Flask) -> Path:
    """Return a data folder with a photo, a game, a window, dice, a card, keys of https and a PIN."""
    client = app.test_client()
    upload(client, plain_photo())
    client.post("/games", json={"name": "Ann"})
    client.post("/windows/new", json=WINDOW)
    client.post("/dice/import", data={"file": (BytesIO(str(profile_of("Ours")).encode()), "a.json")})
    client.get("/administration")
    folder: Path = app.config["SAGRADA_DATA"]
    (folder / "cards").mkdir()
    (folder / "cards" / "Lathekin.npz").write_bytes(b"taught to version 1.0.0")
    (folder / "https").mkdir()
    (folder / "https" / "authority.key").write_text("secret")
    return folder


@pytest.fixture
def file(data_folder: Path, tmp_path: Path) -> Path:
    """Return a backup of that folder."""
    back_up(data_folder, tmp_path / "administration.zip")
    return tmp_path / "administration.zip"


def all_of(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder by their paths."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def photos_of(folder: Path) -> dict[str, bytes]:
    """Return the photos."""
    return {name: content for name, content in all_of(folder).items() if name.endswith(".jpg")}


def test_everything_comes_back(data_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """On another computer readings, photos, games, windows, dice and cards are as they were."""
    there = tmp_path_factory.mktemp("there")
    file = there / "administration.zip"
    made = back_up(data_folder, file)
    assert (made.readings, made.games) == (2, 1)
    assert file.stat().st_mode & 0o077 == 0
    after, aside = restore(file, there / "data")
    assert aside is None
    assert after == made
    assert photos_of(there / "data") == photos_of(data_folder) != {}
    client = opened(there / "data").test_client()
    assert client.get("/windows/own/Ours").status_code == 200
    assert client.get("/dice/of/ours/file.json").status_code == 200
    assert (there / "data" / "cards" / "Lathekin.npz").exists()
    assert client.get("/administration.json").get_json()["totals"]["game"] == 1


def test_keys_stay_where_they_are(data_folder: Path, file: Path) -> None:
    """Who gets hold of a backup cannot pass for this computer; what comes back leaves its keys alone."""
    pin = (data_folder / "administrator.json").read_bytes()
    with zipfile.ZipFile(file) as archive:
        assert not [name for name in archive.namelist() if "https" in name or "administrator" in name]
    _, aside = restore(file, data_folder)
    assert aside is not None
    assert (data_folder / "https" / "authority.key").read_text() == "secret"
    assert (data_folder / "administrator.json").read_bytes() == pin
    assert all_of(aside)[FILE_NAME]
    shutil.rmtree(aside)


def test_what_was_there_is_moved_aside(data_folder: Path, file: Path) -> None:
    """Whoever brings back the wrong backup loses nothing."""
    client = opened(data_folder).test_client()
    later = upload(client, plain_photo())["id"]
    before = all_of(data_folder / "readings")
    _, aside = restore(file, data_folder)
    assert aside is not None
    assert all_of(aside / "readings") == before
    assert opened(data_folder).test_client().get(f"/w/{later}.json").status_code == 404
    shutil.rmtree(aside)


def test_a_backup_is_whole_while_people_go_on(
    data_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Each reading that it knows has its photos, and every row fits, whatever comes and goes meanwhile."""
    app, stop = opened(data_folder), threading.Event()

    def play() -> None:
        client = app.test_client()
        while not stop.is_set():
            made = upload(client, plain_photo())["id"]
            upload(client, plain_photo())
            client.post(f"/w/{made}/delete", json={})

    phones = [threading.Thread(target=play) for _ in range(2)]
    there = tmp_path_factory.mktemp("there")
    for one in phones:
        one.start()
    try:
        for number in range(3):
            for _ in range(100):  # under this load one may have to begin anew more often than a person would
                with suppress(StoreError):
                    back_up(data_folder, there / f"{number}.zip")
                    break
    finally:
        stop.set()
        for one in phones:
            one.join()
    for number in range(3):
        folder = there / str(number)
        restore(there / f"{number}.zip", folder)
        with closing(sqlite3.connect(folder / FILE_NAME)) as kept:
            states = dict(kept.execute("SELECT id, state FROM readings"))
        with_photo = {key for key, state in states.items() if json.loads(state)["size"]}
        assert with_photo == {path.name for path in (folder / "readings").iterdir()}
        for key in with_photo:
            assert (folder / "readings" / key / "upright.jpg").stat().st_size > 0


# --- What is refused -------------------------------------------------------------------------------


def again(file: Path, change: Callable[[dict[str, bytes], dict[str, Any]], None]) -> Path:
    """Write a backup anew, after a change of its members and their list."""
    with zipfile.ZipFile(file) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    told = json.loads(members.pop(MANIFEST))
    change(members, told)
    bad = file.with_name("bad.zip")
    with zipfile.ZipFile(bad, "w") as archive:
        for name, content in {**members, MANIFEST: json.dumps(told).encode()}.items():
            archive.writestr(name, content)
    return bad


def put(name: str, content: bytes = b"x") -> Callable[[dict[str, bytes], dict[str, Any]], None]:
    """Return a change that adds a member, listed as it is."""

    def change(members: dict[str, bytes], told: dict[str, Any]) -> None:
        members[name] = content
        told["files"][name] = {"sha256": hashlib.sha256(content).hexdigest(), "size": len(content)}

    return change


def edited(**keys: object) -> Callable[[dict[str, bytes], dict[str, Any]], None]:
    """Return a change of the list's own keys."""
    return lambda _, told: told.update(keys)


def turned(members: dict[str, bytes], _: dict[str, Any]) -> None:
    """Change one byte of the database."""
    content = bytearray(members[FILE_NAME])
    content[len(content) // 2] ^= 1
    members[FILE_NAME] = bytes(content)


def without_database(members: dict[str, bytes], told: dict[str, Any]) -> None:
    """Leave the database out."""
    del members[FILE_NAME], told["files"][FILE_NAME]


def bomb(_: dict[str, bytes], told: dict[str, Any]) -> None:
    """List a file as larger than any disk, which the archive itself says otherwise."""
    told["files"]["windows.json"]["size"] = 10**15


HOSTILE = {
    "bomb": bomb,
    "outside": put("../outside.txt"),
    "absolute": put("/outside.txt"),
    "deeper outside": put("profiles/../../outside.txt"),
    "backslash": put("profiles\\..\\outside.json"),
    "keys": put("https/authority.key"),
    "pin": put("administrator.json"),
    "hidden": put("cards/.hidden"),
    "one byte": turned,
    "no database": without_database,
    "no SQLite": put(FILE_NAME, b"no database at all"),
    "another form": edited(format="sagrada-windows"),
    "no list": edited(files=None),
    "a newer form": edited(schema=2),
}


@pytest.mark.parametrize("change", HOSTILE.values(), ids=HOSTILE)
def test_a_file_that_cannot_be_trusted_changes_nothing(
    data_folder: Path, tmp_path_factory: pytest.TempPathFactory, change: Callable[..., None]
) -> None:
    """Whatever is wrong with it: it is told, and the data folder and those around it are as before."""
    there = tmp_path_factory.mktemp("there")
    back_up(data_folder, there / "good.zip")
    bad, before = again(there / "good.zip", change), all_of(data_folder)
    around = {path.name for path in data_folder.parent.iterdir()}
    with pytest.raises(StoreError) as caught:
        restore(bad, data_folder)
    assert caught.value.code in {"backup_damaged", "backup_newer"}
    assert all_of(data_folder) == before
    assert {path.name for path in data_folder.parent.iterdir()} == around


@pytest.mark.parametrize("share", [0.0, 0.9])
def test_a_truncated_file_changes_nothing(data_folder: Path, file: Path, share: float) -> None:
    """A copy that was cut off is no backup."""
    content = file.read_bytes()
    file.write_bytes(content[: int(len(content) * share)])
    with pytest.raises(StoreError, match="damaged"):
        restore(file, data_folder)


def test_no_room_is_told_before_anything_is_written(
    data_folder: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever has too little room keeps what is there."""
    monkeypatch.setattr(backup.shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(9, 9, 0))  # type: ignore[attr-defined]
    with pytest.raises(StoreError, match="no room"):
        restore(file, data_folder)


def test_nothing_is_put_back_below_a_running_program(data_folder: Path, file: Path) -> None:
    """As long as the page is served from the folder, it is left alone."""
    with locked(data_folder / IN_USE, shared=True), locked(data_folder / IN_USE, shared=True):
        with pytest.raises(StoreError) as caught:
            restore(file, data_folder)
        assert caught.value.code == "program_runs"
    restore(file, data_folder)


def test_a_backup_never_takes_the_place_of_another_file(data_folder: Path, tmp_path: Path) -> None:
    """The command says how much there is, which file is there already, and where there is no data."""
    file = tmp_path / "administration.zip"
    assert "windows 2, games 1" in sagrada("backup", file, data=data_folder).stdout
    content = file.read_bytes()
    refused = sagrada("backup", file, data=data_folder)
    assert (refused.exit_code, "is there already" in refused.stderr) == (1, True)
    assert file.read_bytes() == content
    nothing = sagrada("backup", tmp_path / "other.zip", data=tmp_path / "nowhere")
    assert (nothing.exit_code, (tmp_path / "other.zip").exists()) == (1, False)
    assert f"{data_folder.name}-before-" in sagrada("restore", file, data=data_folder).stdout


@pytest.mark.parametrize(
    ("variable", "value", "advice"),
    [
        ("SAGRADA_DATABASE_URL", "postgresql://nobody@nowhere/nothing", "pg_dump"),
        ("SAGRADA_PHOTOS", "s3://nowhere/nothing", "its own means"),
    ],
)
def test_what_lies_elsewhere_is_not_ours_to_keep(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str, value: str, advice: str
) -> None:
    """PostgreSQL and storage elsewhere have their own means, and are named."""
    monkeypatch.setenv(variable, value)
    refused = sagrada("backup", tmp_path / "administration.zip", data=tmp_path)
    assert refused.exit_code == 2
    assert variable in refused.stderr
    assert advice in refused.stderr


# --- Before an upgrade -----------------------------------------------------------------------------


def older(folder: Path) -> Database:
    """Return a database as version 1.0.0 made it, with a log of what devices did."""
    made = Database.in_folder(folder)
    made.upgrade()
    made.close()
    with closing(sqlite3.connect(folder / FILE_NAME)) as opened_file:
        opened_file.execute("DROP TABLE owners")
        opened_file.execute(
            "CREATE TABLE deeds (id INTEGER NOT NULL PRIMARY KEY, done DATETIME NOT NULL, "
            "device VARCHAR(64) NOT NULL, maker VARCHAR(64), kind VARCHAR(12) NOT NULL, "
            "act VARCHAR(12) NOT NULL, name VARCHAR(200) NOT NULL, before TEXT)"
        )
        rows = (
            (1, "a", "window", "added", "Ours"), (2, "b", "window", "changed", "Ours"),
            (3, "b", "dice", "added", "ours"), (4, None, "game", "added", "CDFGHJ"),
        )  # fmt: skip
        opened_file.executemany("INSERT INTO deeds VALUES (?, '2026-11-26', '', ?, ?, ?, ?, NULL)", rows)
        opened_file.execute("UPDATE alembic_version SET version_num = '0005'")
        opened_file.commit()
    return Database.in_folder(folder)


def test_a_copy_is_kept_before_an_upgrade(tmp_path: Path) -> None:
    """It is the database as it was; where there is nothing to do there is no copy."""
    older(tmp_path).upgrade()
    (kept,) = (tmp_path / copies.FOLDER).iterdir()
    with closing(sqlite3.connect(kept)) as copy:
        assert copy.execute("SELECT version_num FROM alembic_version").fetchone() == ("0005",)
    Database.in_folder(tmp_path).upgrade()
    assert len(list((tmp_path / copies.FOLDER).iterdir())) == 1
    assert kept.stat().st_mode & 0o077 == 0


def test_who_added_a_window_stays_known(tmp_path: Path) -> None:
    """The log of version 1.0.0 goes; the devices that added windows and dice still own them."""
    older(tmp_path).upgrade()
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as database:
        owners = database.execute("SELECT kind, name, owner FROM owners ORDER BY kind").fetchall()
        assert owners == [("dice", "ours", "b"), ("window", "Ours", "a")]
        left = database.execute("SELECT name FROM sqlite_master WHERE name = 'deeds'").fetchall()
        assert left == []


def test_only_the_newest_copies_stay(tmp_path: Path) -> None:
    """Upgrades of years do not fill the disk."""
    Database.in_folder(tmp_path).upgrade()
    for number in range(5):
        with copies.kept_before(tmp_path / FILE_NAME, f"{number:04}") as made:
            pass
    assert len(list((tmp_path / copies.FOLDER).iterdir())) == copies.MOST_COPIES
    assert made.exists()


def test_without_room_for_the_copy_nothing_is_upgraded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database is as it was, and the reason is told."""

    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    before = older(tmp_path)
    monkeypatch.setattr(copies, "copy_database", full)
    with pytest.raises(StoreError, match="full"):
        before.upgrade()
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as kept:
        assert kept.execute("SELECT version_num FROM alembic_version").fetchone() == ("0005",)
    assert revisions()[-1] != "0005"
