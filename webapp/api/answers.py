"""What the interface answers beside judged windows; its description is made from these types."""

from __future__ import annotations

from enum import Enum
from typing import Annotated, Any, NotRequired

from pydantic import Field
from typing_extensions import TypedDict  # pydantic wants it before Python 3.12

import scoring
from webapp.api.body import LONGEST_CARD_NAME
from webapp.services.household import LessonStage
from webapp.services.payloads import JudgedPayload, PlacementPayload, PlacingPayload

# --- Values that come again and again --------------------------------------------------------------


def one_of(kind: type[Enum]) -> Any:  # noqa: ANN401  what pydantic makes of a field
    """Return what says of a text that it is the value of an enumeration."""
    return Field(json_schema_extra={"enum": [one.value for one in kind]})


Count = Annotated[int, Field(ge=0)]
Moment = Annotated[str, Field(json_schema_extra={"format": "date-time"})]
Label = Annotated[str, Field(description="The name in the visitor's language.")]
Board = Annotated[str, Field(description="Four rows of five dice in board notation.")]
Cell = Annotated[str, Field(pattern="^[A-D][1-5]$")]
Die = Annotated[str, Field(pattern="^[RYGBP][1-6]$")]
DieOrEmpty = Annotated[str, Field(pattern="^([RYGBP][1-6]|--)$")]
Pattern = Annotated[str, Field(pattern=r"^[RYGBP1-6.]{5}( / [RYGBP1-6.]{5}){3}$")]
Color = Annotated[str, one_of(scoring.Color)]
Private = Annotated[
    str,
    Field(
        json_schema_extra={"enum": [one.value for one in scoring.PRIVATE_OBJECTIVES]},
        description="The letter of a color, or the name of a private objective of the expansion.",
    ),
]
PublicObjective = Annotated[str, one_of(scoring.PublicObjective)]
Tool = Annotated[
    str,
    Field(
        max_length=LONGEST_CARD_NAME,
        description="The English name of a tool card, or the one that people of this house gave it.",
    ),
]


class Error(TypedDict):
    """What went wrong, and what to do about it."""

    code: Annotated[str, Field(pattern="^[a-z_]+$")]
    """The reason, for programs."""
    message: Annotated[str, Field(min_length=1)]
    """What went wrong, for people."""
    next_step: Annotated[str, Field(min_length=1)]
    """What to do about it, for people."""
    data: NotRequired[dict[str, Any]]
    """More for programs, such as `where`: the place in what was sent."""


class ErrorAnswer(TypedDict):
    """The answer to whatever went wrong."""

    error: Error


# --- Readings --------------------------------------------------------------------------------------


class ReadingLinks(TypedDict):
    """Where the other things about a reading are."""

    self: str
    """This reading as JSON."""
    placement: str
    """Where dice may go on it."""
    page: str
    """Its page for people."""
    picture: str
    """The window as stained glass, an SVG."""
    photo: str | None
    """The photo as JPEG; null without one."""
    table: str | None
    """The page of the photo with all windows in it; null where only this one was read."""


class ReadingCell(TypedDict):
    """A space of a reading."""

    name: Cell
    label: Label
    """What a screen reader says for it, such as "C5: red 3"."""
    die: Die | None
    doubtful: bool
    """Whether a person should look at it."""
    candidates: list[DieOrEmpty]
    """What else it may be, likeliest first."""
    restriction: Annotated[str, Field(pattern="^[RYGBP1-6.]$")]
    """What is printed there: a color letter, a value or a dot."""


class ReadingChoices(TypedDict):
    """What a player chose beside the dice."""

    public: list[PublicObjective]
    private: Private | None
    window: str
    """The window card by its English name; `auto` is the one that was read, or `unknown`."""
    favor_tokens: Count


class KeptLesson(TypedDict):
    """What was learned from a window, or is about to be."""

    stage: Annotated[str, one_of(LessonStage)]
    """`waiting` while it is being learned: ask again in a second. `failed`: nothing could be learned."""
    profile: str | None
    """What the dice are called."""
    can_undo: bool
    """Whether it can be taken back: nothing was learned of these dice since."""
    message: str


class Reading(JudgedPayload):
    """A window: a photo with the dice that were read in it, or dice entered by hand."""

    id: str
    """The key to the reading; keep it to those who may change it."""
    revision: Count
    """Grows with every change."""
    size: Annotated[list[Count], Field(min_length=2, max_length=2)] | None
    """Width and height of the photo in pixels; null without one."""
    corners: (
        Annotated[
            list[Annotated[list[float], Field(min_length=2, max_length=2)]], Field(min_length=4, max_length=4)
        ]
        | None
    )
    """The corners of the window in the photo, in pixels, clockwise from the top left."""
    cells: Annotated[list[ReadingCell], Field(min_length=20, max_length=20)]
    choices: ReadingChoices
    profile: str | None
    """The dice of this house that these were read as; null where they were read as the game's."""
    lesson: KeptLesson | None
    """What the program learned from these dice; see Dice. Null where nothing was to be learned."""
    unlike_dice: bool
    """Whether the dice look like none that the program knows: it can learn them, see Dice."""
    failure: Error | None
    """Why the photo could not be read."""
    links: ReadingLinks


