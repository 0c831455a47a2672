"""What one request may cost at most: ``python benchmarks/limits.py``.

Every list, text, map and number that is taken as JSON is sent at its limit and over it, every form of the
pages with as many and as long fields as it takes and with more, and pages are asked with cookies and
questions of many kilobytes. Each has to be answered within half a second of processor time, and what is
beyond a limit has to be refused with a sentence. All of that happens in this process, without a network; it
takes two minutes.
"""

from __future__ import annotations

import io
import json
import re
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import cv2
import numpy as np
from flask import Flask
from flask.testing import FlaskClient

from scoring import HouseRule
from scoring.sentences import sentence
from vision import BoardUnreadableError
from webapp import create_app
from webapp.http.errors import FORM_BYTES
from webapp.http.faces import SMALL, spec

ROOT = Path(__file__).resolve().parent.parent
MOST_S = 0.5
BOARD = "-- G4 R2 Y5 P6 / R3 B1 -- G1 Y2 / P5 G6 -- P6 R3 / B4 Y3 G4 B2 G4"
EMPTY = " / ".join(["....."] * 4)
MEGABYTE = 1_000_000
MANY_KEYS = 100_000
HEADER_BYTES = 60_000
FIRST_ERROR, FIRST_OF_SERVER = 400, 500

Schema = dict[str, Any]


@dataclass
class World:
    """An application with a reading, a photo of a table and a game of four, all of one visitor."""

    app: Flask
    client: FlaskClient
    places: dict[str, str]


def world(folder: Path) -> World:
    """Return an application whose reader finds no window, so that the dice are entered by hand."""

    def unread(*_: object, **__: object) -> Any:  # noqa: ANN401
        raise BoardUnreadableError("too_blurry", sentence("-"), sentence("-"))

    app = create_app({"SAGRADA_DATA": folder}, reader=unread, table_reader=unread)
    client = app.test_client()
    code = client.post("/games", json={"name": "Ann"}).get_json()["code"]
    for name in ("Ben", "Cleo", "Dan"):
        client.post(f"/g/{code}/join", json={"name": name})
    reading = client.post("/by-hand", json={"board": BOARD}).get_json()["id"]
    photo = {"photo": (io.BytesIO(gray()), "a.jpg"), "purpose": "score"}
    table = client.post("/t.json", data=photo).get_json()["id"]
    client.post("/windows/new", json={"name": "Ours", "pattern": EMPTY})
    places = {"record_id": reading, "code": code, "number": "1", "photo_id": table, "player": "ann"}
    places |= {"profile": "ours", "name": "Ours"}
    return World(app, client, places)


def gray() -> bytes:
    """Return a photo of nothing."""
    return cv2.imencode(".jpg", np.full((300, 400, 3), 128, np.uint8))[1].tobytes()


# --- The JSON interface ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Try:
    """A request: what it is, and whether it goes beyond a limit."""

    what: str
    method: str
    address: str
    is_over: bool = False
    sent: dict[str, Any] = field(default_factory=dict)


def document(client: FlaskClient) -> Schema:
    """Return the OpenAPI document."""
    with client.application.test_request_context():
        told: Schema = spec.spec
    return told


def bodies(schema: Schema) -> Iterator[tuple[str, Any, bool]]:
    """Yield what may be sent: each bounded part at its limit and over it, and all of it at its limits."""
    schema = meant(schema)
    yield "everything", filled(schema), False
    if schema.get("type") != "object":
        return
    yield "an unknown key", {**least(schema), "unknown": 1}, True
    for key, part in schema.get("properties", {}).items():
        for what, value, is_over in at_limits(key, part):
            yield f"{key}{what}", {**least(schema), key: value}, is_over


def at_limits(key: str, schema: Schema) -> Iterator[tuple[str, Any, bool]]:
    """Yield values for a part at its limit and one over it, and so for what is in it."""
    schema = meant(schema)
    match schema.get("type"):
        case "string" if "enum" not in schema and "maxLength" in schema:
            yield "", "x" * schema["maxLength"], False
            yield "+1", "x" * (schema["maxLength"] + 1), True
        case "integer" if "enum" in schema:
            yield "", schema["enum"][-1], False
            yield "+1", schema["enum"][-1] + 1, True
        case "integer" | "number":
            yield "", schema["maximum"], False
            yield "+1", schema["maximum"] + 1, True
            yield "=1e30", 10**30, True
        case "array":
            items = schema.get("prefixItems") or [schema["items"]] * schema["maxItems"]
            yield "", [filled(one, key) for one in items], False
            yield "+1", [filled(one, key) for one in (*items, items[-1])], True
            for what, value, is_over in at_limits(key, items[0]):
                yield f"[]{what}", [value, *[filled(one, key) for one in items[1:]]], is_over
        case "object" if "maxProperties" in schema:
            most, value = schema["maxProperties"], filled(schema["additionalProperties"])
            yield "", {str(number): value for number in range(most)}, False
            yield "+1", {str(number): value for number in range(most + 1)}, True
            if "propertyNames" in schema:
                longest = "x" * schema["propertyNames"]["maxLength"]
                yield "{}", {longest: value}, False
                yield "{}+1", {longest + "x": value}, True
        case "object":
            for inner, value, is_over in bodies(schema):
                yield f".{inner}", value, is_over


