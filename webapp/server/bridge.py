"""Between connections and the application, so that no thread ever waits for a phone.

A request is here as a whole before a thread takes it up, and its answer is made as a whole before it is sent.
"""

from __future__ import annotations

import asyncio
import errno
import json
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO, TYPE_CHECKING, Any, TypeAlias

from webapp.server.limits import Limits, device
from webapp.server.turns import NoRoomError, Turns

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

Scope: TypeAlias = dict[str, Any]
Message: TypeAlias = dict[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
Headers: TypeAlias = list[tuple[bytes, bytes]]

IN_MEMORY = 128 * 1024  # bytes; what is larger waits on the disk
PIECE = 64 * 1024
RETRY_AFTER_S = 2
LINE = "line"
"""The name under which a request knows its connection, a `webapp.server.listener.Line`."""


class GoneError(Exception):
    """The phone hung up."""


class Bridge:
    """The application as uvicorn wants it (ASGI).

    Parameters
    ----------
    app
        The application (WSGI).
    limits
        What one device, and all together, may ask.
    largest
        The most bytes of a body that the application wants to see. Of a larger one it is only told how large
        it is, and says itself that this is too much.
    folder
        Where large bodies wait; the system's own for such things when nothing is said.
    """

    def __init__(
        self, app: WSGIApplication, limits: Limits, *, largest: int | None = None, folder: Path | None = None
    ) -> None:
        self._app, self._limits, self._largest, self._folder = app, limits, largest, folder
        self._turns, self._room = Turns(limits), Room(limits)
        self._threads = ThreadPoolExecutor(limits.threads, thread_name_prefix="page")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        line, who = scope["state"][LINE], device((scope.get("client") or ("", 0))[0])
        loop = asyncio.get_running_loop()
        with self._file() as body, self._file() as made, self._room.kept(who) as room:
            try:
                size = await self._received(scope, receive, body, room)
                body.seek(0)
                async with self._turns.turn(who, is_large=size > IN_MEMORY):
                    if line.left.is_set():  # it hung up while it waited
                        return
                    environ = environ_of(scope, body, size)
                    status, headers = await loop.run_in_executor(self._threads, self._answer, environ, made)
            except GoneError:
                return
            except TimeoutError:
                await _refuse(scope, send, HTTPStatus.REQUEST_TIMEOUT)
                return
            except NoRoomError as busy:
                await _refuse(scope, send, busy.status)
                return
            except OSError as error:
                if error.errno not in {errno.ENOSPC, errno.EDQUOT}:
                    raise
                await _refuse(scope, send, HTTPStatus.INSUFFICIENT_STORAGE)
                return
            try:
                await self._send(send, status, headers, made)
            except TimeoutError:  # it does not take its answer
                line.transport.abort()

    def close(self) -> None:
        """Let the threads go."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _file(self) -> SpooledTemporaryFile[bytes]:
        return SpooledTemporaryFile(IN_MEMORY, dir=str(self._folder) if self._folder else None)

    async def _received(
        self, scope: Scope, receive: Receive, body: IO[bytes], room: Callable[[int], None]
    ) -> int:
        """Take in the body, and return how many bytes it has; see ``largest``."""
        told = dict(scope["headers"]).get(b"content-length", b"")
        size = int(told) if told.isdigit() else 0
        if self._largest is not None and size > self._largest:
            return size
        received = 0
        async with asyncio.timeout(self._limits.body_s):
            while True:
                async with asyncio.timeout(self._limits.piece_s):
                    message = await receive()
                if message["type"] == "http.disconnect":
                    raise GoneError
                piece = message.get("body", b"")
                received += len(piece)
                if self._largest is not None and received > self._largest:
                    return received
                room(len(piece))
                body.write(piece)
                if not message.get("more_body", False):
                    return received

    def _answer(self, environ: dict[str, Any], made: IO[bytes]) -> tuple[int, Headers]:
        """Let the application answer; the body goes to ``made``. It is called in a thread."""
        begun: list[tuple[int, Headers]] = []

        def start_response(
            status: str, headers: list[tuple[str, str]], _exc_info: object = None
        ) -> Callable[[bytes], object]:
            told = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
            begun[:] = [(int(status.split(" ", 1)[0]), told)]
            return made.write

        answer = self._app(environ, start_response)
        try:
            for piece in answer:
                made.write(piece)
        finally:
            close = getattr(answer, "close", None)
            if close is not None:
                close()
        return begun[0]

    async def _send(self, send: Send, status: int, headers: Headers, made: IO[bytes]) -> None:
        await send({"type": "http.response.start", "status": status, "headers": headers})
        made.seek(0)
        while piece := made.read(PIECE):
            async with asyncio.timeout(self._limits.piece_s):
                await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


class Room:
    """Counts the bytes of requests that are on their way, by device and in all."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._held: Counter[str | None] = Counter()

    @contextmanager
    def kept(self, who: str | None) -> Iterator[Callable[[int], None]]:
        """Give what takes room for so many bytes more, until the block ends, or raises `NoRoomError`."""
        taken = 0

        def take(size: int) -> None:
            nonlocal taken
            if who is not None and self._held[who] + size > self._limits.held_each:
                raise NoRoomError(is_own_fault=True)
            if self._held.total() + size > self._limits.held:
                raise NoRoomError(is_own_fault=False)
            taken += size
            self._held[who] += size

        try:
            yield take
        finally:
            self._held[who] -= taken
            if not self._held[who]:
                del self._held[who]


def environ_of(scope: Scope, body: IO[bytes], size: int) -> dict[str, Any]:
    """Return a request as the application wants it (PEP 3333)."""
    address, port = scope.get("server") or ("localhost", 80)
    client = scope.get("client") or ("", 0)
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": scope["path"].encode().decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "SERVER_NAME": address,
        "SERVER_PORT": str(port),
        "REMOTE_ADDR": client[0],
        "REMOTE_PORT": str(client[1]),
        "CONTENT_LENGTH": str(size),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": body,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    for name, value in scope["headers"]:
        # A name with an underscore could pass for another header.
        if name in {b"content-length", b"transfer-encoding"} or b"_" in name:
            continue
        key = name.decode("latin-1").upper().replace("-", "_")
        key = key if key == "CONTENT_TYPE" else f"HTTP_{key}"
        told = value.decode("latin-1")
        environ[key] = f"{environ[key]},{told}" if key in environ else told
    return environ


async def _refuse(scope: Scope, send: Send, status: HTTPStatus) -> None:
    """Say that there is no answer now. The page tries again by itself; see ``webapp/static/ask.js``."""
    kind, text = refusal(status, as_json=_wants_json(scope))
    headers = [
        (b"content-type", kind),
        (b"content-length", str(len(text)).encode()),
        (b"retry-after", str(RETRY_AFTER_S).encode()),
    ]
    if status is HTTPStatus.REQUEST_TIMEOUT:  # the rest of the request may still come
        headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": status.value, "headers": headers})
    await send({"type": "http.response.body", "body": text, "more_body": False})


def _wants_json(scope: Scope) -> bool:
    accepted = dict(scope["headers"]).get(b"accept", b"")
    return bool(accepted.startswith(b"application/json") or scope["path"].endswith(".json"))


def refusal(status: HTTPStatus, *, as_json: bool = False) -> tuple[bytes, bytes]:
    """Return the kind and the text of what is told to whom the application does not answer.

    It does not know the visitor's language, so the number has to say it, and a browser comes again by itself.
    """
    what, advice = f"{status.value} {status.phrase}.", f"Try again in {RETRY_AFTER_S} seconds."
    if as_json:
        error = {"code": status.name.lower(), "message": what, "next_step": advice}
        return b"application/json", json.dumps({"error": error}).encode()
    again = f'<meta http-equiv="refresh" content="{RETRY_AFTER_S}">'
    page = f"<!doctype html>{again}<title>{what}</title><p>{what} {advice}</p>"
    return b"text/html; charset=utf-8", page.encode()
