"""Files: whole or not at all, locked, and photos in a folder or in storage elsewhere."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from io import BytesIO
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import fsspec
import pytest
from flask.testing import FlaskClient
from fsspec.implementations.memory import MemoryFileSystem

from tests.webapp.conftest import SayingReader, SayingTable, plain_photo, read_table, upload
from tests.webapp.quick import furnished
from webapp import create_app
from webapp.domain.errors import StoreError
from webapp.storage.files import (
    SHOWN,
    UPRIGHT,
    At,
    PhotoFiles,
    default_folder,
    files_for,
    locked,
    write_whole,
)

STORAGE = os.environ.get("SAGRADA_TEST_STORAGE", "memory://")
"""Another one is tried by ``benchmarks/s3.sh``."""
PLACE, OTHER = "readings/abcdefghijklmnop", "readings/bcdefghijklmnopq"


@pytest.fixture(params=["folder", "storage"])
def files(request: pytest.FixtureRequest, tmp_path: Path) -> PhotoFiles:
    """Return either kind, empty."""
    return files_for(tmp_path, f"{STORAGE}{tmp_path.name}" if request.param == "storage" else None)


def test_what_was_written_is_there_until_it_is_removed(files: PhotoFiles) -> None:
    """Files are read, added, given away and removed; a place that is gone takes nothing more."""
    files.write(PLACE, {UPRIGHT: b"a", SHOWN: b"b"})
    files.write(OTHER, {name: At(PLACE, name) for name in files.names(PLACE)})
    files.add(PLACE, {"sent": b"c"})
    assert files.holding("readings", "sent") == ["abcdefghijklmnop"]
    files.discard(PLACE, "sent")
    files.discard(PLACE, "sent")
    assert sorted(files.names(PLACE)) == sorted(files.names(OTHER)) == [SHOWN, UPRIGHT]
    files.remove(PLACE)
    assert (files.names(PLACE), files.has(PLACE, SHOWN)) == ([], False)
    assert files.read(OTHER, SHOWN) == b"b"
    with pytest.raises(FileNotFoundError):
        files.read(PLACE, SHOWN)
    with pytest.raises(FileNotFoundError):
        files.add(PLACE, {"sent": b"c"})


def test_a_place_carries_its_mark_until_it_is_settled(files: PhotoFiles) -> None:
    """What is made or removed is marked; the age of the mark counts."""
    files.write(PLACE, {SHOWN: b"b"})
    assert list(files.marked("readings", 0)) == ["abcdefghijklmnop"]
    assert list(files.marked("readings", 3600)) == []
    files.settle(PLACE)
    assert list(files.marked("readings", 0)) == []
    files.mark(PLACE)
    assert list(files.marked("readings", 0)) == ["abcdefghijklmnop"]
    files.remove(PLACE)
    assert list(files.marked("readings", 0)) == []


def test_a_place_of_which_a_part_cannot_be_written_is_not_there(files: PhotoFiles) -> None:
    """Where a file that is to be given away is gone, nothing of the new place stays."""
    with pytest.raises(FileNotFoundError):
        files.write(PLACE, {SHOWN: b"b", UPRIGHT: At(OTHER, UPRIGHT)})
    assert (files.names(PLACE), list(files.marked("readings", 0))) == ([], [])


@pytest.fixture
def elsewhere(tmp_path: Path) -> FlaskClient:
    """Return a browser of an application that keeps its photos in storage elsewhere."""
    address = f"memory://{tmp_path.name}"
    settings = {"TESTING": True, "SAGRADA_DATA": furnished(tmp_path), "SAGRADA_PHOTOS": address}
    return create_app(settings, reader=SayingReader(), table_reader=SayingTable()).test_client()


def test_photos_elsewhere_leave_no_photo_in_the_data_folder(tmp_path: Path, elsewhere: FlaskClient) -> None:
    """With SAGRADA_PHOTOS the page shows what the storage has, and deleting removes it there."""
    client = elsewhere
    window, table = upload(client, plain_photo()), read_table(client)
    for made in (window, table):
        assert client.get(made["links"]["photo"]).status_code == 200
    assert list(tmp_path.rglob("*.jpg")) == []
    assert "Photos stay on the computer" not in client.get("/").get_data(as_text=True)
    kept: MemoryFileSystem = fsspec.filesystem("memory")
    assert [path for path in kept.find(tmp_path.name) if window["id"] in path]
    assert client.post(window["links"]["self"] + "/delete", json={}).status_code == 204
    assert [path for path in kept.find(tmp_path.name) if window["id"] in path] == []


def test_storage_that_does_not_answer_is_told(
    elsewhere: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever its library raises: 503 with a sentence, nothing is made, and later all goes on."""
    client = elsewhere
    window = upload(client, plain_photo())

    def away(*_: Any, **__: Any) -> None:  # noqa: ANN401
        raise ConnectionError("no route")

    with monkeypatch.context() as patched:
        patched.setattr(MemoryFileSystem, "cat_file", away)
        patched.setattr(MemoryFileSystem, "pipe_file", away)
        shown = client.get(window["links"]["photo"])
        assert (shown.status_code, int(shown.headers["Retry-After"]) > 0) == (503, True)
        refused = client.post("/readings.json", data={"photo": (BytesIO(plain_photo()), "a.jpg")})
        assert (refused.status_code, refused.get_json()["error"]["code"]) == (503, "photos_away")
    assert client.get(window["links"]["photo"]).status_code == 200
    assert upload(client, plain_photo())["failure"] is None


