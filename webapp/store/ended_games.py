"""The revealed games of a database, each worked out once for as long as nothing in it changes.

What a game adds up to takes milliseconds, and everybody who looks at the games so far asks for all of them.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import TypeAlias

from sqlalchemy import select
from sqlalchemy.orm import Session

from scoring import WindowPattern
from webapp.companion.history import Play, play
from webapp.store.database import Database
from webapp.store.games import GameStore
from webapp.store.tables import GameRow, ReadingRow, SeatRow

Version: TypeAlias = tuple[object, ...]
"""Equal as long as a game, its windows and the moment of its reveal are the same."""


class EndedGames:
    """What became of the games in ``games``, which lie in ``database``."""

    def __init__(self, database: Database, games: GameStore) -> None:
        self._database = database
        self._games = games
        self._lock = threading.Lock()  # what several ask for is worked out by the first
        self._known: Mapping[str, WindowPattern] = {}
        self._plays: dict[str, tuple[Version, Play | None]] = {}

    def plays(self, known: Mapping[str, WindowPattern]) -> list[Play]:
        """Return the revealed games, newest first, all of one moment; ``known`` are the cards of this house.

        A game that cannot be understood is left out.
        """
        with self._lock, self._database.read() as session:
            held = self._plays if known == self._known else {}
            now: dict[str, tuple[Version, Play | None]] = {}
            for code, version in _versions(session).items():
                before = held.get(code)
                if before is None or before[0] != version:
                    ended = self._games.ended(code, session=session)
                    before = version, play(ended, known) if ended else None
                now[code] = before
            self._known, self._plays = known, now
        return [found for _, found in now.values() if found is not None]


def _versions(session: Session) -> dict[str, Version]:
    """Return the version of each revealed game by its code, the newest first."""
    rows = session.execute(
        select(GameRow.code, GameRow.revealed, GameRow.revision, ReadingRow.id, ReadingRow.revision)
        .outerjoin(SeatRow, SeatRow.game == GameRow.code)
        .outerjoin(ReadingRow, ReadingRow.id == SeatRow.record_id)
        .where(GameRow.revealed.is_not(None))
        .order_by(GameRow.revealed.desc(), GameRow.code, SeatRow.place)
    )
    versions: dict[str, Version] = {}
    for code, *parts in rows:
        versions[code] = (*versions.get(code, ()), *parts)
    return versions
