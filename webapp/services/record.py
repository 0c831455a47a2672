"""A reading and everything people did to it; `webapp.storage.readings` keeps it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from scoring import ALL_CELLS, Board, Cell, Die, PrivateObjective, PublicObjective, WindowPattern, cell_name
from vision.errors import VisionError
from vision.reading import Alternative, CellReading, Reading, WindowGuess
from webapp.services.errors import UnreadPhotoError

ID_LENGTH = 16
ID_PATTERN = re.compile(rf"[A-Za-z0-9_-]{{{ID_LENGTH}}}")

AUTO = "auto"
UNKNOWN = "unknown"

BEING_READ = "being_read"
"""The code of the failure of a photo that nobody has had time for yet."""

MOST_CANDIDATES = 4


@dataclass(frozen=True)
class Choices:
    """What the players chose, apart from their dice.

    ``window`` is the name of a window pattern, ``"auto"`` (the one that was read) or ``"unknown"``.
    ``favor_tokens`` is None as long as nobody told how many are left, see
    `webapp.services.games.result.tokens_left`.
    """

    public: tuple[PublicObjective, ...] = ()
    private: PrivateObjective | None = None
    window: str = AUTO
    favor_tokens: int | None = None

    @property
    def private_name(self) -> str | None:
        """The letter of the private objective's color or its name, None as long as it is not chosen."""
        return self.private.value if self.private else None

    @property
    def names_a_card(self) -> bool:
        """Whether a person named the card."""
        return self.window not in {AUTO, UNKNOWN}


@dataclass(frozen=True)
class Failure:
    """Why a photo could not be read: code and data of the reader's error."""

    code: str
    data: Mapping[str, object] = field(default_factory=dict)

    @classmethod
    def of(cls, error: VisionError) -> Failure:
        """Return why the reader gave up."""
        return cls(error.code, error.data)

    def error(self) -> UnreadPhotoError:
        """Return the error, which says in every language what is wrong and what to do about it."""
        return UnreadPhotoError(self.code, data=self.data)


@dataclass(frozen=True)
class Earlier:
    """What a reading with other corners replaced, so that it can be undone."""

    board: Board
    reading: Reading
    turned: bool
    checked: tuple[str, ...]


@dataclass(frozen=True)
class Record:
    """One reading and everything people did to it.

    ``board`` are the dice as they stand, in the orientation shown. ``reading`` is what the reader said, with
    corners in pixels of the upright photo, and is never altered; ``turned`` says that the board is shown
    turned by 180 degrees from it. ``size`` is the width and height of that photo in pixels, None without a
    photo. ``failure`` says why the photo could not be read, or not yet. ``checked`` are the names of the
    cells a person looked at. ``changed`` maps each changed field to the revision that changed it last.
    ``earlier`` is what stood before the photo was read again with corners set by hand, None when it was not.
    ``card_before`` is the window card that was chosen by hand for an earlier photo of the same window and
    that this photo does not show. ``for_card`` says that the photo was taken for nothing but the window card
    in it: it goes when the card is kept, or after a day. ``part_of`` is the id of the photo of the whole
    table in which the window was read.
    ``photo_hash`` is the SHA-256 of the photo of this window alone, which a copy of its file shares.
    """

    id: str
    created: str
    revision: int = 1
    board: Board = field(default_factory=Board.empty)
    size: tuple[int, int] | None = None
    reading: Reading | None = None
    failure: Failure | None = None
    turned: bool = False
    checked: tuple[str, ...] = ()
    choices: Choices = field(default_factory=Choices)
    changed: Mapping[str, int] = field(default_factory=dict)
    earlier: Earlier | None = None
    card_before: str | None = None
    for_card: bool = False
    part_of: str | None = None
    photo_hash: str | None = None

    @property
    def is_being_read(self) -> bool:
        """Whether the photo waits for being read."""
        return self.failure is not None and self.failure.code == BEING_READ

    @cached_property
    def shown(self) -> Reading | None:
        """What the reader said, in the orientation shown."""
        return self.reading.rotated_180() if self.reading and self.turned else self.reading

    @property
    def recognized(self) -> WindowGuess | None:
        """The card that the photo points to; the reader named it for its own orientation only."""
        return None if self.reading is None or self.turned else self.reading.window

    @property
    def shot(self) -> str | None:
        """What a window from the same place of the same photo has too: one photo may show two windows."""
        return f"{self.photo_hash} {self.reading and self.reading.corners}" if self.photo_hash else None

    @property
    def doubts(self) -> tuple[Cell, ...]:
        """The cells that the reader was unsure of and nobody has looked at, in the orientation shown."""
        cells = self.shown.doubtful if self.shown else ()
        return tuple(cell for cell in cells if cell_name(cell) not in self.checked)


def card_of(record: Record, known: Mapping[str, WindowPattern]) -> WindowPattern | None:
    """Return the window card under the dice of a record: the chosen one, or the one that was read.

    Parameters
    ----------
    record
        The window.
    known
        The cards there are in this house; one that is gone is not known any more.
    """
    name: str | None = record.choices.window
    if name == AUTO:
        name = record.recognized.name if record.recognized else None
    return known[name] if name in set(known) else None


# --- The spaces as people and programs see them ----------------------------------------------------


@dataclass(frozen=True)
class Space:
    """One of the 20 spaces.

    Parameters
    ----------
    cell
        Where it is, as (row, column) from 0.
    die
        What lies there.
    doubtful
        Whether the reader was unsure and nobody has looked yet.
    candidates
        Other dice that it may hold, ``"--"`` for none, likeliest first.
    covered
        Whether neither a die nor the space could be seen there, and nobody has looked yet.
    restriction
        What is printed there, in pattern notation: from the card, else as it was read.
    """

    cell: Cell
    die: Die | None
    doubtful: bool
    candidates: tuple[str, ...]
    covered: bool
    restriction: str

    @property
    def name(self) -> str:
        """Its name, such as C5."""
        return cell_name(self.cell)


def spaces_of(record: Record, card: WindowPattern | None) -> tuple[Space, ...]:
    """Return the 20 spaces of a window in reading order."""
    doubts, reading = set(record.doubts), record.shown
    prints = _prints(record, card)
    return tuple(
        Space(
            cell,
            record.board[cell],
            cell in doubts,
            _candidates(reading.cells[index], record.board[cell]) if reading else (),
            reading is not None and cell in doubts and reading.cells[index].covered,
            prints[index],
        )
        for index, cell in enumerate(ALL_CELLS)
    )


def _candidates(read: CellReading, die: Die | None) -> tuple[str, ...]:
    """Return the dice that a cell is likely to hold, other than the one it shows, likeliest first."""
    likely: list[CellReading | Alternative] = [read, *read.alternatives]
    codes = (f"{one.color.value}{one.value}" if one.color and one.value else "--" for one in likely)
    others = dict.fromkeys(code for code in codes if code != (str(die) if die else "--"))
    return tuple(others)[:MOST_CANDIDATES]


def _prints(record: Record, card: WindowPattern | None) -> str:
    """Return what is printed on the spaces, in pattern notation: from the card, else as it was read."""
    if card is not None:
        return "".join(str(card).split(" / "))
    if record.choices.window == AUTO and record.shown:
        signs = (sign for sign in record.shown.pattern if sign not in " /\n")
        return "".join(sign if sign in "RYGBP123456" else "." for sign in signs)
    return "." * len(ALL_CELLS)
