"""Putting the application together: settings, storage, languages, errors, pages."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from flask import Flask

from webapp.server import addresses
from webapp.storage.database import ADDRESS, Database, from_environment
from webapp.storage.files import ADDRESS as PHOTOS
from webapp.storage.files import default_folder, files_for
from webapp.storage.readings import ReadingStore
from webapp.views import (
    art,
    dice,
    games,
    history,
    house,
    joining,
    placement,
    readings,
    table_photos,
    tools,
    windows,
)
from webapp.web import (
    access,
    administrator,
    context,
    desk,
    errors,
    faces,
    language,
    looks,
    own_tools,
    photo_reading,
    quotas,
    security,
)
from webapp.web.errors import FIELD_BYTES
from webapp.workers.work import Reader, TableReader
from webapp.workers.workers import Here, Workers

PAGES = (
    readings,
    table_photos,
    joining,
    placement,
    games,
    history,
    house,
    art,
    windows,
    tools,
    dice,
)

MEGABYTE = 1_000_000
SAMPLES = Path(__file__).resolve().parent.parent / "sample_images"


def build(
    config: Mapping[str, Any] | None = None,
    *,
    reader: Reader | None = None,
    table_reader: TableReader | None = None,
    workers: Workers | None = None,
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
    context.keep(app, database, store, reader, table_reader).clean_up()
    desk.register(app, workers or Here())
    addresses.register(app)
    # The order matters: a request is refused before anything else looks at it.
    given = addresses.reach_of(app).given
    security.register(app, given.url if given else None)
    language.register(app)
    looks.register(app)
    errors.register(app)
    access.register(app)
    administrator.register(app)
    quotas.register(app)
    own_tools.register(app)
    windows.register(app)
    for module in PAGES:
        app.register_blueprint(module.blueprint)
    faces.register(app)
    with app.app_context():
        photo_reading.go_on()
    return app
