"""Moving a seat to another device: the host hands out a link that works once."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime, timedelta

from webapp.companion.errors import ForbiddenError, InputError
from webapp.companion.games.game import Game, Link, with_seat

LIFETIME = timedelta(minutes=30)


def invited(game: Game, number: int, secret: str, now: datetime) -> Game:
    """Return the game with a link for a seat, given the SHA-256 of its secret; an older link ends."""
    return with_seat(game, replace(game.seat(number), link=Link(secret, now + LIFETIME)))


def moved(game: Game, secret: str, now: datetime, *, token: str, device: Collection[str]) -> Game:
    """Return the game after a device opened a link.

    Parameters
    ----------
    game
        The newest state.
    secret
        The SHA-256 of the secret in the link.
    now
        What time it is.
    token
        The SHA-256 of the token that the device gets.
    device
        Those of the tokens that it has. With the seat's own nothing moves, and the link still holds.
    """
    for seat in game.seats:
        if seat.link and seat.link.secret == secret and now < seat.link.expires:
            if seat.token in device:
                return game
            return with_seat(game, replace(seat, token=token, link=None, former=(*seat.former, seat.token)))
    raise InputError("link_used_up")


def with_new_window(game: Game, number: int, record_id: str, *, device: Collection[str]) -> Game:
    """Return the game with another window at a seat.

    Reading a photo takes seconds: ``device``, the SHA-256 of the tokens of who sent it, must still have the
    seat.
    """
    seat = game.seat(number)
    if seat.token not in device:
        raise ForbiddenError("not_your_seat")
    return with_seat(game, replace(seat, record_id=record_id, ready=seat.ready and game.is_revealed))
