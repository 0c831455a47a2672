"""What programs may send about readings, windows, games and addresses: one model for each body."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from scoring import Board, Tool
from scoring.windows.file import windows_from_json
from webapp.api.body import Body
from webapp.api.inputs import (
    LEFT_OUT,
    MOST_SEATS,
    MOST_WINDOWS_IN_A_FILE,
    SPACES,
    ADieOrNone,
    ASpace,
    BoardText,
    CardName,
    ColorOrNothing,
    Corner,
    Difficulty,
    FavorTokens,
    ListedColor,
    ListedHouseRules,
    ListedObjectives,
    ListedTool,
    ListedTools,
    Names,
    Pattern,
    PlayerName,
    Revision,
    SeatNumber,
    Spaces,
    Target,
    WindowName,
)

# --- Readings --------------------------------------------------------------------------------------


class NewReading(Body):
    """Dice entered by hand, for a window without a photo."""

    board: BoardText = Field(default_factory=Board.empty)
    """The dice in board notation; without it an empty window."""


class Choices(Body):
    """What a player chose beside the dice; a key that is left out stays as it is."""

    public: ListedObjectives = LEFT_OUT
    """The public objectives, three at most."""
    private: ColorOrNothing | None = None
    """The letter of the private objective's color; null or an empty text takes it back."""
    window: CardName = LEFT_OUT
    """The window card by its English name; `auto` is the one that was read, or `unknown`."""
    favor_tokens: FavorTokens = LEFT_OUT
    """Favor tokens left."""


class ReadingChange(Body):
    """Corrections of a reading."""

    revision: Revision
    """The revision that the change is made on."""
    cells: Annotated[dict[ASpace, ADieOrNone | None], Field(max_length=SPACES)] = Field(default_factory=dict)
    """Dice by space, `--` or null for none."""
    checked: Spaces = ()
    """Spaces that somebody looked at and found right."""
    unchecked: Spaces = ()
    """Spaces whose doubt comes back."""
    choices: Choices = Field(default_factory=Choices)


class OnRevision(Body):
    """A change that needs nothing else."""

    revision: Revision
    """The revision that the change is made on."""


class Corners(Body):
    """The corners of a window, set by hand."""

    corners: tuple[Corner, Corner, Corner, Corner]
    """In pixels of the photo, clockwise from the top left."""
    revision: Revision = LEFT_OUT
    """The revision that the change is made on."""


# --- Windows ---------------------------------------------------------------------------------------


class WindowChange(Body):
    """Another window in the place of one; keys that are left out stay as they are."""

    name: WindowName = LEFT_OUT
    """At most 40 characters; no other window may have it in any language."""
    pattern: Pattern = LEFT_OUT
    """Four rows of five spaces: a color letter, a value or a dot each."""
    difficulty: Difficulty | None = None
    """Also the number of favor tokens; null when it is not known."""
    names: Names = LEFT_OUT
    """Its names in other languages, by language code."""


class NewWindow(WindowChange):
    """A window of one's own."""

    name: WindowName
    """At most 40 characters; no other window may have it in any language."""
    pattern: Pattern
    """Four rows of five spaces: a color letter, a value or a dot each."""
    names: Names = Field(default_factory=dict)
    """Its names in other languages, by language code."""


class SpacesQuestion(Body):
    """Spaces that are not a window yet."""

    pattern: Pattern
    """Four rows of five spaces: a color letter, a value or a dot each."""
    name: WindowName = "Unnamed"
    """Its own name, not to be compared with itself."""


class WindowEntry(Body):
    """A window in a file."""

    name: WindowName
    cells: Pattern
    """Four rows of five spaces: a color letter, a value or a dot each."""
    difficulty: Difficulty | None = None
    other_side: WindowName | None = None
    """The window on the back of the card."""
    names: Names = Field(default_factory=dict)
    """Its names in other languages, by language code."""


class WindowFile(Body):
    """The file that `sagrada windows export` writes."""

    format: Literal["sagrada-windows"]
    schema_: Annotated[int, Field(ge=1, le=1000, alias="schema")]
    """The version of the form."""
    windows: Annotated[list[WindowEntry], Field(max_length=MOST_WINDOWS_IN_A_FILE)]

    @model_validator(mode="before")
    @classmethod
    def refused_as_a_file_is(cls, data: object) -> object:
        """Let the form of the file say what is wrong with it, as it does for the command line."""
        windows = data.get("windows") if isinstance(data, dict) else None
        if not isinstance(windows, list) or len(windows) <= MOST_WINDOWS_IN_A_FILE:
            windows_from_json(data)
        return data


# --- Games -----------------------------------------------------------------------------------------


class NewGame(Body):
    """A game to be started."""

    name: PlayerName = ""
    """The host's name; without one the host does not play."""
    solo: bool = False


class Name(Body):
    """Who sits down."""

    name: PlayerName


class GameChange(Body):
    """Cards that lie on the table; a key that is left out leaves them as they are."""

    revision: Revision
    """The revision that the change is made on."""
    public: ListedObjectives = LEFT_OUT
    tools: ListedTools = LEFT_OUT
    house_rules: ListedHouseRules = LEFT_OUT
    """What the group agreed on."""
    target: Target | None = None
    """Only of a solo game; null takes it back."""
    second_private: ListedColor | None = None
    """Only of a solo game; null takes it back."""


class Deal(Body):
    """Cards to be drawn."""

    revision: Revision
    """The revision that the change is made on."""
    tools: Annotated[int, Field(ge=0, le=len(Tool))] | None = None
    """How many tools; null for public objectives."""


class Order(Body):
    """The players in another order."""

    revision: Revision
    """The revision that the change is made on."""
    seats: Annotated[tuple[SeatNumber, ...], Field(max_length=MOST_SEATS)]
    """The numbers of all seats."""
    known: bool = False
    """Whether this is the order of the turns."""


class PlayerChange(Body):
    """What changes of a player; a key that is left out stays as it is."""

    name: PlayerName = LEFT_OUT
    private: ColorOrNothing | None = None
    """The letter of a color; null or an empty text takes it back."""
    favor_tokens: FavorTokens = LEFT_OUT
    """Favor tokens left."""
    ready: bool = LEFT_OUT
    window_revision: Revision | None = None
    """The revision of the window that `private` and `favor_tokens` are changed on; the newest without one."""


class ToolUse(Body):
    """A tool that a player used."""

    tool: ListedTool


class SeatKey(Body):
    """The secret of a link to a seat."""

    key: Annotated[str, Field(max_length=100)]


class Openness(Body):
    """Whether new players may sit down."""

    open: bool = False


class Reveal(Body):
    """The end of a game."""

    anyway: bool = False
    """Also when somebody is not ready."""


# --- Phones ----------------------------------------------------------------------------------------


class AddressChoice(Body):
    """Another address of this computer."""

    address: Annotated[str, Field(max_length=300)]
    """One of `others`."""
