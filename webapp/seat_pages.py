"""A seat that gets another device: the host's page with the link, and the page that the link opens.

The secret stands behind the ``#`` of the link. Browsers keep that part to themselves, so it gets into no log
and no history of a server; only the form of the page brings it here. A preview of the link seats nobody.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, Response, jsonify, make_response, render_template, request, url_for

from webapp import error_words, game_actions, game_view, qr
from webapp.api import json_object
from webapp.game_access import find, viewer
from webapp.game_api import answer, flag, text
from webapp.game_pages import to_table
from webapp.games.codes import typed_code
from webapp.games.errors import GameError
from webapp.games.moving import LIFETIME, Invitation
from webapp.join import offer

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

blueprint = Blueprint("seats", __name__)


@blueprint.post("/g/<code>/seats/<int:number>/link")
def make_link(code: str, number: int) -> ResponseReturnValue:
    """Show the host a new link for a player's seat, this once."""
    made = game_actions.invite(code, number)
    url, for_phones = address_of(code, made)
    return render_template(
        "seat_link.html",
        table=game_view.table(find(code)),
        name=made.seat.name,
        url=url,
        qr=qr.svg(url) if for_phones else None,
        minutes=int(LIFETIME.total_seconds() // 60),
    )


@blueprint.get("/g/<code>/seat")
def ask(code: str) -> ResponseReturnValue:
    """Ask whether this device shall have the seat."""
    return ask_page(find(typed_code(code)).code)


@blueprint.post("/g/<code>/seat")
def take(code: str) -> ResponseReturnValue:
    """Give this device the seat that the link was made for."""
    try:
        return to_table(game_actions.take_seat(code, request.form.get("key", "").strip()).code)
    except GameError as error:
        game = find(code)
        if any(seat.former for seat in game.seats if seat.number in viewer(game).seats):
            return to_table(code)  # tapped twice, or gone back: the seat has moved here already
        return ask_page(code, error_words.problem(error.code), 400)


@blueprint.post("/g/<code>/open")
def let_in(code: str) -> ResponseReturnValue:
    """Let new players sit down again after a reveal, or no more."""
    game_actions.let_in(code, to_new=request.form.get("open") == "yes")
    return to_table(code)


@blueprint.post("/api/v1/games/<code>/players/<int:number>/link")
def make_link_as_json(code: str, number: int) -> ResponseReturnValue:
    """Make a link that brings a player's seat to another device; only this answer has it."""
    made = game_actions.invite(code, number)
    url, _ = address_of(code, made)
    told = {"url": url, "key": made.secret, "expires": made.expires.isoformat(timespec="seconds")}
    return make_response(jsonify(told), 201)


@blueprint.post("/api/v1/games/<code>/seat")
def take_as_json(code: str) -> ResponseReturnValue:
    """Give this device the seat that a ``key`` was made for."""
    return answer(game_actions.take_seat(code, text(json_object(), "key")))


@blueprint.put("/api/v1/games/<code>/open")
def let_in_as_json(code: str) -> ResponseReturnValue:
    """Say whether new players may sit down."""
    return answer(game_actions.let_in(code, to_new=flag(json_object(), "open")))


def ask_page(code: str, problem: dict[str, str] | None = None, status: int = 200) -> Response:
    """Return the question, with a problem to tell where there is one."""
    return make_response(render_template("take_seat.html", code=code, problem=problem), status)


def address_of(code: str, made: Invitation) -> tuple[str, bool]:
    """Return the link, and whether it is one that phones can reach."""
    found = offer(url_for("seats.ask", code=code)).url
    plain = found or url_for("seats.ask", code=code, _external=True)
    return f"{plain}#{made.secret}", found is not None
