from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
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
    """The likeliest address comes first and is used until somebody chooses another."""
    reach = Network(WIFI, CABLE).listening()
    assert reach.addresses() == (AT_WIFI, AT_CABLE)
    assert reach.chosen() == AT_WIFI
    assert reach.why_none() is None


def test_an_address_at_which_another_server_answers_is_not_offered() -> None:
    """Only what this very process says counts, not that something answers there."""
    network = Network(WIFI, CABLE)
    network.leading.remove("http://192.168.1.5:8000/ready")
    assert network.listening().addresses() == (AT_CABLE,)


def test_the_server_is_known_by_its_own_answer(app: Flask, answering: str) -> None:
    """Through a real connection this process is recognized, and another one on the same port would not be."""
    at_this_one = Address(answering)
    assert addresses.reach_of(app).answers(at_this_one)
    assert not Reach().answers(at_this_one)


def test_nothing_answers_where_nobody_listens(app: Flask, answering: str) -> None:
    """A closed port and an address that makes no sense are no error."""
    port = int(answering.rsplit(":", 1)[1])
    assert not addresses.reach_of(app).answers(Address(f"http://[::1]:{port}"))
    assert addresses.fetch("http://192.168.1.5:port/ready") is None


def test_no_proxy_is_asked_for_an_address_in_the_house(
    app: Flask, answering: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A proxy in the environment knows nothing of the house's network."""
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    assert addresses.reach_of(app).answers(Address(answering))


@pytest.mark.parametrize(
    ("host", "found", "why"),
    [
        ("127.0.0.1", (WIFI,), NoAddress.ONLY_HERE),
        ("::1", (WIFI,), NoAddress.ONLY_HERE),
        ("localhost", (WIFI,), NoAddress.ONLY_HERE),
        ("0.0.0.0", (), NoAddress.NO_NETWORK),
        ("192.168.1.9", (LocalAddress(ip_address("192.168.1.9"), "wlan0"),), NoAddress.NONE_ANSWERS),
    ],
)
def test_why_there_is_no_address_is_known(host: str, found: tuple[LocalAddress, ...], why: NoAddress) -> None:
    """Listening on loopback alone, no network, and nothing that answers are three different things to do."""
    reach = Network(*found).listening(host)
    assert reach.addresses() == ()
    assert reach.chosen() is None
    assert reach.why_none() is why


def test_loopback_is_never_tried() -> None:
    """A code for localhost would send a phone to itself, so not even the question is asked."""
    network = Network(WIFI)
    network.listening("127.0.0.1").addresses()
    assert network.asked == []


def test_a_server_that_did_not_say_where_it_listens_is_not_guessed_at() -> None:
    """Under another server the port is not known."""
    assert Network(WIFI).reach().why_none() is NoAddress.UNKNOWN


def test_addresses_are_tried_anew_only_after_some_time() -> None:
    """A page that is loaded often does not send requests to its own server each time."""
    network = Network(WIFI)
    reach = network.listening()
    reach.addresses()
    reach.addresses()
    assert len(network.asked) == 1
    network.now += addresses.FRESH_S
    reach.addresses()
    assert len(network.asked) == 2


def test_a_change_of_the_network_is_noticed_at_once() -> None:
    """Somebody who connects the computer to the Wi-Fi and loads the page again sees the code."""
    network = Network()
    reach = network.listening()
    assert reach.addresses() == ()
    network.found = (WIFI,)
    assert reach.addresses() == (AT_WIFI,)


def test_no_answer_is_soon_doubted() -> None:
    """When nothing answered, perhaps the server was only busy: the next try comes early."""
    network = Network(WIFI)
    network.leading.clear()
    reach = network.listening()
    assert reach.addresses() == ()
    network.leading.add("http://192.168.1.5:8000/ready")
    network.now += addresses.FRESH_WITHOUT_S
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


def test_the_chosen_address_stays_as_long_as_it_answers() -> None:
    """The choice holds for all pages; when the network changes, the likeliest address takes its place."""
    network = Network(WIFI, CABLE)
    reach = network.listening()
    assert reach.choose("http://10.0.0.7:8000")
    assert reach.chosen() == AT_CABLE
    network.found = (WIFI,)
    assert reach.chosen() == AT_WIFI
    network.found = (WIFI, CABLE)
    assert reach.chosen() == AT_CABLE


def test_only_an_address_that_answers_can_be_chosen() -> None:
    """Nobody can have the codes point elsewhere."""
    reach = Network(WIFI, CABLE).listening()
    assert not reach.choose("http://elsewhere.example")
    assert reach.chosen() == AT_WIFI


def test_a_given_address_is_the_only_one() -> None:
    """Whoever names an address knows more than this computer can find out."""
    reach = Network(WIFI).reach("http://my-host.local:8000/")
    reach.listen("127.0.0.1", 8000)
    assert reach.addresses() == (Address("http://my-host.local:8000"),)


def test_the_usual_port_is_not_written() -> None:
    """Browsers leave out port 80, so the code does as well."""
    network = Network(WIFI)
    network.leading = {"http://192.168.1.5/ready"}
    reach = network.reach()
    reach.listen("0.0.0.0", 80)
    assert reach.addresses() == (Address("http://192.168.1.5", "wlan0"),)


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
    """Visitors from loopback and from an address of this computer sit here, others in the house do not."""
    monkeypatch.setattr(addresses, "local_addresses", lambda: (WIFI,))
    assert addresses.is_own(visitor) is here


def told_in_settings(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Flask:
    """Make the application with an address in its settings."""
    return create_app({"TESTING": True, "SAGRADA_DATA": folder, "SAGRADA_ADDRESS": "http://sagrada.example"})


def told_in_the_environment(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Flask:
    """Make the application with an address in the environment."""
    monkeypatch.setenv("SAGRADA_ADDRESS", "http://sagrada.example")
    return create_app({"TESTING": True, "SAGRADA_DATA": folder})


@pytest.mark.parametrize("made", [told_in_settings, told_in_the_environment])
def test_the_address_of_a_page_for_phones(
    made: Callable[[Path, pytest.MonkeyPatch], Flask], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Under any server an address can be named, and pages get theirs from it."""
    reach = addresses.reach_of(made(tmp_path, monkeypatch))
    assert reach.addresses() == (Address("http://sagrada.example"),)
    assert reach.chosen() == Address("http://sagrada.example")


def test_a_page_has_no_address_when_phones_cannot_come(app: Flask) -> None:
    """Where nothing is known about the server there is no address rather than a wrong one."""
    assert addresses.reach_of(app).addresses() == ()
    assert addresses.reach_of(app).chosen() is None
