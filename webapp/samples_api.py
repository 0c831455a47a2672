"""The sample photos as JSON: which there are, and reading one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, jsonify, url_for

from webapp import cookies, photos, samples
from webapp.api_reading import made

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

blueprint = Blueprint("samples_api", __name__, url_prefix="/api/v1/samples")


@blueprint.get("")
def show() -> ResponseReturnValue:
    """List the sample photos."""
    return jsonify(
        samples=[
            {
                "name": name,
                "links": {
                    "self": url_for("samples_api.read", name=name),
                    "picture": url_for("pages.sample_thumbnail", name=name),
                },
            }
            for name in samples.names()
        ]
    )


@blueprint.post("/<name>")
def read(name: str) -> ResponseReturnValue:
    """Read a sample photo as if it had been uploaded."""
    return made(photos.take_in(samples.read(name), cookies.table_choices()))
