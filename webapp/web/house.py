"""What the administrator sees of this house, and puts right."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from scoring.errors import SagradaError
from scoring.windows.collection import CustomWindows
from webapp.companion.deeds import REMEMBERED, Act, Deed, Device, Kind
from webapp.companion.errors import NotFoundError
from webapp.companion.games import codes
from webapp.store import whole_house
from webapp.store.settings import load_settings, save_settings
from webapp.store.whole_house import KnownGame
from webapp.web import access, administrator, context, table_actions
from webapp.web.deeds import kept

MOST_SHOWN = 200


@dataclass(frozen=True)
class House:
    """What there is in all, how much room is left, in bytes, and which devices did something."""

    totals: Mapping[Kind, int]
    free: int
    devices: Sequence[Device]


def overview() -> House:
    """Return what there is."""
    administrator.demand()
    everything = context.kept()
    totals = {
        **whole_house.totals(everything.database),
        Kind.WINDOW: sum(one.custom for one in context.window_store().known().values()),
        Kind.DICE: len(context.profile_store().all()),
        Kind.CARD: len(context.card_store().load()[0]),
    }
    return House(totals, shutil.disk_usage(everything.store.root).free, kept().devices())


def games(page: int) -> tuple[Sequence[KnownGame], int]:
    """Return a page of all games, from 1, the newest first, and how many pages there are."""
    administrator.demand()
    database = context.kept().database
    pages = -(-whole_house.totals(database)[Kind.GAME] // whole_house.GAMES_A_PAGE)
    return whole_house.games(database, page), max(1, pages)


def deeds_of(device: str) -> list[Deed]:
    """Return the last that a device did, newest first."""
    administrator.demand()
    return kept().of_device(device, datetime.now(UTC) - REMEMBERED, MOST_SHOWN)


def put_sets(sets: Iterable[str]) -> None:
    """Say which boxes and packs this house has; their window cards are known from then on."""
    administrator.demand()
    root = context.store().root
    save_settings(root, replace(load_settings(root), sets=tuple(sets)))
    context.own_windows_changed()


def take_over(code: str) -> None:
    """Make this device the host of a game: the device that was it may have lost or forgotten that."""
    administrator.demand()
    token = codes.new_token()
    context.kept().games.update(code, lambda game: replace(game, host=codes.hashed(token)))
    access.grant(token)


def delete_game(code: str) -> None:
    """Remove a game with all windows and photos for good."""
    administrator.demand()
    context.kept().games.delete(code)


def can_undo(deed: Deed) -> bool:
    """Tell whether there is anything to undo."""
    return deed.kind is not Kind.PLAYER or deed.act is Act.ADDED


def undo(number: int) -> None:
    """Undo one deed.

    Raises
    ------
    NotFoundError
        There is no such deed (any more).
    """
    administrator.demand()
    deed = kept().find(number)
    if deed is None:
        raise NotFoundError("not_found")
    _undo(deed)


def undo_all(device: str, since: datetime) -> int:
    """Undo what a device did since then, the newest first; return how much that was."""
    administrator.demand()
    deeds = kept().of_device(device, since)
    for deed in deeds:
        _undo(deed)
    return len(deeds)


def _undo(deed: Deed) -> None:
    """Undo a deed as far as that is possible: what somebody changed or deleted since stays so."""
    with suppress(SagradaError):
        _UNDO[deed.kind](deed)
    kept().remove([deed.id])


def _without_window(deed: Deed) -> None:
    store = context.window_store()
    if deed.before is None:
        store.remove(deed.name)
    else:
        (before,) = CustomWindows.parse(deed.before).windows

        def put_back(mine: CustomWindows) -> CustomWindows:
            is_there = any(window.name == deed.name for window in mine.windows)
            return mine.replace(deed.name, before) if is_there else mine.add(before)

        store.change(put_back)
        if before.name != deed.name:
            context.store().rename_card(deed.name, before.name)
            kept().rename(Kind.WINDOW, deed.name, before.name)
    context.own_windows_changed()


def _without_reading(deed: Deed) -> None:
    if context.kept().games.of_window(deed.name) is None:  # else it goes with its game
        context.store().delete(deed.name)


def _without_dice(deed: Deed) -> None:
    store = context.profile_store()
    if deed.act is Act.ADDED:
        store.delete(deed.name)
    else:
        store.undo(deed.name)


def _without_card(deed: Deed) -> None:
    if deed.act is Act.DELETED:
        context.card_store().bring_back(deed.name)
    else:
        context.card_store().forget(deed.name)


def _without_player(deed: Deed) -> None:
    if deed.act is Act.ADDED:
        context.kept().players.forget(deed.name)


_UNDO: dict[Kind, Callable[[Deed], None]] = {
    Kind.WINDOW_READ: _without_reading,
    Kind.TABLE: lambda deed: table_actions.delete(deed.name),
    Kind.GAME: lambda deed: context.kept().games.delete(deed.name),
    Kind.PLAYER: _without_player,
    Kind.WINDOW: _without_window,
    Kind.DICE: _without_dice,
    Kind.CARD: _without_card,
}
