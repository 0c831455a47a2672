"""Serve the page on this computer, with https where that is asked for, and say where it is."""

from __future__ import annotations

import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, TextIO
from urllib.parse import urlsplit

import click
from cryptography import x509
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from scoring import Sentence
from scoring.sentences import english
from vision import read_photo, read_table
from webapp import create_app
from webapp.cli.options import failed, say, wrong
from webapp.http.session import companion_of
from webapp.server import addresses, qr
from webapp.server.addresses import NoAddress, Reach, only_here, plain_ip, usable_here
from webapp.server.certificate import FOLDER, Authority, Certificate, Pair, fingerprint, names_of
from webapp.server.listener import Listener, listeners, places
from webapp.server.serving import PageServer
from webapp.services import administration
from webapp.storage.administration import PIN_FILE, Administrator
from webapp.storage.backup import IN_USE
from webapp.storage.files import default_folder, locked, make_folder, reading
from webapp.workers import workers

if TYPE_CHECKING:
    from flask import Flask


@dataclass(frozen=True)
class Secure:
    """The page with https: the port, and the certificate to begin with.

    ``certificate`` is the authority that phones may trust (DER), None where a person brought a certificate;
    ``renew`` returns the certificate for the addresses of now.
    """

    port: int
    pair: Pair
    certificate: bytes | None = None
    renew: Callable[[], Pair] | None = None

    @property
    def address(self) -> str | None:
        """The first name of the certificate that phones can open, before numbers; None without one.

        Examples
        --------
        >>> names = frozenset({"localhost", "*.example.com", "10.0.0.5", "game.example.com"})
        >>> Secure(8443, Pair(Path("a"), Path("a"), names, datetime.now(UTC))).address
        'https://game.example.com:8443'
        """
        names = [one for one in self.pair.names if not one.startswith("*") and not only_here(one)]
        first = min(names, key=lambda one: (plain_ip(one) is not None, one), default=None)
        if first is None:
            return None
        return addresses.Https(self.port).address(f"[{first}]" if ":" in first else first)

    def listeners(self, app: Flask, host: str) -> list[Listener]:
        """Return where ``app`` is to be reached with https, or tell which port cannot be used."""
        told = None if self.certificate is None else fingerprint(self.certificate)
        addresses.switch_on(app, addresses.Https(self.port, self.certificate, told))
        try:
            return listeners(host, self.port, Certificate(self.pair, self.renew))
        except OSError as error:
            place = f"https://{host}:{self.port}"
            why = english(
                "The page cannot be served at {place} ({why}).", place=place, why=str(error.strerror)
            )
            raise failed(why, english("Choose another {option}.", option="--https-port")) from error


def secured(port: int, address: str | None, cert: Path | None, key: Path | None) -> Secure:
    """Return how the page is served with https, for phones at ``address`` where they need another one."""
    if address and not address.startswith("https:"):
        right = english(
            "With https phones open https://…: write {address} with its port.",
            address=address.replace("http:", "https:"),
        )
        raise _refused("--address", right)
    if cert and key:
        return with_files(port, cert, key)
    return with_own_authority(port, default_folder(), address)


def with_own_authority(port: int, data: Path, address: str | None) -> Secure:
    """Return how the page is served with a certificate that this computer makes, and keeps in ``data``."""
    given = urlsplit(address).hostname if address else None
    try:
        numbers = (one.ip for one in usable_here() if one.ip.version == 4)  # the others change by the day
        authority = Authority(data / FOLDER, [ip for ip in numbers if not ip.is_private])
        if given and not authority.may_vouch_for(given):
            local_only = english(
                "The certificate that is made here is for home networks and not for {name}.", name=given
            )
            advice = english(
                "Provide one with {cert} and {key}, or leave out {address}.",
                cert="--cert",
                key="--key",
                address="--address",
            )
            raise wrong(local_only, advice)

        def pair() -> Pair:
            return authority.pair((*usable_here(), *addresses.local_addresses()), given)

        return Secure(port, pair(), authority.certificate, pair)
    except OSError as error:
        reason = error.strerror or str(error)
        kept = english(
            "The certificate cannot be kept in {folder} ({why}).", folder=str(data / FOLDER), why=reason
        )
        raise failed(kept, english("Make that folder writable.")) from error


def with_files(port: int, certificate: Path, key: Path, now: datetime | None = None) -> Secure:
    """Return how the page is served with a certificate that a person brought; refuse one that does not do."""
    try:
        (first, *_) = x509.load_pem_x509_certificates(certificate.read_bytes())
    except ValueError as error:
        none = english(
            "{file} holds no certificate: give a PEM file, the server's first.", file=str(certificate)
        )
        raise _refused("--cert", none) from error
    try:
        secret = load_pem_private_key(key.read_bytes(), None)
    except TypeError as error:
        locked = english(
            "{file} is locked with a password: write it without one ({command}).",
            file=str(key),
            command="openssl pkey -in … -out …",
        )
        raise _refused("--key", locked) from error
    except ValueError as error:
        no_key = english(
            "{file} holds no secret key: give the PEM file made with the certificate.", file=str(key)
        )
        raise _refused("--key", no_key) from error
    if secret.public_key() != first.public_key():
        other = english(
            "{key} is not the key of {certificate}: give the two that were made together.",
            key=str(key),
            certificate=str(certificate),
        )
        raise _refused("--key", other)
    now = now or datetime.now(UTC)
    if now >= first.not_valid_after_utc:
        over = english(
            "{file} expired on {day}: renew it, or leave out {cert} and {key}.",
            file=str(certificate),
            day=f"{first.not_valid_after_utc:%Y-%m-%d}",
            cert="--cert",
            key="--key",
        )
        raise _refused("--cert", over)
    if now < first.not_valid_before_utc:
        begins = f"{first.not_valid_before_utc:%Y-%m-%d}"
        early = english("{file} is valid from {day} on: check the clock.", file=str(certificate), day=begins)
        raise _refused("--cert", early)
    names = names_of(first)
    if not names:
        nameless = english(
            "{file} names no host ({field}): have one made that does.",
            file=str(certificate),
            field="subjectAltName",
        )
        raise _refused("--cert", nameless)
    return Secure(port, Pair(certificate, key, names, first.not_valid_after_utc))


