"""What people do with windows and tool cards of their own."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable, Sequence

from scoring import (
    Color,
    InvalidValueError,
    Lift,
    Tool,
    ToolEffect,
    WindowPattern,
)
from scoring.names import plain
from scoring.patterns.collection import CustomWindows
from scoring.patterns.custom import custom_window
from scoring.sentences import sentence
from webapp.domain import record as changes
from webapp.domain.errors import InputError, NotFoundError
from webapp.domain.quotas import MOST_WINDOWS, Kind
from webapp.domain.record import Record
from webapp.services import access, context
from webapp.storage.files import make_room

logger = logging.getLogger(__name__)

MOST_IN_A_FILE = 200
"""So many windows are taken at once; each is compared with all others."""


def own_windows() -> CustomWindows:
    """Return the custom windows, also those that a card of the game hides by now."""
    return context.window_store().load()


def find_window(name: str, among: CustomWindows | None = None) -> WindowPattern:
    """Return the custom window with exactly that name, or raise `NotFoundError`."""
    for window in (own_windows() if among is None else among).windows:
        if window.name == name:
            return window
    raise NotFoundError("window_missing")


def add_window(
    name: str, pattern: str, difficulty: int | None, names: Iterable[tuple[str, str]] = ()
) -> WindowPattern:
    """Add a window and return it as it is kept."""
    store = context.window_store()
    window = custom_window(name, pattern, difficulty, names=names, known=store.cards())
    access.demand_room(Kind.WINDOW)
    store.change(lambda mine: _bounded(mine.add(window, cards=store.cards())))
    context.own_windows_changed()
    access.note_owner(Kind.WINDOW, window.name)
    return window


def _bounded(windows: CustomWindows) -> CustomWindows:
    if len(windows.windows) > MOST_WINDOWS:
        raise InputError("no_room_for_windows", data={"most": MOST_WINDOWS})
    return windows


def change_window(name: str, how: Callable[[WindowPattern], WindowPattern]) -> WindowPattern:
    """Put ``how(window)`` in the place of the window called ``name``, and return it.

    Nobody else changes the windows meanwhile. Readings on the window go along when it gets another name.
    A window that is not there is a `NotFoundError`, that of somebody else a `ForbiddenError`.
    """
    made: list[WindowPattern] = []
    access.demand_right(Kind.WINDOW, find_window(name).name)

    def changed(mine: CustomWindows) -> CustomWindows:
        made.append(how(find_window(name, mine)))
        return mine.replace(name, made[0], cards=context.window_store().cards())

    context.window_store().change(changed)
    context.own_windows_changed()
    if made[0].name != name:
        context.store().rename_card(name, made[0].name)
        access.owners().rename(Kind.WINDOW, name, made[0].name)
    return made[0]


def remove_window(name: str) -> None:
    """Remove a window, or raise `NotFoundError`; the readings on it stay."""
    access.demand_right(Kind.WINDOW, find_window(name).name)
    make_room(context.window_store().path.parent)
    context.window_store().change(lambda mine: mine.remove(find_window(name, mine).name))
    context.own_windows_changed()


def take_in_windows(text: str, *, replacing: bool) -> tuple[list[str], list[str]]:
    """Add the windows of an exported file, all or none; return the names of the new and the changed ones."""
    if _windows_in(text) > MOST_IN_A_FILE:
        raise InvalidValueError(
            "too_many_windows",
            sentence("This file has more than {most} windows.", most=MOST_IN_A_FILE),
            sentence("Put at most {most} windows into one file.", most=MOST_IN_A_FILE),
        )
    sent = CustomWindows.parse(text)
    access.demand_room(Kind.WINDOW, len(sent.windows))
    store = context.window_store()
    coming = {plain(window.name): window for window in sent.windows}
    for window in store.load().windows if replacing else ():
        if coming.get(plain(window.name), window) != window:
            access.demand_right(Kind.WINDOW, window.name)
    before, after = store.change(
        lambda mine: _bounded(mine.merge(sent, replacing=replacing, cards=store.cards()))
    )
    context.own_windows_changed()
    known = {window.name for window in before.windows}
    new = [window.name for window in after.windows if window.name not in known]
    changed = [
        window.name for window in after.windows if window.name in known and window not in before.windows
    ]
    access.note_owner(Kind.WINDOW, *new)
    return new, changed


def _windows_in(text: str) -> int:
    """Return how many windows a file lists, before each of them is looked at; 0 where it is none."""
    try:
        windows = json.loads(text)["windows"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return 0
    return len(windows) if isinstance(windows, list) else 0


def choose_window(record_id: str, window: WindowPattern) -> Record:
    """Choose a window for a reading."""
    chosen, known = changes.ChoicesChange(window=window.name), context.known_windows()
    return context.store().update(
        record_id, lambda newest: changes.apply(newest, newest.revision, choices=chosen, known=known)
    )


def add_tool(name: str, effect: ToolEffect, color: Color, lifts: Sequence[Lift]) -> Tool:
    """Add a tool; only the administrator may."""
    access.demand_administrator()
    return context.tool_store().add(name, effect, color, lifts)


def remove_tool(name: str) -> None:
    """Remove a tool, or raise `NotFoundError`; games that were played with it keep it."""
    access.demand_administrator()
    if not context.tool_store().remove(name):
        raise NotFoundError("tool_missing")
