"""Games, described."""

from __future__ import annotations

from webapp.games.game import Stage
from webapp.games.view import WindowState
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
    told,
)

_REVISION = said("The revision that the change is made on.", COUNT)
_PUBLIC = many(ref("PublicObjective"))

SCHEMAS: dict[str, Schema] = {
    "Game": thing(
        {
            "code": said("What others need to join.", TEXT),
            "revision": said("Grows with every change of the game.", COUNT),
            "stage": one_of(*(stage.value for stage in Stage)),
            "solo": FLAG,
            "host": said("Whether this device started the game.", FLAG),
            "order_known": said("Whether the players stand in the order of their turns.", FLAG),
            "players": many(ref("Seat")),
            "public": _PUBLIC,
            "missing_objectives": said("How many public objectives are still to be chosen.", WHOLE),
            "tools": many(
                thing(
                    {
                        "name": ref("Tool"),
                        "tokens": said("Favor tokens on the card.", COUNT),
                        "cost": said("What its next use costs.", COUNT),
                        "used_up": said("In a solo game each tool works once.", FLAG),
                    }
                )
            ),
            "target": said("Of a solo game.", or_null(COUNT)),
            "second_private": said("Of a solo game; only its own table sees it.", or_null(ref("Color"))),
            "result": said("Windows and points, only after the reveal.", or_null(ref("Result"))),
        }
    ),
    "Seat": thing(
        {
            "seat": said("The number of the seat.", COUNT),
            "name": TEXT,
            "ready": FLAG,
            "window": said("How far the window is.", one_of(*(state.value for state in WindowState))),
            "doubts": said("Spaces to look at.", COUNT),
            "own": said("Whether the seat is this device's.", FLAG),
            "reading": said("The id of the window's reading, only for this device's own seats.", TEXT),
        },
        optional=["reading"],
    ),
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
            "standings": many(
                thing(
                    {
                        "place": COUNT,
                        "shared": FLAG,
                        "name": TEXT,
                        "total": WHOLE,
                        "private_points": or_null(WHOLE),
                        "favor_tokens": or_null(WHOLE),
                        "last_round_turn": or_null(WHOLE),
                        "lines": many(ref("ScoreLine")),
                    }
                )
            ),
            "decisions": said(
                "What decided between each player and the next one.",
                many(
                    thing(
                        {
                            "players": many(TEXT, minItems=2, maxItems=2),
                            "decided_by": or_null(
                                one_of("points", "private_objective", "favor_tokens", "last_round")
                            ),
                            "message": TEXT,
                        }
                    )
                ),
            ),
        }
    ),
    "PhotoTaken": thing(
        {
            "url": said("The page of the window.", TEXT),
            "read": said("Whether a window was found in the photo.", FLAG),
        }
    ),
}

_GAME = "/api/v1/games/{code}"
_SEAT = _GAME + "/players/{number}"


def _action(
    method: str,
    path: str,
    name: str,
    summary: str,
    *,
    takes: Schema | None = None,
    form: Schema | None = None,
    description: str = "",
    answers: dict[int, Schema | None] | None = None,
    errors: tuple[int, ...] = (400, 403, 404, 409, 415, 429),
) -> Action:
    """Return an action on a game; most answer with its new state."""
    return Action(
        method,
        path,
        name,
        summary,
        "Games",
        answers or {200: ref("Game")},
        description=description,
        takes=takes,
        form=form,
        errors=errors,
    )


ACTIONS = (
    _action(
        "post",
        "/api/v1/games",
        "startGame",
        "Start a game",
        takes=told(
            {"name": said("The host's name; without one the host does not play.", TEXT), "solo": FLAG}
        ),
        answers={201: ref("Game")},
        errors=(400, 415),
    ),
    _action(
        "get",
        _GAME,
        "getGame",
        "Get the state of a game as this device may see it",
        description="With `If-None-Match` and the last `ETag` an unchanged state answers 304.",
        answers={200: ref("Game"), 304: None},
        errors=(404, 429),
    ),
    _action(
        "patch",
        _GAME,
        "changeGame",
        "Put cards on the table (host)",
        takes=told(
            {
                "revision": _REVISION,
                "public": or_null(_PUBLIC),
                "tools": or_null(many(ref("Tool"))),
                "target": said("Only of a solo game.", or_null(COUNT)),
                "second_private": said("Only of a solo game.", or_null(ref("Color"))),
            },
            "revision",
        ),
    ),
    _action(
        "delete",
        _GAME,
        "deleteGame",
        "Delete a game with all windows and photos for good (host)",
        answers={204: None},
        errors=(403, 404, 429),
    ),
    _action(
        "post",
        _GAME + "/deal",
        "dealCards",
        "Draw random cards (host)",
        description="Public objectives, or so many tools.",
        takes=told(
            {"revision": _REVISION, "tools": said("How many tools; null for objectives.", or_null(COUNT))},
            "revision",
        ),
    ),
    _action(
        "put",
        _GAME + "/order",
        "orderPlayers",
        "Put the players in another order (host)",
        takes=told(
            {
                "revision": _REVISION,
                "seats": said("The numbers of all seats.", many(COUNT)),
                "known": said("Whether this is the order of the turns.", FLAG),
            },
            "revision",
            "seats",
        ),
    ),
    _action(
        "post",
        _GAME + "/players",
        "joinGame",
        "Sit down at the table",
        description="The answer sets the cookie that makes the seat this device's.",
        takes=told({"name": TEXT}, "name"),
        answers={201: ref("Game")},
        errors=(400, 404, 409, 415, 429),
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
    ),
    _action(
        "delete",
        _SEAT + "/uses",
        "takeBackTool",
        "Take back a player's last use of a tool",
        errors=(400, 403, 404, 409, 429),
    ),
    _action(
        "post",
        _GAME + "/reveal",
        "reveal",
        "Reveal all windows (host)",
        takes=told({"anyway": said("Also when somebody is not ready.", FLAG)}),
    ),
    _action(
        "delete",
        _GAME + "/reveal",
        "reopen",
        "Go back to the table (host)",
        errors=(400, 403, 404, 429),
    ),
)
