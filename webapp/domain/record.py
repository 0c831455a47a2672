"""A reading with everything people did to it, and what they may change: checked and merged.

`webapp.storage.readings` keeps it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from enum import Enum
from functools import cached_property
from typing import Protocol

from scoring import (
    ALL_CELLS,
    WINDOW_PATTERNS,
    Board,
    Cell,
    Die,
    PrivateObjective,
    PublicObjective,
    Tool,
    WindowPattern,
    cell_from_name,
    cell_name,
)
from scoring.game.setup import check_favor_tokens_left
from scoring.lookup import window_called
from vision.errors import VisionError
from vision.merge import merge_readings
from vision.reading import Alternative, CellReading, Reading, Tokens, WindowGuess
from webapp.domain.errors import ConflictError, InputError, UnreadPhotoError, in_words_of_the_rules
from webapp.domain.payloads import not_as_listed

ID_LENGTH = 16
ID_PATTERN = re.compile(rf"[A-Za-z0-9_-]{{{ID_LENGTH}}}")

AUTO = "auto"
UNKNOWN = "unknown"
BEING_READ = "being_read"  # the code of the failure of a photo that nobody has had time for yet
MOST_CANDIDATES = 4


@dataclass(frozen=True)
class Choices:
    """What the players chose, apart from their dice.

    ``window`` is the name of a window pattern, ``"auto"`` (the one that was read) or ``"unknown"``.
    ``favor_tokens`` is None as long as nobody told how many are left, see
    `webapp.domain.games.result.tokens_left`. ``tools`` are those that somebody said were used, where no table
    says which lie there. ``other_points`` are those of cards that are not known here, None without any.
    """

    public: tuple[PublicObjective, ...] = ()
    private: PrivateObjective | None = None
    window: str = AUTO
    favor_tokens: int | None = None
    tools: tuple[Tool, ...] = ()
    other_points: int | None = None

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
    """What another reading replaced, so that it can be undone."""

    board: Board
    reading: Reading
    turned: bool
    checked: tuple[str, ...]
    merged: tuple[str, ...] = ()


@dataclass(frozen=True)
class Record:
    """One reading and everything people did to it.

    ``board`` are the dice as they stand, in the orientation shown. ``reading`` is what the reader said, with
    corners in pixels of the upright photo, and is never altered; ``turned`` says that the board is shown
    turned by 180 degrees from it. ``size`` is the width and height of that photo in pixels, None without a
    photo. ``failure`` says why the photo could not be read, or not yet. ``checked`` are the names of the
    cells a person looked at. ``changed`` maps each changed field to the revision that changed it last.
    ``earlier`` is what stood before the photo was read again with corners set by hand, or another photo was
    merged with it, None when it was not. ``merged`` are the SHA-256 of such photos: the reading is what they
    show together with the first one, in whose pixels it stays.
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
    merged: tuple[str, ...] = ()

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
    def tokens(self) -> int | None:
        """The favor tokens that somebody told, or else those in the photo; None where nobody knows any."""
        seen = self.tokens_seen
        return seen.count if seen and self.choices.favor_tokens is None else self.choices.favor_tokens

    @property
    def tokens_seen(self) -> Tokens | None:
        """The favor tokens that were seen beside the window."""
        return self.reading.tokens if self.reading else None

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
    """Return the card under the dice: the chosen one, or the one that was read; None when it is not known."""
    name: str | None = record.choices.window
    if name == AUTO:
        name = record.recognized.name if record.recognized else None
    return known[name] if name in set(known) else None


# --- The spaces as people and programs see them ----------------------------------------------------


