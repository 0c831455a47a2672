"""Readings, described."""

from __future__ import annotations

from webapp.openapi.parts import (
    COUNT,
    FLAG,
    MOMENT,
    TEXT,
    WHOLE,
    Action,
    Schema,
    by_key,
    many,
    one_of,
    or_null,
    ref,
    said,
    thing,
    told,
)

_REVISION = said("The revision that the change is made on.", COUNT)
_CHOICES: dict[str, Schema] = {
    "public": said("The public objectives.", many(ref("PublicObjective"), maxItems=3)),
    "private": said("The color of the private objective.", or_null(ref("Color"))),
    "window": said(
        "The window card by its English name; `auto` is the one that was read, or `unknown`.", TEXT
    ),
    "favor": said("Favor tokens left.", {"type": "integer", "minimum": 0, "maximum": 6}),
}
_ONLY_FOR_THE_PAGE = ("view", "publicCount", "autoLabel", "regions")
WITH = {"with": said("`regions` adds the parts of our own page as HTML.", one_of("regions"))}

SCHEMAS: dict[str, Schema] = {
    "Reading": thing(
        {
            "id": said("The key to the reading; keep it to those who may change it.", TEXT),
            "revision": said("Grows with every change.", COUNT),
            "board": ref("Board"),
            "size": said("Width and height of the photo in pixels; null without one.", or_null(many(COUNT))),
            "corners": or_null(ref("Corners")),
            "window": said("The window card by its English name; null when it is not known.", or_null(TEXT)),
            "total": said("The points with the choices as they are.", WHOLE),
            "lines": many(
                thing(
                    {
                        "name": said("The name in the visitor's language.", TEXT),
                        "kind": ref("LineKind"),
                        "points": WHOLE,
                        "formula": TEXT,
                        "cells": said("The spaces that earned the points.", many(ref("Cell"))),
                    }
                )
            ),
            "problems": many(ref("Problem")),
            "removals": said("What to take off so that no rule is broken.", many(ref("Advice"))),
            "cells": many(
                thing(
                    {
                        "name": ref("Cell"),
                        "die": or_null(ref("Die")),
                        "doubtful": said("Whether a person should look at it.", FLAG),
                        "candidates": said("What else it may be, likeliest first.", many(ref("DieOrEmpty"))),
                        "restriction": said(
                            "What is printed there: a color letter, a value or a dot.",
                            {"type": "string", "pattern": "^[RYGBP1-6.]$"},
                        ),
                        "label": said("The space in words.", TEXT),
                    }
                ),
                minItems=20,
                maxItems=20,
            ),
            "choices": thing(_CHOICES),
            "failure": or_null(ref("Failure")),
            "links": ref("ReadingLinks"),
            **{
                name: said("Only with `?with=regions`.", schema)
                for name, schema in {
                    "view": or_null(thing({"angle": WHOLE, "turn": TEXT, "crop": TEXT})),
                    "publicCount": TEXT,
                    "autoLabel": TEXT,
                    "regions": by_key(TEXT),
                }.items()
            },
        },
        optional=_ONLY_FOR_THE_PAGE,
    ),
    "ReadingLinks": thing(
        {
            "self": said("This reading as JSON.", TEXT),
            "placement": said("Where dice may go on it.", TEXT),
            "page": said("Its page for people.", TEXT),
            "picture": said("The window as stained glass, an SVG.", TEXT),
            "photo": said("The photo as JPEG; null without one.", or_null(TEXT)),
        }
    ),
    "LastReading": thing(
        {
            "id": TEXT,
            "created": MOMENT,
            "board": ref("Board"),
            "total": said("Null before an objective is chosen, and for an unread photo.", or_null(WHOLE)),
            "links": ref("ReadingLinks"),
        }
    ),
    "Problem": thing(
        {
            "code": ref("RuleCode"),
            "cells": many(ref("Cell")),
            "sentence": said("What is wrong.", TEXT),
            "rule": said("The rule that is broken.", TEXT),
        }
    ),
    "Advice": thing({"cells": said("The dice to take off.", many(ref("Cell"))), "sentence": TEXT}),
    "Photo": thing(
        {
            "photo": said(
                "A JPEG, PNG, WebP or HEIC file.", {"type": "string", "contentMediaType": "image/*"}
            ),
            "card_of": said(
                "The id of an earlier reading of the same window: the card that was chosen for it comes "
                "along, unless the photo itself names another one with certainty.",
                TEXT,
            ),
            "only_the_card": said(
                "`yes`: the photo was taken only to keep the window card in it. It is not among the last "
                "readings; it is deleted when the card is kept, or when it was left for a day.",
                TEXT,
            ),
        },
        optional=["card_of", "only_the_card"],
    ),
    "ReadingChange": told(
        {
            "revision": _REVISION,
            "cells": said(
                "Dice by space, `--` for none.",
                {
                    "type": "object",
                    "propertyNames": ref("Cell"),
                    "additionalProperties": or_null(ref("DieOrEmpty")),
                },
            ),
            "checked": said("Spaces that somebody looked at and found right.", many(ref("Cell"))),
            "unchecked": said("Spaces whose doubt comes back.", many(ref("Cell"))),
            "choices": told(
                {**_CHOICES, "private": said("Null or an empty text takes it back.", or_null(TEXT))}
            ),
        },
        "revision",
    ),
    "Revision": told({"revision": _REVISION}, "revision"),
}

