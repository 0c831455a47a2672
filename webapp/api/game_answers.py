"""What the JSON interface answers about games at the table."""

from __future__ import annotations

from typing import Annotated, NotRequired

from typing_extensions import TypedDict  # pydantic wants it before Python 3.12

from webapp.api.answers import Color, Count, Moment, Private, PublicObjective, Tool, one_of
from webapp.services.games.game import Stage
from webapp.services.games.view import WindowState
from webapp.services.payloads import (
    OutcomePayload,
    StandingPayload,
)

StageName = Annotated[str, one_of(Stage)]


class Seat(TypedDict):
    """A player at the table, as everybody may see."""

    seat: Count
    """The number of the seat."""
    name: str
    color: Color | None
    """The color at the table, which has nothing to do with the private objective."""
    picture: str | None
    """Where the player's picture is."""
    ready: bool
    moved: bool
    """Whether the seat moved to another device."""
    window: Annotated[str, one_of(WindowState)]
    """How far the window is."""
    doubts: Count
    """Spaces to look at."""
    own: bool
    """Whether the seat is this device's."""
    same_window: bool
    """Whether another player shows the same window: told to the host, and to who came with it later."""
    reading: NotRequired[str]
    """The id of the window's reading, only for this device's own seats."""
    dealt: NotRequired[list[str]]
    """The windows on the cards that were dealt, to choose one; only for this device's own seats."""


class ToolOnTable(TypedDict):
    """A tool card in the game."""

    name: Tool
    tokens: Count
    """Favor tokens on the card."""
    cost: Count
    """What its next use costs."""
    used_up: bool
    """In a solo game each tool works once."""


class Use(TypedDict):
    """A tool that a player used."""

    tool: Tool
    seat: Count
    tokens: Count


class Round(TypedDict):
    """How far the rounds are."""

    number: Count
    """Which round, 1 to 10."""
    dice: Count
    """How many dice are drawn in a round."""
    turns: list[Count]
    """The seats in the order of the round's turns: all first turns, then the second ones backwards."""
    seat: Count
    """Whose turn it is."""
    second_turn: bool
    tools: list[Use]
    """The tools used in this round."""
    began: Moment
    """When the turn began."""
    step: Count
    """Grows with every move; a move names the step it was made on."""
    over: bool
    """Whether all rounds are played."""


class RevealedStanding(StandingPayload):
    """A player's place and window after the reveal."""

    seat: Count
    private: Private | None
    picture: str
    """The window as stained glass, an SVG."""
    photo: str | None
    """The window out of its photo, a JPEG; null when it was entered by hand."""


class Result(OutcomePayload):
    """How a game ended, after the reveal."""

    standings: list[RevealedStanding]  # type: ignore[misc]  # each with its seat


class Game(TypedDict):
    """A game as this device may see it."""

    code: str
    """What others need to join."""
    revision: Count
    """Grows with every change of the game."""
    stage: StageName
    solo: bool
    host: bool
    """Whether this device started the game."""
    open: bool
    """Whether new players may sit down before the reveal."""
    order_known: bool
    """Whether the players stand in the order of their turns."""
    players: list[Seat]
    round: Round | None
    """Null while nobody follows the rounds here."""
    timer: Count | None
    """The seconds of a turn, 0 to count them up; null when turns are not timed."""
    public: list[PublicObjective]
    missing_objectives: int
    """How many public objectives are still to be chosen."""
    tools: list[ToolOnTable]
    house_rules: list[str]
    """What the group agreed on."""
    target: Count | None
    """Of a solo game."""
    second_private: Private | None
    """Of a solo game; only its own table sees it."""
    next: str | None
    """The code of the next game of the same people; only who has a place at this table is told."""
    result: Result | None
    """Windows and points, only after the reveal."""


class OwnGameLinks(TypedDict):
    """Where a game is."""

    self: str
    page: str
    """The table, or the page of the reveal."""


class OwnGame(TypedDict):
    """A game in which this device has a part."""

    code: str
    stage: StageName
    created: Moment
    players: list[str]
    """Their names."""
    links: OwnGameLinks


class OwnGames(TypedDict):
    """The games in which this device has a part, newest first."""

    games: list[OwnGame]


class PhotoTaken(TypedDict):
    """What became of a photo."""

    url: str
    """The page of the window."""
    read: bool
    """Whether a window was found in the photo."""


class SeatLink(TypedDict):
    """A link that brings a seat to another device."""

    url: str
    """The page that asks and then seats the device that opened it."""
    key: str
    """The secret behind the # of the address."""
    expires: Moment
