"""Moving a seat to another device: the host hands out a link that works once.

The device that had the seat loses it, and its window gets another id. A lost phone then opens nothing any
more, and a host who takes a player's seat cannot do so unseen: as long as the game is kept, the player's
device says that the seat moved, also after the reveal and when the player was taken out, and everybody else
sees a mark at the seat as long as it is there.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime

from sqlalchemy.orm import Session

from webapp.companion.errors import InputError
from webapp.companion.games import codes
from webapp.companion.games.game import Game, Seat, with_seat
from webapp.companion.games.moving import LIFETIME, invited, moved
from webapp.companion.record import Record
from webapp.store.database import Database
from webapp.store.games import GameStore
from webapp.store.readings import Store
from webapp.store.tables import SeatRow


@dataclass(frozen=True)
class Invitation:
    """A link for a seat: the secret that is in it, shown this once, and until when it holds."""

    seat: Seat
    secret: str
    expires: datetime


class SeatMoves:
    """The seats of one database, as far as they move."""

    def __init__(self, database: Database, readings: Store, games: GameStore) -> None:
        self._database = database
        self._readings = readings
        self._games = games

    def invite(self, code: str, number: int) -> Invitation:
        """Make a link for a seat."""
        secret, now = codes.new_token(), datetime.now(UTC)

        def note(game: Game, session: Session) -> Game:
            after = invited(game, number, codes.hashed(secret), now)
            _write(session, code, after.seat(number))
            return after

        with self._database.begin() as session:
            seat = self._games.update_within(session, code, note).seat(number)
        return Invitation(seat, secret, now + LIFETIME)

    def take(self, code: str, secret: str, device: Collection[str]) -> tuple[Game, str | None]:
        """Return the game after a device opened a link, and the device's new token when the seat moved."""
        if not codes.TOKEN_PATTERN.fullmatch(secret):
            raise InputError("link_used_up")
        token, now = codes.new_token(), datetime.now(UTC)
        new = codes.hashed(token)

        def move(game: Game, session: Session) -> Game:
            after = moved(game, codes.hashed(secret), now, token=new, device=device)
            for seat in after.seats:
                if seat.token == new:
                    window = self._under_another_id(session, seat.record_id)
                    there = replace(seat, record_id=window.id)
                    _write(session, code, there)
                    session.flush()
                    self._readings.delete(seat.record_id, session=session)
                    return with_seat(after, there)
            return after

        with self._database.begin() as session:
            after = self._games.update_within(session, code, move)
        return after, token if any(seat.token == new for seat in after.seats) else None

    def _under_another_id(self, session: Session, record_id: str) -> Record:
        """Return a copy of a window with its photos."""
        old = self._readings.load(
            record_id, session=session, lock=True
        )  # a correction of just now moves along
        folder = self._readings.folder(record_id)
        files = {one.name: one.read_bytes() for one in folder.iterdir()} if folder.is_dir() else {}
        kept = {one.name: getattr(old, one.name) for one in fields(Record)}
        del kept["id"], kept["created"]
        return self._readings.create(files, session=session, **kept)


def _write(session: Session, code: str, seat: Seat) -> None:
    """Write what moves with a seat."""
    row = session.get_one(SeatRow, (code, seat.number))
    row.token, row.record_id, row.former = seat.token, seat.record_id, list(seat.former)
    row.link, row.link_expires = (seat.link.secret, seat.link.expires) if seat.link else (None, None)
