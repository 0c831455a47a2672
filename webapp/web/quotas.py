"""What this device may add, and which of the things that all games share it may change."""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import cast

from flask import Flask, Response, current_app, g, request

from webapp.server.addresses import device_of, plain_ip
from webapp.services.errors import ForbiddenError, TooManyError
from webapp.services.games.codes import TOKEN_PATTERN, hashed, new_token
from webapp.services.quotas import A_DAY, DAY_S, Kind
from webapp.storage.owners import Owners
from webapp.web import administrator, context

KEY = "sagrada_quotas"
COOKIE = "device"
COOKIE_AGE_S = 2 * 365 * 24 * 3600
GIVEN = "device_token"


class Quotas:
    """Counts what each device added in the last 24 hours, in this process.

    Parameters
    ----------
    clock
        What tells the time in seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._added: dict[tuple[str, Kind], deque[float]] = {}

    def add(self, device: str, kind: Kind, number: int = 1) -> float:
        """Count ``number`` more and return 0, or the seconds to wait where they are too many."""
        now, most = self._clock(), A_DAY[kind]
        with self._lock:
            self._forget(now)
            added = self._added.setdefault((device, kind), deque())
            if added and (over := len(added) + number - most) > 0:
                return added[min(over, len(added)) - 1] + DAY_S - now
            added.extend([now] * min(number, most))
        return 0.0

    def _forget(self, now: float) -> None:
        for key, added in tuple(self._added.items()):
            while added and now - added[0] >= DAY_S:
                added.popleft()
            if not added:
                del self._added[key]


def register(app: Flask) -> None:
    """Let ``app`` count, and hand over the token by which a device is known again."""
    app.extensions[KEY] = Quotas()

    @app.after_request
    def hand_over(response: Response) -> Response:
        if GIVEN in g:
            response.set_cookie(COOKIE, g.get(GIVEN), max_age=COOKIE_AGE_S, httponly=True, samesite="Lax")
        return response


def owners() -> Owners:
    """Return who added what all games share."""
    return Owners(context.kept().database)


def demand_room(kind: Kind, number: int = 1) -> None:
    """Count ``number`` more; raise `TooManyError` where this device added too many today.

    A device on loopback is a program in between, such as a proxy, or sits at the computer itself.
    """
    ip = plain_ip(request.remote_addr)
    if ip is None or ip.is_loopback:
        return
    quotas = cast("Quotas", current_app.extensions[KEY])
    if (wait_s := quotas.add(device_of(request.remote_addr or ""), kind, number)) > 0:
        raise TooManyError("too_many_today", data={"wait_s": max(1, math.ceil(wait_s))})


def demand_right(kind: Kind, name: str) -> None:
    """Raise `ForbiddenError` unless this device added the thing, or is the administrator's."""
    token = _token()
    is_own = token is not None and owners().is_owner(kind, name, hashed(token))
    if not is_own and not administrator.is_here():
        raise ForbiddenError("others_added_it")


def own(kind: Kind, *names: str) -> None:
    """Note that this device added what all games share; a cookie tells it again."""
    token = _token() or g.get(GIVEN) or new_token()
    setattr(g, GIVEN, token)
    owners().add(kind, names, hashed(token))


def _token() -> str | None:
    token = request.cookies.get(COOKIE, "")
    return token if TOKEN_PATTERN.fullmatch(token) else None
