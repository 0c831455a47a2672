"""Whose turn it is: the threads are shared between devices, so that none keeps the others waiting."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from http import HTTPStatus

from webapp.server.limits import Limits


class NoRoomError(Exception):
    """There is no room now; ``is_own_fault``: the device asks too much at once."""

    def __init__(self, *, is_own_fault: bool) -> None:
        super().__init__()
        self.status = HTTPStatus.TOO_MANY_REQUESTS if is_own_fault else HTTPStatus.SERVICE_UNAVAILABLE


@dataclass(eq=False)
class Waiting:
    """A request that waits: ``called`` is done when it may go on. A large one brings a photo."""

    called: asyncio.Future[None]
    is_large: bool


class Turns:
    """Hands out turns, by one device after the other; pages need not wait until many photos are taken in.

    It belongs to one event loop, which is why there is no lock.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._busy = self._large = 0
        self._at_work: Counter[str] = Counter()
        # By device, in the order in which they have their turns.
        self._lines: dict[str | None, deque[Waiting]] = {}

    @property
    def waiting(self) -> int:
        """How many requests wait."""
        return sum(map(len, self._lines.values()))

    @asynccontextmanager
    async def turn(self, device: str | None, *, is_large: bool = False) -> AsyncIterator[None]:
        """Wait for a turn of the device, and have it until the block ends.

        Raises
        ------
        NoRoomError
            Too many wait already, or it took too long.
        """
        mine = Waiting(asyncio.get_running_loop().create_future(), is_large)
        await self._wait(device, mine)
        try:
            yield
        finally:
            self._free(device, mine)

    async def _wait(self, device: str | None, mine: Waiting) -> None:
        line = self._lines.get(device, ())
        if device is not None and len(line) >= self._limits.waiting_each:
            raise NoRoomError(is_own_fault=True)
        if self.waiting >= self._limits.waiting:
            raise NoRoomError(is_own_fault=False)
        self._lines.setdefault(device, deque()).append(mine)
        self._call_next()
        try:
            async with asyncio.timeout(self._limits.turn_s):
                await mine.called
        except (TimeoutError, asyncio.CancelledError) as error:
            self._leave(device, mine)
            if isinstance(error, TimeoutError):
                raise NoRoomError(is_own_fault=False) from error
            raise

    def _leave(self, device: str | None, mine: Waiting) -> None:
        line = self._lines.get(device)
        if line is not None and mine in line:
            line.remove(mine)
            if not line:
                del self._lines[device]
        elif not mine.called.cancelled():  # called at the very moment when it gave up
            self._free(device, mine)
        self._call_next()

    def _free(self, device: str | None, mine: Waiting) -> None:
        self._busy -= 1
        self._large -= mine.is_large
        if device is not None:
            self._at_work[device] -= 1
            if not self._at_work[device]:
                del self._at_work[device]
        self._call_next()

    def _call_next(self) -> None:
        for device in tuple(self._lines):
            if self._busy >= self._limits.threads:
                return
            if device is not None and self._at_work[device] >= self._limits.threads_each:
                continue
            line = self._lines[device]
            no_more = self._large >= self._limits.threads_large
            first = next((one for one in line if not (one.is_large and no_more)), None)
            if first is None:
                continue
            line.remove(first)
            del self._lines[device]
            if line:
                self._lines[device] = line  # behind the others
            if first.called.done():  # it gave up
                continue
            self._busy += 1
            self._large += first.is_large
            if device is not None:
                self._at_work[device] += 1
            first.called.set_result(None)
