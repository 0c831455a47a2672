"""Photos of the whole table in the database, and files that two things share."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import inspect, text

from scoring import PublicObjective
from tests.readings import card_at, loose, reading_of
from vision.advice import Advice
from webapp.services.errors import BrokenRecordError, NotFoundError
from webapp.services.record import Failure
from webapp.services.table_photo import NotRead, Purpose, Stage, TablePhoto
from webapp.storage import database as databases
from webapp.storage.database import Database
from webapp.storage.photo_files import At
from webapp.storage.readings import Store
from webapp.storage.table_photos import TablePhotoStore


@pytest.fixture
def tables(database: Database, tmp_path: Path) -> TablePhotoStore:
    """Return the photos of tables in a database of this test, of either kind."""
    return TablePhotoStore(database, tmp_path)


def test_a_photo_of_a_table_comes_back_as_it_was(
    tables: TablePhotoStore, address: str, tmp_path: Path
) -> None:
    """Every field is loaded as it was stored, by another process too."""
    made = tables.create(
        {"photo.jpg": b"x"},
        size=(4, 3),
        purpose=Purpose.TRACK,
        target="ABCDE",
        stage=Stage.FAILED,
        attempt="0a",
        expected=3,
        failure=Failure("board_cut_off", {"edges": ["top", "left"]}),
        windows=("A" * 16, "B" * 16),
        loose_dice=(loose("R2", doubtful=True, others=["B3"]), loose("G1", place="track", round_=2)),
        cards=(card_at("Light Shades", doubtful=True),),
        unread=(NotRead("window", Failure("too_blurry"), (1.5, 2.0)),),
        public=(PublicObjective.LIGHT_SHADES,),
        left_out=("B" * 16,),
        names={"A" * 16: "教会 \ud800"},
        advice=(Advice("glare_left", 2, 3),),
        game="FGHJK",
        seated={"1": "A" * 16},
    )
    empty = TablePhoto(made.id, made.created, (1, 1))
    same = [one.name for one in fields(made) if getattr(made, one.name) == getattr(empty, one.name)]
    assert same == ["id", "created", "revision"]
    assert TablePhotoStore(Database(address), tmp_path).load(made.id) == made
    assert tables.file(made.id, "photo.jpg") == b"x"


@pytest.mark.parametrize("state", ["[]", "{}", "null", "7", '{"size": [1, 2], "purpose": "all"}'])
def test_a_damaged_photo_is_told_as_such(tables: TablePhotoStore, database: Database, state: str) -> None:
    """A state that cannot be understood is an error of its own, hides no other photo and can be deleted."""
    made, whole = tables.create({}, size=(1, 1)), tables.create({}, size=(1, 1))
    with database.begin() as session:
        session.execute(
            text("UPDATE table_photos SET state = :s WHERE id = :id"), {"s": state, "id": made.id}
        )
    with pytest.raises(BrokenRecordError):
        tables.load(made.id)
    assert tables.load_known([made.id, whole.id]) == [whole]
    tables.delete(made.id)
    with pytest.raises(NotFoundError):
        tables.load(made.id)


def test_a_schema_that_nobody_knows_is_told_as_such(tables: TablePhotoStore, database: Database) -> None:
    """A photo of a newer version is not guessed at."""
    made = tables.create({}, size=(1, 1))
    with database.begin() as session:
        session.execute(text("UPDATE table_photos SET schema = 2"))
    with pytest.raises(BrokenRecordError):
        tables.load(made.id)


def test_what_was_not_there_is_told_by_its_kind(tables: TablePhotoStore, tmp_path: Path) -> None:
    """A photo of a table is no reading, and the other way round."""
    made = tables.create({}, size=(1, 1))
    with pytest.raises(NotFoundError) as missing:
        tables.load("A" * 16)
    assert missing.value.code == "table_photo_missing"
    with pytest.raises(NotFoundError):
        Store(tables._database, tmp_path).load(made.id)


@pytest.mark.parametrize("can_link", [True, False])
def test_a_window_keeps_its_files_when_the_photo_goes(
    tables: TablePhotoStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, can_link: bool
) -> None:
    """A file with two names outlives one of them; where a disk cannot do that it is copied."""
    if not can_link:

        def refuse(*_: object) -> None:
            raise OSError("not here")

        monkeypatch.setattr(Path, "hardlink_to", refuse)
    photo = tables.create({"photo.jpg": b"x"}, size=(1, 1))
    store = Store(tables._database, tmp_path)
    window = store.create({"photo.jpg": tables.same_file(photo.id, "photo.jpg")}, part_of=photo.id)
    shared = (tables.folder(photo.id) / "photo.jpg").stat().st_nlink
    assert shared == (2 if can_link else 1)
    tables.delete(photo.id)
    assert store.file(window.id, "photo.jpg") == b"x"
    assert list((tmp_path / "tables").iterdir()) == []


def test_a_file_that_is_gone_leaves_no_window(tables: TablePhotoStore, tmp_path: Path) -> None:
    """A window whose photo was deleted just now is not made without its files."""
    store = Store(tables._database, tmp_path)
    with pytest.raises(FileNotFoundError):
        store.create({"photo.jpg": At("readings/gone", "photo.jpg")})
    assert list((tmp_path / "readings").iterdir()) == []


def test_files_that_a_crash_left_are_cleaned_up(tables: TablePhotoStore, tmp_path: Path) -> None:
    """A marked folder that the database does not know goes, and that of a known photo stays."""
    made = tables.create({"photo.jpg": b"x"}, size=(1, 1))
    for name in (made.id, "A" * 16):
        (tmp_path / "tables" / name).mkdir(exist_ok=True)
        (tmp_path / "tables" / f"{name}.pending").touch()
    tables.clean_up(older_than_s=-1)
    assert [path.name for path in (tmp_path / "tables").iterdir()] == [made.id]


def test_a_database_from_before_keeps_its_readings(address: str, tmp_path: Path) -> None:
    """The step that brings photos of tables leaves readings as they are, which were in none."""
    database = Database(address)
    with database.schema_change() as connection:
        config = Config()
        config.set_main_option("script_location", str(databases.MIGRATIONS))
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
        assert "table_photos" not in inspect(connection).get_table_names()
    store = Store(database, tmp_path)
    made = store.create({"photo.jpg": b"x"}, reading=reading_of(), board=reading_of().board)
    with database.begin() as session:  # a version before did not write that
        old = session.scalar(text("SELECT state FROM readings"))
        plain = old if isinstance(old, str) else json.dumps(old)
        state = plain.replace(',"part_of":null', "").replace(', "part_of": null', "")
        assert "part_of" not in state
        session.execute(text("UPDATE readings SET state = :s"), {"s": state})
    database.upgrade()
    assert store.load(made.id) == made
    photo = TablePhotoStore(database, tmp_path).create({}, size=(1, 1))
    assert TablePhotoStore(database, tmp_path).load(photo.id) == photo
    database.close()
