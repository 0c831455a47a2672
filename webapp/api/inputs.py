"""The values that programs send, each with its bounds."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from pydantic import Field

from scoring import Board, Cell, Color, Die, HouseRule, PublicObjective, Tool, cell_from_name
from scoring.lookup import color_called, house_rule_called, objective_called, tool_called
from scoring.windows.custom import LONGEST_NAME as LONGEST_WINDOW_NAME
from webapp.api.body import Text
from webapp.companion.changes import MOST_FAVOR
from webapp.companion.games.cards import HIGHEST_TARGET
from webapp.companion.games.names import LONGEST_NAME
from webapp.companion.listed import as_listed

LEFT_OUT: Any = None
"""Stands for a key that was not sent; null may not be sent in its place. See `Body.sent`."""

MOST_SEATS = 4
LONGEST_CARD_NAME = 60  # the longest name of a card in any language has 34
SPACES = 20
MOST_WINDOWS_IN_A_FILE = 1000
MOST_LANGUAGES = 20

Revision = Annotated[int, Field(ge=1, le=2**31 - 1)]
SeatNumber = Annotated[int, Field(ge=1, le=2**31 - 1)]
FavorTokens = Annotated[int, Field(ge=0, le=MOST_FAVOR)]
Target = Annotated[int, Field(ge=0, le=HIGHEST_TARGET)]
PlayerName = Annotated[str, Field(max_length=2 * LONGEST_NAME)]  # blanks around it do not count
CardName = Annotated[str, Field(max_length=LONGEST_CARD_NAME)]
WindowName = Annotated[str, Field(max_length=2 * LONGEST_WINDOW_NAME)]
Pattern = Annotated[str, Field(max_length=100)]
Names = Annotated[dict[Annotated[str, Field(max_length=20)], WindowName], Field(max_length=MOST_LANGUAGES)]
Difficulty = Annotated[int, Field(ge=3, le=6)]
Pixels = Annotated[float, Field(ge=-999_999, le=999_999)]
Corner = tuple[Pixels, Pixels]


def _die_or_none(text: str) -> Die | None:
    return None if text == "--" else Die.parse(text)


BoardText = Annotated[Board, Text(Board.parse, 200)]
ASpace = Annotated[Cell, Text(cell_from_name, 10)]
ADie = Annotated[Die, Text(Die.parse, 10)]
ADieOrNone = Annotated[Die | None, Text(_die_or_none, 10)]
Spaces = Annotated[tuple[ASpace, ...], Field(max_length=SPACES)]


def _listed(kind: Any) -> Text:  # noqa: ANN401
    return Text(partial(as_listed, kind=kind), LONGEST_CARD_NAME)


def _called(find: Any) -> Text:  # noqa: ANN401
    return Text(find, LONGEST_CARD_NAME)


ListedObjectives = Annotated[
    tuple[Annotated[PublicObjective, _listed(PublicObjective)], ...], Field(max_length=len(PublicObjective))
]
ListedTool = Annotated[Tool, _listed(Tool)]
ListedTools = Annotated[tuple[ListedTool, ...], Field(max_length=len(Tool))]
ListedHouseRules = Annotated[
    tuple[Annotated[HouseRule, _listed(HouseRule)], ...], Field(max_length=len(HouseRule))
]
ListedColor = Annotated[Color, _listed(Color)]
ColorOrNothing = Annotated[
    Color | None, Text(lambda letter: as_listed(letter, Color) if letter else None, LONGEST_CARD_NAME)
]
"""A text without letters takes the color back, as the choice "none" of a form does."""

Objectives = Annotated[
    tuple[Annotated[PublicObjective, _called(objective_called)], ...], Field(max_length=len(PublicObjective))
]
Tools = Annotated[tuple[Annotated[Tool, _called(tool_called)], ...], Field(max_length=len(Tool))]
HouseRules = Annotated[
    tuple[Annotated[HouseRule, _called(house_rule_called)], ...], Field(max_length=len(HouseRule))
]
AColor = Annotated[Color, _called(color_called)]
