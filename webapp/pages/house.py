"""The page of this house: what lies on the computer that serves the page, who added what, and undoing it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta

from flask import Blueprint, Response, make_response, redirect, request, url_for
from flask.typing import ResponseReturnValue

from scoring.errors import SagradaError
from webapp.companion.deeds import REMEMBERED, Act, Deed, Kind
from webapp.companion.errors import InputError
from webapp.pages.frame import page, whole
from webapp.store.settings import KEEP_DAYS
from webapp.web import administrator, expiry, house
from webapp.web.language import gettext, one_place

blueprint = Blueprint("house", __name__)

SINCE = {"hour": timedelta(hours=1), "day": timedelta(days=1), "all": REMEMBERED}


WORDS: Mapping[tuple[Kind, Act], Callable[[str], str]] = {
    (Kind.WINDOW_READ, Act.ADDED): lambda _: gettext("A window was entered or read from a photo"),
    (Kind.TABLE, Act.ADDED): lambda _: gettext("A photo of the whole table was taken"),
    (Kind.GAME, Act.ADDED): lambda code: gettext("Game %(code)s was started", code=code),
    (Kind.PLAYER, Act.ADDED): lambda name: gettext("%(name)s sat down", name=name),
    (Kind.WINDOW, Act.ADDED): lambda name: gettext("The window “%(name)s” was added", name=name),
    (Kind.WINDOW, Act.CHANGED): lambda name: gettext("The window “%(name)s” was changed", name=name),
    (Kind.WINDOW, Act.DELETED): lambda name: gettext("The window “%(name)s” was deleted", name=name),
    (Kind.DICE, Act.ADDED): lambda name: gettext("The dice “%(name)s” were learned", name=name),
    (Kind.DICE, Act.CHANGED): lambda name: gettext("More was learned of the dice “%(name)s”", name=name),
    (Kind.CARD, Act.ADDED): lambda name: gettext("The card “%(name)s” was learned", name=name),
    (Kind.CARD, Act.DELETED): lambda name: gettext("The card “%(name)s” was forgotten", name=name),
}


@blueprint.get("/house")
def show() -> ResponseReturnValue:
    """Show what there is to the administrator, and ask everybody else for the PIN."""
    return _page()


def _page(error: SagradaError | None = None) -> Response:
    if not administrator.is_here():
        return page("house.html", error, house=None)
    number = max(1, request.args.get("page", 1, type=int))
    games, pages = house.games(number)
    device = request.args.get("device", "")
    is_local = administrator.at_this_computer()
    return page(
        "house.html",
        error,
        house=house.overview(),
        pin=administrator.kept().pin() if is_local else None,
        device=device,
        deeds=[(deed, _words(deed), house.can_undo(deed)) for deed in house.deeds_of(device)]
        if device
        else (),
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


@blueprint.post("/house/undo")
def undo() -> ResponseReturnValue:
    """Undo one deed, or all that a device did for some time."""
    device = request.form.get("device", "")
    if "deed" in request.form:
        house.undo(whole("deed"))
        return _back("undone", device)
    since = SINCE.get(request.form.get("since", ""))
    if since is None or not device:
        raise InputError("bad_request")
    house.undo_all(device, datetime.now(UTC) - since)
    return _back("undone", device)


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


def _words(deed: Deed) -> str:
    """Return what was done, in words. The ids of windows and photos are keys, so they are not told."""
    say = WORDS.get((deed.kind, deed.act)) or WORDS[deed.kind, Act.ADDED]
    return say(deed.name)


def _back(done: str | None = None, device: str | None = None) -> Response:
    return make_response(redirect(url_for("house.show", done=done, device=device or None), 303))
