"""A seat that gets another device: the host's page with the link, and the page that the link opens.

The secret stands behind the ``#`` of the link. Browsers keep that part to themselves, so it gets into no log
and no history of a server; only the form of the page brings it here. A preview of the link seats nobody.
"""

from __future__ import annotations

from flask import Blueprint, Response, render_template, request
from flask.typing import ResponseReturnValue

from scoring.errors import SagradaError
from webapp.pages.frame import page
from webapp.pages.games import to_table
from webapp.phones import qr
from webapp.phones.join import link_to_seat
from webapp.services.errors import InputError
from webapp.services.games.codes import typed_code
from webapp.services.games.game import LINK_LIFETIME
from webapp.web import game_actions
from webapp.web.access import find, viewer

blueprint = Blueprint("seats", __name__)


@blueprint.post("/g/<code>/seats/<int:number>/link")
def make_link(code: str, number: int) -> ResponseReturnValue:
    """Show the host a new link for a player's seat, this once."""
    made = game_actions.invite(code, number)
    url, for_phones = link_to_seat(code, made)
    return render_template(
        "seat_link.html",
        code=code,
        name=made.seat.name,
        url=url,
        qr=qr.svg(url) if for_phones else None,
        minutes=int(LINK_LIFETIME.total_seconds() // 60),
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
    except InputError as error:
        game = find(code)
        if any(seat.former for seat in game.seats if seat.number in viewer(game).seats):
            return to_table(code)  # tapped twice, or gone back: the seat has moved here already
        return ask_page(code, error)


@blueprint.post("/g/<code>/open")
def let_in(code: str) -> ResponseReturnValue:
    """Let new players sit down again after a reveal, or no more."""
    game_actions.let_in(code, to_new=request.form.get("open") == "yes")
    return to_table(code)


def ask_page(code: str, error: SagradaError | None = None) -> Response:
    """Return the question, with what was refused where something was."""
    return page("take_seat.html", error, code=code)
