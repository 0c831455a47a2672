from __future__ import annotations

import socket
from ipaddress import ip_address
from types import SimpleNamespace

import psutil  # type: ignore[import-untyped]
import pytest

from webapp.server.addresses import LocalAddress, default_route, for_phones, local_addresses


def local(text: str, interface: str, *, virtual: bool = False) -> LocalAddress:
    """Return an address of this computer."""
    return LocalAddress(ip_address(text), interface, virtual)


WIFI = local("192.168.1.5", "wlan0")
CABLE = local("10.0.0.7", "eth0")
PUBLIC = local("198.51.100.7", "eth1")
WIFI_6 = local("fd00::5", "wlan0")
DOCKER = local("172.17.0.1", "docker0", virtual=True)
LOOPBACK = local("127.0.0.1", "lo")
LOOPBACK_6 = local("::1", "lo")
LINK = local("169.254.3.4", "eth0")
LINK_6 = local("fe80::1", "wlan0")


@pytest.mark.parametrize(
    ("found", "default", "wanted"),
    [
        ([LOOPBACK, LOOPBACK_6, WIFI], [WIFI], [WIFI]),
        ([LINK, LINK_6, WIFI], [WIFI], [WIFI]),
        ([LOOPBACK, LINK], [], []),
        ([CABLE, WIFI], [WIFI], [WIFI, CABLE]),
        ([WIFI, CABLE], [CABLE], [CABLE, WIFI]),
        ([WIFI_6, WIFI], [WIFI, WIFI_6], [WIFI, WIFI_6]),
        ([PUBLIC, CABLE], [], [CABLE, PUBLIC]),
        ([DOCKER, PUBLIC, WIFI], [WIFI], [WIFI, PUBLIC, DOCKER]),
        ([DOCKER, WIFI], [DOCKER], [WIFI, DOCKER]),
        ([WIFI, local("192.168.1.5", "wlan0")], [WIFI], [WIFI]),
        ([CABLE, local("192.168.56.1", "Ethernet 3")], [CABLE], [CABLE, local("192.168.56.1", "Ethernet 3")]),
        (
            [local("10.8.0.6", "OpenVPN"), CABLE],
            [local("10.8.0.6", "OpenVPN")],
            [CABLE, local("10.8.0.6", "OpenVPN")],
        ),
        (
            [PUBLIC, local("192.168.56.1", "Ethernet 3")],
            [PUBLIC],
            [PUBLIC, local("192.168.56.1", "Ethernet 3")],
        ),
    ],
    ids=[
        "no loopback",
        "no link-local",
        "nothing left",
        "default route first",
        "default route first, the other way round",
        "IPv4 first",
        "home networks before public ones",
        "virtual ones last",
        "a private tunnel that holds the default route is last all the same",
        "each once",
        "a network that this computer made itself is behind that of a router",
        "the network of a router before one that is only private",
        "without a network of a router the default route counts",
    ],
)
def test_the_likeliest_address_for_phones_comes_first(
    found: list[LocalAddress], default: list[LocalAddress], wanted: list[LocalAddress]
) -> None:
    """Phones are most likely in the network that leads to the world outside, and never behind loopback."""
    assert list(for_phones(found, {one.ip for one in default})) == wanted


@pytest.mark.parametrize(
    ("name", "tunnel"),
    [
        ("NordLynx", "10.5.0.2"),
        ("ProtonVPN", "10.2.0.2"),
        ("Radmin VPN", "26.12.13.14"),
        ("OpenVPN Data Channel Offload", "10.8.0.6"),
        ("CloudflareWARP", "172.16.0.2"),
        ("Mullvad", "10.64.0.7"),
        ("NetBird", "100.72.3.4"),
        ("Hamachi", "25.3.2.1"),
    ],
)
@pytest.mark.parametrize("home", ["192.168.1.5", "192.168.178.20", "10.0.0.12", "10.1.1.3"])
def test_the_network_of_a_home_is_told_by_its_addresses(name: str, tunnel: str, home: str) -> None:
    """A tunnel takes over the way to the world outside, and keeps away from what routers give out."""
    found = (local(tunnel, name), local(home, "Wi-Fi"))
    assert for_phones(found, {found[0].ip}) == found[::-1]


LINK_FAMILY = psutil.AF_LINK


def entry(family: int, address: str, mask: str | None = None) -> SimpleNamespace:
    """Return an address of an interface as the system lists it."""
    return SimpleNamespace(family=family, address=address, netmask=mask, broadcast=None, ptp=None)


