"""Games as the store hands them out."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from webapp.companion.games.game import Game
from webapp.companion.record import Record


@dataclass(frozen=True)
class Kept:
    """A game of some device, for its list."""

    game: Game
    created: datetime


@dataclass(frozen=True)
class Ended:
    """A revealed game with the windows of its players, by the number of the seat."""

    game: Game
    windows: dict[int, Record]
    created: datetime
    revealed: datetime
