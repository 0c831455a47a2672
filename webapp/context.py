"""What every request needs: the storage and the reader of this application."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from flask import Flask, current_app

from webapp.storage import Store

if TYPE_CHECKING:
    from webapp import Reader

KEY = "sagrada"


def keep(app: Flask, store: Store, reader: Reader) -> None:
    """Tie storage and reader to ``app``."""
    app.extensions[KEY] = (store, reader)


def store() -> Store:
    """Return the storage of the application at work."""
    return cast("Store", current_app.extensions[KEY][0])


def reader() -> Reader:
    """Return the reader of the application at work."""
    return cast("Reader", current_app.extensions[KEY][1])
