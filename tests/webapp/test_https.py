"""The page with https: its server, what it asks of phones, and how they get there."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection, HTTPResponse, HTTPSConnection
from ipaddress import ip_address
from pathlib import Path

import click
import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.webapp.commands import refusal, sagrada
from tests.webapp.quick import furnished
from tests.webapp.test_join import ELSEWHERE, put
from tests.webapp.test_serve import free_port
from webapp import create_app
from webapp.cli import serve as secure
from webapp.server import addresses
from webapp.server.addresses import LocalAddress
from webapp.server.certificate import Authority, Certificate, Pair, fingerprint
from webapp.server.limits import Limits
from webapp.server.listener import HANDSHAKE, listeners
from webapp.server.serving import PageServer, Running

WIFI = LocalAddress(ip_address("192.168.1.5"), "wlan0")
PLAIN = "http://localhost:8000"
BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    """Return an authority of a test."""
    return Authority(tmp_path / "https", host="laptop")


@pytest.fixture
def port(app: Flask, authority: Authority) -> Iterator[int]:
    """Serve the application with https, and give the port."""
    number = int(free_port())
    server = Running(PageServer(app, listeners("127.0.0.1", number, Certificate(authority.pair([])))))
    yield number
    server.stop()


def trusting(authority: Authority) -> ssl.SSLContext:
    """Return what a phone brings that trusts the authority."""
    return ssl.create_default_context(cadata=authority.certificate)


def asked(port: int, authority: Authority, method: str, path: str) -> HTTPResponse:
    """Ask the server something with https."""
    line = HTTPSConnection("localhost", port, context=trusting(authority), timeout=20)
    line.request(method, path)
    answer = line.getresponse()
    answer.read()
    line.close()
    return answer


def switched_on(app: Flask, authority: Authority) -> None:
    """Let the application know that it is served with https."""
    told = authority.certificate
    addresses.switch_on(app, addresses.Https(8443, told, fingerprint(told)))


# --- The server --------------------------------------------------------------------------------------


def test_the_page_comes_with_https(port: int, authority: Authority) -> None:
    """A phone that trusts gets the page and secure cookies, and no HSTS: the next start may be without."""
    page = asked(port, authority, "GET", "/")
    assert (page.status, page.headers["Strict-Transport-Security"]) == (200, None)
    cookie = asked(port, authority, "POST", "/by-hand").headers["Set-Cookie"]
    assert cookie.endswith("; Secure")


def test_behind_a_proxy_with_https_cookies_need_it_too(tmp_path: Path, client: FlaskClient) -> None:
    """Who came by the address with https that was named gets cookies for it; others get plain ones."""
    made = create_app({"SAGRADA_DATA": furnished(tmp_path), "SAGRADA_ADDRESS": "https://game.example.com"})
    there = made.test_client().post("/by-hand", headers={"Host": "game.example.com"})
    assert there.headers["Set-Cookie"].endswith("; Secure")
    for plain in (made.test_client(), client):
        assert "Secure" not in plain.post("/by-hand").headers["Set-Cookie"]


def test_who_does_not_trust_it_does_no_harm(port: int, authority: Authority) -> None:
    """A phone that refuses the certificate is refused nothing else, and others are answered."""
    with socket.create_connection(("127.0.0.1", port)) as line, pytest.raises(ssl.SSLError):
        ssl.create_default_context().wrap_socket(line, server_hostname="localhost")
    assert asked(port, authority, "GET", "/ready").status == 200


def test_silent_connections_keep_nobody_waiting(port: int, authority: Authority) -> None:
    """Browsers open connections that they may never use; more of them than threads are no hindrance."""
    silent = [socket.create_connection(("127.0.0.1", port)) for _ in range(Limits().threads + 5)]
    half = [socket.create_connection(("127.0.0.1", port)) for _ in range(Limits().threads + 5)]
    for one in half:
        one.sendall(HANDSHAKE)  # and nothing more: the handshake of a phone that walked away
    assert asked(port, authority, "GET", "/ready").status == 200
    for one in (*silent, *half):
        one.close()


def test_who_forgets_the_s_is_led_on(port: int) -> None:
    """Plain http at the port of https leads to the same page with https."""
    line = HTTPConnection("localhost", port, timeout=20)
    line.request("GET", "/g/K7M2QX?lang=fr")
    answer = line.getresponse()
    assert (answer.status, answer.headers["Location"]) == (307, f"https://localhost:{port}/g/K7M2QX?lang=fr")
    line.close()


def test_another_network_brings_another_certificate(app: Flask, tmp_path: Path) -> None:
    """When the computer moves to another Wi-Fi, phones there are not warned of a wrong name."""
    here = Authority(tmp_path, host="laptop")
    stale = here.pair([WIFI])
    wrong = Pair(stale.certificate, stale.key, frozenset({"192.168.1.5"}), stale.until)
    renewed = []

    def renew() -> Pair:
        renewed.append(here.pair([WIFI]))
        return renewed[-1]

    number = int(free_port())
    server = Running(PageServer(app, listeners("127.0.0.1", number, Certificate(wrong, renew))))
    for _ in range(2):
        assert asked(number, here, "GET", "/ready").status == 200
    server.stop()
    assert len(renewed) == 1


def test_a_taken_port_is_told(app: Flask, authority: Authority) -> None:
    """The command ends with the port, the reason and another option to try."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        made = secure.Secure(taken.getsockname()[1], authority.pair([]))
        with pytest.raises(click.ClickException, match=r"in use.*--https-port"):
            made.listeners(app, "127.0.0.1")