@pytest.mark.parametrize("address", ["nothing://photos", "hdfs://photos"])
def test_storage_that_cannot_be_used_is_told_at_the_start(tmp_path: Path, address: str) -> None:
    """A wrong address, or a package that is missing, ends the start with what to install."""
    with pytest.raises(StoreError) as refused:
        files_for(tmp_path, address)
    assert "sagrada-companion[s3]" in str(refused.value)


def test_a_crash_while_writing_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file is replaced whole or not at all, and no half file stays behind."""
    path = tmp_path / "photo.jpg"
    write_whole(path, b"old")

    def power_cut(_: int) -> None:
        raise OSError("power cut")

    monkeypatch.setattr(os, "fsync", power_cut)
    with pytest.raises(OSError, match="power cut"):
        write_whole(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_the_folder_can_be_named_in_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """SAGRADA_DATA wins; then comes the user's own data folder, which a user without a home can name too."""
    monkeypatch.setenv("SAGRADA_DATA", str(tmp_path))
    assert default_folder() == tmp_path
    monkeypatch.setattr(Path, "home", Mock(side_effect=RuntimeError("Could not determine home directory.")))
    for name in ("SAGRADA_DATA", "XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    assert default_folder().is_absolute()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "share"))
    assert default_folder() == tmp_path / "share" / "sagrada-companion"


def test_a_lock_lets_one_in_at_a_time(tmp_path: Path) -> None:
    """Threads that read, wait and write under the lock lose no count."""
    counter = tmp_path / "counter"
    counter.write_text("0")

    def count() -> None:
        for _ in range(20):
            with locked(tmp_path / "lock"):
                counter.write_text(str(int(counter.read_text()) + 1))

    threads = [threading.Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counter.read_text() == "80"


def test_waiting_for_a_lock_ends(tmp_path: Path) -> None:
    """Who gets no lock is told so instead of waiting for ever, and a free lock is taken at once."""
    path = tmp_path / "lock"
    with locked(path), pytest.raises(TimeoutError, match="in use"), locked(path, patience_s=0.05):
        pass
    with locked(path, patience_s=0.0):
        assert path.exists()


def test_a_killed_program_leaves_no_lock(tmp_path: Path, project_root: Path) -> None:
    """The lock goes with the program that held it; the file that stays is only a name."""
    path = tmp_path / "lock"
    script = (
        "import os, sys, pathlib; from webapp.storage.files import locked\n"
        "with locked(pathlib.Path(sys.argv[1])): os._exit(9)"
    )
    done = subprocess.run([sys.executable, "-c", script, str(path)], cwd=project_root, check=False)
    assert done.returncode == 9
    assert path.exists()
    with locked(path, patience_s=0.0):
        pass
