"""The players of a game, described."""

from __future__ import annotations

from functools import partial

from webapp.openapi.games import GAME, at_table
from webapp.openapi.parts import COUNT, FLAG, TEXT, Schema, or_null, ref, said, thing, told

SCHEMAS: dict[str, Schema] = {
    "PhotoTaken": thing(
        {
            "url": said("The page of the window.", TEXT),
            "read": said("Whether a window was found in the photo.", FLAG),
        }
    ),
}

_SEAT = GAME + "/players/{number}"
_action = partial(at_table, section="Players")

ACTIONS = (
    _action(
        "post",
        GAME + "/players",
        "joinGame",
        "Sit down at the table",
        description="The answer sets the cookie that makes the seat this device's.",
        takes=told({"name": TEXT}, "name"),
        answers={201: ref("Game")},
        errors=(400, 404, 415, 429),
    ),
    _action(
        "patch",
        _SEAT,
        "changePlayer",
        "Change name, private objective, favor tokens or readiness of a player",
        takes=told(
            {
                "name": TEXT,
                "private": said("The letter of a color; null or an empty text takes it back.", or_null(TEXT)),
                "favor": {"type": "integer", "minimum": 0, "maximum": 6},
                "ready": FLAG,
                "window_revision": said(
                    "The revision of the window that `private` and `favor` are changed on; the newest "
                    "without one.",
                    or_null(COUNT),
                ),
            }
        ),
    ),
    _action(
        "delete",
        _SEAT,
        "leaveGame",
        "Take a player out of the game, with window and photo for good",
        errors=(400, 403, 404, 429),
    ),
    _action(
        "post",
        _SEAT + "/photo",
        "takePhoto",
        "Read the photo of a player's window",
        form=ref("Photo"),
        answers={201: ref("PhotoTaken")},
        errors=(400, 403, 404, 413, 422, 429),
    ),
    _action(
        "post",
        _SEAT + "/uses",
        "useTool",
        "Note that a player used a tool",
        takes=told({"tool": ref("Tool")}, "tool"),
        answers={201: ref("Game")},
        errors=(400, 403, 404, 415, 429),
    ),
    _action(
        "delete",
        _SEAT + "/uses",
        "takeBackTool",
        "Take back a player's last use of a tool",
        errors=(400, 403, 404, 429),
    ),
)
