"""The document as lists for the page that shows it to people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from webapp.openapi import LEAD, POINTS, SECTIONS, actions, document
from webapp.openapi.parts import Schema
from webapp.openapi.words import texts_in, words_in

LIST_OF = "list of {kind}"
OR = "{one} or {other}"
ANYTHING = "anything"


def texts() -> set[str]:
    """Return every text of the document and of its page, as it stands in the catalog."""
    own = {LEAD, *POINTS, *SECTIONS, LIST_OF, OR, ANYTHING}
    return own | set(texts_in({**document(), "info": {}}))


@dataclass(frozen=True)
class Listing:
    """The document in one language."""

    language: str

    def say(self, text: str) -> str:
        """Return a text in the language."""
        return words_in(self.language)(text)

    def introduction(self) -> list[str]:
        """Return the points that hold for all actions."""
        return [self.say(point) for point in POINTS]

    def sections(self) -> list[dict[str, Any]]:
        """Return each section with its actions."""
        paths = document(self.language)["paths"]
        return [
            {
                "id": name.lower(),
                "name": self.say(name),
                "about": self.say(about),
                "actions": [
                    self._listed(action.method, action.path, paths[action.path][action.method])
                    for action in actions()
                    if action.section == name
                ],
            }
            for name, about in SECTIONS.items()
        ]

    def _listed(self, method: str, path: str, operation: dict[str, Any]) -> dict[str, Any]:
        bodies = operation.get("requestBody", {}).get("content", {})
        answers = {status: one for status, one in operation["responses"].items() if status != "default"}
        return {
            "id": operation["operationId"],
            "method": method.upper(),
            "path": path,
            "summary": operation["summary"],
            "description": operation.get("description", ""),
            "parameters": [
                self._field(one["name"], one["schema"], one["description"], needed=one.get("required", False))
                for one in operation.get("parameters", [])
            ],
            "sent": [{"kind": kind, "fields": self._fields(body["schema"])} for kind, body in bodies.items()],
            "answers": [
                {"status": status, "about": one["description"], "fields": self._fields(_content(one))}
                for status, one in answers.items()
                if int(status) < 400
            ],
            "errors": [
                {"status": status, "about": one["description"]}
                for status, one in answers.items()
                if int(status) >= 400
            ],
        }

    def _fields(self, schema: Schema) -> list[dict[str, Any]]:
        """Return the keys of an object, one level deep."""
        whole = self._named(schema)
        required = whole.get("required", [])
        return [
            self._field(name, one, self._named(one).get("description", ""), needed=name in required)
            for name, one in whole.get("properties", {}).items()
        ]

    def _field(self, name: str, schema: Schema, about: str, *, needed: bool) -> dict[str, Any]:
        return {"name": name, "kind": self._kind(schema), "about": about, "needed": needed}

    def _named(self, schema: Schema) -> Schema:
        """Return the schema that is meant, with the description that stands beside a reference."""
        if "$ref" not in schema:
            return schema
        name = schema["$ref"].rsplit("/", 1)[1]
        named: Schema = document(self.language)["components"]["schemas"][name]
        return {**named, **{key: value for key, value in schema.items() if key != "$ref"}}

    def _kind(self, schema: Schema) -> str:
        """Return in a word or two what stands there."""
        if "$ref" in schema:
            name, named = schema["$ref"].rsplit("/", 1)[1], self._named(schema)
            keys = f" {self._kind(named)}" if "properties" in named else ""
            return f"{name}{keys}"
        if "anyOf" in schema:
            first, *others = map(self._kind, schema["anyOf"])
            for other in others:
                first = self.say(OR).format(one=first, other=other)
            return first
        if "enum" in schema:
            return " | ".join(schema["enum"])
        kind = schema.get("type", self.say(ANYTHING))
        if kind == "array":
            return self.say(LIST_OF).format(kind=self._kind(schema["items"]))
        if kind == "object" and "properties" in schema:
            return "{" + ", ".join(schema["properties"]) + "}"
        return str(kind)


def _content(response: dict[str, Any]) -> Schema:
    found: Schema = response.get("content", {}).get("application/json", {}).get("schema", {})
    return found
