"""How much one device, and all of them together, may ask of the server at a time."""

from __future__ import annotations

from dataclasses import dataclass

from webapp.server.addresses import device_of, plain_ip


@dataclass(frozen=True)
class Limits:
    """The bounds, times in seconds.

    Parameters
    ----------
    connections, connections_each
        Open at a time, in all and from one address. A browser opens six.
    threads, threads_each
        Requests that are worked on at a time.
    threads_large
        Of these such as bring a photo: they may take longer than a page.
    waiting, waiting_each
        Requests that wait for their turn; more are asked to come again.
    held, held_each
        Bytes of requests that are not answered yet; they wait on the disk.
    headers_s
        From the first byte of a request, or from the connection, to the end of its headers.
    piece_s
        From one piece of a body to the next one, in either direction.
    body_s
        For a whole body.
    drain_s
        For the rest of a body that was refused: who still sends it would not see the answer.
    idle_s
        Until a connection that nobody uses is closed.
    turn_s
        That a request waits for its turn.
    leave_s
        For what is under way when the server is told to end.
    """

    connections: int = 1500
    connections_each: int = 40
    threads: int = 8
    threads_each: int = 3
    threads_large: int = 5
    waiting: int = 600
    waiting_each: int = 40
    held: int = 2_000_000_000
    held_each: int = 200_000_000
    headers_s: float = 10
    piece_s: float = 20
    body_s: float = 300
    drain_s: float = 60
    idle_s: int = 30
    turn_s: float = 20
    leave_s: int = 30


def device(address: str) -> str | None:
    """Return by what the requests of one device are counted together; None for this computer.

    A program on this computer that passes on what others ask, a proxy, knows better whom to refuse.
    """
    return None if str(plain_ip(address)) in {"127.0.0.1", "::1"} else device_of(address)
