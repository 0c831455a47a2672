"""Scoring and checking a window in board notation, described."""

from __future__ import annotations

from webapp.openapi.parts import (
    COUNT,
    FLAG,
    NUMBER,
    TEXT,
    WHOLE,
    Action,
    Schema,
    by_key,
    many,
    or_null,
    ref,
    said,
    thing,
    told,
)
from webapp.openapi.results import DECISIONS, PLACING

_WINDOW: dict[str, Schema] = {
    "board": ref("Board"),
    "window": said("The window card by name in any language; `auto` tells it by the dice.", TEXT),
    "tools": said("The tool cards in the game, by name in any language.", many(TEXT)),
    "house_rules": said("What the group agreed on, by name in any language.", many(TEXT)),
}

_JUDGED: dict[str, Schema] = {
    "problems": many(ref("RuleProblem")),
    "notices": many(ref("Notice")),
    "board": ref("Board"),
    "window": said("The card by its English name; null when it is not known.", or_null(TEXT)),
    "window_turned": said("Whether the card lies upside down under the dice.", FLAG),
}

SCHEMAS: dict[str, Schema] = {
    "ScoreQuestion": {
        **told(
            {
                **_WINDOW,
                "public": said("The public objectives, by name in any language.", many(TEXT)),
                "private": said(
                    "The color of the private objective by letter or name; a solo game has a list of two.",
                    {"anyOf": [TEXT, many(TEXT)]},
                ),
                "favor": said("Favor tokens left.", or_null(COUNT)),
                "solo": said(
                    "For a solo game the points to beat, or the round track, such as `R3 G4 / -- / B1`.",
                    {"anyOf": [COUNT, TEXT, {"type": "null"}]},
                ),
            },
            "board",
        ),
        "additionalProperties": False,
    },
    "CheckQuestion": {
        **told(
            {
                **_WINDOW,
                "dice": said("Say where these dice may go next.", many(ref("Die"))),
                "spent": said("The most favor tokens that can have been spent.", or_null(COUNT)),
                "solo": said("A solo game: each tool works once and costs no tokens.", FLAG),
            },
            "board",
        ),
        "additionalProperties": False,
    },
    "Score": thing(
        {
            "total": WHOLE,
            "lines": many(ref("LabelledLine")),
            **_JUDGED,
            "score_marker": said("Not in a solo game.", ref("ScoreMarker")),
            "solo": said("What came of a solo game; only there.", ref("SoloResult")),
            "removals": ref("Removals"),
        },
        optional=["score_marker", "solo", "removals"],
    ),
    "ScoreMarker": said(
        "Where the score marker lies.",
        thing(
            {
                "space": said("Null for 0 points or less, which the track does not show.", or_null(WHOLE)),
                "flipped": FLAG,
                "laps": WHOLE,
                "message": TEXT,
            }
        ),
    ),
    "Removals": said(
        "What to take off so that no rule is broken; only where one is.",
        thing({"most_points": ref("Removal"), "fewest_dice": ref("Removal")}),
    ),
    "Removal": thing(
        {
            "cells": many(ref("Cell")),
            "board": ref("Board"),
            "points_before": WHOLE,
            "points_after": WHOLE,
            "points_lost": WHOLE,
            "message": TEXT,
        }
    ),
    "Check": thing(
        {
            "legal": FLAG,
            **_JUDGED,
            "dead_cells": said("Empty spaces that no die can fill any more.", many(ref("Cell"))),
            "windows": thing(
                {
                    "likeliest": many(
                        thing(
                            {
                                "name": TEXT,
                                "turned": FLAG,
                                "probability": NUMBER,
                                "misfits": said("Dice that the card forbids.", many(ref("Cell"))),
                            }
                        )
                    ),
                    "unknown": said("The probability that it is none of the known cards.", NUMBER),
                }
            ),
            "dice": many(ref("Placing")),
            "removals": said(
                "What to take off so that no rule is broken; only where one is.",
                thing(
                    {
                        "fewest_dice": thing(
                            {"cells": many(ref("Cell")), "board": ref("Board"), "message": TEXT}
                        )
                    }
                ),
            ),
        },
        optional=["removals"],
    ),
    "RankQuestion": {
        **told(
            {
                "public": said("The public objectives, by name in any language.", many(TEXT, maxItems=3)),
                "tools": _WINDOW["tools"],
                "house_rules": _WINDOW["house_rules"],
                "first_player": said("Who had the dice bag in the first round; may decide a tie.", TEXT),
                "first_player_of_last_round": said("The same of the last round.", TEXT),
                "turn_order": said("All names, clockwise from the first player.", many(TEXT)),
                "players": said(
                    "Clockwise around the table.", many(ref("RankedWindow"), minItems=2, maxItems=4)
                ),
            },
            "players",
        ),
        "additionalProperties": False,
    },
    "RankedWindow": {
        **told(
            {
                "name": TEXT,
                "board": ref("Board"),
                "private": said("The color of the private objective by letter or name.", TEXT),
                "favor_tokens": said("Favor tokens left.", COUNT),
                "window": or_null(_WINDOW["window"]),
            },
            *("name", "board", "private", "favor_tokens"),
        ),
        "additionalProperties": False,
    },
    "Ranking": thing(
        {
            "message": said("Who wins.", TEXT),
            "winners": many(TEXT),
            "standings": said(
                "The best first.",
                many(
                    thing(
                        {
                            **PLACING,
                            "lines": many(ref("LabelledLine")),
                            "score_marker": ref("ScoreMarker"),
                            **{key: one for key, one in _JUDGED.items() if key != "notices"},
                            "removals": ref("Removals"),
                        },
                        optional=["removals"],
                    )
                ),
            ),
            "decisions": DECISIONS,
            "notices": said(
                "What there is to know, of a player or of the whole game.",
                many(
                    thing(
                        {
                            "player": said("Null when it is about the game.", or_null(TEXT)),
                            "code": TEXT,
                            "cells": many(ref("Cell")),
                            "message": TEXT,
                            "excused_by": many(ref("Tool")),
                        }
                    )
                ),
            ),
        }
    ),
    "Placing": thing(
        {
            "die": ref("Die"),
            "legal_cells": many(ref("Cell")),
            "needs_tool": said("Of these, the ones that need one of these tools.", by_key(many(ref("Tool")))),
            "why_not": said("For every other space, the rules that forbid it.", by_key(many(TEXT))),
        }
    ),
}

ACTIONS = (
    Action(
        "post",
        "/api/v1/score",
        "scoreWindow",
        "Score a window line by line",
        "Rules",
        {200: ref("Score")},
        description="The answer is that of `sagrada score --json`. Nothing is kept.",
        takes=ref("ScoreQuestion"),
        errors=(400, 415),
    ),
    Action(
        "post",
        "/api/v1/check",
        "checkWindow",
        "Check the placement rules on a window",
        "Rules",
        {200: ref("Check")},
        description="The answer is that of `sagrada check --json`. Nothing is kept.",
        takes=ref("CheckQuestion"),
        errors=(400, 415),
    ),
    Action(
        "post",
        "/api/v1/rank",
        "rankPlayers",
        "Rank the players of a game and say what decided",
        "Rules",
        {200: ref("Ranking")},
        description="The answer is that of `sagrada rank --json`. Nothing is kept. At most one of "
        "`first_player`, `first_player_of_last_round` and `turn_order` is given.",
        takes=ref("RankQuestion"),
        errors=(400, 415),
    ),
)
