"""Whether the page is served with https too, and what phones have to trust for it."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Flask

KEY = "sagrada_https"


@dataclass(frozen=True)
class Https:
    """The page as it is served with https, beside plain http.

    Parameters
    ----------
    port
        Where it is.
    certificate
        The authority of this computer (DER), None when a person brought a certificate of their own.
    fingerprint
        The SHA-256 of that authority, for people to compare.
    """

    port: int
    certificate: bytes | None = None
    fingerprint: str | None = None

    def address(self, host: str) -> str:
        """Return the address of the page on a host, which is written as in a URL.

        Examples
        --------
        >>> Https(8443).address("192.168.1.5"), Https(443).address("laptop.local")
        ('https://192.168.1.5:8443', 'https://laptop.local')
        """
        return f"https://{host}" + ("" if self.port == 443 else f":{self.port}")


def switch_on(app: Flask, https: Https) -> None:
    """Let the pages of ``app`` know that they are served with https."""
    app.extensions[KEY] = https


def of_app(app: Flask) -> Https | None:
    """Return how ``app`` is served with https, None when it is not."""
    found: Https | None = app.extensions.get(KEY)
    return found
