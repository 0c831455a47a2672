"""What programs may send about game nights: one model for each body."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from scoring import Tool
from scoring.game.setup import MOST_PLAYERS
from webapp.api.body import Body
from webapp.api.requests import (
    LEFT_OUT,
    AMove,
    APrivate,
    ASeat,
    CardName,
    ColorOrNothing,
    FavorTokens,
    ListedHouseRules,
    ListedObjectives,
    ListedTool,
    ListedTools,
    OnRevision,
    PlayerName,
    PrivateOrNothing,
    Revision,
    SeatNumber,
    Target,
    WindowNumber,
)
from webapp.services.errors import InputError
from webapp.services.games.playing import LONGEST_TURN_S


class NewGame(Body):
    """A game to be started."""

    name: PlayerName = ""
    """The host's name; without one the host does not play."""
    solo: bool = False


class Name(Body):
    """Who sits down."""

    name: PlayerName


class GameChange(OnRevision):
    """Cards that lie on the table; a key that is left out leaves them as they are."""

    public: ListedObjectives = LEFT_OUT
    tools: ListedTools = LEFT_OUT
    house_rules: ListedHouseRules = LEFT_OUT
    """What the group agreed on."""
    target: Target | None = None
    """Only of a solo game; null takes it back."""
    second_private: APrivate | None = None
    """Only of a solo game; null takes it back."""
    anyway: bool = False
    """Also when a tool that goes was used; its favor tokens go back to the players who spent them."""


class Deal(OnRevision):
    """Cards to be drawn."""

    tools: Annotated[int, Field(ge=0, le=len(Tool))] | None = None
    """How many tools; null for public objectives."""
    anyway: bool = False
    """Also when tools were used; their favor tokens go back to the players who spent them."""


class PlayersDeal(Body):
    """What is to be dealt to the players who have none yet."""

    windows: bool = False
    """Two window cards, that is four windows, of which the player chooses one."""
    privates: bool = False
    """A private objective; in a solo game also the second one. One that was chosen by hand stays."""
    again: bool = False
    """Also to those who were dealt theirs, which is taken away."""


class RoundMove(Body):
    """A move of the round helper."""

    move: AMove
    """`start`, `next_turn`, `next_round` or `back`."""
    seen: Annotated[int, Field(ge=0, le=2**31 - 1)] = 0
    """The step it is made on, 0 before the start; after another one nothing happens."""


class Timer(Body):
    """Whether the turns are timed."""

    seconds: Annotated[int, Field(ge=0, le=LONGEST_TURN_S)] | None = None
    """The seconds of a turn, 0 to count them up; null for no timer."""


class Order(OnRevision):
    """The players in another order."""

    seats: Annotated[tuple[SeatNumber, ...], Field(max_length=MOST_PLAYERS)]
    """The numbers of all seats."""
    known: bool = False
    """Whether this is the order of the turns."""


class PlayerChange(Body):
    """What changes of a player; a key that is left out stays as it is."""

    name: PlayerName = LEFT_OUT
    private: PrivateOrNothing | None = None
    """The letter of a color; null or an empty text takes it back."""
    window: CardName = LEFT_OUT
    """The window card by its English name; `auto` is the one that was read, or `unknown`."""
    favor_tokens: FavorTokens = LEFT_OUT
    """At most as many as come with the window, where that is known."""
    ready: bool = LEFT_OUT
    color: ColorOrNothing | None = None
    """The color at the table, which everybody sees; null or an empty text takes it back."""
    window_revision: Revision | None = None
    """The revision of the window that its choices are changed on; the newest without one."""


class ToolUse(Body):
    """A tool that a player used."""

    tool: ListedTool


class SeatKey(Body):
    """The secret of a link to a seat."""

    key: Annotated[str, Field(max_length=100)]


class Openness(Body):
    """Whether new players may sit down."""

    open: bool = False


class Again(Body):
    """The next game of the same people."""

    same_cards: bool = False
    """Whether public objectives and tool cards stay on the table."""


class Reveal(Body):
    """The end of a game."""

    anyway: bool = False
    """Also when somebody is not ready."""


class Seating(Body):
    """Whose windows they are in a photo of the table."""

    seats: Annotated[dict[ASeat, WindowNumber], Field(max_length=MOST_PLAYERS)]
    """The number of a window for the number of a seat."""

    @property
    def by_number(self) -> dict[int, int]:
        """The seats by their numbers, which as keys come as texts."""
        if not all(seat.isdecimal() for seat in self.seats):
            raise InputError("bad_request")
        return {int(seat): window for seat, window in self.seats.items()}