_ONE = "/api/v1/readings/{record_id}"

ACTIONS = (
    Action(
        "get",
        "/api/v1/readings",
        "listReadings",
        "List the last readings of this browser",
        "Readings",
        {200: thing({"readings": many(ref("LastReading"))})},
        description="The cookie `recent`, which every new reading sets, names them.",
    ),
    Action(
        "post",
        "/api/v1/readings",
        "makeReading",
        "Read a photo, or begin with dice entered by hand",
        "Readings",
        {201: ref("Reading")},
        description="A photo that opens but cannot be read is kept, too: `failure` says why, and the dice "
        "can be entered by hand or the corners set. The header `Location` names the reading.",
        takes=told({"board": ref("Board")}),
        form=ref("Photo"),
        query=WITH,
        errors=(400, 413, 422),
    ),
    Action(
        "get",
        _ONE,
        "getReading",
        "Get dice, points and problems of a reading",
        "Readings",
        {200: ref("Reading")},
        query=WITH,
        errors=(404,),
    ),
    Action(
        "patch",
        _ONE,
        "changeReading",
        "Correct dice, choose objectives and window card",
        "Readings",
        {200: ref("Reading")},
        description="The public objectives of a window that belongs to a game are chosen in the game.",
        takes=ref("ReadingChange"),
        query=WITH,
        errors=(400, 404, 409, 415),
    ),
    Action(
        "delete",
        _ONE,
        "deleteReading",
        "Delete a reading and its photo for good",
        "Readings",
        {204: None},
        description="A window that belongs to a game goes with its seat.",
        errors=(400, 404),
    ),
    Action(
        "post",
        _ONE + "/by-hand",
        "goOnByHand",
        "Go on by hand beside a photo that could not be read",
        "Readings",
        {200: ref("Reading")},
        query=WITH,
        errors=(404,),
    ),
    Action(
        "post",
        _ONE + "/turn",
        "turnReading",
        "Show the window the other way up",
        "Readings",
        {200: ref("Reading")},
        takes=ref("Revision"),
        query=WITH,
        errors=(400, 404, 409, 415),
    ),
    Action(
        "post",
        _ONE + "/corners",
        "setCorners",
        "Read the photo again with the corners set by hand",
        "Readings",
        {200: ref("Reading")},
        takes=told({"corners": ref("Corners"), "revision": _REVISION}, "corners"),
        query=WITH,
        errors=(400, 404, 409, 415, 422),
    ),
    Action(
        "delete",
        _ONE + "/corners",
        "takeBackCorners",
        "Go back to the reading before the corners were set by hand",
        "Readings",
        {200: ref("Reading")},
        takes=ref("Revision"),
        query=WITH,
        errors=(400, 404, 409, 415),
    ),
)
