"""Seats that move to another device, and who may sit down, described."""

from __future__ import annotations

from webapp.openapi.games import GAME, at_table
from webapp.openapi.parts import FLAG, MOMENT, TEXT, Schema, ref, said, thing, told

SCHEMAS: dict[str, Schema] = {
    "SeatLink": thing(
        {
            "url": said("The page that asks and then seats the device that opened it.", TEXT),
            "key": said("The secret behind the # of the address.", TEXT),
            "expires": MOMENT,
        }
    ),
}

ACTIONS = (
    at_table(
        "post",
        GAME + "/players/{number}/link",
        "linkSeat",
        "Make a link that brings a player's seat to another device (host)",
        section="Players",
        description="It works once and for 30 minutes; a newer one ends it. Only this answer tells it.",
        answers={201: ref("SeatLink")},
        errors=(400, 403, 404, 429),
    ),
    at_table(
        "post",
        GAME + "/seat",
        "takeSeat",
        "Give this device the seat that a link was made for",
        section="Players",
        description="The device that had the seat loses it, and the window gets another id. The answer sets "
        "the cookie that makes the seat this device's.",
        takes=told({"key": TEXT}, "key"),
        errors=(400, 404, 415, 429),
    ),
    at_table(
        "put",
        GAME + "/open",
        "openTable",
        "Say whether new players may sit down (host)",
        description="After a reveal that was closed again only the host seats somebody new until then.",
        takes=told({"open": FLAG}),
        errors=(400, 403, 404, 415, 429),
    ),
)
