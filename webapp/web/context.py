"""What every request needs: database, storage, reader and known windows of this application."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from flask import Flask, current_app, g

from scoring import WINDOW_PATTERNS
from scoring.windows.patterns import KnownPatterns
from vision.reading import Reading
from webapp.companion.errors import StoreError
from webapp.store.database import Database
from webapp.store.readings import Store
from webapp.store.windows import FILE_NAME, WindowStore

Reader = Callable[..., Reading]
"""What turns a photo into a reading; see `webapp.create_app`."""

KEY = "sagrada"
KNOWN = "known_windows"


def keep(app: Flask, database: Database, store: Store, reader: Reader) -> None:
    """Tie database, storage and reader to ``app``."""
    app.extensions[KEY] = (store, reader, database)


def database() -> Database:
    """Return the database of the application at work."""
    return cast("Database", current_app.extensions[KEY][2])


def store() -> Store:
    """Return the storage of the application at work."""
    return cast("Store", current_app.extensions[KEY][0])


def reader() -> Reader:
    """Return the reader of the application at work."""
    return cast("Reader", current_app.extensions[KEY][1])


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
    return WINDOW_PATTERNS if known is None else known


def window_store() -> WindowStore:
    """Return the custom windows of this house, to be changed; see `own_windows_changed`."""
    return WindowStore(store().root / FILE_NAME)


def own_windows_changed() -> None:
    """Let the rest of the request see the custom windows as they are now."""
    g.pop(KNOWN, None)


def own_windows_missing() -> bool:
    """Tell whether the file with the custom windows cannot be used."""
    known_windows()
    return g.get(KNOWN) is None
