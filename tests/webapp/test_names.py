"""Names that routers give to this computer, without asking any router."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from ipaddress import ip_address

import pytest
from flask.testing import FlaskClient

from webapp.http.security import is_safe_name
from webapp.server import addresses, names
from webapp.server.addresses import LocalAddress
from webapp.server.names import FRESH_S, Names

HERE, ELSEWHERE = "192.168.178.20", "192.168.178.21"


class Router:
    """What tells where names lead; ``asked`` are those that it was asked for."""

    def __init__(self, **leading: str) -> None:
        self.leading = {name.replace("_", "."): place for name, place in leading.items()}
        self.asked: list[str] = []
        self.now = 1000.0

    def names(self, full_name: str = "laptop") -> Names:
        """Return what the server knows of names in the network of this router."""
        return Names(resolve=self.resolve, full_name=lambda: full_name, clock=lambda: self.now)

    def resolve(self, name: str) -> list[str]:
        """Return where a name leads."""
        self.asked.append(name)
        if name not in self.leading:
            raise socket.gaierror
        return [self.leading[name]]


@pytest.fixture(autouse=True)
def this_computer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this computer be called ``laptop``, in a home network."""
    monkeypatch.setattr(socket, "gethostname", lambda: "Laptop")
    monkeypatch.setattr(addresses, "local_addresses", lambda: (LocalAddress(ip_address(HERE), "wlan0"),))


ISPS = ("pc_speedport_ip", "pc_attlocal_net")


@pytest.mark.parametrize(
    ("host", "safe"),
    [
        ("pc.fritz.box", True),
        ("PC.Fritz.Box:8000", True),
        ("pc.mshome.net:8000", True),
        ("tv.fritz.box", False),
        ("pc.speedport.ip", True),
        ("pc.attlocal.net", True),
        ("gone.fritz.box", False),
        ("pc.myfritz.net", False),
        ("pc.fritz.box.example.com", False),
        ("evilfritz.box", False),
        ("rebound.example.com", False),
        ("laptop.example.com", False),
        ("laptop.isp.example", True),
        ("laptop.lan", True),
        ("laptop.home.arpa", True),
        ("LAPTOP.lan.:8000", True),
        ("[fe80::1]:8000", True),
        (".lan", False),
        ("a..lan", False),
        ("evil.com@pc.lan", False),
        ("[::1].evil.com", False),
        ("evil%2ecom", False),
        ("evil\u3002com", False),
    ],
)
def test_a_name_of_a_router_opens_the_page_where_it_leads_here(host: str, safe: bool) -> None:
    """It leads here, and is below the ending of a maker of routers or the full name of this computer.

    That a name leads here is not enough: so does that of a stranger who rebinds it.
    """
    router = Router(
        **dict.fromkeys(["pc_fritz_box", "pc_mshome_net", "pc_myfritz_net", "evilfritz_box", *ISPS], HERE),
        **dict.fromkeys(["rebound_example_com", "laptop_example_com", "laptop_isp_example"], HERE),
        tv_fritz_box=ELSEWHERE,
    )
    assert is_safe_name(host, names=router.names(full_name="Laptop.isp.example")) is safe


def test_the_page_opens_under_the_name_that_a_router_gives(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A phone that types the name it finds in the router gets the page, and another computer's does not."""
    router = Router(pc_fritz_box=HERE, tv_fritz_box=ELSEWHERE)
    found = socket.AF_INET, socket.SOCK_STREAM, 0, ""
    monkeypatch.setattr(
        socket, "getaddrinfo", lambda name, *_, **__: [(*found, (one, 0)) for one in router.resolve(name)]
    )
    assert client.get("/", headers={"Host": "pc.fritz.box:8000"}).status_code == 200
    assert client.get("/", headers={"Host": "tv.fritz.box:8000"}).status_code == 421


def test_strangers_names_are_not_looked_up() -> None:
    """A page of the world outside cannot make this computer ask for names."""
    router = Router()
    known = router.names()
    assert not any(map(known.lead_here, ("game.example.com", "desktop.example.com", "fritz.box", "")))
    assert router.asked == []


def test_a_name_is_looked_up_once_a_minute() -> None:
    """A page with all its parts asks once; where the name leads now counts a minute later."""
    router = Router(pc_fritz_box=HERE)
    known = router.names()
    assert [known.lead_here("pc.fritz.box") for _ in range(5)] == [True] * 5
    assert router.asked == ["pc.fritz.box"]
    router.leading["pc.fritz.box"] = ELSEWHERE
    router.now += FRESH_S
    assert not known.lead_here("pc.fritz.box")


@pytest.fixture
def hanging(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Let look-ups hang until the event is set, and nobody wait for them."""
    monkeypatch.setattr(names, "PATIENCE_S", 0.0)
    answer = threading.Event()
    yield answer
    answer.set()


def test_few_names_are_looked_up_at_a_time(hanging: threading.Event) -> None:
    """Whoever makes up names keeps two look-ups busy at most: while they hang, others are refused."""
    router = Router(**{f"pc{number}_fritz_box": HERE for number in range(9)})

    def slow(name: str) -> list[str]:
        router.asked.append(name)
        hanging.wait()
        return []

    known = Names(resolve=slow, full_name=lambda: "laptop")
    assert not any(known.lead_here(f"pc{number}.fritz.box") for number in range(9))
    assert len(router.asked) <= names.AT_A_TIME
