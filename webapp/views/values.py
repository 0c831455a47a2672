"""The values that people and programs send: their names and bounds, and how a text becomes one."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from functools import partial
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from scoring import (
    Board,
    Cell,
    Color,
    Die,
    HouseRule,
    PrivateObjective,
    PublicObjective,
    Tool,
    cell_from_name,
)
from webapp.domain.errors import InputError
from webapp.domain.games.game import LONGEST_NAME
from webapp.domain.payloads import as_listed, private_as_listed
from webapp.domain.record import MOST_FAVOR
from webapp.http.faces import LONGEST_CARD_NAME, Sent, Text

SPACES = 20
MOST_TOOLS = 50

Revision = Annotated[int, Field(ge=1, le=2**31 - 1)]
SeatNumber = Annotated[int, Field(ge=1, le=2**31 - 1)]
WindowNumber = Annotated[int, Field(ge=1, le=20)]
FavorTokens = Annotated[int, Field(ge=0, le=MOST_FAVOR, description="Favor tokens left.")]
PlayerName = Annotated[str, Field(max_length=2 * LONGEST_NAME)]  # blanks around it do not count
CardName = Annotated[str, Field(max_length=LONGEST_CARD_NAME)]
Pixels = Annotated[float, Field(ge=-999_999, le=999_999)]
Corner = tuple[Pixels, Pixels]
PhotoId = Annotated[str, Field(max_length=100, description="16 random characters that the browser draws.")]
Blank = BeforeValidator(lambda value: None if value == "" else value)
"""Lets an empty field of a form stand for null."""


def _of_kind(value: str, kind: type[Enum]) -> Enum:
    try:
        return kind(value)
    except ValueError:
        raise InputError("bad_request") from None


def enum(kind: type[Enum]) -> Text:
    """Say of a type that it is sent as the value of an enumeration."""
    return Text(partial(_of_kind, kind=kind), 30)


def _listed(kind: Any) -> Text:  # noqa: ANN401
    return Text(partial(as_listed, kind=kind))


def _or_none(find: Callable[[str], Any], nothing: str = "") -> Callable[[str], Any]:
    return lambda text: None if text == nothing else find(text)


BoardText = Annotated[Board, Text(Board.parse, 200)]
ASpace = Annotated[Cell, Text(cell_from_name, 10)]
ADieOrNone = Annotated[Die | None, Text(_or_none(Die.parse, "--"), 10)]
Spaces = Annotated[tuple[ASpace, ...], Field(max_length=SPACES)]
ListedObjective = Annotated[PublicObjective, _listed(PublicObjective)]
ListedObjectives = Annotated[tuple[ListedObjective, ...], Field(max_length=len(PublicObjective))]
ListedTool = Annotated[Tool, _listed(Tool)]
ListedTools = Annotated[tuple[ListedTool, ...], Field(max_length=MOST_TOOLS)]
ListedHouseRules = Annotated[
    tuple[Annotated[HouseRule, _listed(HouseRule)], ...], Field(max_length=len(HouseRule))
]
ListedColor = Annotated[Color, _listed(Color)]
ColorOrNothing = Annotated[Color | None, Text(_or_none(partial(as_listed, kind=Color)))]
"""A text without letters takes the color back, as the choice "none" of a form does."""
PrivateOrNothing = Annotated[PrivateObjective | None, Text(_or_none(private_as_listed))]


class OnRevision(Sent):
    """A change of what somebody saw at a revision."""

    revision: Revision
    """The revision that the change is made on."""
