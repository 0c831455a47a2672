"""All data in a folder and back, also while people go on; copies before an upgrade; power cuts."""

from __future__ import annotations

import os
import shutil
import sqlite3
import threading
import zipfile
from collections.abc import Callable
from contextlib import closing, suppress
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from flask import Flask

from tests.profiles import profile_of, sample_of
from tests.webapp.commands import sagrada
from tests.webapp.conftest import SayingReader, SayingTable, as_administrator, plain_photo, read_table, upload
from tests.webapp.test_former import STEPS, former
from webapp import create_app
from webapp.domain.errors import StoreError
from webapp.domain.record import BEING_READ, Failure
from webapp.storage import backup
from webapp.storage import database as copies
from webapp.storage.backup import IN_USE, back_up, restore
from webapp.storage.database import FILE_NAME, Database, revisions
from webapp.storage.files import locked
from webapp.storage.readings import ReadingStore

WINDOW = {"name": "Ours", "pattern": " / ".join(["....."] * 4), "difficulty": 4}


def opened(folder: Path) -> Flask:
    """Return the program at work on a folder."""
    settings = {"TESTING": True, "SAGRADA_DATA": folder}
    return create_app(settings, reader=SayingReader(), table_reader=SayingTable())


@pytest.fixture
def data_folder(app: Flask) -> Path:
    """Return a data folder with photos, a game, a window, dice, a card, keys of https and a PIN."""
    client = app.test_client()
    upload(client, plain_photo())
    read_table(client)
    client.post("/games", json={"name": "Ann"})
    client.post("/windows/new", json=WINDOW)
    client.post("/dice/import", data={"file": (BytesIO(str(profile_of("Ours")).encode()), "a.json")})
    as_administrator(client)
    folder: Path = app.config["SAGRADA_DATA"]
    for name, content in (
        ("profiles/ours.samples/0001.npz", sample_of().to_bytes()),
        ("profiles/ours.before/0001.json", b""),
        ("cards/Lathekin.npz", b"taught to version 1.0.0"),
        ("https/authority.key", b"secret"),
    ):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


