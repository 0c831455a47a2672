from __future__ import annotations

import copy
import re
from io import BytesIO
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from openapi_spec_validator import validate

from calibration.profiles.beside import Beside
from scoring.words import LANGUAGES
from tests.profiles import SayingLearner, sample_of
from tests.readings import card_at, loose, table_of
from tests.webapp.conftest import (
    RULEBOOK,
    SayingReader,
    SayingTable,
    read_table,
    two_windows,
    upload,
    wait_read,
)
from tests.webapp.described import ERROR, actions, misfits, mistakes, path_of
from tests.webapp.games.conftest import THREE, Device
from tests.webapp.tables import third
from webapp.api import profiles as profiles_api
from webapp.api.document import document, sections
from webapp.phones import addresses
from webapp.storage import profiles
from webapp.web import household, lessons


def described() -> set[tuple[str, str]]:
    """Return method and path of everything in the document."""
    return {(method, path) for path, operations in document()["paths"].items() for method in operations}


def test_the_document_is_served_and_valid(client: FlaskClient) -> None:
    """What the application serves is a valid OpenAPI 3.1 document: every reference leads somewhere."""
    served = client.get("/api/v1/openapi.json").get_json()
    assert served == document()
    assert served["openapi"].startswith("3.1.")
    validate(served)


