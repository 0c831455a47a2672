"""What this browser remembers: its last windows, and the cards that lie on its table."""

from __future__ import annotations

from flask import Response, request

from scoring import PublicObjective
from webapp.services.record import ID_PATTERN, Choices

RECENT = "recent"
TABLE = "table"
MOST_RECENT = 8
RECENT_AGE_S = 90 * 24 * 3600
TABLE_AGE_S = 6 * 3600  # a game night: the next window belongs to the same table, with the same three cards

_OBJECTIVES = {objective.name.lower(): objective for objective in PublicObjective}


def recent() -> list[str]:
    """Return the ids of the last windows of this browser, newest first."""
    ids = request.cookies.get(RECENT, "").split(".")
    return [one for one in ids if ID_PATTERN.fullmatch(one)][:MOST_RECENT]


def remember(response: Response, record_id: str) -> Response:
    """Put a window at the front of this browser's list."""
    ids = [record_id, *(one for one in recent() if one != record_id)][:MOST_RECENT]
    response.set_cookie(RECENT, ".".join(ids), max_age=RECENT_AGE_S, httponly=True, samesite="Lax")
    return response


def table_choices() -> Choices:
    """Return the choices for a new window: the public objectives that are on the table already."""
    keys = request.cookies.get(TABLE, "").split(".")
    known = [_OBJECTIVES[key] for key in keys if key in _OBJECTIVES]
    return Choices(public=tuple(dict.fromkeys(known))[:3])


def remember_table(response: Response, choices: Choices) -> Response:
    """Keep the public objectives for the next window of the same game."""
    keys = ".".join(objective.name.lower() for objective in choices.public)
    response.set_cookie(TABLE, keys, max_age=TABLE_AGE_S, httponly=True, samesite="Lax")
    return response
