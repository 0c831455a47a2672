"""Where phones reach this server: its addresses, tried out.

An address is offered only after this very server answered through it. That shows that it listens there and
that no other program does; whether a firewall lets phones in can only be seen from a phone.
"""

from __future__ import annotations

import os
import re
import secrets
import socket
import ssl
import threading
import time
from collections.abc import Callable, Collection, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import Enum
from http.client import HTTPException
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any, cast
from urllib.parse import urlsplit
from urllib.request import HTTPSHandler, ProxyHandler, build_opener

import psutil  # type: ignore[import-untyped]
from flask import Flask

from scoring.errors import SagradaError
from scoring.sentences import english

IP = IPv4Address | IPv6Address
# Endings of names in a home network: RFC 6762 and its appendix G, RFC 6761, RFC 8375.
LOCAL_ENDINGS = (
    *(".corp", ".home", ".home.arpa", ".internal", ".intranet", ".lan", ".local", ".localdomain"),
    *(".localhost", ".private"),
)
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


HOME_NETWORKS = tuple(
    ip_network(text) for text in ("192.168.0.0/16", "10.0.0.0/8", "172.16.0.0/12", "fc00::/7")
)
# What routers give out in homes as they are bought, and an iPhone that shares its connection. Tunnels keep
# away from these, so that they can be used from any home.
OF_ROUTERS = tuple(
    ip_network(text) for text in ("192.168.0.0/16", "10.0.0.0/23", "10.1.1.0/24", "172.20.10.0/28")
)
FEWEST_DEVICES = 29  # bits of a mask: in a smaller network than this there is nobody but this computer
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
    hardware = {name for name, entries in interfaces.items() if any(map(_is_card, entries))}
    found: list[LocalAddress] = []
    for name, entries in interfaces.items():
        state = states.get(name)
        if state is not None and not state.isup:
            continue
        # A tunnel has no number of a network card, where the system tells those at all.
        virtual = bool(VIRTUAL.match(name)) or "pointopoint" in getattr(state, "flags", "")
        virtual = virtual or (bool(hardware) and name not in hardware)
        for one in entries:
            ip = plain_ip(one.address) if one.family in {socket.AF_INET, socket.AF_INET6} else None
            if ip is not None:
                found.append(LocalAddress(ip, name, virtual or _is_alone(ip, one)))
    return tuple(found)


def _is_card(entry: Any) -> bool:  # noqa: ANN401  psutil has no types
    """Tell whether this is the number of a network card."""
    return entry.family == psutil.AF_LINK and bool(re.sub("[0:-]", "", entry.address or ""))


def _is_alone(ip: IP, entry: Any) -> bool:  # noqa: ANN401  psutil has no types
    """Tell whether the network of an address has no room for phones, as that of a tunnel."""
    mask = getattr(entry, "netmask", None)
    if ip.version == 6 or ip.is_loopback or not mask:
        return False
    return ip_network((ip, mask), strict=False).prefixlen > FEWEST_DEVICES


def is_own(address: str | None) -> bool:
    """Tell whether ``address`` is one of this computer's."""
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
    """Return those of this computer's addresses that a phone may reach, the likeliest first.

    ``default`` are those on the way to the world outside: the home network is there, if no tunnel is.
    """
    usable = {one.ip: one for one in addresses if not one.ip.is_loopback and not one.ip.is_link_local}
    interfaces = {one.interface for one in usable.values() if one.ip in default}
    like_home: dict[str, int] = {}
    for one in usable.values():
        like_home[one.interface] = max(like_home.get(one.interface, 0), _like_home(one.ip))

    def order(one: LocalAddress) -> tuple[bool, int, bool, bool, bool, bool, int]:
        return (
            one.virtual,
            -like_home[one.interface],
            one.interface not in interfaces,
            one.ip.version == 6,
            not any(one.ip in network for network in HOME_NETWORKS if network.version == one.ip.version),
            one.ip not in default,
            int(one.ip),
        )

    return tuple(sorted(usable.values(), key=order))


def _like_home(ip: IP) -> int:
    """Return how much an address looks like one in a home: 2, 1 or 0.

    The way to the world outside says less: a tunnel takes it over. Where this computer has the first address
    of a network it made that network itself, mostly for its virtual machines.
    """
    if ip.version == 6 or ip.packed[-1] == 1:
        return 0
    if any(ip in network for network in OF_ROUTERS):
        return 2
    return int(any(ip in network for network in HOME_NETWORKS))


HTTPS = "sagrada_https"


