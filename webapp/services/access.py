"""Who asks, and what they may do: at a game, as the administrator, and with what all games share."""

from __future__ import annotations

import math

from webapp.domain.errors import ForbiddenError, InputError, NotFoundError, TooManyError
from webapp.domain.games.codes import hashed, new_token
from webapp.domain.games.game import Game
from webapp.domain.games.result import Viewer, case_of, viewer_of
from webapp.domain.history import Play, play
from webapp.domain.judging import Judgement
from webapp.domain.quotas import Kind
from webapp.domain.record import Record
from webapp.services import context
from webapp.storage.administration import PIN_FILE, Administrator
from webapp.storage.games import GameStore
from webapp.storage.players import Owners


def game_store() -> GameStore:
    """Return the games of the application at work."""
    return context.kept().games


def viewer(game: Game) -> Viewer:
    """Return who this device is in a game."""
    return viewer_of(game, context.visitor().hashes)


def game_of(record_id: str) -> Game | None:
    """Return the game that a window belongs to, None for one without a table."""
    found = game_store().of_window(record_id)
    return found[0] if found else None


def judged(record: Record) -> Judgement:
    """Return what the rules say about a window, at its table where it belongs to one."""
    return Judgement(case_of(record, game_of(record.id), context.known_windows()))


def plays() -> list[Play]:
    """Return the revealed games, newest first."""
    return context.kept().ended.plays(context.known_windows())


def play_of(code: str) -> Play:
    """Return the revealed game with this code, or raise `NotFoundError`; a wrong code is counted."""
    ended = game_store().ended(find(code).code)
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
    attempts, place = context.kept().wrong_codes, context.visitor().place
    try:
        game = game_store().load(code)
    except NotFoundError:
        _demand_patience("too_many_codes", attempts.wait_s(place))
        attempts.note(place)
        raise
    if viewer(game).is_stranger:
        _demand_patience("too_many_codes", attempts.wait_s(place))
    return game


def _demand_patience(code: str, wait_s: float) -> None:
    """Raise `TooManyError` where there is any time to wait."""
    if wait_s > 0:
        raise TooManyError(code, data={"wait_s": math.ceil(wait_s)}) from None


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


def is_administrator() -> bool:
    """Tell whether the administrator asks: the PIN was typed on this device, unless no PIN is needed here."""
    asking = context.visitor()
    without = context.kept().administrator_here and asking.at_this_computer
    return without or bool(asking.administrator and pin_store().knows(asking.administrator))


def demand_administrator() -> None:
    """Raise `ForbiddenError` where somebody else asks."""
    if not is_administrator():
        raise ForbiddenError("administrator_only")


def pin_store() -> Administrator:
    """Return the PIN of the application at work, and who typed it."""
    return Administrator(context.store().root / PIN_FILE)


def let_administrator_in(typed: str) -> None:
    """Make this device the administrator's.

    Raises
    ------
    InputError
        The PIN is wrong.
    TooManyError
        Too many wrong ones came from this device.
    """
    attempts, place = context.kept().wrong_pins, context.visitor().place
    _demand_patience("too_many_pins", attempts.wait_s(place))
    token = pin_store().let_in("".join(typed.split()))
    if token is None:
        attempts.note(place)
        raise InputError("wrong_pin")
    context.visitor().administrator_given = token


def leave_administration() -> None:
    """Let this device be one as any other."""
    if token := context.visitor().administrator:
        pin_store().forget(token)
    context.visitor().administrator_given = ""


def owners() -> Owners:
    """Return who added what all games share."""
    return Owners(context.kept().database)


def demand_room(kind: Kind, number: int = 1) -> None:
    """Count ``number`` more, unless the administrator asks; raise `TooManyError` where it is too much."""
    if not is_administrator():
        asking, quotas = context.visitor(), context.kept().quotas
        _demand_patience("too_many_today", quotas.add(asking.place, kind, number, asking.devices))


def demand_right(kind: Kind, name: str) -> None:
    """Raise `ForbiddenError` unless this device added the thing, or is the administrator's."""
    token = context.visitor().device
    is_own = token is not None and owners().is_owner(kind, name, hashed(token))
    if not is_own and not is_administrator():
        raise ForbiddenError("others_added_it")


def note_owner(kind: Kind, *names: str) -> None:
    """Note that this device added what all games share; a cookie tells it again."""
    asking = context.visitor()
    token = asking.device or asking.device_given or new_token()
    asking.device_given = token
    owners().add(kind, names, hashed(token))
