"""Whether a name leads to this computer: the names that routers give to computers, under endings that exist.

A name under an ending that the world outside does not have (`webapp.server.addresses.LOCAL_ENDINGS`) needs no
look-up: nobody out there can have it. The names here may exist there, too. That one of them leads here proves
little, as in DNS rebinding the name of a stranger does, so it must besides be one that no stranger can have:

- one below the ending of a maker of routers, who alone has it in the world outside. ``fritz.box`` was a
  stranger's from January 2024 until AVM was awarded it in April (WIPO D2024-0706); ``mshome.net`` is what
  Windows calls a network that it shares, ``attlocal.net`` and ``speedport.ip`` are what routers of AT&T and
  of Telekom call theirs.
- the full name of this computer, as its own network tells it.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress

from webapp.server.addresses import is_own

MAKERS_ENDINGS = (".fritz.box", ".mshome.net", ".attlocal.net", ".speedport.ip")
PATIENCE_S = 2.0  # a router answers in a few thousandths; who waits keeps a thread of the server
FRESH_S = 60.0
MOST_NAMES = 50
AT_A_TIME = 2


def resolved(name: str) -> Iterable[str]:
    """Return the addresses that a name leads to."""
    return [str(found[4][0]) for found in socket.getaddrinfo(name, None, type=socket.SOCK_STREAM)]


class Names:
    """Tells which names lead here. What was looked up counts for a minute; few are looked up at a time."""

    def __init__(
        self,
        *,
        resolve: Callable[[str], Iterable[str]] | None = None,
        full_name: Callable[[], str] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._resolve, self._full_name, self._clock = resolve or resolved, full_name or socket.getfqdn, clock
        self._known: dict[str, tuple[bool, float]] = {}
        self._places = threading.BoundedSemaphore(AT_A_TIME)

    def lead_here(self, name: str) -> bool:
        """Tell whether a name, in small letters, leads to this computer and cannot be a stranger's."""
        own = name.partition(".")[0] == socket.gethostname().partition(".")[0].lower()
        if not own and not name.endswith(MAKERS_ENDINGS):
            return False
        fresh = self._clock() < self._known.get(name, (False, 0.0))[1]
        if not fresh and self._places.acquire(blocking=False):
            # A thread of its own, as nothing can end a look-up that hangs.
            worker = threading.Thread(target=self._look_up, args=(name,), daemon=True)
            worker.start()
            worker.join(PATIENCE_S)
        return self._known.get(name, (False, 0.0))[0]

    def _look_up(self, name: str) -> None:
        leads = False
        try:
            with suppress(OSError, UnicodeError):  # there is no such name
                ours = name.endswith(MAKERS_ENDINGS) or self._full_name().lower().rstrip(".") == name
                leads = ours and any(map(is_own, self._resolve(name)))
            if len(self._known) >= MOST_NAMES:
                self._known.clear()
            self._known[name] = leads, self._clock() + FRESH_S
        finally:
            self._places.release()
