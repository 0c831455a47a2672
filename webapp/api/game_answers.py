"""What the JSON interface answers about games at the table and those of the history."""

from __future__ import annotations

from typing import Annotated, NotRequired

from typing_extensions import TypedDict  # pydantic wants it before Python 3.12

from webapp.api.answers import Board, Color, Count, Moment, Pattern, PublicObjective, Tool, one_of
from webapp.companion.games.game import Stage
from webapp.companion.games.view import WindowState
from webapp.companion.history import Numbers
from webapp.companion.payloads import (
    DecisionPayload,
    LinePayload,
    OutcomePayload,
    SoloPayload,
    StandingPayload,
)

StageName = Annotated[str, one_of(Stage)]


class Seat(TypedDict):
    """A player at the table, as everybody may see."""

    seat: Count
    """The number of the seat."""
    name: str
    ready: bool
    moved: bool
    """Whether the seat moved to another device."""
    window: Annotated[str, one_of(WindowState)]
    """How far the window is."""
    doubts: Count
    """Spaces to look at."""
    own: bool
    """Whether the seat is this device's."""
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
    private: Color | None
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
    second_private: Color | None
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


class PlayerNumbers(TypedDict):
    """A player's totals."""

    name: str
    won: Count
    """Also shared."""
    totals: Numbers


class ObjectiveNumbers(TypedDict):
    """What a public objective was worth."""

    name: PublicObjective
    points: Numbers


class WindowNumbers(TypedDict):
    """The totals on a window card."""

    name: str
    totals: Numbers


class SoloNumbers(TypedDict):
    """How solo games ended."""

    games: Count
    won: Count
    lost: Count
    totals: Numbers | None


class Statistics(TypedDict):
    """What all games add up to. Windows without dice or without a private objective do not count."""

    games: Count
    totals: Numbers | None
    """Of games with two to four players."""
    best_names: list[str]
    """Whose total was the best."""
    players: list[PlayerNumbers]
    objectives: list[ObjectiveNumbers]
    windows: list[WindowNumbers]
    solo: SoloNumbers


class PointSources(TypedDict):
    """Where points came from: the mean of each kind in a window."""

    public: float
    private: float
    favor_tokens: float
    empty_cells: float


class HeadToHead(TypedDict):
    """Two players who met, seen by the first."""

    other: str
    won: Count
    lost: Count
    tied: Count
    average_difference: float
    """By how many points the first was ahead."""
    games: list[str]
    """The codes of the games, newest first."""


class CareerGame(TypedDict):
    """A game of a player."""

    code: str
    revealed: Moment
    total: int
    place: Count | None


class Career(TypedDict):
    """The games of one player that count, without solo games."""

    name: str
    """As it was written last."""
    won: Count
    """Also shared."""
    totals: Numbers
    games: list[CareerGame]
    """Oldest first."""
    best: str
    """The code of the game with the highest total."""
    favorite_window: str | None
    """The window card that was played most often."""
    objectives: list[ObjectiveNumbers]
    sources: PointSources
    head_to_head: list[HeadToHead]


class ToolTokens(TypedDict):
    """A tool card at the end of a game."""

    name: Tool
    tokens: Count


class PlayedCard(TypedDict):
    """The window card of a player."""

    name: str
    difficulty: Count | None
    pattern: Pattern


class PlayedWindow(TypedDict):
    """A player's window at the end of a game."""

    seat: Count
    name: str
    place: Count | None
    shared: bool
    last_round_turn: Count | None
    board: Board
    window: PlayedCard | None
    private: Color | None
    favor_tokens: Count
    total: int
    lines: list[LinePayload]
    picture: str
    """The window as stained glass, an SVG."""


class FileLinks(TypedDict):
    """Games as files."""

    json: str
    csv: str


class PlayedGameLinks(FileLinks):
    """Where more of a game is."""

    self: str
    page: str
    """The page of the reveal."""
    bg_stats: str | None
    """Hands the play over to the app BG Stats; null while there is no result."""


class PlayedGame(TypedDict):
    """A revealed game."""

    code: str
    created: Moment
    revealed: Moment
    solo: bool
    host: bool
    """Whether this device started the game, and so may delete it."""
    public: list[PublicObjective]
    tools: list[ToolTokens]
    house_rules: list[str]
    uses: list[Use]
    order_known: bool
    players: list[PlayedWindow]
    message: str | None
    """How it ended, in a sentence; null when nobody can be ranked."""
    winners: list[str]
    decisions: list[DecisionPayload]
    """What decided between each player and the next one."""
    unranked: list[str]
    """Players whose private objective nobody told."""
    target: Count | None
    """Of a solo game."""
    second_private: Color | None
    """Of a solo game."""
    solo_result: SoloPayload | None
    links: PlayedGameLinks


class History(TypedDict):
    """The games so far."""

    games: list[PlayedGame]
    """Newest first; none beyond the last page."""
    page: Count
    pages: Count
    """How many pages there are."""
    statistics: Statistics
    links: FileLinks
    """All games as a file."""
