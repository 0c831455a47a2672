"""What the administrator sees and sets: what there is in all, for how long it stays, and all games."""

from __future__ import annotations

import logging
import shutil
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from scoring.errors import SagradaError
from webapp.domain.errors import InputError
from webapp.domain.games import codes
from webapp.domain.quotas import MOST_READINGS, Kind
from webapp.domain.record import Record
from webapp.domain.table_photo import TablePhoto
from webapp.services import access, context, table_photos
from webapp.services.access import game_of
from webapp.storage import games as kept_games
from webapp.storage.administration import Settings, load_settings, save_settings
from webapp.storage.games import KnownGame

logger = logging.getLogger(__name__)

HOURS_BETWEEN = 6


def settings() -> Settings:
    """Return what the administrator set."""
    return load_settings(context.store().root)


def keep_for(days: int | None) -> None:
    """Set after how many days windows and photos go, None for never; `InputError` for other numbers."""
    access.demand_administrator()
    try:
        wanted = replace(settings(), keep_days=days)
    except ValueError as error:
        raise InputError("bad_request") from error
    save_settings(context.store().root, wanted)
    remove_old()


def goes_on(thing: Record | TablePhoto) -> datetime | None:
    """Return when a window or photo goes, None when it stays."""
    days = settings().keep_days
    if days is None or _is_in_a_game(thing):
        return None
    return datetime.fromisoformat(thing.created) + timedelta(days=days)


def remove_old() -> None:
    """Remove what is older than was set, or too much in all, and belongs to no game."""
    days = settings().keep_days
    bounds = [
        datetime.now(UTC) - timedelta(days=days) if days else None,
        context.store().beyond(MOST_READINGS),
    ]
    if (before := max((one for one in bounds if one), default=None)) is None:
        return
    for photo in context.tables().load_known(context.tables().older_than(before)):
        if not _is_in_a_game(photo):
            with suppress(SagradaError):  # somebody deletes it right now
                table_photos.delete(photo.id)
    context.store().remove_older_than(before)


def begin(at_work: Callable[[], AbstractContextManager[object]]) -> None:
    """Remove what is old now, and again every few hours as long as the program runs."""

    def go_on() -> None:
        while True:
            with at_work():
                try:
                    remove_old()
                except Exception:
                    logger.exception("Old windows and photos could not be removed.")
            threading.Event().wait(HOURS_BETWEEN * 3600)

    threading.Thread(target=go_on, daemon=True, name="expiry").start()


def _is_in_a_game(thing: Record | TablePhoto) -> bool:
    if isinstance(thing, Record):
        return game_of(thing.id) is not None
    return thing.game is not None or any(game_of(one) is not None for one in thing.windows)


@dataclass(frozen=True)
class Overview:
    """What there is in all and how much room is left, in bytes."""

    totals: Mapping[Kind, int]
    free: int


def overview() -> Overview:
    """Return what there is."""
    access.demand_administrator()
    everything = context.kept()
    totals = {
        **kept_games.totals(everything.database),
        Kind.WINDOW: sum(one.custom for one in context.window_store().known().values()),
        Kind.DICE: len(context.profile_store().all()),
    }
    return Overview(totals, shutil.disk_usage(everything.store.root).free)


def games(page: int) -> tuple[Sequence[KnownGame], int]:
    """Return a page of all games, from 1, the newest first, and how many pages there are."""
    access.demand_administrator()
    database = context.kept().database
    pages = -(-kept_games.totals(database)[Kind.GAME] // kept_games.GAMES_A_PAGE)
    return kept_games.games(database, page), max(1, pages)


def put_sets(sets: Iterable[str]) -> None:
    """Say which boxes and packs there are; their window cards are known from then on."""
    access.demand_administrator()
    root = context.store().root
    save_settings(root, replace(load_settings(root), sets=tuple(sets)))
    context.own_windows_changed()


def take_over(code: str) -> None:
    """Make this device the host of a game: the device that was it may have lost or forgotten that."""
    access.demand_administrator()
    token = codes.new_token()
    context.kept().games.update(code, lambda game: replace(game, host=codes.hashed(token)))
    context.visitor().grant(token)


def delete_game(code: str) -> None:
    """Remove a game with all windows and photos for good."""
    access.demand_administrator()
    context.kept().games.delete(code)
