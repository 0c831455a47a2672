"""What people may change on a record, checked and merged.

A change names the revision it was made on. It is merged when nobody changed the same field since,
and refused as a conflict otherwise, so that two tabs never lose each other's work silently.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from enum import Enum
from typing import TYPE_CHECKING

from scoring import (
    ALL_CELLS,
    WINDOW_PATTERNS,
    Board,
    Cell,
    Die,
    PrivateObjective,
    PublicObjective,
    WindowPattern,
    cell_name,
)
from scoring.game.setup import check_favor_tokens_left
from scoring.lookup import window_called
from vision.reading import Reading
from webapp.services.errors import ConflictError, InputError, in_words_of_the_rules
from webapp.services.plain import not_as_listed
from webapp.services.record import AUTO, UNKNOWN, Choices, Earlier, Record, card_of

if TYPE_CHECKING:
    from webapp.services.games.game import Game

CERTAIN = 0.98  # so sure a photo must be of its card to count more than a person's choice; set by hand
SAME_GAME = timedelta(hours=6)  # as long as the cards of a table are remembered, see `webapp.web.cookies`
MOST_FAVOR = 6
MOST_PUBLIC = 3
ALL_NAMES = tuple(cell_name(cell) for cell in ALL_CELLS)


class Keep(Enum):
    """What a change says of a field that it leaves alone; None empties it."""

    KEEP = "keep"


KEEP = Keep.KEEP


@dataclass(frozen=True)
class BoardChange:
    """What changes on the board.

    Parameters
    ----------
    cells
        The dice that lie on cells now, None where none lies.
    checked
        Cells that somebody looked at and found right.
    unchecked
        Cells whose doubt comes back, because a change to them is undone.
    """

    cells: Mapping[Cell, Die | None] = field(default_factory=dict)
    checked: Collection[Cell] = ()
    unchecked: Collection[Cell] = ()


@dataclass(frozen=True)
class ChoicesChange:
    """What changes of the choices.

    Parameters
    ----------
    public
        The public objectives, None to leave them.
    private
        The private objective, None to take it back.
    window
        The English name of the window card, ``"auto"`` or ``"unknown"``; None to leave it.
    favor_tokens
        The favor tokens left, None to leave them.

    Raises
    ------
    InputError
        There are more public objectives than lie on a table, or tokens than any player can have.
    """

    public: Collection[PublicObjective] | None = None
    private: PrivateObjective | Keep | None = KEEP
    window: str | None = None
    favor_tokens: int | None = None

    def __post_init__(self) -> None:
        if self.public is not None and len(set(self.public)) > MOST_PUBLIC:
            raise InputError("too_many_objectives")
        if self.favor_tokens is not None and not 0 <= self.favor_tokens <= MOST_FAVOR:
            raise InputError("bad_request")


def noted(newest: Record | Game, names: Collection[str], revision: int | None) -> dict[str, int]:
    """Return ``newest.changed`` after a change to the fields named, made by who saw ``revision``, if anybody.

    Raises
    ------
    ConflictError
        One of the fields was changed after ``revision``.
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
    """Return ``record`` with the changes made.

    Parameters
    ----------
    record
        The newest state.
    revision
        The revision that the person who made the change was looking at.
    board, choices
        What changes, None for nothing.
    known
        The window cards that may be chosen.

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
    earlier = None
    if record.reading is not None:
        earlier = Earlier(record.board, record.reading, record.turned, record.checked)
    return replace(
        record,
        board=reading.board,
        reading=reading,
        failure=None,
        turned=False,
        checked=(),
        # Every cell is new now: a change from a tab that still shows the old ones must not slip in.
        changed=noted(record, ALL_NAMES, revision),
        earlier=earlier,
    )


def before_corners(record: Record, revision: int) -> Record:
    """Return ``record`` as it was before its photo was read again with corners set by hand."""
    changed = noted(record, ALL_NAMES, revision)
    if record.earlier is None:
        raise InputError("bad_request")
    return replace(record, changed=changed, earlier=None, **vars(record.earlier))


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
    if _apart(reading, record.shown) > _apart(reading.rotated_180(), record.shown):
        reading = reading.rotated_180()
    return replace(record, reading=replace(reading, window=record.recognized), turned=False)


def _apart(one: Reading, other: Reading) -> float:
    """Return how far the first corners of two readings lie from each other, in pixels."""
    return math.dist(one.corners[0], other.corners[0])


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
    """Return the window of a game that is over, at which only the tokens count that somebody told."""
    return with_choices(record, replace(record.choices, favor_tokens=record.choices.favor_tokens or 0))


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

    Parameters
    ----------
    choices
        What was chosen for the photo before; ``"auto"`` as its window leaves the card to the new one.
    reading
        What was read in the new photo, None when it could not be read.
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
