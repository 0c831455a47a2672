"""The players who are remembered, as JSON; each changes how they look at their own seat."""

from __future__ import annotations

from flask import url_for
from typing_extensions import TypedDict  # pydantic wants it before Python 3.12

from webapp.api.answers import Color
from webapp.api.section import Section
from webapp.services.players import Player
from webapp.web import player_actions

blueprint = Section(
    "remembered_api",
    "/players",
    heading="Remembered players",
    about="Who sat at a table before, with the color and the picture they chose there.",
)


class Look(TypedDict):
    """How a player looks at the table."""

    color: Color | None
    """The color at the table, which has nothing to do with the private objective."""
    picture: str | None
    """Where the picture is."""


class Remembered(Look):
    """A player who is remembered."""

    name: str


class RememberedPlayers(TypedDict):
    """Everybody who is remembered, the one seen last first."""

    players: list[Remembered]


@blueprint.action("get", "", "listPlayers")
def show() -> RememberedPlayers:
    """List the players who are remembered, the one seen last first."""
    return {"players": [{"name": one.name, **look(one)} for one in player_actions.known().values()]}


def look(player: Player) -> Look:
    """Return how a player looks at the table."""
    return {
        "color": player.color.value if player.color else None,
        "picture": url_for("players.picture", player=player.id) if player.picture else None,
    }
