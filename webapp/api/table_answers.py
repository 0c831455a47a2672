"""What the interface answers about photos of the whole table."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict  # pydantic wants it before Python 3.12

from webapp.api.answers import Board, Cell, Count, Die, DieOrEmpty, Error, Private, PublicObjective, Tool

Place = Annotated[list[float], Field(min_length=2, max_length=2)]


class TableLinks(TypedDict):
    """Where the other things about a photo of the table are."""

    self: str
    page: str
    photo: str
    game: str | None
    """The game that was made of the windows; null before."""
    placement: str | None
    """Where the dice of the pool may go on the window that they were photographed for; null without one."""


class TableWindow(TypedDict):
    """A window of the photo."""

    number: Annotated[int, Field(ge=1)]
    reading: str
    """The id of its reading, where its dice are put right."""
    name: str
    board: Board
    corners: Annotated[list[Place], Field(min_length=4, max_length=4)]
    doubtful: list[Cell]
    covered: list[Cell]
    """Spaces in doubt in which neither a die nor the space could be seen."""
    left_out: bool
    card: str | None
    """The window pattern card; null when it is not known."""
    profile: str | None
    """The dice of this house that its dice were read as; null where they were read as the game's."""
    private: Private | None
    favor_tokens: Count
    total: int | None
    """The points; null before there is an objective to count, and in a photo for the seats of a game."""


class TableDie(TypedDict):
    """A loose die."""

    die: Die
    doubtful: bool
    alternatives: list[DieOrEmpty]
    center: Place
    size: float
    place: Literal["pool", "track"] | None
    round: Annotated[int, Field(ge=1, le=10)] | None


class TableCard(TypedDict):
    """A public objective card; earlier versions also stored tool cards."""

    kind: Literal["public_objective", "tool"]
    name: PublicObjective | Tool
    doubtful: bool
    corners: Annotated[list[Place], Field(min_length=4, max_length=4)]


class TableUnread(TypedDict):
    """What is in view and could not be read."""

    what: Literal["window", "die", "card"]
    error: Error
    center: Place


class Table(TypedDict):
    """A photo of the whole table with what was read in it; places are in pixels of the photo."""

    id: str
    revision: Count
    stage: Literal["reading", "done", "failed"]
    purpose: Literal["score", "seats", "place", "pool", "track"]
    size: Annotated[list[Count], Field(min_length=2, max_length=2)]
    expected: Count | None
    """How many windows are being read; null as long as nobody knows."""
    windows: list[TableWindow]
    loose_dice: list[TableDie]
    target: Count
    """The values of the dice on the round track, added up."""
    cards: list[TableCard]
    unread: list[TableUnread]
    public: list[PublicObjective]
    advice: list[str]
    """What would help most in the next photo."""
    failure: Error | None
    links: TableLinks
