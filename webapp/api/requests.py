"""What programs may send about readings, windows, games and addresses: one model for each body."""

from __future__ import annotations

from enum import Enum
from functools import partial
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from scoring import (
    Board,
    Cell,
    Color,
    Die,
    HouseRule,
    Lift,
    PrivateObjective,
    PublicObjective,
    Tool,
    ToolEffect,
    cell_from_name,
)
from scoring.errors import InvalidValueError
from scoring.names import LONGEST_NAME as LONGEST_WINDOW_NAME
from scoring.patterns.collection import windows_from_json
from scoring.sentences import sentence
from webapp.api.body import LONGEST_CARD_NAME, Body, Text
from webapp.services.changes import MOST_FAVOR
from webapp.services.errors import InputError
from webapp.services.games.cards import HIGHEST_TARGET
from webapp.services.games.game import LONGEST_NAME
from webapp.services.games.rounds import Move
from webapp.services.plain import as_listed, private_as_listed
from webapp.web.own_windows import MOST_IN_A_FILE

LEFT_OUT: Any = None
"""Stands for a key that was not sent; null may not be sent in its place. See `Body.sent`."""

SPACES = 20
MOST_TOOLS = 50
MOST_LANGUAGES = 20

# --- Values with their bounds ----------------------------------------------------------------------

Revision = Annotated[int, Field(ge=1, le=2**31 - 1)]
SeatNumber = Annotated[int, Field(ge=1, le=2**31 - 1)]
ASeat = Annotated[str, Field(max_length=10)]
WindowNumber = Annotated[int, Field(ge=1, le=20)]
FavorTokens = Annotated[int, Field(ge=0, le=MOST_FAVOR, description="Favor tokens left.")]
Target = Annotated[int, Field(ge=0, le=HIGHEST_TARGET)]
PlayerName = Annotated[str, Field(max_length=2 * LONGEST_NAME)]  # blanks around it do not count
CardName = Annotated[str, Field(max_length=LONGEST_CARD_NAME)]
WindowName = Annotated[str, Field(max_length=2 * LONGEST_WINDOW_NAME)]
Pattern = Annotated[
    str,
    Field(max_length=100, description="Four rows of five spaces: a color letter, a value or a dot each."),
]
Names = Annotated[
    dict[Annotated[str, Field(max_length=20)], WindowName],
    Field(max_length=MOST_LANGUAGES, description="Its names in other languages, by language code."),
]
Difficulty = Annotated[int, Field(ge=3, le=6)]
Pixels = Annotated[float, Field(ge=-999_999, le=999_999)]
Corner = tuple[Pixels, Pixels]


def _die_or_none(text: str) -> Die | None:
    return None if text == "--" else Die.parse(text)


def _move(name: str) -> Move:
    try:
        return Move(name)
    except ValueError:
        raise InvalidValueError(
            "bad_request",
            sentence('The round helper has no move "{found}".', found=name),
            sentence('Send "start", "next_turn", "next_round" or "back".'),
        ) from None


AMove = Annotated[Move, Text(_move, 20)]
BoardText = Annotated[Board, Text(Board.parse, 200)]
ASpace = Annotated[Cell, Text(cell_from_name, 10)]
ADieOrNone = Annotated[Die | None, Text(_die_or_none, 10)]
Spaces = Annotated[tuple[ASpace, ...], Field(max_length=SPACES)]


def _listed(kind: Any) -> Text:  # noqa: ANN401
    return Text(partial(as_listed, kind=kind))


ListedObjective = Annotated[PublicObjective, _listed(PublicObjective)]
ListedObjectives = Annotated[tuple[ListedObjective, ...], Field(max_length=len(PublicObjective))]
ListedTool = Annotated[Tool, _listed(Tool)]
ListedTools = Annotated[tuple[ListedTool, ...], Field(max_length=MOST_TOOLS)]
ListedHouseRules = Annotated[
    tuple[Annotated[HouseRule, _listed(HouseRule)], ...], Field(max_length=len(HouseRule))
]
APrivate = Annotated[PrivateObjective, Text(private_as_listed)]
ColorOrNothing = Annotated[Color | None, Text(lambda letter: as_listed(letter, Color) if letter else None)]
"""A text without letters takes the color back, as the choice "none" of a form does."""

PrivateOrNothing = Annotated[
    PrivateObjective | None, Text(lambda name: private_as_listed(name) if name else None)
]

