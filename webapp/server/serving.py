"""The server as a whole: its listeners, and how it comes and goes."""

from __future__ import annotations

import asyncio
import logging
import socket
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import uvicorn

from webapp.server.bridge import Bridge
from webapp.server.limits import Limits, Places, Tally
from webapp.server.listener import Line, Listener

if TYPE_CHECKING:
    from flask import Flask

FILES = 4096  # that may be open at a time: each connection is one

logger = logging.getLogger(__name__)


class PageServer(uvicorn.Server):
    """Serves an application until it is told to end; then it finishes what is under way.

    The listeners are closed at the end, and ``leave`` is called when everything is answered. Large requests
    wait in ``folder`` until they are here as a whole. What is refused is told once a minute, with how many
    photos wait (``waiting``).
    """

    def __init__(
        self,
        app: Flask,
        listeners: Sequence[Listener],
        limits: Limits | None = None,
        folder: Path | None = None,
        leave: Callable[[], None] | None = None,
        waiting: Callable[[], int] | None = None,
    ) -> None:
        self._leave, self._waiting = leave, waiting or int
        self._limits, self._tally = limits or Limits(), Tally()
        self._bridge = Bridge(
            app, self._limits, self._tally, largest=app.config["MAX_CONTENT_LENGTH"], folder=folder
        )
        self._listeners = tuple(listeners)
        self._accepting: list[asyncio.Task[None]] = []
        super().__init__(
            uvicorn.Config(
                self._bridge,
                interface="asgi3",
                lifespan="off",
                ws="none",
                access_log=False,
                log_config=None,
                server_header=False,
                proxy_headers=False,
                timeout_keep_alive=self._limits.idle_s,
                timeout_graceful_shutdown=self._limits.leave_s,
            )
        )

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until Ctrl+C or SIGTERM. What was asked until then is answered."""
        allow_open_files(FILES)
        # Whoever sends nonsense shall not fill the terminal; what goes wrong in here is told.
        logging.getLogger("uvicorn.error").addFilter(is_worth_telling)
        # On Windows the other kind of loop cannot tell that something has come without taking it.
        with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
            runner.run(self.serve(sockets))

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:  # noqa: ARG002  uvicorn's own
        """Open the listeners."""
        await super().startup(sockets=[])
        limits = self._limits
        room = Places(limits, self._tally)
        self._accepting = [
            asyncio.create_task(self._report(), name="report"),
            *(
                asyncio.create_task(listener.accept(self._line, room, limits.headers_s), name="listener")
                for listener in self._listeners
            ),
        ]

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:  # noqa: ARG002  uvicorn's own
        """Close the listeners, and answer what was asked."""
        for task in self._accepting:
            task.cancel()
        await asyncio.gather(*self._accepting, return_exceptions=True)
        for listener in self._listeners:
            listener.close()
        await super().shutdown()
        self._bridge.close()
        if self._leave is not None:
            await asyncio.to_thread(self._leave)

    async def _report(self) -> None:
        """Tell now and then what was refused, and how much waits."""
        while True:
            await asyncio.sleep(self._limits.report_s)
            if told := self._tally.line({"requests": self._bridge.turns.waiting, "photos": self._waiting()}):
                logger.warning(told)

    def _line(self) -> Line:
        line = Line(self.config, self.server_state, {})
        line.limits = self._limits
        return line


class Running:
    """A server that runs in a thread of its own, such as beside the tests."""

    def __init__(self, server: PageServer) -> None:
        self._server = server
        self._thread = threading.Thread(target=server.run, daemon=True, name="server")
        self._thread.start()

    def stop(self) -> None:
        """End it, and wait for that."""
        self._server.should_exit = True
        self._thread.join()


def is_worth_telling(told: logging.LogRecord) -> bool:
    """Tell whether what the server says is about itself, and not about what somebody sent."""
    return told.exc_info is not None or told.levelno > logging.WARNING


def allow_open_files(number: int) -> None:
    """Let this process have so many connections, where the system lets it."""
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415  not on every system

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = number if hard == resource.RLIM_INFINITY else min(number, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        except (OSError, ValueError) as error:  # macOS has a bound of its own
            logger.debug("No more files may be open (%s).", error)
