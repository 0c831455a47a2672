"""People: the page, its JSON interface, the storage of readings and the command line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from flask import Flask

    from webapp.workers.work import Reader, TableReader
    from webapp.workers.workers import Workers

__all__ = ["create_app"]


def create_app(
    config: Mapping[str, Any] | None = None,
    *,
    reader: Reader | None = None,
    table_reader: TableReader | None = None,
    workers: Workers | None = None,
) -> Flask:
    """Return the web application.

    Flask and OpenCV are loaded here, because the command line lives in this package too and should start
    quickly.

    Parameters
    ----------
    config
        Settings over the defaults: ``SAGRADA_DATA`` (folder for database and photos),
        ``SAGRADA_DATABASE_URL`` (another database than the SQLite file in that folder), ``SAGRADA_PHOTOS``
        (another place for photos), ``SAGRADA_SAMPLES`` (folder with sample photos), ``MAX_CONTENT_LENGTH``
        (largest upload in bytes).
    reader
        What turns a photo into a reading; `vision.read_photo` when nothing is given. Called as
        ``reader(photo, windows=windows, profile=profiles)`` with what `vision.load_photo` takes, and with
        ``corners=corners`` where these were set by hand.
    table_reader
        The same for a table, called with bytes and ``progress=progress``; else `vision.read_table`.
    workers
        Who reads photos; threads of this process when nothing is given.
    """
    from webapp.factory import build  # noqa: PLC0415  see the docstring

    return build(config, reader, table_reader, workers)
