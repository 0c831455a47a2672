"""Who asks about a game: the tokens of this device, what they allow, and how often a code may be wrong."""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from collections.abc import Callable, Collection
from typing import cast

from flask import Flask, Response, current_app, g, request

from webapp.server.addresses import device_of
from webapp.services.errors import ForbiddenError, NotFoundError, TooManyError
from webapp.services.games import codes
from webapp.services.games.game import Game
from webapp.services.games.result import Viewer, case_of, viewer_of
from webapp.services.history import Play, play
from webapp.services.judging import Judgement, judge
from webapp.services.record import Record
from webapp.storage.games import GameStore
from webapp.web import context

KEY = "sagrada_attempts"
COOKIE = "seats"
GRANTED = "granted_tokens"
REPLACED = "replaced_tokens"
COOKIE_AGE_S = 180 * 24 * 3600
MOST_TOKENS = 60  # a table photo makes five at once; a cookie holds three times as many bytes
MOST_WRONG = 10
FEW_WRONG = 2
MANY_WRONG_OF_ALL = 3000
WITHIN_S = 60.0


class Attempts:
    """Counts wrong codes by the device of the visitor, in this process.

    Nobody waits for what others guessed: whoever knows a code comes in. Guessing one of 85 million codes from
    all 254 addresses of a home network takes about twelve days. When more guess than a home network has
    devices, each of them gets fewer tries.

    Parameters
    ----------
    clock
        What tells the time in seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._all: deque[tuple[float, str]] = deque()
        self._each: dict[str, deque[float]] = {}

    def are_too_many(self, visitor: str) -> bool:
        """Tell whether the visitor has to wait."""
        return self.wait_s(visitor) > 0

    def wait_s(self, visitor: str) -> float:
        """Return for how many seconds the visitor has to wait."""
        with self._lock:
            self._forget()
            own = self._each.get(visitor, ())
            most = MOST_WRONG if len(self._all) < MANY_WRONG_OF_ALL else FEW_WRONG
            # So many of the newest would be just too many: the oldest of them has to be forgotten first.
            return own[-most] + WITHIN_S - self._clock() if len(own) >= most else 0.0

    def note(self, visitor: str) -> None:
        """Count a wrong code."""
        with self._lock:
            self._forget()
            now = self._clock()
            self._all.append((now, visitor))
            self._each.setdefault(visitor, deque()).append(now)

    def _forget(self) -> None:
        while self._all and self._clock() - self._all[0][0] >= WITHIN_S:
            _, visitor = self._all.popleft()
            own = self._each[visitor]
            own.popleft()
            if not own:
                del self._each[visitor]


def register(app: Flask) -> None:
    """Let ``app`` count wrong codes, and hand over the tokens that a device gets."""
    app.extensions[KEY] = Attempts()

    @app.after_request
    def hand_over(response: Response) -> Response:
        if GRANTED in g:
            response.set_cookie(
                COOKIE,
                ".".join(_worth_keeping(tokens())),
                max_age=COOKIE_AGE_S,
                httponly=True,
                samesite="Lax",
            )
        return response


def games() -> GameStore:
    """Return the games of the application at work."""
    return context.kept().games


def tokens() -> list[str]:
    """Return the tokens of this device, newest first; those that it gets with this answer are the newest."""
    shown = [one for one in request.cookies.get(COOKIE, "").split(".") if codes.TOKEN_PATTERN.fullmatch(one)]
    held = dict.fromkeys([*g.get(GRANTED, ()), *shown[:MOST_TOKENS]])
    replaced = g.get(REPLACED, ())
    return [one for one in held if codes.hashed(one) not in replaced]


def hashes() -> list[str]:
    """Return what the database knows of the tokens of this device."""
    return [codes.hashed(one) for one in tokens()]


def grant(token: str, *, in_place_of: Collection[str] = ()) -> None:
    """Let this device keep one more token.

    Those that it replaces, given as SHA-256, are forgotten; where there are still too many, first the oldest
    of those with which nobody is a host or has a seat any more.
    """
    setattr(g, GRANTED, (token, *g.get(GRANTED, ())))
    setattr(g, REPLACED, (*in_place_of, *g.get(REPLACED, ())))


def viewer(game: Game) -> Viewer:
    """Return who this device is in a game."""
    return viewer_of(game, hashes())


def game_of(record_id: str) -> Game | None:
    """Return the game that a window belongs to, None for one without a table."""
    found = games().of_window(record_id)
    return found[0] if found else None


def judged(record: Record) -> Judgement:
    """Return what the rules say about a window, at its table where it belongs to one."""
    return judge(case_of(record, game_of(record.id), context.known_windows()))


def plays() -> list[Play]:
    """Return the revealed games, newest first."""
    return context.kept().ended.plays(context.known_windows())


def play_of(code: str) -> Play:
    """Return the revealed game with this code, or raise `NotFoundError`; a wrong code is counted."""
    ended = games().ended(find(code).code)
    if ended is None:
        raise NotFoundError("not_revealed")
    return play(ended, context.known_windows())


def find(code: str) -> Game:
    """Return the game with this code.

    Raises
    ------
    NotFoundError
        No game has it; that is counted.
    TooManyError
        The visitor named too many codes that no game has. Who sits at the table is let through.
    """
    attempts = cast("Attempts", current_app.extensions[KEY])
    visitor = device_of(request.remote_addr or "")
    try:
        game = games().load(code)
    except NotFoundError:
        if attempts.are_too_many(visitor):
            raise _too_many(attempts, visitor) from None
        attempts.note(visitor)
        raise
    if attempts.are_too_many(visitor) and viewer(game).is_stranger:
        raise _too_many(attempts, visitor)
    return game


def _too_many(attempts: Attempts, visitor: str) -> TooManyError:
    return TooManyError("too_many_codes", data={"wait_s": max(1, math.ceil(attempts.wait_s(visitor)))})


def find_for_host(code: str) -> Game:
    """Return the game when this device is its host's."""
    game = find(code)
    if not viewer(game).is_host:
        raise ForbiddenError("not_the_host")
    return game


def find_at_table(code: str) -> Game:
    """Return the game when this device has a place at its table."""
    game = find(code)
    if viewer(game).is_stranger:
        raise ForbiddenError("not_at_the_table")
    return game


def find_for_seat(code: str, number: int, *, or_host: bool = False) -> Game:
    """Return the game when the seat is this device's own, or where that is enough, when it is the host's."""
    game = find(code)
    asking = viewer(game)
    if number not in asking.seats and not (or_host and asking.is_host):
        raise ForbiddenError("not_your_seat")
    return game


def _worth_keeping(held: list[str]) -> list[str]:
    """Return as many tokens as a cookie keeps, in the same order."""
    if len(held) <= MOST_TOKENS:
        return held
    in_use = games().in_use([codes.hashed(one) for one in held])
    kept = sorted(held, key=lambda one: codes.hashed(one) not in in_use)[:MOST_TOKENS]
    return [one for one in held if one in kept]
