"""Two servers behind one address, with one database and one data folder: nobody notices which one answers."""

from __future__ import annotations

import os
from collections.abc import Iterator
from io import BytesIO
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.webapp.conftest import (
    RULEBOOK,
    SayingReader,
    SayingTable,
    as_administrator,
    plain_photo,
    read_table,
    upload,
)
from tests.webapp.games.conftest import THREE, Device
from webapp import create_app
from webapp.storage.files import SENT, files_for

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

STORAGE = os.environ.get("SAGRADA_TEST_STORAGE", "memory://")
"""Another one is tried by ``benchmarks/s3.sh``."""


class InTurn(Flask):
    """Passes requests on to one server after the other, as a proxy does."""

    servers: Iterator[Flask]

    def wsgi_app(self, environ: WSGIEnvironment, start_response: StartResponse) -> Any:  # noqa: ANN401
        """Let the next server answer."""
        return next(self.servers).wsgi_app(environ, start_response)


@pytest.fixture
def servers(tmp_path: Path, address: str) -> list[Flask]:
    """Return two servers with SQLite and photos in a folder, or with PostgreSQL and photos in storage."""
    settings = {"TESTING": True, "SAGRADA_DATA": tmp_path, "SAGRADA_DATABASE_URL": address}
    if address.startswith("postgresql"):
        settings["SAGRADA_PHOTOS"] = f"{STORAGE}{tmp_path.name}"
    return [create_app(settings, reader=SayingReader(), table_reader=SayingTable()) for _ in range(2)]


@pytest.fixture
def front(servers: list[Flask]) -> Flask:
    """Return what people reach."""
    made = InTurn(__name__)
    made.config["SAGRADA_DATA"] = servers[0].config["SAGRADA_DATA"]
    made.servers = cycle(servers)
    return made


@pytest.fixture
def client(front: Flask) -> FlaskClient:
    """Return a browser whose requests go to one server after the other."""
    return front.test_client()


def test_an_evening_is_one_evening(front: Flask) -> None:
    """A game is started, joined, played, revealed and remembered, wherever each request goes."""
    host, guest = Device(front.test_client()), Device(front.test_client())
    host.start()
    guest.join(host.code, "Ben")
    assert host.cards(public=THREE).status_code == 200
    for who, private in ((host, "P"), (guest, "Y")):
        assert who.photo().status_code == 201
        who.put(RULEBOOK)
        assert who.player(private=private, favor_tokens=1, ready=True).status_code == 200
    assert host.reveal().status_code == 200
    assert host.state() == host.state() | {"stage": "revealed"}
    ended = host.client.get("/history.json").get_json()
    assert ended == host.client.get("/history.json").get_json()
    assert host.code in str(ended)


def test_a_photo_that_is_sent_again_is_stored_once(client: FlaskClient) -> None:
    """The answer of one server was lost, and the phone sends the photo to the other one."""
    made = [
        client.post("/readings.json", data={"photo": (BytesIO(plain_photo()), "a.jpg"), "photo_id": "a" * 16})
        for _ in range(2)
    ]
    assert [one.status_code for one in made] == [201, 201]
    assert {one.get_json()["id"] for one in made} == {"a" * 16}


def test_changes_do_not_run_over_each_other(client: FlaskClient) -> None:
    """A change to what another server has changed meanwhile is refused, and the newest is answered."""
    state = upload(client, plain_photo())
    first, second = ({"revision": state["revision"], "cells": {"A1": die}} for die in ("R1", "G2"))
    assert client.post(state["links"]["self"], json=first).status_code == 200
    assert client.post(state["links"]["self"], json=second).status_code == 409
    seen = [client.get(state["links"]["self"] + ".json").get_json()["board"] for _ in range(2)]
    assert seen[0] == seen[1]
    assert seen[0].startswith("R1")


def test_what_is_stored_is_the_same_everywhere(client: FlaskClient) -> None:
    """Windows of one's own, a photo of the table and the administrator's PIN are known to both at once."""
    window = {"name": "Ours", "pattern": "R.... / ..... / ..... / ....6"}
    assert client.post("/windows/new", json=window).status_code == 201
    table = read_table(client)
    as_administrator(client)
    for _ in range(2):
        assert client.get("/windows/own/Ours").status_code == 200
        assert client.get(table["links"]["photo"]).status_code == 200
        assert client.get("/administration.json").status_code == 200
    assert client.post("/windows/own/Ours", json={"delete": True, "sure": True}).status_code == 200
    assert [client.get("/windows/own/Ours").status_code for _ in range(2)] == [404, 404]


def test_a_server_that_starts_leaves_the_photos_of_others_alone(servers: list[Flask], tmp_path: Path) -> None:
    """The file of a photo that another server is just taking in stays, though no row knows it yet."""
    files, place = files_for(tmp_path, servers[0].config.get("SAGRADA_PHOTOS")), "readings/abcdefghijklmnop"
    files.write(place, {SENT: b"photo"})
    create_app(dict(servers[0].config), reader=SayingReader(), table_reader=SayingTable())
    assert files.read(place, SENT) == b"photo"
