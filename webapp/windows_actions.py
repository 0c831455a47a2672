"""What people do with the windows of their own; the pages and the JSON interface both come here."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace

from sqlalchemy import String, cast, select

from scoring import WindowPattern
from scoring.custom_windows import custom_window
from scoring.window_collection import CustomWindows
from webapp import changes, context
from webapp.errors import BrokenRecordError, NotFoundError
from webapp.same_card import AUTO
from webapp.storage import Record
from webapp.tables import ReadingRow


def own() -> CustomWindows:
    """Return the windows of this house, also those that a card of the game hides by now."""
    return context.window_store().load()


def find(name: str) -> WindowPattern:
    """Return the window of this house with exactly that name.

    Raises
    ------
    NotFoundError
        There is none.
    """
    return _in(own(), name)


def _in(mine: CustomWindows, name: str) -> WindowPattern:
    for window in mine.windows:
        if window.name == name:
            return window
    raise NotFoundError("window_missing")


def add(
    name: str, pattern: str, difficulty: int | None, names: Iterable[tuple[str, str]] = ()
) -> WindowPattern:
    """Add a window and return it as it is kept."""
    window = custom_window(name, pattern, difficulty, names=names)
    context.window_store().add(window)
    context.own_windows_changed()
    return window


def change(name: str, how: Callable[[WindowPattern], WindowPattern]) -> WindowPattern:
    """Put ``how(window)`` in the place of the window called ``name``, and return it.

    Nobody else changes the windows meanwhile. Readings on the window go along when it gets another name.

    Raises
    ------
    NotFoundError
        There is no such window.
    """
    made: list[WindowPattern] = []

    def changed(mine: CustomWindows) -> CustomWindows:
        made.append(how(_in(mine, name)))
        return mine.replace(name, made[0])

    context.window_store().change(changed)
    context.own_windows_changed()
    if made[0].name != name:
        _rename_in_readings(name, made[0].name)
    return made[0]


def remove(name: str) -> None:
    """Remove a window, or raise `NotFoundError`; the readings on it stay."""
    context.window_store().change(lambda mine: mine.remove(_in(mine, name).name))
    context.own_windows_changed()


def take_in_file(text: str, *, replacing: bool) -> tuple[list[str], list[str]]:
    """Add the windows of an exported file, all or none; return the names of the new and the changed ones."""
    before, after = context.window_store().merge(CustomWindows.parse(text), replacing=replacing)
    context.own_windows_changed()
    known = {window.name for window in before.windows}
    new = [window.name for window in after.windows if window.name not in known]
    changed = [
        window.name for window in after.windows if window.name in known and window not in before.windows
    ]
    return new, changed


def choose(record_id: str, window: WindowPattern) -> Record:
    """Choose a window for a reading."""

    def chosen(newest: Record) -> Record:
        picked = {"window": window.name}
        return changes.apply(newest, newest.revision, cells={}, checked=[], choices=picked)

    return context.store().update(record_id, chosen)


def _rename_in_readings(old: str, new: str) -> None:
    """Let the readings on a window, chosen by hand or recognized, call it by its new name."""
    written = json.dumps(old)[1:-1]  # as it stands in the text of a state
    wanted = select(ReadingRow.id).where(cast(ReadingRow.state, String).contains(written, autoescape=True))
    with context.database().read() as session:
        ids = session.scalars(wanted).all()
    for record in context.store().load_known(ids):
        with suppress(NotFoundError, BrokenRecordError):  # somebody may delete it right now
            context.store().update(record.id, lambda newest: _renamed(newest, old, new))


def _renamed(record: Record, old: str, new: str) -> Record:
    guess = record.reading.get("window") if record.reading else None
    recognized = record.choices.window == AUTO and guess is not None and guess["name"] == old
    if record.choices.window != old and (record.turned or not recognized):
        return record
    return replace(
        record,
        choices=replace(record.choices, window=new),
        changed={**record.changed, "window": record.revision + 1},
    )