@dataclass(frozen=True)
class Https:
    """The page as it is served with https, beside plain http.

    ``certificate`` is the authority of this computer (DER), None when a person brought a certificate of their
    own; ``fingerprint`` is its SHA-256, for people to compare.
    """

    port: int
    certificate: bytes | None = None
    fingerprint: str | None = None

    def address(self, host: str) -> str:
        """Return the address of the page on a host, which is written as in a URL.

        Examples
        --------
        >>> Https(8443).address("192.168.1.5"), Https(443).address("laptop.local")
        ('https://192.168.1.5:8443', 'https://laptop.local')
        """
        return f"https://{host}" + ("" if self.port == 443 else f":{self.port}")


def switch_on(app: Flask, https: Https) -> None:
    """Let the pages of ``app`` know that they are served with https."""
    app.extensions[HTTPS] = https


def https_of(app: Flask) -> Https | None:
    """Return how ``app`` is served with https, None when it is not."""
    return cast("Https | None", app.extensions.get(HTTPS))


REACH = "sagrada_reach"
READY = "/ready"
EXAMPLE = "http://my-host.local:8000"
USUAL = {"http": 80, "https": 443}
MOST = 6  # a computer with more addresses than this has virtual ones, which come last
AT_A_TIME = 3  # each try takes a thread of the server, which has other things to do as well
PATIENCE_S = 3.0  # it is this computer itself that answers
FRESH_S = 30.0
FRESH_WITHOUT_S = 2.0  # nothing answered: perhaps the server was only busy


class NoAddress(Enum):
    """Why there is no address for phones."""

    UNKNOWN = "unknown"
    """Another program than ``sagrada serve`` serves the page and did not say where."""
    ONLY_HERE = "only_here"
    NO_NETWORK = "no_network"
    NONE_ANSWERS = "none_answers"


class AddressError(SagradaError):
    """What was given with ``--address`` is no address for phones (``bad_address``)."""


@dataclass(frozen=True)
class Address:
    """An address of the page, such as ``http://192.168.1.5:8000``; a person named it without an interface."""

    url: str
    interface: str = ""


@dataclass(frozen=True)
class _Tried:
    """Which addresses there were, which of them answered, and when."""

    local: tuple[LocalAddress, ...]
    answering: tuple[Address, ...]
    when: float

    def holds(self, local: tuple[LocalAddress, ...], now: float) -> bool:
        age = FRESH_S if self.answering else FRESH_WITHOUT_S
        return self.local == local and now - self.when < age


def usable_here() -> tuple[LocalAddress, ...]:
    """Return the addresses of this computer that phones may reach, the likeliest first."""
    return for_phones(local_addresses(), default_route())


def fetch(url: str) -> str | None:
    """Return the short text at ``url``, None when nothing answers; no proxy stands in between.

    Who answers with our token is us, whatever the certificate says.
    """
    anybody = HTTPSHandler(context=ssl._create_unverified_context())  # noqa: S323, SLF001
    try:
        with build_opener(ProxyHandler({}), anybody).open(url, timeout=PATIENCE_S) as answer:
            return cast("bytes", answer.read(200)).decode("ascii", "replace")
    except (OSError, HTTPException, ValueError):
        return None


