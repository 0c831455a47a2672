"""The description of the JSON interface: for programs as an OpenAPI document, for people as a page.

It is made from the routes as they are declared in the modules named here; see `webapp.api.section`.
"""

from __future__ import annotations

import ast
import re
import sys
from functools import cache
from http import HTTPStatus
from importlib.metadata import PackageNotFoundError, version
from inspect import cleandoc, getsource
from itertools import pairwise
from typing import Any

from flask import render_template
from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core.core_schema import DataclassSchema, ModelSchema, TypedDictSchema

from webapp.api import (
    address,
    cards,
    games,
    history,
    house,
    placement,
    players,
    profiles,
    readings,
    remembered,
    rules,
    samples,
    tables,
    windows,
)
from webapp.api.answers import ErrorAnswer
from webapp.api.section import Action, Section

Schema = dict[str, Any]

blueprint = Section(
    "api_document",
    heading="Description",
    about="The description of this interface, also for people at `/api/v1/`.",
)

INTRODUCTION = """\
Everything that the pages of Sagrada Companion do, as JSON, on the computer that serves them.

- A board is four rows of five dice: `Y5 -- R4 Y5 B1 / P2 B4 Y6 G2 R3 / ...`. Each die is a color letter
  (R Y G B P) and a value; `--` is an empty space. Spaces are called A1 (top left) to D5.
- Cards go by their English names; see `/api/v1/cards`.
- Names and sentences for people come in the language of `Accept-Language` or `?lang=`.
- What can be changed has a `revision`. Send the one that you saw: when somebody changed the same thing since,
  the answer is 409 and nothing is lost.
- Every error has the shape `{"error": {"code", "message", "next_step"}}`. The code is for programs; `"data"`
  beside it may name `where` in what was sent the mistake is.
- Keys that an action does not know are refused, and every list, text and number has its bounds.
- Pages of other sites cannot use these addresses from a browser: changes that another origin asks for are
  refused.
"""

