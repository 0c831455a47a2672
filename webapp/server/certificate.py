"""The certificate of the page with https, which follows the computer from one network to the next."""

from __future__ import annotations

import asyncio
import logging
import ssl
from collections.abc import Callable
from datetime import UTC, datetime

from webapp.phones.authority import RENEWED_BEFORE, Pair
from webapp.web.ip import plain_ip

logger = logging.getLogger(__name__)


class Certificate:
    """A certificate that is made anew when a phone comes in at an address that it does not name.

    Parameters
    ----------
    pair
        The certificate to begin with.
    renew
        What returns the certificate for the addresses of now, None where it never changes.
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
