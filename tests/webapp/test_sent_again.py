"""A photo that arrives twice, because the answer to the first was lost, is stored once."""

from __future__ import annotations

from io import BytesIO

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.webapp.conftest import plain_photo
from tests.webapp.games.conftest import Device
from webapp.services import context
from webapp.storage.database import Repository

ID = "Aa0-_Aa0-_Aa0-_A"


def send(client: FlaskClient, address: str, photo_id: str = ID) -> dict[str, object]:
    """Send a photo as the page does."""
    answer = client.post(address, data={"photo": (BytesIO(plain_photo()), "a.jpg"), "photo_id": photo_id})
    assert answer.status_code in {200, 201}
    told: dict[str, object] = answer.get_json()
    return told


@pytest.mark.parametrize("address", ["/readings.json", "/t.json"])
def test_a_photo_is_stored_once(client: FlaskClient, address: str) -> None:
    """The second answer is about the same thing, under the id that the browser chose."""
    assert [send(client, address)["id"] for _ in range(2)] == [ID, ID]
    assert send(client, address, "b" * 16)["id"] == "b" * 16


def test_the_photo_of_a_seat_is_stored_once(app: Flask) -> None:
    """The window of a seat stays the same one, with what its player changed meanwhile."""
    host = Device(app.test_client())
    host.start()
    address = f"/g/{host.code}/seats/1/photo.json"
    first = send(host.client, address)
    revision = host.client.get(f"/w/{ID}.json").get_json()["revision"]
    correction = {"revision": revision, "cells": {"A1": "R5"}}
    assert host.client.post(f"/w/{ID}", json=correction).status_code == 200
    assert send(host.client, address)["id"] == first["id"]
    assert host.own()["reading"] == ID
    assert host.client.get(f"/w/{ID}.json").get_json()["board"].startswith("R5")


def test_an_id_of_another_shape_is_not_used(client: FlaskClient) -> None:
    """An id is part of a path: whatever is none is as good as missing."""
    assert send(client, "/readings.json", "../../../../etc/")["id"] != ID


def test_while_the_first_one_is_stored_the_second_waits(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two requests with one photo at the same moment: one of them stores it, the other comes again."""
    send(client, "/readings.json")
    monkeypatch.setattr(Repository, "load_known", lambda *_args, **_named: [])  # as it was a moment ago
    photo = {"photo": (BytesIO(plain_photo()), "a.jpg"), "photo_id": ID}
    answer = client.post("/readings.json", data=photo)
    assert (answer.status_code, answer.get_json()["error"]["code"]) == (503, "photo_arrives")
    assert "Retry-After" in answer.headers
    monkeypatch.undo()
    with app.app_context():
        assert context.store().file(ID, "upright.jpg")
