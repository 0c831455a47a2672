from __future__ import annotations

import threading
from collections.abc import Iterator
from ipaddress import ip_address
from pathlib import Path

import pytest
from flask import Flask
from werkzeug.serving import make_server

from webapp import create_app
from webapp.server import addresses
from webapp.server.addresses import Address, AddressError, LocalAddress, NoAddress, Reach

WIFI = LocalAddress(ip_address("192.168.1.5"), "wlan0")
CABLE = LocalAddress(ip_address("10.0.0.7"), "eth0")
AT_WIFI = Address("http://192.168.1.5:8000", "wlan0")
AT_CABLE = Address("http://10.0.0.7:8000", "eth0")


class Network:
    """A network in which this computer has addresses, some of which lead to the server."""

    def __init__(self, *found: LocalAddress) -> None:
        self.found = found
        self.leading = {"http://192.168.1.5:8000/ready", "http://10.0.0.7:8000/ready"}
        self.asked: list[str] = []
        self.now = 1000.0

    def reach(self, given: str | None = None) -> Reach:
        """Return where phones reach a server in this network."""

        def ask(url: str) -> str | None:
            self.asked.append(url)
            return reach.token if url in self.leading else "another server"

        reach = Reach(given, find=lambda: self.found, ask=ask, clock=lambda: self.now)
        return reach

    def listening(self, host: str = "0.0.0.0") -> Reach:
        """Return the same for a server that listens."""
        reach = self.reach()
        reach.listen(host, 8000)
        return reach


@pytest.fixture
def answering(app: Flask) -> Iterator[str]:
    """Serve the application in a thread, and give its address without the port."""
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_all_addresses_that_answer_are_offered_in_their_order() -> None:
    """The likeliest comes first and is used until another is chosen; those of other servers are left out."""
    network = Network(WIFI, CABLE)
    reach = network.listening()
    assert reach.addresses() == (AT_WIFI, AT_CABLE)
    assert reach.best() == AT_WIFI
    assert reach.why_none() is None
    network.leading.remove("http://192.168.1.5:8000/ready")
    assert network.listening().addresses() == (AT_CABLE,)


