"""The players who are remembered, with their small pictures, and which device added what all games share."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from hashlib import sha256

from sqlalchemy import delete, exc, select, update
from sqlalchemy.orm import Session

from scoring import Color
from webapp.domain.errors import NotFoundError
from webapp.domain.games.game import Player, player_id
from webapp.domain.quotas import MOST_PLAYERS, Kind
from webapp.storage.database import Database, OwnerRow, PlayerRow


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
            session.execute(delete(PlayerRow).where(PlayerRow.id == player_id(name)))
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
        """Return the picture of the player with this id, as JPEG, or raise `NotFoundError`."""
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


class Owners:
    """The owners in one database; a device is known by the SHA-256 of its token."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, kind: Kind, names: Iterable[str], owner: str) -> None:
        """Note that a device added these things."""
        with self._database.begin() as session:
            for name in names:
                session.merge(OwnerRow(kind=kind, name=name, owner=owner))

    def is_owner(self, kind: Kind, name: str, owner: str) -> bool:
        """Tell whether a device added a thing."""
        with self._database.read() as session:
            row = session.get(OwnerRow, (kind.value, name))
            return row is not None and row.owner == owner

    def rename(self, kind: Kind, old: str, new: str) -> None:
        """Let the owner of a thing stay known under its new name."""
        if old == new:
            return
        with self._database.begin() as session:
            session.execute(delete(OwnerRow).where(OwnerRow.kind == kind, OwnerRow.name == new))
            renamed = update(OwnerRow).where(OwnerRow.kind == kind, OwnerRow.name == old)
            session.execute(renamed.values(name=new))
