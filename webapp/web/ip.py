"""Numeric addresses of computers."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address

IP = IPv4Address | IPv6Address


def plain_ip(text: str | None) -> IP | None:
    """Return the address in ``text`` without its zone, None when there is none.

    Examples
    --------
    >>> plain_ip("fe80::1%eth0"), plain_ip("::ffff:192.168.1.5"), plain_ip("laptop")
    (IPv6Address('fe80::1'), IPv4Address('192.168.1.5'), None)
    """
    try:
        ip = ip_address((text or "").partition("%")[0])
    except ValueError:
        return None
    return getattr(ip, "ipv4_mapped", None) or ip
