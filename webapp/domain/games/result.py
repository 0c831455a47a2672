"""How a game ended, and what a visitor may see of it before: never another player's window or secret."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum

from scoring import Board, WindowPattern
from scoring.game.setup import TurnOrder, favor_tokens_at_start
from webapp.domain.games.game import Game, Gone, Seat
from webapp.domain.judging import Case
from webapp.domain.outcome import Entrant, Outcome, is_same_window, outcome_of
from webapp.domain.record import Record, card_of


@dataclass(frozen=True)
class Ended:
    """A revealed game with the windows of its players, by the number of the seat."""

    game: Game
    windows: dict[int, Record]
    created: datetime
    revealed: datetime


def tokens_left(record: Record, game: Game | None, card: WindowPattern | None) -> int:
    """Return the favor tokens that a player has left.

    Until somebody tells another number they are those in the photo, at most as many as came with the card.
    At a table with tools, or where none is seen, they are what came with the card less what the player's
    tools cost. Away from a table nobody knows what was spent, so none count.
    """
    told = record.choices.favor_tokens
    if told is None and record.tokens and (game is None or not game.tools):
        return min(record.tokens, (card and card.difficulty) or record.tokens)
    if told is not None or game is None or card is None:
        return told or 0
    seat = next((one.number for one in game.seats if one.record_id == record.id), None)
    paid = sum(use.tokens for use in game.uses if use.seat == seat)
    return max(0, (favor_tokens_at_start(card, solo=game.solo) or 0) - paid)


def case_of(record: Record, game: Game | None, known: Mapping[str, WindowPattern]) -> Case:
    """Return a window with all that bears on it; the table says so for the window of a seat."""
    choices, card = record.choices, card_of(record, known)
    second = game.second_private if game and game.solo else None
    privates = tuple(dict.fromkeys(one for one in (choices.private, second) if one))
    # As long as nobody told what is left, tools may have been used that nobody noted.
    spent = card.difficulty if card and choices.favor_tokens is None else None
    case = Case(
        record.board,
        card,
        public=choices.public,
        privates=privates,
        tools=choices.tools,
        other_points=choices.other_points,
    )
    if game is None:
        left = tokens_left(record, None, card)
        return replace(case, favor_tokens=left, spent=spent if choices.tools else None)
    seat = next((one.number for one in game.seats if one.record_id == record.id), None)
    return replace(
        case,
        favor_tokens=None if game.solo else tokens_left(record, game, card),
        other_points=choices.other_points if game.other_card else None,
        spent=None if game.solo else spent,
        tools=game.tools or (() if game.solo else choices.tools),
        house_rules=game.house_rules,
        uses=[(use.tool, use.tokens) for use in game.uses if use.seat == seat],
        solo=game.solo,
        target=game.target,
    )


def result(game: Game, windows: Mapping[int, Record], known: Mapping[str, WindowPattern]) -> Outcome:
    """Return how a game ended, as far as the windows, by the number of the seat, tell."""
    # Where each player's first turn in the last round was; nobody knows when the order is not known.
    turns = TurnOrder(tuple(seat.name for seat in game.seats)).first_turns() if game.order_known else {}
    return outcome_of(
        Entrant(
            seat.name,
            case_of(windows[seat.number], game, known),
            turns.get(seat.name),
            shot=windows[seat.number].shot,
        )
        for seat in game.seats
        if seat.number in windows
    )


class WindowState(Enum):
    """What has become of a player's window. It tells nothing of the dice."""

    NONE = "none"
    READING = "reading"
    UNREAD = "unread"
    DOUBTFUL = "doubtful"
    DONE = "done"


@dataclass(frozen=True)
class Status:
    """How far a player's window is, and how many spaces somebody should look at.

    ``same`` tells whether another player shows the same window, ``same_later`` whether this one came with it
    after the other one.
    """

    window: WindowState = WindowState.NONE
    doubts: int = 0
    same: bool = False
    same_later: bool = False


def statuses_of(windows: Mapping[int, Record]) -> dict[int, Status]:
    """Return how far the windows of a game are, by the number of the seat."""
    found = {}
    for number, record in windows.items():
        same = [
            other
            for seat, other in windows.items()
            if seat != number and is_same_window((record.board, record.shot), (other.board, other.shot))
        ]
        later = any(record.created >= other.created for other in same)
        found[number] = replace(status_of(record), same=bool(same), same_later=later)
    return found


def status_of(record: Record) -> Status:
    """Return how far a window is."""
    if record.is_being_read:
        return Status(WindowState.READING)
    if record.failure is not None:
        return Status(WindowState.UNREAD)
    if record.doubts:
        return Status(WindowState.DOUBTFUL, len(record.doubts))
    if record.reading is None and record.board == Board.empty():
        return Status(WindowState.NONE)
    return Status(WindowState.DONE)


@dataclass(frozen=True)
class Viewer:
    """Who looks at a game: the host, players, both or nobody of them."""

    is_host: bool = False
    seats: frozenset[int] = frozenset()
    lost: frozenset[int] = frozenset()
    """Seats that this device had until they moved to another one, also those that are gone since."""

    @property
    def is_stranger(self) -> bool:
        """Whether the visitor has no place at this table."""
        return not (self.is_host or self.seats)


def viewer_of(game: Game, tokens: Collection[str]) -> Viewer:
    """Return who a device is that shows these tokens (their SHA-256)."""
    own = frozenset(seat.number for seat in game.seats if seat.token in tokens)
    places: tuple[Seat | Gone, ...] = (*game.seats, *game.gone)
    had = frozenset(one.number for one in places if not set(one.former).isdisjoint(tokens))
    return Viewer(game.host in tokens, own, had - own)
