"""Where connections come in: so many from one device, and none that only keeps a place."""

from __future__ import annotations

import asyncio
import errno
import logging
import re
import socket
from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from webapp.server.bridge import LINE, RETRY_AFTER_S, refusal
from webapp.server.limits import Limits, NoRoomError, Place, Places, Under, device

if TYPE_CHECKING:
    from webapp.server.certificate import Certificate

HANDSHAKE = b"\x16"
PLAIN_REQUEST = re.compile(
    rb"[A-Z]+ (/\S*) HTTP/1\.[01]\r\n(?:.*\r\n)*?host: *([\w.:\[\]-]+)\r\n", re.IGNORECASE
)
BACKLOG = 1024
FEW_FILES_S = 0.2  # when no more files may be open, somebody has to go first

logger = logging.getLogger(__name__)


class Line(H11Protocol):
    """A connection that has to come to the point."""

    limits = Limits()
    _patience: asyncio.TimerHandle | None = None

    def __init__(self, *args: Any, **options: Any) -> None:  # noqa: ANN401  uvicorn's own
        super().__init__(*args, **options)
        self.left = asyncio.Event()
        """Set when it has ended."""
        self.app_state = {LINE: self}  # where `webapp.server.bridge` finds it

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Take in what comes."""
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self._stop_watching()
        self.left.set()
        super().connection_lost(exc)

    def under_way(self) -> Under:
        """Return what is under way."""
        theirs = {h11.IDLE: Under.NOTHING, h11.SEND_BODY: Under.BODY}
        return theirs.get(self.conn.their_state, Under.ANSWER)

    def _watch(self) -> None:
        """Measure the time as long as it is up to the phone to send the rest of something."""
        # uvicorn's own type leaves out that there is none yet.
        cycle: RequestResponseCycle | None = self.cycle
        answering = cycle is not None and not cycle.response_complete
        if answering or self.transport.is_closing():
            self._stop_watching()
        elif self._patience is None and self.timeout_keep_alive_task is None:
            drains = self.conn.their_state is h11.SEND_BODY
            patience_s = self.limits.drain_s if drains else self.limits.headers_s
            self._patience = self.loop.call_later(patience_s, self.transport.abort)

    def _stop_watching(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None


class Listener:
    """One address at which the server listens, with https where there is a certificate."""

    def __init__(self, listening: socket.socket, certificate: Certificate | None = None) -> None:
        listening.setblocking(False)  # noqa: FBT003  a method of Python's own
        self._listening, self._certificate = listening, certificate
        self._connections: set[asyncio.Task[None]] = set()

    async def accept(self, factory: Callable[[], Line], room: Places, patience_s: float) -> None:
        """Take in connections until it is cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            try:
                connection, address = await loop.sock_accept(self._listening)
            except OSError as error:
                logger.warning("A connection could not be taken in (%s).", error.strerror)
                await asyncio.sleep(FEW_FILES_S)
                continue
            task = loop.create_task(self._keep(connection, str(address[0]), factory, room, patience_s))
            self._connections.add(task)
            task.add_done_callback(self._connections.discard)

    def close(self) -> None:
        """Take in nobody any more."""
        self._listening.close()

    async def _keep(
        self,
        connection: socket.socket,
        address: str,
        factory: Callable[[], Line],
        room: Places,
        patience_s: float,
    ) -> None:
        """Let a connection speak to the server until it ends."""
        connection.setblocking(False)  # noqa: FBT003
        try:
            with room.kept(device(address, str(connection.getsockname()[0]))) as place:
                await self._served(connection, place, factory, patience_s)
        except NoRoomError as busy:
            if self._certificate is None:
                _send_away(connection, busy.status)
        except (OSError, TimeoutError):  # it hung up, does not trust us, or said nothing
            pass
        finally:
            connection.close()

    async def _served(
        self, connection: socket.socket, place: Place, factory: Callable[[], Line], patience_s: float
    ) -> None:
        opening = asyncio.ensure_future(self._opened(connection, factory, patience_s))
        place.drop = opening.cancel
        with suppress(asyncio.CancelledError):
            line = await opening
            if line is not None:
                place.under_way, place.drop = line.under_way, line.transport.abort
                await line.left.wait()

    async def _opened(
        self, connection: socket.socket, factory: Callable[[], Line], patience_s: float
    ) -> Line | None:
        loop = asyncio.get_running_loop()
        with suppress(OSError):
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        tls: dict[str, Any] = {}
        if self._certificate is not None:
            async with asyncio.timeout(patience_s):
                await _readable(connection)
            if connection.recv(1, socket.MSG_PEEK) != HANDSHAKE:
                _show_the_way(connection)
                return None
            await self._certificate.keep_up(str(connection.getsockname()[0]))
            times = {"ssl_handshake_timeout": patience_s, "ssl_shutdown_timeout": 1}
            tls = {"ssl": self._certificate.context, **times}
        return (await loop.connect_accepted_socket(factory, connection, **tls))[1]


EVERYWHERE = frozenset({"", "*"})
"""What stands for all addresses of this computer, of both kinds."""
NOT_HERE = frozenset({errno.EAFNOSUPPORT, errno.EPROTONOSUPPORT, errno.EADDRNOTAVAIL})


def places(host: str, port: int) -> list[tuple[Any, ...]]:
    """Return where a server on ``host`` listens, as `socket.getaddrinfo` tells it."""
    where = None if host in EVERYWHERE else host
    return [*socket.getaddrinfo(where, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)]


def listeners(host: str, port: int, certificate: Certificate | None = None) -> list[Listener]:
    """Return the listeners at a host, all of them listening; an `OSError` says why that cannot be.

    Everywhere, a kind of address that this computer does not have is left out.
    """
    opened: list[Listener] = []
    missing: OSError | None = None
    try:
        for family, _, _, _, address in dict.fromkeys(places(host, port)):
            try:
                listening = socket.create_server((address[0], port), family=family, backlog=BACKLOG)
            except OSError as error:
                if host not in EVERYWHERE or error.errno not in NOT_HERE:
                    raise
                missing = error
            else:
                opened.append(Listener(listening, certificate))
        if missing is not None and not opened:
            raise missing
    except OSError:
        for listener in opened:
            listener.close()
        raise
    return opened


async def _readable(connection: socket.socket) -> None:
    """Wait until something comes."""
    loop = asyncio.get_running_loop()
    came = asyncio.Event()
    loop.add_reader(connection, came.set)
    try:
        await came.wait()
    finally:
        loop.remove_reader(connection)


def _show_the_way(connection: socket.socket) -> None:
    """Lead who came without https to the same page with it."""
    asked = PLAIN_REQUEST.match(connection.recv(8192))
    if asked:
        there = b"Location: https://" + asked[2] + asked[1]
        _say(connection, b"307 Temporary Redirect", there, b"Content-Length: 0")


def _send_away(connection: socket.socket, status: HTTPStatus) -> None:
    kind, text = refusal(status)
    begin = f"{status.value} {status.phrase}".encode()
    again = f"Retry-After: {RETRY_AFTER_S}".encode()
    length = b"Content-Length: %d" % len(text)
    _say(connection, begin, again, b"Content-Type: " + kind, length, content=text)


def _say(connection: socket.socket, *head: bytes, content: bytes = b"") -> None:
    with suppress(OSError):
        connection.send(b"\r\n".join((b"HTTP/1.1 " + head[0], *head[1:], b"Connection: close", b"", content)))
        connection.shutdown(socket.SHUT_WR)