def test_the_server_is_known_by_its_own_answer(
    app: Flask, answering: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without asking a proxy this process is recognized; another one, a closed port and nonsense are not."""
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    assert addresses.reach_of(app).answers(Address(answering))
    assert not Reach().answers(Address(answering))
    port = int(answering.rsplit(":", 1)[1])
    assert not addresses.reach_of(app).answers(Address(f"http://[::1]:{port}"))
    assert addresses.fetch("http://192.168.1.5:port/ready") is None


@pytest.mark.parametrize(
    ("host", "found", "why"),
    [
        ("127.0.0.1", (WIFI,), NoAddress.ONLY_HERE),
        ("::1", (WIFI,), NoAddress.ONLY_HERE),
        ("localhost", (WIFI,), NoAddress.ONLY_HERE),
        ("0.0.0.0", (), NoAddress.NO_NETWORK),
        (None, (WIFI,), NoAddress.UNKNOWN),
        ("192.168.1.9", (LocalAddress(ip_address("192.168.1.9"), "wlan0"),), NoAddress.NONE_ANSWERS),
    ],
)
def test_why_there_is_no_address_is_known(
    host: str | None, found: tuple[LocalAddress, ...], why: NoAddress
) -> None:
    """Four cases need four things to do; loopback is not even tried: a phone would find itself there."""
    network = Network(*found)
    reach = network.listening(host) if host else network.reach()
    assert reach.addresses() == ()
    assert reach.best() is None
    assert reach.why_none() is why
    assert bool(network.asked) is (why is NoAddress.NONE_ANSWERS)


def test_addresses_are_tried_anew_only_after_some_time() -> None:
    """A page that is loaded often asks its own server seldom, and sooner where nothing answered."""
    network = Network(WIFI)
    reach = network.listening()
    reach.addresses()
    reach.addresses()
    assert len(network.asked) == 1
    leading, network.leading = network.leading, set()
    network.now += addresses.FRESH_S
    assert reach.addresses() == ()
    network.leading = leading
    network.now += addresses.FRESH_WITHOUT_S
    assert reach.addresses() == (AT_WIFI,)
    assert len(network.asked) == 3


def test_a_change_of_the_network_is_noticed_at_once() -> None:
    """Somebody who connects the computer to the Wi-Fi and loads the page again sees the code."""
    network = Network()
    reach = network.listening()
    assert reach.addresses() == ()
    network.found = (WIFI,)
    assert reach.addresses() == (AT_WIFI,)


def test_nobody_waits_for_somebody_who_tries() -> None:
    """While one visitor has the addresses tried anew, the others get what was known before."""
    network = Network(WIFI)
    reach = network.listening()
    reach.addresses()
    network.now += addresses.FRESH_S
    network.leading.clear()
    with reach._trying:
        assert reach.addresses() == (AT_WIFI,)
    assert reach.addresses() == ()


def test_a_wanted_address_is_the_best_as_long_as_it_answers() -> None:
    """Only an address of this computer counts; while it is gone, the likeliest takes its place."""
    network = Network(WIFI, CABLE)
    reach = network.listening()
    wanted = ("http://elsewhere.example", AT_CABLE.url, AT_WIFI.url)
    assert reach.best(wanted[0]) == AT_WIFI
    assert reach.best(*wanted) == AT_CABLE
    network.found = (WIFI,)
    assert reach.best(*wanted) == AT_WIFI


@pytest.mark.parametrize(("scheme", "port"), [("http", 80), ("https", 443)])
def test_the_usual_port_is_not_written(scheme: str, port: int) -> None:
    """Browsers leave out the port that goes with the scheme, so the code does as well."""
    network = Network(WIFI)
    network.leading = {f"{scheme}://192.168.1.5/ready"}
    reach = network.reach()
    reach.listen("0.0.0.0", port, scheme)
    assert reach.addresses() == (Address(f"{scheme}://192.168.1.5", "wlan0"),)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("http://my-host.local:8000", "http://my-host.local:8000"),
        (" http://my-host.local:8000/ ", "http://my-host.local:8000"),
        ("HTTPS://Game.Example.com", "https://game.example.com"),
        ("https://game.example.com:443", "https://game.example.com"),
        ("http://laptop", "http://laptop"),
        ("http://192.168.1.5:8000", "http://192.168.1.5:8000"),
        ("http://[fd00::5]:8000", "http://[fd00::5]:8000"),
        ("http://bücher.example", "http://xn--bcher-kva.example"),
    ],
)
def test_addresses_that_a_person_names(text: str, wanted: str) -> None:
    """An address may be a name or a number, with or without a port."""
    assert addresses.parse(text) == wanted


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("my-host.local:8000", "is no address"),
        ("ftp://my-host.local", "is no address"),
        ("http://", "is no address"),
        ("http://my host", "is no address"),
        ("http://a..b", "is no address"),
        ("http://my-host:port", "is no address"),
        ("http://my-host:0", "is no address"),
        ("http://my-host:70000", "is no address"),
        ("http://300.1.1.1", "is no address"),
        ("http://[fd00::5", "is no address"),
        ("http://my-host/sagrada", "says too much"),
        ("http://my-host?a=b", "says too much"),
        ("http://my-host#a", "says too much"),
        ("http://me:secret@my-host", "says too much"),
        ("http://localhost:8000", "on itself"),
        ("http://page.localhost", "on itself"),
        ("http://127.0.0.1:8000", "on itself"),
        ("http://[::1]:8000", "on itself"),
        ("http://0.0.0.0:8000", "on itself"),
    ],
)
def test_what_is_no_address_for_phones_is_refused(text: str, why: str) -> None:
    """A slip of the pen is told when the program starts, not when a phone finds nothing."""
    with pytest.raises(AddressError, match=why):
        addresses.parse(text)


@pytest.mark.parametrize(
    ("visitor", "here"),
    [
        ("127.0.0.1", True),
        ("127.3.2.1", True),
        ("::1", True),
        ("::ffff:127.0.0.1", True),
        ("192.168.1.5", True),
        ("192.168.1.6", False),
        ("::ffff:192.168.1.6", False),
        ("", False),
        (None, False),
    ],
)
def test_who_sits_at_this_computer(monkeypatch: pytest.MonkeyPatch, visitor: str | None, here: bool) -> None:
    """Visitors from loopback and from an address of this computer sit here, others in the network do not."""
    monkeypatch.setattr(addresses, "local_addresses", lambda: (WIFI,))
    assert addresses.is_own(visitor) is here


@pytest.mark.parametrize("in_settings", [True, False])
def test_a_given_address_is_the_only_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, in_settings: bool
) -> None:
    """Whoever names one, in the settings or the environment, knows more than this computer can find out."""
    told = {"SAGRADA_ADDRESS": "http://sagrada.example/"}
    if not in_settings:
        monkeypatch.setenv("SAGRADA_ADDRESS", told.pop("SAGRADA_ADDRESS"))
    reach = addresses.reach_of(create_app({"TESTING": True, "SAGRADA_DATA": tmp_path, **told}))
    reach.listen("127.0.0.1", 8000)
    assert reach.addresses() == (Address("http://sagrada.example"),)
    assert reach.best() == Address("http://sagrada.example")
