"""Windows and photos that belong to no game go after a time, where the administrator set one."""

from __future__ import annotations

import threading
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from flask import Flask

from scoring.errors import SagradaError
from webapp.services.errors import InputError
from webapp.services.quotas import MOST_READINGS
from webapp.services.record import Record
from webapp.services.table_photo import TablePhoto
from webapp.storage.administration import Settings, load_settings, save_settings
from webapp.web import administrator, context, table_actions
from webapp.web.access import game_of

HOURS_BETWEEN = 6


def settings() -> Settings:
    """Return what was set for this house."""
    return load_settings(context.store().root)


def keep_for(days: int | None) -> None:
    """Set after how many days windows and photos go, None for never; `InputError` for other numbers."""
    administrator.demand()
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
                table_actions.delete(photo.id)
    context.store().remove_older_than(before)


def begin(app: Flask) -> None:
    """Remove what is old now, and again every few hours as long as the program runs."""

    def go_on() -> None:
        while True:
            with app.app_context():
                try:
                    remove_old()
                except Exception:
                    app.logger.exception("Old windows and photos could not be removed.")
            threading.Event().wait(HOURS_BETWEEN * 3600)

    threading.Thread(target=go_on, daemon=True, name="expiry").start()


def _is_in_a_game(thing: Record | TablePhoto) -> bool:
    if isinstance(thing, Record):
        return game_of(thing.id) is not None
    return thing.game is not None or any(game_of(one) is not None for one in thing.windows)