@dataclass(frozen=True)
class Space:
    """One of the 20 spaces, with the die that lies there.

    ``doubtful`` says that the reader was unsure and nobody has looked yet, ``covered`` that neither a die nor
    the space could be seen, either. ``candidates`` are other dice that it may hold, ``"--"`` for none,
    likeliest first. ``restriction`` is in pattern notation: from the card, else as it was read.
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
    doubts, reading, prints = set(record.doubts), record.shown, _prints(record, card)
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


CERTAIN = 0.98  # so sure a photo must be of its card to count more than a person's choice; set by hand
SAME_GAME = timedelta(hours=6)  # as long as the cards of a table are remembered, see `webapp.http.session`
MOST_FAVOR = 6
MOST_OTHER = 99
MOST_PUBLIC = 3
ALL_NAMES = tuple(cell_name(cell) for cell in ALL_CELLS)


class Keep(Enum):
    """What a change says of a field that it leaves alone; None empties it."""

    KEEP = "keep"


KEEP = Keep.KEEP


@dataclass(frozen=True)
class BoardChange:
    """What changes on the board: the dice of some ``cells``, None where none lies now.

    ``checked`` are cells that somebody looked at and found right, ``unchecked`` those whose doubt comes back,
    because a change to them is undone.
    """

    cells: Mapping[Cell, Die | None] = field(default_factory=dict)
    checked: Collection[Cell] = ()
    unchecked: Collection[Cell] = ()


@dataclass(frozen=True)
class ChoicesChange:
    """What changes of the choices: None leaves each, but takes ``private`` and ``other_points`` back.

    ``window`` is the English name of the card, ``"auto"`` or ``"unknown"``. More public objectives than lie
    on a table, or tokens than any player can have, are an `InputError`.
    """

    public: Collection[PublicObjective] | None = None
    private: PrivateObjective | Keep | None = KEEP
    window: str | None = None
    favor_tokens: int | None = None
    tools: Collection[Tool] | None = None
    other_points: int | Keep | None = KEEP

    def __post_init__(self) -> None:
        if self.public is not None and len(set(self.public)) > MOST_PUBLIC:
            raise InputError("too_many_objectives")
        if self.favor_tokens is not None and not 0 <= self.favor_tokens <= MOST_FAVOR:
            raise InputError("bad_request")


class Revised(Protocol):
    """What several people change."""

    @property
    def revision(self) -> int:
        """How often it was changed."""

    @property
    def changed(self) -> Mapping[str, int]:
        """The revision that changed each field last."""


def noted(newest: Revised, names: Collection[str], revision: int | None) -> dict[str, int]:
    """Return ``newest.changed`` after a change to the fields named, made by who saw ``revision``, if anybody.

    One of them that was changed after ``revision`` is a `ConflictError`.
    """
    if revision is not None and any(newest.changed.get(name, 0) > revision for name in names):
        raise ConflictError("conflict")
    return {**newest.changed, **dict.fromkeys(names, newest.revision + 1)}


def apply(
    record: Record,
    revision: int,
    board: BoardChange | None = None,
    choices: ChoicesChange | None = None,
    known: Mapping[str, WindowPattern] = WINDOW_PATTERNS,
) -> Record:
    """Return ``record``, the newest state, with changes by who was looking at ``revision``.

    Raises
    ------
    ConflictError
        One of the fields was changed to something else after ``revision``.
    UnknownNameError
        There is no such window card.
    InputError
        More tokens are to be left than come with the card.
    """
    change, dice = board or BoardChange(), record.board
    names = [cell_name(cell) for cell, die in change.cells.items() if dice[cell] != die]
    for cell, die in change.cells.items():
        dice = dice.replace(*cell, die)
    asked = choices or ChoicesChange()
    picked = _within_card(record, _choices(record.choices, asked, known), asked, known)
    names += _other(record.choices, picked)
    seen = {cell_name(cell) for cell in (*change.checked, *change.cells)}.union(record.checked)
    seen -= {cell_name(cell) for cell in change.unchecked}
    return replace(
        record,
        board=dice,
        choices=picked,
        checked=tuple(sorted(seen)),
        changed=noted(record, names, revision),
        for_card=False,  # somebody plays on it
    )


def turn(record: Record, revision: int) -> Record:
    """Return ``record`` shown the other way up."""
    opposite = dict(zip(ALL_NAMES, reversed(ALL_NAMES), strict=True))
    return replace(
        record,
        board=record.board.rotated_180(),
        turned=not record.turned,
        checked=tuple(sorted(opposite[name] for name in record.checked)),
        changed=noted(record, ALL_NAMES, revision),
    )


def read_again(record: Record, revision: int | None, reading: Reading) -> Record:
    """Return ``record`` with a new reading of its photo; the old one is kept for undoing."""
    return replace(
        record,
        board=reading.board,
        reading=reading,
        failure=None,
        turned=False,
        checked=(),
        merged=(),
        # Every cell is new now: a change from a tab that still shows the old ones must not slip in.
        changed=noted(record, ALL_NAMES, revision),
        earlier=_stood(record),
    )


def flipped(record: Record, photo_hash: str) -> Record:
    """Return ``record`` of a window whose photo, of this hash, is flipped now and not read anew yet."""
    reading = record.reading
    if reading is None:
        return record
    a, b, c, d = ((round(reading.size[0] - x, 1), y) for x, y in reading.corners)
    there = replace(reading, corners=(b, a, d, c), mirrored=True)
    return replace(record, reading=there, earlier=None, photo_hash=photo_hash)


def turned_back(record: Record, revision: int, reading: Reading, photo_hash: str) -> Record:
    """Return ``record`` with the reading of its photo with left and right exchanged; for good."""
    looked = record.reading is not None and record.reading.mirrored
    if record.reading is None or (not looked and revision != record.revision):
        return record  # somebody else was quicker, as whoever taps twice
    return replace(read_again(record, revision, reading), earlier=None, photo_hash=photo_hash)


def with_photo(record: Record, reading: Reading, photo_hash: str) -> Record:
    """Return ``record`` with what another photo of its window shows, too; the dice people looked at stay.

    One that was merged before, and is sent once more, changes nothing.

    Raises
    ------
    VisionError
        It shows another window.
    InputError
        It is the first photo itself, or no window was read before.
    """
    if record.reading is None:
        raise InputError("no_reading_to_learn")
    if photo_hash == record.photo_hash:
        raise InputError("same_photo")
    if photo_hash in record.merged:
        return record
    made = replace(
        record,
        reading=merge_readings(record.reading, reading),
        earlier=_stood(record),
        merged=(*record.merged, photo_hash),
    )
    board = made.shown.board if made.shown else record.board
    for name in record.checked:
        cell = cell_from_name(name)
        board = board.replace(*cell, record.board[cell])
    names = [cell_name(cell) for cell in ALL_CELLS if board[cell] != record.board[cell]]
    return replace(made, board=board, changed=noted(record, names, None))


def other_reading(record: Record, revision: int) -> Record:
    """Return ``record`` as it was before the last other reading; once more, and it is as it was after."""
    changed = noted(record, ALL_NAMES, revision)
    if record.earlier is None:
        raise InputError("bad_request")
    return replace(record, changed=changed, **{**vars(record.earlier), "earlier": _stood(record)})


def _stood(record: Record) -> Earlier | None:
    """Return what another reading replaces, None where there is none yet."""
    if record.reading is None:
        return None
    return Earlier(record.board, record.reading, record.turned, record.checked, record.merged)


def confirmed(record: Record, revision: int, *, all_right: bool) -> Record:
    """Return ``record`` with every die looked at.

    Raises
    ------
    ConflictError
        A die was changed after ``revision``.
    InputError
        There is no photo that was read, or some dice need a look and nobody said that ``all_right`` is so.
    """
    noted(record, ALL_NAMES, revision)
    if record.reading is None or record.size is None:
        raise InputError("no_reading_to_learn")
    if record.doubts and not all_right:
        raise InputError("dice_unconfirmed")
    return replace(record, checked=ALL_NAMES)


def known_now(record: Record, reading: Reading) -> Record:
    """Return ``record``, whose dice are all confirmed, with what the reader says now that it knows them.

    Which way up the window lies and on which card was told before.
    """
    if record.shown is None:
        return record
    first = record.shown.corners[0]
    nearer = min(reading, reading.rotated_180(), key=lambda one: math.dist(one.corners[0], first))
    return replace(record, reading=replace(nearer, window=record.recognized), turned=False)


def different(record: Record, board: Board) -> BoardChange:
    """Return how a whole board differs from what lies there; only such cells count as looked at."""
    now = record.board
    return BoardChange({cell: board[cell] for cell in ALL_CELLS if board[cell] != now[cell]})


def by_hand(record: Record) -> Record:
    """Return a record whose photo could not be read, ready for dice entered by hand."""
    return replace(record, failure=None, for_card=False)


def with_public(record: Record, public: tuple[PublicObjective, ...]) -> Record:
    """Return the record with the public objectives of its table."""
    return with_choices(record, replace(record.choices, public=public))


def with_tokens_told(record: Record) -> Record:
    """Return the window of a game that is over, at which only the tokens count that are told or seen."""
    return with_choices(record, replace(record.choices, favor_tokens=record.tokens or 0))


def with_card_renamed(record: Record, old: str, new: str) -> Record:
    """Return the record with a card's new name, whether the card was chosen by hand or recognized."""
    recognized = record.choices.window == AUTO and record.recognized and record.recognized.name == old
    if record.choices.window != old and not recognized:
        return record
    return with_choices(record, replace(record.choices, window=new))


