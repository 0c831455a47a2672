from __future__ import annotations

import errno
import io
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from ipaddress import ip_address
from pathlib import Path
from random import SystemRandom
from types import SimpleNamespace
from urllib.request import ProxyHandler, build_opener

import pytest

from tests.webapp.commands import sagrada
from tests.webapp.test_qr import Terminal, decoded, shown
from webapp.cli import serve
from webapp.cli.sagrada import main
from webapp.server import addresses
from webapp.server.addresses import LocalAddress, Reach
from webapp.server.listener import listeners

WIFI = LocalAddress(ip_address("192.168.1.5"), "wlan0")
CABLE = LocalAddress(ip_address("10.0.0.7"), "eth0")


def reach(
    *found: LocalAddress, given: str | None = None, answers: bool = True, host: str = "0.0.0.0"
) -> Reach:
    """Return where phones reach a server on port 8123 of a computer with these addresses."""
    made = Reach(given, find=lambda: found, ask=lambda _: made.token if answers else None)
    made.listen(host, 8123)
    return made


def told(made: Reach, stream: io.TextIOBase | None = None) -> list[str]:
    """Return what is printed for people with phones; into a file when nothing is said."""
    return list(serve.lines_for_phones(made, stream or io.StringIO()))  # type: ignore[arg-type]


@contextmanager
def served(folder: Path, *options: str) -> Iterator[Iterator[str]]:
    """Run ``sagrada serve`` on a free port, and give the lines that it prints."""
    port = free_port()
    command = [
        sys.executable,
        "-c",
        f"from webapp.cli.sagrada import main; main({['serve', '--port', port, *options]!r})",
    ]
    environment = {**os.environ, "SAGRADA_DATA": str(folder)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        try:
            yield iter(process.stdout.readline, "")
        finally:
            process.terminate()


def free_port() -> str:
    """Return a port on which nobody listens, and which no outgoing connection is given meanwhile.

    A port that the system chooses may go to the next connection of another test before the server
    listens: those ports lie above 32,767 on Linux and above 49,151 elsewhere.
    """
    for port in SystemRandom().sample(range(10_000, 32_000), 100):
        with suppress(OSError), socket.create_server(("", port)):
            return str(port)
    raise RuntimeError("none of 100 ports is free")


def test_phones_reach_the_address_that_is_printed(tmp_path: Path) -> None:
    """Started without options the page answers where it says, or says that there is no network."""
    with served(tmp_path) as lines:
        here, pin, phones, last = (next(lines).strip() for _ in range(4))
        assert re.fullmatch(r"Sagrada Companion: http://localhost:\d+", here)
        assert re.fullmatch(r"Administration: PIN \d{4} \d{4}", pin)
        if addresses.usable_here():
            found = re.fullmatch(r"On phones in the same network: (http://\S+)", phones)
            assert found
            with build_opener(ProxyHandler({})).open(found[1], timeout=60) as page:
                assert page.read().startswith(b"<!doctype html>")
        else:
            assert phones.startswith("No code for phones, because this computer is in no network")
        assert last == "Stop with Ctrl+C." or last.startswith("Other addresses")


def test_the_pin_stays_until_another_one_is_wanted(tmp_path: Path) -> None:
    """The next start prints the same; `--new-pin` prints another, which counts from then on."""
    pins = []
    for options in ([], [], ["--new-pin"], []):
        with served(tmp_path, *options) as lines:
            pins.append([next(lines) for _ in range(2)][1])
    first, again, other, last = pins
    assert first == again != other == last


def test_with_https_phones_are_led_there(tmp_path: Path) -> None:
    """The printed address is the one with https, and the fingerprint to compare stands below it."""
    port = free_port()
    with served(tmp_path, "--https", "--https-port", port) as lines:
        assert next(lines).startswith("Sagrada Companion: http://localhost:")
        assert next(lines).startswith("Administration: PIN ")
        told = next(lines).strip()
        if addresses.usable_here():
            assert re.fullmatch(rf"On phones in the same network: https://\S+:{port}", told)
            rest = [next(lines) for _ in range(2)]
            rest += [next(lines)] if rest[0].startswith("Other") else []
            assert re.search(r"SHA-256\): ([0-9A-F]{2}:){31}[0-9A-F]{2}$", rest[-1])
        else:
            assert told.startswith("No code for phones")


def test_a_terminal_shows_the_code_of_the_address() -> None:
    """A phone that looks at it opens the very address above the code; a file gets all addresses alone."""
    first, *lines = told(reach(WIFI), Terminal())
    assert first == "On phones in the same network: http://192.168.1.5:8123"
    assert decoded(shown(lines)) == "http://192.168.1.5:8123"
    other = "Other addresses, to choose on the page: http://10.0.0.7:8123 (eth0)"
    assert told(reach(WIFI, CABLE)) == [first, other]


@pytest.mark.parametrize(
    ("made", "says"),
    [
        (reach(WIFI, host="127.0.0.1"), "without --host"),
        (reach(), "connect it"),
        (reach(WIFI, answers=False), "--address"),
    ],
    ids=["only here", "no network", "nothing answers"],
)
def test_without_an_address_one_sentence_says_why_and_what_to_do(made: Reach, says: str) -> None:
    """There is never a code for an address at which phones find nothing."""
    (only,) = told(made, Terminal())
    assert says in only
    assert only.count(".") - only.count("0.0.0.0") * 3 == 1


def test_a_given_address_that_does_not_answer_is_shown_with_a_warning() -> None:
    """The person is taken at their word, but learns that this computer could not try it."""
    *_, last = told(reach(given="http://my-host.local:8000", answers=False), Terminal())
    assert "did not answer" in last
    assert told(reach(given="http://my-host.local:8000")) == [
        "On phones in the same network: http://my-host.local:8000"
    ]


@pytest.mark.parametrize("options", [["--address", "http://localhost:8000"], ["--address", "my-host.local"]])
def test_an_address_that_no_phone_can_use_is_wrong_usage(
    monkeypatch: pytest.MonkeyPatch, options: list[str]
) -> None:
    """The command ends at once with exit status 2 and names the option, or minds the environment alike."""
    result = sagrada("serve", *options)
    assert result.exit_code == 2
    assert "--address" in result.stderr
    monkeypatch.setenv("SAGRADA_ADDRESS", options[1])
    assert sagrada("serve").exit_code == 2


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "0.0.0.0", "*"])
def test_own_names_and_addresses_can_be_listened_on(host: str) -> None:
    """The check of the host lets every way of naming this computer through."""
    assert serve.host_is_here(host)


