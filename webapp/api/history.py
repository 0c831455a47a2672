"""The games so far as JSON: what the page of the history shows, and its numbers.

Only revealed games are looked at, as on the page. Deleting one is ``DELETE /api/v1/games/<code>``.
"""

from __future__ import annotations

import re
from typing import Annotated, cast

from flask import request, url_for
from pydantic import Field

from webapp.api import history_answers as answers
from webapp.api.section import Section
from webapp.services.careers import career
from webapp.services.errors import InputError
from webapp.services.history import GAMES_A_PAGE, Play, Statistics, game_json, push_link, statistics
from webapp.web.access import play_of, plays, viewer
from webapp.web.language import words

blueprint = Section(
    "history_api",
    "/history",
    heading="History",
    about="The games that were revealed here, and what they add up to.",
    by_seat=True,
)

NAME = Annotated[str, Field(description="What the player is called; case does not matter.")]
PAGE = Annotated[int, Field(ge=1, description="Which page of the games, from 1.")]


@blueprint.action("get", "", "listHistory", query={"page": PAGE}, errors=[400])
def show() -> answers.History:
    """List the games so far, a page of them newest first, with what all add up to."""
    asked = request.args.get("page", "1")
    if not re.fullmatch(r"[0-9]{1,9}", asked) or int(asked) < 1:
        raise InputError("bad_request")
    number = int(asked)
    listed = plays()
    return {
        "games": [_game(one) for one in listed[GAMES_A_PAGE * (number - 1) : GAMES_A_PAGE * number]],
        "page": number,
        "pages": max(1, -(-len(listed) // GAMES_A_PAGE)),
        "statistics": _statistics(statistics(listed)),
        "links": {
            "json": url_for("history.export", kind="json"),
            "csv": url_for("history.export", kind="csv"),
        },
    }


@blueprint.action("get", "/player", "getPlayerHistory", query={"name": NAME}, errors=[404])
def show_player() -> answers.Career:
    """Get what the games of one player add up to, also against each of the others."""
    found = career(plays(), request.args.get("name", ""))
    return {
        "name": found.name,
        "won": found.won,
        "totals": found.points,
        "games": [
            {
                "code": one.play.game.code,
                "revealed": one.play.revealed.isoformat(timespec="seconds"),
                "total": one.window.total,
                "place": one.window.place,
            }
            for one in found.games
        ],
        "best": found.best.play.game.code,
        "favorite_window": found.card.thing.name if found.card else None,
        "objectives": [{"name": one.thing.value, "points": one.points} for one in found.objectives],
        "sources": {
            "public": found.sources.public,
            "private": found.sources.private,
            "favor_tokens": found.sources.favor_tokens,
            "empty_cells": found.sources.empty_cells,
        },
        "head_to_head": [
            {
                "other": one.other,
                "won": one.won,
                "lost": one.lost,
                "tied": one.tied,
                "average_difference": one.average_difference,
                "games": [meeting.play.game.code for meeting in one.meetings],
            }
            for one in found.duels
        ],
    }


@blueprint.action("get", "/<code>", "getPlayedGame", errors=[404, 429])
def show_game(code: str) -> answers.PlayedGame:
    """Get one revealed game.

    Its host deletes it with `DELETE /api/v1/games/{code}`.
    """
    return _game(play_of(code))


def _game(play: Play) -> answers.PlayedGame:
    """Return a game as its file tells it, in the visitor's language, and where more of it is."""
    code, say = play.game.code, words()
    played = game_json(play, say)
    for player in played["players"]:
        player["picture"] = url_for("art.revealed_window", code=code, number=player["seat"])
    message = play.solo or play.outcome.standings
    links: answers.PlayedGameLinks = {
        "self": url_for("history_api.show_game", code=code),
        "page": url_for("games.reveal", code=code),
        "json": url_for("history.export_game", code=code, kind="json"),
        "csv": url_for("history.export_game", code=code, kind="csv"),
        "bg_stats": push_link(play),
    }
    whole = {
        **played,
        "message": say.say(message.sentence) if message else None,
        "host": viewer(play.game).is_host,
        "links": links,
    }
    return cast("answers.PlayedGame", whole)


def _statistics(found: Statistics) -> answers.Statistics:
    return {
        "games": found.games,
        "totals": found.totals,
        "best_names": list(found.best_names),
        "players": [{"name": one.thing, "won": one.won, "totals": one.points} for one in found.players],
        "players_unlisted": found.unlisted,
        "objectives": [{"name": one.thing.value, "points": one.points} for one in found.objectives],
        "windows": [{"name": one.thing.name, "totals": one.points} for one in found.windows],
        "solo": {
            "games": found.solo.games,
            "won": found.solo.won,
            "lost": found.solo.lost,
            "totals": found.solo.totals,
        },
    }
