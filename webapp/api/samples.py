"""The sample photos as JSON: which there are, and reading one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import jsonify, url_for

from webapp.api.answers import Reading, Samples
from webapp.api.reading_json import made
from webapp.api.section import Section
from webapp.web import cookies, photos, samples

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

blueprint = Section(
    "samples_api",
    __name__,
    "/samples",
    heading="Samples",
    about="The sample photos that come with the program.",
)


@blueprint.action("get", "", "listSamples", {200: Samples})
def show() -> ResponseReturnValue:
    """List the sample photos that come with the program."""
    answer: Samples = {
        "samples": [
            {
                "name": name,
                "links": {
                    "self": url_for("samples_api.read", name=name),
                    "picture": url_for("pages.sample_thumbnail", name=name),
                },
            }
            for name in samples.names()
        ]
    }
    return jsonify(answer)


@blueprint.action("post", "/<name>", "readSample", {201: Reading}, errors=[404])
def read(name: str) -> ResponseReturnValue:
    """Read a sample photo as if it had been uploaded."""
    return made(photos.take_in(samples.read(name), cookies.table_choices()))
