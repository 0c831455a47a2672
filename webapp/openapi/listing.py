"""The document as lists for the page that shows it to people."""

from __future__ import annotations

from typing import Any

from webapp.openapi import INTRODUCTION, SECTIONS, actions, document
from webapp.openapi.parts import Schema


def introduction() -> list[str]:
    """Return the points that hold for all actions."""
    points = INTRODUCTION.split("\n- ")[1:]
    return [" ".join(point.split()) for point in points]


def sections() -> list[dict[str, Any]]:
    """Return each section with its actions."""
    paths = document()["paths"]
    return [
        {
            "name": name,
            "about": about,
            "actions": [
                _listed(action.method, action.path, paths[action.path][action.method])
                for action in actions()
                if action.section == name
            ],
        }
        for name, about in SECTIONS.items()
    ]


def _listed(method: str, path: str, operation: dict[str, Any]) -> dict[str, Any]:
    bodies = operation.get("requestBody", {}).get("content", {})
    answers = {status: one for status, one in operation["responses"].items() if status != "default"}
    return {
        "id": operation["operationId"],
        "method": method.upper(),
        "path": path,
        "summary": operation["summary"],
        "description": operation.get("description", ""),
        "parameters": [
            _field(one["name"], one["schema"], one["description"], needed=one.get("required", False))
            for one in operation.get("parameters", [])
        ],
        "sent": [{"kind": kind, "fields": _fields(body["schema"])} for kind, body in bodies.items()],
        "answers": [
            {"status": status, "about": one["description"], "fields": _fields(_content(one))}
            for status, one in answers.items()
            if int(status) < 400
        ],
        "errors": [
            {"status": status, "about": one["description"]}
            for status, one in answers.items()
            if int(status) >= 400
        ],
    }


def _content(response: dict[str, Any]) -> Schema:
    found: Schema = response.get("content", {}).get("application/json", {}).get("schema", {})
    return found


def _fields(schema: Schema) -> list[dict[str, Any]]:
    """Return the keys of an object, one level deep."""
    whole = _named(schema)
    required = whole.get("required", [])
    return [
        _field(name, one, _named(one).get("description", one.get("description", "")), needed=name in required)
        for name, one in whole.get("properties", {}).items()
    ]


def _field(name: str, schema: Schema, about: str, *, needed: bool) -> dict[str, Any]:
    return {"name": name, "kind": _kind(schema), "about": about, "needed": needed}


def _named(schema: Schema) -> Schema:
    """Return the schema that is meant, with the description that stands beside a reference."""
    if "$ref" not in schema:
        return schema
    name = schema["$ref"].rsplit("/", 1)[1]
    named: Schema = document()["components"]["schemas"][name]
    return {**named, **{key: value for key, value in schema.items() if key != "$ref"}}


def _kind(schema: Schema) -> str:
    """Return in a word or two what stands there."""
    if "$ref" in schema:
        name, named = schema["$ref"].rsplit("/", 1)[1], _named(schema)
        keys = f" {_kind(named)}" if "properties" in named else ""
        return f"{name}{keys}"
    if "anyOf" in schema:
        return " or ".join(_kind(one) for one in schema["anyOf"])
    if "enum" in schema:
        return " | ".join(schema["enum"])
    kind = schema.get("type", "anything")
    if kind == "array":
        return f"list of {_kind(schema['items'])}"
    if kind == "object" and "properties" in schema:
        return "{" + ", ".join(schema["properties"]) + "}"
    return str(kind)
