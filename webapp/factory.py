"""Putting the application together: settings, storage, languages, errors, pages."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flask import Flask

from webapp import (
    address_api,
    addresses,
    api,
    api_document,
    api_rules,
    art_pages,
    context,
    earlier_files,
    errors,
    game_access,
    game_api,
    game_forms,
    game_pages,
    history_api,
    history_pages,
    installing,
    join,
    language,
    pages,
    placement_api,
    placement_pages,
    samples_api,
    seat_pages,
    security,
    windows_api,
    windows_pages,
)
from webapp.database import ADDRESS, Database, from_environment
from webapp.disk import default_folder
from webapp.storage import Store

if TYPE_CHECKING:
    from webapp import Reader

MEGABYTE = 1_000_000
SAMPLES = Path(__file__).resolve().parent.parent / "sample_images"


def build(config: Mapping[str, Any] | None = None, *, reader: Reader | None = None) -> Flask:
    """Return the application; see `webapp.create_app`."""
    app = Flask("webapp")
    app.config.from_mapping(
        SAGRADA_SAMPLES=SAMPLES,
        MAX_CONTENT_LENGTH=40 * MEGABYTE,
        MAX_FORM_MEMORY_SIZE=MEGABYTE,
        SEND_FILE_MAX_AGE_DEFAULT=0,  # after an update the page and its scripts must fit together
    )
    app.config.from_mapping(config or {})
    if reader is None:
        from vision import read_photo  # noqa: PLC0415  tests bring their own and skip loading the networks

        reader = read_photo
    app.jinja_env.trim_blocks = True
    app.jinja_env.lstrip_blocks = True
    folder = Path(app.config.get("SAGRADA_DATA") or default_folder())
    database = _database(app.config.get(ADDRESS), folder)
    context.keep(app, database, _store(database, folder), reader)
    addresses.register(app)
    # The order matters: a request is refused before anything else looks at it.
    security.register(app)
    language.register(app)
    errors.register(app)
    game_access.register(app)
    windows_pages.register(app)
    app.register_blueprint(pages.blueprint)
    app.register_blueprint(api.blueprint)
    app.register_blueprint(api_rules.blueprint)
    app.register_blueprint(api_document.blueprint)
    app.register_blueprint(join.blueprint)
    app.register_blueprint(placement_pages.blueprint)
    app.register_blueprint(placement_api.blueprint)
    app.register_blueprint(game_pages.blueprint)
    app.register_blueprint(game_forms.blueprint)
    app.register_blueprint(game_api.blueprint)
    app.register_blueprint(seat_pages.blueprint)
    app.register_blueprint(history_pages.blueprint)
    app.register_blueprint(history_api.blueprint)
    app.register_blueprint(samples_api.blueprint)
    app.register_blueprint(address_api.blueprint)
    app.register_blueprint(art_pages.blueprint)
    app.register_blueprint(windows_pages.blueprint)
    app.register_blueprint(windows_api.blueprint)
    app.register_blueprint(installing.blueprint)
    return app


def _database(address: str | None, folder: Path) -> Database:
    """Return the database that settings or environment name, else the one in ``folder``, up to date."""
    database = Database(address) if address else from_environment() or Database.in_folder(folder)
    database.upgrade()
    return database


def _store(database: Database, folder: Path) -> Store:
    """Return the readings, with those that an earlier version kept in files and without what a crash left."""
    earlier_files.take_in(database, folder)
    store = Store(database, folder)
    store.clean_up()
    return store
