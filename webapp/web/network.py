"""The addresses that this computer has in its networks, those that phones likely reach first."""

from __future__ import annotations

import re
import socket
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from ipaddress import ip_network

import psutil  # type: ignore[import-untyped]

from webapp.web.ip import IP, plain_ip

HOME_NETWORKS = tuple(
    ip_network(text) for text in ("192.168.0.0/16", "10.0.0.0/8", "172.16.0.0/12", "fc00::/7")
)
# Containers, virtual machines and private tunnels: phones in the room are hardly ever behind one of these.
VIRTUAL = re.compile(
    r"docker|podman|br-[0-9a-f]{12}$|veth|virbr|lxc|lxd|cni|cali|flannel|vboxnet|virtualbox|vmnet|vmware|vmenet"
    r"|vethernet|hyper-v|wsl|tun|tap|utun|wg|wireguard|tailscale|zt|zerotier|ipsec|ppp|gif|stf|awdl|llw|bridge\d",
    re.IGNORECASE,
)
# Addresses reserved for documentation: nobody is there, but the system chooses a way to them.
FAR_AWAY = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))


@dataclass(frozen=True)
class LocalAddress:
    """An address of this computer, and the network interface that has it."""

    ip: IP
    interface: str
    virtual: bool = False

    @property
    def host(self) -> str:
        """The address as it stands in a URL."""
        return f"[{self.ip}]" if self.ip.version == 6 else str(self.ip)


def local_addresses() -> tuple[LocalAddress, ...]:
    """Return the addresses of all interfaces that are switched on, loopback among them."""
    try:
        interfaces, states = psutil.net_if_addrs(), psutil.net_if_stats()
    except OSError:  # some systems tell nobody but the administrator
        return tuple(LocalAddress(ip, "") for ip in sorted(default_route(), key=str))
    found = []
    for name, entries in interfaces.items():
        state = states.get(name)
        if state is not None and not state.isup:
            continue
        virtual = bool(VIRTUAL.match(name)) or "pointopoint" in getattr(state, "flags", "")
        for entry in entries:
            ip = plain_ip(entry.address) if entry.family in {socket.AF_INET, socket.AF_INET6} else None
            if ip is not None:
                found.append(LocalAddress(ip, name, virtual))
    return tuple(found)


def is_own(address: str | None) -> bool:
    """Tell whether a visitor from ``address`` sits at this computer."""
    ip = plain_ip(address)
    return ip is not None and (ip.is_loopback or any(one.ip == ip for one in local_addresses()))


def default_route() -> frozenset[IP]:
    """Return the addresses that this computer speaks from to the world outside, none without a network.

    Connecting a datagram socket sends nothing; it only makes the system choose the interface.
    """
    found = set()
    for family, far_away in FAR_AWAY:
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as probe:
                probe.connect((far_away, 9))
                ip = plain_ip(probe.getsockname()[0])
        except OSError:  # no network, or none of this kind
            continue
        if ip is not None:
            found.add(ip)
    return frozenset(found)


def for_phones(addresses: Iterable[LocalAddress], default: Collection[IP]) -> tuple[LocalAddress, ...]:
    """Return the addresses that a phone may reach, the likeliest first.

    Parameters
    ----------
    addresses
        All addresses of this computer.
    default
        Those on the way to the world outside: the house's own network is nearly always there.
    """
    usable = {one.ip: one for one in addresses if not one.ip.is_loopback and not one.ip.is_link_local}
    interfaces = {one.interface for one in usable.values() if one.ip in default}

    def order(one: LocalAddress) -> tuple[bool, bool, bool, bool, bool, int]:
        return (
            one.virtual,
            one.interface not in interfaces,
            one.ip.version == 6,
            not any(one.ip in network for network in HOME_NETWORKS if network.version == one.ip.version),
            one.ip not in default,
            int(one.ip),
        )

    return tuple(sorted(usable.values(), key=order))