class Reach:
    """Where phones reach one application.

    The address ``given`` by a person is taken at its word and the only one that is offered.
    """

    def __init__(
        self,
        given: str | None = None,
        *,
        find: Callable[[], tuple[LocalAddress, ...]] = usable_here,
        ask: Callable[[str], str | None] = fetch,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.given = None if given is None else Address(parse(given))
        self.token = secrets.token_urlsafe(16)
        """What this process answers at `READY`, so that no other server is taken for it."""
        self._find, self._ask, self._clock = find, ask, clock
        self._listening: tuple[str, int] | None = None
        self._scheme = "http"
        self._tried: _Tried | None = None
        self._trying = threading.Lock()

    @property
    def port(self) -> int | None:
        """The port the server listens on, None when nobody said."""
        return None if self._listening is None else self._listening[1]

    def listen(self, host: str, port: int, scheme: str = "http") -> None:
        """Note where the server listens for phones."""
        self._listening = (host, port)
        self._scheme = scheme
        self._tried = None

    def answers(self, address: Address) -> bool:
        """Tell whether this very server answers at ``address``."""
        return self._ask(address.url + READY) == self.token

    def addresses(self) -> tuple[Address, ...]:
        """Return the addresses that phones can use, the likeliest first."""
        if self.given is not None:
            return (self.given,)
        if self._listening is None or only_here(self._listening[0]):
            return ()
        return self._newest(self._find(), self._listening[1]).answering

    def why_none(self) -> NoAddress | None:
        """Return why `addresses` is empty, None when it is not."""
        if self.addresses():
            return None
        if self._listening is None:
            return NoAddress.UNKNOWN
        if only_here(self._listening[0]):
            return NoAddress.ONLY_HERE
        return NoAddress.NONE_ANSWERS if self._find() else NoAddress.NO_NETWORK

    def best(self, *wanted: str) -> Address | None:
        """Return the first one ``wanted`` that is one of `addresses`, else the likeliest."""
        known = {one.url: one for one in self.addresses()}
        return next((known[url] for url in (*wanted, *known) if url in known), None)

    def _newest(self, local: tuple[LocalAddress, ...], port: int) -> _Tried:
        tried = self._tried
        if tried is not None and tried.holds(local, self._clock()):
            return tried
        # Who waits here keeps a thread of the server from answering the one who tries: only the first time.
        if not self._trying.acquire(blocking=tried is None):
            return cast("_Tried", tried)
        try:
            tried = self._tried
            if tried is None or not tried.holds(local, self._clock()):
                tried = self._tried = self._try(local, port)
            return tried
        finally:
            self._trying.release()

    def _try(self, local: tuple[LocalAddress, ...], port: int) -> _Tried:
        end = "" if port == USUAL[self._scheme] else f":{port}"
        addresses = [Address(f"{self._scheme}://{one.host}{end}", one.interface) for one in local[:MOST]]
        with ThreadPoolExecutor(AT_A_TIME) as pool:
            answers = list(pool.map(self.answers, addresses))
        answering = tuple(one for one, answered in zip(addresses, answers, strict=True) if answered)
        return _Tried(local, answering, self._clock())


def only_here(host: str) -> bool:
    """Tell whether a server that listens on ``host`` can be reached from this computer alone.

    Examples
    --------
    >>> only_here("127.0.0.1"), only_here("localhost"), only_here("0.0.0.0"), only_here("laptop")
    (True, True, False, False)
    """
    ip = plain_ip(host)
    return _is_localhost(host) if ip is None else ip.is_loopback


def parse(text: str) -> str:
    """Return the address that a person named, without what browsers leave out; raise an `AddressError`.

    Examples
    --------
    >>> parse("HTTP://My-Host.local:8000/")
    'http://my-host.local:8000'
    """
    try:
        parts = urlsplit(text.strip())
        host, port = parts.hostname or "", parts.port
        if ":" not in host:
            host = host.encode("idna").decode("ascii")
    except ValueError as error:  # a port that is no number, brackets without an address, a name too long
        raise _no_address(text) from error
    if parts.scheme not in USUAL or not _is_host(host) or port == 0:
        raise _no_address(text)
    if parts.path not in {"", "/"} or parts.query or parts.fragment or "@" in parts.netloc:
        raise AddressError(
            "bad_address",
            english("{address} says too much.", address=text),
            english("Only the beginning is needed, such as {example}.", example=EXAMPLE),
        )
    ip = plain_ip(host)
    if _is_localhost(host) or (ip is not None and (ip.is_loopback or ip.is_unspecified)):
        raise AddressError(
            "bad_address",
            english("With {address} a phone would look for the page on itself.", address=text),
            english("Name this computer, such as {example}.", example=EXAMPLE),
        )
    place = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{place}" + ("" if port in {None, USUAL[parts.scheme]} else f":{port}")


def _no_address(text: str) -> AddressError:
    what = english("{address} is no address.", address=text)
    return AddressError("bad_address", what, english("Write it like {example}.", example=EXAMPLE))


def _is_localhost(host: str) -> bool:
    name = host.lower().rstrip(".")
    return name == "localhost" or name.endswith(".localhost")


def _is_host(host: str) -> bool:
    labels = host.rstrip(".").split(".")
    named = all(label and label.replace("-", "").replace("_", "").isalnum() for label in labels)
    return plain_ip(host) is not None or (named and not labels[-1].isdigit())


# --- of the application at work --------------------------------------------------------------------


def register(app: Flask) -> None:
    """Prepare ``app``; ``SAGRADA_ADDRESS``, a setting or in the environment, names the address for phones."""
    given = app.config.get("SAGRADA_ADDRESS") or os.environ.get("SAGRADA_ADDRESS") or None
    app.extensions[REACH] = Reach(given)


def reach_of(app: Flask) -> Reach:
    """Return where phones reach ``app``."""
    return cast("Reach", app.extensions[REACH])
