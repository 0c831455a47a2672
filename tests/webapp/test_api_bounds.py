"""What a program may send has bounds, and what goes beyond them is refused before anything is done."""

from __future__ import annotations

import json
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from benchmarks import limits
from tests.webapp.conftest import RULEBOOK
from tests.webapp.described import actions, path_of, sent_to
from webapp.api import rules
from webapp.api.document import document
from webapp.api.section import SMALL, Action
from webapp.storage.readings import ReadingStore
from webapp.web.own_windows import MOST_IN_A_FILE

JSON = "application/json"
WITH_JSON = [action for action in actions() if action.takes is not None]
PLAYER = {"name": "Ann", "board": RULEBOOK, "private": "red", "favor_tokens": 1}


def named(action: Action) -> str:
    """Return what a test calls an action."""
    return action.name


def meant(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema that a reference means."""
    if "$ref" not in schema:
        return schema
    found: dict[str, Any] = document()["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
    return found


def unbounded(schema: dict[str, Any], where: str) -> Iterator[str]:
    """Yield every list, text, number and object of a schema that may be as large as one likes."""
    schema = meant(schema)
    needed = {
        "array": {"maxItems"},
        "string": {"maxLength"},
        "integer": {"minimum", "maximum"},
        "number": {"minimum", "maximum"},
        "boolean": set(),
        "null": set(),
    }
    kind = schema.get("type")
    if "anyOf" in schema:
        for number, one in enumerate(schema["anyOf"]):
            yield from unbounded(one, f"{where}|{number}")
    elif kind == "object":
        closed = schema.get("additionalProperties") is False
        if not closed and "maxProperties" not in schema:
            yield where
        inner = [*schema.get("properties", {}).items()]
        if not closed:
            key = {"type": "string", **schema["propertyNames"]}
            inner += [("*", schema["additionalProperties"]), ("key", key)]
        for key, one in inner:
            yield from unbounded(one, f"{where}.{key}")
    elif "enum" not in schema and "const" not in schema:
        if kind not in needed or not needed[kind] <= schema.keys():
            yield where
        for one in (*schema.get("prefixItems", ()), *([schema["items"]] if "items" in schema else [])):
            yield from unbounded(one, f"{where}[]")


@pytest.mark.parametrize("action", WITH_JSON, ids=named)
def test_everything_that_is_sent_has_bounds(action: Action) -> None:
    """Every list, text and number of every request has its bounds in the schema, every object its keys."""
    assert list(unbounded(sent_to(action)[JSON], action.name)) == []


@pytest.mark.parametrize(
    ("schema", "found"),
    [
        ({"type": "array", "items": {"type": "boolean"}}, ["x"]),
        ({"type": "string"}, ["x"]),
        ({"type": "integer", "minimum": 0}, ["x"]),
        ({"type": "object", "properties": {}}, ["x"]),
        ({"anyOf": [{"type": "null"}, {"type": "string"}]}, ["x|1"]),
    ],
)
def test_what_has_no_bounds_is_noticed(schema: dict[str, Any], found: list[str]) -> None:
    """The check of the test above sees a missing bound."""
    if schema.get("type") == "object":
        schema = {**schema, "additionalProperties": {"type": "boolean"}, "propertyNames": {"maxLength": 5}}
    assert list(unbounded(schema, "x")) == found


@pytest.mark.parametrize("action", WITH_JSON, ids=named)
def test_an_unknown_key_is_refused_with_the_nearest(client: FlaskClient, action: Action) -> None:
    """Every action refuses a key that it does not know, and names the one that was meant."""
    key = next(iter(meant(sent_to(action)[JSON])["properties"]))
    place = {"record_id": "A" * 16, "code": "CDFGHJ", "number": "1", "window": "Ours"}
    place |= {"photo_id": "A" * 16, "index": "0", "profile": "ours"}
    address = path_of(action.path).format_map(place)
    answer = client.open(address, method=action.method.upper(), json={key + "x": 1})
    error = answer.get_json()["error"]
    assert answer.status_code == 400
    if action.name != "importWindows":  # there the form of the file says what is wrong with it
        assert error["data"] == {"where": key + "x"}
        assert key in error["next_step"]


@pytest.mark.parametrize(
    ("method", "path", "body", "where"),
    [
        ("PATCH", "/api/v1/readings/ID", {"revision": 1, "board": RULEBOOK}, "board"),
        ("PATCH", "/api/v1/readings/ID", {"revision": 1, "choices": {"favour": 3}}, "choices.favour"),
        ("PATCH", "/api/v1/games/CODE/players/1", {"favour_tokens": 3}, "favour_tokens"),
        ("POST", "/api/v1/games", {"nam": "Ann"}, "nam"),
        ("POST", "/api/v1/rank", {"players": [PLAYER, {**PLAYER, "boad": ""}]}, "players[1].boad"),
    ],
)
def test_a_slip_of_the_pen_is_named_with_its_place(
    client: FlaskClient, method: str, path: str, body: dict[str, Any], where: str
) -> None:
    """A key that was written wrong is never left out silently, wherever it stands."""
    made = client.post("/api/v1/readings", json={"board": RULEBOOK}).get_json()
    code = client.post("/api/v1/games", json={"name": "Ann"}).get_json()["code"]
    answer = client.open(path.replace("ID", made["id"]).replace("CODE", code), method=method, json=body)
    assert answer.status_code == 400
    assert answer.get_json()["error"]["code"] == "unknown_key"
    assert answer.get_json()["error"]["data"] == {"where": where}


TOO_MUCH: list[tuple[str, str, dict[str, Any]]] = [
    ("POST", "rank", {"players": [PLAYER] * 8000}),
    ("POST", "rank", {"players": [{"name": "A", "board": "", "private": "R", "favor_tokens": 0}] * 900}),
    ("POST", "check", {"board": RULEBOOK, "dice": ["R1"] * 10_000}),
    ("POST", "check", {"board": RULEBOOK, "dice": ["R1"] * 19}),
    ("POST", "score", {"board": RULEBOOK, "public": ["Light Shades"] * 30_000}),
    ("POST", "score", {"board": RULEBOOK, "public": ["Light Shades"] * 11}),
    ("POST", "score", {"board": RULEBOOK, "favor_tokens": 10**30}),
    ("POST", "score", {"board": RULEBOOK * 5}),
    ("POST", "score", {"board": RULEBOOK, "window": "x" * 10_000}),
    ("PATCH", "readings/ID", {"revision": 1, "checked": ["A1"] * 5_000_000}),
    ("PATCH", "readings/ID", {"revision": 1, "checked": ["A1"] * 21}),
    ("PATCH", "readings/ID", {"revision": 2**31}),
    ("PATCH", "games/CODE/players/1", {"name": "x" * 1000}),
    ("POST", "windows", {"name": "x", "pattern": "." * 1000}),
]


@pytest.mark.parametrize(("method", "path", "body"), TOO_MUCH)
def test_too_much_is_refused_before_anything_is_done(
    app: Flask, monkeypatch: pytest.MonkeyPatch, method: str, path: str, body: dict[str, Any]
) -> None:
    """What no game has so much of reaches neither the judge nor the database."""
    client = app.test_client()
    made = client.post("/api/v1/readings", json={"board": RULEBOOK}).get_json()
    code = client.post("/api/v1/games", json={"name": "Ann"}).get_json()["code"]
    done: list[str] = []
    for name in ("judge", "outcome_of", "game_from", "typed_window"):
        monkeypatch.setattr(rules, name, lambda *_, name=name: done.append(name))
    monkeypatch.setattr(ReadingStore, "update", lambda *_, **__: done.append("update"))
    address = "/api/v1/" + path.replace("ID", made["id"]).replace("CODE", code)
    answer = client.open(address, method=method, data=json.dumps(body), content_type=JSON)
    assert answer.status_code in {400, 413}
    assert done == []


def test_null_does_not_stand_for_a_key_that_is_left_out(client: FlaskClient) -> None:
    """Null is refused where it would change nothing, so that nobody takes a change for made."""
    made = client.post("/api/v1/readings", json={"board": RULEBOOK}).get_json()
    for choices in ({"public": None}, {"window": None}, {"favor_tokens": None}):
        body = {"revision": 1, "choices": choices}
        assert client.patch(f"/api/v1/readings/{made['id']}", json=body).status_code == 400
    code = client.post("/api/v1/games", json={"name": "Ann"}).get_json()["code"]
    body = {"revision": 1, "tools": None}
    assert client.patch(f"/api/v1/games/{code}", json=body).status_code == 400


def test_a_file_of_windows_may_be_larger_than_a_request(client: FlaskClient) -> None:
    """What was exported can be sent, up to 200 windows; one more is refused by the number of them."""
    cells, numbers = " / ".join(["....."] * 4), range(MOST_IN_A_FILE + 1)
    windows = [{"name": f"W{one}", "cells": cells, "names": {"fr": f"À nous {one}"}} for one in numbers]
    file = {"format": "sagrada-windows", "schema": 1, "windows": windows}
    assert len(json.dumps(file)) > SMALL
    answer = client.post("/api/v1/windows-file", json=file)
    assert answer.status_code == 400
    assert answer.get_json()["error"]["data"] == {"where": "windows"}
    upload = {"file": (BytesIO(json.dumps(file).encode()), "windows.json")}
    page = client.post("/windows/import", data=upload)
    assert page.status_code == 400
    assert "This file has more than 200 windows." in page.get_data(as_text=True)
    answer = client.post("/api/v1/windows-file", json={**file, "windows": windows[1:]})
    assert answer.get_json()["windows"] == MOST_IN_A_FILE


@pytest.mark.thorough
@pytest.mark.parametrize("action", WITH_JSON, ids=named)
def test_what_is_over_any_limit_is_refused_with_a_sentence(tmp_path: Path, action: Action) -> None:
    """Each list, text, map, number and body of each action is sent at its limit and over it: never 5xx."""
    here, told = limits.world(tmp_path), limits.Told()
    for one in limits.json_tries(action, here.places):
        told.ask(here.client, one)
    assert told.number > 3
    assert told.wrong == []


def test_a_form_without_a_file_is_small(client: FlaskClient) -> None:
    """A form that is larger than any of ours is not taken apart, and the refusal says how large it may be."""
    form = "application/x-www-form-urlencoded"
    for data in ("a=1&" * 100_000, "name=" + "x" * 1_000_000):
        page = client.post("/games", data=data, content_type=form)
        assert page.status_code == 413
        assert "This request is larger than 32 kB." in page.get_data(as_text=True)
    parts = client.post("/join", **limits.in_parts("code", "x" * 1_000_000))
    assert parts.status_code == 413


def test_an_error_is_told_whatever_form_was_sent(client: FlaskClient) -> None:
    """The page with an error shows what was typed, and also comes when that is too large to be looked at."""
    page = client.post("/g/CDFGHJ/delete", **limits.in_parts("code", "x" * 1_000_000))
    assert page.status_code == 404
    assert 'value="CDFGHJ"' in page.get_data(as_text=True)
