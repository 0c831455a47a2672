"""The games so far as JSON: what the page of the history shows, and its numbers.

Only revealed games are looked at, as on the page. Deleting one is ``DELETE /api/v1/games/<code>``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from flask import Blueprint, jsonify, request, url_for

from webapp import words
from webapp.errors import InputError, NotFoundError
from webapp.game_access import find, viewer
from webapp.history import Numbers, Play, Statistics, statistics
from webapp.history_export import game_json
from webapp.history_pages import plays
from webapp.history_push import push_link
from webapp.history_view import GAMES_A_PAGE

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

blueprint = Blueprint("history_api", __name__, url_prefix="/api/v1/history")


@blueprint.get("")
def show() -> ResponseReturnValue:
    """Return one page of the games so far, newest first, and what all of them add up to."""
    asked = request.args.get("page", "1")
    if not re.fullmatch(r"[0-9]{1,9}", asked) or int(asked) < 1:
        raise InputError("bad_request")
    number = int(asked)
    listed = plays()
    return jsonify(
        games=[_game(one) for one in listed[GAMES_A_PAGE * (number - 1) : GAMES_A_PAGE * number]],
        page=number,
        pages=max(1, -(-len(listed) // GAMES_A_PAGE)),
        statistics=_statistics(statistics(listed)),
        links={kind: url_for("history.export", kind=kind) for kind in ("json", "csv")},
    )


@blueprint.get("/<code>")
def show_game(code: str) -> ResponseReturnValue:
    """Return one revealed game."""
    found = plays(find(code).code)
    if not found:
        raise NotFoundError("not_revealed")
    return jsonify(_game(found[0]))


def _game(play: Play) -> dict[str, Any]:
    """Return a game as its file tells it, in the visitor's language, and where more of it is."""
    code, say = play.game.code, words.game_words()
    told = game_json(play, say)
    for player in told["players"]:
        player["picture"] = url_for("art.revealed_window", code=code, number=player["seat"])
    message = play.result.solo or play.result.standings
    return {
        **told,
        "message": say.say(message.sentence) if message else None,
        "host": viewer(play.game).is_host,
        "links": {
            "self": url_for("history_api.show_game", code=code),
            "page": url_for("games.reveal", code=code),
            **{kind: url_for("history.export_game", code=code, kind=kind) for kind in ("json", "csv")},
            "bg_stats": push_link(play),
        },
    }


def _statistics(told: Statistics) -> dict[str, Any]:
    return {
        "games": told.games,
        "totals": _numbers(told.totals),
        "best_names": list(dict.fromkeys(one.name for one in told.best)),
        "players": [
            {"name": one.name, "won": one.won, "totals": _numbers(one.totals)} for one in told.players
        ],
        "objectives": [
            {"name": one.objective.value, "points": _numbers(one.points)} for one in told.objectives
        ],
        "windows": [{"name": one.window.name, "totals": _numbers(one.totals)} for one in told.windows],
        "solo": {
            "games": told.solo.games,
            "won": told.solo.won,
            "lost": told.solo.lost,
            "totals": _numbers(told.solo.totals),
        },
    }


def _numbers(told: Numbers | None) -> dict[str, Any] | None:
    return {"times": told.times, "average": told.average, "best": told.best} if told else None
