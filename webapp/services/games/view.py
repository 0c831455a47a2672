"""What a visitor may see of a game. Before the reveal that is never another player's window or secret."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from enum import Enum

from scoring import Board
from webapp.services.games.game import Game, Gone, Seat
from webapp.services.record import Record
from webapp.services.sameness import is_same_window


class WindowState(Enum):
    """What has become of a player's window. It tells nothing of the dice."""

    NONE = "none"
    READING = "reading"
    UNREAD = "unread"
    DOUBTFUL = "doubtful"
    DONE = "done"


@dataclass(frozen=True)
class Status:
    """How far a player's window is.

    Parameters
    ----------
    window
        What has become of it.
    doubts
        The spaces that somebody should look at.
    same
        Whether another player shows the same window.
    same_later
        Whether this player came with it after the other one.
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
