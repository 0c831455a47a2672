"""The games so far: the page, its files, and the way to hand a play over to another app.

Only revealed games are looked at. A game in play appears nowhere here, nor does one whose reveal was closed.
"""

from __future__ import annotations

from flask import Blueprint, Response, render_template, request
from flask.typing import ResponseReturnValue

from webapp.services.careers import career
from webapp.services.errors import InputError
from webapp.services.games.codes import typed_code
from webapp.services.history import GAMES_A_PAGE, Play, statistics, to_csv, to_json
from webapp.views import charts
from webapp.views.frame import paged
from webapp.web import game_actions
from webapp.web.access import play_of, plays, viewer
from webapp.web.faces import Sent, face, gone
from webapp.web.language import one_place, wants_json

blueprint = Blueprint("history", __name__)

KINDS = {"json": (to_json, "application/json"), "csv": (to_csv, "text/csv")}


@blueprint.get("/history")
def show() -> ResponseReturnValue:
    """List the games so far and what they add up to; as JSON they are the file of all games."""
    listed = plays()
    if wants_json():
        return _file(listed, "json", "sagrada-games")
    return render_template(
        "history.html",
        page=paged(listed, request.args.get("page", 1, type=int), GAMES_A_PAGE),
        numbers=(numbers := statistics(listed)),
        charts=charts.of_all(listed, numbers.players),
        viewer=viewer,
        one_place=one_place,
    )


@blueprint.get("/history/player")
def player() -> ResponseReturnValue:
    """Show the games of one player, and against another one where that is asked for."""
    found = career(plays(), request.args.get("name", ""))
    other = request.args.get("other")
    return render_template(
        "player.html",
        career=found,
        duel=found.duel(other) if other else None,
        charts=charts,
        one_place=one_place,
    )


@blueprint.get("/history/export.<any(json, csv):kind>")
def export(kind: str) -> ResponseReturnValue:
    """Hand out all revealed games as a file."""
    return _file(plays(), kind, "sagrada-games")


@blueprint.get("/g/<code>/export.<any(json, csv):kind>")
def export_game(code: str, kind: str) -> ResponseReturnValue:
    """Hand out one revealed game as a file."""
    found = play_of(typed_code(code))
    return _file([found], kind, f"sagrada-{found.game.code}")


class Sure(Sent):
    """Says that it is meant."""

    sure: bool = False


@blueprint.post("/history/<code>/delete")
@face(takes=Sure)
def delete(code: str, sent: Sure) -> ResponseReturnValue:
    """Remove a game with all windows and photos for good (host)."""
    if not sent.sure:
        raise InputError("not_confirmed")
    game_actions.delete(code)
    return gone("history.show")


def _file(listed: list[Play], kind: str, name: str) -> Response:
    write, mimetype = KINDS[kind]
    headers = {"Content-Disposition": f'attachment; filename="{name}.{kind}"', "Cache-Control": "no-store"}
    return Response(write(listed), content_type=f"{mimetype}; charset=utf-8", headers=headers)
