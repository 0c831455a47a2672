"""Who may put right what others did: whoever sits at the computer that serves the page, or typed its PIN."""

from __future__ import annotations

import math
from typing import cast

from flask import Flask, Response, current_app, g, request

from webapp.server.addresses import device_of, is_own
from webapp.services.errors import ForbiddenError, InputError, TooManyError
from webapp.services.games.codes import TOKEN_PATTERN
from webapp.storage.administration import LASTS, PIN_FILE, Administrator
from webapp.web import context
from webapp.web.access import Attempts

KEY = "sagrada_pins"
COOKIE = "administrator"
GIVEN = "administrator_cookie"
# What a program in between adds: then the visitor's own address is unknown, and never this computer's.
PASSED_ON = ("Forwarded", "X-Forwarded-For", "X-Real-IP", "Via")


def register(app: Flask) -> None:
    """Let ``app`` count wrong PINs, and hand over what a device with the right one gets."""
    app.extensions[KEY] = Attempts()

    @app.after_request
    def hand_over(response: Response) -> Response:
        given = g.pop(GIVEN, None)
        if given is not None:
            age = int(LASTS.total_seconds()) if given else 0
            response.set_cookie(COOKIE, given, max_age=age, httponly=True, samesite="Strict")
        return response


def at_this_computer() -> bool:
    """Tell whether the visitor sits at the computer that serves the page."""
    passed_on = any(name in request.headers for name in PASSED_ON)
    return not passed_on and is_own(request.remote_addr)


def is_here() -> bool:
    """Tell whether the administrator asks."""
    return at_this_computer() or (bool(token := _token()) and kept().knows(token))


def demand() -> None:
    """Raise `ForbiddenError` where somebody else asks."""
    if not is_here():
        raise ForbiddenError("administrator_only")


def kept() -> Administrator:
    """Return the PIN of the application at work, and who typed it."""
    return Administrator(context.store().root / PIN_FILE)


def let_in(typed: str) -> None:
    """Make this device the administrator's.

    Raises
    ------
    InputError
        The PIN is wrong.
    TooManyError
        Too many wrong ones came from this device; who sits at the computer needs none.
    """
    attempts = cast("Attempts", current_app.extensions[KEY])
    visitor = device_of(request.remote_addr or "")
    if (wait_s := attempts.wait_s(visitor)) > 0:
        raise TooManyError("too_many_pins", data={"wait_s": math.ceil(wait_s)})
    token = kept().let_in("".join(typed.split()))
    if token is None:
        attempts.note(visitor)
        raise InputError("wrong_pin")
    setattr(g, GIVEN, token)


def leave() -> None:
    """Let this device be one as any other."""
    if token := _token():
        kept().forget(token)
    setattr(g, GIVEN, "")


def renew_pin() -> str:
    """Return a new PIN, which only the computer itself shows; phones have to type it."""
    if not at_this_computer():
        raise ForbiddenError("host_only")
    return kept().renew()


def _token() -> str:
    token = request.cookies.get(COOKIE, "")
    return token if TOKEN_PATTERN.fullmatch(token) else ""