@pytest.mark.parametrize(
    "tunnel",
    [
        [entry(socket.AF_INET, "192.168.9.2", "255.255.255.0")],
        [entry(socket.AF_INET, "192.168.9.2", "255.255.255.0"), entry(LINK_FAMILY, "00:00:00:00:00:00")],
        [entry(socket.AF_INET, "192.168.9.2", "255.255.255.255"), entry(LINK_FAMILY, "00-FF-1A-2B-3C-4D")],
        [entry(socket.AF_INET, "192.168.9.2", "255.255.255.252"), entry(LINK_FAMILY, "00-FF-1A-2B-3C-4D")],
    ],
    ids=["no card", "a card without number", "no room for others", "room for two"],
)
def test_a_tunnel_is_told_by_what_it_lacks(
    monkeypatch: pytest.MonkeyPatch, tunnel: list[SimpleNamespace]
) -> None:
    """Whatever it is called: without a network card, or without room for a phone, it is no home network."""
    card = [entry(LINK_FAMILY, "50-46-5D-8D-83-71"), entry(socket.AF_INET, "10.44.3.9", "255.255.255.0")]
    monkeypatch.setattr(psutil, "net_if_addrs", lambda: {"Anything": tunnel, "Wi-Fi": card})
    monkeypatch.setattr(psutil, "net_if_stats", dict)
    found = local_addresses()
    assert [(str(one.ip), one.virtual) for one in found] == [("192.168.9.2", True), ("10.44.3.9", False)]
    assert for_phones(found, {ip_address("192.168.9.2")})[0].interface == "Wi-Fi"


def interfaces(monkeypatch: pytest.MonkeyPatch, *listed: tuple[str, str, bool, str]) -> None:
    """Let the system list these interfaces: name, address, whether it is up, flags."""
    entries = {
        name: [SimpleNamespace(family=socket.AF_INET6 if ":" in text else socket.AF_INET, address=text)]
        for name, text, _, _ in listed
    }
    states = {name: SimpleNamespace(isup=up, flags=flags) for name, _, up, flags in listed}
    monkeypatch.setattr(psutil, "net_if_addrs", lambda: entries)
    monkeypatch.setattr(psutil, "net_if_stats", lambda: states)


@pytest.mark.parametrize(
    ("name", "flags", "virtual"),
    [
        ("wlan0", "up,broadcast", False),
        ("en0", "", False),
        ("Wi-Fi", "", False),
        ("Ethernet 2", "", False),
        ("br0", "up", False),
        ("docker0", "up,broadcast", True),
        ("br-0123456789ab", "up", True),
        ("vEthernet (WSL)", "", True),
        ("VirtualBox Host-Only Network", "", True),
        ("VMware Network Adapter VMnet8", "", True),
        ("utun3", "", True),
        ("tailscale0", "", True),
        ("work", "up,pointopoint", True),
    ],
)
def test_networks_without_phones_are_told_by_their_names(
    monkeypatch: pytest.MonkeyPatch, name: str, flags: str, virtual: bool
) -> None:
    """Containers, virtual machines and tunnels are known on each system, and no wireless or cable is."""
    interfaces(monkeypatch, (name, "192.168.1.5", True, flags))
    assert local_addresses() == (local("192.168.1.5", name, virtual=virtual),)


def test_interfaces_that_are_off_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cable that is not plugged in keeps its address, but nobody gets in there."""
    interfaces(monkeypatch, ("eth0", "10.0.0.7", False, ""), ("wlan0", "192.168.1.5", True, ""))
    assert local_addresses() == (WIFI,)


def test_zones_and_other_kinds_of_addresses_do_not_disturb(monkeypatch: pytest.MonkeyPatch) -> None:
    """IPv6 addresses come with the name of their interface, and network cards with their own numbers."""
    entries = [
        SimpleNamespace(family=socket.AF_INET6, address="fe80::1%wlan0"),
        SimpleNamespace(family=-1, address="02:00:00:00:00:01"),
    ]
    monkeypatch.setattr(psutil, "net_if_addrs", lambda: {"wlan0": entries})
    monkeypatch.setattr(psutil, "net_if_stats", dict)
    assert local_addresses() == (LINK_6,)


def test_a_system_that_lists_nothing_still_tells_the_default_route(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where programs may not list the interfaces, the way to the world outside is enough."""

    def refused() -> None:
        raise PermissionError

    monkeypatch.setattr(psutil, "net_if_addrs", refused)
    monkeypatch.setattr("webapp.server.addresses.default_route", lambda: frozenset({WIFI.ip}))
    assert local_addresses() == (local("192.168.1.5", ""),)


def test_the_default_route_is_one_of_the_addresses_here() -> None:
    """What the system chooses to speak from is listed by it, too; loopback is always there."""
    ips = {one.ip for one in local_addresses()}
    assert default_route() <= ips
    assert ip_address("127.0.0.1") in ips


@pytest.mark.parametrize(("text", "host"), [("192.168.1.5", "192.168.1.5"), ("fd00::5", "[fd00::5]")])
def test_an_address_is_written_as_urls_have_it(text: str, host: str) -> None:
    """IPv6 stands in brackets, so that the port can be told apart."""
    assert local(text, "wlan0").host == host
