"""A certificate of this computer's own, so that phones at home can open the page with https.

A small authority is made once and kept; a person may let a phone trust it. It vouches for names and addresses
of home networks alone, and signs the certificate that the page is served with, which is made anew whenever
this computer has other addresses or the old one runs out.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from webapp.server.addresses import IP, LOCAL_ENDINGS, LocalAddress, plain_ip
from webapp.storage.files import locked, write_whole

FOLDER = "https"
"""In the data folder; who has its files could pretend to be a computer of the home network."""

AUTHORITY_AGE = timedelta(days=5 * 365)
SERVER_AGE = timedelta(days=397)  # what browsers take from anybody; Apple's own limit for such ones is 825
RENEWED_BEFORE = timedelta(days=30)
CLOCKS_DIFFER = timedelta(days=1)
NETWORKS = (
    *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "169.254.0.0/16", "127.0.0.0/8"),
    *("fc00::/7", "fe80::/10", "::1/128"),
)
LONGEST_NAME = 64  # of a certificate's owner


@dataclass(frozen=True)
class Pair:
    """A certificate and its secret key, as a server loads them: files, which may be the same."""

    certificate: Path
    key: Path
    names: frozenset[str]
    until: datetime


@dataclass(frozen=True)
class _Signed:
    """A certificate with the key that belongs to it."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey

    def pem(self) -> bytes:
        key = self.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        return key + self.certificate.public_bytes(Encoding.PEM)


class Authority:
    """The authority of this computer, with its files in ``folder``, where only its owner may look.

    A new one vouches for the addresses ``beyond`` home networks, too; ``host`` is the name of this computer.
    """

    def __init__(
        self,
        folder: Path,
        beyond: Iterable[IP] = (),
        host: str | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._folder, self._beyond, self._now = folder, tuple(beyond), now
        self._host = (host or socket.gethostname()).lower().removesuffix(".local")
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with locked(self._folder / ".lock"):
            self._own = self._load("authority.pem") or self._make_authority()

    @property
    def certificate(self) -> bytes:
        """What phones are asked to trust, as they take it (DER)."""
        return self._own.certificate.public_bytes(Encoding.DER)

    def pair(self, addresses: Iterable[LocalAddress], given: str | None = None) -> Pair:
        """Return a certificate for these addresses and the name ``given`` by a person, kept or new."""
        names = {"localhost", "127.0.0.1", "::1", self._host, f"{self._host}.local", given or "localhost"}
        names |= {str(one.ip) for one in addresses}
        wanted = frozenset(name for name in names if self.may_vouch_for(name))
        file = self._folder / "server.pem"
        with locked(self._folder / ".lock"):
            kept = self._load(file.name)
            if kept is None or not self._is_ours(kept) or not wanted <= names_of(kept.certificate):
                kept = self._make_server(wanted)
        return Pair(file, file, names_of(kept.certificate), kept.certificate.not_valid_after_utc)

    def may_vouch_for(self, name: str) -> bool:
        """Tell whether the authority is made for this name or address."""
        limits = self._own.certificate.extensions.get_extension_for_class(x509.NameConstraints).value
        allowed = [one.value for one in limits.permitted_subtrees or ()]
        ip = plain_ip(name)
        if ip is not None:
            return any(ip in one for one in allowed if isinstance(one, IPv4Network | IPv6Network))
        return any(name == one or name.endswith(f".{one}") for one in allowed if isinstance(one, str))

    def _load(self, name: str) -> _Signed | None:
        """Return what is kept, None when it is missing, damaged or about to run out."""
        try:
            content = (self._folder / name).read_bytes()
            certificate, key = x509.load_pem_x509_certificate(content), load_pem_private_key(content, None)
        except (FileNotFoundError, ValueError):
            return None
        begins, ends = certificate.not_valid_before_utc, certificate.not_valid_after_utc
        fresh = begins <= self._now() < ends - RENEWED_BEFORE
        if not fresh or not isinstance(key, ec.EllipticCurvePrivateKey):
            return None
        return _Signed(certificate, key) if key.public_key() == certificate.public_key() else None

    def _is_ours(self, server: _Signed) -> bool:
        try:
            server.certificate.verify_directly_issued_by(self._own.certificate)
        except (ValueError, TypeError, InvalidSignature):
            return False
        return True

    def _make_authority(self) -> _Signed:
        key = ec.generate_private_key(ec.SECP256R1())
        owner = _name(f"Sagrada Companion ({self._host})")
        places = [ending.lstrip(".") for ending in LOCAL_ENDINGS]
        if "." not in self._host:
            places.append(self._host)
        limits = [
            *(x509.DNSName(place) for place in places),
            *(x509.IPAddress(ip_network(network)) for network in (*NETWORKS, *self._beyond)),
        ]
        certificate = (
            _begun(owner, owner, key.public_key(), self._now(), self._now() + AUTHORITY_AGE)
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .add_extension(_usage(signs=True), critical=True)
            .add_extension(x509.NameConstraints(limits, excluded_subtrees=None), critical=True)
            .sign(key, hashes.SHA256())
        )
        return self._keep("authority.pem", _Signed(certificate, key))

    def _make_server(self, names: frozenset[str]) -> _Signed:
        key = ec.generate_private_key(ec.SECP256R1())
        authority = self._own.certificate
        until = min(self._now() + SERVER_AGE, authority.not_valid_after_utc)
        own_key = x509.AuthorityKeyIdentifier.from_issuer_public_key(self._own.key.public_key())
        certificate = (
            _begun(_name("Sagrada Companion"), authority.subject, key.public_key(), self._now(), until)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(_usage(signs=False), critical=True)
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
            .add_extension(own_key, critical=False)
            .add_extension(
                x509.SubjectAlternativeName([_general(one) for one in sorted(names)]), critical=False
            )
            .sign(self._own.key, hashes.SHA256())
        )
        return self._keep("server.pem", _Signed(certificate, key))

    def _keep(self, name: str, made: _Signed) -> _Signed:
        write_whole(self._folder / name, made.pem())  # which lets nobody but the owner read it
        return made


def names_of(certificate: x509.Certificate) -> frozenset[str]:
    """Return the names and addresses that a certificate is for."""
    try:
        told = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return frozenset()
    numbers = (str(ip) for ip in told.get_values_for_type(x509.IPAddress))
    return frozenset({*told.get_values_for_type(x509.DNSName), *numbers})


def fingerprint(certificate: bytes) -> str:
    """Return the SHA-256 of a certificate (DER) as phones and browsers write it."""
    return x509.load_der_x509_certificate(certificate).fingerprint(hashes.SHA256()).hex(":").upper()


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text[:LONGEST_NAME])])


