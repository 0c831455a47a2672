"""Taking in what a program sent as JSON: bounded, of the right shape, and refused in words that say where.

What belongs there is said by a model of `pydantic`. What is wrong is said by a `Sentence`, which becomes text
in the visitor's language.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

from flask import request
from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler, ValidationError
from pydantic_core import CoreSchema, ErrorDetails, core_schema
from werkzeug.exceptions import RequestEntityTooLarge

from scoring.errors import SagradaError, ScoringError
from scoring.names import find_name
from scoring.sentences import Sentence, sentence
from webapp.web.errors import MediaTypeError, form_too_large

Taken = TypeVar("Taken", bound="Body")

NEXT_STEP = sentence("Look up at /api/v1/ what belongs there.")
LONGEST_KEY = 60
LONGEST_CARD_NAME = 60  # the longest name of a card in any language has 34


class Body(BaseModel):
    """What is sent to an action: exactly these keys, of exactly these types."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, allow_inf_nan=False)

    def sent(self, *keys: str) -> dict[str, Any]:
        """Return those of the keys that were sent; all that were without ``keys``."""
        sent = self.model_fields_set
        return {key: getattr(self, key) for key in keys or sent if key in sent}


@dataclass(frozen=True)
class Text:
    """Says of a type that it is sent as a text of at most ``most`` characters, which ``find`` understands.

    ``find`` raises a `ScoringError` where it does not. The name of a card is the usual text.
    """

    find: Callable[[str], object]
    most: int = LONGEST_CARD_NAME

    def __get_pydantic_core_schema__(self, _source: object, _handler: GetCoreSchemaHandler) -> CoreSchema:
        """Return how pydantic checks it."""
        text = core_schema.str_schema(max_length=self.most, strict=True)
        return core_schema.no_info_after_validator_function(self.find, text)


class BodyError(SagradaError):
    """What was sent is not what the action takes; ``where`` names the place, such as ``players[0].name``."""

    def __init__(self, code: str, what: Sentence, advice: Sentence = NEXT_STEP, where: str = "") -> None:
        super().__init__(code, what, advice, {"where": where} if where else None)


def received(model: type[Taken], most_bytes: int) -> Taken:
    """Return the JSON that was sent, checked.

    Raises
    ------
    BodyError
        It is no JSON, or not what ``model`` says.
    TooLargeError
        It is larger than ``most_bytes``.
    MediaTypeError
        It is something else than JSON.
    """
    if request.mimetype and not request.is_json:
        raise MediaTypeError("not_json")
    request.max_content_length = most_bytes
    try:
        sent = request.get_data()
    except RequestEntityTooLarge:
        raise form_too_large(most_bytes) from None
    try:
        return model.model_validate_json(sent.removeprefix(codecs.BOM_UTF8))
    except ValidationError as error:
        raise _refused(model, error.errors(include_url=False)) from None


def _refused(model: type[Body], mistakes: list[ErrorDetails]) -> BodyError:
    """Return the error for what is wrong, first for an unknown key: it may be why another one is missing."""
    mistake = next((one for one in mistakes if one["type"] == "extra_forbidden"), mistakes[0])
    place = [part for part in mistake["loc"] if part != "[key]"]
    where = _path(place)
    cause = mistake.get("ctx", {}).get("error")
    if isinstance(cause, ScoringError):
        return BodyError(cause.code, cause.sentence, cause.advice, where)
    if mistake["type"] == "extra_forbidden":
        key = str(place[-1])[:LONGEST_KEY]
        try:
            right = find_name(key, _expected(model, place[:-1])["properties"], "key")
        except ScoringError as unknown:
            return BodyError(unknown.code, unknown.sentence, unknown.advice, where[: 5 * LONGEST_KEY])
        what = sentence('"{key}" must be written "{right}".', key=key, right=right)
        return BodyError("unknown_key", what, where=where)
    if not place:
        return BodyError("bad_request", sentence("Send one JSON object."))
    if mistake["type"] == "missing":
        return BodyError("bad_request", sentence('"{key}" is missing.', key=where), where=where)
    return BodyError("bad_request", _what_belongs(where, _expected(model, place)), where=where)


def _path(place: Sequence[str | int]) -> str:
    """Return a place as people write it.

    >>> _path(["players", 0, "favor_tokens"])
    'players[0].favor_tokens'
    """
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in place).removeprefix(".")


def _what_belongs(where: str, expected: dict[str, Any]) -> Sentence:
    """Say what a JSON Schema expects."""
    match expected:
        case {"enum": choices}:
            told = ", ".join(map(str, choices))
            made = sentence('"{key}" must be one of these: {choices}.', key=where, choices=told)
        case {"type": "integer", "minimum": least, "maximum": most}:
            made = sentence(
                '"{key}" must be a whole number from {least} to {most}.', key=where, least=least, most=most
            )
        case {"type": "number", "minimum": least, "maximum": most}:
            made = sentence(
                '"{key}" must be a number from {least} to {most}.', key=where, least=least, most=most
            )
        case {"type": "boolean"}:
            made = sentence('"{key}" must be true or false.', key=where)
        case {"type": "array", "maxItems": most}:
            least = expected.get("minItems", 0)
            made = sentence(
                '"{key}" must be a list of {least} to {most} entries.', key=where, least=least, most=most
            )
        case {"type": "object"}:
            most = expected.get("maxProperties", len(expected.get("properties", ())))
            made = sentence('"{key}" must be an object of at most {most} keys.', key=where, most=most)
        case _:
            most = expected["maxLength"]
            made = sentence('"{key}" must be a text of at most {most} characters.', key=where, most=most)
    return made


@cache
def _schema(model: type[Body]) -> dict[str, Any]:
    return model.model_json_schema()


def _expected(model: type[Body], place: Sequence[str | int]) -> dict[str, Any]:
    """Return the JSON Schema of what belongs at a place, without the null that may stand there too."""
    whole = _schema(model)

    def meant(part: dict[str, Any]) -> dict[str, Any]:
        if "anyOf" in part:
            return meant(next(one for one in part["anyOf"] if one.get("type") != "null"))
        if "$ref" in part:
            return meant(whole["$defs"][part["$ref"].rsplit("/", 1)[1]])
        return part

    found = meant(whole)
    for step in place:
        if isinstance(step, int):
            inner = found["prefixItems"][step] if "prefixItems" in found else found["items"]
        else:
            inner = found.get("properties", {}).get(step) or found["additionalProperties"]
        found = meant(inner)
    return found
