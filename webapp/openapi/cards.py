"""The cards of the game, described."""

from __future__ import annotations

from webapp.openapi.parts import COUNT, FLAG, TEXT, Action, Schema, many, or_null, ref, said, thing

_LABEL = said("The name in the visitor's language.", TEXT)
_RULE = said("What it counts or does, in the visitor's language.", TEXT)

SCHEMAS: dict[str, Schema] = {
    "Cards": thing(
        {
            "language": said("The language of labels and rules.", TEXT),
            "colors": many(
                thing(
                    {
                        "letter": ref("Color"),
                        "label": _LABEL,
                        "private": said("The name of the private objective of that color.", TEXT),
                    }
                )
            ),
            "public": many(
                thing(
                    {
                        "name": ref("PublicObjective"),
                        "label": _LABEL,
                        "rule": _RULE,
                        "points": said(
                            "For each row, column or set; 1 for each die of Color Diagonals.", COUNT
                        ),
                    }
                )
            ),
            "tools": many(
                thing(
                    {
                        "name": ref("Tool"),
                        "label": _LABEL,
                        "rule": _RULE,
                        "number": COUNT,
                        "moves_dice": said("Whether it moves dice that lie in the window.", FLAG),
                    }
                )
            ),
            "house_rules": many(thing({"name": ref("HouseRule"), "label": _LABEL})),
            "windows": many(ref("WindowCard")),
        }
    ),
    "WindowCard": thing(
        {
            "name": TEXT,
            "label": _LABEL,
            "pattern": ref("Pattern"),
            "difficulty": said("Also the number of favor tokens; null when it is not known.", or_null(COUNT)),
            "other_side": said("The window on the back of the card.", or_null(TEXT)),
            "promo": FLAG,
            "custom": said("Whether people of this house added it.", FLAG),
        }
    ),
}

ACTIONS = (
    Action(
        "get",
        "/api/v1/cards",
        "listCards",
        "List public objectives, tools, windows and colors",
        "Cards",
        {200: ref("Cards")},
    ),
    Action(
        "get",
        "/api/v1/openapi.json",
        "getDocument",
        "Get the description of this interface",
        "Cards",
        {200: {"type": "object"}},
        description="An OpenAPI 3.1 document.",
    ),
)
