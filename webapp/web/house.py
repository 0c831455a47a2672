"""What the administrator sees of this house, and puts right."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from webapp.services.games import codes
from webapp.services.quotas import Kind
from webapp.storage import games as kept_games
from webapp.storage import owners
from webapp.storage.administration import load_settings, save_settings
from webapp.storage.games import KnownGame
from webapp.web import access, administrator, context


@dataclass(frozen=True)
class House:
    """What there is in all and how much room is left, in bytes."""

    totals: Mapping[Kind, int]
    free: int


def overview() -> House:
    """Return what there is."""
    administrator.demand()
    everything = context.kept()
    totals = {
        **owners.totals(everything.database),
        Kind.WINDOW: sum(one.custom for one in context.window_store().known().values()),
        Kind.DICE: len(context.profile_store().all()),
    }
    return House(totals, shutil.disk_usage(everything.store.root).free)


def games(page: int) -> tuple[Sequence[KnownGame], int]:
    """Return a page of all games, from 1, the newest first, and how many pages there are."""
    administrator.demand()
    database = context.kept().database
    pages = -(-owners.totals(database)[Kind.GAME] // kept_games.GAMES_A_PAGE)
    return kept_games.games(database, page), max(1, pages)


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
