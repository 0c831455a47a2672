"""What a visitor may see of a game. Before the reveal that is never another player's window or secret."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import Enum
from typing import Any

from scoring import Board
from webapp.services.games.cards import cost_of, is_used_up, missing_objectives, setup_of, tokens_on
from webapp.services.games.dealing import dealt_to
from webapp.services.games.game import Game, Gone, Seat
from webapp.services.games.rounds import turns_of
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


def public_view(game: Game, viewer: Viewer, statuses: Mapping[int, Status] | None = None) -> dict[str, Any]:
    """Return the state of a game as plain data for one visitor.

    Parameters
    ----------
    game
        The game.
    viewer
        Who looks; the ids of windows are for their own players only, also after the reveal.
    statuses
        How far the windows are, by the number of the seat.
    """
    known = statuses or {}
    return {
        "code": game.code,
        "revision": game.revision,
        "stage": game.stage.value,
        "solo": game.solo,
        "host": viewer.is_host,
        "open": not game.closed,
        "order_known": game.order_known,
        "players": [
            {
                "seat": seat.number,
                "name": seat.name,
                "ready": seat.ready,
                "moved": bool(seat.former),
                "window": known.get(seat.number, Status()).window.value,
                "doubts": known.get(seat.number, Status()).doubts,
                "own": seat.number in viewer.seats,
                "same_window": _same_window(seat, viewer, known.get(seat.number, Status())),
                **(
                    {"reading": seat.record_id, "dealt": list(dealt_to(game, seat.number).windows)}
                    if seat.number in viewer.seats
                    else {}
                ),
            }
            for seat in game.seats
        ],
        "round": round_view(game),
        "timer": game.timer,
        "public": [card.value for card in game.public],
        "missing_objectives": missing_objectives(game),
        "tools": [
            {
                "name": tool.value,
                "tokens": tokens_on(game, tool),
                "cost": cost_of(game, tool),
                "used_up": is_used_up(game, tool),
            }
            for tool in game.tools
        ],
        "house_rules": [rule.value for rule in game.house_rules],
        "target": game.target,
        # The code lets strangers sit down at the next table, and the history shows them this game.
        "next": None if viewer.is_stranger else game.next,
        "second_private": _second_private(game, viewer),
    }


def round_view(game: Game) -> dict[str, Any] | None:
    """Return how far the rounds are, None when nobody follows them here; everybody may see that."""
    play = game.play
    if play is None:
        return None
    return {
        "number": play.number,
        "dice": setup_of(game).dice_per_round,
        "turns": [turn.seat for turn in turns_of(play, [seat.number for seat in game.seats])],
        "seat": play.turn.seat,
        "second_turn": play.turn.second,
        "tools": [
            {"tool": use.tool.value, "seat": use.seat, "tokens": use.tokens}
            for use in game.uses
            if use.round == play.number
        ],
        "began": datetime.fromtimestamp(play.began, UTC).isoformat(timespec="seconds"),
        "step": play.step,
        "over": play.over,
    }


def _same_window(seat: Seat, viewer: Viewer, status: Status) -> bool:
    """Tell whether the visitor hears that two players show one window: the host, or who came with it."""
    return (viewer.is_host and status.same) or (seat.number in viewer.seats and status.same_later)


def _second_private(game: Game, viewer: Viewer) -> str | None:
    """Return the second private objective of a solo game; it lies open, but only on its own table."""
    if game.second_private is None or (viewer.is_stranger and not game.is_revealed):
        return None
    return str(game.second_private.value)