def _refused(option: str, why: Sentence) -> click.BadParameter:
    return click.BadParameter(say(why), param_hint=option)


EVERYWHERE = frozenset({"0.0.0.0", "::", "", "*"})  # noqa: S104  named here, not listened on
NO_CODE = {
    NoAddress.ONLY_HERE: "Only this computer can open it: to let phones in, start it without --host.",
    NoAddress.NO_NETWORK: (
        "No code for phones, because this computer is in no network: connect it, then load the page."
    ),
    NoAddress.NONE_ANSWERS: (
        "No code for phones, because the page answers at no address of this computer: name the one that they "
        "use with --address."
    ),
}


def serve(
    host: str,
    port: int,
    address: str | None,
    secure: Secure | None,
    *,
    new_pin: bool,
    administrator_here: bool,
) -> None:
    """Serve the page until Ctrl+C or SIGTERM, and print its address and the administrator's PIN first.

    ``address`` is for phones that need another one than this computer finds; with ``secure`` they are led to
    https. Browsers on this computer need no PIN with ``administrator_here``.
    """
    folder = default_folder()
    administrator = Administrator(folder / PIN_FILE)
    with reading(folder, "folder"):
        make_folder(folder)
        pin = administrator.renew() if new_pin else administrator.pin()
    opened = listeners(host, port)  # a taken port is told at once
    app = create_app(
        {"SAGRADA_ADDRESS": address, "SAGRADA_ADMIN_FROM_HERE": administrator_here},
        reader=read_photo,
        table_reader=read_table,
        workers=workers.from_environment(),
    )
    administration.begin(app.app_context)
    reach = addresses.reach_of(app)
    reach.listen(host, port)
    if secure is not None:
        opened += secure.listeners(app, host)
        reach.listen(host, secure.port, "https")
    click.echo(f"Sagrada Companion: {url_here(host, port)}")
    click.echo(f"Administration: PIN {pin[:4]} {pin[4:]}")
    # The server has to run before its addresses can be tried.
    threading.Thread(target=announce, args=(reach, addresses.https_of(app)), daemon=True).start()
    with suppress(KeyboardInterrupt), locked(folder / IN_USE, shared=True):
        photos = companion_of(app).queue
        PageServer(app, opened, folder=folder, leave=photos.close, waiting=lambda: photos.waiting).run()


def announce(reach: Reach, secure: addresses.Https | None) -> None:
    """Print where phones reach the page, once it answers there, and what they will ask."""
    for line in lines_for_phones(reach, sys.stdout):
        click.echo(line)
    if secure is not None and secure.fingerprint and reach.best():
        click.echo("Phones warn of a certificate that they do not know: the page /https says what to do.")
        click.echo(f"Its fingerprint (SHA-256): {secure.fingerprint}")
    click.echo("Stop with Ctrl+C.")


def lines_for_phones(reach: Reach, stream: TextIO) -> Iterator[str]:
    """Yield what is printed for phones: the address, its code, other addresses, or why there is none."""
    address = reach.best()
    if address is None:
        yield NO_CODE.get(reach.why_none() or NoAddress.UNKNOWN, "")
        return
    yield f"On phones in the same network: {address.url}"
    if qr.fits_terminal(stream, address.url):
        yield from qr.terminal_lines(address.url)
    if address == reach.given and not reach.answers(address):
        yield "It did not answer when it was tried from this computer: try it with a phone."
    if others := [f"{one.url} ({one.interface})" for one in reach.addresses() if one != address]:
        yield f"Other addresses, to choose on the page: {', '.join(others)}"


def url_here(host: str, port: int) -> str:
    """Return the address to open on this computer itself.

    Examples
    --------
    >>> url_here("0.0.0.0", 8000), url_here("::1", 8000)
    ('http://localhost:8000', 'http://[::1]:8000')
    """
    name = "localhost" if host in EVERYWHERE else f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}"


def host_is_here(host: str) -> bool:
    """Tell whether ``host`` is a name or address of this computer, on which it can listen."""
    try:
        found = places(host, 0)
    except (OSError, UnicodeError):  # no such name; or a text that cannot be a name, "bad..name"
        return False
    for family, _, _, _, address in found:  # any free port is taken, and given back
        with suppress(OSError), socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.bind(address)
            return True
    return False
