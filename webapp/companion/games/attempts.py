"""How often somebody may name a code that no game has."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable

MOST = 10
MOST_OF_ALL = 300  # also from many addresses, guessing one of 85 million codes takes months
WITHIN_S = 60.0


class Attempts:
    """Counts wrong codes by the address of the visitor, in this process.

    Parameters
    ----------
    clock
        What tells the time in seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._wrong: deque[tuple[float, str]] = deque()

    def are_too_many(self, visitor: str) -> bool:
        """Tell whether the visitor has to wait."""
        with self._lock:
            self._forget()
            if len(self._wrong) >= MOST_OF_ALL:
                return True
            return sum(1 for _, who in self._wrong if who == visitor) >= MOST

    def note(self, visitor: str) -> None:
        """Count a wrong code."""
        with self._lock:
            self._forget()
            self._wrong.append((self._clock(), visitor))

    def _forget(self) -> None:
        while self._wrong and self._clock() - self._wrong[0][0] >= WITHIN_S:
            self._wrong.popleft()