SOMETHING_WRONG = (
    "Something went wrong. With 429 and 503 the header `Retry-After` says in how many seconds to come again; "
    "507 says that the disk is full, on which deleting still works."
)
STATUSES = {
    200: "Done.",
    201: "Made.",
    204: "Done; there is nothing to say.",
    304: "Nothing has changed.",
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

PLACES: dict[str, tuple[Schema, str]] = {
    "record_id": ({"type": "string", "pattern": "^[A-Za-z0-9_-]{16}$"}, "The id of the reading."),
    "photo_id": ({"type": "string", "pattern": "^[A-Za-z0-9_-]{16}$"}, "The id of the photo."),
    "code": ({"type": "string"}, "The code of the game."),
    "name": ({"type": "string"}, "The name, as it is listed."),
    "window": ({"type": "string"}, "The name of the window, percent-encoded."),
    "tool": ({"type": "string"}, "The name of the tool card, percent-encoded."),
    "profile": ({"type": "string"}, "The key of the dice, as they are listed."),
    "number": ({"type": "integer", "minimum": 1}, "The number of the seat, or of the window."),
}


@blueprint.action("get", "/openapi.json", "getDocument")
def openapi() -> dict[str, Any]:
    """Get the description of this interface.

    An OpenAPI 3.1 document, in English.
    """
    return document()


@blueprint.get("/")
def page() -> str:
    """List the actions for people who write programs; the frame of the page is in their language."""
    _, *points = INTRODUCTION.split("\n- ")
    return render_template(
        "api.html",
        introduction=points,
        sections=sections(),
        paths=document()["paths"],
        braces=braces,
        fields_of=fields_of,
        kind_of=kind_of,
    )


MODULES = (
    *(readings, tables, samples, placement, rules, cards, windows, profiles),
    *(games, players, remembered, history, house, address),
)
"""The modules with routes below ``/api/v1`` in the order in which they are described; this one is last."""


def sections() -> list[Section]:
    """Return all sections in order."""
    return [*(module.blueprint for module in MODULES), blueprint]


# --- For programs ----------------------------------------------------------------------------------


class _Schemas(GenerateJsonSchema):
    """The schemas that pydantic makes, with what is written below each field."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ANN401, ARG002
        """Never say the name of a field a second time."""
        return False

    def typed_dict_schema(self, schema: TypedDictSchema) -> JsonSchemaValue:
        """Return the schema of an answer."""
        return _with_notes(super().typed_dict_schema(schema), schema["cls"])

    def dataclass_schema(self, schema: DataclassSchema) -> JsonSchemaValue:
        """Return the schema of a part of an answer that the companion has as it is."""
        return _with_notes(super().dataclass_schema(schema), schema["cls"])

    def model_schema(self, schema: ModelSchema) -> JsonSchemaValue:
        """Return the schema of a request."""
        return _with_notes(super().model_schema(schema), schema["cls"])


def _with_notes(schema: Schema, kind: type) -> Schema:
    del schema["title"]
    for name, note in _notes(kind).items():
        schema["properties"][name.rstrip("_")].setdefault("description", note)
    for one in schema["properties"].values():
        if one.get("default", ...) is None:  # which says that the key may be left out, not what stands for it
            del one["default"]
    return schema


def _notes(kind: type) -> dict[str, str]:
    """Return what is written below the fields of a type and of those that it extends."""
    bases = getattr(kind, "__orig_bases__", kind.__bases__)
    inherited = [_notes(base) for base in bases if isinstance(base, type)]
    own = _notes_in(kind.__module__).get(kind.__name__, {}) if kind.__module__.startswith("webapp.") else {}
    return {name: note for notes in (*inherited, own) for name, note in notes.items()}


@cache
def _notes_in(module: str) -> dict[str, dict[str, str]]:
    """Return what is written below the fields of each type of a module, which pydantic reads slowly."""
    return {
        kind.name: {
            field.target.id: " ".join(note.value.value.split())
            for field, note in pairwise(kind.body)
            if isinstance(field, ast.AnnAssign)
            and isinstance(field.target, ast.Name)
            and isinstance(note, ast.Expr)
            and isinstance(note.value, ast.Constant)
            and isinstance(note.value.value, str)
        }
        for kind in ast.parse(getsource(sys.modules[module])).body
        if isinstance(kind, ast.ClassDef)
    }


@cache
def document() -> Schema:
    """Return the whole document."""
    found = [(section, action) for section in sections() for action in section.actions]
    kinds: dict[tuple[str, str], Any] = {("Error", "error"): ErrorAnswer}
    for _, one in found:
        parts = {"takes": one.takes, "form": one.form, "answer": one.answer, **one.query}
        kinds |= {(one.name, part): kind for part, kind in parts.items() if kind is not None}
    adapters = {id(kind): TypeAdapter(kind) for kind in kinds.values()}
    made, shared = TypeAdapter.json_schemas(
        [
            (key, "validation" if key[1] == "takes" else "serialization", adapters[id(kind)])
            for key, kind in kinds.items()
        ],
        schema_generator=_Schemas,
        ref_template="#/components/schemas/{model}",
    )
    schemas = {key: schema for (key, _), schema in made.items()}
    paths: dict[str, Schema] = {}
    for section, action in found:
        paths.setdefault(braces(action.path), {})[action.method] = _operation(section, action, schemas)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Sagrada Companion",
            "version": _version(),
            "license": {"name": "MIT", "identifier": "MIT"},
            "description": INTRODUCTION,
        },
        "servers": [{"url": "/", "description": "The computer that serves the page"}],
        "tags": [{"name": one.heading, "description": one.about} for one in sections()],
        "paths": paths,
        "components": {
            "schemas": shared["$defs"],
            "responses": {"Error": _content(SOMETHING_WRONG, schemas["Error", "error"])},
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


def _operation(section: Section, action: Action, schemas: dict[tuple[str, str], Schema]) -> Schema:
    summary, _, description = cleandoc(action.about).partition("\n\n")
    operation: Schema = {
        "operationId": action.name,
        "tags": [section.heading],
        "summary": summary.removesuffix("."),
        "security": [{"seats": []}, {}] if section.by_seat else [],
        "description": " ".join(description.split()),
        "parameters": [
            *(_in_path(name) for name in re.findall(r"\{(\w+)\}", braces(action.path))),
            *(_in_query(name, schemas[action.name, name]) for name in action.query),
        ],
    }
    sent = {
        kind: {"schema": schemas[action.name, part]}
        for kind, part in (("multipart/form-data", "form"), ("application/json", "takes"))
        if (action.name, part) in schemas
    }
    operation["requestBody"] = {"required": True, "content": sent} if sent else None
    error = schemas["Error", "error"]
    responses = {
        str(int(action.status)): _content(STATUSES[action.status], schemas.get((action.name, "answer"))),
        **{
            str(int(status)): _content(STATUSES[status], error if status >= HTTPStatus.BAD_REQUEST else None)
            for status in action.errors
        },
        "default": {"$ref": "#/components/responses/Error"},
    }
    return {**{key: value for key, value in operation.items() if value}, "responses": responses}


def _in_path(name: str) -> Schema:
    schema, about = PLACES[name]
    return {"name": name, "in": "path", "required": True, "schema": schema, "description": about}


def _in_query(name: str, schema: Schema) -> Schema:
    plain = {key: value for key, value in schema.items() if key != "description"}
    return {"name": name, "in": "query", "schema": plain, "description": schema.get("description", "")}


def _content(about: str, schema: Schema | None) -> Schema:
    return {"description": about, **({"content": {"application/json": {"schema": schema}}} if schema else {})}


def braces(path: str) -> str:
    """Return a path of Flask as the document writes it.

    >>> braces("/api/v1/games/<code>/players/<int:number>")
    '/api/v1/games/{code}/players/{number}'
    """
    return re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", path)


def _version() -> str:
    """Return the version of the program; one that runs from its folder without being installed has none."""
    try:
        return version("sagrada-companion")
    except PackageNotFoundError:
        return "0"


# --- For people ------------------------------------------------------------------------------------


def fields_of(schema: Schema) -> list[tuple[str, Schema, bool]]:
    """Return the keys of an object, one level deep: name, schema, and whether it must be there."""
    whole = _named(schema)
    required = whole.get("required", ())
    return [(name, one, name in required) for name, one in whole.get("properties", {}).items()]


def _named(schema: Schema) -> Schema:
    """Return the schema that is meant."""
    if "$ref" not in schema:
        return schema
    named: Schema = document()["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
    return named


def kind_of(schema: Schema) -> str:
    """Return in a word or two what stands there."""
    if "$ref" in schema:
        name, named = schema["$ref"].rsplit("/", 1)[1], _named(schema)
        return f"{name} {kind_of(named)}" if "properties" in named else name
    if "anyOf" in schema:
        return " or ".join(kind_of(one) for one in schema["anyOf"])
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    kind = str(schema.get("type", "anything"))
    if kind == "array" and "items" in schema:
        return f"list of {kind_of(schema['items'])}"
    if kind == "object" and "properties" in schema:
        return "{" + ", ".join(schema["properties"]) + "}"
    return kind
