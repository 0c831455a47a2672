"""Holding every answer of the JSON interface against its own description, the OpenAPI document."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from flask import Flask, request, request_finished
from jsonschema import Draft202012Validator
from werkzeug.wrappers import Response

from webapp.api.document import document, sections
from webapp.api.section import Action

ERROR = {"$ref": "#/components/schemas/ErrorAnswer"}


def actions() -> list[Action]:
    """Return all actions in the order in which they are described."""
    return [action for section in sections() for action in section.actions]


def sent_to(action: Action) -> dict[str, dict[str, Any]]:
    """Return the schemas of what an action takes, by kind of content."""
    operation = document()["paths"][path_of(action.path)][action.method]
    content = operation.get("requestBody", {}).get("content", {})
    return {kind: one["schema"] for kind, one in content.items()}


@cache
def components() -> dict[str, Any]:
    """Return the named schemas, closed: a key that is not described is a mistake."""
    closed: dict[str, Any] = _closed(document()["components"])
    return closed


def _closed(part: Any) -> Any:  # noqa: ANN401
    if isinstance(part, list):
        return [_closed(one) for one in part]
    if not isinstance(part, dict):
        return part
    told = {key: _closed(value) for key, value in part.items()}
    if isinstance(told.get("properties"), dict) and told.get("type") == "object":
        told.setdefault("additionalProperties", False)
    return told


def misfits(schema: dict[str, Any], told: object) -> list[str]:
    """Return where ``told`` is not as a schema of the document says."""
    validator = Draft202012Validator({**_closed(schema), "components": components()})
    return [f"{error.json_path}: {error.message[:300]}" for error in validator.iter_errors(told)]


def path_of(rule: str) -> str:
    """Return the path in the document of a rule of the application.

    >>> path_of("/api/v1/games/<code>/players/<int:number>")
    '/api/v1/games/{code}/players/{number}'
    """
    return re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule)


def mistakes(response: Response) -> list[str]:
    """Return what the document says otherwise about the request at work and its answer."""
    operation: dict[str, Any] = {}
    if request.url_rule is not None:
        operation = (
            document()["paths"].get(path_of(request.url_rule.rule), {}).get(request.method.lower(), {})
        )
    status = str(response.status_code)
    if response.status_code >= 400:
        return misfits(ERROR, response.get_json(silent=True))
    if status not in operation.get("responses", {}):
        return ["is not described"]
    found = []
    described = operation["responses"][status].get("content", {})
    if described:
        found += misfits(described["application/json"]["schema"], response.get_json(silent=True))
    elif response.status_code != 304 and response.get_data():  # what a 304 has is cut off on the way out
        found.append("has content that is not described")
    if request.is_json and "requestBody" in operation:
        found += misfits(
            operation["requestBody"]["content"]["application/json"]["schema"], request.get_json()
        )
    return found


@contextmanager
def held_to_the_document() -> Iterator[list[str]]:
    """Note everything that any application answers otherwise than the document says, while the block runs.

    It is noted and not raised, because the application would answer an error of its own in its place.
    """
    noted: list[str] = []

    def look(sender: Flask, response: Response, **_: object) -> None:
        if not request.path.startswith("/api/v1/") or request.path == "/api/v1/":
            return
        if request.method not in {"HEAD", "OPTIONS"}:
            where = f"{request.method} {request.path} {response.status_code}"
            noted.extend(f"{where} {one}" for one in mistakes(response))

    with request_finished.connected_to(look):
        yield noted
