"""Window cards and the windows of one's own, described."""

from __future__ import annotations

from webapp.openapi.parts import (
    COUNT,
    FLAG,
    TEXT,
    Action,
    Schema,
    by_key,
    many,
    one_of,
    or_null,
    ref,
    said,
    thing,
    told,
)

_NOTICES = said("What a player should know about it, in the visitor's language.", many(TEXT))
_CAN_BE_FILLED = said("Whether 20 dice can lie on it under all rules without a tool.", FLAG)
_DIFFICULTY = said(
    "3 to 6, also the number of favor tokens; null when it is not known.",
    or_null({"type": "integer", "minimum": 3, "maximum": 6}),
)
_NAMES = said("Its names in other languages, by language code.", by_key(TEXT))
_CHANGE: dict[str, Schema] = {
    "name": said("At most 40 characters; no other window may have it in any language.", TEXT),
    "pattern": ref("Pattern"),
    "difficulty": _DIFFICULTY,
    "names": _NAMES,
}

SCHEMAS: dict[str, Schema] = {
    "Window": thing(
        {
            "name": said("The English name, or the one that people of this house gave it.", TEXT),
            "label": said("The name in the visitor's language.", TEXT),
            "pattern": ref("Pattern"),
            "difficulty": _DIFFICULTY,
            "other_side": said("The window on the back of the card.", or_null(TEXT)),
            "names": _NAMES,
            "promo": FLAG,
            "custom": said("Whether people of this house added it; only such ones can be changed.", FLAG),
            "can_be_filled": _CAN_BE_FILLED,
            "notices": _NOTICES,
        }
    ),
    "Windows": thing({"windows": many(ref("Window"))}),
    "NewWindow": told(_CHANGE, "name", "pattern"),
    "WindowChange": told(_CHANGE),
    "Spaces": told(
        {"pattern": ref("Pattern"), "name": said("Its own name, not to be compared with itself.", TEXT)},
        "pattern",
    ),
    "SpacesChecked": thing({"pattern": ref("Pattern"), "can_be_filled": _CAN_BE_FILLED, "notices": _NOTICES}),
    "WindowFile": told(
        {
            "format": one_of("sagrada-windows"),
            "schema": said("The version of the form.", COUNT),
            "windows": many(
                told(
                    {
                        "name": TEXT,
                        "cells": ref("Pattern"),
                        "difficulty": _DIFFICULTY,
                        "other_side": or_null(TEXT),
                        "names": _NAMES,
                    },
                    "name",
                    "cells",
                )
            ),
        },
        "format",
        "schema",
        "windows",
    ),
    "WindowsTaken": thing(
        {
            "added": said("The names of the new ones.", many(TEXT)),
            "replaced": said("The names of those that took the place of another.", many(TEXT)),
            "windows": said("How many this house has now.", COUNT),
        }
    ),
}

_ALL, _ONE, _FILE = "/api/v1/windows", "/api/v1/windows/{window}", "/api/v1/windows-file"

ACTIONS = (
    Action(
        "get",
        _ALL,
        "listWindows",
        "List the cards of the game and the windows of this house",
        "Windows",
        {200: ref("Windows")},
    ),
    Action(
        "post",
        _ALL,
        "addWindow",
        "Add a window of one's own",
        "Windows",
        {201: ref("Window")},
        description="The header `Location` names it.",
        takes=ref("NewWindow"),
        errors=(400, 415, 503),
    ),
    Action(
        "post",
        _ALL + "/check",
        "checkSpaces",
        "Look for what is odd about the spaces of a window",
        "Windows",
        {200: ref("SpacesChecked")},
        description="Nothing is kept.",
        takes=ref("Spaces"),
        errors=(400, 415),
    ),
    Action("get", _ONE, "getWindow", "Get a window", "Windows", {200: ref("Window")}, errors=(404,)),
    Action(
        "put",
        _ONE,
        "changeWindow",
        "Change a window of one's own",
        "Windows",
        {200: ref("Window")},
        description="Keys that are left out stay as they are. Readings on it go along with another name.",
        takes=ref("WindowChange"),
        errors=(400, 404, 415, 503),
    ),
    Action(
        "delete",
        _ONE,
        "deleteWindow",
        "Delete a window of one's own",
        "Windows",
        {204: None},
        description="Readings on it stay; their card counts as unknown until the window is added again.",
        errors=(404, 503),
    ),
    Action(
        "get",
        _FILE,
        "exportWindows",
        "Get all windows of this house as a file",
        "Windows",
        {200: ref("WindowFile")},
        description="The form that `sagrada windows export` writes.",
        errors=(503,),
    ),
    Action(
        "post",
        _FILE,
        "importWindows",
        "Add the windows of a file, all or none",
        "Windows",
        {200: ref("WindowsTaken")},
        takes=ref("WindowFile"),
        query={"replace": said("`yes` lets them take the place of others.", one_of("yes"))},
        errors=(400, 415, 503),
    ),
)