class Placement(PlacementPayload):
    """Where the dice of a draft pool may go on a reading."""

    revision: int
    dice: list[PlacingPayload]
    """Each die of the pool."""


class LastReading(TypedDict):
    """One of the last readings of a browser."""

    id: str
    created: Moment
    board: Board
    total: int | None
    """Null before an objective is chosen, and for an unread photo."""
    links: ReadingLinks


class LastReadings(TypedDict):
    """The last readings of a browser."""

    readings: list[LastReading]


class SampleLinks(TypedDict):
    """Where a sample photo is read, with POST, and a small JPEG of it."""

    self: str
    picture: str


class Sample(TypedDict):
    """A sample photo."""

    name: str
    links: SampleLinks


class Samples(TypedDict):
    """The sample photos that come with the program."""

    samples: list[Sample]


# --- Cards and windows -----------------------------------------------------------------------------


class ColorCard(TypedDict):
    """A color of dice."""

    letter: Color
    label: Label
    private: str
    """The name of the private objective of that color."""


class PrivateCard(TypedDict):
    """A private objective of the expansion, which counts the dice on some spaces."""

    name: Private
    label: Label
    cells: list[Cell]
    """The spaces that count."""


class ObjectiveCard(TypedDict):
    """A public objective."""

    name: PublicObjective
    label: Label
    rule: str
    """What it counts, in the visitor's language."""
    points: Count
    """For each row, column or set; 1 for each die of Color Diagonals."""


class ToolCard(TypedDict):
    """A tool card."""

    name: Tool
    label: Label
    rule: str
    """What it does, in the visitor's language."""
    number: Count | None
    """Null for a card that is not in the base game."""
    moves_dice: bool
    """Whether it moves dice that lie in the window."""
    color: Color
    """Of the die that pays for it in a solo game."""
    lifts: list[Annotated[str, one_of(scoring.Lift)]]
    """The rules that the die it places or moves may ignore."""
    custom: bool
    """Whether people of this house added it."""


class HouseRuleName(TypedDict):
    """What a group may agree on."""

    name: Annotated[str, one_of(scoring.HouseRule)]
    label: Label


class WindowCard(TypedDict):
    """A window card."""

    name: str
    """The English name, or the one that people of this house gave it."""
    label: Label
    pattern: Pattern
    difficulty: Count | None
    """3 to 6, also the number of favor tokens; null when it is not known."""
    other_side: str | None
    """The window on the back of the card."""
    promo: bool
    comes_in: Annotated[str, one_of(scoring.WindowSet)] | None
    """The box or pack; null for a window of this house."""
    custom: bool
    """Whether people of this house added it; only such ones can be changed."""


class Cards(TypedDict):
    """What there is in the game."""

    language: str
    """The language of labels and rules."""
    colors: list[ColorCard]
    privates: list[PrivateCard]
    public: list[ObjectiveCard]
    tools: list[ToolCard]
    house_rules: list[HouseRuleName]
    windows: list[WindowCard]


class SpacesChecked(TypedDict):
    """What there is to know about the spaces of a window."""

    pattern: Pattern
    can_be_filled: bool
    """Whether 20 dice can lie on it under all rules without a tool."""
    notices: list[str]
    """What a player should know about it, in the visitor's language."""


class Window(WindowCard, SpacesChecked):
    """A window card with what there is to know about it."""

    names: dict[str, str]
    """Its names in other languages, by language code."""


class Windows(TypedDict):
    """The cards of the game, then the windows of this house."""

    windows: list[Window]


class WindowsTaken(TypedDict):
    """What a file changed."""

    added: list[str]
    """The names of the new ones."""
    replaced: list[str]
    """The names of those that took the place of another."""
    windows: Count
    """How many this house has now."""


# --- Phones ----------------------------------------------------------------------------------------


class Address(TypedDict):
    """Where phones reach this computer."""

    url: str | None
    """What phones open; null when they cannot reach this server."""
    qr: str | None
    """The same as a QR code, an SVG."""
    others: list[str]
    """All addresses to choose from, where there is a choice and the visitor sits here."""
    secure_port: int | None
    """The port at which the page is served encrypted (TLS) too; null when it is not."""
    fingerprint: str | None
    """The SHA-256 of the certificate that phones may trust for that; null when the host brought one."""
