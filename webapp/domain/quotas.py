"""How much one device may add in a day, how often it may guess, and how much there may be in all."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
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

BEHIND_A_PROXY = 20
"""So many devices an address of this computer counts as, and a home network with IPv6."""

MOST_WINDOWS = 300
MOST_DICE = 60
MOST_PLAYERS = 500
MOST_READINGS = 5000
"""How much there is in all, so that each page stays quick. Of readings
the oldest that belong to no game go first."""

MOST_WRONG = 10
FEW_WRONG = 2
MANY_WRONG_OF_ALL = 3000
WITHIN_S = 60.0


class Attempts:
    """Counts wrong codes by the device of the visitor, in this process.

    Nobody waits for what others guessed: whoever knows a code comes in. Guessing one of 85 million codes from
    all 254 addresses of a home network takes about twelve days. When more guess than a home network has
    devices, each of them gets fewer tries. ``clock`` tells the time in seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._all: deque[tuple[float, str]] = deque()
        self._each: dict[str, deque[float]] = {}

    def wait_s(self, visitor: str) -> float:
        """Return for how many seconds the visitor has to wait."""
        with self._lock:
            self._forget()
            own = self._each.get(visitor, ())
            most = MOST_WRONG if len(self._all) < MANY_WRONG_OF_ALL else FEW_WRONG
            # So many of the newest would be just too many: the oldest of them has to be forgotten first.
            return own[-most] + WITHIN_S - self._clock() if len(own) >= most else 0.0

    def note(self, visitor: str) -> None:
        """Count a wrong code."""
        with self._lock:
            self._forget()
            now = self._clock()
            self._all.append((now, visitor))
            self._each.setdefault(visitor, deque()).append(now)

    def _forget(self) -> None:
        while self._all and self._clock() - self._all[0][0] >= WITHIN_S:
            _, visitor = self._all.popleft()
            own = self._each[visitor]
            own.popleft()
            if not own:
                del self._each[visitor]


class Quotas:
    """Counts what each device added in the last 24 hours, in this process."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._added: dict[tuple[str, Kind], deque[float]] = {}

    def add(self, place: str, kind: Kind, number: int = 1, devices: int = 1) -> float:
        """Count ``number`` more and return 0, or the seconds to wait where so many ``devices`` may not."""
        now, most = self._clock(), A_DAY[kind] * devices
        with self._lock:
            self._forget(now)
            added = self._added.setdefault((place, kind), deque())
            if added and (over := len(added) + number - most) > 0:
                return added[min(over, len(added)) - 1] + DAY_S - now
            added.extend([now] * min(number, most))
        return 0.0

    def _forget(self, now: float) -> None:
        for added in self._added.values():
            while added and now - added[0] >= DAY_S:
                added.popleft()
        self._added = {key: added for key, added in self._added.items() if added}
