"""Games, described."""

from __future__ import annotations

from webapp.games.game import Stage
from webapp.games.view import WindowState
from webapp.openapi.parts import (
    COUNT,
    FLAG,
    MOMENT,
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
            "open": said("Whether new players may sit down before the reveal.", FLAG),
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
            "moved": said("Whether the seat moved to another device.", FLAG),
            "window": said("How far the window is.", one_of(*(state.value for state in WindowState))),
            "doubts": said("Spaces to look at.", COUNT),
            "own": said("Whether the seat is this device's.", FLAG),
            "reading": said("The id of the window's reading, only for this device's own seats.", TEXT),
        },
        optional=["reading"],
    ),
    "OwnGame": thing(
        {
            "code": TEXT,
            "stage": one_of(*(stage.value for stage in Stage)),
            "created": MOMENT,
            "players": said("Their names.", many(TEXT)),
            "links": thing({"self": TEXT, "page": said("The table, or the page of the reveal.", TEXT)}),
        }
    ),
}

GAME = "/api/v1/games/{code}"


def at_table(
    method: str,
    path: str,
    name: str,
    summary: str,
    *,
    section: str = "Games",
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
        section,
        answers or {200: ref("Game")},
        description=description,
        takes=takes,
        form=form,
        errors=errors,
    )


ACTIONS = (
    at_table(
        "get",
        "/api/v1/games",
        "listGames",
        "List the games in which this device has a part",
        answers={200: thing({"games": many(ref("OwnGame"))})},
        errors=(),
    ),
    at_table(
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
    at_table(
        "get",
        GAME,
        "getGame",
        "Get the state of a game as this device may see it",
        description="With `If-None-Match` and the last `ETag` an unchanged state answers 304.",
        answers={200: ref("Game"), 304: None},
        errors=(404, 429),
    ),
    at_table(
        "patch",
        GAME,
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
    at_table(
        "delete",
        GAME,
        "deleteGame",
        "Delete a game with all windows and photos for good (host)",
        answers={204: None},
        errors=(403, 404, 429),
    ),
    at_table(
        "post",
        GAME + "/deal",
        "dealCards",
        "Draw random cards (host)",
        description="Public objectives, or so many tools.",
        takes=told(
            {"revision": _REVISION, "tools": said("How many tools; null for objectives.", or_null(COUNT))},
            "revision",
        ),
    ),
    at_table(
        "put",
        GAME + "/order",
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
    at_table(
        "post",
        GAME + "/reveal",
        "reveal",
        "Reveal all windows (host)",
        takes=told({"anyway": said("Also when somebody is not ready.", FLAG)}),
        errors=(400, 403, 404, 415, 429),
    ),
    at_table(
        "delete",
        GAME + "/reveal",
        "reopen",
        "Go back to the table (host)",
        errors=(403, 404, 429),
    ),
)
