"""Serve the page on this computer, and tell where it is: for this computer, and for phones."""

from __future__ import annotations

import socket
import sys
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TextIO

import click

from scoring import Words
from scoring.sentences import sentence
from vision import read_photo, read_table
from webapp import create_app
from webapp.companion.wording import ENGLISH
from webapp.phones import addresses, https, qr
from webapp.phones.addresses import NoAddress, Reach
from webapp.readers import workers
from webapp.server.door import doors
from webapp.server.house import House
from webapp.store.backup import IN_USE
from webapp.store.disk import default_folder, locked
from webapp.web import desk, expiry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webapp.cli.secure import Secure

EVERYWHERE = frozenset({"0.0.0.0", "::", "", "*"})  # noqa: S104  named here, not listened on
NO_CODE = {
    NoAddress.ONLY_HERE: sentence(
        "Only this computer can open it: to let phones in, start it with {option}.", option="--host 0.0.0.0"
    ),
    NoAddress.NO_NETWORK: sentence(
        "No code for phones, because this computer is in no network: connect it, then load the page."
    ),
    NoAddress.NONE_ANSWERS: sentence(
        "No code for phones, because the page answers at no address of this computer: name the one that they "
        "use with {option}.",
        option="--address",
    ),
}


def serve(
    host: str,
    port: int,
    address: str | None = None,
    secure: Secure | None = None,
    words: Words = ENGLISH,
) -> None:
    """Serve the page until Ctrl+C or SIGTERM, and print its address first.

    Parameters
    ----------
    host
        The address to listen on; ``"0.0.0.0"`` lets phones in the same network in.
    port
        The port to listen on.
    address
        The address that phones use, where they need another one than this computer finds.
    secure
        How it is served with https too; phones are led there then.
    words
        The language of what is printed.
    """
    folder = default_folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    app = create_app(
        {"SAGRADA_ADDRESS": address},
        reader=read_photo,
        table_reader=read_table,
        workers=workers.from_environment(),
    )
    expiry.begin(app)
    opened = doors(host, port)
    reach = addresses.of_app(app)
    reach.listen(host, port)
    if secure is not None:
        opened += secure.doors(app, host)
        reach.listen(host, secure.port, "https")
    click.echo(f"Sagrada Companion: {url_here(host, port)}")
    # The server has to run before its addresses can be tried.
    threading.Thread(target=announce, args=(reach, https.of_app(app), words), daemon=True).start()
    with suppress(KeyboardInterrupt), locked(folder / IN_USE, shared=True):
        House(app, opened, folder=folder, leave=desk.of_app(app).close).run()


def announce(reach: Reach, secure: https.Https | None = None, words: Words = ENGLISH) -> None:
    """Print where phones reach the page, once it answers there, and what they will ask."""
    for line in lines_for_phones(reach, sys.stdout, words):
        click.echo(line)
    if secure is not None and secure.fingerprint and reach.chosen():
        warning = sentence(
            "Phones warn of a certificate that they do not know: the page {page} says what to do.",
            page="/https",
        )
        click.echo(words.say(warning))
        mark = sentence("Its fingerprint (SHA-256): {fingerprint}", fingerprint=secure.fingerprint)
        click.echo(words.say(mark))
    click.echo(words.say(sentence("Stop with {keys}.", keys="Ctrl+C")))


def lines_for_phones(reach: Reach, stream: TextIO, words: Words = ENGLISH) -> Iterator[str]:
    """Yield what is printed for phones: the address, its code, other addresses, or why there is none."""
    address = reach.chosen()
    if address is None:
        why = reach.why_none()
        yield words.say(NO_CODE[why]) if why in NO_CODE else ""
        return
    yield words.say(sentence("On phones in the same network: {address}", address=address.url))
    if qr.fits_terminal(stream, address.url):
        yield from qr.terminal_lines(address.url)
    if address == reach.given and not reach.answers(address):
        yield words.say(
            sentence("It did not answer when it was tried from this computer: try it with a phone.")
        )
    others = [f"{one.url} ({one.interface})" for one in reach.addresses() if one != address]
    if others:
        yield words.say(
            sentence("Other addresses, to choose on the page: {others}", others=", ".join(others))
        )


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
        found = socket.getaddrinfo(
            None if host in {"", "*"} else host, 0, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
    except (OSError, UnicodeError):  # no such name; or a text that cannot be a name, "bad..name"
        return False
    return any(_can_listen(family, address) for family, _, _, _, address in found)


def _can_listen(family: int, address: tuple[Any, ...]) -> bool:
    """Try to take any free port at ``address``, and give it back."""
    try:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.bind(address)
    except OSError:
        return False
    return True
