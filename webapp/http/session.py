"""Who asks, by the cookies of the browser, and what it is to keep: seats, windows, the cards on its table."""

from __future__ import annotations

from typing import cast

from flask import Flask, Response, current_app, g, has_request_context, request

from scoring import PublicObjective
from webapp.domain.games.codes import TOKEN_PATTERN, hashed
from webapp.domain.record import ID_PATTERN, Choices
from webapp.services import context
from webapp.services.access import game_store
from webapp.services.context import Companion, Visitor, Work
from webapp.storage.administration import LASTS

KEY = "sagrada"
WORK = "sagrada_work"
SEATS, DEVICE, ADMINISTRATOR = "seats", "device", "administrator"
SEATS_AGE_S = 180 * 24 * 3600
DEVICE_AGE_S = 2 * 365 * 24 * 3600
MOST_TOKENS = 60  # a table photo makes five at once; a cookie holds three times as many bytes
# What a program in between adds: then the visitor's own address is unknown, and never this computer's.
PASSED_ON = ("Forwarded", "X-Forwarded-For", "X-Real-IP", "Via")
SEVERAL = "several_photos"
SEVERAL_AGE_S = 600  # until its page is shown; a photo may wait for others
RECENT = "recent"
TABLE = "table"
MOST_RECENT = 8
RECENT_AGE_S = 90 * 24 * 3600
TABLE_AGE_S = 6 * 3600  # a game night: the next window belongs to the same table, with the same three cards


def recent() -> list[str]:
    """Return the ids of the last windows of this browser, newest first."""
    ids = request.cookies.get(RECENT, "").split(".")
    return [one for one in ids if ID_PATTERN.fullmatch(one)][:MOST_RECENT]


def remember(response: Response, record_id: str) -> Response:
    """Put a window at the front of this browser's list."""
    ids = [record_id, *(one for one in recent() if one != record_id)][:MOST_RECENT]
    response.set_cookie(RECENT, ".".join(ids), max_age=RECENT_AGE_S, httponly=True, samesite="Lax")
    return response


def remember_table(response: Response, choices: Choices) -> Response:
    """Keep the public objectives for the next window of the same game."""
    keys = ".".join(objective.name.lower() for objective in choices.public)
    response.set_cookie(TABLE, keys, max_age=TABLE_AGE_S, httponly=True, samesite="Lax")
    return response


def note_several_photos() -> None:
    """Let this page, or else the next one, say that of several photos in one request one was taken.

    A page that notes it again leaves it to the next one, too.
    """
    setattr(g, SEVERAL, True)


def came_with_others() -> bool:
    """Return whether the page has to say so."""
    return SEVERAL in g or SEVERAL in request.cookies


def register(app: Flask, companion: Companion) -> None:
    """Let requests of ``app`` work with ``companion``, and keep in the browser what it is to keep."""
    app.extensions[KEY] = companion
    context.provided_by(_work)

    @app.before_request
    def know_own_tools() -> None:
        context.own_tools()  # what people send may name them

    @app.after_request
    def hand_over(response: Response) -> Response:
        visitor = g.get(WORK).visitor if WORK in g else Visitor()
        if visitor.granted:
            kept = ".".join(_worth_keeping(visitor.tokens))
            response.set_cookie(SEATS, kept, max_age=SEATS_AGE_S, httponly=True, samesite="Lax")
        if visitor.device_given:
            device = visitor.device_given
            response.set_cookie(DEVICE, device, max_age=DEVICE_AGE_S, httponly=True, samesite="Lax")
        if (given := visitor.administrator_given) is not None:
            age = int(LASTS.total_seconds()) if given else 0
            response.set_cookie(ADMINISTRATOR, given, max_age=age, httponly=True, samesite="Strict")
        is_page = response.mimetype == "text/html" and response.location is None
        if SEVERAL in g and not is_page:
            response.set_cookie(SEVERAL, "1", max_age=SEVERAL_AGE_S, httponly=True, samesite="Lax")
        elif SEVERAL in request.cookies and SEVERAL not in g and is_page:
            response.delete_cookie(SEVERAL, httponly=True, samesite="Lax")
        return response


def companion_of(app: Flask) -> Companion:
    """Return what ``app`` works with."""
    return cast("Companion", app.extensions[KEY])


def _work() -> Work:
    """Return the work at hand: of this request, or of this context of the application."""
    if WORK not in g:
        setattr(g, WORK, Work(companion_of(current_app), _visitor()))
    return cast("Work", g.get(WORK))


def _visitor() -> Visitor:
    if not has_request_context():
        return Visitor()
    known = {objective.name.lower(): objective for objective in PublicObjective}
    objectives = [known.get(key) for key in request.cookies.get(TABLE, "").split(".")]
    shown = request.cookies.get(SEATS, "").split(".")
    return Visitor(
        address=request.remote_addr or "",
        passed_on=any(name in request.headers for name in PASSED_ON),
        public=tuple(dict.fromkeys(one for one in objectives if one))[:3],
        tokens=tuple(dict.fromkeys([one for one in shown if TOKEN_PATTERN.fullmatch(one)][:MOST_TOKENS])),
        device=_token(DEVICE) or None,
        administrator=_token(ADMINISTRATOR),
    )


def _token(name: str) -> str:
    token = request.cookies.get(name, "")
    return token if TOKEN_PATTERN.fullmatch(token) else ""


def _worth_keeping(held: tuple[str, ...]) -> list[str]:
    """Return as many tokens as a cookie keeps; first the oldest go without a game or a seat any more."""
    if len(held) <= MOST_TOKENS:
        return list(held)
    in_use = game_store().in_use([hashed(one) for one in held])
    kept = sorted(held, key=lambda one: hashed(one) not in in_use)[:MOST_TOKENS]
    return [one for one in held if one in kept]
