"""Between connections and the application, so that no thread ever waits for a phone.

A request is here as a whole before a thread takes it up, and its answer is made as a whole before it is sent.
"""

from __future__ import annotations

import asyncio
import errno
import sys
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO, TYPE_CHECKING, Any, TypeAlias

from webapp.server.limits import Limits, device
from webapp.server.turns import BusyError, Turns

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


class GoneError(Exception):
    """The phone hung up, or is too slow."""


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
        self._turns = Turns(limits)
        self._threads = ThreadPoolExecutor(limits.threads, thread_name_prefix="page")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            return
        client = (scope.get("client") or ("", 0))[0]
        loop = asyncio.get_running_loop()
        with self._file() as body, self._file() as made:
            try:
                size = await self._received(scope, receive, body)
                body.seek(0)
                async with self._turns.turn(device(client)):
                    environ = environ_of(scope, body, size)
                    status, headers = await loop.run_in_executor(self._threads, self._answer, environ, made)
            except GoneError:
                return
            except BusyError as busy:
                await _refuse(send, busy.status)
                return
            except OSError as error:
                if error.errno not in {errno.ENOSPC, errno.EDQUOT}:
                    raise
                await _refuse(send, HTTPStatus.INSUFFICIENT_STORAGE)
                return
            await self._send(send, status, headers, made)

    def close(self) -> None:
        """Let the threads go."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _file(self) -> SpooledTemporaryFile[bytes]:
        return SpooledTemporaryFile(IN_MEMORY, dir=str(self._folder) if self._folder else None)

    async def _received(self, scope: Scope, receive: Receive, body: IO[bytes]) -> int:
        """Take in the body, and return how many bytes it has; see ``largest``."""
        told = dict(scope["headers"]).get(b"content-length", b"")
        size = int(told) if told.isdigit() else 0
        if self._largest is not None and size > self._largest:
            return size
        received = 0
        try:
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
                    body.write(piece)
                    if not message.get("more_body", False):
                        return received
        except TimeoutError as slow:
            raise GoneError from slow

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
        try:
            await send({"type": "http.response.start", "status": status, "headers": headers})
            made.seek(0)
            while piece := made.read(PIECE):
                async with asyncio.timeout(self._limits.piece_s):
                    await send({"type": "http.response.body", "body": piece, "more_body": True})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        except TimeoutError:  # it does not take it; uvicorn closes what is half answered
            return


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


async def _refuse(send: Send, status: HTTPStatus) -> None:
    """Say that there is no answer now. The page tries again by itself; see ``webapp/static``."""
    text = refusal(status)
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(text)).encode())]
    headers.append((b"retry-after", str(RETRY_AFTER_S).encode()))
    await send({"type": "http.response.start", "status": status.value, "headers": headers})
    await send({"type": "http.response.body", "body": text, "more_body": False})


def refusal(status: HTTPStatus) -> bytes:
    """Return what is said to whom the application does not answer."""
    return f"{status.value} {status.phrase}: please try again in {RETRY_AFTER_S} seconds.\n".encode()
