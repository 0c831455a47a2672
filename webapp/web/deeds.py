"""What this device may add and change; what it did is written down, see `webapp.web.house`."""

from __future__ import annotations

import math
from datetime import UTC, datetime

from flask import Flask, Response, g, request

from webapp.companion.deeds import A_DAY, DAY, SHARED, Act, Kind
from webapp.companion.errors import ForbiddenError, TooManyError
from webapp.companion.games.codes import TOKEN_PATTERN, hashed, new_token
from webapp.store.deeds import DeedStore
from webapp.web import administrator, context
from webapp.web.ip import device_of, plain_ip

COOKIE = "device"
COOKIE_AGE_S = 2 * 365 * 24 * 3600
GIVEN = "device_token"


def register(app: Flask) -> None:
    """Hand over the token by which a device is known again as the one that added something."""

    @app.after_request
    def hand_over(response: Response) -> Response:
        if GIVEN in g:
            response.set_cookie(COOKIE, g.get(GIVEN), max_age=COOKIE_AGE_S, httponly=True, samesite="Lax")
        return response


def kept() -> DeedStore:
    """Return the deeds of the application at work."""
    return context.kept().deeds


def demand_room(kind: Kind, number: int = 1) -> None:
    """Raise `TooManyError` where this device added so much today that ``number`` more are too many.

    A device on loopback is a program in between, such as a proxy, or sits at the computer itself.
    """
    ip = plain_ip(request.remote_addr)
    if ip is None or ip.is_loopback:
        return
    until = kept().full_until(_device(), kind, max(1, A_DAY[kind] + 1 - number), DAY)
    if until is not None:
        wait_s = math.ceil((until - datetime.now(UTC)).total_seconds())
        raise TooManyError("too_many_today", data={"wait_s": max(1, wait_s)})


def demand_right(kind: Kind, name: str, *, of_last: bool = False) -> None:
    """Raise `ForbiddenError` where this device may not change what all games of the house use.

    Who added it may, and who did the last thing to it may where ``of_last`` says so.
    """
    token = _token()
    is_own = token is not None and kept().is_maker(kind, name, hashed(token), of_last=of_last)
    if not is_own and not administrator.is_here():
        raise ForbiddenError("others_added_it")


def note(kind: Kind, act: Act, *names: str, before: str | None = None) -> None:
    """Write down what this device did; who adds what all use is known again by a cookie."""
    token = _token() or g.get(GIVEN)
    if token is None and kind in SHARED:
        token = new_token()
        setattr(g, GIVEN, token)
    kept().add(kind, act, names, device=_device(), maker=hashed(token) if token else None, before=before)


def _token() -> str | None:
    token = request.cookies.get(COOKIE, "")
    return token if TOKEN_PATTERN.fullmatch(token) else None


def _device() -> str:
    return device_of(request.remote_addr or "")
