"""What programs may ask about windows in board notation and about games: one model for each body."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema

from scoring import Die, HouseRule, PrivateObjective, PublicObjective, RoundTrack, Tool
from scoring.errors import InvalidValueError
from scoring.game.setup import MOST_PLAYERS
from scoring.lookup import house_rule_called, objective_called, private_called, tool_called
from scoring.sentences import sentence
from webapp.api.body import LONGEST_CARD_NAME, Body, Text
from webapp.api.requests import MOST_TOOLS, BoardText, CardName, FavorTokens, PlayerName
from webapp.services.game_file import MOST_USES
from webapp.services.games.cards import HIGHEST_TARGET
from webapp.services.placement import MOST_DICE

Objectives = Annotated[
    tuple[Annotated[PublicObjective, Text(objective_called)], ...], Field(max_length=len(PublicObjective))
]
Tools = Annotated[tuple[Annotated[Tool, Text(tool_called)], ...], Field(max_length=MOST_TOOLS)]
HouseRules = Annotated[
    tuple[Annotated[HouseRule, Text(house_rule_called)], ...], Field(max_length=len(HouseRule))
]
APrivate = Annotated[PrivateObjective, Text(private_called)]
ADie = Annotated[Die, Text(Die.parse, 10)]


def _target(value: object) -> object:
    """Return the target of a solo game: a number, or the round track whose dice add up to it."""
    if value is None or (type(value) is int and 0 <= value <= HIGHEST_TARGET):
        return value
    if isinstance(value, str) and len(value) <= 200:
        return RoundTrack.parse(value)
    raise InvalidValueError(
        "bad_request",
        sentence('"solo" must be the points to beat, 0 or more, or the round track as a text.'),
        sentence('Write it as 31 or as "R3 G4 / -- / B1".'),
    )


SoloTarget = Annotated[
    Any,
    BeforeValidator(_target),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "integer", "minimum": 0, "maximum": HIGHEST_TARGET},
                {"type": "string", "maxLength": 200},
                {"type": "null"},
            ]
        }
    ),
]


def _as_list(value: object) -> object:
    """Let a single text stand for a list of one, and null for an empty one."""
    return [] if value is None else [value] if isinstance(value, str) else value


Privates = Annotated[
    list[APrivate],
    Field(max_length=2),
    BeforeValidator(_as_list),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "array", "maxItems": 2, "items": {"type": "string", "maxLength": LONGEST_CARD_NAME}},
                {"type": "string", "maxLength": LONGEST_CARD_NAME},
                {"type": "null"},
            ]
        }
    ),
]


class WindowQuestion(Body):
    """A window in board notation."""

    board: BoardText
    """Four rows of five dice: `Y5 -- R4 Y5 B1 / P2 B4 Y6 G2 R3 / R6 G3 R4 B5 P2 / G1 Y4 P2 R3 Y5`."""
    window: CardName = "auto"
    """The window card by name in any language; `auto` tells it by the dice, `unknown` leaves it open."""
    tools: Tools = ()
    """The tool cards in the game, by name in any language."""
    house_rules: HouseRules = ()
    """What the group agreed on, by name in any language."""


class ScoreQuestion(WindowQuestion):
    """A window to be counted."""

    public: Objectives = ()
    """The public objectives, by name in any language."""
    private: Privates = Field(default_factory=list)
    """The private objective by its color's letter or by name; a solo game has a list of two."""
    favor_tokens: FavorTokens | None = None
    """Favor tokens left."""
    solo: SoloTarget = None
    """For a solo game the points to beat, or the round track, such as `R3 G4 / -- / B1`."""


class CheckQuestion(WindowQuestion):
    """A window to be checked."""

    dice: Annotated[tuple[ADie, ...], Field(max_length=MOST_DICE)] = ()
    """Say where these dice may go next."""
    spent: FavorTokens | None = None
    """The most favor tokens that can have been spent."""
    solo: bool = False
    """A solo game: each tool works once and costs no tokens."""


class RankedWindow(Body):
    """A player's window at the end of a game."""

    name: PlayerName
    board: Annotated[str, Field(max_length=200)]
    """In board notation."""
    private: CardName
    """The private objective by its color's letter or by name."""
    favor_tokens: FavorTokens
    window: CardName | None = None
    """The window card by name in any language; `auto` tells it by the dice."""


def _not_alone(players: tuple[RankedWindow, ...]) -> tuple[RankedWindow, ...]:
    if len(players) == 1:
        raise InvalidValueError(
            "bad_number_of_players",
            sentence("One player has no standings."),
            sentence('Count a solo game with /api/v1/score and its target as "solo".'),
        )
    return players


class RecordedUse(Body):
    """A use of a tool card that somebody wrote down."""

    player: PlayerName
    tool: CardName
    """By name in any language."""
    tokens: Annotated[int, Field(ge=1, le=2)]
    """What it cost."""


class RankQuestion(Body):
    """A game to be ranked. At most one of the keys that tell who began is given."""

    players: Annotated[
        tuple[RankedWindow, ...],
        Field(min_length=1, max_length=MOST_PLAYERS, json_schema_extra={"minItems": 2}),
        AfterValidator(_not_alone),
    ]
    """Clockwise around the table."""
    public: Annotated[tuple[CardName, ...], Field(max_length=3)] = ()
    """The public objectives, by name in any language."""
    tools: Annotated[tuple[CardName, ...], Field(max_length=MOST_TOOLS)] = ()
    """The tool cards in the game, three at most, by name in any language."""
    uses: Annotated[tuple[RecordedUse, ...], Field(max_length=MOST_USES)] = ()
    """How they were used, as far as somebody wrote it down."""
    house_rules: Annotated[tuple[CardName, ...], Field(max_length=len(HouseRule))] = ()
    """What the group agreed on, by name in any language."""
    first_player: PlayerName | None = None
    """Who had the dice bag in the first round; may decide a tie."""
    first_player_of_last_round: PlayerName | None = None
    """The same of the last round."""
    turn_order: Annotated[tuple[PlayerName, ...], Field(max_length=MOST_PLAYERS)] | None = None
    """All names, clockwise from the first player."""
