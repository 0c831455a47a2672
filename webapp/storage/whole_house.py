"""What the database holds in all: for the administrator, who has no part in most of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select

from webapp.services.quotas import Kind
from webapp.storage.database import Database
from webapp.storage.tables import GameRow, PlayerRow, ReadingRow, SeatRow, TablePhotoRow

GAMES_A_PAGE = 20
ROWS = {
    Kind.WINDOW_READ: ReadingRow,
    Kind.TABLE: TablePhotoRow,
    Kind.GAME: GameRow,
    Kind.PLAYER: PlayerRow,
}


@dataclass(frozen=True)
class KnownGame:
    """A game as its list names it: its code, when it began and was revealed, and who plays."""

    code: str
    created: datetime
    revealed: datetime | None
    players: tuple[str, ...]


def totals(database: Database) -> dict[Kind, int]:
    """Return how much there is of each kind that is in the database."""
    with database.read() as session:
        return {
            kind: session.scalar(select(func.count()).select_from(row)) or 0 for kind, row in ROWS.items()
        }


def games(database: Database, page: int) -> Sequence[KnownGame]:
    """Return a page of all games, from 1, the newest first."""
    wanted = select(GameRow.code, GameRow.created, GameRow.revealed).order_by(
        GameRow.created.desc(), GameRow.code
    )
    with database.read() as session:
        found = session.execute(wanted.offset(GAMES_A_PAGE * (page - 1)).limit(GAMES_A_PAGE)).all()
        seats = session.execute(
            select(SeatRow.game, SeatRow.name)
            .where(SeatRow.game.in_([row[0] for row in found]))
            .order_by(SeatRow.place)
        ).all()
    return [
        KnownGame(code, created, revealed, tuple(name for game, name in seats if game == code))
        for code, created, revealed in found
    ]
