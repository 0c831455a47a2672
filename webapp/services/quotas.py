"""How much one device may add in a day, and how much there may be in all."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

DAY_S = 24 * 3600.0


class Kind(StrEnum):
    """What devices add."""

    WINDOW_READ = "reading"
    TABLE = "table"
    GAME = "game"
    PLAYER = "player"
    WINDOW = "window"
    DICE = "dice"


A_DAY: Mapping[Kind, int] = {
    Kind.WINDOW_READ: 300,
    Kind.TABLE: 100,
    Kind.GAME: 40,
    Kind.PLAYER: 60,
    Kind.WINDOW: 200,
    Kind.DICE: 60,
}
"""Several times what a long evening at a club needs."""

MOST_WINDOWS = 300
MOST_DICE = 60
MOST_PLAYERS = 500
MOST_READINGS = 5000
"""How much there is in all, so that each page stays quick. Of readings
the oldest that belong to no game go first."""
