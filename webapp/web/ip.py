"""Numeric addresses of computers."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

IP = IPv4Address | IPv6Address
IPV6_HOME = 64  # bits: within the network of its home a device changes its IPv6 address as it likes


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


def device_of(address: str) -> str:
    """Return by what the requests of one device are counted together.

    Examples
    --------
    >>> device_of("192.168.1.7"), device_of("2001:db8::1:2")
    ('192.168.1.7', '2001:db8::/64')
    """
    ip = plain_ip(address)
    return str(ip_network((ip, IPV6_HOME), strict=False)) if isinstance(ip, IPv6Address) else str(ip or "")
