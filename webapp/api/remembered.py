"""The players who are remembered, as JSON; each changes how they look at their own seat."""

from __future__ import annotations

from flask import url_for
from typing_extensions import TypedDict  # pydantic wants it before Python 3.12

from webapp.api.answers import Color
from webapp.api.section import Section
from webapp.web import player_actions

blueprint = Section(
    "remembered_api",
    "/players",
    heading="Remembered players",
    about="Who sat at a table before, with the color and the picture they chose there.",
)


class Remembered(TypedDict):
    """A player who is remembered."""

    name: str
    color: Color | None
    """The color at the table, which has nothing to do with the private objective."""
    picture: str | None
    """Where the picture is."""


class RememberedPlayers(TypedDict):
    """Everybody who is remembered, the one seen last first."""

    players: list[Remembered]


@blueprint.action("get", "", "listPlayers")
def show() -> RememberedPlayers:
    """List the players who are remembered, the one seen last first."""
    return {
        "players": [
            {
                "name": one.name,
                "color": one.color.value if one.color else None,
                "picture": url_for("players.picture", player=one.id) if one.picture else None,
            }
            for one in player_actions.known().values()
        ]
    }