def test_the_document_names_exactly_the_routes_of_the_application(app: Flask) -> None:
    """Every route below /api/v1 is described with its methods, and nothing is described that is not there."""
    routes = {
        (method.lower(), path_of(rule.rule))
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/api/")
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    assert routes - {("get", "/api/v1/")} == described()  # that one is the page for people


def test_every_action_has_a_name_of_its_own_and_a_section() -> None:
    """The names of operations differ, so that programs can be made from them, and each section has some."""
    names = [action.name for action in actions()]
    assert len(set(names)) == len(names)
    assert all(section.actions for section in sections())
    assert len({section.heading for section in sections()}) == len(sections())


def test_every_schema_is_used() -> None:
    """No schema stays in the document after the last action that spoke of it is gone."""
    used = set(re.findall(r"#/components/schemas/(\w+)", str(document())))
    assert set(document()["components"]["schemas"]) == used


def test_an_answer_that_is_not_as_described_is_noticed(
    app: Flask, client: FlaskClient, made: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The check behind all tests of the interface sees a key too many, one too few, and a wrong status."""
    address = f"/api/v1/readings/{made['id']}"
    answer = client.get(address)
    changed = copy.deepcopy(document())
    operation = changed["paths"]["/api/v1/readings/{record_id}"]["get"]
    content = operation["responses"]["200"]["content"]["application/json"]
    with app.test_request_context(address):
        assert mistakes(answer) == []
        monkeypatch.setattr("tests.webapp.described.document", lambda: changed)
        content["schema"] = {"type": "object", "properties": {"id": {"type": "string"}}}
        assert "were unexpected" in mistakes(answer)[0]
        reading = document()["components"]["schemas"]["Reading"]
        content["schema"] = {**reading, "required": [*reading["required"], "color"]}
        assert mistakes(answer) == ["$: 'color' is a required property"]
        del operation["responses"]["200"]
        assert mistakes(answer) == ["is not described"]


@pytest.mark.parametrize(
    "error", [{}, {"error": {"code": "x"}}, {"error": {"code": "x", "message": "", "next_step": "y"}}, None]
)
def test_another_shape_of_error_is_noticed(error: object) -> None:
    """An error without one of its three parts, or with an empty one, does not fit the document."""
    assert misfits(ERROR, error)


def test_every_action_works_as_described(
    app: Flask,
    reader: SayingReader,
    table_reader: SayingTable,
    photo: bytes,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A whole evening over the interface uses every action that is described, each with success."""
    app.extensions[addresses.KEY] = addresses.Reach("http://laptop.local:8000")
    done = set()

    def note(response: Any) -> Any:  # noqa: ANN401
        assert response.status_code < 400, response.get_data(as_text=True)
        assert response.request is not None
        done.add((response.request.method.lower(), response.request.path))
        return response

    client, host = app.test_client(), Device(app.test_client())
    for address in ("openapi.json", "cards"):
        note(client.get(f"/api/v1/{address}"))
    note(client.post("/api/v1/score", json={"board": RULEBOOK}))
    note(client.post("/api/v1/check", json={"board": RULEBOOK, "dice": ["R2"]}))

    note(client.post("/api/v1/rank", json={"players": [player("Ann", "R"), player("Ben", "B")]}))
    note(client.get("/api/v1/address?path=/history"))
    note(client.put("/api/v1/address", json={"address": "http://laptop.local:8000"}))
    sample = note(client.get("/api/v1/samples")).get_json()["samples"][0]
    note(client.post(sample["links"]["self"]))
    note(client.get("/api/v1/readings"))

    ours = {"name": "Ours", "pattern": " / ".join(["....."] * 4)}
    note(client.post("/api/v1/windows/check", json={"pattern": ours["pattern"]}))
    note(client.post("/api/v1/windows", json=ours))
    note(client.get("/api/v1/windows"))
    tool = {"name": "Ours", "color": "R", "effect": "moves_dice", "lifts": ["color_restriction"]}
    note(client.post("/api/v1/cards/tools", json=tool))
    note(client.delete("/api/v1/cards/tools/Ours"))
    note(client.get("/api/v1/windows/Ours"))
    note(client.put("/api/v1/windows/Ours", json={"difficulty": 4}))
    file = note(client.get("/api/v1/windows-file")).get_json()
    note(client.delete("/api/v1/windows/Ours"))
    note(client.post("/api/v1/windows-file", json=file))

    one = f"/api/v1/readings/{upload(client, photo)['id']}"
    monkeypatch.setattr(profiles, "learn", SayingLearner())
    monkeypatch.setattr(lessons, "window_sample", lambda *_: sample_of())
    monkeypatch.setattr(household, "loose_sample", lambda *_: sample_of(1))
    monkeypatch.setattr(profiles_api, "dice_beside", lambda *_: [Beside((1.0, 2.0), 3.0)])
    lesson = {"revision": 1, "name": "Ours", "all_right": True, "keep": True}
    assert note(client.post(f"{one}/lesson", json=lesson)).get_json()["adopted"]
    note(client.delete(f"{one}/lesson"))
    note(client.patch("/api/v1/dice", json={"keeps": True}))
    assert note(client.get(one)).get_json()["lesson"]["stage"] == "undone"
    assert note(client.post(f"{one}/lesson", json=lesson)).get_json()["adopted"]
    loose_dice = {"photo": (BytesIO(photo), "a.jpg"), "name": "Ours", "dice": "R5", "keep": "yes"}
    assert note(client.post("/api/v1/dice-lessons", data=loose_dice)).get_json()["odd"] == []
    note(client.delete("/api/v1/dice/ours/lesson"))
    (ours_now,) = note(client.get("/api/v1/dice")).get_json()["profiles"]
    note(client.patch("/api/v1/dice/ours", json={"name": "Theirs", "default": True}))
    assert note(client.get("/api/v1/dice/ours")).get_json()["default"]
    exported = note(client.get(ours_now["links"]["file"])).get_json()
    note(client.delete("/api/v1/dice/ours"))
    note(client.post("/api/v1/dice", json=exported))
    note(client.post("/api/v1/dice-forgotten", json={"profiles": True}))

    table_reader.answer = table_of(*two_windows(), third(), cards=[card_at(name) for name in THREE])
    sent = note(client.post("/api/v1/tables", data={"photo": (BytesIO(photo), "a.jpg")})).get_json()
    table = sent["links"]["self"]
    wait_read(client, sent["id"])
    note(client.post(f"{table}/cards", json={"card": "Deep Shades", "right": True}))
    note(client.patch(table, json={"public": THREE}))
    note(client.patch(f"{table}/windows/1", json={"name": "Ann", "private": "R", "left_out": False}))
    state = note(client.get(table)).get_json()
    die = {"revision": state["revision"], "die": "R2", "center": [10, 20]}
    note(client.post(f"{table}/dice", json=die))
    note(client.post(f"{table}/score"))
    note(client.delete(table))

    note(client.post("/api/v1/readings", json={}))
    note(client.get(one))
    note(client.get(f"{one}/placement?die=R2&tool=Lathekin"))
    note(client.patch(one, json={"revision": 3, "cells": {"A1": "R6"}}))
    note(client.post(f"{one}/turn", json={"revision": 4}))
    note(client.post(f"{one}/corners", json={"corners": [[10, 20], [700, 20], [700, 500], [10, 500]]}))
    note(client.delete(f"{one}/corners", json={"revision": 6}))
    note(client.post(f"{one}/by-hand"))
    note(client.delete(one))

    note(host.client.post("/api/v1/games", json={"name": "Ann"}))
    host.code = host.start()["code"]
    note(host.client.post(f"{host.address}/players", json={"name": "Ben"}))
    link = note(host.client.post(f"{host.address}/players/2/link")).get_json()
    note(app.test_client().post(f"{host.address}/seat", json={"key": link["key"]}))
    note(host.client.put(f"{host.address}/open", json={"open": True}))
    note(host.client.get(host.address))
    note(host.client.post(f"{host.address}/deal", json={"revision": host.state()["revision"]}))
    note(host.cards(public=THREE, tools=["Lathekin"]))
    order = {"revision": host.state()["revision"], "seats": [2, 1], "known": True}
    note(host.client.put(f"{host.address}/order", json=order))
    note(host.client.post(f"{host.address}/players/deal", json={"windows": True, "privates": True}))
    note(host.client.post(f"{host.address}/first", json={"revision": host.state()["revision"]}))
    note(host.client.post(f"{host.address}/round", json={"move": "start"}))
    note(host.client.put(f"{host.address}/round/timer", json={"seconds": 60}))
    note(host.player(name="Benno", private="R", favor_tokens=3))
    seat = f"{host.address}/players/{host.own()['seat']}"
    note(host.client.put(f"{seat}/picture", data={"photo": (BytesIO(photo), "a.jpg")}))
    note(host.client.get("/api/v1/players"))
    note(host.client.delete(f"{seat}/picture"))
    note(host.client.delete(f"{seat}/remembered"))
    note(host.client.post(f"{seat}/uses", json={"tool": "Lathekin"}))
    note(host.client.delete(f"{seat}/uses"))
    note(host.photo())
    seats = read_table(host.client, "seats", host.code)["links"]["self"]
    note(host.client.post(f"{seats}/seats", json={"seats": {"1": 1}}))
    alone = Device(app.test_client())
    alone.start(solo=True)
    table_reader.answer = table_of(dice=[loose("R2")])
    track = read_table(alone.client, "track", alone.code)["links"]["self"]
    note(alone.client.post(f"{track}/target"))
    note(host.reveal(anyway=True))
    note(host.client.get(host.address))
    note(host.client.get("/api/v1/games"))
    note(host.client.get("/api/v1/history"))
    note(host.client.get(f"/api/v1/history/{host.code}"))
    note(host.client.get("/api/v1/history/player?name=Benno"))
    note(host.client.post(f"{host.address}/again", json={"same_cards": True}))
    note(host.client.delete(f"{host.address}/reveal"))
    note(host.client.delete(seat))
    note(host.client.delete(host.address))

    alone.start(solo=True)
    here = note(client.patch("/api/v1/house", json={"keep_days": 365})).get_json()
    there = note(client.get("/api/v1/house")).get_json()
    assert there | {"free": 0} == here | {"free": 0}  # others use the disk, too
    note(client.post(f"/api/v1/house/games/{alone.code}/host"))
    assert note(client.get("/api/v1/house/games")).get_json()["games"][0]["code"] == alone.code
    note(client.delete(f"/api/v1/house/games/{alone.code}"))
    note(client.post("/api/v1/house/session", json={"pin": here["pin"]}))
    note(client.delete("/api/v1/house/session"))
    note(client.post("/api/v1/house/pin"))

    matched = {
        (method, path)
        for method, path in described()
        if any(method == used and re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", path), at) for used, at in done)
    }
    assert described() - matched == set()


def player(name: str, private: str) -> dict[str, Any]:
    """Return a player of a game that is only asked about."""
    return {"name": name, "board": RULEBOOK, "private": private, "favor_tokens": 1}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_for_people_lists_every_action(client: FlaskClient, language: str) -> None:
    """The page shows each action with method, address and fields, in a frame of the visitor's language."""
    page = client.get("/api/v1/", headers={"Accept-Language": language}).get_data(as_text=True)
    for action in actions():
        assert f'id="{action.name}"' in page
        assert f"<code>{path_of(action.path)}</code>" in page
    assert f'<html lang="{language}">' in page
    assert page.count("<script") == 1  # the words; nothing is run
    assert "http" not in re.sub(r'xmlns(:\w+)?="[^"]*"', "", page)


def test_the_language_of_the_page_for_people_can_be_chosen(client: FlaskClient) -> None:
    """The page keeps a language as all pages do; an address for programs takes it for one answer only."""
    answer = client.get("/api/v1/cards?lang=fr")
    assert answer.get_json()["language"] == "fr"
    assert "Set-Cookie" not in answer.headers
    assert client.get("/api/v1/cards").get_json()["language"] == "en"
    assert client.get("/api/v1/?lang=fr").status_code == 302
    assert 'lang="fr"' in client.get("/api/v1/").get_data(as_text=True)


def test_the_footer_leads_to_the_page_for_people(client: FlaskClient) -> None:
    """Whoever wants to write a program finds the page from every other one."""
    assert 'href="/api/v1/"' in client.get("/").get_data(as_text=True)


def test_a_photo_that_is_taken_for_the_document_is_sent_as_a_form(client: FlaskClient, photo: bytes) -> None:
    """The form that is described for photos is the one that is taken."""
    form = document()["paths"]["/api/v1/readings"]["post"]["requestBody"]["content"]["multipart/form-data"]
    (key,) = document()["components"]["schemas"]["Photo"]["required"]
    assert form["schema"] == {"$ref": "#/components/schemas/Photo"}
    assert client.post("/api/v1/readings", data={key: (BytesIO(photo), "a.jpg")}).status_code == 201
