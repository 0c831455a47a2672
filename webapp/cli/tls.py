"""Serving the page with https, by cheroot: waitress, which serves it with plain http, knows no TLS."""

from __future__ import annotations

import logging
import re
import socket
import ssl
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from cheroot.errors import FatalSSLAlert
from cheroot.server import HTTPConnection
from cheroot.ssl.builtin import BuiltinSSLAdapter
from cheroot.wsgi import Server

from webapp.phones.authority import RENEWED_BEFORE, Pair
from webapp.web.ip import plain_ip

if TYPE_CHECKING:
    from flask import Flask

THREADS = 10  # a slow phone keeps one busy while it sends a photo
CONNECTIONS = 200  # kept open between requests; each phone has a handful
PATIENCE_S = 30
LARGEST_BODY = 64_000_000
HANDSHAKE = b"\x16"
PLAIN_REQUEST = re.compile(
    rb"[A-Z]+ (/\S*) HTTP/1\.[01]\r\n(?:.*\r\n)*?host: *([\w.:\[\]-]+)\r\n", re.IGNORECASE
)

logger = logging.getLogger(__name__)


class Adapter(BuiltinSSLAdapter):
    """Wraps connections, and looks for another certificate when a phone comes in at a new address.

    Parameters
    ----------
    pair
        The certificate to begin with.
    renew
        What returns the certificate for the addresses of now, None where it never changes.
    """

    def __init__(self, pair: Pair, renew: Callable[[], Pair] | None = None) -> None:
        super().__init__(str(pair.certificate), str(pair.key))
        self._pair, self._renew = pair, renew
        self._looked_for: set[str] = set()

    def wrap(self, sock: socket.socket) -> tuple[ssl.SSLSocket, dict[str, str]]:
        """Return the connection, which has not shaken hands yet: a slow phone may not keep others waiting."""
        self._keep_up(str(plain_ip(sock.getsockname()[0])))
        try:
            made = self.context.wrap_socket(sock, server_side=True, do_handshake_on_connect=False)
        except OSError as error:  # it hung up already
            raise FatalSSLAlert(*error.args) from error
        return made, {"wsgi.url_scheme": "https", "HTTPS": "on"}

    def _keep_up(self, address: str) -> None:
        """Take another certificate where this one does not name our own address, or soon runs out."""
        if self._renew is None:
            return
        fresh = datetime.now(UTC) < self._pair.until - RENEWED_BEFORE
        if fresh and (address in self._pair.names or address in self._looked_for):
            return
        self._looked_for.add(address)
        try:
            self._pair = self._renew()
            self.context.load_cert_chain(self._pair.certificate, self._pair.key)
        except OSError:
            logger.exception("The certificate could not be made anew.")


class Connection(HTTPConnection):
    """A connection that shakes hands when it is its turn, and shows who came without https the way."""

    waited = False
    _met = False

    def communicate(self) -> bool:
        """Answer a request; tell whether the connection stays open."""
        if not self._met:
            self._met = True
            try:
                if not self._meet():
                    return False
            except OSError:  # the phone hung up, or does not trust us
                return False
        return bool(super().communicate())  # type: ignore[no-untyped-call]

    def _meet(self) -> bool:
        # A TLS socket hides what comes before the handshake; the plain one below it does not.
        if socket.socket.recv(self.socket, 1, socket.MSG_PEEK) == HANDSHAKE:
            self.socket.do_handshake()
            return True
        asked = PLAIN_REQUEST.match(socket.socket.recv(self.socket, 8192))
        if asked:
            there = b"Location: https://" + asked[2] + asked[1]
            answer = (b"HTTP/1.1 307 Temporary Redirect", there, b"Content-Length: 0", b"Connection: close")
            socket.socket.sendall(self.socket, b"\r\n".join((*answer, b"", b"")))
        return False


class HttpsServer(Server):
    """The page with https."""

    ConnectionClass = Connection
    keep_alive_conn_limit = CONNECTIONS
    max_request_body_size = LARGEST_BODY

    def process_conn(self, conn: Connection) -> None:
        """Give a connection to a thread, once something came: browsers open some that they may never use."""
        if conn.waited:
            super().process_conn(conn)
        else:
            conn.waited = True
            self.put_conn(conn)

    def error_log(self, msg: str = "", level: int = logging.INFO, traceback: bool = False) -> None:  # noqa: FBT001, FBT002  cheroot's own
        """Tell what went wrong; phones that hang up or refuse the certificate are no news."""
        serious = level >= logging.ERROR
        logger.log(level if serious else logging.DEBUG, "%s", msg, exc_info=traceback and serious)


def started(
    app: Flask, host: str, port: int, pair: Pair, renew: Callable[[], Pair] | None = None
) -> HttpsServer:
    """Serve ``app`` with https in threads of its own, and return the server; an `OSError` says why not."""
    host = "0.0.0.0" if host in {"", "*"} else host  # noqa: S104  as the person who runs it says
    family, _, _, _, (name, number, *_) = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    socket.create_server(
        (name, number), family=family
    ).close()  # cheroot does not tell why a port is not free
    server = HttpsServer((host, port), app, numthreads=THREADS, timeout=PATIENCE_S, server_name="sagrada")
    server.ssl_adapter = Adapter(pair, renew)
    server.prepare()
    threading.Thread(target=server.serve, daemon=True).start()
    return server