# --- The next photo of the same window -------------------------------------------------------------


def settled(choices: Choices, reading: Reading | None) -> tuple[Choices, str | None]:
    """Return the choices for a new photo, and the card that was left behind, None where none was.

    The card that was chosen by hand comes along to the next photo of the same window, unless that names
    another one with certainty; the record then keeps which one was left behind, so that the page can say so.
    """
    guess = reading.window if reading else None
    if guess is None or choices.window in {AUTO, guess.name} or guess.probability < CERTAIN:
        return choices, None
    return replace(choices, window=AUTO), choices.window if choices.names_a_card else None


def brought_along(made: Record, choices: Choices) -> Record:
    """Return the record of a new photo with the choices for the photo before."""
    after, left = settled(choices, made.reading)
    return replace(made, choices=after, card_before=left)


def may_be_of_the_same_game(record: Record) -> bool:
    """Tell whether a photo that is taken now may show the same window some turns later."""
    return datetime.now(UTC) - datetime.fromisoformat(record.created) < SAME_GAME


def with_choices(record: Record, choices: Choices) -> Record:
    """Return the record with other choices, which nobody made on a certain revision of it."""
    return replace(record, choices=choices, changed=noted(record, _other(record.choices, choices), None))


def _other(before: Choices, after: Choices) -> list[str]:
    """Return the names of the choices that differ."""
    return [name for name, value in vars(after).items() if value != getattr(before, name)]


