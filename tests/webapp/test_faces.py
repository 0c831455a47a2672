"""A page and its JSON are one view; a form and a JSON body are one model."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from openapi_spec_validator import validate

from tests.webapp.commands import sagrada
from tests.webapp.conftest import RULEBOOK
from webapp.http.faces import Sent, View

THREE = ["Row Color Variety", "Light Shades", "Color Diagonals"]
JUDGED = ("total", "lines", "problems", "removals", "dead_cells", "score_marker")


def document(client: FlaskClient) -> dict[str, Any]:
    """Return the OpenAPI document."""
    told: dict[str, Any] = client.get("/api/openapi.json").get_json()
    return told


def taken(app: Flask) -> list[str]:
    """Return an address for each route that takes a body, with ids and codes that nobody has."""
    paths = document(app.test_client())["paths"]
    places = {
        "{record_id}": "A" * 16,
        "{photo_id}": "A" * 16,
        "{code}": "CCCCCC",
        "{number}": "1",
        "{name}": "x",
    }
    found = []
    for path, methods in paths.items():
        if "requestBody" in methods.get("post", {}):
            for name, value in places.items():
                path = path.replace(name, value)  # noqa: PLW2901
            found.append(path)
    return found


def test_the_description_is_valid_and_has_what_people_do(client: FlaskClient) -> None:
    """It is an OpenAPI document, and names pages, what is sent to them and what they answer."""
    told = document(client)
    validate(told)
    assert len(told["paths"]) > 60
    change = told["paths"]["/w/{record_id}"]["post"]
    assert change["requestBody"]["content"]["application/json"]["schema"] == {
        "$ref": "#/components/schemas/ReadingChange"
    }
    assert "judgement" not in told["components"]["schemas"]["ReadingView"]["properties"]


@pytest.mark.parametrize(
    ("form", "body"),
    [
        ({"private": "R"}, {"private": "R"}),
        ({"board": RULEBOOK}, {"board": RULEBOOK}),
        ({"public": ["", *THREE], "favor_tokens": "3"}, {"public": THREE, "favor_tokens": 3}),
    ],
)
def test_a_form_and_json_do_the_same(client: FlaskClient, form: dict[str, Any], body: dict[str, Any]) -> None:
    """Whichever is sent, the window is the same afterwards, and each gets the answer that it can use."""
    one, other = (client.post("/by-hand", json={"board": RULEBOOK}).get_json()["id"] for _ in range(2))
    answer = client.post(f"/w/{one}", data={"revision": "1", **form})
    assert (answer.status_code, answer.location) == (303, f"/w/{one}")
    told = client.post(f"/w/{other}", json={"revision": 1, **body}).get_json()
    shown = client.get(f"/w/{one}.json").get_json()
    for own in ("id", "links"):
        told.pop(own), shown.pop(own)
    assert told == shown


def test_json_is_had_by_its_address_or_by_asking(client: FlaskClient, made: dict[str, Any]) -> None:
    """`.json` behind an address does what the header does, and an unchanged answer is not sent again."""
    asked = client.get(f"/w/{made['id']}", headers={"Accept": "application/json"})
    named = client.get(f"/w/{made['id']}.json")
    assert asked.get_json() == named.get_json()
    assert client.get(f"/w/{made['id']}").mimetype == "text/html"
    assert {"Accept", "Cookie"} <= set(named.vary)
    again = client.get(f"/w/{made['id']}.json", headers={"If-None-Match": named.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


def test_what_does_not_belong_there_is_named(app: Flask, client: FlaskClient) -> None:
    """No address takes an unknown key, more than it needs, or something else than a form or JSON."""
    addresses = taken(app)
    assert len(addresses) > 30
    for address in addresses:
        error = client.post(address, json={"nonsense": 1}).get_json()["error"]
        assert (error["code"], error["data"]["where"]) == ("unknown_key", "nonsense"), address
        large = client.post(address, json={"nonsense": "x" * 20_000})
        assert large.status_code == 413, address
        asked = {"Accept": "application/json"}
        plain = client.post(address, data="x", content_type="text/plain", headers=asked)
        assert (plain.status_code, plain.get_json()["error"]["code"]) == (415, "not_json"), address


@pytest.mark.parametrize(
    ("body", "where"),
    [
        ({"revision": 1, "cells": {"E9": "R1"}}, "cells.E9"),
        *(({"revision": 1, "cells": {"A1": die}}, "cells.A1") for die in ("X6", "R7", {"color": "R"})),
        ({"revision": 1, "cells": ["A1"]}, "cells"),
        ({"revision": 1, "public": ["Light Shades", "No Such Card"]}, "public[1]"),
        *(({"revision": 1, "public": one}, "public") for one in (None, 7)),
        ({"revision": 1, "public": [*THREE, "Deep Shades"]}, None),
        ({"revision": 1, "public": [["Light Shades"]]}, "public[0]"),
        *(({"revision": 1, "private": one}, "private") for one in ("X", ["R"])),
        ({"revision": 1, "window": {}}, "window"),
        ({"revision": 1, "window": "Notre Dame"}, None),
        *(({"revision": 1, "favor_tokens": one}, "favor_tokens") for one in (-1, 7, "3", True)),
        ({"revision": 1, "checked": ["Z1"]}, "checked[0]"),
        ({"revision": 1, "checked": "A1"}, "checked"),
        *(({"revision": one}, "revision") for one in ("1", None)),
        ({}, "revision"),
    ],
)
def test_a_mistake_is_told_with_its_place(
    client: FlaskClient, body: dict[str, Any], where: str | None
) -> None:
    """What is wrong in what a program sends is told, with where if one place is, and nothing is changed."""
    made = client.post("/by-hand", json={"board": RULEBOOK}).get_json()
    refused = client.post(f"/w/{made['id']}", json=body)
    assert refused.status_code == 400
    assert refused.get_json()["error"].get("data", {}).get("where") == where
    assert client.get(f"/w/{made['id']}.json").get_json() == made


def test_a_window_says_what_the_command_line_says(client: FlaskClient) -> None:
    """Points, problems and removals of a window's JSON are those of `sagrada score --json`."""
    made = client.post("/by-hand", json={"board": RULEBOOK}).get_json()
    choices = {"public": THREE, "private": "P", "favor_tokens": 2, "window": "Fractal Drops"}
    told = client.post(f"/w/{made['id']}", json={"revision": 1, **choices}).get_json()
    public = [part for name in THREE for part in ("--public", name)]
    command = ["score", "--board", RULEBOOK, *public, "--private", "P", "--favor", "2"]
    said = json.loads(sagrada(*command, "--window", "Fractal Drops", "--json").output)
    assert {key: told[key] for key in JUDGED} == {key: said[key] for key in JUDGED}
    page = client.get(f"/w/{made['id']}").get_data(as_text=True)
    assert f'data-total="{said["total"]}"' in page
    for problem in said["problems"]:
        assert problem["message"] in page