def meant(schema: Schema) -> Schema:
    """Return the schema that is meant, without the null that may stand there too."""
    if "$ref" in schema:
        return meant(spec.spec["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]])
    if "anyOf" in schema:
        return meant(next(one for one in schema["anyOf"] if one.get("type") != "null"))
    return schema


def least(schema: Schema) -> Any:  # noqa: ANN401
    """Return an object with the keys that it must have."""
    schema = meant(schema)
    return {key: filled(schema["properties"][key], key) for key in schema.get("required", ())}


FITTING: Mapping[str, str] = {
    "board": BOARD, "pattern": EMPTY, "cells": EMPTY, "public": "Light Shades", "tools": "Lathekin",
    "tool": "Lathekin", "dice": "R1", "die": "R1", "private": "red", "window": "auto", "move": "start",
    "house_rules": next(iter(HouseRule)).value, "checked": "A1", "unchecked": "A1", "second_private": "R",
    "color": "R", "solo": "R1 / R2",
}  # fmt: skip
"""Texts that the rules understand, by their keys, so that more is done than to refuse them."""


def filled(schema: Schema, key: str = "") -> Any:  # noqa: ANN401
    """Return the largest value that fits a schema and makes sense."""
    schema = meant(schema)
    match schema:
        case {"const": only} | {"enum": [only, *_]}:
            value = only
        case {"maxProperties": most, "additionalProperties": part}:
            value = {f"{'ABCD'[n // 5 % 4]}{n % 5 + 1}": filled(part) for n in range(most)}
        case {"properties": parts}:
            value = {one: filled(part, one) for one, part in parts.items()}
        case {"type": "array"}:
            items = schema.get("prefixItems") or [schema["items"]] * schema["maxItems"]
            value = [filled(one, key) for one in items]
        case {"type": "boolean"}:
            value = True
        case {"maxLength": most}:
            value = FITTING.get(key, "x" * most)
        case _:
            value = schema["minimum" if key == "revision" else "maximum"]
    return value


def json_tries(client: FlaskClient, path: str, places: Mapping[str, str]) -> Iterator[Try]:
    """Yield the requests for an address that takes JSON."""
    operation = document(client)["paths"][path]["post"]
    schema = operation["requestBody"]["content"]["application/json"]["schema"]
    address = path.format_map(places)
    for what, body, is_over in bodies(schema):
        sent = {"data": json.dumps(body).encode(), "content_type": "application/json"}
        yield Try(f"{path} {what}", "POST", address, is_over, sent)
    for size in (SMALL, SMALL + 1, 40 * MEGABYTE):
        deep = {"data": b"[" * size, "content_type": "application/json"}
        yield Try(f"{path} {size} bytes", "POST", address, is_over=True, sent=deep)


def json_paths(client: FlaskClient) -> list[str]:
    """Return the addresses that take JSON."""
    return [path for path, told in document(client)["paths"].items() if "requestBody" in told.get("post", {})]


# --- Pages -----------------------------------------------------------------------------------------


def fields() -> list[str]:
    """Return the names of all fields that pages ask for, as they stand in their modules."""
    asked = re.compile(r'(?:form\[|form\.get\(|values\.get\(|getlist\(|whole\(|color_of\()"(\w+)"')
    texts = [path.read_text(encoding="utf-8") for part in ("views", "web", "phones") for path in
             (ROOT / "webapp" / part).glob("*.py")]  # fmt: skip
    return sorted({name for text in texts for name in asked.findall(text)})


def form_rules(app: Flask) -> list[str]:
    """Return the addresses of all forms of the pages, as rules of the application."""
    rules = [rule for rule in app.url_map.iter_rules() if not rule.rule.startswith("/api/")]
    return sorted({rule.rule for rule in rules if "POST" in (rule.methods or ())})


def form_tries(rule: str, places: Mapping[str, str], largest: int) -> Iterator[Try]:
    """Yield for a form many and long fields: as much as is taken, and more."""
    form = {"content_type": "application/x-www-form-urlencoded"}
    address = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule).format_map(places)
    usual = urlencode({"kind": "public", "revision": 1, "purpose": "score", "window": "auto"})
    for name in fields():
        pair = "&" + urlencode({name: FITTING.get(name, "1")})
        data = usual + pair * ((largest - len(usual)) // len(pair))
        yield Try(f"{rule} {name} repeated", "POST", address, sent={"data": data, **form})
    for name in ("name", "code", "die"):
        data = f"{usual}&{name}=".ljust(largest, "x")
        yield Try(f"{rule} long {name}", "POST", address, sent={"data": data, **form})
    yield Try(f"{rule} {MANY_KEYS} fields", "POST", address, sent={"data": "a=1&" * MANY_KEYS, **form})
    yield Try(f"{rule} a megabyte in parts", "POST", address, sent=in_parts("name", "x" * MEGABYTE))


def in_parts(name: str, value: str) -> dict[str, Any]:
    """Return a request with a field of a form as browsers send it together with a file."""
    part = f'--x\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n--x--\r\n'
    return {"data": part.encode(), "content_type": "multipart/form-data; boundary=x"}


def header_tries(places: Mapping[str, str]) -> Iterator[Try]:
    """Yield pages that are asked with long cookies and long questions."""
    here = (
        "/",
        "/g/{code}",
        "/w/{record_id}",
        "/history",
        "/windows",
        "/dice",
        "/w/{record_id}/place",
    )
    for path in here:
        address = path.format_map(places)
        for cookie in ("seats", "recent", "table", "language", "theme"):
            for value in ("A" * 22, "light_shades", ""):
                text = f"{value}." * (HEADER_BYTES // (len(value) + 1))
                headers = {"Cookie": f"{cookie}={text}"}
                yield Try(f"{path} cookie {cookie}", "GET", address, sent={"headers": headers})
        for name in ("q", "card", "tools", "die", "page", "name", "lang", "other"):
            for value in ("1", "Light Shades", "x" * 50_000):
                pair = urlencode({name: value}) + "&"
                question = pair * (HEADER_BYTES // len(pair))
                yield Try(f"{path} ?{name}", "GET", f"{address}?{question}")


# --- Measuring -------------------------------------------------------------------------------------


@dataclass
class Told:
    """What came of some requests: how many, the slowest ones, and what was not as it should be."""

    number: int = 0
    slowest: list[tuple[float, str]] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def ask(self, client: FlaskClient, one: Try) -> None:
        """Send a request and note what came of it."""
        begun = time.process_time()
        answer = client.open(one.address, method=one.method, **one.sent)
        text = answer.get_data(as_text=True)
        seconds = time.process_time() - begun
        status = answer.status_code
        self.number += 1
        self.slowest = sorted([*self.slowest, (seconds, one.what)], reverse=True)[:5]
        if status >= FIRST_OF_SERVER or (one.is_over and status < FIRST_ERROR):
            self.wrong.append(f"{one.what}: {status}")
        elif status >= FIRST_ERROR and not re.search(r'"next_step"|class="notice', text):
            self.wrong.append(f"{one.what}: {status} without a sentence")


def measured() -> Iterator[tuple[str, Told]]:
    """Yield for each kind of request what came of it; each action and form has a new application."""
    with tempfile.TemporaryDirectory() as folder:
        here = world(Path(folder) / "pages")
        told = Told()
        for one in header_tries(here.places):
            told.ask(here.client, one)
        yield "cookies and questions", told
        told = Told()
        for number, path in enumerate(json_paths(here.client)):
            here = world(Path(folder) / f"json{number}")
            for one in json_tries(here.client, path, here.places):
                told.ask(here.client, one)
        yield "JSON", told
        told = Told()
        for number, rule in enumerate(form_rules(here.app)):
            here = world(Path(folder) / str(number))
            tries = form_tries(rule, here.places, FORM_BYTES)
            here.client.post(next(tries).address)  # so that no template is compiled while it is measured
            for one in tries:
                told.ask(here.client, one)
        yield "forms", told


def main() -> None:
    """Print what was measured; end with 1 where something is over its bound."""
    is_good = True
    for kind, told in measured():
        print(f"{kind}: {told.number} requests")
        for seconds, what in told.slowest:
            print(f"  {seconds:.3f} s of processor time: {what}")
        for what in told.wrong:
            print(f"  WRONG {what}")
        is_good = is_good and not told.wrong and told.slowest[0][0] <= MOST_S
    sys.exit(not is_good)


if __name__ == "__main__":
    main()
