"""Between connections and the application, so that no thread ever waits for a phone.

A request is here as a whole before a thread takes it up, and its answer is made as a whole before it is sent.
"""

from __future__ import annotations

import asyncio
import errno
import json
import sys
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http import HTTPStatus
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO, TYPE_CHECKING, Any, TypeAlias

from werkzeug.wsgi import ClosingIterator

from webapp.server.limits import Limits, NoRoomError, Room, Tally, Turns, device

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

Scope: TypeAlias = dict[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[dict[str, Any]]]
Send: TypeAlias = Callable[[dict[str, Any]], Awaitable[None]]
Headers: TypeAlias = list[tuple[bytes, bytes]]

IN_MEMORY = 128 * 1024  # bytes; what is larger waits on the disk
PIECE = 64 * 1024
RETRY_AFTER_S = 2
REFUSED = "sagrada.refused"
"""Under which the application tells why it refused something that is no mistake of the visitor's."""
LINE = "line"
"""The name under which a request knows its connection, a `webapp.server.listener.Line`."""


class GoneError(Exception):
    """The phone hung up."""


class Bridge:
    """The application (WSGI) as uvicorn wants it (ASGI).

    Of a body of more than ``largest`` bytes it is only told how large it is, and says itself that this is too
    much. Large bodies wait in ``folder``, else where the system has such things.
    """

    def __init__(
        self,
        app: WSGIApplication,
        limits: Limits,
        tally: Tally,
        *,
        largest: int | None = None,
        folder: Path | None = None,
    ) -> None:
        self._app, self._limits, self._largest, self._folder = app, limits, largest, folder
        self.turns, self._room = Turns(limits), Room(limits.held, limits.held_each)
        self._tally = tally
        self._threads = ThreadPoolExecutor(limits.threads, thread_name_prefix="page")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if {b"content-length", b"transfer-encoding"} <= {name for name, _ in scope["headers"]}:
            await _refuse(scope, send, HTTPStatus.BAD_REQUEST)  # a proxy may see two requests in it
            return
        line = scope["state"][LINE]
        theirs, ours = ((scope.get(end) or ("", 0))[0] for end in ("client", "server"))
        who = device(theirs, ours)
        loop = asyncio.get_running_loop()
        with self._file() as body, self._file() as made, self._room.kept(who) as room:
            try:
                size = await self._received(scope, receive, body, room)
                body.seek(0)
                async with self.turns.turn(who, is_large=size > IN_MEMORY):
                    if line.left.is_set():  # it hung up while it waited
                        return
                    environ = environ_of(scope, body, size)
                    status, headers = await loop.run_in_executor(self._threads, self._answer, environ, made)
                    if why := environ.get(REFUSED):
                        self._tally[why] += 1
            except GoneError:
                return
            except TimeoutError:
                self._tally["requests that did not come to their end"] += 1
                await _refuse(scope, send, HTTPStatus.REQUEST_TIMEOUT)
                return
            except NoRoomError as busy:
                self._tally["one device asks too much" if busy.is_own_fault else "too many requests"] += 1
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

        with closing(ClosingIterator(self._app(environ, start_response))) as answer:
            for piece in answer:
                made.write(piece)
        return begun[0]

    async def _send(self, send: Send, status: int, headers: Headers, made: IO[bytes]) -> None:
        await send({"type": "http.response.start", "status": status, "headers": headers})
        made.seek(0)
        while piece := made.read(PIECE):
            async with asyncio.timeout(self._limits.piece_s):
                await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


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
    accepted = dict(scope["headers"]).get(b"accept", b"")
    as_json = accepted.startswith(b"application/json") or scope["path"].endswith(".json")
    kind, text = refusal(status, as_json=as_json)
    headers = [
        (b"content-type", kind),
        (b"content-length", str(len(text)).encode()),
        (b"retry-after", str(RETRY_AFTER_S).encode()),
    ]
    if status in {HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.BAD_REQUEST}:  # the rest of it may still come
        headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": status.value, "headers": headers})
    await send({"type": "http.response.body", "body": text, "more_body": False})


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
