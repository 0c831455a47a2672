"""A link that hands a play over to the app Board Game Stats.

Its makers describe the form on bgstatsapp.com under "Push plays to BG Stats from other apps or websites". The
program itself sends nothing: the link is there for people to tap.
"""

from __future__ import annotations

import json
from datetime import UTC
from typing import Any
from urllib.parse import quote

from webapp.companion.games.names import name_key
from webapp.companion.history import Play, PlayedWindow

ADDRESS = "https://app.bgstatsapp.com/createPlay.html"
SAGRADA_ON_BGG = 199561


def push_link(play: Play) -> str | None:
    """Return the address that hands a play over, None while nobody has a result."""
    if play.outcome.standings is None and play.solo is None:
        return None
    payload = json.dumps(push_data(play), ensure_ascii=False, separators=(",", ":"))
    return f"{ADDRESS}?data={quote(payload, safe='')}"


def push_data(play: Play) -> dict[str, Any]:
    """Return what the app is sent.

    Every yes or no is there although the form does not ask for it: others report that the app on Android
    stops without them. A game that is handed over again has the same id, and a player the same one in every
    game.
    """
    return {
        "sourceName": "Sagrada Companion",
        "sourcePlayId": f"{play.game.code}-{int(play.created.timestamp())}",
        "playDate": play.revealed.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S"),
        "game": {
            "name": "Sagrada",
            "sourceGameId": "sagrada",
            "bggId": SAGRADA_ON_BGG,
            "highestWins": True,
            "noPoints": False,
        },
        "players": [_player(play, one) for one in play.players],
    }


def _player(play: Play, player: PlayedWindow) -> dict[str, Any]:
    solo = play.solo
    place = 1 if play.game.solo else player.place
    starts = play.game.solo or (play.game.order_known and play.game.seats[0].number == player.number)
    return {
        "name": player.name,
        "sourcePlayerId": name_key(player.name),
        "score": player.total,
        "winner": solo.won if solo else place == 1,
        "startPlayer": starts,
        **({"rank": place} if place is not None else {}),
    }
