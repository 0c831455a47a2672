"""The players who are remembered, in the database; their pictures are small and lie there too."""

from __future__ import annotations

from datetime import UTC, datetime
from hashlib import sha256

from sqlalchemy import delete, exc, select
from sqlalchemy.orm import Session

from scoring import Color
from webapp.domain.errors import NotFoundError
from webapp.domain.players import Player, player_id
from webapp.domain.quotas import MOST_PLAYERS
from webapp.storage.database import Database, PlayerRow


class PlayerStore:
    """The players of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def remember(self, name: str) -> None:
        """Keep the name as typed, as that of the player seen last; of too many the one seen first goes."""
        with self._database.begin() as session:
            row = _row_of(session, name)
            row.name, row.seen = name, datetime.now(UTC)
            session.flush()
            ages = select(PlayerRow.id).order_by(PlayerRow.seen.desc()).offset(MOST_PLAYERS)
            session.execute(delete(PlayerRow).where(PlayerRow.id.in_(ages.scalar_subquery())))

    def put_color(self, name: str, color: Color | None) -> None:
        """Keep the player's color; None takes it back."""
        with self._database.begin() as session:
            _row_of(session, name).color = color.value if color else None

    def put_picture(self, name: str, jpeg: bytes | None) -> None:
        """Keep the player's picture; None takes it away."""
        with self._database.begin() as session:
            row = _row_of(session, name)
            row.picture = jpeg
            row.picture_mark = sha256(jpeg).hexdigest() if jpeg else None
        if jpeg is None:
            self._database.forget()

    def forget(self, name: str) -> None:
        """Remove everything that is remembered of a player; the games stay as they are."""
        self._database.make_room()
        with self._database.begin() as session:
            row = session.get(PlayerRow, player_id(name))
            if row is not None:
                session.delete(row)
        self._database.forget()

    def all(self) -> list[Player]:
        """Return all players, the one seen last first."""
        newest = select(PlayerRow).order_by(PlayerRow.seen.desc(), PlayerRow.id)
        with self._database.read() as session:
            return [
                Player(row.name, Color(row.color) if row.color else None, row.picture_mark)
                for row in session.scalars(newest)
            ]

    def picture(self, of: str) -> bytes:
        """Return the picture of the player with this id, as JPEG.

        Raises
        ------
        NotFoundError
            Nobody has this id, or there is no picture.
        """
        with self._database.read() as session:
            found = session.scalar(select(PlayerRow.picture).where(PlayerRow.id == of))
        if found is None:
            raise NotFoundError("not_found")
        return found


def _row_of(session: Session, name: str) -> PlayerRow:
    """Return the row of a player, locked; a new one where there is none yet."""
    key = player_id(name)
    found = session.get(PlayerRow, key, with_for_update=True)
    if found is not None:
        return found
    made = PlayerRow(id=key, name=name, seen=datetime.now(UTC))
    try:
        with session.begin_nested():
            session.add(made)
    except exc.IntegrityError:  # somebody of that name sat down at the same moment
        return session.get_one(PlayerRow, key, with_for_update=True)
    return made
