"""Taking in what a program sent as JSON, with errors that name the key and what belongs there."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, TypeVar

from scoring import Color, PublicObjective, Tool
from scoring.errors import InvalidValueError
from scoring.names import find_name
from scoring.words import Sentence, sentence

Thing = TypeVar("Thing")
Listed = TypeVar("Listed", Color, PublicObjective, Tool)

NEXT_STEP = sentence("Look up at /api/v1/ what belongs there.")


def only_known(told: Mapping[str, Any], keys: Collection[str]) -> None:
    """Refuse keys that the action does not know, so that none is left out because of a slip of the pen.

    Raises
    ------
    ScoringError
        There is such a key; the error suggests the nearest.
    """
    for key in told:
        if key not in keys and find_name(key, keys, "key") != key:
            raise _wrong(sentence('"{key}" is not written as it should be.', key=key))


def text(told: Mapping[str, Any], key: str, default: str | None = None) -> str:
    """Return a text; ``default`` when there is none, and without a default there must be one."""
    value = told.get(key, default)
    if not isinstance(value, str):
        raise _wrong(sentence('"{key}" must be a text.', key=key))
    return value


def each(told: Mapping[str, Any], key: str, find: Callable[[str], Thing]) -> tuple[Thing, ...]:
    """Return what ``find`` makes of each text of a list; a single text stands for a list of one."""
    value = told.get(key)
    listed = [] if value is None else [value] if isinstance(value, str) else value
    if not isinstance(listed, list) or not all(isinstance(one, str) for one in listed):
        raise _wrong(sentence('"{key}" must be a list of texts.', key=key))
    return tuple(find(one) for one in listed)


def names(told: Mapping[str, Any], key: str) -> list[str]:
    """Return a list of texts, which must be there."""
    value = told.get(key)
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise _wrong(sentence('"{key}" must be a list of texts.', key=key))
    return value


def as_listed(name: str, find: Callable[[str], Listed]) -> Listed:
    """Return the card or color that ``find`` finds, if ``name`` is written as the interface lists it."""
    found = find(name)
    if found.value != name:
        raise not_as_listed(name)
    return found


def not_as_listed(name: str) -> InvalidValueError:
    """Return the error for a name that is known, but written otherwise than the interface lists it."""
    return _wrong(sentence('"{key}" is not written as it should be.', key=name))


def count(told: Mapping[str, Any], key: str) -> int | None:
    """Return a whole number of 0 or more, None without one."""
    value = told.get(key)
    if value is not None and (type(value) is not int or value < 0):
        raise _wrong(sentence('"{key}" must be a whole number, 0 or more.', key=key))
    return value


def whole(told: Mapping[str, Any], key: str, least: int, most: int) -> int:
    """Return a whole number in a range, which must be there."""
    value = told.get(key)
    if type(value) is not int or not least <= value <= most:
        raise _wrong(
            sentence(
                '"{key}" must be a whole number from {least} to {most}.', key=key, least=least, most=most
            )
        )
    return value


def flag(told: Mapping[str, Any], key: str) -> bool:
    """Return a truth value, false without one."""
    value = told.get(key, False)
    if not isinstance(value, bool):
        raise _wrong(sentence('"{key}" must be true or false.', key=key))
    return value


def _wrong(what: Sentence) -> InvalidValueError:
    return InvalidValueError("bad_request", what, NEXT_STEP)
