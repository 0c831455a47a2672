"""Where phones reach this server, described."""

from __future__ import annotations

from webapp.openapi.parts import TEXT, Action, Schema, many, or_null, ref, said, thing, told

SCHEMAS: dict[str, Schema] = {
    "Address": thing(
        {
            "url": said("What phones open; null when they cannot reach this server.", or_null(TEXT)),
            "qr": said("The same as a QR code, an SVG.", or_null(TEXT)),
            "others": said(
                "All addresses to choose from, where there is a choice and the visitor sits here.",
                many(TEXT),
            ),
        }
    )
}

ACTIONS = (
    Action(
        "get",
        "/api/v1/address",
        "getAddress",
        "Get the address for phones, also as a QR code",
        "Address",
        {200: ref("Address")},
        query={"path": said("The page that it leads to, such as `/g/CODE`; `/` without one.", TEXT)},
        errors=(400,),
    ),
    Action(
        "put",
        "/api/v1/address",
        "chooseAddress",
        "Use another address of this computer (only from there)",
        "Address",
        {200: ref("Address")},
        takes=told({"address": said("One of `others`.", TEXT)}, "address"),
        errors=(400, 403, 415),
    ),
)
