"""How a game ended, described: at its table, in the history, and for games that are only asked about."""

from __future__ import annotations

from scoring.tie_breaks import Criterion
from webapp.openapi.parts import (
    COUNT,
    FLAG,
    TEXT,
    WHOLE,
    Action,
    Schema,
    many,
    one_of,
    or_null,
    ref,
    said,
    thing,
)

PLACING: dict[str, Schema] = {
    "place": COUNT,
    "shared": FLAG,
    "name": TEXT,
    "total": WHOLE,
    "private_points": or_null(WHOLE),
    "favor_tokens": or_null(WHOLE),
    "last_round_turn": or_null(WHOLE),
}
"""What the standings say of a player."""

DECISIONS = said("What decided between each player and the next one.", many(ref("Decision")))

SCHEMAS: dict[str, Schema] = {
    "Result": thing(
        {
            "players": many(
                thing(
                    {
                        "seat": COUNT,
                        "name": TEXT,
                        "board": ref("Board"),
                        "private": or_null(ref("Color")),
                        "favor": COUNT,
                        "picture": said("The window as stained glass, an SVG.", TEXT),
                        "total": WHOLE,
                        "lines": many(ref("ScoreLine")),
                    }
                )
            ),
            "standings": said(
                "Null in a solo game, and when nobody can be ranked.", or_null(ref("Standings"))
            ),
            "unranked": said("Players whose private objective nobody told.", many(TEXT)),
            "solo": or_null(ref("SoloResult")),
        }
    ),
    "Standings": thing(
        {
            "message": TEXT,
            "winners": many(TEXT),
            "standings": many(thing({**PLACING, "lines": many(ref("ScoreLine"))})),
            "decisions": DECISIONS,
        }
    ),
    "Decision": thing(
        {
            "players": said("The one who is ahead, and the other.", many(TEXT, minItems=2, maxItems=2)),
            "decided_by": said(
                "Null when the two share a place.", or_null(one_of(*(one.value for one in Criterion)))
            ),
            "message": TEXT,
        }
    ),
}

ACTIONS: tuple[Action, ...] = ()
