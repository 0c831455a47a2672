"""How much one device, and all of them together, may ask of the server at a time, and whose turn it is."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from enum import IntEnum
from http import HTTPStatus

from webapp.server.addresses import device_of, plain_ip


@dataclass(frozen=True)
class Limits:
    """The bounds, times in seconds; ``_each`` is for one device, the others for all together."""

    connections: int = 1500  # open at a time
    connections_each: int = 40  # a browser opens six
    threads: int = 8  # requests that are worked on at a time
    threads_each: int = 3
    threads_large: int = 5  # of these such as bring a photo: they may take longer than a page
    waiting: int = 600  # requests that wait for their turn; more are asked to come again
    waiting_each: int = 40
    held: int = 2_000_000_000  # bytes of requests that are not answered yet; they wait on the disk
    held_each: int = 200_000_000
    headers_s: float = 10  # from the connection, or the first byte of a request, to the end of its headers
    piece_s: float = 20  # from one piece of a body to the next one, in either direction
    body_s: float = 300  # for a whole body
    drain_s: float = 60  # for the rest of a refused body: who still sends it would not see the answer
    idle_s: int = 30  # until a connection that nobody uses is closed
    turn_s: float = 20  # that a request waits for its turn
    report_s: float = 60  # from one line about what was refused to the next one
    leave_s: int = 30  # for what is under way when the server is told to end


def device(address: str, own: str = "") -> str | None:
    """Return by what the requests of one device are counted together; None for this computer.

    A program on this computer that passes on what others ask, a proxy, knows better whom to refuse. That of a
    rootless container speaks from the very address that it speaks to, ``own``.
    """
    ip = plain_ip(address)
    here = str(ip) in {"127.0.0.1", "::1", str(plain_ip(own))}
    return None if ip and here else device_of(address)


class NoRoomError(Exception):
    """There is no room now; ``is_own_fault``: the device asks too much at once."""

    def __init__(self, *, is_own_fault: bool) -> None:
        super().__init__()
        self.is_own_fault = is_own_fault
        self.status = HTTPStatus.TOO_MANY_REQUESTS if is_own_fault else HTTPStatus.SERVICE_UNAVAILABLE


class Tally(Counter[str]):
    """How often something was refused since that was told last, by why: for the terminal of the server."""

    def line(self, waiting: Mapping[str, int]) -> str | None:
        """Return what was refused, and how much waits, as a line; None where nothing was refused."""
        if not self:
            return None
        refused, waits = (
            ", ".join(f"{what} {count}" for what, count in sorted(counted.items()))
            for counted in (self, waiting)
        )
        self.clear()
        return f"Refused in the last minute: {refused}. Waiting now: {waits}."


class Under(IntEnum):
    """What is under way on a connection; the last can be missed the least."""

    NOTHING = 0
    """No request, or the beginning of one."""
    BODY = 1
    """The body of a request."""
    ANSWER = 2


class Place:
    """A connection that is open. Before it waits for an answer it may have to make room: ``drop`` ends it."""

    def __init__(self, who: str | None) -> None:
        self.who = who
        self.under_way: Callable[[], Under] = lambda: Under.NOTHING
        self.drop: Callable[[], object] = lambda: None


class Places:
    """The connections: so many in all, and so many of each device.

    When they run out, the oldest goes of those that bring nothing, or else of those that have not brought all
    of it: of the device that has the most of them, unless it would then have no more than the one that comes.
    """

    def __init__(self, limits: Limits, tally: Tally) -> None:
        self._in_all, self._each, self._tally = limits.connections, limits.connections_each, tally
        self._open: dict[Place, None] = {}  # in the order in which they came

    @contextmanager
    def kept(self, who: str | None) -> Iterator[Place]:
        """Keep a place until the block ends, or raise `NoRoomError`."""
        of_device = [one for one in self._open if one.who == who]
        if who is not None and len(of_device) >= self._each:
            silent = [one for one in of_device if one.under_way() is Under.NOTHING]
            self._make_room(silent, is_own_fault=True)
        elif len(self._open) >= self._in_all:
            self._make_room(self._of_greediest(who), is_own_fault=False)
        mine = Place(who)
        self._open[mine] = None
        try:
            yield mine
        finally:
            self._open.pop(mine, None)

    def _of_greediest(self, who: str | None) -> list[Place]:
        """Return what may go for one more of ``who``, the least missed first."""
        unfinished = [one for one in self._open if one.under_way() is not Under.ANSWER]
        held = Counter(one.who for one in unfinished)
        greedy = max(held, key=lambda one: held[one], default=None)
        goes = [one for one in unfinished if one.who == greedy and held[greedy] > held[who] + 1]
        return sorted(goes, key=lambda one: one.under_way())

    def _make_room(self, goes: list[Place], *, is_own_fault: bool) -> None:
        if not goes:
            self._tally["too many connections"] += 1
            raise NoRoomError(is_own_fault=is_own_fault)
        self._tally["connections that brought nothing"] += 1
        del self._open[goes[0]]
        goes[0].drop()


class Room:
    """Counts the bytes that are taken of so much room ``in_all`` and for ``each`` device."""

    def __init__(self, in_all: int, each: int) -> None:
        self._in_all, self._each = in_all, each
        self._held: Counter[str | None] = Counter()

    @contextmanager
    def kept(self, who: str | None) -> Iterator[Callable[[int], None]]:
        """Give what takes so much room more, until the block ends, or raises `NoRoomError`."""
        taken = 0

        def take(size: int) -> None:
            nonlocal taken
            if who is not None and self._held[who] + size > self._each:
                raise NoRoomError(is_own_fault=True)
            if self._held.total() + size > self._in_all:
                raise NoRoomError(is_own_fault=False)
            taken += size
            self._held[who] += size

        try:
            yield take
        finally:
            self._held[who] -= taken
            if not self._held[who]:
                del self._held[who]


@dataclass(eq=False)
class Waiting:
    """A request that waits: ``called`` is done when it may go on. A large one brings a photo."""

    called: asyncio.Future[None]
    is_large: bool


class Turns:
    """Hands out the threads, one device after the other; pages need not wait until many photos are taken in.

    It belongs to one event loop, which is why there is no lock.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._busy = self._large = 0
        self._at_work: Counter[str | None] = Counter()
        # By device, in the order in which they have their turns.
        self._lines: dict[str | None, deque[Waiting]] = {}

    @property
    def waiting(self) -> int:
        """How many requests wait."""
        return sum(map(len, self._lines.values()))

    @asynccontextmanager
    async def turn(self, device: str | None, *, is_large: bool = False) -> AsyncIterator[None]:
        """Wait for a turn of the device, and have it until the block ends, or raise a `NoRoomError`."""
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
        except TimeoutError as error:
            self._leave(device, mine)
            raise NoRoomError(is_own_fault=False) from error
        except asyncio.CancelledError:
            self._leave(device, mine)
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
            self._at_work[device] += 1
            first.called.set_result(None)