# --- A certificate of one's own ----------------------------------------------------------------------


@pytest.fixture
def files(authority: Authority, tmp_path: Path) -> tuple[Path, Path]:
    """Return a certificate and its key in two files."""
    content = authority.pair([WIFI]).certificate.read_bytes()
    at = content.index(b"-----BEGIN CERTIFICATE")
    certificate, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    certificate.write_bytes(content[at:])
    key.write_bytes(content[:at])
    return certificate, key


def test_ones_own_files_are_taken(files: tuple[Path, Path]) -> None:
    """No authority is offered to phones then, and their address is one that the certificate names."""
    made = secure.with_files(443, *files)
    assert made.certificate is None
    assert made.address == "https://laptop"


def test_files_that_hold_something_else_are_refused(files: tuple[Path, Path], tmp_path: Path) -> None:
    """Two files that do not belong together, or are none, are noticed before anything is served, by name."""
    other = Authority(tmp_path / "other").pair([]).certificate
    assert "is not the key of" in refusal("serve", "--cert", files[0], "--key", other)
    for wrong, broken in (("key", files[1]), ("cert", files[0])):
        broken.write_text("hello")
        told = refusal("serve", "--cert", files[0], "--key", files[1])
        assert f"--{wrong}" in told
        assert "PEM file" in told


@pytest.mark.parametrize(("days", "says"), [(400, "expired on"), (-3, "valid from")])
def test_a_certificate_out_of_its_time_is_refused(files: tuple[Path, Path], days: int, says: str) -> None:
    """The message says when it ended or begins, and what to do."""
    with pytest.raises(click.BadParameter, match=says):
        secure.with_files(8443, *files, now=datetime.now(UTC) + timedelta(days=days))


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--cert", __file__], "give both --cert and --key"),
        (["--cert", "no.pem", "--key", "no.pem"], "--cert"),
        (["--https", "--port", "8443"], "Choose another --https-port"),
        (["--https", "--address", "http://my-host.local:8000"], "https://my-host.local:8000"),
        (["--https", "--address", "https://game.example.com"], "--cert and --key"),
    ],
)
def test_wrong_options_are_refused_with_a_way_out(tmp_path: Path, options: list[str], says: str) -> None:
    """Exit status 2, and the sentence names what to give instead."""
    assert says in refusal("serve", *options, data=tmp_path)