# --- Readings --------------------------------------------------------------------------------------


class NewReading(Body):
    """Dice entered by hand, for a window without a photo."""

    board: BoardText = Field(default_factory=Board.empty)
    """The dice in board notation; without it an empty window."""


class Choices(Body):
    """What a player chose beside the dice; a key that is left out stays as it is."""

    public: ListedObjectives = LEFT_OUT
    """The public objectives, three at most."""
    private: PrivateOrNothing | None = None
    """The letter of the private objective's color, or its name; null or an empty text takes it back."""
    window: CardName = LEFT_OUT
    """The window card by its English name; `auto` is the one that was read, or `unknown`."""
    favor_tokens: FavorTokens = LEFT_OUT


class OnRevision(Body):
    """A change of what somebody saw at a revision."""

    revision: Revision
    """The revision that the change is made on."""


class ReadingChange(OnRevision):
    """Corrections of a reading."""

    cells: Annotated[dict[ASpace, ADieOrNone | None], Field(max_length=SPACES)] = Field(default_factory=dict)
    """Dice by space, `--` or null for none."""
    checked: Spaces = ()
    """Spaces that somebody looked at and found right."""
    unchecked: Spaces = ()
    """Spaces whose doubt comes back."""
    choices: Choices = Field(default_factory=Choices)


class Corners(OnRevision):
    """The corners of a window, set by hand."""

    corners: tuple[Corner, Corner, Corner, Corner]
    """In pixels of the photo, clockwise from the top left."""
    revision: Revision = LEFT_OUT


# --- Tools -----------------------------------------------------------------------------------------


def _kind(kind: Any) -> Text:  # noqa: ANN401
    return Text(partial(_of_kind, kind=kind), 30)


def _of_kind(value: str, kind: type[Enum]) -> Enum:
    try:
        return kind(value)
    except ValueError:
        raise InputError("bad_request") from None


class NewTool(Body):
    """A tool card that does not come with the game."""

    name: CardName
    color: Annotated[Color, Text(lambda letter: as_listed(letter, Color))]
    """The letter of the color of the die that pays for it in a solo game."""
    effect: Annotated[ToolEffect, _kind(ToolEffect)]
    """`frees_placement`, `moves_dice`, `changes_die` or `changes_turn`."""
    lifts: Annotated[tuple[Annotated[Lift, _kind(Lift)], ...], Field(max_length=len(Lift))] = ()
    """The rules that the die it places or moves may ignore."""


# --- Windows ---------------------------------------------------------------------------------------


class WindowChange(Body):
    """Another window in the place of one; keys that are left out stay as they are."""

    name: WindowName = LEFT_OUT
    """At most 40 characters; no other window may have it in any language."""
    pattern: Pattern = LEFT_OUT
    difficulty: Difficulty | None = None
    """Also the number of favor tokens; null when it is not known."""
    names: Names = LEFT_OUT


class NewWindow(WindowChange):
    """A window of one's own."""

    name: WindowName
    pattern: Pattern
    names: Names = Field(default_factory=dict)


class SpacesQuestion(Body):
    """Spaces that are not a window yet."""

    pattern: Pattern
    name: WindowName = "Unnamed"
    """Its own name, not to be compared with itself."""


class WindowEntry(Body):
    """A window in a file."""

    name: WindowName
    cells: Pattern
    difficulty: Difficulty | None = None
    other_side: WindowName | None = None
    """The window on the back of the card."""
    names: Names = Field(default_factory=dict)


class WindowFile(Body):
    """The file that `sagrada windows export` writes."""

    format: Literal["sagrada-windows"]
    schema_: Annotated[int, Field(ge=1, le=1000, alias="schema")]
    """The version of the form."""
    windows: Annotated[list[WindowEntry], Field(max_length=MOST_IN_A_FILE)]

    @model_validator(mode="before")
    @classmethod
    def refused_as_a_file_is(cls, data: object) -> object:
        """Let the form of the file say what is wrong with it, as it does for the command line."""
        windows = data.get("windows") if isinstance(data, dict) else None
        if not isinstance(windows, list) or len(windows) <= MOST_IN_A_FILE:
            windows_from_json(data)
        return data


# --- Phones ----------------------------------------------------------------------------------------


class AddressChoice(Body):
    """Another address of this computer."""

    address: Annotated[str, Field(max_length=300)]
    """One of `others`."""
