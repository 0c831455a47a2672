"""What ``sagrada serve --https`` needs: a certificate, made here or brought along, and the server for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click
from cryptography import x509
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from scoring import Sentence
from scoring.sentences import sentence
from webapp.cli.options import failed, say, wrong
from webapp.phones import https
from webapp.phones.addresses import only_here, usable_here
from webapp.phones.authority import FOLDER, Authority, Pair, fingerprint, names_of
from webapp.server.certificate import Certificate
from webapp.server.door import Door, doors
from webapp.web import network
from webapp.web.ip import plain_ip

if TYPE_CHECKING:
    from flask import Flask


@dataclass(frozen=True)
class Secure:
    """The page with https.

    Parameters
    ----------
    port
        Where it listens.
    pair
        The certificate to begin with.
    certificate
        The authority that phones may trust (DER), None for a certificate that a person brought.
    renew
        What returns the certificate for the addresses of now.
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
        return https.Https(self.port).address(f"[{first}]" if ":" in first else first)

    def doors(self, app: Flask, host: str) -> list[Door]:
        """Return where ``app`` is to be reached with https, or tell which port cannot be used."""
        told = None if self.certificate is None else fingerprint(self.certificate)
        https.switch_on(app, https.Https(self.port, self.certificate, told))
        try:
            return doors(host, self.port, Certificate(self.pair, self.renew))
        except OSError as error:
            why = sentence(
                "The page cannot be served at {place} ({why}).",
                place=f"https://{host}:{self.port}",
                why=str(error.strerror),
            )
            raise failed(why, sentence("Choose another {option}.", option="--https-port")) from error


def with_own_authority(port: int, data: Path, address: str | None) -> Secure:
    """Return how the page is served with a certificate that this computer makes, and keeps in ``data``."""
    given = urlsplit(address).hostname if address else None
    try:
        numbers = (one.ip for one in usable_here() if one.ip.version == 4)  # the others change by the day
        authority = Authority(data / FOLDER, [ip for ip in numbers if not ip.is_private])
        if given and not authority.may_vouch_for(given):
            raise wrong(
                sentence(
                    "The certificate that is made here is for home networks and not for {name}.", name=given
                ),
                sentence(
                    "Bring one for it with {cert} and {key}, or leave {address} away.",
                    cert="--cert",
                    key="--key",
                    address="--address",
                ),
            )

        def pair() -> Pair:
            return authority.pair((*usable_here(), *network.local_addresses()), given)

        return Secure(port, pair(), authority.certificate, pair)
    except OSError as error:
        reason = error.strerror or str(error)
        kept = sentence(
            "The certificate cannot be kept in {folder} ({why}).", folder=str(data / FOLDER), why=reason
        )
        raise failed(kept, sentence("Make that folder writable.")) from error


def with_files(port: int, certificate: Path, key: Path, now: datetime | None = None) -> Secure:
    """Return how the page is served with a certificate that a person brought; refuse one that does not do."""
    try:
        (first, *_) = x509.load_pem_x509_certificates(certificate.read_bytes())
    except ValueError as error:
        none = sentence(
            "{file} holds no certificate: give a PEM file, the server's first.", file=str(certificate)
        )
        raise _refused("--cert", none) from error
    try:
        secret = load_pem_private_key(key.read_bytes(), None)
    except TypeError as error:
        locked = sentence(
            "{file} is locked with a password: write it without one ({command}).",
            file=str(key),
            command="openssl pkey -in … -out …",
        )
        raise _refused("--key", locked) from error
    except ValueError as error:
        no_key = sentence(
            "{file} holds no secret key: give the PEM file made with the certificate.", file=str(key)
        )
        raise _refused("--key", no_key) from error
    if secret.public_key() != first.public_key():
        other = sentence(
            "{key} is not the key of {certificate}: give the two that were made together.",
            key=str(key),
            certificate=str(certificate),
        )
        raise _refused("--key", other)
    now = now or datetime.now(UTC)
    if now >= first.not_valid_after_utc:
        ended = f"{first.not_valid_after_utc:%Y-%m-%d}"
        over = sentence(
            "{file} ran out on {day}: renew it, or leave {cert} and {key} away.",
            file=str(certificate),
            day=ended,
            cert="--cert",
            key="--key",
        )
        raise _refused("--cert", over)
    if now < first.not_valid_before_utc:
        begins = f"{first.not_valid_before_utc:%Y-%m-%d}"
        early = sentence(
            "{file} is good from {day} on: look whether the clock is right.",
            file=str(certificate),
            day=begins,
        )
        raise _refused("--cert", early)
    names = names_of(first)
    if not names:
        nameless = sentence(
            "{file} names no host ({field}): have one made that does.",
            file=str(certificate),
            field="subjectAltName",
        )
        raise _refused("--cert", nameless)
    return Secure(port, Pair(certificate, key, names, first.not_valid_after_utc))


def _refused(option: str, why: Sentence) -> click.BadParameter:
    return click.BadParameter(say(why), param_hint=option)
