"""Short ways to write the parts of an OpenAPI document that come again and again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "number"}
WHOLE: Schema = {"type": "integer"}
COUNT: Schema = {"type": "integer", "minimum": 0}
FLAG: Schema = {"type": "boolean"}
MOMENT: Schema = {"type": "string", "format": "date-time"}


def ref(name: str) -> Schema:
    """Return a reference to a named schema."""
    return {"$ref": f"#/components/schemas/{name}"}


def said(text: str, schema: Schema) -> Schema:
    """Return the schema with a description."""
    return {**schema, "description": text}


def many(schema: Schema, **bounds: Any) -> Schema:  # noqa: ANN401
    """Return the schema of a list; ``bounds`` are such as ``maxItems``."""
    return {"type": "array", "items": schema, **bounds}


def by_key(schema: Schema) -> Schema:
    """Return the schema of an object whose keys are no fixed ones."""
    return {"type": "object", "additionalProperties": schema}


def one_of(*values: str) -> Schema:
    """Return the schema of a text that is one of a few."""
    return {"type": "string", "enum": list(values)}


def or_null(schema: Schema) -> Schema:
    """Return a schema that allows null as well."""
    return {"anyOf": [schema, {"type": "null"}]}


def thing(properties: Mapping[str, Schema], *, optional: Sequence[str] = ()) -> Schema:
    """Return the schema of an object; all its keys are there but the ``optional`` ones."""
    required = [key for key in properties if key not in optional]
    return {"type": "object", "properties": dict(properties), **({"required": required} if required else {})}


def told(properties: Mapping[str, Schema], *required: str) -> Schema:
    """Return the schema of an object that is sent; only the ``required`` keys must be there."""
    return thing(properties, optional=[key for key in properties if key not in required])


@dataclass(frozen=True)
class Action:
    """What can be done at an address.

    Parameters
    ----------
    method, path
        Where, with parameters in braces.
    name
        The operation's id, such as ``readPhoto``.
    summary
        What it does, in a few words.
    section
        The heading it stands under; one of `webapp.openapi.SECTIONS`.
    answers
        The schema of each status that is no error; None for an answer without content.
    description
        What else there is to know.
    takes
        The schema of the JSON that is sent, None when there is none.
    form
        The schema of the form that is sent, for photos.
    query
        Parameters after the question mark: name and schema, whose description says what it does.
    errors
        The statuses of errors to reckon with.
    """

    method: str
    path: str
    name: str
    summary: str
    section: str
    answers: Mapping[int, Schema | None]
    description: str = ""
    takes: Schema | None = None
    form: Schema | None = None
    query: Mapping[str, Schema] = field(default_factory=dict)
    errors: Sequence[int] = ()
