"""What devices of the network do for all to see: it is written down, bounded, and can be undone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

DAY = timedelta(days=1)
REMEMBERED = timedelta(days=30)
"""For so long it is known which address did something."""


class Kind(StrEnum):
    """What was made or changed."""

    WINDOW_READ = "reading"
    TABLE = "table"
    GAME = "game"
    PLAYER = "player"
    WINDOW = "window"
    DICE = "dice"
    CARD = "card"


class Act(StrEnum):
    """What was done to it."""

    ADDED = "added"
    CHANGED = "changed"
    DELETED = "deleted"


SHARED = frozenset({Kind.WINDOW, Kind.DICE, Kind.CARD})
"""What all games of the house use: who added it changes it, and the administrator."""

A_DAY: Mapping[Kind, int] = {
    Kind.WINDOW_READ: 300,
    Kind.TABLE: 100,
    Kind.GAME: 40,
    Kind.PLAYER: 60,
    Kind.WINDOW: 200,
    Kind.DICE: 60,
    Kind.CARD: 120,
}
"""How much one device adds in a day: several times what a long evening at a club needs."""

MOST_WINDOWS = 300
MOST_DICE = 60
MOST_PLAYERS = 500
"""How much there is in all, so that each page stays quick."""


@dataclass(frozen=True)
class Deed:
    """Something that a device did.

    Parameters
    ----------
    id
        Its number.
    done
        When.
    device
        The numeric address of the device, empty once it is forgotten.
    kind, act
        What it was.
    name
        What it was done to: the id of a reading or a photo, the code of a game, else a name.
    before
        A window as it was, in the form of a file with windows.
    """

    id: int
    done: datetime
    device: str
    kind: Kind
    act: Act
    name: str
    before: str | None = None


@dataclass(frozen=True)
class Device:
    """What one address did: how much, when last, and the names of who sat down there."""

    address: str
    deeds: int
    last: datetime
    players: tuple[str, ...] = ()
