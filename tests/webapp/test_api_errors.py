"""Each error that is described of an action is answered by it, in the one shape."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scoring.sentences import sentence
from scoring.words import LANGUAGES
from tests.profiles import profile_of
from tests.webapp.conftest import SayingReader, plain_photo, read_table, upload
from tests.webapp.described import ERROR, actions, misfits, path_of, sent_to
from tests.webapp.games.conftest import THREE, Device
from vision import BoardUnreadableError
from webapp.api.document import document
from webapp.api.section import Action
from webapp.services.error_sentences import TEXTS
from webapp.services.errors import InputError
from webapp.storage.own_tools import FILE_NAME as TOOLS
from webapp.storage.windows import FILE_NAME
from webapp.web.access import MOST_WRONG
from webapp.web.errors import problem_of

NOWHERE = {"record_id": "A" * 16, "code": "CDFGHJ", "number": "1", "name": "no.jpg", "window": "Nowhere"}
NOWHERE |= {"profile": "nobody's", "photo_id": "A" * 16, "index": "0", "upload_id": "A" * 16}
NOWHERE |= {"card": "Lathekin", "tool": "Nothing"}
CORNERS = [[10, 20], [700, 20], [700, 500], [10, 500]]
TOO_LARGE = 2000


@dataclass
class House:
    """An application with a game of two, a photo of their table, and somebody who only knows addresses.

    There is a window outside of the game, too.
    """

    app: Flask
    reader: SayingReader
    host: Device
    stranger: FlaskClient
    reading: str
    table: str

    def ask(
        self,
        action: Action,
        *,
        who: FlaskClient | None = None,
        to: dict[str, str] | None = None,
        form: dict[str, str] | None = None,
        **request: Any,  # noqa: ANN401
    ) -> Any:  # noqa: ANN401
        """Do an action, with the least that it takes where nothing else is said."""
        here = {**NOWHERE, "code": self.host.code, "record_id": self.reading, "name": "easy_daylight.jpg"}
        here["photo_id"] = self.table
        if not request.keys() & {"data", "json"}:
            if action.form is not None:
                request["data"] = {"photo": (BytesIO(plain_photo()), "a.jpg"), **(form or {})}
            elif action.takes is not None:
                request["json"] = SENT.get(action.name) or least(sent_to(action)["application/json"])
        address = path_of(action.path).format_map({**here, **(to or {})})
        return (who or self.host.client).open(address, method=action.method.upper(), **request)


@pytest.fixture
def house(app: Flask, reader: SayingReader) -> House:
    """Return an application in which something can go wrong."""
    host, guest, stranger = Device(app.test_client()), Device(app.test_client()), app.test_client()
    host.start()
    guest.join(host.code, "Ben")
    table = read_table(host.client, "seats", host.code)["id"]
    return House(app, reader, host, stranger, upload(stranger, plain_photo())["id"], table)


def least(schema: dict[str, Any]) -> Any:  # noqa: ANN401
    """Return the least that fits a schema."""
    if "$ref" in schema:
        return least(document()["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]])
    if "anyOf" in schema:
        return least(schema["anyOf"][0])
    if "const" in schema:
        return schema["const"]
    if schema["type"] == "object":
        return {key: least(schema["properties"][key]) for key in schema.get("required", ())}
    if schema["type"] == "array":
        items = schema.get("prefixItems") or [schema["items"]] * schema.get("minItems", 0)
        return [least(one) for one in items]
    return {"integer": schema.get("minimum", 0), "string": "x", "boolean": False, "number": 0}[schema["type"]]


FOR_NO_GAME = {"purpose": "seats", "target": NOWHERE["code"]}
# What belongs there where the schema alone does not say it.
SENT: dict[str, dict[str, Any]] = {
    "setCorners": {"corners": CORNERS},
    "useTool": {"tool": "Lathekin"},
    "playOn": {"move": "start"},
    "lookAtCard": {"card": "Deep Shades", "right": True},
    "addTool": {"name": "Ours", "color": "R", "effect": "moves_dice"},
}


def with_error(status: int) -> list[Action]:
    """Return the actions of which an error with this status is described."""
    found = [action for action in actions() if status in action.errors]
    assert found
    return found


def hold(action: Action, answer: Any, status: int) -> None:  # noqa: ANN401
    """Hold that an answer is the error, and that it has the one shape."""
    text = f"{action.name}: {answer.status_code} {answer.get_data(as_text=True)[:300]}"
    assert answer.status_code == status, text
    assert misfits(ERROR, answer.get_json()) == [], text


def test_every_described_error_has_the_one_shape() -> None:
    """Whatever the action and the status: what is described of an error is the schema Error."""
    shared = document()["components"]["responses"]["Error"]
    for operations in document()["paths"].values():
        for operation in operations.values():
            assert operation["responses"]["default"] == {"$ref": "#/components/responses/Error"}
            errors = {status: one for status, one in operation["responses"].items() if "4" <= status < "6"}
            for error in (shared, *errors.values()):
                assert error["content"]["application/json"]["schema"] == ERROR


def test_every_code_with_words_has_the_one_shape(app: Flask) -> None:
    """Each code that the pages know gives a code for programs, a sentence and a next step."""
    with app.test_request_context():
        for code in TEXTS:
            assert misfits(ERROR, {"error": problem_of(InputError(code))}) == []


def test_what_is_not_there_is_not_found(house: House) -> None:
    """Every action on a reading, game, sample or window answers 404 when there is none."""
    for number, action in enumerate(with_error(404)):
        from_there = {"REMOTE_ADDR": f"192.168.1.{number}"}  # so that nobody names too many wrong codes
        if action.path.startswith(("/api/v1/house", "/api/v1/cards/tools")):  # only the administrator may ask
            from_there = {}
        answer = house.ask(action, to=NOWHERE, form=FOR_NO_GAME, environ_overrides=from_there)
        hold(action, answer, 404)


def test_too_many_wrong_codes_are_told_to_wait(house: House) -> None:
    """Every action on a game answers 429 after too many wrong codes from one place."""
    for _ in range(MOST_WRONG):
        house.stranger.get("/api/v1/games/CDFGHJ")
        house.stranger.post("/api/v1/house/session", json={"pin": "-"})
    for action in with_error(429):
        there = {**NOWHERE, "photo_id": house.table}  # of a game in which a stranger has no seat
        hold(action, house.ask(action, who=house.stranger, to=there, form=FOR_NO_GAME), 429)


def test_who_may_not_is_refused(house: House) -> None:
    """Every action that belongs to the host, a seat, who added something or this computer answers 403."""
    told: dict[str, Any] = {
        "changePlayer": {"json": {"favor_tokens": 1}},
        "setUpHouse": {"json": {"keep_days": 7}},
    }
    window = {"name": "Ours", "pattern": " / ".join(["....."] * 4)}
    assert house.host.client.post("/api/v1/windows", json=window).status_code == 201
    assert house.host.client.post("/api/v1/dice", json={"file": str(profile_of("Ours"))}).status_code == 201
    there = {"window": "Ours", "profile": "ours"}
    form = {"purpose": "seats", "target": house.host.code}
    elsewhere = {"REMOTE_ADDR": "192.168.1.77"}
    for action in with_error(403):
        answer = house.ask(
            action,
            who=house.stranger,
            to=there,
            form=form,
            environ_overrides=elsewhere,
            **told.get(action.name, {}),
        )
        hold(action, answer, 403)


def test_what_is_no_json_is_not_taken(house: House) -> None:
    """Every action that takes JSON alone answers 415 to plain text."""
    for action in with_error(415):
        hold(action, house.ask(action, data="x", content_type="text/plain"), 415)


def test_a_file_too_large_is_not_taken(house: House) -> None:
    """Every action that takes a photo answers 413 to one over the limit."""
    house.app.config["MAX_CONTENT_LENGTH"] = TOO_LARGE
    for action in with_error(413):
        if action.form is not None:
            hold(action, house.ask(action, data={"photo": (BytesIO(b"x" * 2 * TOO_LARGE), "a.jpg")}), 413)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_request_too_large_is_not_read(house: House, language: str) -> None:
    """Every action that takes JSON answers 413 to more than it declares, and says how much that is."""
    for action in actions():
        if action.takes is not None:
            headers = {"Accept-Language": language, "Content-Type": "application/json"}
            answer = house.ask(action, data=b'{"' + b"x" * action.size, headers=headers)
            hold(action, answer, 413)
            assert answer.get_json()["error"]["code"] == "request_too_large"
            assert f"{action.size // 1000}" in answer.get_json()["error"]["message"]


def test_a_photo_that_cannot_be_read_is_told(house: House) -> None:
    """Every action that reads a photo answers 422 when it does not open, or when the corners do not fit."""
    house.reader.answer = BoardUnreadableError("bad_corners", sentence("No window."), sentence("Again."))
    for action in with_error(422):
        told: dict[str, Any] = {"json": {"corners": CORNERS}}
        if action.form is not None:
            told = {"data": {"photo": (BytesIO(b"no photo"), "a.jpg")}}
        hold(action, house.ask(action, **told), 422)


def test_a_file_of_windows_that_cannot_be_used_is_told(house: House) -> None:
    """What changes windows, dice or cards of this house answers 503 when their files are of no use."""
    window = {"name": "Ours", "pattern": " / ".join(["....."] * 4)}
    assert house.stranger.post("/api/v1/windows", json=window).status_code == 201
    for name in (FILE_NAME, TOOLS):
        (house.app.config["SAGRADA_DATA"] / name).write_text("{", encoding="utf-8")
    file = {"format": "sagrada-windows", "schema": 1, "windows": []}
    for folder in ("profiles", "cards"):
        (house.app.config["SAGRADA_DATA"] / folder).write_text("no folder", encoding="utf-8")
    told: dict[str, Any] = {
        "addWindow": {"json": {**window, "name": "Other"}},
        "importWindows": {"json": file},
        "importProfile": {"json": {"file": str(profile_of())}},
        "changeProfile": {"json": {"name": "Other"}},
    }
    for action in with_error(503):
        hold(action, house.ask(action, to={"window": "Ours"}, **told.get(action.name, {})), 503)


def stale(house: House) -> dict[str, Any]:
    """Change everything that has a revision, and return what somebody sends who has not seen it."""
    one, cells = f"/api/v1/readings/{house.reading}", {"A1": "R6"}
    assert house.stranger.patch(one, json={"revision": 1, "cells": cells}).status_code == 200
    host = house.host
    seen = host.state()["revision"]
    assert host.cards(public=THREE, tools=["Lathekin"]).status_code == 200
    order = {"seats": [2, 1], "known": False}
    assert host.client.put(f"{host.address}/order", json={"revision": seen, **order}).status_code == 200
    assert host.player(private="R").status_code == 200
    return {
        "changeReading": {"revision": 1, "cells": {"A1": "B2"}},
        "turnReading": {"revision": 1},
        "setCorners": {"revision": 1, "corners": CORNERS},
        "learnWindow": {"revision": 1, "name": "Ours", "all_right": True},
        "takeBackCorners": {"revision": 1},
        "changeGame": {"revision": seen, "public": THREE[:1]},
        "dealCards": {"revision": seen, "tools": 3},
        "drawFirstPlayer": {"revision": seen},
        "orderPlayers": {"revision": seen, "seats": [1, 2]},
        "changePlayer": {"window_revision": 1, "private": "B"},
        "putLooseDie": {"revision": 1, "die": "R1"},
    }


def test_a_change_of_what_was_changed_meanwhile_is_refused(house: House) -> None:
    """Every action with a revision answers 409 when somebody else changed the same thing since."""
    told = stale(house)
    for action in with_error(409):
        hold(action, house.ask(action, json=told[action.name]), 409)


def test_nonsense_is_answered_with_400(house: House) -> None:
    """Every action that can be asked for nonsense answers 400 to it."""
    host = house.host
    mine = {"number": "1", "code": host.code, "record_id": host.own()["reading"]}
    others: dict[str, dict[str, Any]] = {
        "makeReading": {"json": {"board": "R1"}},
        "deleteReading": {"to": mine},
        "askPlacement": {"query_string": {"die": "R9"}},
        "listHistory": {"query_string": {"page": "0"}},
        "getAddress": {"query_string": {"path": "//else.where"}},
        "listAllGames": {"query_string": {"page": "0"}},
        "takePhoto": {"data": {}, "to": mine},
        "takeBackTool": {"to": mine},
        "leaveGame": {"to": {**mine, "number": "7"}},
        "linkSeat": {"to": {**mine, "number": "7"}},
    }
    for action in with_error(400):
        asked = others.get(action.name, {"json": [], "to": mine})
        if action.name.startswith(("changeReading", "turn", "setCorners", "takeBackCorners")):
            asked = {"json": []}
        hold(action, house.ask(action, **asked), 400)
