"""The schemas that several subjects share: the game's own words, lines of a score, problems, errors."""

from __future__ import annotations

from scoring import Color, HouseRule, LineKind, ProblemCode, PublicObjective, Tool
from webapp.openapi.parts import (
    COUNT,
    FLAG,
    NUMBER,
    TEXT,
    WHOLE,
    Schema,
    many,
    one_of,
    or_null,
    ref,
    said,
    thing,
)

SCHEMAS: dict[str, Schema] = {
    "Error": thing(
        {
            "error": thing(
                {
                    "code": said("The reason, for programs.", {"type": "string", "pattern": "^[a-z_]+$"}),
                    "message": said("What went wrong, for people.", {"type": "string", "minLength": 1}),
                    "next_step": said("What to do about it, for people.", {"type": "string", "minLength": 1}),
                }
            )
        }
    ),
    "Failure": said(
        "Why the photo could not be read.",
        thing({"code": TEXT, "message": TEXT, "next_step": TEXT}),
    ),
    "Color": said("The letter of a color.", one_of(*(color.value for color in Color))),
    "Die": said("A color letter and a value.", {"type": "string", "pattern": "^[RYGBP][1-6]$"}),
    "DieOrEmpty": said(
        "A die, or -- for an empty space.", {"type": "string", "pattern": "^([RYGBP][1-6]|--)$"}
    ),
    "Cell": said(
        "A space: the row A to D from the top, the column 1 to 5.",
        {"type": "string", "pattern": "^[A-D][1-5]$"},
    ),
    "Board": said(
        "Four rows of five dice: `Y5 -- R4 Y5 B1 / P2 B4 Y6 G2 R3 / R6 G3 R4 B5 P2 / G1 Y4 P2 R3 Y5`.",
        TEXT,
    ),
    "Pattern": said(
        "What is printed on a window card: four rows of five spaces, each a color letter, a value or a dot.",
        {"type": "string", "pattern": r"^[RYGBP1-6.]{5}( / [RYGBP1-6.]{5}){3}$"},
    ),
    "PublicObjective": said("A public objective.", one_of(*(card.value for card in PublicObjective))),
    "Tool": said("A tool card.", one_of(*(tool.value for tool in Tool))),
    "HouseRule": said("What a group may agree on.", one_of(*(rule.value for rule in HouseRule))),
    "RuleCode": said("A rule of placement.", one_of(*(code.value for code in ProblemCode))),
    "LineKind": said("What a line of the score counts.", one_of(*(kind.value for kind in LineKind))),
    "Corners": said(
        "The corners of the window in the photo, in pixels, clockwise from the top left.",
        many(many(NUMBER, minItems=2, maxItems=2), minItems=4, maxItems=4),
    ),
    "ScoreLine": thing(
        {
            "name": said("The English name.", TEXT),
            "points": WHOLE,
            "formula": said("How the points come about, such as `min(2, 3) x 2`.", TEXT),
            "groups": said("The spaces that earned the points, set by set.", many(many(ref("Cell")))),
        }
    ),
    "LabelledLine": thing(
        {
            "name": said("The English name.", TEXT),
            "kind": ref("LineKind"),
            "label": said("The name in the visitor's language.", TEXT),
            "points": WHOLE,
            "formula": TEXT,
            "groups": many(many(ref("Cell"))),
        }
    ),
    "RuleProblem": thing(
        {
            "code": ref("RuleCode"),
            "cells": many(ref("Cell")),
            "message": said("What is wrong.", TEXT),
            "rule": said("The rule that is broken.", TEXT),
            "excused_by": many(ref("Tool"), maxItems=0),
            "could_excuse": said(
                "Tools that could make it legal if they were in the game.", many(ref("Tool"))
            ),
        }
    ),
    "Notice": said(
        "What looks like a broken rule and is none, or what there is to know about the answer.",
        thing({"code": TEXT, "cells": many(ref("Cell")), "message": TEXT, "excused_by": many(ref("Tool"))}),
    ),
    "SoloResult": thing(
        {
            "target": COUNT,
            "won": FLAG,
            "missing": said("The points that a win would have needed on top.", COUNT),
            "private": ref("Color"),
            "other_private": said("The private objective that does not count.", or_null(ref("ScoreLine"))),
            "why_private": TEXT,
            "message": TEXT,
        }
    ),
}