BOTH = [
    (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("0.0.0.0", 0)),
    (socket.AF_INET6, socket.SOCK_STREAM, 6, "", ("::", 0, 0, 0)),
]


def opened(monkeypatch: pytest.MonkeyPatch, refused: dict[int, int]) -> list[int]:
    """Note for which kinds of address a listener is opened; some are refused, with an error number each."""
    made: list[int] = []

    def create(_: object, *, family: int, **__: object) -> SimpleNamespace:
        if family in refused:
            raise OSError(refused[family], "refused")
        made.append(family)
        return SimpleNamespace(setblocking=lambda _: None, close=lambda: made.remove(family))

    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: BOTH)
    monkeypatch.setattr(socket, "create_server", create)
    return made


def test_the_page_is_served_with_both_kinds_of_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a choice of host phones come by IPv4 or IPv6, as their network has it."""
    (option,) = [one for one in main.commands["serve"].params if one.name == "host"]
    made = opened(monkeypatch, {})
    assert len(listeners(str(option.default), 0)) == 2
    assert made == [socket.AF_INET, socket.AF_INET6]


def test_a_computer_without_ipv6_serves_the_page_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kind of address that the system does not have is left out; with none at all it is said why."""
    made = opened(monkeypatch, {socket.AF_INET6: errno.EAFNOSUPPORT})
    assert len(listeners("*", 0)) == 1
    assert made == [socket.AF_INET]
    opened(monkeypatch, dict.fromkeys((socket.AF_INET, socket.AF_INET6), errno.EADDRNOTAVAIL))
    with pytest.raises(OSError, match="refused"):
        listeners("*", 0)


def test_a_port_that_is_taken_for_one_kind_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a server would send some phones to another program: nothing stays open."""
    made = opened(monkeypatch, {socket.AF_INET6: errno.EADDRINUSE})
    with pytest.raises(OSError, match="refused"):
        listeners("*", 0)
    assert made == []
