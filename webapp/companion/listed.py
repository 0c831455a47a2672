"""Cards and colors by the names that the program lists them under, and by no others."""

from __future__ import annotations

from typing import TypeVar

from scoring import PRIVATE_OBJECTIVES, Color, HouseRule, PrivateObjective, PublicObjective, Tool
from scoring.errors import InvalidValueError
from scoring.lookup import color_called, house_rule_called, objective_called, private_called, tool_called
from scoring.sentences import sentence

Listed = TypeVar("Listed", Color, PublicObjective, Tool, HouseRule)

FINDERS = {
    Color: color_called,
    PublicObjective: objective_called,
    Tool: tool_called,
    HouseRule: house_rule_called,
}


def as_listed(name: str, kind: type[Listed]) -> Listed:
    """Return the card or color of exactly that name.

    Raises
    ------
    ScoringError
        There is none; the error suggests the nearest.
    """
    try:
        return kind(name)
    except ValueError:
        found = FINDERS[kind](name)
    raise not_as_listed(name, found.value)


def private_as_listed(name: str) -> PrivateObjective:
    """Return the private objective of that letter or exactly that name; it raises what `as_listed` raises."""
    for objective in PRIVATE_OBJECTIVES:
        if objective.value == name:
            return objective
    raise not_as_listed(name, private_called(name).value)


def not_as_listed(name: str, right: str) -> InvalidValueError:
    """Return the error for a name that is known, but written otherwise than it is listed."""
    return InvalidValueError(
        "not_as_listed",
        sentence('"{key}" must be written "{right}".', key=name, right=right),
        sentence("Look up at /api/v1/cards how names are written."),
    )
