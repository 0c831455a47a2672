"""The description of the JSON interface as an OpenAPI 3.1 document, one module a subject, written by hand.

`document` puts it together. The tests hold that it names exactly the routes of the application, and that
every answer given while they run fits it. Whoever adds a route below ``/api/v1`` adds an `Action` to the
module of its subject; a new module is named in `_SUBJECTS`.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from webapp.openapi import (
    address,
    cards,
    games,
    history,
    placement,
    players,
    readings,
    results,
    rules,
    samples,
    seats,
    shared,
    windows,
)
from webapp.openapi.parts import Action, Schema, ref
from webapp.openapi.words import in_other_words, words_in

__all__ = ["LEAD", "POINTS", "SECTIONS", "actions", "document"]

_SUBJECTS = (
    readings,
    samples,
    placement,
    rules,
    cards,
    windows,
    games,
    players,
    seats,
    results,
    history,
    address,
)

SECTIONS = {
    "Readings": "A reading is one window: a photo with the dice that were read in it, or dice entered by "
    "hand. Whoever knows its id may see and change it.",
    "Placement": "Where a die may go on a window, and why not elsewhere.",
    "Rules": "Windows in board notation, counted and checked without being kept.",
    "Cards": "What there is in the game, and this document.",
    "Windows": "The window cards of the game, and those that people of this house added.",
    "Games": "One to four players at a table. The cookie `seats` says who is who; keep it between requests.",
    "Players": "What each player does at the table. Of another player nothing is told before the reveal.",
    "History": "The games that were revealed here, and what they add up to.",
    "Address": "Where phones reach this computer.",
}
_BY_SEAT = {"Games", "Players", "History"}

INTRODUCTION = """\
Everything that the pages of Sagrada Companion do, as JSON, on the computer that serves them.

- A board is four rows of five dice: `Y5 -- R4 Y5 B1 / P2 B4 Y6 G2 R3 / ...`. Each die is a color letter
  (R Y G B P) and a value; `--` is an empty space. Spaces are called A1 (top left) to D5.
- Cards go by their English names; see `/api/v1/cards`.
- Names and sentences for people come in the language of `Accept-Language` or `?lang=`: en, fr, ja or ru.
- What can be changed has a `revision`. Send the one that you saw: when somebody changed the same thing since,
  the answer is 409 and nothing is lost.
- Every error has the shape `{"error": {"code", "message", "next_step"}}`. The code is for programs.
- Pages of other sites cannot use these addresses from a browser: changes that another origin asks for are
  refused.
"""
LEAD, *POINTS = (" ".join(part.split()) for part in INTRODUCTION.split("\n- "))

_ERRORS = {
    400: "The request says something that makes no sense, or that the game does not allow now.",
    403: "This device may not do that.",
    404: "There is no such thing (any more).",
    409: "Somebody else changed the same thing since the revision that was sent.",
    413: "What was sent is too large.",
    415: "What was sent is not written in the form that the address takes.",
    422: "The photo cannot be read, and the code says why.",
    429: "Too many wrong codes came from there. Wait a minute.",
    503: "A file on the computer that serves this page cannot be used now.",
}

_PARAMETERS: dict[str, tuple[Schema, str]] = {
    "record_id": ({"type": "string", "pattern": "^[A-Za-z0-9_-]{16}$"}, "The id of the reading."),
    "code": ({"type": "string"}, "The code of the game."),
    "name": ({"type": "string"}, "The name, as the list tells it."),
    "window": ({"type": "string"}, "The name of the window, percent-encoded."),
    "number": ({"type": "integer", "minimum": 1}, "The number of the seat."),
}


def actions() -> list[Action]:
    """Return all actions in the order in which they are shown."""
    return [action for subject in _SUBJECTS for action in subject.ACTIONS]


@cache
def document(language: str = "en") -> dict[str, Any]:
    """Return the whole document; what it says is in ``language``, the names in JSON never change."""
    say = words_in(language)
    described: dict[str, Any] = in_other_words(_document(), say)
    described["info"]["description"] = "\n".join([say(LEAD), "", *(f"- {say(point)}" for point in POINTS)])
    return described


def _document() -> dict[str, Any]:
    paths: dict[str, dict[str, Any]] = {}
    for action in actions():
        paths.setdefault(action.path, {})[action.method] = _operation(action)
    schemas = {name: schema for part in (shared, *_SUBJECTS) for name, schema in part.SCHEMAS.items()}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Sagrada Companion",
            "version": _version(),
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/", "description": "The computer that serves the page"}],
        "tags": [{"name": name, "description": about} for name, about in SECTIONS.items()],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "responses": {"Error": _content("Something went wrong.", ref("Error"))},
            "securitySchemes": {
                "seats": {
                    "type": "apiKey",
                    "in": "cookie",
                    "name": "seats",
                    "description": "Says which seats are this device's; set by starting and joining a game.",
                }
            },
        },
    }


def _operation(action: Action) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": action.name,
        "tags": [action.section],
        "summary": action.summary,
    }
    if action.section in _BY_SEAT:
        operation["security"] = [{"seats": []}, {}]
    if action.description:
        operation["description"] = action.description
    if parameters := _parameters(action):
        operation["parameters"] = parameters
    sent = {
        kind: {"schema": schema}
        for kind, schema in (("multipart/form-data", action.form), ("application/json", action.takes))
        if schema is not None
    }
    if sent:
        operation["requestBody"] = {"required": True, "content": sent}
    operation["responses"] = {
        **{str(status): _answer(status, schema) for status, schema in action.answers.items()},
        **{str(status): _content(_ERRORS[status], ref("Error")) for status in action.errors},
        "default": {"$ref": "#/components/responses/Error"},
    }
    return operation


def _parameters(action: Action) -> list[dict[str, Any]]:
    in_path = [
        {
            "name": name,
            "in": "path",
            "required": True,
            "schema": _PARAMETERS[name][0],
            "description": _PARAMETERS[name][1],
        }
        for name in re.findall(r"\{(\w+)\}", action.path)
    ]
    in_query = []
    for name, schema in action.query.items():
        plain = {key: value for key, value in schema.items() if key != "description"}
        in_query.append({"name": name, "in": "query", "schema": plain, "description": schema["description"]})
    return [*in_path, *in_query]


def _answer(status: int, schema: Schema | None) -> dict[str, Any]:
    about = {200: "Done.", 201: "Made.", 204: "Done; there is nothing to tell.", 304: "Nothing has changed."}[
        status
    ]
    return {"description": about} if schema is None else _content(about, schema)


def _content(about: str, schema: Schema) -> dict[str, Any]:
    return {"description": about, "content": {"application/json": {"schema": schema}}}


def _version() -> str:
    """Return the version of the program; one that runs from its folder without being installed has none."""
    try:
        return version("sagrada-companion")
    except PackageNotFoundError:
        return "0"
