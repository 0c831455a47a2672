"""What people do with the windows of their own; the pages and the JSON interface both come here."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable

from scoring import InvalidValueError, WindowPattern
from scoring.names import plain
from scoring.patterns.collection import CustomWindows
from scoring.patterns.custom import custom_window
from scoring.sentences import sentence
from webapp.services import record as changes
from webapp.services.errors import InputError, NotFoundError
from webapp.services.quotas import MOST_WINDOWS, Kind
from webapp.services.record import Record
from webapp.storage.files import make_room
from webapp.web import context, quotas

MOST_IN_A_FILE = 200
"""So many windows are taken at once; each is compared with all others."""


def own() -> CustomWindows:
    """Return the windows of this house, also those that a card of the game hides by now."""
    return context.window_store().load()


def find(name: str, among: CustomWindows | None = None) -> WindowPattern:
    """Return the window of this house with exactly that name, or raise `NotFoundError`."""
    for window in (own() if among is None else among).windows:
        if window.name == name:
            return window
    raise NotFoundError("window_missing")


def add(
    name: str, pattern: str, difficulty: int | None, names: Iterable[tuple[str, str]] = ()
) -> WindowPattern:
    """Add a window and return it as it is kept."""
    window = custom_window(name, pattern, difficulty, names=names, known=context.window_store().cards())
    quotas.demand_room(Kind.WINDOW)
    context.window_store().change(
        lambda mine: _bounded(mine.add(window, cards=context.window_store().cards()))
    )
    context.own_windows_changed()
    quotas.own(Kind.WINDOW, window.name)
    return window


def _bounded(windows: CustomWindows) -> CustomWindows:
    if len(windows.windows) > MOST_WINDOWS:
        raise InputError("house_full_of_windows", data={"most": MOST_WINDOWS})
    return windows


def change(name: str, how: Callable[[WindowPattern], WindowPattern]) -> WindowPattern:
    """Put ``how(window)`` in the place of the window called ``name``, and return it.

    Nobody else changes the windows meanwhile. Readings on the window go along when it gets another name.

    Raises
    ------
    NotFoundError
        There is no such window.
    ForbiddenError
        Somebody else added it.
    """
    made: list[WindowPattern] = []
    quotas.demand_right(Kind.WINDOW, find(name).name)

    def changed(mine: CustomWindows) -> CustomWindows:
        made.append(how(find(name, mine)))
        return mine.replace(name, made[0], cards=context.window_store().cards())

    context.window_store().change(changed)
    context.own_windows_changed()
    if made[0].name != name:
        context.store().rename_card(name, made[0].name)
        quotas.owners().rename(Kind.WINDOW, name, made[0].name)
    return made[0]


def remove(name: str) -> None:
    """Remove a window, or raise `NotFoundError`; the readings on it stay."""
    quotas.demand_right(Kind.WINDOW, find(name).name)
    make_room(context.window_store().path.parent)
    context.window_store().change(lambda mine: mine.remove(find(name, mine).name))
    context.own_windows_changed()


def take_in_file(text: str, *, replacing: bool) -> tuple[list[str], list[str]]:
    """Add the windows of an exported file, all or none; return the names of the new and the changed ones."""
    if _windows_in(text) > MOST_IN_A_FILE:
        raise InvalidValueError(
            "too_many_windows",
            sentence("This file has more than {most} windows.", most=MOST_IN_A_FILE),
            sentence("Put at most {most} windows into one file.", most=MOST_IN_A_FILE),
        )
    sent = CustomWindows.parse(text)
    quotas.demand_room(Kind.WINDOW, len(sent.windows))
    store = context.window_store()
    coming = {plain(window.name): window for window in sent.windows}
    for window in store.load().windows if replacing else ():
        if coming.get(plain(window.name), window) != window:
            quotas.demand_right(Kind.WINDOW, window.name)
    before, after = store.change(
        lambda mine: _bounded(mine.merge(sent, replacing=replacing, cards=store.cards()))
    )
    context.own_windows_changed()
    known = {window.name for window in before.windows}
    new = [window.name for window in after.windows if window.name not in known]
    changed = [
        window.name for window in after.windows if window.name in known and window not in before.windows
    ]
    quotas.own(Kind.WINDOW, *new)
    return new, changed


def _windows_in(text: str) -> int:
    """Return how many windows a file lists, before each of them is looked at; 0 where it is none."""
    try:
        windows = json.loads(text)["windows"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return 0
    return len(windows) if isinstance(windows, list) else 0


def choose(record_id: str, window: WindowPattern) -> Record:
    """Choose a window for a reading."""

    def chosen(newest: Record) -> Record:
        picked = changes.ChoicesChange(window=window.name)
        return changes.apply(newest, newest.revision, choices=picked, known=context.known_windows())

    return context.store().update(record_id, chosen)
