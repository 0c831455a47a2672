"""What people may change on a record, checked and merged.

A change names the revision it was made on. It is merged when nobody changed the same field since,
and refused as a conflict otherwise, so that two tabs never lose each other's work silently.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from scoring import (
    ALL_CELLS,
    WINDOW_PATTERNS,
    Board,
    Cell,
    Color,
    Die,
    PublicObjective,
    WindowPattern,
    cell_name,
)
from scoring.lookup import window_called
from vision.reading import Reading
from webapp.companion.errors import ConflictError, InputError
from webapp.companion.games.cards import KEEP, Keep
from webapp.companion.listed import not_as_listed
from webapp.companion.record import Choices, Earlier, Record

MOST_FAVOR = 6
MOST_PUBLIC = 3
ALL_NAMES = tuple(cell_name(cell) for cell in ALL_CELLS)


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
        The color of the private objective, None to take it back.
    window
        The English name of the window card, ``"auto"`` or ``"unknown"``; None to leave it.
    favor_tokens
        The favor tokens left, None to leave them.

    Raises
    ------
    InputError
        There are more public objectives than lie on a table, or tokens than a player can have.
    """

    public: Collection[PublicObjective] | None = None
    private: Color | Keep | None = KEEP
    window: str | None = None
    favor_tokens: int | None = None

    def __post_init__(self) -> None:
        if self.public is not None and len(set(self.public)) > MOST_PUBLIC:
            raise InputError("too_many_objectives")
        if self.favor_tokens is not None and not 0 <= self.favor_tokens <= MOST_FAVOR:
            raise InputError("bad_request")


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
    """
    change, dice = board or BoardChange(), record.board
    fields: dict[str, Any] = {}
    for cell, die in change.cells.items():
        if dice[cell] != die:
            fields[cell_name(cell)] = die
            dice = dice.replace(*cell, die)
    picked = _choices(record.choices, choices or ChoicesChange(), known)
    fields |= {name: value for name, value in vars(picked).items() if value != getattr(record.choices, name)}
    if any(record.changed.get(name, 0) > revision for name in fields):
        raise ConflictError("conflict")
    seen = {cell_name(cell) for cell in (*change.checked, *change.cells)}.union(record.checked)
    seen -= {cell_name(cell) for cell in change.unchecked}
    return replace(
        record,
        board=dice,
        choices=picked,
        checked=tuple(sorted(seen)),
        changed={**record.changed, **dict.fromkeys(fields, record.revision + 1)},
        for_card=False,  # somebody plays on it
    )


def turn(record: Record, revision: int) -> Record:
    """Return ``record`` shown the other way up."""
    same_dice(record, revision)
    opposite = dict(zip(ALL_NAMES, reversed(ALL_NAMES), strict=True))
    return replace(
        record,
        board=record.board.rotated_180(),
        turned=not record.turned,
        checked=tuple(sorted(opposite[name] for name in record.checked)),
        changed={**record.changed, **dict.fromkeys(ALL_NAMES, record.revision + 1)},
    )


def same_dice(record: Record, revision: int) -> None:
    """Raise `ConflictError` when a die was changed after ``revision``."""
    if any(record.changed.get(name, 0) > revision for name in ALL_NAMES):
        raise ConflictError("conflict")


def read_again(record: Record, revision: int | None, reading: Reading) -> Record:
    """Return ``record`` with a new reading of its photo; the old one is kept for undoing."""
    if revision is not None:
        same_dice(record, revision)
    earlier = None
    if record.reading is not None:
        earlier = Earlier(record.board, record.reading, record.turned, record.checked)
    # Every cell is new now: a change from a tab that still shows the old ones must not slip in.
    changed = {**record.changed, **dict.fromkeys(ALL_NAMES, record.revision + 1)}
    return replace(
        record,
        board=reading.board,
        reading=reading,
        failure=None,
        turned=False,
        checked=(),
        changed=changed,
        earlier=earlier,
    )


def before_corners(record: Record, revision: int) -> Record:
    """Return ``record`` as it was before its photo was read again with corners set by hand."""
    same_dice(record, revision)
    if record.earlier is None:
        raise InputError("bad_request")
    changed = {**record.changed, **dict.fromkeys(ALL_NAMES, record.revision + 1)}
    return replace(record, changed=changed, earlier=None, **vars(record.earlier))


def different(record: Record, board: Board) -> BoardChange:
    """Return how a whole board differs from what lies there; only such cells count as looked at."""
    now = record.board
    return BoardChange({cell: board[cell] for cell in ALL_CELLS if board[cell] != now[cell]})


def by_hand(record: Record) -> Record:
    """Return a record whose photo could not be read, ready for dice entered by hand."""
    return replace(record, failure=None, for_card=False)


def _choices(before: Choices, change: ChoicesChange, known: Mapping[str, WindowPattern]) -> Choices:
    """Return ``before`` with what changes."""
    after = before
    if change.public is not None:
        after = replace(after, public=tuple(dict.fromkeys(change.public)))
    if not isinstance(change.private, Keep):
        after = replace(after, private=change.private)
    if change.window is not None:
        after = replace(after, window=_window(change.window, before.window, known))
    if change.favor_tokens is not None:
        after = replace(after, favor_tokens=change.favor_tokens)
    return after


def _window(name: str, before: str, known: Mapping[str, WindowPattern]) -> str:
    """Return the name of the card that was chosen, or raise a `ScoringError`."""
    # A window that is no longer known stays chosen until people choose another one.
    if name not in {"auto", "unknown", before}:
        found = window_called(name, known).name
        if found != name:
            raise not_as_listed(name, found)
    return name
