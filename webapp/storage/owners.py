"""How much the database holds in all, and which device added what all games share."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import delete, func, select, update

from webapp.domain.quotas import Kind
from webapp.storage.database import Database, GameRow, OwnerRow, PlayerRow, ReadingRow, TablePhotoRow


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


ROWS = {
    Kind.WINDOW_READ: ReadingRow,
    Kind.TABLE: TablePhotoRow,
    Kind.GAME: GameRow,
    Kind.PLAYER: PlayerRow,
}


def totals(database: Database) -> dict[Kind, int]:
    """Return how much there is of each kind that is in the database."""
    with database.read() as session:
        return {
            kind: session.scalar(select(func.count()).select_from(row)) or 0 for kind, row in ROWS.items()
        }
