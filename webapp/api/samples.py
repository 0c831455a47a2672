"""The sample photos as JSON: which there are, and reading one."""

from __future__ import annotations

from flask import url_for

from webapp.api.answers import Reading, Sample, Samples
from webapp.api.readings import made
from webapp.api.section import Section
from webapp.web import cookies, photo_reading, samples

blueprint = Section(
    "samples_api",
    "/samples",
    heading="Samples",
    about="The sample photos that come with the program.",
)


@blueprint.action("get", "", "listSamples")
def show() -> Samples:
    """List the sample photos that come with the program."""
    return {"samples": [_sample(name) for name in samples.names()]}


@blueprint.action("post", "/<name>", "readSample", status=201, errors=[404])
def read(name: str) -> Reading:
    """Read a sample photo as if it had been uploaded."""
    return made(photo_reading.take_in(samples.read(name), cookies.table_choices()))


def _sample(name: str) -> Sample:
    read_at, picture = url_for("samples_api.read", name=name), url_for("pages.sample_thumbnail", name=name)
    return {"name": name, "links": {"self": read_at, "picture": picture}}
