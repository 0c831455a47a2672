from __future__ import annotations

import json
import shutil
import threading
from dataclasses import fields, replace
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import inspect, text

from scoring import Board, Color, PublicObjective
from tests import postgres
from tests.readings import card_at, loose, reading_of
from vision.advice import Advice
from webapp.domain.errors import BrokenRecordError, NotFoundError
from webapp.domain.record import Choices, Earlier, Failure, Record
from webapp.domain.table_photo import NotRead, Purpose, Stage, TablePhoto
from webapp.storage import database as databases
from webapp.storage.database import Database, ReadingRow
from webapp.storage.readings import ReadingStore, TablePhotoStore

READ = replace(reading_of(doubtful=["B2"], window="Firmitas", unclear_prints=["C3"]), seconds=0.1 + 0.2)


@pytest.fixture
def store(database: Database, tmp_path: Path) -> ReadingStore:
    """Return the readings in a database of this test, of either kind."""
    return ReadingStore(database, tmp_path)


@pytest.fixture
def tables(database: Database, tmp_path: Path) -> TablePhotoStore:
    """Return the photos of tables in a database of this test, of either kind."""
    return TablePhotoStore(database, tmp_path)


def add_favor(record: Record) -> Record:
    """Return the record with one favor token more."""
    return replace(
        record, choices=replace(record.choices, favor_tokens=(record.choices.favor_tokens or 0) + 1)
    )


