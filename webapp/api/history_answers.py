"""What the JSON interface answers about the games of the history."""

from __future__ import annotations

from typing_extensions import TypedDict  # pydantic wants it before Python 3.12

from webapp.api.answers import Board, Count, Moment, Pattern, Private, PublicObjective, Tool
from webapp.api.game_answers import Use
from webapp.services.history import Numbers
from webapp.services.payloads import (
    DecisionPayload,
    LinePayload,
    SoloPayload,
)


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
    """Of games with two to six players."""
    best_names: list[str]
    """Whose total was the best, ten names at most."""
    players: list[PlayerNumbers]
    """Those who played most, a hundred at most, the highest average first."""
    players_unlisted: Count
    """How many more have played."""
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
    private: Private | None
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
    second_private: Private | None
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