def _general(name: str) -> x509.GeneralName:
    ip = plain_ip(name)
    return x509.DNSName(name) if ip is None else x509.IPAddress(ip)


def _usage(*, signs: bool) -> x509.KeyUsage:
    """Return what a key may do: an authority signs certificates, a server proves who it is."""
    return x509.KeyUsage(
        digital_signature=not signs,
        key_cert_sign=signs,
        crl_sign=signs,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _begun(
    owner: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey, now: datetime, until: datetime
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(owner)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - CLOCKS_DIFFER)
        .not_valid_after(until)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)
    )


logger = logging.getLogger(__name__)


class Certificate:
    """A certificate that is made anew when a phone comes in at an address that it does not name.

    ``renew`` returns the one for the addresses of now, and is None where it never changes.
    """

    def __init__(self, pair: Pair, renew: Callable[[], Pair] | None = None) -> None:
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(pair.certificate, pair.key)
        self._pair, self._renew = pair, renew
        self._looked_for: set[str] = set()

    async def keep_up(self, address: str) -> None:
        """Take another certificate where this one does not name our own address, or soon runs out."""
        if self._renew is None:
            return
        address = str(plain_ip(address))
        fresh = datetime.now(UTC) < self._pair.until - RENEWED_BEFORE
        if fresh and (address in self._pair.names or address in self._looked_for):
            return
        self._looked_for.add(address)
        try:
            self._pair = await asyncio.to_thread(self._renew)
            self.context.load_cert_chain(self._pair.certificate, self._pair.key)
        except OSError:
            logger.exception("The certificate could not be made anew.")
