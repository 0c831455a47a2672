"""What every request needs: the storage, the reader, the known windows and dice of this application."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from flask import Flask, current_app, g

from scoring.patterns.patterns import KnownPatterns
from vision.profile import Profile
from webapp.services.errors import StoreError
from webapp.storage.database import Database
from webapp.storage.games import EndedGames, GameStore
from webapp.storage.own_cards import WINDOWS_FILE, WindowStore
from webapp.storage.players import PlayerStore
from webapp.storage.profiles import FOLDER_NAME, ProfileStore
from webapp.storage.readings import ReadingStore
from webapp.storage.table_photos import TablePhotoStore
from webapp.workers.work import Reader, TableReader

KEY = "sagrada"
KNOWN = "known_windows"


@dataclass(frozen=True)
class Kept:
    """What an application works with, from one request to the next."""

    database: Database
    store: ReadingStore
    tables: TablePhotoStore
    reader: Reader
    table_reader: TableReader
    games: GameStore
    ended: EndedGames
    players: PlayerStore


def keep(
    app: Flask, database: Database, store: ReadingStore, reader: Reader, table_reader: TableReader
) -> TablePhotoStore:
    """Tie database, storage and readers to ``app``, and return where photos of tables are kept."""
    tables = TablePhotoStore(database, store.root, store.files)
    games, players = GameStore(database, store), PlayerStore(database)
    ended = EndedGames(database, games)
    app.extensions[KEY] = Kept(database, store, tables, reader, table_reader, games, ended, players)
    return tables


def kept() -> Kept:
    """Return what the application at work has."""
    return cast("Kept", current_app.extensions[KEY])


def store() -> ReadingStore:
    """Return the storage of the application at work."""
    return kept().store


def tables() -> TablePhotoStore:
    """Return the photos of tables of the application at work."""
    return kept().tables


def known_windows() -> KnownPatterns:
    """Return the cards of the game and the custom windows of this house.

    They are read once a request. When their file cannot be used the page goes on with the cards of the game;
    `own_windows_missing` tells.
    """
    if KNOWN not in g:
        try:
            known = window_store().known()
        except StoreError as error:
            current_app.logger.warning("%s", error)
            known = None
        setattr(g, KNOWN, known)
    known = g.get(KNOWN)
    return window_store().cards() if known is None else known


def window_store() -> WindowStore:
    """Return the custom windows of this house, to be changed; see `own_windows_changed`."""
    return WindowStore(store().root / WINDOWS_FILE)


def own_windows_changed() -> None:
    """Let the rest of the request see the custom windows as they are now."""
    g.pop(KNOWN, None)


def own_windows_missing() -> bool:
    """Tell whether the file with the custom windows cannot be used."""
    known_windows()
    return g.get(KNOWN) is None


def profile_store() -> ProfileStore:
    """Return the dice of this house."""
    return ProfileStore(store().root / FOLDER_NAME)


def known_profiles() -> tuple[Profile, ...]:
    """Return what the dice of this house look like; whatever is wrong with the files, photos are read."""
    try:
        return profile_store().usable()
    except StoreError as error:
        current_app.logger.warning("%s", error)
        return ()
