"""How much one device, and all of them together, may ask of the server at a time."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Address, ip_network

from webapp.web.ip import plain_ip

IPV6_HOME = 64  # bits: a device changes its IPv6 address as it likes within the network of its home


@dataclass(frozen=True)
class Limits:
    """The bounds, times in seconds.

    Parameters
    ----------
    connections, connections_each
        Open at a time, in all and from one address. A browser opens six.
    threads, threads_each
        Requests that are worked on at a time.
    waiting, waiting_each
        Requests that wait for their turn; more are asked to come again.
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
    waiting: int = 600
    waiting_each: int = 40
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

    Examples
    --------
    >>> device("192.168.1.7"), device("2001:db8::1:2"), device("127.0.0.1")
    ('192.168.1.7', '2001:db8::/64', None)
    """
    ip = plain_ip(address)
    if ip is None or str(ip) in {"127.0.0.1", "::1"}:
        return None
    return str(ip) if isinstance(ip, IPv4Address) else str(ip_network((ip, IPV6_HOME), strict=False))
