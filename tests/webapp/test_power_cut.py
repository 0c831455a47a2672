"""The power is cut at every moment of an evening: what was answered is there, and the program goes on."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from tests.profiles import sample_of
from tests.webapp.conftest import SayingReader, SayingTable, as_administrator, plain_photo, read_table, upload
from tests.webapp.power import Disk, write
from tests.webapp.quick import furnished
from webapp import create_app
from webapp.services import context
from webapp.storage.database import FILE_NAME
from webapp.storage.files import write_whole
from webapp.storage.profiles import ProfileStore

NAME = "Our window"
WINDOW = {"name": NAME, "pattern": "R.... / .1... / ..... / ....6", "difficulty": 4}


def opened(folder: Path) -> FlaskClient:
    """Start the program on a folder."""
    settings = {"TESTING": True, "SAGRADA_DATA": furnished(folder)}
    made = create_app(settings, reader=SayingReader(), table_reader=SayingTable())
    return as_administrator(made.test_client())


def answers(address: str, client: FlaskClient, *, status: int = 200) -> None:
    """Hold that an address is answered, or that nothing is there."""
    assert client.get(address).status_code == status, address


def is_kept(name: str, client: FlaskClient, *, kept: bool = True) -> None:
    """Hold that a window of one's own is there, or not."""
    names = [one["name"] for one in client.get("/windows.json").get_json()["windows"]]
    assert (name in names) is kept


def keeps_for(days: int | None, client: FlaskClient) -> None:
    """Hold for how long the program keeps what belongs to no game."""
    assert client.get("/administration.json").get_json()["keep_days"] == days


def evening(client: FlaskClient, disk: Disk) -> None:
    """Do what is done with files in an evening, and note after each answer what is true from then on."""
    data = Path(client.application.config["SAGRADA_DATA"])
    window = upload(client, plain_photo())
    photo, page = f"/w/{window['id']}/photo.jpg", f"/w/{window['id']}.json"
    disk.true |= {"photo": partial(answers, photo), "page": partial(answers, page)}
    table = read_table(client)
    disk.true["table"] = partial(answers, "/t/" + table["id"] + "/photo.jpg")
    assert client.post("/windows/new", json=WINDOW).status_code == 201
    disk.true["window"] = partial(is_kept, NAME)
    assert client.post("/administration/keep", json={"days": 30}).status_code == 204
    disk.true["days"] = partial(keeps_for, 30)
    del disk.true["days"]
    assert client.post("/administration/keep", json={"days": None}).status_code == 204
    disk.true["days"] = partial(keeps_for, None)
    as_administrator(client)  # on one more device
    ProfileStore(data / "profiles").teach("Kitchen", sample_of(), keep=True)
    disk.true["dice"] = partial(answers, "/dice/of/kitchen/file.json")
    del disk.true["window"]
    assert client.post(f"/windows/own/{NAME}", json={"delete": True, "sure": True}).status_code == 200
    disk.true["window"] = partial(is_kept, NAME, kept=False)
    del disk.true["photo"], disk.true["page"]
    assert client.post(f"/w/{window['id']}/delete", json={}).status_code == 204
    disk.true["gone"] = partial(answers, page, status=404)


def whole(client: FlaskClient) -> None:
    """Hold what is always true: pages come, files are read without a complaint, each window has its photo."""
    for address in ("/administration.json", "/windows.json", "/windows"):
        answers(address, client)
    with client.application.app_context():
        assert [one.error for one in context.profile_store().all() if one.error] == []
    with closing(sqlite3.connect(client.application.config["SAGRADA_DATA"] / FILE_NAME)) as database:
        for (window,) in database.execute("SELECT id FROM readings").fetchall():
            answers(f"/w/{window}/photo.jpg", client)


def written_over(path: Path, content: bytes) -> None:
    """Write a file as one should not."""
    path.write_bytes(content)


def renamed_only(path: Path, content: bytes) -> None:
    """Write a file under another name and rename it, but bring nothing to the disk."""
    path.with_suffix(".new").write_bytes(content)
    path.with_suffix(".new").replace(path)


@pytest.mark.parametrize(
    ("how", "is_safe"), [(write_whole, True), (written_over, False), (renamed_only, False)]
)
def test_what_is_lost_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: Callable[[Path, bytes], None], is_safe: bool
) -> None:
    """A file that is not brought to the disk may be half there after a cut, or the old one again."""
    (tmp_path / "a").write_bytes(b"old")
    disk = Disk(tmp_path)
    with disk.watched(monkeypatch):
        how(tmp_path / "a", b"another")
        disk.true["a"] = is_safe_now
    seen = {(state.get(Path("a")), bool(true)) for state, true in disk.cuts}
    wanted = {(b"old", False), (b"another", False), (b"another", True)}
    assert (seen <= wanted) is is_safe
    assert (b"old", True) in seen or is_safe


def is_safe_now(_: object) -> None:
    """Stand for what is true once a file was written."""


@pytest.mark.thorough
@pytest.mark.usefixtures("learner")
def test_nothing_that_was_answered_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whenever the power goes and whatever of the unsynced is left: the program knows what it said."""
    client = opened(tmp_path / "here")
    disk = Disk(tmp_path / "here")
    with disk.watched(monkeypatch):
        evening(client, disk)
    assert len(disk.cuts) > 100
    for number, (state, true) in enumerate(disk.cuts):
        place = tmp_path / str(number)
        write(state, place)
        after = opened(place)
        whole(after)
        for holds in true.values():
            holds(after)
        shutil.rmtree(place)