def _choices(before: Choices, change: ChoicesChange, known: Mapping[str, WindowPattern]) -> Choices:
    """Return ``before`` with what changes."""
    return Choices(
        before.public if change.public is None else tuple(dict.fromkeys(change.public)),
        before.private if isinstance(change.private, Keep) else change.private,
        before.window if change.window is None else _window(change.window, before.window, known),
        before.favor_tokens if change.favor_tokens is None else change.favor_tokens,
        before.tools if change.tools is None else tuple(dict.fromkeys(change.tools)),
        before.other_points if isinstance(change.other_points, Keep) else change.other_points,
    )


def _within_card(
    record: Record, picked: Choices, asked: ChoicesChange, known: Mapping[str, WindowPattern]
) -> Choices:
    """Return the choices with no more tokens than come with the card; more of them are refused when told."""
    card = card_of(replace(record, choices=picked), known)
    if card is None or picked.favor_tokens is None:
        return picked
    if asked.favor_tokens not in {None, record.choices.favor_tokens}:
        with in_words_of_the_rules("too_many_favor_tokens"):
            check_favor_tokens_left(picked.favor_tokens, card)
    if asked.window is not None and card.difficulty is not None:
        return replace(picked, favor_tokens=min(picked.favor_tokens, card.difficulty))
    return picked  # a card that was read may be wrong: the judge asks


def _window(name: str, before: str, known: Mapping[str, WindowPattern]) -> str:
    """Return the name of the card that was chosen, or raise a `ScoringError`."""
    # A window that is no longer known stays chosen until people choose another one.
    if name not in {AUTO, UNKNOWN, before}:
        found = window_called(name, known).name
        if found != name:
            raise not_as_listed(name, found)
    return name