def unbounded(schema: Any, place: str) -> list[str]:  # noqa: ANN401
    """Return the parts of a schema that have no bound."""
    if not isinstance(schema, dict):
        return []
    bound = {"string": "maxLength", "integer": "maximum", "number": "maximum", "array": "maxItems"}
    needed = bound.get(str(schema.get("type")))
    if "additionalProperties" in schema and schema["additionalProperties"] is not False:
        needed = "maxProperties"
    found = [place] if needed and not {needed, "enum", "const"} & set(schema) else []
    inner = {**schema.get("properties", {}), "items": schema.get("items")}
    inner |= {f"any{number}": one for number, one in enumerate(schema.get("anyOf", ()))}
    return found + [one for key, part in inner.items() for one in unbounded(part, f"{place}.{key}")]


def test_everything_that_is_sent_has_bounds(client: FlaskClient) -> None:
    """Each list, text and number of what an address takes says how large it may be."""
    told = document(client)
    posts = [path.get("post", {}) for path in told["paths"].values()]
    bodies = [post["requestBody"] for post in posts if "requestBody" in post]
    names = {body["content"]["application/json"]["schema"]["$ref"].rsplit("/", 1)[1] for body in bodies}
    assert len(names) > 20
    assert [one for name in names for one in unbounded(told["components"]["schemas"][name], name)] == []


def test_each_type_of_the_description_has_a_name_of_its_own() -> None:
    """The document knows types by their names: two of one name would describe each other's answers."""

    def below(kind: type[Any]) -> set[type]:
        return {one for sub in kind.__subclasses__() for one in (sub, *below(sub))}

    names = [one.__name__ for one in below(View) | below(Sent)]
    assert len(names) > 50
    assert sorted(names) == sorted(set(names))
