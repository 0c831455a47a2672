"""Photos that arrive in pieces."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.webapp.described import actions, sent_to
from webapp import create_app
from webapp.web import uploads
from webapp.web.uploads import MOST_AT_ONCE, PIECE_BYTES

UPLOADS = "/api/v1/uploads"
BYTES = "application/offset+octet-stream"


def begun(client: FlaskClient, size: int) -> dict[str, Any]:
    """Begin to send a photo and return what is answered."""
    answer = client.post(UPLOADS, json={"size": size})
    assert answer.status_code == 201
    upload: dict[str, Any] = answer.get_json()
    assert answer.location == upload["links"]["self"]
    return upload


def patch(
    client: FlaskClient, upload: dict[str, Any], offset: object, piece: bytes, kind: str = BYTES
) -> Any:  # noqa: ANN401
    """Send a piece and return the answer."""
    headers = {"Upload-Offset": str(offset)}
    return client.patch(upload["links"]["self"], data=piece, headers=headers, content_type=kind)


def brought(client: FlaskClient, photo: bytes) -> str:
    """Send a photo in two pieces and return its id."""
    upload, half = begun(client, len(photo)), len(photo) // 2
    assert patch(client, upload, 0, photo[:half]).get_json()["received"] == half
    assert patch(client, upload, half, photo[half:]).get_json()["received"] == len(photo)
    upload_id: str = upload["id"]
    return upload_id


def folder(app: Flask) -> Path:
    """Return where the pieces are kept."""
    return Path(app.config["SAGRADA_DATA"]) / "uploads"


def kept(app: Flask) -> list[Path]:
    """Return the files of all photos on their way."""
    return [path for path in folder(app).iterdir() if path.name != ".lock"]


def test_a_photo_in_pieces_is_read_and_then_deleted(app: Flask, client: FlaskClient, photo: bytes) -> None:
    """A form takes the id of what came in pieces in the place of the photo; afterwards it is not there."""
    upload = brought(client, photo)
    assert [path.read_bytes() for path in kept(app)] == [photo]
    answer = client.post("/api/v1/readings", data={"upload": upload})
    assert answer.status_code == 201
    assert kept(app) == []
    again = client.post("/api/v1/readings", data={"upload": upload})
    assert (again.status_code, again.get_json()["error"]["code"]) == (404, "upload_missing")


def test_every_place_for_a_photo_takes_one_in_pieces(client: FlaskClient, photo: bytes) -> None:
    """The plain form of the page takes it too, and so does a seat."""
    assert client.post("/readings", data={"upload": brought(client, photo)}).status_code == 303
    code = client.post("/api/v1/games", json={"name": "Ann"}).get_json()["code"]
    address = f"/api/v1/games/{code}/players/1/photo"
    assert client.post(address, data={"upload": brought(client, photo)}).status_code == 201


def test_nobody_else_can_read_the_files(app: Flask, client: FlaskClient, photo: bytes) -> None:
    """Folder and file are the user's own, and the interface gives no bytes back."""
    upload = begun(client, len(photo))
    patch(client, upload, 0, photo[:100])
    (path,) = kept(app)
    assert (folder(app).stat().st_mode & 0o777, path.stat().st_mode & 0o777) == (0o700, 0o600)
    assert client.get(upload["links"]["self"]).get_json() == {**upload, "received": 100}


@pytest.mark.parametrize("offset", [0, 99, 101, 5000])
def test_a_piece_at_another_place_is_refused_with_the_right_one(
    app: Flask, client: FlaskClient, offset: int
) -> None:
    """A piece that was sent twice or too early changes nothing, and the answer says where to go on."""
    upload = begun(client, 1000)
    patch(client, upload, 0, bytes(100))
    answer = patch(client, upload, offset, bytes(100))
    assert answer.status_code == 409
    assert answer.get_json()["error"]["data"] == {"received": 100, "size": 1000}
    assert kept(app)[0].stat().st_size == 100


def test_no_more_comes_than_was_said(app: Flask, client: FlaskClient) -> None:
    """A piece that goes beyond the size of the photo is refused as a whole."""
    upload = begun(client, 10)
    assert patch(client, upload, 0, bytes(11)).status_code == 409
    assert kept(app)[0].stat().st_size == 0


@pytest.mark.parametrize(
    ("offset", "length", "kind", "status"),
    [
        ("", 10, BYTES, 400),
        ("-1", 10, BYTES, 400),
        ("x", 10, BYTES, 400),
        ("9" * 5000, 10, BYTES, 400),
        (0, PIECE_BYTES + 1, BYTES, 413),
        (0, 10, "application/json", 415),
        (0, PIECE_BYTES, BYTES, 200),
    ],
)
def test_a_piece_has_its_form(
    client: FlaskClient, offset: object, length: int, kind: str, status: int
) -> None:
    """A piece says where it goes and what it is, and has 512 KB at most."""
    upload = begun(client, 2 * PIECE_BYTES)
    assert patch(client, upload, offset, bytes(length), kind).status_code == status


