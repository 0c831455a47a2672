"""The administrator's page: what lies on the computer that serves the page, for how long, and all games."""

from __future__ import annotations

from typing import Annotated, Literal

from flask import Response, request
from flask.typing import ResponseReturnValue
from pydantic import Field

from scoring.errors import SagradaError
from webapp.domain.quotas import Kind
from webapp.http.faces import Nothing, Pages, Sent, View, gone, shown
from webapp.http.preferences import one_place, wants_json
from webapp.services import access, administration, context
from webapp.storage.administration import KEEP_DAYS
from webapp.views.frame import Blank

blueprint = Pages("administration", __name__)


class AdministrationView(View):
    """What lies on the computer that serves the page, as its administrator sees it."""

    totals: dict[str, int]
    """How much there is of each kind."""
    keep_days: int | None
    """After how many days windows and photos go that belong to no game; null: they stay."""
    window_sets: list[str]
    free: int
    """How many bytes are free on the disk."""


@blueprint.get("/administration", answers=AdministrationView)
def show(error: SagradaError | None = None) -> Response:
    """Show what there is to the administrator, and ask everybody else for the PIN."""
    if not access.is_administrator() and not wants_json():
        return shown("administration.html", error=error)
    if error is not None and wants_json():
        raise error
    overview, settings = administration.overview(), administration.settings()
    number = max(1, request.args.get("page", 1, type=int))
    games, pages = administration.games(number)
    view = AdministrationView(
        totals={kind.value: found for kind, found in overview.totals.items()},
        keep_days=settings.keep_days,
        window_sets=list(settings.sets),
        free=overview.free,
    )
    return shown(
        "administration.html",
        view,
        error,
        lambda: {
            "kinds": Kind,
            "choices": KEEP_DAYS,
            "one_place": one_place,
            "games": games,
            "newer": number - 1 if number > 1 else None,
            "older": number + 1 if number < pages else None,
            "by_pin": bool(context.visitor().administrator),
            "done": request.args.get("done"),
        },
    )


class PinSent(Sent):
    """A PIN that was typed; blanks do not matter."""

    pin: Annotated[str, Field(max_length=100)] = ""


class KeepSent(Sent):
    """After so many days windows and photos go that belong to no game; null: they stay."""

    days: Annotated[int | None, Field(ge=1, le=10_000), Blank] = None


class GameSent(Sent):
    """What is done with a game: it is deleted, or this device becomes its host."""

    do: Literal["delete", "host"] = "host"


@blueprint.post("/administration/pin", answers=Nothing, takes=PinSent)
def let_in(sent: PinSent) -> ResponseReturnValue:
    """Make this device the administrator's, when the PIN is right."""
    try:
        access.let_administrator_in(sent.pin)
    except SagradaError as error:
        return show(error)
    return gone("administration.show")


@blueprint.post("/administration/leave", answers=Nothing)
def leave() -> ResponseReturnValue:
    """Let this device be one as any other."""
    access.leave_administration()
    return gone("administration.show")


@blueprint.post("/administration/keep", answers=Nothing, takes=KeepSent)
def keep(sent: KeepSent) -> ResponseReturnValue:
    """Set after how many days windows and photos go that belong to no game."""
    administration.keep_for(sent.days)
    return gone("administration.show", done="kept")


@blueprint.post("/administration/games/<code>", answers=Nothing, takes=GameSent)
def put_right(code: str, sent: GameSent) -> ResponseReturnValue:
    """Delete a game, or become its host again."""
    if sent.do == "delete":
        administration.delete_game(code)
        return gone("administration.show", done="deleted")
    administration.take_over(code)
    return gone("games.table", code=code)
