"""The administrator's page: what lies on the computer that serves the page, for how long, and all games."""

from __future__ import annotations

from flask import Blueprint, Response, make_response, redirect, request, url_for
from flask.typing import ResponseReturnValue

from scoring.errors import SagradaError
from webapp.pages.frame import page, whole
from webapp.services.quotas import Kind
from webapp.storage.administration import KEEP_DAYS
from webapp.web import administrator, expiry, house
from webapp.web.language import one_place

blueprint = Blueprint("house", __name__)


@blueprint.get("/house")
def show() -> ResponseReturnValue:
    """Show what there is to the administrator, and ask everybody else for the PIN."""
    return _page()


def _page(error: SagradaError | None = None) -> Response:
    if not administrator.is_here():
        return page("house.html", error, house=None)
    number = max(1, request.args.get("page", 1, type=int))
    games, pages = house.games(number)
    is_local = administrator.at_this_computer()
    return page(
        "house.html",
        error,
        house=house.overview(),
        pin=administrator.kept().pin() if is_local else None,
        kinds=Kind,
        keep_days=expiry.settings().keep_days,
        choices=KEEP_DAYS,
        one_place=one_place,
        games=games,
        newer=number - 1 if number > 1 else None,
        older=number + 1 if number < pages else None,
        done=request.args.get("done"),
    )


@blueprint.post("/house/pin")
def let_in() -> ResponseReturnValue:
    """Make this device the administrator's, when the PIN is right."""
    try:
        administrator.let_in(request.form.get("pin", ""))
    except SagradaError as error:
        return _page(error)
    return _back()


@blueprint.post("/house/leave")
def leave() -> ResponseReturnValue:
    """Let this device be one as any other."""
    administrator.leave()
    return _back()


@blueprint.post("/house/new-pin")
def renew_pin() -> ResponseReturnValue:
    """Take another PIN."""
    administrator.renew_pin()
    return _back("pin")


@blueprint.post("/house/keep")
def keep() -> ResponseReturnValue:
    """Set after how many days windows and photos go that belong to no game."""
    expiry.keep_for(whole("days") if request.form.get("days") else None)
    return _back("kept")


@blueprint.post("/house/games/<code>")
def put_right(code: str) -> ResponseReturnValue:
    """Delete a game, or become its host again."""
    if request.form.get("do") == "delete":
        house.delete_game(code)
        return _back("deleted")
    house.take_over(code)
    return redirect(url_for("games.table", code=code), 303)


def _back(done: str | None = None) -> Response:
    return make_response(redirect(url_for("house.show", done=done), 303))
