"""Putting the application together: settings, storage, languages, errors, pages."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from flask import Flask

from webapp.http import errors, faces, preferences, security, session
from webapp.http.errors import FIELD_BYTES
from webapp.server import addresses
from webapp.services import photos
from webapp.services.context import Companion
from webapp.storage.database import ADDRESS, Database, from_environment
from webapp.storage.files import ADDRESS as PHOTOS
from webapp.storage.files import default_folder, files_for
from webapp.storage.readings import ReadingStore, TablePhotoStore
from webapp.views import (
    administration,
    art,
    dice,
    games,
    history,
    joining,
    placement,
    readings,
    table_photos,
    tools,
    windows,
)
from webapp.workers.work import Reader, TableReader
from webapp.workers.workers import Here, PhotoQueue, Workers

PAGES = (
    readings,
    table_photos,
    joining,
    placement,
    games,
    history,
    administration,
    art,
    windows,
    tools,
    dice,
)

MEGABYTE = 1_000_000
SAMPLES = Path(__file__).resolve().parent.parent / "sample_images"


def build(
    config: Mapping[str, Any] | None,
    reader: Reader | None,
    table_reader: TableReader | None,
    workers: Workers | None,
) -> Flask:
    """Return the application; see `webapp.create_app`."""
    app = Flask("webapp")
    app.config.from_mapping(
        SAGRADA_SAMPLES=SAMPLES,
        MAX_CONTENT_LENGTH=40 * MEGABYTE,
        MAX_FORM_MEMORY_SIZE=FIELD_BYTES,
        SEND_FILE_MAX_AGE_DEFAULT=0,  # after an update the page and its scripts must fit together
    )
    app.config.from_mapping(config or {})
    if reader is None or table_reader is None:
        from vision import read_photo, read_table  # noqa: PLC0415  tests bring their own

        reader, table_reader = reader or read_photo, table_reader or read_table
    app.jinja_env.trim_blocks = True
    app.jinja_env.lstrip_blocks = True
    folder = Path(app.config.get("SAGRADA_DATA") or default_folder())
    address = app.config.get(ADDRESS)
    database = Database(address) if address else from_environment() or Database.in_folder(folder)
    database.upgrade()
    store = ReadingStore(database, folder, files_for(folder, app.config.get(PHOTOS)))
    store.clean_up()
    tables = TablePhotoStore(database, folder, store.files)
    tables.clean_up()
    queue = PhotoQueue(workers or Here(), app.app_context)
    samples = Path(app.config["SAGRADA_SAMPLES"])
    addresses.register(app)
    # The order matters: a request is refused before anything else looks at it.
    given = addresses.reach_of(app).given
    security.register(app, given.url if given else None)
    preferences.register(app)
    errors.register(app)
    here = bool(app.config.get("SAGRADA_ADMIN_FROM_HERE"))
    session.register(app, Companion(database, store, tables, reader, table_reader, queue, samples, here))
    windows.register(app)
    for module in PAGES:
        app.register_blueprint(module.blueprint)
    faces.register(app)
    with app.app_context():
        photos.go_on()
    return app