def test_a_folder_that_cannot_be_used_is_told(tmp_path: Path) -> None:
    """Where the certificate cannot be kept, the command names the folder and ends with status 1."""
    (tmp_path / "https").write_text("in the way")
    result = sagrada("serve", "--https", data=tmp_path)
    assert result.exit_code == 1
    assert "Make that folder writable" in " ".join(result.stderr.split())


# --- The pages ---------------------------------------------------------------------------------------


def test_a_phone_without_https_is_led_to_what_comes_next(
    app: Flask, client: FlaskClient, authority: Authority
) -> None:
    """It gets a page that says what it will be asked, and from there to the page that it wanted."""
    switched_on(app, authority)
    found = client.get("/g/K7M2QX", headers={**BROWSER, "Host": "192.168.1.5:8000"}, environ_base=ELSEWHERE)
    assert (found.status_code, found.location) == (307, "/https?to=/g/K7M2QX")
    page = client.get(found.location, headers={**BROWSER, "Host": "192.168.1.5:8000"}, environ_base=ELSEWHERE)
    assert 'href="https://192.168.1.5:8443/g/K7M2QX"' in page.get_data(as_text=True)


def test_nobody_else_is_led_away(app: Flask, client: FlaskClient, authority: Authority) -> None:
    """The host at the computer, programs, styles, the page about it and whoever has https stay there."""
    switched_on(app, authority)
    for url, path, base, headers in (
        (PLAIN, "/", {}, BROWSER),
        ("https://localhost:8443", "/", ELSEWHERE, BROWSER),
        (PLAIN, "/windows.json", ELSEWHERE, {}),
        (PLAIN, "/static/base.css", ELSEWHERE, BROWSER),
        (PLAIN, "/https", ELSEWHERE, BROWSER),
    ):
        with client.get(path, base_url=url, environ_base=base, headers=headers) as answer:
            assert answer.status_code == 200, (url, path)


def test_the_page_about_https_asks_of_phones_what_is_needed(
    app: Flask, client: FlaskClient, authority: Authority
) -> None:
    """It says how to switch https on, then hands out the certificate, or nothing where phones know it."""
    page = client.get("/https").get_data(as_text=True)
    assert "make run HTTPS=1" in page
    assert "sagrada-companion.crt" not in page
    assert client.get("/https/sagrada-companion.crt").status_code == 404
    switched_on(app, authority)
    answer = client.get("/https/sagrada-companion.crt", environ_base=ELSEWHERE)
    assert answer.mimetype == "application/x-x509-ca-cert"
    assert answer.data == authority.certificate
    page = client.get("/https").get_data(as_text=True).replace("<wbr>", "")
    assert fingerprint(authority.certificate) in page
    addresses.switch_on(app, addresses.Https(8443))
    page = client.get("/https").get_data(as_text=True)
    assert 'href="https://localhost:8443/"' in page
    assert "fingerprint" not in page


@pytest.mark.parametrize("path", ["//elsewhere.example", "https://elsewhere.example", "/\\elsewhere"])
def test_the_way_on_does_not_leave_the_site(app: Flask, client: FlaskClient, path: str) -> None:
    """Nobody can make the page lead to another site."""
    addresses.switch_on(app, addresses.Https(8443))
    assert client.get("/https", query_string={"to": path}).status_code == 400


def test_codes_lead_to_https(app: Flask, client: FlaskClient, authority: Authority) -> None:
    """The address for phones is the one with https, and the page links to what the phone will ask."""
    put(app, WIFI)
    switched_on(app, authority)
    addresses.reach_of(app).listen("0.0.0.0", 8443, "https")
    page = client.get("/").get_data(as_text=True)
    assert '<a href="https://192.168.1.5:8443">' in page
    assert 'href="/https?to=/"' in page