def test_a_photo_of_which_a_part_is_missing_is_not_read(client: FlaskClient, photo: bytes) -> None:
    """The form is told how much is there, and what is there stays."""
    upload = begun(client, len(photo))
    patch(client, upload, 0, photo[:100])
    answer = client.post("/api/v1/readings", data={"upload": upload["id"]})
    assert (answer.status_code, answer.get_json()["error"]["data"]["received"]) == (409, 100)
    assert client.get(upload["links"]["self"]).get_json()["received"] == 100


@pytest.mark.parametrize("name", ["A" * 16 + ".10", "..%2Fsagrada.db", ".lock", "A" * 16, "A" * 16 + ".0"])
def test_what_is_not_on_its_way_is_not_found(client: FlaskClient, name: str) -> None:
    """An id that nobody was given, or of another shape, leads nowhere."""
    begun(client, 10)
    assert client.get(f"{UPLOADS}/{name}").status_code == 404
    assert patch(client, {"links": {"self": f"{UPLOADS}/{name}"}}, 0, b"x").status_code == 404
    assert client.post("/api/v1/readings", data={"upload": name.replace("%2F", "/")}).status_code == 404


def test_the_size_of_a_photo_has_the_bound_of_every_form(tmp_path: Path) -> None:
    """What would be refused in one request is refused before its first piece."""
    client = create_app({"TESTING": True, "SAGRADA_DATA": tmp_path, "MAX_CONTENT_LENGTH": 5000}).test_client()
    assert client.post(UPLOADS, json={"size": 5000}).status_code == 201
    answer = client.post(UPLOADS, json={"size": 5001})
    assert (answer.status_code, answer.get_json()["error"]["code"]) == (413, "upload_too_large")


def let_lie(app: Flask, upload_id: str, seconds: float) -> None:
    """Let a photo on its way lie there as if nothing had come for some seconds."""
    then = time.time() - seconds
    os.utime(folder(app) / upload_id, (then, then))


def test_only_so_many_are_on_their_way(app: Flask, client: FlaskClient, photo: bytes) -> None:
    """When one more begins than there is room for, the unfinished one goes of which nothing came longest."""
    whole = brought(client, photo)
    let_lie(app, whole, 5000)
    ids = [begun(client, 10)["id"] for _ in range(MOST_AT_ONCE - 1)]
    for number, upload_id in enumerate(ids):
        let_lie(app, upload_id, 1000 - number)
    newest = begun(client, 10)["id"]
    assert {path.name for path in kept(app)} == {whole, *ids[1:], newest}


def test_only_so_many_bytes_are_promised(tmp_path: Path) -> None:
    """Four photos of the largest size find room; a fifth one takes that of the first."""
    app = create_app({"TESTING": True, "SAGRADA_DATA": tmp_path, "MAX_CONTENT_LENGTH": 5000})
    client = app.test_client()
    ids = [begun(client, 5000)["id"] for _ in range(4)]
    for number, upload_id in enumerate(ids):
        let_lie(app, upload_id, 1000 - number)
    newest = begun(client, 5000)["id"]
    assert {path.name for path in kept(app)} == {*ids[1:], newest}


def test_what_nobody_takes_goes_after_a_day(app: Flask, client: FlaskClient) -> None:
    """The next one that begins, and the next start, remove what has lain there for a day."""
    old, young = begun(client, 10)["id"], begun(client, 10)["id"]
    let_lie(app, old, uploads.DAY_S + 60)
    let_lie(app, young, uploads.DAY_S - 60)
    newest = begun(client, 10)["id"]
    assert {path.name for path in kept(app)} == {young, newest}
    let_lie(app, young, uploads.DAY_S + 60)
    create_app({"TESTING": True, "SAGRADA_DATA": app.config["SAGRADA_DATA"]})
    assert {path.name for path in kept(app)} == {newest}


def test_a_start_without_photos_on_their_way_makes_no_folder(app: Flask) -> None:
    """Whoever never sends in pieces has no folder for them."""
    assert not folder(app).exists()


def test_the_page_sends_pieces_as_large_as_the_server_takes(project_root: Path) -> None:
    """The script and the server mean the same by a piece, and the description says it."""
    script = (project_root / "webapp" / "static" / "pieces.js").read_text(encoding="utf-8")
    assert f"const PIECE_BYTES = {PIECE_BYTES // 1024} * 1024;" in script
    (action,) = [one for one in actions() if one.name == "continueUpload"]
    assert str(PIECE_BYTES) in action.about
    assert sent_to(action) == {}
