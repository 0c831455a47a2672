"""The sample photos, described."""

from __future__ import annotations

from webapp.openapi.parts import TEXT, Action, Schema, many, ref, said, thing
from webapp.openapi.readings import WITH

SCHEMAS: dict[str, Schema] = {}

ACTIONS = (
    Action(
        "get",
        "/api/v1/samples",
        "listSamples",
        "List the sample photos that come with the program",
        "Readings",
        {
            200: thing(
                {
                    "samples": many(
                        thing(
                            {
                                "name": TEXT,
                                "links": thing(
                                    {
                                        "self": said("POST there to read it.", TEXT),
                                        "picture": said("A small JPEG.", TEXT),
                                    }
                                ),
                            }
                        )
                    )
                }
            )
        },
    ),
    Action(
        "post",
        "/api/v1/samples/{name}",
        "readSample",
        "Read a sample photo",
        "Readings",
        {201: ref("Reading")},
        query=WITH,
        errors=(404,),
    ),
)
