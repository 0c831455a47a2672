from __future__ import annotations

import os
import ssl
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.x509.oid import ExtendedKeyUsageOID

from webapp.server.addresses import LocalAddress
from webapp.server.certificate import Authority, Pair, fingerprint

WIFI = LocalAddress(ip_address("192.168.1.5"), "wlan0")
CABLE = LocalAddress(ip_address("10.0.0.7"), "eth0")
OTHER = LocalAddress(ip_address("10.0.0.8"), "eth0")
FAR = LocalAddress(ip_address("203.0.113.9"), "eth1")
NOW = datetime.now(UTC)


def made(folder: Path, later: timedelta = timedelta(0)) -> Authority:
    """Return the authority in a folder as the computer "laptop" finds it some time from now."""
    return Authority(folder, host="laptop", now=lambda: NOW + later)


def shaken(authority: Authority, pair: Pair, name: str) -> None:
    """Let a client that trusts the authority shake hands with a server under a name, all in memory."""
    server = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    server.load_cert_chain(pair.certificate, pair.key)
    client = ssl.create_default_context(cadata=authority.certificate)
    up, down = ssl.MemoryBIO(), ssl.MemoryBIO()
    ends = [client.wrap_bio(down, up, server_hostname=name), server.wrap_bio(up, down, server_side=True)]
    while ends:
        for end in list(ends):
            try:
                end.do_handshake()
                ends.remove(end)
            except ssl.SSLWantReadError:
                continue


@pytest.mark.parametrize(
    "name", ["192.168.1.5", "localhost", "127.0.0.1", "laptop", "laptop.local", "game.lan"]
)
def test_who_trusts_the_authority_needs_no_warning(tmp_path: Path, name: str) -> None:
    """The certificate is taken under every name and address that phones may use."""
    authority = made(tmp_path)
    shaken(authority, authority.pair([WIFI], "game.lan"), name)


def test_the_authority_is_no_good_outside(tmp_path: Path) -> None:
    """A certificate that somebody makes with its stolen key for another site is refused."""
    authority = made(tmp_path)
    pair = authority.pair([WIFI])
    stolen = frozenset({"bank.example", "203.0.113.9"})
    authority._make_server(stolen)
    for name in stolen:
        with pytest.raises(ssl.SSLCertVerificationError, match="permitted subtree violation"):
            shaken(authority, pair, name)


def test_it_vouches_for_the_home_network_alone(tmp_path: Path) -> None:
    """Names of the internet and addresses outside do not get into the certificate."""
    authority = made(tmp_path)
    names = authority.pair([WIFI, FAR], "game.example.com").names
    assert "192.168.1.5" in names
    assert not {"203.0.113.9", "game.example.com"} & names
    assert not authority.may_vouch_for("notlocal")


def test_an_address_outside_that_the_computer_has_from_the_start_is_named(tmp_path: Path) -> None:
    """In a network that gives out public addresses the phones can trust the computer, too."""
    authority = Authority(tmp_path, [FAR.ip], "laptop")
    shaken(authority, authority.pair([FAR]), "203.0.113.9")


def test_browsers_find_what_they_demand(tmp_path: Path) -> None:
    """The certificate is for servers alone and lasts 397 days at most; the authority signs no other one."""
    authority = made(tmp_path)
    pair = authority.pair([WIFI])
    server = x509.load_pem_x509_certificate(pair.certificate.read_bytes())
    purposes = server.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    assert list(purposes) == [ExtendedKeyUsageOID.SERVER_AUTH]
    assert server.not_valid_after_utc - NOW <= timedelta(days=397)
    assert not server.extensions.get_extension_for_class(x509.BasicConstraints).value.ca
    above = x509.load_der_x509_certificate(authority.certificate)
    limits = above.extensions.get_extension_for_class(x509.BasicConstraints)
    assert (limits.critical, limits.value.ca, limits.value.path_length) == (True, True, 0)
    assert above.extensions.get_extension_for_class(x509.NameConstraints).critical
    assert fingerprint(authority.certificate).count(":") == 31


@pytest.mark.skipif(os.name == "nt", reason="Windows has other rights")
def test_nobody_else_reads_the_secret_keys(tmp_path: Path) -> None:
    """Folder and files with keys are the owner's alone."""
    authority = made(tmp_path / "https")
    authority.pair([WIFI])
    assert (tmp_path / "https").stat().st_mode & 0o777 == 0o700
    for name in ("authority.pem", "server.pem"):
        assert (tmp_path / "https" / name).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("later", "addresses", "anew"),
    [(timedelta(0), [CABLE], False), (timedelta(0), [OTHER], True), (timedelta(days=370), [WIFI], True)],
    ids=["it does", "another address", "runs out soon"],
)
def test_the_certificate_is_made_anew_when_it_does_not_do(
    tmp_path: Path, later: timedelta, addresses: list[LocalAddress], *, anew: bool
) -> None:
    """The next start has the authority that phones trust already, and the same certificate while it does."""
    first = made(tmp_path)
    before = first.pair([WIFI, CABLE]).certificate.read_bytes()
    again = made(tmp_path, later)
    pair = again.pair(addresses)
    assert again.certificate == first.certificate
    assert (pair.certificate.read_bytes() != before) is anew
    assert {str(one.ip) for one in addresses} <= pair.names
    assert pair.until > NOW + later + timedelta(days=300)


@pytest.mark.parametrize("broken", ["old", "cut off", "another key"])
def test_an_authority_that_is_of_no_use_is_replaced(tmp_path: Path, broken: str) -> None:
    """One that runs out or whose file is damaged makes way, and the certificate is signed by the new one."""
    first = made(tmp_path)
    first.pair([WIFI])
    file = tmp_path / "authority.pem"
    if broken == "cut off":
        file.write_bytes(file.read_bytes()[:200])
    if broken == "another key":
        other = made(tmp_path / "other")
        other.pair([WIFI])
        content = (tmp_path / "other" / "server.pem").read_bytes()
        file.write_bytes(
            content.split(b"-----BEGIN CERT")[0]
            + file.read_bytes()[file.read_bytes().index(b"-----BEGIN CERT") :]
        )
    again = made(tmp_path, timedelta(days=5 * 365 if broken == "old" else 0))
    assert again.certificate != first.certificate
    if broken != "old":
        shaken(again, again.pair([WIFI]), "192.168.1.5")
