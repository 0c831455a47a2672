"""Where the files of photos lie: a folder and storage elsewhere keep the same promises."""

from __future__ import annotations

import os
from io import BytesIO
from pathlib import Path
from typing import Any

import fsspec
import pytest
from fsspec.implementations.memory import MemoryFileSystem

from tests.webapp.conftest import SayingReader, SayingTable, plain_photo, read_table, upload
from tests.webapp.quick import furnished
from webapp import create_app
from webapp.services.errors import StoreError
from webapp.storage.photo_files import SHOWN, UPRIGHT, At, PhotoFiles, files_for

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
    (files.beside(PLACE) / "lesson.json").write_text("{}")
    files.write(OTHER, {name: At(PLACE, name) for name in files.names(PLACE)})
    files.add(PLACE, {"sent": b"c"})
    assert files.holding("readings", "sent") == ["abcdefghijklmnop"]
    files.discard(PLACE, "sent")
    files.discard(PLACE, "sent")
    assert sorted(files.names(PLACE)) == sorted(files.names(OTHER)) == ["lesson.json", SHOWN, UPRIGHT]
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


def test_photos_elsewhere_leave_no_photo_in_the_data_folder(tmp_path: Path) -> None:
    """With SAGRADA_PHOTOS the page shows what the storage has, and deleting removes it there."""
    address = f"memory://{tmp_path.name}"
    settings = {"TESTING": True, "SAGRADA_DATA": furnished(tmp_path), "SAGRADA_PHOTOS": address}
    client = create_app(settings, reader=SayingReader(), table_reader=SayingTable()).test_client()
    window, table = upload(client, plain_photo()), read_table(client)
    for made in (window, table):
        assert client.get(made["links"]["photo"]).status_code == 200
    assert list(tmp_path.rglob("*.jpg")) == []
    assert "Photos stay on the computer" not in client.get("/").get_data(as_text=True)
    kept: MemoryFileSystem = fsspec.filesystem("memory")
    assert [path for path in kept.find(tmp_path.name) if window["id"] in path]
    assert client.delete(window["links"]["self"]).status_code == 204
    assert [path for path in kept.find(tmp_path.name) if window["id"] in path] == []


def test_storage_that_does_not_answer_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever its library raises: 503 with a sentence, nothing is made, and later all goes on."""
    settings = {
        "TESTING": True,
        "SAGRADA_DATA": furnished(tmp_path),
        "SAGRADA_PHOTOS": f"memory://{tmp_path.name}",
    }
    client = create_app(settings, reader=SayingReader(), table_reader=SayingTable()).test_client()
    window = upload(client, plain_photo())

    def away(*_: Any, **__: Any) -> None:  # noqa: ANN401
        raise ConnectionError("no route")

    with monkeypatch.context() as patched:
        patched.setattr(MemoryFileSystem, "cat_file", away)
        patched.setattr(MemoryFileSystem, "pipe_file", away)
        shown = client.get(window["links"]["photo"])
        assert (shown.status_code, int(shown.headers["Retry-After"]) > 0) == (503, True)
        refused = client.post("/api/v1/readings", data={"photo": (BytesIO(plain_photo()), "a.jpg")})
        assert (refused.status_code, refused.get_json()["error"]["code"]) == (503, "photos_away")
    assert client.get(window["links"]["photo"]).status_code == 200
    assert upload(client, plain_photo())["failure"] is None


@pytest.mark.parametrize("address", ["nothing://house", "hdfs://house"])
def test_storage_that_cannot_be_used_is_told_at_the_start(tmp_path: Path, address: str) -> None:
    """A wrong address, or a package that is missing, ends the start with what to install."""
    with pytest.raises(StoreError) as refused:
        files_for(tmp_path, address)
    assert "sagrada-companion[s3]" in str(refused.value)