def files_under(folder: Path) -> set[str]:
    """Return what lies in the folder of the readings."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


def test_a_record_comes_back_as_it_was(store: ReadingStore, address: str, tmp_path: Path) -> None:
    """What is stored is what is loaded, by another process too."""
    made = store.create(
        {"photo.jpg": b"x"},
        size=(4, 3),
        board=READ.board,
        choices=Choices((PublicObjective.LIGHT_SHADES,), Color.RED, "教会 \ud800\0", 3),
        checked=("A1",),
        reading=READ,
        failure=Failure("board_cut_off", {"edges": ["top", "left"]}),
        changed={"A1": 1},
        earlier=Earlier(Board.empty(), READ.rotated_180(), turned=True, checked=("A1",)),
    )
    assert ReadingStore(Database(address), tmp_path).load(made.id) == made
    assert store.file(made.id, "photo.jpg") == b"x"


@pytest.mark.parametrize("state", ["null", '{"board": 1, "choices": []}', "", "{", "of a newer version"])
def test_a_damaged_record_is_told_as_such(store: ReadingStore, database: Database, state: str) -> None:
    """A state that cannot be understood is an error of its own, hides no other reading and can be deleted."""
    made, whole = store.create({}), store.create({})
    with database.begin() as session:
        if state.startswith("of"):
            session.get_one(ReadingRow, made.id).schema = 2
        elif state not in {"", "{"} or session.get_bind().dialect.name == "sqlite":  # which checks no JSON
            told = {"s": state, "id": made.id}
            session.execute(text("UPDATE readings SET state = :s WHERE id = :id"), told)
        else:
            return
    with pytest.raises(BrokenRecordError):
        store.load(made.id)
    with pytest.raises(BrokenRecordError):
        store.update(made.id, add_favor)
    assert store.load_known([made.id, whole.id]) == [whole]
    store.delete(made.id)
    for gone in (store.load, store.delete):
        with pytest.raises(NotFoundError):
            gone(made.id)


@pytest.mark.parametrize("wrong", ["", "../../../etc/pass", "A" * 17, "A" * 16, "A" * 15 + "\0"])
def test_ids_of_another_shape_are_no_readings(store: ReadingStore, wrong: str) -> None:
    """Nothing outside the folder of readings is reached through an id, and no reading through a wrong one."""
    for act in (store.load, store.delete, lambda wrong: store.update(wrong, add_favor)):
        with pytest.raises(NotFoundError):
            act(wrong)
    with pytest.raises(NotFoundError):
        store.file(wrong, "photo.jpg")
    assert store.load_known([wrong]) == []


def test_changes_at_the_same_time_are_all_kept(store: ReadingStore) -> None:
    """Eight threads that each add one token a time lose none."""
    made = store.create({})

    def work() -> None:
        for _ in range(5):
            store.update(made.id, add_favor)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    after = store.load(made.id)
    assert after.choices.favor_tokens == 40
    assert after.revision == 41


def test_several_readings_change_together_or_not_at_all(
    store: ReadingStore, database: Database, tmp_path: Path
) -> None:
    """In a transaction of the caller everything holds when it is committed, and nothing when it fails."""
    first, second = store.create({"photo.jpg": b"x"}), store.create({})

    def work(*, fails: bool) -> str:
        with database.begin() as session:
            store.update(first.id, add_favor)
            assert store.update(first.id, add_favor).choices.favor_tokens == 2
            assert store.load(first.id).choices.favor_tokens == 2
            store.delete(second.id)
            made = store.create({"photo.jpg": b"y"})
            with session.begin_nested():
                store.delete(first.id)
            if fails:
                raise ZeroDivisionError
        return made.id

    with pytest.raises(ZeroDivisionError):
        work(fails=True)
    assert store.load_known([first.id, second.id]) == [first, second]
    assert store.file(first.id, "photo.jpg") == b"x"
    store.clean_up(older_than_s=-1)
    assert files_under(tmp_path / "readings") == {first.id, f"{first.id}/photo.jpg"}

    made = work(fails=False)
    assert store.load_known([first.id, second.id]) == []
    assert store.file(made, "photo.jpg") == b"y"
    assert files_under(tmp_path / "readings") == {made, f"{made}/photo.jpg"}


def test_a_reading_seen_before_is_seen_anew_to_be_changed(
    postgres_server: postgres.Server, tmp_path: Path
) -> None:
    """What another process changed since a transaction first looked is not overwritten by it."""
    postgres_server.empty()
    database = Database(postgres_server.address)
    database.upgrade()
    store = ReadingStore(database, tmp_path)
    made = store.create({})
    with database.begin() as session:
        seen = session.get_one(ReadingRow, made.id)  # held, so that the session knows it still
        ReadingStore(Database(postgres_server.address), tmp_path).update(made.id, add_favor)
        assert store.update(made.id, add_favor).choices.favor_tokens == 2
        assert seen.revision == 3
    assert store.load(made.id).revision == 3


def test_what_was_deleted_is_not_left_in_the_file(tmp_path: Path) -> None:
    """SQLite overwrites a deleted reading, in the file and in the log beside it."""
    database = Database.in_folder(tmp_path)
    database.upgrade()
    store = ReadingStore(database, tmp_path)
    made = store.create({}, choices=Choices(window="A name like no other"))
    store.update(made.id, add_favor)

    def told() -> bool:
        return any(b"A name like no other" in path.read_bytes() for path in tmp_path.iterdir())

    assert told()
    store.delete(made.id)
    assert not told()


def test_a_crash_while_making_or_deleting_is_cleaned_up(
    store: ReadingStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Marked files that the database does not know are removed after a day, those of a known reading stay."""
    known = store.create({"photo.jpg": b"x"})
    gone = store.create({"photo.jpg": b"x"})
    with monkeypatch.context() as broken:
        broken.setattr(shutil, "rmtree", lambda _: (_ for _ in ()).throw(OSError("power cut")))
        with pytest.raises(OSError, match="power cut"):
            store.delete(gone.id)
    with monkeypatch.context() as broken:
        broken.setattr(databases, "_put", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            store.create({"photo.jpg": b"x"})
    (tmp_path / "readings" / f"{known.id}.pending").touch()
    before = files_under(tmp_path / "readings")
    assert len([name for name in before if name.endswith(".pending")]) == 3

    store.clean_up()
    assert files_under(tmp_path / "readings") == before
    with monkeypatch.context() as broken:
        broken.setattr(shutil, "rmtree", lambda _: (_ for _ in ()).throw(OSError(5, "worn out")))
        store.clean_up(older_than_s=-1)
    assert "worn out" in caplog.text
    assert gone.id not in caplog.text
    store.clean_up(older_than_s=-1)
    assert files_under(tmp_path / "readings") == {known.id, f"{known.id}/photo.jpg"}


def test_only_photos_of_cards_are_left_behind(store: ReadingStore, tmp_path: Path) -> None:
    """An old photo made for a card goes with its files in either database; a young one and windows stay."""
    card = store.create({"photo.jpg": b"x"}, for_card=True)
    window = store.create({"photo.jpg": b"x"}, changed={'"for_card":true': 1})
    store.clean_up()
    assert store.load(card.id).for_card
    store.clean_up(older_than_s=-2)
    assert store.load_known([card.id, window.id]) == [window]
    assert files_under(tmp_path / "readings") == {window.id, f"{window.id}/photo.jpg"}


def test_photos_outlive_a_database_named_by_mistake(store: ReadingStore, tmp_path: Path) -> None:
    """Folders that another database does not know are left alone, however old."""
    made = store.create({"photo.jpg": b"x"})
    other = Database.in_folder(tmp_path / "other")
    other.upgrade()
    ReadingStore(other, tmp_path).clean_up(older_than_s=-1)
    assert store.file(made.id, "photo.jpg") == b"x"


def test_a_number_that_json_does_not_know_is_refused(store: ReadingStore) -> None:
    """NaN is kept by neither database, so that both hold the same."""
    with pytest.raises(Exception, match="not JSON compliant"):
        store.create({}, reading=replace(READ, seconds=float("nan")))


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
        flipped=True,
    )
    empty = TablePhoto(made.id, made.created, (1, 1))
    same = [one.name for one in fields(made) if getattr(made, one.name) == getattr(empty, one.name)]
    assert same == ["id", "created", "revision"]
    assert TablePhotoStore(Database(address), tmp_path).load(made.id) == made
    assert tables.file(made.id, "photo.jpg") == b"x"
    with pytest.raises(NotFoundError):
        ReadingStore(tables._database, tmp_path).load(made.id)  # it is no reading


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
    store = ReadingStore(tables._database, tmp_path)
    window = store.create({"photo.jpg": tables.same_file(photo.id, "photo.jpg")}, part_of=photo.id)
    shared = (tmp_path / "tables" / photo.id / "photo.jpg").stat().st_nlink
    assert shared == (2 if can_link else 1)
    tables.delete(photo.id)
    assert store.file(window.id, "photo.jpg") == b"x"
    assert list((tmp_path / "tables").iterdir()) == []


def test_a_database_from_before_keeps_its_readings(address: str, tmp_path: Path) -> None:
    """The step that brings photos of tables leaves readings as they are, which were in none."""
    database = Database(address)
    with database.schema_change() as connection:
        config = Config()
        config.set_main_option("script_location", str(databases.MIGRATIONS))
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
        assert "table_photos" not in inspect(connection).get_table_names()
    store = ReadingStore(database, tmp_path)
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
