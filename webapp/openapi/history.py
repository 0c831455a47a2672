"""The games so far, described."""

from __future__ import annotations

from webapp.openapi.parts import (
    COUNT,
    FLAG,
    MOMENT,
    NUMBER,
    TEXT,
    WHOLE,
    Action,
    Schema,
    many,
    or_null,
    ref,
    said,
    thing,
)
from webapp.openapi.results import DECISIONS

_FILES: dict[str, Schema] = {"json": said("As a file.", TEXT), "csv": said("As a table.", TEXT)}

SCHEMAS: dict[str, Schema] = {
    "History": thing(
        {
            "games": said("Newest first; none beyond the last page.", many(ref("PlayedGame"))),
            "page": COUNT,
            "pages": said("How many pages there are.", COUNT),
            "statistics": ref("Statistics"),
            "links": said("All games as a file.", thing(_FILES)),
        }
    ),
    "PlayedGame": thing(
        {
            "code": TEXT,
            "created": MOMENT,
            "revealed": MOMENT,
            "solo": FLAG,
            "host": said("Whether this device started the game, and so may delete it.", FLAG),
            "public": many(ref("PublicObjective")),
            "tools": many(thing({"name": ref("Tool"), "tokens": COUNT})),
            "uses": many(thing({"tool": ref("Tool"), "seat": COUNT, "tokens": COUNT})),
            "order_known": FLAG,
            "players": many(ref("PlayedWindow")),
            "message": said("How it ended, in a sentence; null when nobody can be ranked.", or_null(TEXT)),
            "winners": many(TEXT),
            "decisions": DECISIONS,
            "unranked": said("Players whose private objective nobody told.", many(TEXT)),
            "target": said("Of a solo game.", or_null(COUNT)),
            "second_private": said("Of a solo game.", or_null(ref("Color"))),
            "solo_result": or_null(ref("SoloResult")),
            "links": thing(
                {
                    "self": TEXT,
                    "page": said("The page of the reveal.", TEXT),
                    **_FILES,
                    "bg_stats": said(
                        "Hands the play over to the app BG Stats; null while there is no result.",
                        or_null(TEXT),
                    ),
                }
            ),
        }
    ),
    "PlayedWindow": thing(
        {
            "seat": COUNT,
            "name": TEXT,
            "place": or_null(COUNT),
            "shared": FLAG,
            "last_round_turn": or_null(COUNT),
            "board": ref("Board"),
            "window": or_null(thing({"name": TEXT, "difficulty": or_null(COUNT), "pattern": ref("Pattern")})),
            "private": or_null(ref("Color")),
            "favor_tokens": COUNT,
            "total": WHOLE,
            "lines": many(
                thing(
                    {
                        "kind": ref("LineKind"),
                        "name": TEXT,
                        "points": WHOLE,
                        "formula": TEXT,
                        "groups": many(many(ref("Cell"))),
                    }
                )
            ),
            "picture": said("The window as stained glass, an SVG.", TEXT),
        }
    ),
    "Statistics": said(
        "What all games add up to. Windows without dice or without a private objective do not count.",
        thing(
            {
                "games": COUNT,
                "totals": said("Of games with two to four players.", or_null(ref("Numbers"))),
                "best_names": said("Whose total was the best.", many(TEXT)),
                "players": many(
                    thing({"name": TEXT, "won": said("Also shared.", COUNT), "totals": ref("Numbers")})
                ),
                "objectives": many(thing({"name": ref("PublicObjective"), "points": ref("Numbers")})),
                "windows": many(thing({"name": TEXT, "totals": ref("Numbers")})),
                "solo": thing(
                    {"games": COUNT, "won": COUNT, "lost": COUNT, "totals": or_null(ref("Numbers"))}
                ),
            }
        ),
    ),
    "Numbers": thing({"times": said("How often it was counted.", COUNT), "average": NUMBER, "best": WHOLE}),
}

ACTIONS = (
    Action(
        "get",
        "/api/v1/history",
        "listHistory",
        "List the games so far with what they add up to",
        "History",
        {200: ref("History")},
        query={"page": said("Which page of the games, from 1.", {"type": "integer", "minimum": 1})},
        errors=(400,),
    ),
    Action(
        "get",
        "/api/v1/history/{code}",
        "getPlayedGame",
        "Get one revealed game",
        "History",
        {200: ref("PlayedGame")},
        description="Its host deletes it with `DELETE /api/v1/games/{code}`.",
        errors=(404, 429),
    ),
)
