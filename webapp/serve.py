"""Serve the page on this computer and tell where it is."""

from __future__ import annotations

import socket
import sys
from typing import Any

from waitress import create_server  # type: ignore[import-untyped]

from webapp import create_app

THREADS = 6  # a reading keeps one busy for a second or two; the others answer meanwhile
EVERYWHERE = frozenset({"0.0.0.0", "::", ""})  # noqa: S104  named here, not listened on


def serve(host: str = "127.0.0.1", port: int = 8000) -> None:
    """Serve the page until interrupted, and print its address first.

    Parameters
    ----------
    host
        The address to listen on; ``"0.0.0.0"`` lets phones in the same network in.
    port
        The port to listen on.
    """
    app = create_app()
    server = create_server(
        app, host=host, port=port, threads=THREADS, max_request_body_size=64_000_000, ident=None
    )
    for line in addresses(host, port):
        sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
    server.run()


def host_is_here(host: str) -> bool:
    """Tell whether ``host`` is a name or address of this computer, on which it can listen."""
    try:
        found = socket.getaddrinfo(
            None if host in {"", "*"} else host, 0, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
    except (OSError, UnicodeError):  # no such name; or a text that cannot be a name, "bad..name"
        return False
    return any(_can_listen(family, address) for family, _, _, _, address in found)


def _can_listen(family: int, address: tuple[Any, ...]) -> bool:
    """Try to take any free port at ``address``, and give it back."""
    try:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.bind(address)
    except OSError:
        return False
    return True


def addresses(host: str, port: int) -> list[str]:
    """Return the lines that say where the page is."""
    lines = [f"Sagrada Companion: http://{'localhost' if host in EVERYWHERE else host}:{port}"]
    if host in EVERYWHERE:
        own = own_address()
        if own:
            lines.append(f"On a phone in the same network: http://{own}:{port}")
    else:
        lines.append(f"For a phone in the same network: sagrada serve --host 0.0.0.0 --port {port}")
    lines.append("Stop with Ctrl+C.")
    return lines


def own_address() -> str | None:
    """Return this computer's address in its network, None when it has no network.

    Connecting a datagram socket sends nothing; it only makes the system choose the interface.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address reserved for documentation
        except OSError:
            return None
        address: str = probe.getsockname()[0]
        return address
