"""What the program says to other programs: one shape for each thing, on the web, in ``--json`` and in files.

The names are those of the library `scoring`. Cells have names such as ``"C5"``, dice are written ``"R4"``,
boards in board notation. A ``name`` is the game's English one, the ``label`` beside it that of the reader's
language. The JSON interface makes its description from these types.
"""

from __future__ import annotations

from typing_extensions import TypedDict  # pydantic wants it before Python 3.12


class LinePayload(TypedDict):
    """A line of a score; ``groups`` are the dice that earned the points together."""

    name: str
    label: str
    kind: str
    points: int
    formula: str
    groups: list[list[str]]


class ProblemPayload(TypedDict):
    """A broken placement rule; ``could_excuse`` are the tool cards that could make it legal."""

    code: str
    cells: list[str]
    message: str
    rule: str
    could_excuse: list[str]


class NoticePayload(TypedDict):
    """Something to know that is no broken rule; ``excused_by`` are the tool cards that allow what is seen."""

    code: str
    cells: list[str]
    message: str
    excused_by: list[str]


class RemovalPayload(TypedDict):
    """Dice to take off so that no rule is broken; the points are those of the whole score."""

    cells: list[str]
    board: str
    points_before: int
    points_after: int
    points_lost: int
    message: str


class RemovalsPayload(TypedDict):
    """The removal after which most points stay, and the one of the fewest dice."""

    most_points: RemovalPayload
    fewest_dice: RemovalPayload


class WindowPayload(TypedDict):
    """The window pattern card under the dice; ``turned`` says that it lies upside down."""

    name: str
    label: str
    turned: bool


class MovePayload(TypedDict):
    """A die placed on any cell of ``via`` may then be moved by the tool to any of ``to``."""

    tool: str
    via: list[str]
    to: list[str]


class ChangePayload(TypedDict):
    """The tool can make the drafted die into this one, which may go to ``cells``."""

    tool: str
    die: str
    cells: list[str]


class PlacingPayload(TypedDict):
    """Where a die may go next; ``with_tool`` are those of the ``legal_cells`` that need one of the tools."""

    die: str
    label: str
    legal_cells: list[str]
    with_tool: dict[str, list[str]]
    moves: list[MovePayload]
    changes: list[ChangePayload]
    why_not: dict[str, list[ProblemPayload]]


class MarkerPayload(TypedDict):
    """Where the score marker lies."""

    space: int | None
    flipped: bool
    laps: int
    message: str


class SoloPayload(TypedDict):
    """What came of a solo game."""

    target: int
    won: bool
    missing: int
    private: str
    other_private: LinePayload | None
    why_private: str
    message: str


class PlacementPayload(TypedDict):
    """What the placement rules say about a window: the same in every answer that judges one."""

    board: str
    window: WindowPayload | None
    problems: list[ProblemPayload]
    notices: list[NoticePayload]
    removals: RemovalsPayload | None
    dead_cells: list[str]


class PointsPayload(TypedDict):
    """The points of a window; ``score_marker`` is null in a solo game and ``solo`` in any other.

    As long as ``is_counted`` is false there is no objective or no window, and the total says nothing yet.
    """

    total: int
    is_counted: bool
    lines: list[LinePayload]
    solo: SoloPayload | None
    score_marker: MarkerPayload | None


class JudgedPayload(PointsPayload, PlacementPayload):
    """A window with its points."""


class LikelyWindowPayload(TypedDict):
    """A card that the dice point to; ``misfits`` are dice that may not lie on it."""

    name: str
    turned: bool
    probability: float
    misfits: list[str]


class LikelyWindowsPayload(TypedDict):
    """The likeliest cards, and how likely it is none of the known ones."""

    likeliest: list[LikelyWindowPayload]
    unknown: float


class CheckPayload(PlacementPayload):
    """The answer to "is this window legal, and where may these dice go?"."""

    legal: bool
    windows: LikelyWindowsPayload
    dice: list[PlacingPayload]


class DecisionPayload(TypedDict):
    """What decided between two players who follow each other."""

    players: list[str]
    decided_by: str | None
    message: str


class StandingPayload(JudgedPayload):
    """A player's place with the window; ``place`` is null for a player who cannot be ranked."""

    name: str
    place: int | None
    shared: bool
    private_points: int | None
    favor_tokens: int | None
    last_round_turn: int | None


class OutcomePayload(TypedDict):
    """How a game ended; these ``notices`` are about the table, those about a window stand with its player."""

    message: str | None
    winners: list[str]
    standings: list[StandingPayload]
    decisions: list[DecisionPayload]
    unranked: list[str]
    without_window: list[str]
    notices: list[NoticePayload]
