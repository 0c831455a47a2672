"""What people may change on a record, checked and merged.

A change names the revision it was made on. It is merged when nobody changed the same field since,
and refused as a conflict otherwise, so that two tabs never lose each other's work silently.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from scoring import ALL_CELLS, Board, Die, cell_from_name, cell_name
from scoring.lookup import color_called, objective_called, window_called
from webapp import api_input, context
from webapp.errors import ConflictError, InputError, in_words_of_the_rules
from webapp.storage import Choices, Earlier, Record

MOST_FAVOR = 6
MOST_PUBLIC = 3
ALL_NAMES = tuple(cell_name(cell) for cell in ALL_CELLS)


def apply(
    record: Record,
    revision: int,
    *,
    cells: Mapping[str, Any],
    checked: Iterable[Any],
    choices: Mapping[str, Any],
    unchecked: Iterable[Any] = (),
) -> Record:
    """Return ``record`` with the changes made.

    Parameters
    ----------
    record
        The newest state.
    revision
        The revision that the person who made the change was looking at.
    cells
        From cell names to dice in board notation, ``"--"`` for empty.
    checked
        Names of cells that somebody looked at and found right.
    unchecked
        Names of cells whose doubt comes back, because a change to them is undone.
    choices
        Any of ``public``, ``private``, ``window``, ``favor``.

    Raises
    ------
    ConflictError
        One of the fields was changed to something else after ``revision``.
    InputError
        A cell, die or choice does not exist.
    """
    board = Board.parse(record.board)
    fields: dict[str, Any] = {}
    for name, text in cells.items():
        (row, column), die = _cell(name), _die(text)
        if board[row, column] != die:
            fields[cell_name((row, column))] = die
            board = board.replace(row, column, die)
    picked = _choices(record.choices, choices)
    fields |= {name: value for name, value in vars(picked).items() if value != getattr(record.choices, name)}
    if any(record.changed.get(name, 0) > revision for name in fields):
        raise ConflictError("conflict")
    seen = {cell_name(_cell(name)) for name in (*checked, *cells)}.union(record.checked)
    seen -= {cell_name(_cell(name)) for name in unchecked}
    return replace(
        record,
        board=str(board),
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
        board=str(Board.parse(record.board).rotated_180()),
        turned=not record.turned,
        checked=tuple(sorted(opposite[name] for name in record.checked)),
        changed={**record.changed, **dict.fromkeys(ALL_NAMES, record.revision + 1)},
    )


def same_dice(record: Record, revision: int) -> None:
    """Raise `ConflictError` when a die was changed after ``revision``."""
    if any(record.changed.get(name, 0) > revision for name in ALL_NAMES):
        raise ConflictError("conflict")


def read_again(record: Record, revision: int | None, **fields: Any) -> Record:  # noqa: ANN401
    """Return ``record`` with the fields of a new reading of its photo; the old one is kept for undoing."""
    if revision is not None:
        same_dice(record, revision)
    earlier = None
    if record.reading is not None:
        earlier = Earlier(record.board, record.reading, record.turned, record.checked)
    # Every cell is new now: a change from a tab that still shows the old ones must not slip in.
    changed = {**record.changed, **dict.fromkeys(ALL_NAMES, record.revision + 1)}
    return replace(record, failure=None, turned=False, checked=(), changed=changed, earlier=earlier, **fields)


def before_corners(record: Record, revision: int) -> Record:
    """Return ``record`` as it was before its photo was read again with corners set by hand."""
    same_dice(record, revision)
    if record.earlier is None:
        raise InputError("bad_request")
    changed = {**record.changed, **dict.fromkeys(ALL_NAMES, record.revision + 1)}
    return replace(record, changed=changed, earlier=None, **vars(record.earlier))


def whole_board(text: str) -> dict[str, str]:
    """Return the cells of a board typed as text, for `apply`."""
    with in_words_of_the_rules("bad_board"):
        board = Board.parse(text)
    return {cell_name(cell): str(die) if (die := board[cell]) else "--" for cell in ALL_CELLS}


def different(record: Record, cells: Mapping[str, str]) -> dict[str, str]:
    """Return those of the cells that are not already so; only they count as looked at."""
    now = whole_board(record.board)
    return {name: die for name, die in cells.items() if now[name] != die}


def by_hand(record: Record) -> Record:
    """Return a record whose photo could not be read, ready for dice entered by hand."""
    return replace(record, failure=None, for_card=False)


def corners(told: object) -> list[tuple[float, float]]:
    """Return four corner points from JSON, or raise `InputError`."""
    try:
        points = [(float(x), float(y)) for x, y in told]  # type: ignore[attr-defined]
    except (TypeError, ValueError) as error:
        raise InputError("bad_request") from error
    # NaN and infinity are valid in Python's JSON and would poison the geometry.
    if len(points) != 4 or not all(abs(number) < 1e6 for point in points for number in point):
        raise InputError("bad_request")
    return points


def _cell(name: object) -> tuple[int, int]:
    with in_words_of_the_rules():
        return cell_from_name(str(name))


def _die(text: object) -> Die | None:
    if text is None or text == "--":
        return None
    with in_words_of_the_rules():
        return Die.parse(str(text))


def _public(told: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the public objectives that were told, each once, or raise `InputError`."""
    with in_words_of_the_rules():
        names = dict.fromkeys(api_input.names(told, "public"))
        for name in names:
            api_input.as_listed(name, objective_called)
    if len(names) > MOST_PUBLIC:
        raise InputError("too_many_objectives")
    return tuple(names)


def _private(told: Mapping[str, Any]) -> str | None:
    """Return the letter of the color that was told, None for none, or raise `InputError`."""
    if not told["private"]:
        return None
    with in_words_of_the_rules():
        return api_input.as_listed(api_input.text(told, "private"), color_called).value


def _window(told: Mapping[str, Any], before: str) -> str:
    """Return the card that was told, or raise `InputError`."""
    with in_words_of_the_rules():
        name = api_input.text(told, "window")
        # A window that is no longer known stays chosen until people choose another one.
        if name in ("auto", "unknown", before):
            return name
        found = window_called(name, context.known_windows()).name
        if found != name:
            raise api_input.not_as_listed(name)
        return name


def _choices(before: Choices, told: Mapping[str, Any]) -> Choices:
    """Return ``before`` with what ``told`` says, or raise `InputError`."""
    after = before
    if "public" in told:
        after = replace(after, public=_public(told))
    if "private" in told:
        after = replace(after, private=_private(told))
    if "window" in told:
        after = replace(after, window=_window(told, before.window))
    if "favor" in told:
        with in_words_of_the_rules():
            after = replace(after, favor=api_input.whole(told, "favor", 0, MOST_FAVOR))
    return after
