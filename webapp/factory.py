"""Putting the application together: settings, storage, languages, errors, pages."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flask import Flask

from webapp import api, context, errors, language, pages, security
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
    context.keep(app, Store(Path(app.config.get("SAGRADA_DATA") or default_folder())), reader)
    # The order matters: a request is refused before anything else looks at it.
    security.register(app)
    language.register(app)
    errors.register(app)
    app.register_blueprint(pages.blueprint)
    app.register_blueprint(api.blueprint)
    return app