@pytest.fixture
def kept(data_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a backup of that folder."""
    made = tmp_path_factory.mktemp("there") / "backup"
    back_up(data_folder, made)
    return made


def all_of(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder by their paths."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def photos_of(folder: Path) -> dict[str, bytes]:
    """Return the photos."""
    return {name: content for name, content in all_of(folder).items() if name.endswith(".jpg")}


def test_everything_comes_back(data_folder: Path, kept: Path) -> None:
    """On another computer readings, photos, games, windows, dice and cards are as they were."""
    assert kept.stat().st_mode & 0o077 == 0
    there = kept.with_name("data")
    after, aside = restore(kept, there)
    assert (after.readings, after.games, aside) == (4, 1, None)
    assert photos_of(there) == photos_of(kept) == photos_of(data_folder) != {}
    client = as_administrator(opened(there).test_client())
    assert client.get("/windows/own/Ours").status_code == 200
    assert client.get("/dice/of/ours/file.json").status_code == 200
    assert (there / "cards" / "Lathekin.npz").exists()
    assert client.get("/administration.json").get_json()["totals"]["game"] == 1


@pytest.mark.parametrize("step", STEPS[1:])
def test_a_backup_of_a_former_step_comes_back(tmp_path: Path, step: str) -> None:
    """It is kept as it is, with all that it had, and brought up to date when the program opens it."""
    former(step, tmp_path / "data")
    back_up(tmp_path / "data", tmp_path / "backup")
    restore(tmp_path / "backup", tmp_path / "there")
    with closing(sqlite3.connect(tmp_path / "there" / FILE_NAME)) as file:
        assert file.execute("SELECT version_num FROM alembic_version").fetchone() == (step[:4],)
    assert opened(tmp_path / "there").test_client().get("/history").status_code == 200


def test_keys_stay_where_they_are(data_folder: Path, kept: Path) -> None:
    """Who gets hold of a backup cannot pass for this computer; what comes back leaves its keys alone."""
    pin = (data_folder / "administrator.json").read_bytes()
    assert not [name for name in all_of(kept) if "https" in name or "administrator" in name]
    _, aside = restore(kept, data_folder)
    assert aside is not None
    assert (data_folder / "https" / "authority.key").read_text() == "secret"
    assert (data_folder / "administrator.json").read_bytes() == pin
    assert all_of(aside)[FILE_NAME]
    shutil.rmtree(aside)


def test_what_was_there_is_moved_aside(data_folder: Path, kept: Path) -> None:
    """Whoever brings back the wrong backup loses nothing."""
    client = opened(data_folder).test_client()
    later = upload(client, plain_photo())["id"]
    before = all_of(data_folder / "readings")
    _, aside = restore(kept, data_folder)
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
                    back_up(data_folder, there / f"{number}")
                    break
    finally:
        stop.set()
        for one in phones:
            one.join()
    for number in range(3):
        restore(there / f"{number}", there / "data")


# --- What is refused -------------------------------------------------------------------------------

DEEP = b"[" * 100_000
Change = Callable[[Path], object]


def put(name: str, content: bytes = b"x") -> Change:
    """Return a change that writes a file over what is there."""

    def change(folder: Path) -> None:
        (path,) = list(folder.glob(name)) or [folder / name]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)

    return change


def without(pattern: str) -> Change:
    """Return a change that removes files."""

    def change(folder: Path) -> None:
        for path in folder.glob(pattern):
            path.unlink()

    return change


def sql(statement: str) -> Change:
    """Return a change of the database."""

    def change(folder: Path) -> None:
        with closing(sqlite3.connect(folder / FILE_NAME)) as database:
            database.executescript(statement)

    return change


def cut(folder: Path) -> None:
    """Cut a photo off in the middle."""
    path = next(folder.glob("readings/*/photo.jpg"))
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def swollen(folder: Path) -> None:
    """Let the sample of dice unpack to more than any computer has memory for."""
    with (
        zipfile.ZipFile(folder / "profiles/ours.samples/0001.npz", "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("crops.npy", "w") as file,
    ):
        np.lib.format.write_array_header_1_0(
            file, {"descr": "|u1", "fortran_order": False, "shape": (1 << 50,)}
        )
        file.write(bytes(3_000_000))


def turned(folder: Path) -> None:
    """Change a page of the database."""
    content = bytearray((folder / FILE_NAME).read_bytes())
    content[4096 : 2 * 4096] = bytes(4096)
    (folder / FILE_NAME).write_bytes(content)


def waiting(folder: Path) -> None:
    """Add a reading whose photo waits to be read, and is lost."""
    database = Database.in_folder(folder)
    ReadingStore(database, folder).create({}, failure=Failure(BEING_READ))
    database.close()


HOSTILE: dict[str, Change] = {
    "no photo at all": without("*/*/*.jpg"),
    "one photo gone": lambda folder: next(folder.glob("readings/*/upright.jpg")).unlink(),
    "no photo of a table": without("tables/*/upright.jpg"),
    "no photo to read": waiting,
    "photo cut off": cut,
    "no picture": lambda folder: next(folder.glob("readings/*/photo.jpg")).write_bytes(b"a text"),
    "photo of nobody": put(f"readings/{'A' * 16}/photo.jpg", plain_photo()),
    "400 MB of zeros": lambda folder: os.truncate(folder / "windows.json", 400_000_000),
    "windows that are none": put("windows.json", b"Dear diary"),
    "windows too deep": put("windows.json", DEEP),
    "tools too deep": put("tools.json", DEEP),
    "settings that are none": put("house.json", b'{"keep_days": 3}'),
    "settings too deep": put("house.json", DEEP),
    "dice too deep": put("profiles/ours.json", DEEP),
    "dice of before too deep": put("profiles/ours.before/0001.json", DEEP),
    "choice of dice": put("profiles/_settings.json", b"{}"),
    "samples that are none": put("profiles/ours.samples/0001.npz"),
    "samples that grow": swollen,
    "one page": turned,
    "no database": without(FILE_NAME),
    "empty database": put(FILE_NAME, b""),
    "no SQLite": put(FILE_NAME, b"no database at all"),
    "a newer step": sql("UPDATE alembic_version SET version_num = '9999'"),
    "no step": sql("DELETE FROM alembic_version"),
    "other tables": sql("DROP TABLE players"),
    "a trigger": sql("CREATE TRIGGER t AFTER INSERT ON readings BEGIN DELETE FROM games; END"),
    "a seat of no game": sql("DELETE FROM games"),
    "a reading that is none": sql("UPDATE readings SET state = '{}'"),
    "an id that is none": sql("UPDATE table_photos SET id = '../../outside'"),
    "a game that is none": sql("UPDATE games SET state = '[]'"),
    "keys": put("https/authority.key"),
    "pin": put("administrator.json"),
    "hidden": put("cards/.hidden"),
    "no name of ours": put("profiles/ours.exe"),
    "link": lambda folder: (folder / "tools.json").symlink_to("/etc/hosts"),
    "linked folder": lambda folder: (folder / "cards" / "all").symlink_to("/etc"),
    "pipe": lambda folder: os.mkfifo(folder / "tools.json"),
}


@pytest.mark.parametrize("change", HOSTILE.values(), ids=HOSTILE)
def test_what_is_not_whole_changes_nothing(data_folder: Path, kept: Path, change: Change) -> None:
    """Whatever is wrong with it: it is told, and the data folder and those around it are as before."""
    change(kept)
    before, around = all_of(data_folder), {path.name for path in data_folder.parent.iterdir()}
    with pytest.raises(StoreError) as caught:
        restore(kept, data_folder)
    assert caught.value.code == "backup_not_whole"
    assert ".tried" not in str(caught.value)
    assert all_of(data_folder) == before
    assert {path.name for path in data_folder.parent.iterdir()} == around


@pytest.mark.parametrize(
    "name", ["no photo at all", "windows too deep", "a reading that is none", "other tables"]
)
def test_no_backup_is_made_of_what_could_not_come_back(data_folder: Path, tmp_path: Path, name: str) -> None:
    """Whoever makes one learns at once what is damaged, and can mend or delete it."""
    HOSTILE[name](data_folder)
    with pytest.raises(StoreError, match=r"(readings/|windows.json|sagrada.db).* cannot be used: "):
        back_up(data_folder, tmp_path / "backup")
    assert not (tmp_path / "backup").exists()


def zipped(folder: Path, kind: int = zipfile.ZIP_STORED) -> Path:
    """Write a backup as version 1.0.0 did, in one file."""
    file = folder.with_suffix(".zip")
    with zipfile.ZipFile(file, "w", kind) as archive:
        for name, content in all_of(folder).items():
            archive.writestr(name, content)
        archive.writestr("manifest.json", "{}")
    return file


def test_the_file_of_version_1_comes_back(data_folder: Path, kept: Path) -> None:
    """What version 1.0.0 kept in one file is opened in the same way."""
    after, aside = restore(zipped(kept), data_folder)
    assert aside is not None
    assert (after.readings, photos_of(aside)) == (4, photos_of(data_folder))
    shutil.rmtree(aside)


def in_file(content: Callable[[bytes], bytes] = bytes, member: str = "") -> Callable[[Path], Path]:
    """Return what writes a backup in one file, and changes the file or adds a member."""

    def written(folder: Path) -> Path:
        file = zipped(folder)
        if member:
            with zipfile.ZipFile(file, "a") as archive:
                archive.writestr(member, b"x")
        file.write_bytes(content(file.read_bytes()))
        return file

    return written


HOSTILE_FILES: dict[str, Callable[[Path], Path]] = {
    "packed": lambda folder: zipped(folder, zipfile.ZIP_DEFLATED),
    "nothing": in_file(lambda _: b""),
    "cut off": in_file(lambda content: content[: len(content) * 9 // 10]),
    "one byte": in_file(lambda content: content.replace(b"taught", b"Taught")),
    "outside": in_file(member="../outside.txt"),
    "absolute": in_file(member="/outside.txt"),
    "deeper outside": in_file(member="profiles/../../outside.txt"),
    "backslash": in_file(member="profiles\\..\\outside.json"),
}


@pytest.mark.parametrize("made", HOSTILE_FILES.values(), ids=HOSTILE_FILES)
def test_a_file_that_cannot_be_trusted_changes_nothing(
    data_folder: Path, kept: Path, made: Callable[[Path], Path]
) -> None:
    """Nothing of it is written anywhere but into a folder that goes again."""
    before, around = all_of(data_folder), {path.name for path in data_folder.parent.iterdir()}
    with pytest.raises(StoreError, match="cannot be used"):
        restore(made(kept), data_folder)
    assert all_of(data_folder) == before
    assert {path.name for path in data_folder.parent.iterdir()} == around


def test_no_room_is_told_before_anything_is_written(
    data_folder: Path, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever has too little room keeps what is there."""
    monkeypatch.setattr(backup.shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(9, 9, 0))  # type: ignore[attr-defined]
    with pytest.raises(StoreError, match="no room"):
        restore(kept, data_folder)


def test_nothing_is_put_back_below_a_running_program(data_folder: Path, kept: Path) -> None:
    """As long as the page is served from the folder, it is left alone."""
    with locked(data_folder / IN_USE, shared=True), locked(data_folder / IN_USE, shared=True):
        with pytest.raises(StoreError) as caught:
            restore(kept, data_folder)
        assert caught.value.code == "program_runs"
    restore(kept, data_folder)


def test_a_backup_never_takes_the_place_of_another_one(data_folder: Path, tmp_path: Path) -> None:
    """The command says how much there is, which folder is there already, and where there is no data."""
    made = tmp_path / "backup"
    assert "windows 4, games 1" in sagrada("backup", made, data=data_folder).stdout
    before = all_of(made)
    refused = sagrada("backup", made, data=data_folder)
    assert (refused.exit_code, "is there already" in refused.stderr) == (1, True)
    assert all_of(made) == before
    nothing = sagrada("backup", tmp_path / "other", data=tmp_path / "nowhere")
    assert (nothing.exit_code, (tmp_path / "other").exists()) == (1, False)
    assert f"{data_folder.name}-before-" in sagrada("restore", made, data=data_folder).stdout


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
    refused = sagrada("backup", tmp_path / "backup", data=tmp_path)
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
