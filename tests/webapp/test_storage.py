from __future__ import annotations

import json
import os
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from webapp import storage
from webapp.disk import default_folder, write_whole
from webapp.errors import BrokenRecordError, NotFoundError
from webapp.storage import Choices, Record, Store


def test_a_record_comes_back_as_it_was(tmp_path: Path) -> None:
    """What is stored is what is loaded, by another process too."""
    choices = Choices(("Light Shades",), "R", "Firmitas", 3)
    made = Store(tmp_path).create({"photo.jpg": b"x"}, size=(4, 3), choices=choices, checked=("A1",))
    assert Store(tmp_path).load(made.id) == made


def test_a_crash_while_writing_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file is replaced whole or not at all, and no half file stays behind."""
    path = tmp_path / "record.json"
    write_whole(path, b"old")

    def power_cut(_: int) -> None:
        raise OSError("power cut")

    monkeypatch.setattr(os, "fsync", power_cut)
    with pytest.raises(OSError, match="power cut"):
        write_whole(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_old_schemas_are_brought_up_to_date(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A record of an older schema goes through every migration in between."""
    store = Store(tmp_path)
    made = store.create({})
    path = store.folder(made.id) / "record.json"
    data = {**json.loads(path.read_text()), "schema": -1, "dice": made.board}
    del data["board"]
    path.write_text(json.dumps(data))
    monkeypatch.setitem(storage.MIGRATIONS, -1, lambda old: {**old, "halfway": True})

    def rename(old: dict[str, object]) -> dict[str, object]:
        assert old.pop("halfway")
        old["board"] = old.pop("dice")
        return old

    monkeypatch.setitem(storage.MIGRATIONS, 0, rename)
    assert store.load(made.id) == made


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"schema": 99}', '{"schema": 1}', "null"])
def test_a_damaged_record_is_told_as_such(tmp_path: Path, text: str) -> None:
    """A file that cannot be understood is an error of its own and not a crash."""
    store = Store(tmp_path)
    made = store.create({})
    (store.folder(made.id) / "record.json").write_text(text)
    with pytest.raises(BrokenRecordError):
        store.load(made.id)
    assert store.load_known([made.id]) == []


@pytest.mark.parametrize(
    "wrong", ["", "..", "../../../etc/pass", "A" * 15, "A" * 17, "A" * 15 + "/", "A" * 16]
)
def test_ids_of_another_shape_are_no_paths(tmp_path: Path, wrong: str) -> None:
    """Nothing outside the folder of readings can be reached through an id."""
    with pytest.raises(NotFoundError):
        Store(tmp_path).load(wrong)


def test_changes_at_the_same_time_are_all_kept(tmp_path: Path) -> None:
    """Eight threads that each add one token a time lose none."""
    store = Store(tmp_path)
    made = store.create({})

    def add(record: Record) -> Record:
        return replace(record, choices=replace(record.choices, favor=record.choices.favor + 1))

    def work() -> None:
        for _ in range(5):
            store.update(made.id, add)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    after = store.load(made.id)
    assert after.choices.favor == 40
    assert after.revision == 41


def test_a_change_of_nothing_makes_no_revision(tmp_path: Path) -> None:
    """Only what changes something counts as a revision."""
    store = Store(tmp_path)
    made = store.create({})
    assert store.update(made.id, lambda record: record) == made


def test_the_folder_can_be_named_in_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """SAGRADA_DATA wins; without it the user's own data folder is taken."""
    monkeypatch.setenv("SAGRADA_DATA", str(tmp_path))
    assert default_folder() == tmp_path
    monkeypatch.delenv("SAGRADA_DATA")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "share"))
    assert default_folder() == tmp_path / "share" / "sagrada-companion"
