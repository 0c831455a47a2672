"""The house as JSON: what its administrator sees and puts right."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated, Literal

from flask import request
from pydantic import Field
from typing_extensions import TypedDict

from webapp.api.body import Body
from webapp.api.requests import LEFT_OUT
from webapp.api.section import Section
from webapp.services.errors import InputError
from webapp.web import administrator, expiry, house

blueprint = Section(
    "house_api",
    "/house",
    heading="House",
    about="What the administrator may do: whoever sits at the computer that serves this, or typed its PIN.",
)

PAGE = Annotated[int, Field(ge=1, description="Which page of the games, from 1.")]
Moment = Annotated[str, Field(description="A moment in UTC, as ISO 8601 writes it.")]


class Pin(TypedDict):
    """The PIN that makes a phone the administrator's."""

    pin: str


class TypedPin(Body):
    """A PIN that was typed."""

    pin: Annotated[str, Field(max_length=20)]
    """Its digits; blanks do not matter."""


class House(TypedDict):
    """What there is."""

    totals: dict[str, int]
    """How much there is of each kind."""
    keep_days: int | None
    window_sets: list[str]
    """After how many days windows and photos go that belong to no game; null: they stay."""
    free: int
    """How many bytes are free on the disk."""
    pin: str | None
    """The PIN, where the computer itself asks."""


WindowSet = Literal["5-6-players", "promos"]


class Settings(Body):
    """What is set for this house; a key that is left out stays as it is."""

    keep_days: Literal[7, 30, 90, 365] | None = None
    """After so many days windows and photos go that belong to no game; null: they stay."""
    window_sets: Annotated[list[WindowSet], Field(max_length=2)] = LEFT_OUT
    """The boxes and packs whose window cards are known beside those of the base game."""


class GameOfHouse(TypedDict):
    """A game in the list of all games."""

    code: str
    created: Moment
    revealed: Moment | None
    players: list[str]


class GamesOfHouse(TypedDict):
    """A page of all games, newest first."""

    games: list[GameOfHouse]
    page: int
    pages: int


@blueprint.action("get", "", "getHouse", errors=[403])
def show() -> House:
    """See what there is."""
    found = house.overview()
    return {
        "totals": {kind.value: number for kind, number in found.totals.items()},
        "keep_days": expiry.settings().keep_days,
        "window_sets": list(expiry.settings().sets),
        "free": found.free,
        "pin": administrator.kept().pin() if administrator.at_this_computer() else None,
    }


@blueprint.action("patch", "", "setUpHouse", errors=[400, 403])
def set_up(wanted: Settings) -> House:
    """Set how long windows and photos stay, and which window cards are known; what is older goes at once."""
    if "keep_days" in wanted.model_fields_set:
        expiry.keep_for(wanted.keep_days)
    if "window_sets" in wanted.model_fields_set:
        house.put_sets(wanted.window_sets)
    return show()


@blueprint.action("post", "/session", "becomeAdministrator", errors=[400, 429])
def let_in(typed: TypedPin) -> None:
    """Type the PIN. For 30 days the cookie `administrator` makes this device the administrator's."""
    administrator.let_in(typed.pin)


@blueprint.action("delete", "/session", "leaveAdministrator")
def leave() -> None:
    """Let this device be one as any other."""
    administrator.leave()


@blueprint.action("post", "/pin", "renewPin", errors=[403])
def renew_pin() -> Pin:
    """Take another PIN (only from the computer itself); all devices have to type it."""
    return {"pin": administrator.renew_pin()}


@blueprint.action("get", "/games", "listAllGames", query={"page": PAGE}, errors=[400, 403])
def games() -> GamesOfHouse:
    """List all games, also those that are played."""
    asked = request.args.get("page", "1")
    if not re.fullmatch(r"[1-9][0-9]{0,8}", asked):
        raise InputError("bad_request")
    found, pages = house.games(int(asked))
    return {
        "games": [
            {
                "code": one.code,
                "created": _moment(one.created),
                "revealed": _moment(one.revealed) if one.revealed else None,
                "players": list(one.players),
            }
            for one in found
        ],
        "page": int(asked),
        "pages": pages,
    }


@blueprint.action("post", "/games/<code>/host", "becomeHost", errors=[403, 404])
def take_over(code: str) -> None:
    """Make this device the host of a game; the device that was it is it no more."""
    house.take_over(code)


@blueprint.action("delete", "/games/<code>", "deleteAnyGame", errors=[403, 404])
def delete(code: str) -> None:
    """Remove a game with all windows and photos for good."""
    house.delete_game(code)


def _moment(when: datetime) -> str:
    return when.isoformat(timespec="seconds")
